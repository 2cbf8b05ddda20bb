"""longline status, log and answer: the state of harvests, and what happened in one."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from longline.cli._options import Folder, Folders, Json
from longline.cli._said import say, say_json, say_table, warn
from longline.cli.many import print_all, say_all, table_of
from longline.cli.standing import WIDTH_OF_CHART, chart_of, watched, watching
from longline.text.numbers import counted
from longline.text.safe import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from longline.api import Certificate, ChartRow, Look

CHART_ROWS = 20

LEARNING = "none yet: the run still learns how its source is searched; nothing is saved so far"


def status(
    folders: Folders,
    chart: Annotated[
        int, typer.Option(metavar="N", min=0, help="Show the newest N searches.")
    ] = CHART_ROWS,
    watch: Annotated[
        bool, typer.Option("--watch", help="Show it again and again until the harvest ends.")
    ] = False,
    json: Json = False,
) -> None:
    """Show what harvests have saved so far; they may be running.

    For one harvest: a row per query (reported, received, new, repeated, totals so far, repeats per
    new, coverage) and a summary. For several: a row each. With --json: whether it runs, the
    certificate and all rows; with --watch too, a line of JSON for each look.
    """
    from longline.api import is_of_many

    if len(folders) > 1 or is_of_many(folders[0]):
        _many(folders, watch=watch, json=json)
    elif watch:
        _watch(folders[0], chart, json=json)
    else:
        _one(folders[0], chart, json=json)


def _one(folder: Path, chart: int, *, json: bool) -> None:
    from longline.api import is_learning, standing, to_update, update_under_way
    from longline.api import open as open_harvest

    if is_learning(folder):
        if json:
            say_json({"is_running": True, "certificate": None, "chart": []})
        else:
            say(LEARNING)
        return
    harvest = open_harvest(folder)
    certificate, rows = harvest.certificate, harvest.queries
    now = standing(folder)
    if json:
        say_json({"is_running": now.is_going, "certificate": certificate, "chart": rows})
        return
    if chart and rows:
        _print_chart(rows, chart, certificate.probe_documents)
    say(str(harvest))
    if now.is_going and now.state != "running":
        say(f"now        {now.in_words(time.time())}")
    if not now.is_going and (changed := _changed(certificate, now.limits)):
        say(f"next run   may use {changed}, as set by longline budget")
    begun = update_under_way(folder)
    if begun is not None:
        unless = "" if now.is_going else f", {to_update(certificate, folder)} continues it"
        say(f"begun      an update, not finished: longline status {quoted(begun)} shows it{unless}")


def _changed(certificate: Certificate, limits: Mapping[str, float]) -> str:
    """Return the limits of the next run that differ from those of the last one, in words."""
    last = {name: line.allowed for name, line in certificate.budget.items()}
    next_ = {
        "seconds" if name == "max_time" else name.removeprefix("max_"): value
        for name, value in limits.items()
    }
    return ", ".join(
        f"{value:,.10g} {name.replace('_', ' ')}"
        for name, value in next_.items()
        if last.get(name) != value
    )


def _print_chart(rows: list[ChartRow], newest: int, probed: int) -> None:
    if len(rows) > newest:
        say(f"the newest {newest} of {len(rows):,} searches; --chart N shows more")
    # Truncated figures are worse than lines that wrap.
    say_table(chart_of(rows, newest), WIDTH_OF_CHART)
    if probed:
        say(f"not in this table: {counted(probed, 'document')} that only test searches brought")
    say("")


def _watch(folder: Path, chart: int, *, json: bool) -> None:
    """Show one harvest until its run ends; then print what `longline status` shows."""
    from longline.api import is_learning, watch

    if is_learning(folder):
        warn(LEARNING)
    if json:
        for look in watch(folder):
            report = {"is_running": look.is_running, "certificate": look.certificate}
            say_json(report, is_line=True)
        return
    with watching() as show:
        for look in watch(folder):
            if look.is_running:
                show(watched(look, chart), _line(look))
    _one(folder, chart, json=False)


def _line(look: Look) -> str:
    """Return a harvest's state as one line, for output that is not a terminal."""
    from longline.api import headline

    return f"{headline(look.certificate)}; {counted(look.certificate.requests, 'request')}"


def _many(folders: Sequence[Path], *, watch: bool, json: bool) -> None:
    from longline.api import watch_many

    looks = watch_many(folders)
    if not watch:
        print_all(next(looks), json=json)
        return
    if json:
        for ends in looks:
            say_json(ends, is_line=True)
        return
    with watching() as show:
        for ends in looks:
            show(table_of(ends), say_all(ends))
    print_all(ends, json=False)


def log(
    folder: Folder,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Go on until the harvest ends.")
    ] = False,
    json: Json = False,
) -> None:
    """Show what a harvest requested and what was returned, in order; it may be running.

    One line each: queries with results and new documents, documents, failures, cuts, estimates, and
    why it stopped. With --json: one line of JSON each.
    """
    from longline.api import is_learning
    from longline.api import log as read_log

    if follow and is_learning(folder):
        warn(LEARNING)
    for line in read_log(folder, follow=follow):
        if json:
            say_json(line, is_line=True)
        else:
            say(str(line).replace("\n", " "))
            if follow:
                sys.stdout.flush()


def answer(
    folder: Folder,
    query: Annotated[
        str,
        typer.Argument(
            metavar="QUERY",
            help="A search, as `longline status --json` writes it; several words in quotes.",
        ),
    ],
    page: Annotated[
        int | None,
        typer.Option(
            "--page",
            metavar="N",
            min=1,
            help="Show only this result page, and the answer that was kept of it.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show what one search brought, page by page.

    The total that the source reported, the results and their keys, the link to the next page, what
    is missing and what failed. Responses that were too short or could not be read are kept
    unchanged; --page prints the newest one of a page.
    """
    from longline.api import open as open_harvest

    pages = open_harvest(folder).answer(query, page)
    if json:
        say_json({"query": query, "pages": pages})
        return
    for found in pages:
        say("\n".join(_lines_of(found, with_body=page is not None)))


def _lines_of(found: dict[str, Any], *, with_body: bool) -> Iterator[str]:
    """Return lines that describe a result page."""
    if "received" in found:
        reported = "no total" if found["reported"] is None else f"{found['reported']:,} reported"
        relation = f" ({found['relation']})" if found["relation"] not in (None, "exact") else ""
        whose = ", a test search" if found["probe"] else ""
        yield f"page {found['page']}  {found['received']:,} results, {reported}{relation}{whose}"
        yield from (f"  key      {key}" for key in found["keys"])
        yield f"  next     {found['next_url'] or 'none'}"
    else:
        yield f"page {found['page']}  could not be loaded"
    yield from (f"  failed   {reason}" for reason in found["failures"])
    yield from (f"  cut      {cut}" for cut in found["cuts"])
    for kept in found["answers"]:
        yield (
            f"  answer   status {kept['status']}, {kept['content_type'] or 'of no type'}, "
            f"{kept['kept_bytes']:,} of {kept['body_bytes']:,} bytes kept, {kept['url']}"
        )
    if with_body and found["answers"]:
        yield found["answers"][-1]["body"]
