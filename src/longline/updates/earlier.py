"""Data from previous harvests for an update: their documents, and how their rows looked."""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import msgspec

from longline.estimate import Catch
from longline.events import PageReceived, Stopped
from longline.harvester import field_names, open_store
from longline.model import Document, Hit, Query
from longline.planner.again import Shown
from longline.updates.history import earlier_folders

STEADY = 0.95
"""If at least this share of documents shown by several queries has a constant snippet, snippets do
not depend on the query."""

LEAST_SHOWN_TWICE = 20
"""Minimum number of documents shown by several queries before that is decided."""


class Rows:
    """How the rows of documents looked, recorded page by page.

    >>> rows = Rows()
    >>> rows.see([Hit("a", title="Sea"), Hit("b", title="Web")])
    >>> rows.are_same(Hit("a", title="Sea")), rows.are_same(Hit("a", title="The sea"))
    (True, False)
    """

    def __init__(self) -> None:
        self._rows: dict[str, int] = {}
        self._snippets: dict[str, int] = {}
        self._twice: dict[
            str, bool
        ] = {}  # if a snippet was always the same, of documents shown twice
        self._constant = 0  # how many of these

    def see(self, hits: Iterable[Hit]) -> None:
        """Record the rows of a page."""
        for hit in hits:
            snippet = hash(hit.snippet)
            if hit.key in self._rows:
                is_same = self._twice.get(hit.key, True) and self._snippets[hit.key] == snippet
                self._constant += is_same - self._twice.get(hit.key, False)
                self._twice[hit.key] = is_same
            self._rows[hit.key] = _without_snippet(hit)
            self._snippets[hit.key] = snippet

    @property
    def are_steady(self) -> bool:
        """Whether a document's snippet is the same for every query."""
        shown = len(self._twice)
        return shown >= LEAST_SHOWN_TWICE and self._constant >= STEADY * shown

    def are_same(self, hit: Hit) -> bool:
        """Return whether a document's row looks as before."""
        is_steady = self.are_steady
        return self._rows.get(hit.key) == _without_snippet(hit) and (
            not is_steady or self._snippets[hit.key] == hash(hit.snippet)
        )


def _without_snippet(hit: Hit) -> int:
    return hash(msgspec.json.encode(msgspec.structs.replace(hit, snippet="")))


class Earlier:
    """The harvest that is updated, opened to read.

    Args:
        folder: Its folder. The results of queries are also read from the harvests before it.

    Attributes:
        store: Its store.
        documents: Number of its documents.
        shown: Which documents its queries showed.
        rows: How their rows looked.
        has_totals: Its source reports exact totals.
        catches: When each harvest ended, and which documents its searches showed.
        lists_texts: Its result pages contain the complete text of documents.
        was_complete: It ended as complete.
        field_names: The names that its spec gave to fields; None if that is not stored.
    """

    def __init__(self, folder: Path) -> None:
        self.catches: list[Catch] = []
        self.shown = Shown()
        self.rows = Rows()
        self.has_totals = self.lists_texts = self.was_complete = False
        self._smallest: dict[str, Query] | None = None
        for each in (*earlier_folders(folder), folder):
            self._read(each)
        self.store = open_store(folder)
        self.ended_at = self.store.span()[1]
        self._keys = dict.fromkeys(self.store.keys())
        self.field_names = field_names(self.store)

    def _read(self, folder: Path) -> None:
        showed: set[str] = set()
        with closing(open_store(folder)) as store:
            for event in store.events():
                if isinstance(event, PageReceived):
                    showed.update(event.page.keys)
                    self.shown.see(event.query, event.number, event.page.keys)
                    self.rows.see(event.page.hits)
                    # Even a source without totals says so if nothing was found, so 0 does not
                    # count.
                    self.has_totals |= bool(event.page.exact_total)
                    self.lists_texts |= any(hit.text is not None for hit in event.page.hits)
                elif isinstance(event, Stopped):
                    self.was_complete = event.outcome == "complete"
            self.catches.append(Catch(store.span()[1], showed))

    def __len__(self) -> int:
        return len(self._keys)

    @property
    def keys(self) -> list[str]:
        """Keys of its documents, in the order of arrival."""
        return list(self._keys)

    def smallest_answer(self, key: str) -> Query | None:
        """Return the query with the fewest results among those that showed a document, or None."""
        if self._smallest is None:
            rows = {query: self.shown.keys(query) for query in self.shown.pages}
            self._smallest = {}
            for query in sorted(rows, key=lambda each: len(rows[each])):
                for shown in rows[query]:
                    self._smallest.setdefault(shown, query)
        return self._smallest.get(key)

    def document(self, key: str) -> Document:
        """Return a held document; its key must exist."""
        found = self.store.document(key)
        assert found is not None, key
        return found

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def close(self) -> None:
        """Close its store."""
        self.store.close()
