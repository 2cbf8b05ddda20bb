"""Choose queries for documents at hand, or columns of a set-covering problem."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, Unpack

from longline.api.corpora import documents_of
from longline.api.options import check_names
from longline.errors import InputError, MatrixError, UnknownNameError, option
from longline.text.numbers import counted

if TYPE_CHECKING:
    from longline.covering import Cover, Progress, UnseenCover
    from longline.model import Document
    from longline.pool import TermMatrix

DF = "df"
UNSEEN = "unseen"
"""The method that chooses queries for documents outside the sample; see `cover_unseen`."""


class Chosen(NamedTuple):
    """Queries that were chosen for a corpus.

    Attributes:
        terms: The queries, in order.
        cover: What they cover, receive and cost; documents and terms are given by number.
        pool: The documents and terms that they were chosen from.
        seconds: How long the choice took.

    Example:
        >>> import longline
        >>> texts = ["fish bird", "bird"]
        >>> documents = [longline.Document(str(n), text=each) for n, each in enumerate(texts)]
        >>> chosen = longline.choose_queries(documents)
        >>> chosen.terms, chosen.cover.received
        (['bird'], 2)
    """

    terms: list[str]
    cover: Cover | UnseenCover
    pool: TermMatrix
    seconds: float


_START = 1000


class PoolOptions(TypedDict, total=False):
    """Which documents to cover, and which of their terms may be queries.

    Attributes:
        sample: Cover only this many documents, drawn at random.
        pool_relative_size: Choose among random terms whose document frequencies add up to this many
            times the number of documents (the papers: 20); None uses every term.
        df_ceiling: Leave out terms in more than this share of the documents (the papers: 0.37).
        stop_words: Leave out Lucene's 33 English stop words.
        min_length: The minimum length of a term, in letters.
    """

    sample: int | None
    pool_relative_size: float | None
    df_ceiling: float
    stop_words: bool
    min_length: int


_ALL_TERMS: PoolOptions = {
    "sample": None,
    "pool_relative_size": None,
    "df_ceiling": 1.0,
    "stop_words": True,
    "min_length": 1,
}
"""What the options are if they are not given."""


def choose_queries(
    corpus: str | PathLike[str] | Sequence[Document],
    method: str = "ts-ids",
    *,
    cost: str | None = None,
    max_time: float | None = None,
    bound: bool = True,
    price: float = 11.0,
    ties: str = "largest",
    eliminate: bool = True,
    seed: int = 0,
    generations: int | None = None,
    population: int = 300,
    mutation: float = 0.03,
    progress: Callable[[Progress], None] = lambda state: None,
    **pool: Unpack[PoolOptions],
) -> Chosen:
    """Choose queries that together match every document of a corpus, cheaply.

    Args:
        corpus: As for `compare`; or the path of a set-covering problem in the OR-Library's format,
            whose columns are then the queries, named by their numbers from 1.
        method: greedy, ids, ts-ids, genetic, lagrangian, anneal, weighting, best or exact; or
            unseen, for queries that should also work beyond these documents.
        cost: What a query costs: df (the documents it matches), df+A, or pages/P. None means df,
            or the costs that a set-covering problem has.
        max_time: Seconds, for methods that search; None means a fixed number of steps.
        bound: Also prove how much cheaper another choice could be at most.
        price: For unseen: how many repeats one new document is worth.
        ties: largest, lowest or random.
        eliminate: Drop queries whose documents are all matched by other queries too.
        seed: Seed for random draws.
        generations: For genetic: their number; None is 500, or as many as `max_time` allows.
        population: For genetic: covers in a generation, at most.
        mutation: For genetic: the share of a cover's queries that a mutation replaces.
        progress: Called with the progress of methods that search.
        **pool: Which documents to cover, and which of their terms may be queries.

    Raises:
        CorpusError: The corpus does not exist.
        MatrixError: The file has only numbers, and they are no set-covering problem.
        InputError: The method, the cost or the rule is unknown, the method does not use an option
            that is given, or no term is left.

    Example:
        >>> import longline
        >>> texts = ["fish bird", "bird"]
        >>> documents = [longline.Document(str(n), text=each) for n, each in enumerate(texts)]
        >>> longline.choose_queries(documents).terms
        ['bird']
    """
    from dataclasses import replace

    import numpy as np

    from longline.covering import Breeding, Cover, cover, cover_unseen, lower_bound

    check_names("choose_queries", pool, PoolOptions)
    check_choice(method, cost or DF, ties)
    given = {"generations": generations, "population": population, "mutation": mutation}
    _check_used(method, given | {"price": price, "max_time": max_time, "ties": ties})
    rng = np.random.default_rng(seed)
    as_problem = _problem(corpus, method, pool)
    matrix, costs = as_problem or (_pool(corpus, pool, rng), DF)
    prices = costs if cost is None else cost
    limits: dict[str, Any] = {
        "cost": prices,
        "rng": rng,
        "time_limit_seconds": max_time,
        "clock": time.monotonic,
        "progress": progress,
    }
    started = time.perf_counter()
    found: Cover | UnseenCover
    if method == UNSEEN:
        found = cover_unseen(matrix.matrix, price, **limits)
    else:
        limits |= {"ties": ties, "eliminate": eliminate, "allow_uncovered": True}
        if method == "genetic":
            limits |= {"iterations": generations, "breeding": Breeding(population, mutation)}
        found = cover(matrix.matrix, method, **limits)
    seconds = time.perf_counter() - started
    if bound and isinstance(found, Cover):
        found = replace(found, lower_bound=lower_bound(matrix.matrix, prices).value)
    return Chosen([matrix.terms[column] for column in found.queries], found, matrix, seconds)


def check_choice(method: str, cost: str, ties: str) -> None:
    """Raise an error for unknown names before anything is read.

    Raises:
        InputError: The method, the cost or the tie rule is unknown.
    """
    from longline.covering import METHODS, cost_of
    from longline.covering.problem import TIES

    if method not in (*METHODS, UNSEEN):
        raise UnknownNameError("method", method, (*METHODS, UNSEEN))
    if ties not in TIES:
        raise UnknownNameError("tie rule", ties, TIES)
    cost_of([[1]], cost)


def _check_used(method: str, given: Mapping[str, object]) -> None:
    """Raise an error for an option that is not at its default, and that the method would ignore."""
    from longline.covering import METHODS, SEARCHES

    genetic, searches = ["genetic"], [*sorted(SEARCHES), "exact", UNSEEN]
    takes: dict[str, tuple[object, Sequence[str]]] = {
        "generations": (None, genetic),
        "population": (300, genetic),
        "mutation": (0.03, genetic),
        "price": (11.0, [UNSEEN]),
        "max_time": (None, searches),
        "ties": ("largest", [name for name in METHODS if name != UNSEEN]),
    }
    for name, value in given.items():
        usual, methods = takes[name]
        if value != usual and method not in methods:
            raise InputError(
                f"{option(name)} does not apply to the method {method}",
                advice=f"leave it out, or choose by {', '.join(methods)}",
            )


def is_problem(corpus: str | PathLike[str]) -> bool:
    """Return whether a corpus is the file of a set-covering problem: one that has only numbers."""
    from longline.covering import is_instance

    path = Path(corpus)
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return is_instance(file.read(_START).decode("latin-1"))


def _problem(
    corpus: str | PathLike[str] | Sequence[Document], method: str, options: PoolOptions
) -> tuple[TermMatrix, Any] | None:
    """Return the matrix and the costs of a set-covering problem; None for documents."""
    if not isinstance(corpus, str | PathLike) or not is_problem(corpus):
        return None
    from longline.covering import read_instance
    from longline.pool import TermMatrix

    others = [name for name, value in options.items() if (name, value) not in _ALL_TERMS.items()]
    if others or method == UNSEEN:
        what = option(others[0]) if others else f"{option('method')} {UNSEEN}"
        raise InputError(
            f"{what} does not apply: {corpus} is a set-covering problem, without documents",
            advice="leave it out",
        )
    try:
        instance = read_instance(Path(corpus).read_text(encoding="latin-1"))
    except MatrixError as error:
        message, advice = error.parts
        raise MatrixError(f"{corpus}: {message}", advice=advice) from None
    names = [str(number) for number in range(1, instance.matrix.queries + 1)]
    return TermMatrix(instance.matrix, names), instance.cost


def _pool(
    corpus: str | PathLike[str] | Sequence[Document], options: PoolOptions, rng: Any
) -> TermMatrix:
    """Return the terms of a corpus that queries may be chosen from."""
    from longline.pool import STOP_WORDS, Analyzer, document_term_matrix, query_pool, sample_db

    wanted: PoolOptions = {**_ALL_TERMS, **options}
    documents: Sequence[Document] = documents_of(corpus)
    if wanted["sample"] is not None:
        documents = sample_db(documents, wanted["sample"], rng)
    texts = [f"{document.title}\n{document.text}" for document in documents]
    analyzer = Analyzer(
        stop_words=STOP_WORDS if wanted["stop_words"] else frozenset(),
        min_length=wanted["min_length"],
    )
    pool = document_term_matrix(texts, analyzer, df_ceiling=wanted["df_ceiling"])
    if wanted["pool_relative_size"] is not None:
        pool = query_pool(pool, wanted["pool_relative_size"], rng)
    if not pool.terms:
        raise InputError(
            f"no term is left of {counted(len(texts), 'document')}", advice="leave out fewer terms"
        )
    return pool
