"""longline demo: the main job on real documents, on this machine, without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from longline.cli._options import Json, Seed, Simulated
from longline.cli._said import note
from longline.cli.run import print_harvest, shown
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

    from longline.api import demo_site, is_harvest, read_corpus
    from longline.api import harvest as save
    from longline.api import open as open_harvest

    folder = output or Path(tempfile.mkdtemp(prefix="longline-demo-"))
    # Documents are known by their addresses: an unfinished demo is served where it was.
    address = open_harvest(folder).spec.source.url if is_harvest(folder) else ""
    port = urlsplit(address).port or 0
    documents = read_corpus("docstrings")
    with demo_site(documents, port=port, **simulated.search()) as url:
        note(
            f"{len(documents):,} docstrings can be searched at {url}; "
            f"a search shows {simulated.limit:,} at most"
        )
        with shown(url) as listeners:
            found = save(
                url,
                folder,
                listeners=listeners,
                allow_private=True,
                size=len(documents),
                size_source="the demo's own site",
                estimate=True,
                seed=seed,
            )
    print_harvest(found, json=json)
    if (found.certificate.hit_rate or 0) < ENOUGH:
        raise typer.Exit(STOPPED_SHORT)
