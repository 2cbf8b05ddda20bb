"""longline harvest."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from longline.cli._options import (
    AllowPrivate,
    Folder,
    IgnoreRobots,
    Json,
    MaxWait,
    Rate,
    Timeout,
    documents_of,
    read_words,
    sample_size,
)
from longline.cli.run import run_and_show
from longline.errors import FolderError, StoppedShort
from longline.outcomes import STOPPED_SHORT

if TYPE_CHECKING:
    from longline.account import Certificate
    from longline.learn import Found


def harvest(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A web address (search page, site or JSON API), a source.toml, or the folder of "
            "an earlier harvest, which continues.",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="Folder to save to; an earlier harvest in it continues. Default: the source's "
            "name.",
        ),
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="How to choose searches; `longline strategies` lists them.",
            show_default="auto",
        ),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(
            parser=sample_size,
            metavar="N|N%",
            help="Documents to read before searches are chosen, or a share of --size, like 5%. "
            "For the strategies of the papers.",
            show_default="1000",
        ),
    ] = None,
    cost: Annotated[
        str | None,
        typer.Option(
            metavar="COST",
            help="What a search costs: df (its results), or df+A. A larger A sends fewer searches "
            "and receives more repeats. For the strategies of the papers.",
            show_default="df+30",
        ),
    ] = None,
    pool_relative_size: Annotated[
        float | None,
        typer.Option(
            metavar="X",
            min=1.0,
            help="Choose among random words that together match the sample X times over (the "
            "papers: 20). For the strategies of the papers.",
            show_default="every term",
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Choose searches and send them N times at most (the papers: 1).",
            show_default="as long as it brings more than a new document a query",
        ),
    ] = None,
    words: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File of words to search for first, one a line."),
    ] = None,
    listing_only: Annotated[
        bool,
        typer.Option(
            "--listing-only", help="Save titles and snippets only; open no document's own page."
        ),
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            help="Random seed: the same seed gives the same run.",
            show_default="0",
        ),
    ] = None,
    target_coverage: Annotated[
        float | None,
        typer.Option(
            metavar="X",
            help="Stop when this share of the documents is saved, such as .95. Needs --size or "
            "--estimate.",
        ),
    ] = None,
    min_return: Annotated[
        float | None,
        typer.Option(
            metavar="X",
            help="Stop when the last 100 requests brought fewer than X new documents each.",
        ),
    ] = None,
    max_requests: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Stop after N requests, earlier runs included."),
    ] = None,
    max_queries: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Stop after N different searches."),
    ] = None,
    max_documents: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Stop when N documents are saved.")
    ] = None,
    max_bytes: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Stop after N bytes were received."),
    ] = None,
    max_time: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Stop this run after so many seconds."),
    ] = None,
    max_requests_per_day: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Send at most N requests a day (UTC)."),
    ] = None,
    daily_reserve: Annotated[
        int,
        typer.Option(metavar="N", min=0, help="Keep N of the day's requests unused."),
    ] = 0,
    rate: Rate = None,
    max_wait: MaxWait = 600.0,
    timeout: Timeout = 30.0,
    size: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="How many documents the source has, if you know it."),
    ] = None,
    estimate: Annotated[
        bool | None,
        typer.Option(
            "--estimate/--no-estimate",
            help="Estimate by test searches how many documents there are.",
            show_default="on, unless --size or --listing-only is given",
        ),
    ] = None,
    allow_private: AllowPrivate = False,
    ignore_robots: IgnoreRobots = False,
    json: Json = False,
) -> None:
    """Save everything that a search can show; run again to continue.

    The folder holds source.toml (how the source is searched), harvest.db (the documents, and all
    that was asked) and certificate.json (what was saved and what is missing). Exit code 0 means
    complete, or the target that was set is reached; 3 means that documents are missing.
    """
    from longline.events import SourceFound
    from longline.harvest import Harvest, Limits

    documents = None if sample is None else documents_of(sample, size)
    folder, found = _folder_and_spec(
        source,
        output,
        allow_private=allow_private,
        robots=not ignore_robots,
        max_requests=max_requests,
        max_wait_seconds=max_wait,
        timeout_seconds=timeout,
    )
    given = {
        "strategy": strategy,
        "sample": documents,
        "cost": cost,
        "pool_relative_size": pool_relative_size,
        "rounds": rounds,
        "words": None if words is None else read_words(words),
        "seed": seed,
        "listing_only": listing_only or None,
    }
    limits = Limits(
        max_requests=max_requests,
        max_queries=max_queries,
        max_documents=max_documents,
        max_bytes=max_bytes,
        max_seconds=max_time,
        max_requests_per_day=max_requests_per_day,
        daily_reserve=daily_reserve,
        target_coverage=target_coverage,
        min_return=min_return,
        rate=rate,
        max_wait_seconds=max_wait,
        timeout_seconds=timeout,
        allow_private=allow_private,
        robots=not ignore_robots,
        size=size,
        estimate=estimate,
    )
    changes = {name: value for name, value in given.items() if value is not None}
    spec, learnt = None, None
    if found is not None:
        spec = found.spec
        if found.requests:
            learnt = SourceFound(requests=found.requests, body_bytes=found.body_bytes)
    _exit_as(run_and_show(Harvest(folder, spec, changes, limits, found=learnt), json=json))


def retry(
    folder: Folder,
    rate: Rate = None,
    allow_private: AllowPrivate = False,
    ignore_robots: IgnoreRobots = False,
    json: Json = False,
) -> None:
    """Try again the pages and documents of a harvest that did not come, and nothing else.

    Documents that the source said are gone are tried again too.
    """
    from longline.harvest import Harvest, Limits, check_harvest

    check_harvest(folder)
    limits = Limits(rate=rate, allow_private=allow_private, robots=not ignore_robots)
    _exit_as(run_and_show(Harvest(folder, limits=limits), json=json, retry=True))


def _exit_as(certificate: Certificate) -> None:
    """Exit as a harvest deserves."""
    if not certificate.target_met:
        raise typer.Exit(STOPPED_SHORT)


def _folder_and_spec(
    source: str,
    output: Path | None,
    *,
    allow_private: bool,
    robots: bool,
    max_requests: int | None,
    **more: float,
) -> tuple[Path, Found | None]:
    """Return the folder to harvest into, and the spec unless the folder has its own."""
    from longline.cli.sources import found_spec
    from longline.files import check_files
    from longline.harvest import is_harvest
    from longline.learn import is_url

    check_files(output or Path(source))
    if output is None and not is_url(source) and is_harvest(Path(source)):
        return Path(source), None
    if output is not None and is_harvest(output) and is_url(source):
        _check_same_site(source, output)
        return output, None
    found = found_spec(
        source, allow_private=allow_private, robots=robots, max_requests=max_requests, **more
    )
    is_folder = not is_url(source) and Path(source).is_dir()
    folder = output or Path(source if is_folder else _slug(found.spec.source.name))
    if is_harvest(folder):
        _check_same_site(found.spec.source.url, folder)
    elif found.toml:
        _keep(folder, found)
    return folder, found


def _keep(folder: Path, found: Found) -> None:
    """Put a spec that was learnt into a new folder, with its notes.

    Raises:
        StoppedShort: A person has to look at it before a harvest.
    """
    from longline.harvest import write

    path = folder / "source.toml"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FolderError(
            f"cannot write {path}: {error.strerror}", advice="choose a folder you may write"
        ) from None
    write(path, found.toml.encode())
    if found.review:
        raise StoppedShort(
            f"what was learnt of the search needs a person's eye: {found.review[0]}",
            advice=f"correct {path}, then: longline harvest {path} -o {folder}",
        )


def _check_same_site(url: str, folder: Path) -> None:
    from longline.harvest import spec_of_folder

    begun = spec_of_folder(folder).source.url
    if urlsplit(begun).netloc != urlsplit(url).netloc:
        raise FolderError(
            f"{folder} holds a harvest of {begun}, not of {url}",
            advice="choose another folder with -o",
        )


def _slug(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "harvest"
