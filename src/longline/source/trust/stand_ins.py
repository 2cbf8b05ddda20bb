"""Detect stand-ins: documents a source shows if nothing matches. No I/O.

Some sources answer "nothing found" with popular or new documents, in the same list as hits, and
include them in the total. Taken as hits, they would count as matches of every empty answer.
"""

from collections.abc import Sequence

from longline.model import Page, Query, Total

NONSENSE = Query(("zuvobiqepaxq",))
"""A query that no document matches: its hits are stand-ins."""

LEAST_ROWS = 5
"""With fewer rows than this, two queries may well have the same hits."""

FEWEST_ROWS, QUERIES = 2, 3
"""Minimum number of rows of stand-ins, if at least this many queries have the same ones."""

USUALLY = 0.5
"""Share of a page's hits that must show a term of their query for the page to count as normal."""


class StandIns:
    """Detect pages that may be stand-ins, and recognise them after a nonsense query.

    A first page is suspect if it shows the same documents as another query (as several, if it has
    few rows), or if none of its hits shows a term of the query though most other pages do. Then a
    nonsense query decides: one request per harvest, and none if no page is suspect. A resumed run
    gets the pages of earlier runs.

    >>> from longline.model import Hit
    >>> page = Page(tuple(Hit(str(n), title="web") for n in range(5)), Total(5))
    >>> stand_ins = StandIns()
    >>> stand_ins.suspects(Query(("web",)), page), stand_ins.suspects(Query(("sea",)), page)
    (False, True)
    >>> [str(query) for query in stand_ins.learn([hit.key for hit in page.hits])]
    ['web', 'sea']
    >>> taken = stand_ins.unmasked(Query(("web",)), page)
    >>> taken.hits, taken.others
    ((), 5)
    """

    def __init__(self) -> None:
        self._shown: frozenset[str] | None = None  # for nonsense; None before it was queried
        self._asked: dict[int, dict[Query, None]] = {}  # by the documents of their first pages
        self._pages = 0
        self._telling = 0  # first pages most of whose hits show a term of their query

    def suspects(self, query: Query, page: Page) -> bool:
        """Return whether to query for nonsense before a query's first page is trusted."""
        rows = len(page.hits)
        if self._shown is not None or rows < FEWEST_ROWS or not query.wanted:
            return False
        same = self._asked.setdefault(hash(_keys(page)), {})
        same[query] = None
        if rows < LEAST_ROWS:
            return len(same) >= QUERIES
        wanted = [term.casefold() for term in query.wanted]
        texts = (f"{hit.title}\n{hit.snippet}".casefold() for hit in page.hits)
        telling = sum(any(term in text for term in wanted) for text in texts)
        is_telling = 2 * self._telling > self._pages
        self._pages += 1
        self._telling += telling >= USUALLY * len(page.hits)
        return len(same) > 1 or (is_telling and not telling)

    def learn(self, keys: Sequence[str]) -> tuple[Query, ...]:
        """Record the documents returned for nonsense; return the queries that had the same ones."""
        self._shown = frozenset(keys if len(keys) >= FEWEST_ROWS else ())
        taken = self._asked.get(hash(self._shown), {}) if self._shown else {}
        self._asked.clear()
        return tuple(taken)

    def unmasked(self, query: Query, page: Page) -> Page:
        """Return a first page, as empty if it consists of stand-ins.

        A query for everything has no stand-ins.
        """
        if not query.wanted or not self._shown or _keys(page) != self._shown:
            return page
        return Page(total=Total(0), others=len(page.hits))


def _keys(page: Page) -> frozenset[str]:
    return frozenset(hit.key for hit in page.hits)
