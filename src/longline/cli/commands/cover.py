"""longline cover: choose queries for a corpus that is at hand."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from longline.cli._options import Corpus, Json, Seed
from longline.cli._progress import showing
from longline.errors import InputError

if TYPE_CHECKING:
    from numpy.random import Generator

    from longline.covering import Cover, Progress, UnseenCover
    from longline.pool import TermMatrix

UNSEEN = "unseen"
"""The method that chooses for documents outside of the sample; see `longline.cover_unseen`."""


@dataclass(frozen=True)
class How:
    """How queries are chosen."""

    panel: ClassVar[str] = "How to choose"

    method: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="greedy, ids, ts-ids or genetic, as published; lagrangian, anneal or best, which "
            "look for a cheaper choice; exact, for small ones; or unseen, for queries that should "
            "also work beyond the sample.",
        ),
    ] = "ts-ids"
    cost: Annotated[
        str,
        typer.Option(
            metavar="COST",
            help="What a query costs: df (the documents it matches), df+A (A more for each query), "
            "or pages/P (result pages of P documents).",
        ),
    ] = "df"
    max_time: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            min=0.0,
            help="Search for this long at most (methods that search).",
            show_default="a fixed number of steps",
        ),
    ] = None
    bound: Annotated[
        bool,
        typer.Option(
            "--bound/--no-bound",
            help="Prove how much cheaper another choice could be at most; takes a while.",
        ),
    ] = True
    price: Annotated[
        float,
        typer.Option(
            metavar="X",
            min=0.0,
            help="With unseen: how many repeats one new document is worth.",
        ),
    ] = 11.0
    ties: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="When several are equally good take: the largest (the most frequent), the lowest "
            "(the first), or a random one.",
        ),
    ] = "largest"
    eliminate: Annotated[
        bool,
        typer.Option(
            "--eliminate/--no-eliminate",
            help="Drop queries whose documents all come by other queries, too.",
        ),
    ] = True


@dataclass(frozen=True)
class Terms:
    """Which documents, and which of their terms."""

    panel: ClassVar[str] = "Documents and terms"

    sample: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Cover only N documents, drawn at random.",
            show_default="every document",
        ),
    ] = None
    pool_relative_size: Annotated[
        float | None,
        typer.Option(
            metavar="X",
            min=1.0,
            help="Choose among random terms that together match the documents X times over (the "
            "papers: 20).",
            show_default="every term",
        ),
    ] = None
    df_ceiling: Annotated[
        float,
        typer.Option(
            metavar="X",
            min=0.0,
            max=1.0,
            help="Leave out terms in more than this share of the documents (the papers: 0.37).",
        ),
    ] = 1.0
    stop_words: Annotated[
        bool,
        typer.Option(
            "--stop-words/--no-stop-words", help="Leave out Lucene's 33 English stop words."
        ),
    ] = True
    min_length: Annotated[
        int, typer.Option(metavar="N", min=1, help="Shortest term, in letters.")
    ] = 1

    def pool(self, corpus: str, rng: Generator) -> TermMatrix:
        """Return the terms of a corpus that queries are chosen from.

        Raises:
            InputError: There is no such corpus, or no term is left.
        """
        from longline.pool import STOP_WORDS, Analyzer, document_term_matrix, query_pool

        texts = _texts(corpus, self.sample, rng)
        stop_words = STOP_WORDS if self.stop_words else frozenset()
        analyzer = Analyzer(stop_words=stop_words, min_length=self.min_length)
        pool = document_term_matrix(texts, analyzer, df_ceiling=self.df_ceiling)
        if self.pool_relative_size is not None:
            pool = query_pool(pool, self.pool_relative_size, rng)
        if not pool.terms:
            raise InputError(
                f"no term is left of {len(texts):,} documents", advice="leave out fewer terms"
            )
        return pool


def cover(
    corpus: Corpus,
    how: How,
    terms: Terms,
    seed: Seed = 0,
    queries: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the chosen terms, one a line, in their order."),
    ] = None,
    json: Json = False,
) -> None:
    """Choose queries that together match every document of a corpus, cheaply.

    A document's terms are the words of its title and text: runs of letters, in lower case, not
    stemmed. Nothing is sent anywhere. The papers' figures come with --ties random --no-eliminate
    --df-ceiling 0.37.
    """
    import time

    import numpy as np

    _check(how, queries)
    rng = np.random.default_rng(seed)
    pool = terms.pool(corpus, rng)
    started = time.perf_counter()
    found = _chosen(how, pool, rng)
    seconds = time.perf_counter() - started
    found = _with_bound(found, how, pool)
    if queries is not None:
        _write(queries, [pool.terms[column] for column in found.queries])
    typer.echo(_as_json(found, pool, seconds) if json else _summary(found, pool, how.cost, seconds))


def _chosen(how: How, pool: TermMatrix, rng: Generator) -> Cover | UnseenCover:
    import time

    from longline.covering import cover as choose
    from longline.covering import cover_unseen

    with showing("choosing") as tell:

        def observe(state: Progress) -> None:
            cost_now = f"{state.share:.0%} {state.method}: cost {state.cost:,.10g}"
            tell(cost_now, state.share, 1.0)

        limits: Any = {
            "cost": how.cost,
            "rng": rng,
            "time_limit_seconds": how.max_time,
            "clock": time.monotonic,
            "progress": observe,
        }
        if how.method == UNSEEN:
            return cover_unseen(pool.matrix, how.price, **limits)
        limits |= {"ties": how.ties, "eliminate": how.eliminate, "allow_uncovered": True}
        return choose(pool.matrix, how.method, **limits)


def _with_bound(found: Cover | UnseenCover, how: How, pool: TermMatrix) -> Cover | UnseenCover:
    from dataclasses import replace

    from longline.covering import Cover, lower_bound

    if not (how.bound and isinstance(found, Cover)):
        return found
    return replace(found, lower_bound=lower_bound(pool.matrix, how.cost).value)


def _check(how: How, queries: Path | None) -> None:
    """Refuse what cannot work before anything is read."""
    from longline.covering import METHODS, cost_of
    from longline.covering.problem import TIES
    from longline.errors import UnknownNameError

    if how.method not in (*METHODS, UNSEEN):
        raise UnknownNameError("method", how.method, (*METHODS, UNSEEN))
    if how.ties not in TIES:
        raise UnknownNameError("tie rule", how.ties, TIES)
    cost_of([[1]], how.cost)
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
    from longline.covering import UnseenCover

    left = len(found.uncovered)
    covered = pool.documents - left
    method = UNSEEN if isinstance(found, UnseenCover) else found.method
    times = f"; each comes {found.received / covered:.3f} times (OR)" if covered else ""
    lines = [
        f"chosen     {len(found.queries):,} of {len(pool.terms):,} terms as queries, by {method}",
        f"covered    {covered:,} of {pool.documents:,} documents",
        f"cost       {found.cost:,.10g}, each query at {cost}",
        f"received   {found.received:,} documents{times}",
    ]
    if isinstance(found, UnseenCover):
        lines.append(
            f"expected   {found.expected_hit_rate:.1%} of the whole source, each document "
            f"{found.expected_overlapping_rate:.3f} times"
        )
    else:
        lines[1] += f"; {left:,} have no term here" if left else ""
        if found.lower_bound and found.gap is not None:
            lines.append(
                f"bound      proven: no choice costs less than {found.lower_bound:,.10g}; this one "
                f"costs at most {found.gap:.1%} more than the best"
            )
    return "\n".join([*lines, f"time       {seconds:.2f} s"])
