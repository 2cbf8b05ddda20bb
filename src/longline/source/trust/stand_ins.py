"""What a source shows where nothing matches: documents that nobody asked for. No I/O.

Some answer "nothing found" with what is popular, or new, in the same list as hits, and count it as
such. Taken for hits, these make a part of the source out of every empty answer.
"""

from collections.abc import Sequence

from longline.model import Page, Query, Total

NONSENSE = Query(("zuvobiqepaxq",))
"""What no document holds: what comes for it stands in for nothing."""

LEAST_ROWS = 5
"""Rows of a page below which two queries may well have the same."""

FEWEST_ROWS, QUERIES = 2, 3
"""So few rows may stand in for nothing, too, where so many queries have the very same."""

USUALLY = 0.5
"""Share of the hits of most pages that show a term of their query, where listings show any."""


class StandIns:
    """Notice pages that may stand in for nothing, and know them once nonsense was asked for.

    A first page is suspect when it shows the very documents of another query, of several where
    these are few, or when none of its hits shows a term that was asked for, as those of most
    others do. Then nonsense tells: one request of a harvest, and none where no page is suspect. A
    run that goes on is told the pages of earlier ones.

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
        self._shown: frozenset[str] | None = None  # for nonsense; None while it was not asked for
        self._asked: dict[int, dict[Query, None]] = {}  # by the documents of their first pages
        self._pages = 0
        self._telling = 0  # first pages most hits of which show a term of their query

    def suspects(self, query: Query, page: Page) -> bool:
        """Say whether to ask for nonsense before a query's first page is believed."""
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
        """Be told which documents came for nonsense; return the queries that these came for."""
        self._shown = frozenset(keys if len(keys) >= FEWEST_ROWS else ())
        taken = self._asked.get(hash(self._shown), {}) if self._shown else {}
        self._asked.clear()
        return tuple(taken)

    def unmasked(self, query: Query, page: Page) -> Page:
        """Return a first page as it is to be taken: empty, where it stands in for nothing.

        Where everything was asked for, nothing stands in for it.
        """
        if not query.wanted:
            return page
        if not self._shown or _keys(page) != self._shown:
            return page
        return Page(total=Total(0), others=len(page.hits))


def _keys(page: Page) -> frozenset[str]:
    return frozenset(hit.key for hit in page.hits)
