"""Work with documents at hand: compare strategies, choose queries, serve a demo search."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, Unpack

import msgspec

from longline.api.options import check_names, made
from longline.blocking import in_sync
from longline.errors import InputError, MatrixError, UnknownNameError, option
from longline.text.numbers import counted

if TYPE_CHECKING:
    from longline.comparison import Outcome
    from longline.covering import Cover, Progress, UnseenCover
    from longline.ledger import Ledger
    from longline.model import Document
    from longline.pool import TermMatrix

DF = "df"
UNSEEN = "unseen"
"""The method that chooses queries for documents outside the sample; see `cover_unseen`."""


class SearchOptions(TypedDict, total=False):
    """What a simulated search can do; `comparison.Setting` explains each option."""

    limit: int
    page_size: int
    ranking: str
    counts: str
    boolean: bool
    forms: str
    max_terms: int
    reads_terms: int | None
    listing_only: bool


class CompareOptions(SearchOptions, total=False):
    """Also how strategies choose queries; `harvester.Settings` explains each option.

    `as_published` does as the papers do: the sample exists beforehand and costs nothing, queries
    are chosen once, at cost df, from a pool of relative size 20, and bred for 500 generations.
    """

    df_estimator: str | None
    generations: int
    population: int
    mutation: float
    as_published: bool


class Strategy(msgspec.Struct, frozen=True):
    """A strategy to choose queries.

    Attributes:
        name: The value for `strategy=` and --strategy.
        summary: What it does.
        published_by: Its authors or its package.

    Example:
        >>> import longline
        >>> next(each for each in longline.strategies() if each.name == "greedy").name
        'greedy'
    """

    name: str
    summary: str
    published_by: str


def strategies() -> list[Strategy]:
    """Return every strategy that a harvest can use, also those that other packages add.

    Example:
        >>> import longline
        >>> "adaptive" in [each.name for each in longline.strategies()]
        True
    """
    from longline.planner.strategies import STRATEGIES, strategy_names

    own = [Strategy(each.name, each.summary, each.source) for each in STRATEGIES.values()]
    others = strategy_names()[len(own) :]
    return [*own, *(Strategy(name, "added by you, or by another package", name) for name in others)]


async def compare_async(
    corpus: str | PathLike[str] | Sequence[Document],
    strategies: Sequence[str] = (),
    *,
    seeds: int = 3,
    sample: int = 1000,
    queries: Sequence[str] = (),
    observe: Callable[[str, int, Ledger], None] = lambda strategy, seed, ledger: None,
    **search: Unpack[CompareOptions],
) -> list[Outcome]:
    """Compare strategies on a simulated source made from documents at hand.

    Args:
        corpus: Documents, or where they are: a JSON lines or CSV file (.jsonl, .jsonl.gz, .csv with
            id, title, text), a folder of text files, or "docstrings".
        strategies: Their names, or one name; none means all ("list" only if queries are given).
            "full-knowledge" is the reference that knows every answer beforehand.
        seeds: Number of runs of each strategy.
        sample: Number of documents that sampling strategies read before they choose.
        queries: What the strategy "list" searches for, in this order.
        observe: Called after every result page.
        **search: What the simulated search can do, and how strategies choose.

    Returns:
        The result of each run: HR at page budgets and at OR, and the curve between.

    Raises:
        CorpusError: The corpus does not exist.
        UnknownNameError: A strategy, a ranking or a kind of totals is unknown.

    Example:
        >>> import longline
        >>> words = "fish bird tree stone river cloud house road light sound".split()
        >>> pairs = [f"{a} {b}" for a in words for b in words if a < b]
        >>> documents = [longline.Document(pair, text=pair) for pair in pairs]
        >>> (run,) = longline.compare(documents, ["greedy"], seeds=1, limit=5, page_size=5)
        >>> run.queries > 5, 0.5 < run.hit_rate < 1
        (True, True)
    """
    from dataclasses import replace

    from longline.comparison import Setting
    from longline.comparison import compare as run
    from longline.covering import GENERATIONS, Breeding
    from longline.harvester import Settings, check_settings
    from longline.planner.strategies import Options, strategy_names

    check_names("compare", search, CompareOptions)
    documents = _documents(corpus)
    strategies = [strategies] if isinstance(strategies, str) else strategies
    setting = made(Setting, search)
    chosen = made(Settings, search)
    check_settings(chosen)
    options = Options(
        sample=sample,
        queries=queries,
        df_estimator=chosen.df_estimator,
        generations=chosen.generations,
        breeding=Breeding(chosen.population, chosen.mutation),
    )
    if search.get("as_published"):
        setting = msgspec.structs.replace(setting, samples_count=False)
        options = replace(
            options,
            rounds=1,
            cost="df",
            pool_relative_size=20.0,
            generations=search.get("generations", GENERATIONS),
        )

    if seeds < 1:
        raise InputError(f"{option('seeds')} is {seeds}", advice="give 1 or more")

    def work() -> list[Outcome]:
        found = run(
            documents,
            list(strategies or [name for name in strategy_names() if queries or name != "list"]),
            seeds=range(seeds),
            setting=setting,
            options=options,
            observe=observe,
        )
        return list(found)

    return await asyncio.to_thread(work)


@contextmanager
def demo_site(
    corpus: str | PathLike[str] | Sequence[Document] = "docstrings",
    *,
    port: int = 0,
    seed: int = 0,
    **search: Unpack[SearchOptions],
) -> Iterator[str]:
    """Run a small web site on this machine that can only be searched, and yield its URL.

    Args:
        corpus: As for `compare`; by default the docstrings of Python's standard library.
        port: 0 takes any free port.
        seed: Seed for the order of the results.
        **search: What its search can do.

    Raises:
        CorpusError: The corpus does not exist.
        InputError: The port is in use.

    Example:
        >>> import longline
        >>> with longline.demo_site(limit=50) as url:
        ...     url.startswith("http://127.0.0.1:")
        True
    """
    from longline.comparison import Setting, searcher_of
    from longline.simulate import running_site

    check_names("demo_site", search, SearchOptions)
    searcher = searcher_of(_documents(corpus), made(Setting, {"ranking": "bm25", **search}), seed)
    with running_site(searcher, port=port) as url:
        yield f"{url}/"


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
_ALL_TERMS: dict[str, object] = {
    "sample": None,
    "pool_relative_size": None,
    "df_ceiling": 1.0,
    "stop_words": True,
    "min_length": 1,
}
"""What `PoolOptions` are if they are not given."""


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
        InputError: The method, the cost or the rule is unknown, or no term is left.

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
    rng = np.random.default_rng(seed)
    given = _problem(corpus, method, pool)
    matrix, costs = given or (_pool(corpus, pool, rng), DF)
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

    others = [name for name, value in options.items() if value != _ALL_TERMS[name]]
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

    documents: Sequence[Document] = _documents(corpus)
    if (sample := options.get("sample")) is not None:
        documents = sample_db(documents, sample, rng)
    texts = [f"{document.title}\n{document.text}" for document in documents]
    analyzer = Analyzer(
        stop_words=STOP_WORDS if options.get("stop_words", True) else frozenset(),
        min_length=options.get("min_length", 1),
    )
    pool = document_term_matrix(texts, analyzer, df_ceiling=options.get("df_ceiling", 1.0))
    if (size := options.get("pool_relative_size")) is not None:
        pool = query_pool(pool, size, rng)
    if not pool.terms:
        raise InputError(
            f"no term is left of {counted(len(texts), 'document')}", advice="leave out fewer terms"
        )
    return pool


def _documents(corpus: str | PathLike[str] | Sequence[Document]) -> Sequence[Document]:
    from longline.model import Document
    from longline.simulate import read_corpus

    if isinstance(corpus, str | PathLike):
        return read_corpus(fspath(corpus))
    for each in corpus:
        if not isinstance(each, Document):
            raise TypeError(f"a corpus takes longline.Document(key, text=...), not {each!r}")
    return corpus


compare = in_sync(compare_async)
