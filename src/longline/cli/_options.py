"""Options that several commands share, alone and in groups."""

from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import typer

from longline.cli._groups import option
from longline.errors import InputError
from longline.text.safe import quoted

Ranking = Literal["bm25", "static", "meaning"]
"""How a simulated source orders its hits."""

RANKING_HELP = (
    "Order of the results: by relevance, or one fixed order. With meaning every search shows the "
    "nearest documents, whatever the words."
)


Totals = Literal["exact", "about", "shown", "none"]
"""How accurate the totals of a simulated source are."""


class Share(float):
    """A share of a source, 0 to 1."""


def sample_size(text: str) -> int | Share:
    """Return a number of documents, or a share of the source such as 5%.

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
    """Return a sample size as a number of documents.

    Raises:
        InputError: It is a share, and the source's size is unknown.

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


Corpus = Annotated[
    str,
    typer.Argument(
        metavar="CORPUS",
        help="A JSON lines or CSV file (.jsonl, .jsonl.gz, .csv with id, title, text), a folder of "
        "text files, or docstrings: those of Python's standard library.",
    ),
]
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a harvest.")]
OneOrMany = Annotated[
    Path, typer.Argument(metavar="DIR", help="The folder of a harvest, or of many.")
]
Folders = Annotated[
    list[Path],
    typer.Argument(metavar="DIR", help="Folders of harvests, or one that holds many."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]
Notify = Annotated[
    str,
    typer.Option(
        metavar="COMMAND|URL",
        help="Tell a command (JSON on its standard input, the event as its last argument) or an "
        "address (POST of JSON) when a harvest is paused, blocked, finished or failed, and every "
        "hour while it runs.",
        show_default="nobody",
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to this file.",
        show_default="standard output",
    ),
]
Seed = Annotated[
    int,
    typer.Option(metavar="N", min=0, help="Random seed: the same seed gives the same run."),
]


@dataclass(frozen=True)
class Asking:
    """Base of the option groups about requests to a source."""

    panel: ClassVar[str] = "How to ask the site"

    def limits(self) -> dict[str, Any]:
        """Return the options under the names that the package uses."""
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        if "header" in given:
            from longline.api import read_headers

            given["headers"] = read_headers(given.pop("header") or [])
        for name in {"cookies", "proxy", "contact"} & given.keys():
            given[name] = str(given[name] or "")
        if "ignore_robots" in given:
            given["robots"] = not given.pop("ignore_robots")
        if given.get("user_agent", "") is None:
            del given["user_agent"]
        return given


@dataclass(frozen=True)
class Own(Asking):
    """What the user sends to the source, and only to it; nothing of it is saved."""

    header: list[str] | None = option(
        None,
        metavar="'NAME: VALUE'",
        help="Send this header to the source, such as a key of yours; may be repeated. It is "
        "saved nowhere.",
    )
    cookies: Path | None = option(
        None, metavar="FILE", help="Send the cookies of a cookies.txt (Netscape's form)."
    )

    @property
    def unsaved(self) -> str:
        """The options to give again with the next command; values of headers are left out."""
        names = [each.partition(":")[0].strip() for each in self.header or []]
        given = [f"--header {quoted(f'{name}: VALUE')}" for name in names]
        return " ".join([*given, *([f"--cookies {quoted(self.cookies)}"] if self.cookies else [])])


@dataclass(frozen=True)
class Through(Asking):
    """Through which proxy a source is requested, and which contact address is sent."""

    proxy: str | None = option(None, metavar="URL", help="Ask through this HTTP proxy.")
    contact: str | None = option(
        None, metavar="ADDRESS", help="Tell the source how to reach you (user agent)."
    )


@dataclass(frozen=True)
class Pace(Asking):
    """Rate, user agent, timeouts and size limits of requests, and which hosts are allowed."""

    rate: float | None = option(
        None,
        metavar="REQUESTS_PER_SECOND",
        envvar="LONGLINE_RATE",
        help="Send at most so many requests a second.",
        show_default="1; no pause for private hosts",
    )
    allow_private: bool = option(
        False,
        "--allow-private/--no-allow-private",
        envvar="LONGLINE_ALLOW_PRIVATE",
        help="Allow localhost and addresses of local networks.",
    )
    user_agent: str | None = option(
        None,
        metavar="TEXT",
        envvar="LONGLINE_USER_AGENT",
        help="Name that is sent with each request; its first word is looked for in robots.txt.",
        show_default="longline and its version",
    )
    max_wait: float = option(
        600.0,
        metavar="SECONDS",
        envvar="LONGLINE_MAX_WAIT",
        min=0.01,
        help="Wait this long when the source asks for a pause; stop if it asks for more.",
    )
    timeout: float = option(
        30.0,
        metavar="SECONDS",
        envvar="LONGLINE_TIMEOUT",
        min=0.01,
        help="Give up a connection, or a silent answer, after this time; a whole answer may "
        "take twice as long.",
    )
    max_body_bytes: int = option(
        50_000_000,
        envvar="LONGLINE_MAX_BODY_BYTES",
        min=1,
        help="Take no page and no file that is larger than N bytes.",
    )


@dataclass(frozen=True)
class Patience(Pace, Through, Own):
    """Options for requests, and for what is sent with them."""


@dataclass(frozen=True)
class Robots(Asking):
    """Whether robots.txt is ignored."""

    ignore_robots: bool = option(
        False, "--ignore-robots", help="Ignore robots.txt (only for your own site)."
    )


@dataclass(frozen=True)
class AtOnce(Asking):
    """How many document pages are requested at the same time."""

    concurrency: int = option(
        4,
        envvar="LONGLINE_CONCURRENCY",
        min=1,
        help="Wait for at most N document pages at a time. --rate still says how often one is "
        "asked for; searches go one after the other.",
    )


@dataclass(frozen=True)
class Manners(Robots, Patience):
    """Options for requests, including whether robots.txt is ignored."""


@dataclass(frozen=True)
class Opening(AtOnce, Manners):
    """Options for requests to a source whose documents have pages of their own."""


@dataclass(frozen=True)
class Kept(AtOnce, Robots, Pace, Through):
    """The same for a fleet, whose database keeps these options: without secrets."""


@dataclass(frozen=True)
class Budget:
    """What a harvest may cost at most."""

    panel: ClassVar[str] = "Budget: when to stop"

    max_requests: int | None = option(
        None, min=1, help="Stop after N requests, earlier runs included."
    )
    max_time: float | None = option(
        None,
        metavar="SECONDS",
        help="Stop this run after so many seconds, learning the source included.",
    )
    max_documents: int | None = option(None, min=1, help="Stop when N documents are saved.")
    max_queries: int | None = option(None, min=1, help="Stop after N different searches.")
    max_bytes: int | None = option(None, min=1, help="Stop after N bytes were received.")
    max_requests_per_day: int | None = option(
        None, min=1, help="Send at most N requests a day (UTC)."
    )
    daily_reserve: int = option(0, min=0, help="Keep N of the day's requests unused.")

    def limits(self) -> dict[str, Any]:
        """Return the options under the names that the package uses."""
        return asdict(self)


@dataclass(frozen=True)
class Simulated:
    """What the search of a simulated source can do."""

    panel: ClassVar[str] = "The simulated search"

    limit: int = option(100, min=1, help="Results that a search shows at most.")
    page_size: int = option(50, min=1, help="Results on a page.")
    boolean: bool = option(
        True, "--boolean/--no-boolean", help="Whether the search supports NOT and OR."
    )
    totals: Totals = option(
        "exact",
        help="Whether the search says how many results there are; shown: how many it shows.",
    )
    ranking: Ranking = option("bm25", help=RANKING_HELP)
    forms: str = option(
        "",
        metavar="RULE",
        help="Which spellings count as the same word: fold (accents), plural, or the stems of "
        "a language, such as english; fold+english for both; plural@index for documents only.",
        show_default="none",
    )

    def search(self) -> dict[str, Any]:
        """Return the options under the names that the package uses."""
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        totals = named.pop("totals")
        return named | {"counts": "approximate" if totals == "about" else totals}
