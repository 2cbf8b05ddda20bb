"""longline serve: a corpus as a search-only web site on loopback."""

from __future__ import annotations

from typing import Annotated

import typer

from longline.cli._options import (
    Boolean,
    Corpus,
    Counts,
    CountsChoice,
    Forms,
    Limit,
    PageSize,
    Ranking,
    RankingChoice,
)


def serve(
    corpus: Corpus,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="0 takes a free one.")
    ] = 8765,
    limit: Limit = 100,
    page_size: PageSize = 50,
    ranking: RankingChoice = Ranking.bm25,
    counts: CountsChoice = Counts.exact,
    boolean: Boolean = True,
    forms: Forms = "",
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, help="Of the fixed order and of wrong counts.")
    ] = 0,
) -> None:
    """Serve a corpus as a web site that only its search box shows.

    Only this machine can reach it. Ctrl-C stops it.
    """
    from longline.simulate import Searcher, read_corpus, running_site
    from longline.simulate.documents import reading

    of_documents, of_queries = reading(forms)
    documents = read_corpus(corpus)
    searcher = Searcher(
        documents,
        ranking=ranking.value,
        limit=limit,
        page_size=page_size,
        counts=counts.value,
        boolean=boolean,
        seed=seed,
        analyzer=of_documents,
        query_analyzer=of_queries,
    )
    with running_site(searcher, port=port) as url:
        typer.echo(f"{len(documents):,} documents behind the search box at {url}/", err=True)
        typer.echo("harvest them, in another terminal:", err=True)
        typer.echo(f"  longline harvest {url}/ --allow-private --size {len(documents)}", err=True)
        typer.echo("Ctrl-C stops the site", err=True)
        _wait_for_interrupt()


def _wait_for_interrupt() -> None:
    import signal

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        while True:
            signal.pause()
    except KeyboardInterrupt:
        typer.echo("stopped", err=True)
