"""longline serve: a corpus as a search-only web site on loopback."""

from __future__ import annotations

from typing import Annotated

import typer

from longline.cli._options import Corpus, Seed, Simulated


def serve(
    corpus: Corpus,
    simulated: Simulated,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="0 takes a free one.")
    ] = 8765,
    seed: Seed = 0,
) -> None:
    """Try it on your own texts: run a small site that can only be searched.

    Only this machine can reach it. Ctrl-C stops it.
    """
    from longline.api import demo_site, read_corpus

    documents = read_corpus(corpus)
    with demo_site(documents, port=port, seed=seed, **simulated.search()) as url:
        typer.echo(f"{len(documents):,} documents can be searched at {url}", err=True)
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
