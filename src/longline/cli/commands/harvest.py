"""longline harvest and longline retry."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

import typer

from longline.cli._groups import option
from longline.cli._options import (
    Budget,
    Folder,
    Json,
    Notify,
    Opening,
    documents_of,
    sample_size,
)
from longline.cli._said import note
from longline.cli._strategies import DfEstimator, Generations, Mutation, Population, strategy_names
from longline.cli.run import exit_as, print_harvest, print_update, retried, shown
from longline.cli.sources import LearningOnce
from longline.errors import InputError
from longline.files import read_queries

AS_BEFORE = "off; a harvest that continues does as before"


@dataclass(frozen=True)
class Into:
    """Where a harvest is saved, and how its result is printed or notified."""

    output: Path | None = option(
        None,
        "--output",
        "-o",
        metavar="DIR",
        help="Folder to save to; an earlier harvest in it continues.",
        show_default="the source's name",
    )
    warc: bool | None = option(
        None,
        "--warc/--no-warc",
        help="Also keep every request and answer as it was sent, for a web archive.",
        show_default=AS_BEFORE,
    )
    keep_answers: int = option(
        1_000,
        min=0,
        help="Keep up to N result pages as they came, of those that failed or were cut; the "
        "newest. 0 takes the least room, and leaves nothing to look at later.",
    )
    update: bool = option(
        False,
        "--update",
        help="Look for what is new, changed or gone, as `longline update` does, in harvests that "
        "have ended and may not spend more.",
    )
    json: Json = False
    notify: Notify = ""
    attachments: bool | None = option(
        None,
        "--attachments/--no-attachments",
        help="Save files too, such as PDF, that a result leads to: in DIR/attachments.",
        show_default=AS_BEFORE,
    )
    database: str | None = option(
        None,
        metavar="URL",
        help="Keep the journal and the documents in this PostgreSQL database, such as "
        "postgresql://USER@HOST/NAME, in place of DIR/harvest.db.",
        show_default="DIR/harvest.db",
    )

    def limits(self) -> dict[str, Any]:
        """Return the options for what is saved, under the names that the package uses."""
        return {
            "keep_answers": self.keep_answers,
            "attachments": self.attachments,
            "warc": self.warc,
        }


@dataclass(frozen=True)
class Aim:
    """How many documents there are, and how many are enough."""

    panel: ClassVar[str] = "The total, and when it is enough"

    size: int | None = option(
        None, min=1, help="How many documents the source has, if you know it."
    )
    estimate: bool | None = option(
        None,
        "--estimate/--no-estimate",
        help="Estimate by test searches how many documents there are.",
        show_default="on, unless --size, --listing-only or --queries is given",
    )
    target_coverage: float | None = option(
        None,
        help="Stop when this share of the documents is saved, such as .95. Needs --size or "
        "--estimate.",
    )
    min_return: float | None = option(
        None, help="Stop when the last 100 requests brought fewer than X new documents each."
    )


@dataclass(frozen=True)
class Choice:
    """How queries are chosen; fixed by the first run of a harvest."""

    panel: ClassVar[str] = "How searches are chosen (fixed by the first run)"

    strategy: str | None = option(
        None,
        metavar="NAME",
        help="How to choose searches; `longline strategies` lists them.",
        show_default="auto",
        autocompletion=strategy_names,
    )
    listing_only: bool = option(
        False,
        "--listing-only",
        help="Save titles and snippets only; do not open each document's own page.",
    )
    queries: Path | None = option(
        None,
        metavar="FILE",
        help="Harvest by this file's queries alone, one a line, in order (strategy list; see "
        "longline cover --queries), without test searches unless --estimate is given.",
    )
    seed: int | None = option(
        None, min=0, help="Random seed: the same seed gives the same run.", show_default="0"
    )
    sample: int | None = option(
        None,
        parser=sample_size,
        metavar="N|N%",
        help="Documents to read before searches are chosen, or a share of --size, like 5%. "
        "For the strategies of the papers.",
        show_default="1000",
    )
    cost: str | None = option(
        None,
        metavar="COST",
        help="What a search costs: df (its results), or df+A. A larger A sends fewer searches "
        "and receives more repeats. For the strategies of the papers.",
        show_default="df+30",
    )
    pool_relative_size: float | None = option(
        None,
        min=1.0,
        help="Choose among random words that together match the sample X times over (the "
        "papers: 20). For the strategies of the papers.",
        show_default="every word",
    )
    rounds: int | None = option(
        None,
        min=1,
        help="Choose searches and send them N times at most (the papers: 1).",
        show_default="while a search brings more than one new document",
    )

    df_estimator: DfEstimator = None
    generations: Generations = None
    population: Population = None
    mutation: Mutation = None

    def changes(self, size: int | None, words: Path | None) -> dict[str, Any]:
        """Return the settings that were given, under the names that the package uses.

        Args:
            size: Number of documents of the source; None if unknown.
            words: A file of words that was given as well; None if there is none.

        Raises:
            InputError: Words or a strategy were given with queries, or a file cannot be read.
        """
        given = asdict(self) | {
            "sample": None if self.sample is None else documents_of(self.sample, size),
            "listing_only": self.listing_only or None,
        }
        del given["queries"]
        if self.queries is not None:
            if words or self.strategy not in (None, "list"):
                raise InputError(
                    "--queries sends the queries of its file and no other",
                    advice="leave out --words and --strategy, or --queries",
                )
            given |= {"strategy": "list", "words": read_queries(self.queries)}
        return {name: value for name, value in given.items() if value is not None}


def harvest(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A web address (search page, site or JSON API), a source.toml, or the folder of "
            "an earlier harvest, which continues. Or a CSV file of many sources: a column url, and "
            "any of folder, header and options below.",
        ),
    ],
    into: Into,
    budget: Budget,
    aim: Aim,
    manners: Opening,
    choice: Choice,
    learning: LearningOnce,
) -> None:
    """Save everything that a search can show; run it again to continue.

    The folder holds source.toml (how the source is searched), harvest.db (the documents, and all
    requests) and certificate.json (what was saved and what is missing). Exit code 0 means complete,
    or that the set target is reached; 3 means that documents are missing.
    """
    from longline.api import harvest as save

    options = learning.options(source) | choice.changes(aim.size, learning.words)
    options |= budget.limits() | manners.limits() | asdict(aim) | into.limits()
    options["database"] = into.database
    if source.lower().endswith(".csv"):
        from longline.cli.many import harvest_all

        # With many sources, nobody reads for each of them when it was learnt.
        options |= {"learnt": "", "update": into.update}
        harvest_all(Path(source), into.output, options, json=into.json)
        return
    if into.update and _is_to_update(source, into, budget):
        _bring_up_to_date(into, budget, manners, Path(source))
        return
    with shown(source, budget.max_requests, into.notify) as listeners:
        found = save(source, into.output, listeners=listeners, **options)
    print_harvest(found, json=into.json, unsaved=manners.unsaved)
    exit_as(found.certificate)


def _is_to_update(source: str, into: Into, budget: Budget) -> bool:
    """Return whether the folder to update holds a harvest that has ended.

    Raises:
        InputError: No folder is named.
    """
    from longline.api import is_to_update

    if into.output is None and not Path(source).is_dir():
        raise InputError("--update needs the folder of the harvest", advice="name it by -o DIR")
    folder = into.output or Path(source)
    by_day, most = budget.max_requests_per_day, budget.max_requests
    return is_to_update(folder, is_by_the_day=by_day is not None, max_requests=most)


def _bring_up_to_date(into: Into, budget: Budget, manners: Opening, source: Path) -> None:
    from longline.api import update

    folder = into.output or source
    options = budget.limits() | manners.limits() | into.limits()
    with shown(str(folder), budget.max_requests, into.notify, "updating") as listeners:
        found = update(folder, listeners=listeners, **options)
    print_update(found, folder, json=into.json)


def retry(folder: Folder, manners: Opening, json: Json = False, notify: Notify = "") -> None:
    """Request again the pages and documents that could not be loaded, and what these lead to.

    This includes documents that the site reported as gone.
    """
    from longline.api import open as open_harvest
    from longline.api import retry as try_again

    before = open_harvest(folder).certificate
    with shown(str(folder), notify=notify) as listeners:
        found = try_again(folder, listeners=listeners, **manners.limits())
    note(retried(before, found.certificate))
    print_harvest(found, json=json)
    exit_as(found.certificate)
