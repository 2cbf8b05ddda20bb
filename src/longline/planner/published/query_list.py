"""Queries that others chose, in their order: WS-Crawler's text file of queries."""

from __future__ import annotations

from collections.abc import Sequence

from longline.errors import InputError, option
from longline.model import Finish, Query, Search
from longline.planner.sequential import SequentialPlanner


class QueryList(SequentialPlanner):
    """Send the queries of a list in their order, each once and to its last page.

    Args:
        queries: As a person types them: the words of one are all required.

    Raises:
        InputError: There are none.

    >>> planner = QueryList(["deep web", "sea"])
    >>> planner.next()
    Search(query=Query(required=('deep', 'web')), number=1)
    >>> planner.next().query, planner.next()
    (Query(required=('sea',)), Finish(reason='every query of the list was sent'))
    """

    def __init__(self, queries: Sequence[str]) -> None:
        super().__init__()
        split = dict.fromkeys(tuple(query.split()) for query in queries)
        if not any(split):
            raise InputError(
                "the strategy list has no queries", advice=f"give a file with {option('queries')}"
            )
        self._queries = iter([Query(words) for words in split if words])

    def choose(self) -> Search | Finish:
        """Take the next query."""
        query = next(self._queries, None)
        return Finish("every query of the list was sent") if query is None else Search(query)
