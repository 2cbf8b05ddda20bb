"""longline harvest."""

from __future__ import annotations

import re
import shlex
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
from longline.cli._said import note, say, say_exactly
from longline.errors import FolderError, StoppedShort
from longline.outcomes import STOPPED_SHORT

if TYPE_CHECKING:
    from longline.account import Account, Certificate
    from longline.events import AnyEvent
    from longline.harvest import Harvest
    from longline.learn import Found


STOPPING = "stopping when the answers under way have come; Ctrl-C again: at once"


def harvest(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A source spec (source.toml), the URL of one or of a page that names one, or a "
            "folder made by a harvest, which goes on.",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="Folder to harvest into; where it holds a harvest, that goes on. Default: the "
            "source's name.",
        ),
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="How to choose queries; `longline strategies` lists them.",
            show_default="auto",
        ),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(
            parser=sample_size,
            metavar="N|N%",
            help="Documents to sample before choosing; or a share of --size, like 5%.",
            show_default="1000",
        ),
    ] = None,
    cost: Annotated[
        str | None,
        typer.Option(
            metavar="COST",
            help="Cost of a query: df, or df+A with an overhead A per query to begin with: a "
            "larger A sends fewer queries, with more overlap.",
            show_default="df+30",
        ),
    ] = None,
    pool_relative_size: Annotated[
        float | None,
        typer.Option(
            metavar="X",
            min=1.0,
            help="Draw a random pool of terms whose dfs sum to so many times the sample, as in "
            "the papers (20).",
            show_default="every term",
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Select and send so many times at most, 1 as published.",
            show_default="as long as it brings more than a new document a query",
        ),
    ] = None,
    words: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="File of words, one a line, to begin with or to draw from."
        ),
    ] = None,
    listing_only: Annotated[
        bool,
        typer.Option(
            "--listing-only", help="Keep titles and snippets; ask for no document's own page."
        ),
    ] = False,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Of every random draw.", show_default="0")
    ] = None,
    target_coverage: Annotated[
        float | None,
        typer.Option(
            metavar="X",
            help="Stop when this share of the source is held, by the estimate: .95, say.",
        ),
    ] = None,
    min_return: Annotated[
        float | None,
        typer.Option(
            metavar="X", help="Stop when the last 100 requests brought fewer new documents each."
        ),
    ] = None,
    max_requests: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Requests of the whole harvest, resumed runs too."),
    ] = None,
    max_queries: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Different queries of the whole harvest.")
    ] = None,
    max_documents: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Documents to hold at most.")
    ] = None,
    max_bytes: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help="Of the answers; those under way are read to their end."
        ),
    ] = None,
    max_time: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Of this run; then no request is begun."),
    ] = None,
    max_requests_per_day: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="From midnight to midnight, UTC.")
    ] = None,
    daily_reserve: Annotated[
        int, typer.Option(metavar="N", min=0, help="Leave so many of the day's requests to others.")
    ] = 0,
    rate: Rate = None,
    max_wait: MaxWait = 600.0,
    timeout: Timeout = 30.0,
    size: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help="How many documents there are, if you know; gives the HR."
        ),
    ] = None,
    estimate: Annotated[
        bool | None,
        typer.Option(
            "--estimate/--no-estimate",
            help="Ask random words to estimate the size and the share held.",
            show_default="it does, unless --size or --listing-only is given",
        ),
    ] = None,
    allow_private: AllowPrivate = False,
    ignore_robots: IgnoreRobots = False,
    json: Json = False,
) -> None:
    """Harvest a source into a folder; run again, it goes on.

    The same command again goes on where it stopped. The folder then holds source.toml, harvest.db
    (journal and documents) and certificate.json.
    """
    from longline.events import SourceFound
    from longline.harvest import Harvest
    from longline.settings import Limits

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
    from longline.folder import check_harvest
    from longline.harvest import Harvest
    from longline.settings import Limits

    check_harvest(folder)
    limits = Limits(rate=rate, allow_private=allow_private, robots=not ignore_robots)
    _exit_as(run_and_show(Harvest(folder, limits=limits), json=json, retry=True))


def _exit_as(certificate: Certificate) -> None:
    """Exit as a harvest deserves."""
    if not certificate.target_met:
        raise typer.Exit(STOPPED_SHORT)


def run_and_show(harvest: Harvest, *, json: bool, retry: bool = False) -> Certificate:
    """Run a harvest with its progress shown, and print what came of it.

    Args:
        harvest: To be run.
        json: Print the certificate rather than a summary.
        retry: Only try again what did not come.
    """
    from longline.account import to_json
    from longline.cli._progress import waiting
    from longline.cli.show import progress, summary
    from longline.folder import is_harvest

    folder, is_said = harvest.folder, is_harvest(harvest.folder)
    if is_said:
        note(f"going on with the harvest in {folder}")
    with progress(harvest.limits.max_requests) as observe:

        def observe_and_say(event: AnyEvent, account: Account) -> None:
            nonlocal is_said
            if not is_said and account.documents:
                is_said = True
                note(f"harvesting into {folder}; how it stands: longline status {folder}")
            observe(event, account)

        run = harvest.retry if retry else harvest.run
        certificate = run(observe_and_say, lambda: note(STOPPING), waiting())
    if json:
        say_exactly(to_json(certificate).decode(), nl=False)
    else:
        say(summary(certificate))
        say(f"kept in    {folder} (certificate.json has every detail)")
        if certificate.documents:
            say(f"           longline export {shlex.quote(str(folder))} writes the documents")
    return certificate


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
    from longline._harvest_files import check_files
    from longline.cli.sources import found_spec
    from longline.folder import is_harvest
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
    from longline.folder import write

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
    from longline.folder import spec_of_folder

    begun = spec_of_folder(folder).source.url
    if urlsplit(begun).netloc != urlsplit(url).netloc:
        raise FolderError(
            f"{folder} holds a harvest of {begun}, not of {url}",
            advice="choose another folder with -o",
        )


def _slug(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "harvest"
