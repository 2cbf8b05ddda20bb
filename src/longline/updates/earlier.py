"""What the harvests before tell an update: their documents, and how their rows looked."""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import msgspec

from longline.estimate import Catch
from longline.events import PageReceived
from longline.harvester import open_store
from longline.model import Document, Hit, Query
from longline.planner.again import Shown
from longline.updates.history import earlier_folders

STEADY = 0.95
"""Of documents that several queries showed, the share with one snippet from which snippets are
taken for parts of the documents; below it they are cut to fit each query."""

LEAST_SHOWN_TWICE = 20
"""Documents that several queries have to have shown before that is judged."""


class Rows:
    """How the rows of documents looked, told page by page.

    >>> rows = Rows()
    >>> rows.see([Hit("a", title="Sea"), Hit("b", title="Web")])
    >>> rows.are_same(Hit("a", title="Sea")), rows.are_same(Hit("a", title="The sea"))
    (True, False)
    """

    def __init__(self) -> None:
        self._rows: dict[str, int] = {}
        self._snippets: dict[str, int] = {}
        self._twice: dict[str, bool] = {}

    def see(self, hits: Iterable[Hit]) -> None:
        """Take note of the rows of a page."""
        for hit in hits:
            snippet = hash(hit.snippet)
            if hit.key in self._rows:
                before = self._twice.get(hit.key, True)
                self._twice[hit.key] = before and self._snippets[hit.key] == snippet
            self._rows[hit.key] = _without_snippet(hit)
            self._snippets[hit.key] = snippet

    @property
    def are_steady(self) -> bool:
        """Whether a document's snippet is the same for every query."""
        shown = len(self._twice)
        return shown >= LEAST_SHOWN_TWICE and sum(self._twice.values()) >= STEADY * shown

    def are_same(self, hit: Hit) -> bool:
        """Say whether a document's row looks as it did."""
        is_steady = self.are_steady
        return self._rows.get(hit.key) == _without_snippet(hit) and (
            not is_steady or self._snippets[hit.key] == hash(hit.snippet)
        )


def _without_snippet(hit: Hit) -> int:
    return hash(msgspec.json.encode(msgspec.structs.replace(hit, snippet="")))


class Earlier:
    """The harvest that is updated, opened to read.

    Args:
        folder: It is in. What queries showed is read from the harvests before it, too.

    Attributes:
        documents: How many it holds.
        shown: What its queries showed of them.
        rows: How their rows looked.
        has_totals: Its source says exactly how many documents match.
        catches: When each harvest ended, and what its searches showed.
        lists_texts: Its result pages hold the whole text of documents.
    """

    def __init__(self, folder: Path) -> None:
        self.catches: list[Catch] = []
        self.shown = Shown()
        self.rows = Rows()
        self.has_totals = self.lists_texts = False
        self._smallest: dict[str, Query] | None = None
        for each in (*earlier_folders(folder), folder):
            self._read(each)
        self._store = open_store(folder)
        self.ended_at = self._store.span()[1]
        self._keys = dict.fromkeys(self._store.keys())

    def _read(self, folder: Path) -> None:
        showed: set[str] = set()
        with closing(open_store(folder)) as store:
            for event in store.events():
                if isinstance(event, PageReceived):
                    showed.update(event.page.keys)
                    self.shown.see(event.query, event.number, event.page.keys)
                    self.rows.see(event.page.hits)
                    # That there is none says even a source that counts nothing.
                    self.has_totals |= bool(event.page.exact_total)
                    self.lists_texts |= any(hit.text is not None for hit in event.page.hits)
            self.catches.append(Catch(store.span()[1], showed))

    def __len__(self) -> int:
        return len(self._keys)

    @property
    def keys(self) -> list[str]:
        """Of its documents, in the order in which they came."""
        return list(self._keys)

    def smallest_answer(self, key: str) -> Query | None:
        """Return the query with the fewest results among those that showed a document."""
        if self._smallest is None:
            rows = {query: self.shown.keys(query) for query in self.shown.pages}
            self._smallest = {}
            for query in sorted(rows, key=lambda each: len(rows[each])):
                for shown in rows[query]:
                    self._smallest.setdefault(shown, query)
        return self._smallest.get(key)

    def held(self, key: str) -> Document | None:
        """Return a document as it holds it; None where it has none of that key."""
        return self._store.document(key) if key in self._keys else None

    def document(self, key: str) -> Document:
        """Return a document that it holds."""
        found = self.held(key)
        assert found is not None, key
        return found

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def close(self) -> None:
        """Let go of its store."""
        self._store.close()
