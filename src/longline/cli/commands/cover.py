"""longline cover: choose queries for a corpus that is at hand."""

from __future__ import annotations

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from longline.cli._options import Corpus, Json
from longline.cli._progress import showing
from longline.errors import InputError

if TYPE_CHECKING:
    from numpy.random import Generator

    from longline.cover import Cover, Progress, UnseenCover
    from longline.pool import Analyzer, TermMatrix

UNSEEN = "unseen"
"""The method that chooses for documents outside of the sample; see `longline.cover_unseen`."""


def cover(
    corpus: Corpus,
    method: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="How to choose: greedy, ids or ts-ids, as published; lagrangian, anneal or best, "
            "which search; genetic, as published; exact, for small ones; or unseen, for queries "
            "that are to hold beyond the sample.",
        ),
    ] = "ts-ids",
    price: Annotated[
        float,
        typer.Option(
            metavar="X",
            min=0.0,
            help="With unseen: documents that may be received for the sake of one that is new. "
            "More finds more, with more overlap.",
        ),
    ] = 11.0,
    sample: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Draw so many documents at random and cover those.",
            show_default="every document",
        ),
    ] = None,
    cost: Annotated[
        str,
        typer.Option(
            metavar="COST",
            help="Of a query: df (the documents it brings back), df+A with an overhead A a query, "
            "or pages/P for result pages of P documents.",
        ),
    ] = "df",
    pool_relative_size: Annotated[
        float | None,
        typer.Option(
            metavar="X",
            min=1.0,
            help="Draw a random pool of terms whose dfs sum to so many times the documents, as in "
            "the papers (20).",
            show_default="every term",
        ),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(
            "--time",
            metavar="SECONDS",
            min=0.0,
            help="Search so long at most, for methods that search.",
            show_default="so many iterations",
        ),
    ] = None,
    bound: Annotated[
        bool, typer.Option(help="Prove how far from the best this is at most; takes a while.")
    ] = True,
    ties: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="Of queries equally good: the largest df, the lowest column, or random.",
        ),
    ] = "largest",
    eliminate: Annotated[
        bool, typer.Option(help="Drop queries whose every document others cover.")
    ] = True,
    df_ceiling: Annotated[
        float,
        typer.Option(
            metavar="X",
            min=0.0,
            max=1.0,
            help="Leave out terms in more than this share of the documents; 0.37 as in the papers.",
        ),
    ] = 1.0,
    stop_words: Annotated[
        bool, typer.Option(help="Leave out Lucene's 33 English stop words.")
    ] = True,
    min_length: Annotated[
        int, typer.Option(metavar="N", min=1, help="Shortest term, in letters.")
    ] = 1,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of every random draw.")] = 0,
    queries: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the chosen terms, one a line, in their order."),
    ] = None,
    json: Json = False,
) -> None:
    """Choose queries that match every document of a corpus, cheaply.

    A document's terms are the words of its title and text: runs of letters, in lower case, not
    stemmed. Nothing is sent anywhere. The papers' figures come with --ties random --no-eliminate
    --df-ceiling 0.37.
    """
    import time
    from dataclasses import replace

    import numpy as np

    from longline.cover import Cover, cover_unseen, lower_bound
    from longline.cover import cover as choose
    from longline.pool import STOP_WORDS, Analyzer

    _check(method, cost, ties, queries)
    if method == UNSEEN:
        bound = False
    rng = np.random.default_rng(seed)
    analyzer = Analyzer(stop_words=STOP_WORDS if stop_words else frozenset(), min_length=min_length)
    pool = _pool(_texts(corpus, sample, rng), analyzer, df_ceiling, pool_relative_size, rng)
    started = time.perf_counter()
    found: Cover | UnseenCover
    with showing("choosing") as tell:

        def observe(state: Progress) -> None:
            cost_now = f"{state.share:.0%} {state.method}: cost {state.cost:,.10g}"
            tell(cost_now, state.share, 1.0)

        limits: Any = {
            "cost": cost,
            "rng": rng,
            "time_limit_seconds": time_limit,
            "clock": time.monotonic,
            "progress": observe,
        }
        if method == UNSEEN:
            found = cover_unseen(pool.matrix, price, **limits)
        else:
            found = choose(
                pool.matrix, method, ties=ties, eliminate=eliminate, allow_uncovered=True, **limits
            )
    seconds = time.perf_counter() - started
    if bound and isinstance(found, Cover):
        found = replace(found, lower_bound=lower_bound(pool.matrix, cost).value)
    if queries is not None:
        _write(queries, [pool.terms[column] for column in found.queries])
    typer.echo(_as_json(found, pool, seconds) if json else _summary(found, pool, cost, seconds))


def _check(method: str, cost: str, ties: str, queries: Path | None) -> None:
    """Refuse what cannot work before anything is read."""
    from longline.cover import METHODS, cost_of
    from longline.cover.problem import TIES
    from longline.errors import UnknownNameError

    if method not in (*METHODS, UNSEEN):
        raise UnknownNameError("method", method, (*METHODS, UNSEEN))
    if ties not in TIES:
        raise UnknownNameError("tie rule", ties, TIES)
    cost_of([[1]], cost)
    if queries is not None and (queries.is_dir() or not queries.parent.is_dir()):
        raise InputError(f"cannot write {queries}", advice="name a file in a folder that exists")


def _texts(corpus: str, sample: int | None, rng: Generator) -> list[str]:
    """Read a corpus, or a sample of it: title and text of each document."""
    from longline.pool import sample_db
    from longline.simulate import read_corpus

    documents = read_corpus(corpus)
    if sample is not None:
        documents = sample_db(documents, sample, rng)
    return [f"{document.title}\n{document.text}" for document in documents]


def _pool(
    texts: list[str],
    analyzer: Analyzer,
    df_ceiling: float,
    relative_size: float | None,
    rng: Generator,
) -> TermMatrix:
    from longline.pool import document_term_matrix, query_pool

    pool = document_term_matrix(texts, analyzer, df_ceiling=df_ceiling)
    if relative_size is not None:
        pool = query_pool(pool, relative_size, rng)
    if not pool.terms:
        raise InputError(
            f"no term is left of {len(texts):,} documents", advice="leave out fewer of them"
        )
    return pool


def _write(path: Path, terms: list[str]) -> None:
    try:
        path.write_text("".join(f"{term}\n" for term in terms), encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"cannot write {path}: {error.strerror}", advice="choose a file you may write"
        ) from None


def _number(value: float | None) -> float | None:
    """None for nan, which JSON does not have."""
    return None if value is None or isnan(value) else value


def _as_json(found: Cover | UnseenCover, pool: TermMatrix, seconds: float) -> str:
    import msgspec

    covered = pool.documents - len(found.uncovered)
    facts = {
        "method": getattr(found, "method", UNSEEN),
        "cost": found.cost,
        "overlapping_rate": found.received / covered if covered else None,
        "queries": len(found.queries),
        "lower_bound": getattr(found, "lower_bound", None),
        "gap": _number(getattr(found, "gap", None)),
        "seconds": round(seconds, 3),
        "documents": pool.documents,
        "uncovered": len(found.uncovered),
        "received": found.received,
        "terms": len(pool.terms),
        "expected_hit_rate": getattr(found, "expected_hit_rate", None),
        "expected_overlapping_rate": _number(getattr(found, "expected_overlapping_rate", None)),
    }
    return msgspec.json.format(msgspec.json.encode(facts), indent=2).decode()


def _summary(found: Cover | UnseenCover, pool: TermMatrix, cost: str, seconds: float) -> str:
    from longline.cover import UnseenCover

    left = len(found.uncovered)
    covered = pool.documents - left
    method = UNSEEN if isinstance(found, UnseenCover) else found.method
    rate = f"OR {found.received / covered:.3f}" if covered else "no OR"
    lines = [
        f"chosen     {len(found.queries):,} of {len(pool.terms):,} terms, by {method}",
        f"covered    {covered:,} of {pool.documents:,} documents",
        f"cost       {found.cost:,.10g}, each query at {cost}",
        f"rates      {rate}: {found.received:,} documents come back",
    ]
    if isinstance(found, UnseenCover):
        lines.append(
            f"beyond     HR {found.expected_hit_rate:.3f} and OR "
            f"{found.expected_overlapping_rate:.3f} are expected of the whole source"
        )
    else:
        lines[1] += f"; {left:,} have no term here" if left else ""
        if found.lower_bound and found.gap is not None:
            lines.append(
                f"bound      no choice costs less than {found.lower_bound:,.10g}: this one is at "
                f"most {found.gap:.1%} above the best"
            )
    return "\n".join([*lines, f"time       {seconds:.2f} s"])
