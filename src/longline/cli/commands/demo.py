"""longline demo: the main job on real documents, on this machine, without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from longline.cli._options import Json, Seed, Simulated
from longline.cli.simulated import searcher_of
from longline.outcomes import STOPPED_SHORT

ENOUGH = 0.98
"""Share of the documents that a demo is to get."""


def demo(
    simulated: Simulated,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="Folder to save to; run again to continue.",
            show_default="a new temporary folder",
        ),
    ] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Try it here: harvest Python's docstrings through a search form.

    Runs a web site on this machine that can only be searched, and harvests it through its form.
    Exit code 0 means that at least 98 % of the documents were saved.
    """
    import tempfile

    from longline.cli.run import run_and_show
    from longline.cli.sources import spec_of
    from longline.fetch import Manners
    from longline.harvester import Harvest, Limits, Settings, is_harvest
    from longline.simulate import read_corpus, running_site

    folder = output or Path(tempfile.mkdtemp(prefix="longline-demo-"))
    documents = read_corpus("docstrings")
    searcher = searcher_of(documents, simulated)
    port = _port_of(folder) if is_harvest(folder) else 0
    with running_site(searcher, port=port) as url:
        typer.echo(
            f"{len(documents):,} docstrings can be searched at {url}/; "
            f"a search shows {simulated.limit:,} at most",
            err=True,
        )
        limits = Limits(
            allow_private=True,
            size=len(documents),
            size_source="the demo's own site",
            estimate=True,
        )
        spec = spec_of(f"{url}/", Manners(allow_private=True))
        got = run_and_show(Harvest(folder, spec, Settings(seed=seed), limits), json=json)
    if (got.hit_rate or 0) < ENOUGH:
        raise typer.Exit(STOPPED_SHORT)


def _port_of(folder: Path) -> int:
    """Return the port where an unfinished demo was served: documents are known by their URLs."""
    from longline.harvester import Harvest

    return urlsplit(Harvest(folder).spec.source.url).port or 0
