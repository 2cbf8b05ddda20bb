"""longline find."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from longline.cli._options import AllowPrivate, IgnoreRobots, Json, Rate
from longline.errors import InputError, LonglineError

if TYPE_CHECKING:
    from longline.find import FindLimits, Found, Progress
    from longline.known_item.kind import Kind

PLAIN_SECONDS = 10.0
"""Between two progress lines where there is no terminal."""


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
        str, typer.Option(help="How to choose pages; an unknown name lists them.")
    ] = "hound",
    max_downloads: Annotated[
        int, typer.Option(min=1, help="Pages to ask each site for at most.")
    ] = 100,
    sites: Annotated[
        Path | None,
        typer.Option(
            help="File of sites, one a line, to look for the same page in each; then all "
            "arguments are words."
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
    seed: Annotated[int, typer.Option(min=0, help="Of what an algorithm draws.")] = 0,
    allow_private: AllowPrivate = False,
    ignore_robots: IgnoreRobots = False,
    csv: Annotated[bool, typer.Option("--csv", help="With --sites: print CSV.")] = False,
    json: Json = False,
) -> None:
    """Find one page of a site from a few words, by downloading few others.

    Ends with exit code 3 where it is not sure enough of any page.
    """
    from longline.find import FindLimits

    limits = FindLimits(
        max_downloads=max_downloads,
        rate=rate,
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
    typer.echo(_json(_fields(found)) if json else _said(found))
    if not found.found:
        raise typer.Exit(3)


def _query(
    words: list[str], like: list[str], algorithm: str, limits: FindLimits, seed: int
) -> Sequence[str] | Kind:
    """Return what to look for: words, or what the examples have in common."""
    from longline.examples import common_words, read_examples
    from longline.find import query_words
    from longline.known_item.kind import train

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
            site, query, algorithm=algorithm, limits=limits, seed=seed, observe=observe
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
    """Search several sites at once; one that fails is a row that says so."""
    from longline.find import find_in_sites

    done = 0
    with _progress(limits.max_downloads * len(sites)) as observe:

        def count(pages: int, url: str) -> None:
            nonlocal done
            done += 1
            observe(done, url)

        outcomes = asyncio.run(
            find_in_sites(
                sites, query, algorithm=algorithm, limits=limits, seed=seed, observe=count
            )
        )
    rows = [_row(site, outcome) for site, outcome in zip(sites, outcomes, strict=True)]
    if json:
        typer.echo(_json(rows))
    elif csv:
        _write_csv(rows)
    else:
        typer.echo(_table(rows))
    if not all(row["found"] for row in rows):
        raise typer.Exit(3)


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


def _table(rows: list[dict[str, object]]) -> str:
    width = max(len(str(row["site"])) for row in rows)
    lines = [f"{'site':{width}}  found   sure  downloads  page"]
    for row in rows:
        what = row["error"] or row["url"] or ""
        lines.append(
            f"{row['site']:{width}}  {'yes' if row['found'] else 'no':5}  "
            f"{row['confidence']:5.0%}  {row['downloads']:9,}  {what}"
        )
    return "\n".join(lines)


def _write_csv(rows: list[dict[str, object]]) -> None:
    from csv import DictWriter

    names = ["site", "found", "url", "confidence", "downloads", "error"]
    writer = DictWriter(sys.stdout, names, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def _read_sites(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"cannot read sites from {path}: {error}", advice="name a text file in UTF-8"
        ) from None
    sites = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if not sites:
        raise InputError(f"{path} names no site", advice="give one URL or folder a line")
    return list(dict.fromkeys(sites))


@contextmanager
def _progress(most: int) -> Iterator[Progress]:
    """Show on standard error how many pages were read: a bar, or a plain line now and then."""
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _plain_lines()
        return
    columns = (BarColumn(bar_width=24), TextColumn("{task.description}"), TimeElapsedColumn())
    with Bar(*columns, console=console, refresh_per_second=5, transient=True) as bar:
        task = bar.add_task("looking", total=most)
        yield lambda pages, url: bar.update(task, completed=pages, description=_shortened(url))


def _plain_lines() -> Progress:
    last = time.monotonic()

    def observe(pages: int, url: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= PLAIN_SECONDS:
            last = now
            typer.echo(f"{pages:,} pages read, now {url}", err=True)

    return observe


def _shortened(url: str, most: int = 60) -> str:
    # What a site writes into its addresses is no markup of ours.
    text = url if len(url) <= most else f"...{url[-most:]}"
    return text.replace("[", r"\[")
