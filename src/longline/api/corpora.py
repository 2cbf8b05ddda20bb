"""Work with documents at hand: compare strategies, serve a demo search."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike, fspath
from typing import TYPE_CHECKING, TypedDict, Unpack

import msgspec

from longline.api.options import check_names, made
from longline.blocking import in_sync
from longline.errors import InputError, option

if TYPE_CHECKING:
    from longline.comparison import Outcome, Setting
    from longline.ledger import Ledger
    from longline.model import Document
    from longline.planner.strategies import Options


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

    `sample` is the number of documents that sampling strategies read before they choose.
    `as_published` does as the papers do: the sample exists beforehand and costs nothing, queries
    are chosen once, at cost df, from a pool of relative size 20, and bred for 500 generations.
    """

    sample: int
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
        takes: Names of the options that it takes, of those that only some strategies take.

    Example:
        >>> import longline
        >>> next(each for each in longline.strategies() if each.name == "greedy").name
        'greedy'
    """

    name: str
    summary: str
    published_by: str
    takes: tuple[str, ...] = ()


def strategies() -> list[Strategy]:
    """Return every strategy that a harvest can use, also those that other packages add.

    Example:
        >>> import longline
        >>> "adaptive" in [each.name for each in longline.strategies()]
        True
    """
    from longline.planner.strategies import STRATEGIES, strategy_names

    known = STRATEGIES.values()
    own = [Strategy(each.name, each.summary, each.source, each.takes) for each in known]
    others = strategy_names()[len(own) :]
    return [*own, *(Strategy(name, "added by you, or by another package", name) for name in others)]


async def compare_async(
    corpus: str | PathLike[str] | Sequence[Document],
    strategies: Sequence[str] = (),
    *,
    seeds: int = 3,
    queries: Sequence[str] = (),
    observe: Callable[[str, int, Ledger], None] = lambda strategy, seed, ledger: None,
    on_end: Callable[[Outcome], object] = lambda outcome: None,
    **search: Unpack[CompareOptions],
) -> list[Outcome]:
    """Compare strategies on a simulated source made from documents at hand.

    Args:
        corpus: Documents, or where they are: a JSON lines or CSV file (.jsonl, .jsonl.gz, .csv with
            id, title, text), a folder of text files, or "docstrings".
        strategies: Their names, or one name; none means all ("list" only if queries are given).
            "full-knowledge" is the reference that knows every answer beforehand.
        seeds: Number of runs of each strategy.
        queries: What the strategy "list" searches for, in this order.
        observe: Called after every result page.
        on_end: Called with the result of each run as it ends, so that those of an interrupted
            comparison are known.
        **search: What the simulated search can do, and how strategies choose.

    Returns:
        The result of each run: HR at page budgets and at OR, and the curve between.

    Raises:
        CorpusError: The corpus does not exist.
        UnknownNameError: A strategy, a ranking or a kind of totals is unknown.
        InputError: No strategy uses an option that is given.

    Example:
        >>> import longline
        >>> words = "fish bird tree stone river cloud house road light sound".split()
        >>> pairs = [f"{a} {b}" for a in words for b in words if a < b]
        >>> documents = [longline.Document(pair, text=pair) for pair in pairs]
        >>> (run,) = longline.compare(documents, ["greedy"], seeds=1, limit=5, page_size=5)
        >>> run.queries > 5, 0.5 < run.hit_rate < 1
        (True, True)
    """
    from longline.comparison import compare as run
    from longline.planner.strategies import strategy_names

    check_names("compare", search, CompareOptions)
    documents = documents_of(corpus)
    names = [strategies] if isinstance(strategies, str) else list(strategies)
    names = names or [name for name in strategy_names() if queries or name != "list"]
    setting, options = _compared(search, queries, names)
    if seeds < 1:
        raise InputError(f"{option('seeds')} is {seeds}", advice="give 1 or more")

    stopped = threading.Event()

    def watch(strategy: str, seed: int, ledger: Ledger) -> None:
        if stopped.is_set():
            raise asyncio.CancelledError
        observe(strategy, seed, ledger)

    def work() -> list[Outcome]:
        outcomes = []
        for outcome in run(
            documents,
            names,
            seeds=range(seeds),
            setting=setting,
            options=options,
            observe=watch,
        ):
            outcomes.append(outcome)
            on_end(outcome)
        return outcomes

    try:
        return await asyncio.to_thread(work)
    finally:
        stopped.set()  # a thread does not end by itself when it is no longer waited for


def _compared(
    search: CompareOptions, queries: Sequence[str], strategies: Sequence[str]
) -> tuple[Setting, Options]:
    """Return how the simulated source searches, and how strategies choose."""
    from dataclasses import replace

    from longline.comparison import REFERENCE, Setting
    from longline.covering import GENERATIONS, Breeding
    from longline.harvester import Settings, check_are_used, check_settings
    from longline.planner.strategies import Options

    setting = made(Setting, search)
    chosen = made(Settings, search)
    check_settings(chosen)
    check_are_used(chosen, [name for name in strategies if name != REFERENCE])
    options = Options(
        sample=search.get("sample", Options.sample),
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
    return setting, options


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
    searcher = searcher_of(documents_of(corpus), made(Setting, {"ranking": "bm25", **search}), seed)
    with running_site(searcher, port=port) as url:
        yield f"{url}/"


def documents_of(corpus: str | PathLike[str] | Sequence[Document]) -> Sequence[Document]:
    """Return the documents of a corpus, or of the place where it is.

    Raises:
        CorpusError: The corpus does not exist.
    """
    from longline.model import Document
    from longline.simulate import read_corpus

    if isinstance(corpus, str | PathLike):
        return read_corpus(fspath(corpus))
    for each in corpus:
        if not isinstance(each, Document):
            raise TypeError(f"a corpus takes longline.Document(key, text=...), not {each!r}")
    return corpus


compare = in_sync(compare_async)
