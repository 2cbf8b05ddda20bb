"""Send given queries: a list in its order, or the words of a dictionary in random order."""

from collections.abc import Sequence

import numpy as np

from longline.errors import InputError, option
from longline.model import Finish, Page, Query, Search
from longline.planner.sequential import SequentialPlanner
from longline.text.seed_words import shuffled


class QueryList(SequentialPlanner):
    """Send the queries of a list in order, each once and to its last page.

    Args:
        queries: As typed by a person: all words of a query are required.
        max_terms: The most terms that the source takes; a longer query is sent as one term.

    Raises:
        InputError: The list has no queries.

    >>> planner = QueryList(["deep web", "sea"])
    >>> planner.next()
    Search(query=Query(required=('deep', 'web')), number=1)
    >>> planner.next().query, planner.next()
    (Query(required=('sea',)), Finish(reason='every query of the list was sent', is_selection=True))
    >>> QueryList(["deep web"], max_terms=1).next().query
    Query(required=('deep web',))
    """

    def __init__(self, queries: Sequence[str], max_terms: int | None = None) -> None:
        super().__init__()
        split = dict.fromkeys(tuple(query.split()) for query in queries)
        if max_terms is not None:
            split = dict.fromkeys(w if len(w) <= max_terms else (" ".join(w),) for w in split)
        if not any(split):
            raise InputError(
                "the strategy list has no queries", advice=f"give a file with {option('queries')}"
            )
        self._queries = iter([Query(words) for words in split if words])

    def choose(self) -> Search | Finish:
        """Return the next query, or the end."""
        query = next(self._queries, None)
        if query is None:
            return Finish("every query of the list was sent", is_selection=True)
        return Search(query)


IDLE_QUERIES = 200
"""After this many queries in a row without a new document, random words are given up."""


class RandomDictionary(SequentialPlanner):
    """Send the words of a dictionary in random order, until nothing new comes.

    Args:
        words: The dictionary; repeats are dropped.
        rng: Orders the words.

    Source: Fu 2011, section 5.3.3, "Random"; Ntoulas et al. 2005.

    >>> planner = RandomDictionary(["deep"], np.random.default_rng(0))
    >>> planner.next()
    Search(query=Query(required=('deep',)), number=1)
    >>> planner.next()
    Finish(reason='every word of the dictionary was searched for')
    """

    def __init__(self, words: Sequence[str], rng: np.random.Generator) -> None:
        super().__init__()
        self._words = shuffled(sorted(set(words)), rng)
        self._place = 0
        self._seen: set[str] = set()
        self._idle = 0

    def choose(self) -> Search | Finish:
        """Return the next word, or the end."""
        if self._idle >= IDLE_QUERIES and self._seen:
            return Finish(f"{self._idle} searches in a row brought nothing new")
        if self._place == len(self._words):
            return Finish("every word of the dictionary was searched for")
        self._place += 1
        self._idle += 1
        return Search(Query((self._words[self._place - 1],)))

    def see(self, query: Query, number: int, page: Page) -> None:
        """Note whether the page shows any new document."""
        keys = {hit.key for hit in page.hits}
        if not keys <= self._seen:
            self._idle = 0
        self._seen |= keys
