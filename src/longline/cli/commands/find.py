"""longline find."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from longline.cli._groups import option
from longline.cli._options import Json, Manners, Seed
from longline.cli._progress import showing, waiting
from longline.cli._said import note, say, say_json
from longline.errors import InputError, LonglineError, cause_of, in_shell
from longline.outcomes import STOPPED_SHORT
from longline.text.numbers import counted
from longline.text.safe import cell

Row = dict[str, Any]
Show = Callable[[Row | None], None]

if TYPE_CHECKING:
    from longline.api import FoundPage


@dataclass(frozen=True)
class Looked:
    """Which sites to search, and for what."""

    panel: ClassVar[str] = "Many sites, and examples"

    sites: Path | None = option(
        None,
        metavar="FILE",
        help="File of sites, one a line: look for the page in each. Then all arguments are words.",
    )
    like: list[str] | None = option(
        None,
        metavar="EXAMPLE",
        help="In place of words: a page of the kind you look for, on another site. A URL, or "
        "an HTML file in a folder that holds its site. May be given again.",
    )
    csv: bool = option(False, "--csv", help="With --sites: print CSV.")


@dataclass(frozen=True)
class Course:
    """How pages are chosen."""

    panel: ClassVar[str] = "How to look"

    max_downloads: int = option(100, min=1, help="Read at most N pages of a site.")
    algorithm: str = option(
        "hound", metavar="NAME", help="How to choose pages; an unknown name lists them."
    )
    threshold: float | None = option(
        None,
        help="With ls, ls2f, sim, deg, simdeg, a-star: stop when a page has more than this "
        "share of what all had; 1 never stops before the end.",
        show_default="0.75, as published",
    )
    states: int | None = option(
        None,
        help="With ls, ls2f, hmm, hmm2f: states of the automaton that reads.",
        show_default="as published: 3, or 100 with ls2f and hmm2f",
    )
    seed: Seed = 0


def find(
    course: Course,
    looked: Looked,
    manners: Manners,
    site: Annotated[
        str | None,
        typer.Argument(
            metavar="URL",
            help="The page to begin at, or a folder of HTML files, or one of them.",
            show_default=False,
        ),
    ] = None,
    word: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WORD...",
            help="What the page is about; mostly 2 to 5 words.",
            show_default=False,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Find one page of a site from a few words, while reading few pages.

    Exit code 3 means not found; with --sites: not found on at least one site.
    """
    words = list(word or [])
    wanted: dict[str, Any] = {
        "like": looked.like or (),
        "algorithm": course.algorithm,
        "seed": course.seed,
        "max_downloads": course.max_downloads,
        "threshold": course.threshold,
        "states": course.states,
        **manners.limits(),
    }
    if looked.sites is not None:
        wanted["query"] = [*([site] if site else []), *words]
        _find_in_all(_read_sites(looked.sites), wanted, csv=looked.csv, json=json)
        return
    if site is None:
        raise InputError("no site to search", advice="name its URL and some words")
    if looked.csv:
        raise InputError("--csv is for --sites", advice="take --json for one site")
    wanted["query"] = words
    found = _find(site, wanted)
    if json:
        say_json(_row(site, found))
    else:
        say(_said(found))
    if not found.found:
        raise typer.Exit(STOPPED_SHORT)


def _find(site: str, wanted: dict[str, Any]) -> FoundPage:
    from longline.api import FindListeners
    from longline.api import find as find_page

    with _progress(wanted["max_downloads"]) as observe:
        listeners = FindListeners(observe=observe, on_wait=waiting())
        return find_page(site, listeners=listeners, **wanted)


def _find_in_all(sites: list[str], wanted: dict[str, Any], *, csv: bool, json: bool) -> None:
    """Search several sites at once; a site that fails becomes a row with the reason.

    Rows are printed in the order of the sites, each as soon as possible; an interrupt loses none.
    """
    width = max(map(len, sites))
    show: Show = _show_nothing if json else _write_csv if csv else partial(_show, width)
    rows, was_interrupted = _rows(sites, wanted, show)
    if json:
        say_json([rows[place] for place in sorted(rows)])
    _sum_up(rows.values(), len(sites))
    if was_interrupted or not all(row["found"] for row in rows.values()):
        raise typer.Exit(STOPPED_SHORT)


def _rows(sites: list[str], wanted: dict[str, Any], show: Show) -> tuple[dict[int, Row], bool]:
    """Search the sites and print their rows; return these, and whether it was interrupted."""
    from longline.api import FindListeners, find_in_sites

    done, shown = 0, 0
    rows: dict[int, Row] = {}
    show(None)
    was_interrupted = False
    with _progress(wanted["max_downloads"] * len(sites)) as observe:

        def count(pages: int, url: str) -> None:
            nonlocal done
            done += 1
            observe(done, url)

        def take(place: int, outcome: FoundPage | LonglineError) -> None:
            nonlocal shown
            rows[place] = _row(sites[place], outcome)
            while shown in rows:
                show(rows[shown])
                shown += 1

        listeners = FindListeners(observe=count, on_wait=waiting(), on_end=take)
        try:
            find_in_sites(sites, listeners=listeners, **wanted)
        except KeyboardInterrupt:
            was_interrupted = True
    for place in sorted(rows)[shown:]:
        show(rows[place])
    return rows, was_interrupted


def _sum_up(rows: Collection[Row], sites: int) -> None:
    found = sum(bool(row["found"]) for row in rows)
    unread = [row["url"] is None for row in rows if row["stopped"]]
    parts = [f"found in {found:,} of {sites:,} sites"]
    if True in unread:
        parts.append(f"{sum(unread):,} could not be searched")
    if False in unread:
        parts.append(f"{unread.count(False):,} not read to the end (--csv says why)")
    if len(rows) < sites:
        parts.append(f"stopped before {sites - len(rows):,} were done")
    note("; ".join(parts))


def _row(site: str, outcome: FoundPage | LonglineError) -> Row:
    if isinstance(outcome, LonglineError):
        return {"site": site, **_NOTHING, "stopped": in_shell(outcome.told)}
    return {"site": site, **_fields(outcome), "stopped": outcome.stopped}


_NOTHING: Row = {
    "found": False,
    "url": None,
    "confidence": 0.0,
    "downloads": 0,
    "runners_up": [],
    "same": [],
}


def _fields(found: FoundPage) -> Row:
    return {
        "found": found.found,
        "url": found.url,
        "confidence": round(found.confidence, 4),
        "downloads": found.downloads,
        "runners_up": [
            {"url": near.url, "confidence": round(near.confidence, 4)} for near in found.runners_up
        ],
        "same": list(found.same),
    }


def _said(found: FoundPage) -> str:
    """Return a short text: what was found, how likely it is, and other candidates."""
    sure = f"{found.url} ({found.confidence:.0%} sure)"
    lines = [f"found      {sure}" if found.found else "not found"]
    if not found.found and found.url is not None:
        lines.append(f"best guess {sure}")
    lines.append(f"read       {counted(found.downloads, 'page')}")
    lines += [f"{'' if place else 'same text':<11}{url}" for place, url in enumerate(found.same)]
    near = [each for each in found.runners_up if each.confidence >= 0.005]
    for place, each in enumerate(near):
        lines.append(f"{'' if place else 'or':<11}{each.url} ({each.confidence:.0%})")
    if found.stopped:
        lines.append(f"stopped    {found.stopped}")
    return "\n".join(lines)


def _show_nothing(row: Row | None) -> None:
    """Ignore a row that need not be printed."""


def _show(width: int, row: Row | None) -> None:
    """Print a row of the table; its header for None."""
    line = f"{'site':{width}}  found   sure  pages read  page"
    if row is not None:
        what = row["url"] or row["stopped"]
        line = (
            f"{row['site']:{width}}  {'yes' if row['found'] else 'no':5}  "
            f"{row['confidence']:5.0%}  {row['downloads']:9,}  {what}"
        )
    say(line)


def _write_csv(row: Row | None) -> None:
    """Print a row of the CSV; its header for None."""
    from csv import DictWriter

    names = ["site", "found", "url", "confidence", "downloads", "stopped", "same"]
    writer = DictWriter(sys.stdout, names, extrasaction="ignore", lineterminator="\n")
    if row is None:
        writer.writeheader()
    else:
        told = row | {"same": " ".join(row["same"])}
        writer.writerow({name: cell("" if it is None else str(it)) for name, it in told.items()})
    sys.stdout.flush()


def _read_sites(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"cannot read sites from {path}: {cause_of(error)}", advice="name a text file in UTF-8"
        ) from None
    sites = [line for each in lines if (line := each.strip()) and not line.startswith("#")]
    if not sites:
        raise InputError(f"{path} names no site", advice="give one URL or folder a line")
    return list(dict.fromkeys(sites))


@contextmanager
def _progress(most: int) -> Iterator[Callable[[int, str], object]]:
    """Show how many pages have been read."""
    with showing("looking for the page") as tell:
        yield lambda pages, url: tell(f"{counted(pages, 'page')} read, now {url}", pages, most)
