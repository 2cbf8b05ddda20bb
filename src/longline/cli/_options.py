"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from longline.errors import InputError


class Ranking(StrEnum):
    """How a simulated source orders what matches."""

    bm25 = "bm25"
    static = "static"


class Counts(StrEnum):
    """How true the number of matches is that a simulated source reports."""

    exact = "exact"
    approximate = "approximate"
    none = "none"


class Share(float):
    """A part of a source, 0 to 1."""


def sample_size(text: str) -> int | Share:
    """Read a number of documents, or a share of the source such as 5%.

    Raises:
        typer.BadParameter: It is neither.

    >>> sample_size("60"), sample_size("5%")
    (60, 0.05)
    """
    text = str(text).strip()
    try:
        found = Share(float(text[:-1]) / 100) if text.endswith("%") else int(text)
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is neither a number of documents nor a share like 5%"
        ) from None
    if not 0 < found <= (1 if isinstance(found, Share) else found):
        raise typer.BadParameter(f"{text!r} is no size of a sample; give 1 or more, or 1% to 100%")
    return found


def documents_of(sample: int | Share, size: int | None) -> int:
    """Turn a share of the source into documents.

    Raises:
        InputError: It is a share, and the source's size is not known.

    >>> documents_of(Share(0.05), 2000), documents_of(60, None)
    (100, 60)
    """
    if not isinstance(sample, Share):
        return sample
    if size is None:
        raise InputError(
            f"a sample of {sample:.4g} of the source, whose size is not known",
            advice="give --size, or --sample as a number of documents",
        )
    return max(1, round(sample * size))


class ExportFormat(StrEnum):
    """What documents can be exported to."""

    jsonl = "jsonl"
    csv = "csv"


RankingChoice = Annotated[
    Ranking, typer.Option(help="Order of the results: by relevance, or one fixed order.")
]
CountsChoice = Annotated[
    Counts, typer.Option(help="Whether the search reports how many match, and how exactly.")
]
Boolean = Annotated[bool, typer.Option(help="Whether the search supports NOT and OR.")]
Forms = Annotated[
    str,
    typer.Option(
        metavar="RULE",
        help="Which spellings count as the same word: fold (accents), plural, or the stems of a "
        "language, such as english; fold+english for both; plural@index for documents only.",
        show_default="none",
    ),
]
Corpus = Annotated[
    str,
    typer.Argument(
        metavar="CORPUS",
        help="A JSON lines file (.jsonl, .jsonl.gz with id, title, text), a folder of text files, "
        "or docstrings: those of Python's standard library.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a harvest.")]
Limit = Annotated[
    int, typer.Option(metavar="N", min=1, help="Return limit: results that a search shows at most.")
]
PageSize = Annotated[int, typer.Option(metavar="N", min=1, help="Results on a page.")]
AllowPrivate = Annotated[
    bool, typer.Option("--allow-private", help="Allow localhost and addresses of local networks.")
]
IgnoreRobots = Annotated[
    bool, typer.Option("--ignore-robots", help="Ignore robots.txt (only for your own site).")
]
MaxWait = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        min=0.01,
        help="Wait this long when the source asks for a pause; stop if it asks for more.",
    ),
]
Timeout = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        min=0.01,
        help="Give up a connection, or a silent answer, after this time; a whole answer may take "
        "twice as long.",
    ),
]
Rate = Annotated[
    float | None,
    typer.Option(
        metavar="REQUESTS_PER_SECOND",
        help="Send at most so many requests a second.",
        show_default="1; no pause for private hosts",
    ),
]


def read_words(path: Path) -> tuple[str, ...]:
    """Return the words of a file, in its order.

    Raises:
        InputError: It cannot be read, or holds none.
    """
    try:
        words = tuple(dict.fromkeys(path.read_text(encoding="utf-8-sig").split()))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"cannot read words from {path}: {error}", advice="name a text file in UTF-8"
        ) from None
    if not words:
        raise InputError(f"{path} holds no word", advice="give one word a line")
    return words
