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
    Ranking, typer.Option(help="Order of the matches: by relevance, or one fixed order.")
]
CountsChoice = Annotated[Counts, typer.Option(help="How true the reported number of matches is.")]
Boolean = Annotated[bool, typer.Option(help="Whether the search box knows NOT and OR.")]
Forms = Annotated[
    str,
    typer.Option(
        metavar="RULE",
        help="Forms of a word that the search box takes for one: fold (accents), plural, or a "
        "language's stems, such as english; fold+english for both, plural@index where only "
        "documents are read so, not queries.",
        show_default="none",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="A folder made by a harvest.")]
Limit = Annotated[
    int, typer.Option(metavar="N", min=1, help="Return limit: documents a query can show at most.")
]
PageSize = Annotated[int, typer.Option(metavar="N", min=1, help="Hits on a result page.")]
AllowPrivate = Annotated[
    bool, typer.Option("--allow-private", help="Allow hosts on loopback and private addresses.")
]
IgnoreRobots = Annotated[
    bool, typer.Option("--ignore-robots", help="Do not read robots.txt; your own site, say.")
]
MaxWait = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        min=0.01,
        help="Wait so long where the source asks for it; if it asks for more, stop.",
    ),
]
Timeout = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        min=0.01,
        help="For a connection, and for each piece of an answer; a whole answer may take twice "
        "as long.",
    ),
]
Rate = Annotated[
    float | None,
    typer.Option(
        metavar="REQUESTS_PER_SECOND",
        help="At most so many requests a second.",
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
