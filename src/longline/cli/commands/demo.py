"""longline demo: the main job on real documents, on this machine, without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from longline.cli._options import Json, Limit, PageSize
from longline.outcomes import STOPPED_SHORT

ENOUGH = 0.98
"""Share of the documents that a demo is to get."""


def demo(
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="Folder to harvest into; the same command again goes on. Default: a new "
            "temporary folder.",
        ),
    ] = None,
    limit: Limit = 100,
    page_size: PageSize = 50,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of every random draw.")] = 0,
    json: Json = False,
) -> None:
    """Try it here: harvest Python's docstrings by a search form.

    Serves them as a web site on loopback, where a query shows 100 documents at most, and
    harvests that site with nothing but its search form. Exit code 0 where it gets 98 of 100.
    """
    import tempfile

    from longline.cli.run import run_and_show
    from longline.cli.sources import spec_of
    from longline.harvest import Harvest, Limits, Settings, is_harvest
    from longline.simulate import Searcher, read_corpus, running_site

    folder = output or Path(tempfile.mkdtemp(prefix="longline-demo-"))
    documents = read_corpus("docstrings")
    searcher = Searcher(documents, limit=limit, page_size=page_size)
    port = _port_of(folder) if is_harvest(folder) else 0
    with running_site(searcher, port=port) as url:
        typer.echo(
            f"{len(documents):,} docstrings behind the search form of {url}/, "
            f"{limit} a query at most",
            err=True,
        )
        limits = Limits(
            allow_private=True,
            size=len(documents),
            size_source="the demo's own site",
            estimate=True,
        )
        spec = spec_of(f"{url}/", allow_private=True, robots=True)
        got = run_and_show(Harvest(folder, spec, Settings(seed=seed), limits), json=json)
    if (got.hit_rate or 0) < ENOUGH:
        raise typer.Exit(STOPPED_SHORT)


def _port_of(folder: Path) -> int:
    """Return the port where an unfinished demo was served: documents are known by their URLs."""
    from longline.harvest import Harvest

    return urlsplit(Harvest(folder).spec.source.url).port or 0
