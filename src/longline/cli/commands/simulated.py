"""longline demo and serve: a web site on this machine that can only be searched."""

from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from longline.cli._options import Corpus, Json, Seed, Simulated
from longline.cli._said import note
from longline.cli.run import print_harvest, shown
from longline.outcomes import STOPPED_SHORT
from longline.text.numbers import counted

ENOUGH = 0.98
"""Share of the documents that a demo must save to succeed."""


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
    """Try longline here: harvest Python's docstrings through a search form.

    Runs a web site on this machine that can only be searched, and harvests it through its form.
    Exit code 0 means that at least 98 % of the documents were saved.
    """
    import tempfile

    from longline.api import demo_site, is_harvest, read_corpus
    from longline.api import harvest as save
    from longline.api import open as open_harvest

    folder = output or Path(tempfile.mkdtemp(prefix="longline-demo-"))
    # The keys of documents are URLs: an unfinished demo must be served on the same port.
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


def serve(
    corpus: Corpus,
    simulated: Simulated,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="Port; 0 takes any that is free.")
    ] = 8765,
    seed: Seed = 0,
) -> None:
    """Try longline on your own texts: run a small site that can only be searched.

    Only this machine can reach it. Ctrl-C stops it.
    """
    from longline.api import demo_site, read_corpus

    documents = read_corpus(corpus)
    with demo_site(documents, port=port, seed=seed, **simulated.search()) as url:
        typer.echo(f"{counted(len(documents), 'document')} can be searched at {url}", err=True)
        typer.echo("Harvest them, in another terminal:", err=True)
        typer.echo(f"  longline harvest {url} --allow-private --size {len(documents)}", err=True)
        typer.echo("Ctrl-C stops the site.", err=True)
        _wait_for_interrupt()


def _wait_for_interrupt() -> None:
    import signal

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        while True:
            signal.pause()
    except KeyboardInterrupt:
        typer.echo("stopped", err=True)
