"""longline find."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from longline.cli._options import AllowPrivate, IgnoreRobots, Json, MaxWait, Rate, Timeout
from longline.cli._progress import showing, waiting
from longline.cli._said import cell, note, say, say_exactly
from longline.errors import InputError, LonglineError

if TYPE_CHECKING:
    from longline.find import FindLimits, Found, Progress
    from longline.known_item.best_first import Kind


def find(
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
    algorithm: Annotated[
        str, typer.Option(metavar="NAME", help="How to choose pages; an unknown name lists them.")
    ] = "hound",
    max_downloads: Annotated[
        int, typer.Option(metavar="N", min=1, help="Pages to ask each site for at most.")
    ] = 100,
    sites: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File of sites, one a line, to look for the same page in each; then all "
            "arguments are words.",
        ),
    ] = None,
    like: Annotated[
        list[str] | None,
        typer.Option(
            metavar="EXAMPLE",
            help="A page of the kind looked for, on another site: a URL, or an HTML file in a "
            "folder that holds its site; may be given again. It takes the place of words.",
        ),
    ] = None,
    rate: Rate = None,
    max_wait: MaxWait = 600.0,
    timeout: Timeout = 30.0,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of what an algorithm draws.")] = 0,
    allow_private: AllowPrivate = False,
    ignore_robots: IgnoreRobots = False,
    csv: Annotated[bool, typer.Option("--csv", help="With --sites: print CSV.")] = False,
    json: Json = False,
) -> None:
    """Find one page of a site from a few words, in few downloads.

    Ends with exit code 3 where it is not sure enough of any page; with --sites, where it is not
    so of each site.
    """
    from longline.find import FindLimits

    limits = FindLimits(
        max_downloads=max_downloads,
        rate=rate,
        max_wait_seconds=max_wait,
        timeout_seconds=timeout,
        allow_private=allow_private,
        robots=not ignore_robots,
    )
    words = list(word or [])
    if sites is not None:
        words = [*([site] if site else []), *words]
        places = _read_sites(sites)
        query = _query(words, like or [], algorithm, limits, seed)
        _find_in_all(places, query, algorithm, limits, seed, csv=csv, json=json)
        return
    if site is None:
        raise InputError("no site to search", advice="name its URL and some words")
    if csv:
        raise InputError("--csv is for --sites", advice="take --json for one site")
    query = _query(words, like or [], algorithm, limits, seed)
    found = _find(site, query, algorithm, limits, seed)
    if json:
        say_exactly(_json(_fields(found)))
    else:
        say(_said(found))
    if not found.found:
        raise typer.Exit(3)


def _query(
    words: list[str], like: list[str], algorithm: str, limits: FindLimits, seed: int
) -> Sequence[str] | Kind:
    """Return what to look for: words, or what the examples have in common."""
    from longline.find import common_words, query_words, read_examples
    from longline.known_item.best_first import train

    if not like:
        return query_words(words)
    if words:
        raise InputError(
            f"both words ({' '.join(words)}) and examples", advice="give words or --like, not both"
        )
    sites = read_examples(like, limits, seed)
    return train(sites) if algorithm == "hound" else common_words(sites)


def _find(
    site: str, query: Sequence[str] | Kind, algorithm: str, limits: FindLimits, seed: int
) -> Found:
    from longline.find import find_page

    with _progress(limits.max_downloads) as observe:
        return find_page(
            site,
            query,
            algorithm=algorithm,
            limits=limits,
            seed=seed,
            observe=observe,
            on_wait=waiting(),
        )


def _find_in_all(
    sites: list[str],
    query: Sequence[str] | Kind,
    algorithm: str,
    limits: FindLimits,
    seed: int,
    *,
    csv: bool,
    json: bool,
) -> None:
    """Search several sites at once; one that fails is a row that says so.

    Rows are printed in the sites' order, each as soon as it can be; an interrupt loses none.
    """
    from longline.find import find_in_sites

    done, shown = 0, 0
    rows: dict[int, dict[str, object]] = {}
    show: Callable[[dict[str, object] | None], None]
    show = _show_nothing if json else _write_csv if csv else partial(_show, max(map(len, sites)))
    show(None)
    interrupted = False
    with _progress(limits.max_downloads * len(sites)) as observe:

        def count(pages: int, url: str) -> None:
            nonlocal done
            done += 1
            observe(done, url)

        def take(place: int, outcome: Found | LonglineError) -> None:
            nonlocal shown
            rows[place] = _row(sites[place], outcome)
            while shown in rows:
                show(rows[shown])
                shown += 1

        try:
            asyncio.run(
                find_in_sites(
                    sites,
                    query,
                    algorithm=algorithm,
                    limits=limits,
                    seed=seed,
                    observe=count,
                    on_end=take,
                    on_wait=waiting(),
                )
            )
        except KeyboardInterrupt:
            interrupted = True
    for place in sorted(rows)[shown:]:
        show(rows[place])
    if json:
        say_exactly(_json([rows[place] for place in sorted(rows)]))
    _sum_up(rows.values(), len(sites))
    if interrupted or not all(row["found"] for row in rows.values()):
        raise typer.Exit(3)


def _sum_up(rows: Collection[dict[str, object]], sites: int) -> None:
    found = sum(bool(row["found"]) for row in rows)
    failed = sum(bool(row["error"]) for row in rows)
    parts = [f"found in {found:,} of {sites:,} sites"]
    if failed:
        parts.append(f"{failed:,} could not be searched to the end")
    if len(rows) < sites:
        parts.append(f"interrupted before the end of {sites - len(rows):,}")
    note("; ".join(parts))


def _row(site: str, outcome: Found | LonglineError) -> dict[str, object]:
    if isinstance(outcome, LonglineError):
        return {"site": site, **_NOTHING, "error": str(outcome)}
    return {"site": site, **_fields(outcome), "error": outcome.stopped}


_NOTHING: dict[str, object] = {
    "found": False,
    "url": None,
    "confidence": 0.0,
    "downloads": 0,
    "runners_up": [],
}


def _fields(found: Found) -> dict[str, object]:
    return {
        "found": found.found,
        "url": found.url,
        "confidence": round(found.confidence, 4),
        "downloads": found.downloads,
        "runners_up": [
            {"url": near.url, "confidence": round(near.confidence, 4)} for near in found.runners_up
        ],
    }


def _json(value: object) -> str:
    import msgspec

    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def _said(found: Found) -> str:
    """Say in a few lines what was found, how sure that is, and what else it might be."""
    lines = [f"found      {found.url}" if found.found else "not found"]
    if not found.found and found.url is not None:
        lines.append(f"nearest    {found.url}")
    lines.append(f"sure       {found.confidence:.0%}")
    lines.append(f"downloads  {found.downloads:,}")
    near = [each for each in found.runners_up if each.confidence >= 0.005]
    for place, each in enumerate(near):
        lines.append(f"{'' if place else 'else':<11}{each.url} ({each.confidence:.0%})")
    if found.stopped:
        lines.append(f"stopped    {found.stopped}")
    return "\n".join(lines)


def _show_nothing(row: dict[str, object] | None) -> None:
    """Take no row for print."""


def _show(width: int, row: dict[str, object] | None) -> None:
    """Print a row of the table, or its head."""
    line = f"{'site':{width}}  found   sure  downloads  page"
    if row is not None:
        what = row["error"] or row["url"] or ""
        line = (
            f"{row['site']:{width}}  {'yes' if row['found'] else 'no':5}  "
            f"{row['confidence']:5.0%}  {row['downloads']:9,}  {what}"
        )
    say(line)


def _write_csv(row: dict[str, object] | None) -> None:
    """Print a row of the CSV, or its head."""
    from csv import DictWriter

    names = ["site", "found", "url", "confidence", "downloads", "error"]
    writer = DictWriter(sys.stdout, names, extrasaction="ignore", lineterminator="\n")
    if row is None:
        writer.writeheader()
    else:
        writer.writerow({name: cell("" if it is None else str(it)) for name, it in row.items()})
    sys.stdout.flush()


def _read_sites(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"cannot read sites from {path}: {error}", advice="name a text file in UTF-8"
        ) from None
    sites = [line for each in lines if (line := each.strip()) and not line.startswith("#")]
    if not sites:
        raise InputError(f"{path} names no site", advice="give one URL or folder a line")
    return list(dict.fromkeys(sites))


@contextmanager
def _progress(most: int) -> Iterator[Progress]:
    """Show how many pages were read."""
    with showing("looking") as tell:
        yield lambda pages, url: tell(f"{pages:,} pages read, now {url}", pages, most)
