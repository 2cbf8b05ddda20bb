"""The answer to one query, page by page."""

from __future__ import annotations

from dataclasses import dataclass

from longline.model import Page


@dataclass(eq=False, slots=True, kw_only=True)
class AnswerProgress:
    """How far the answer to a query has come.

    A page without hits, or one that repeats the pages before it, ends an answer: a source that says
    "next" for ever is not followed for ever.

    Attributes:
        pages: Pages that came.
        rows: Rows on them, without those of a page that repeats the ones before it.
        different: Different documents on them.
        last: Rows on the last of them.
        reported: Its total; None where the source gave none.
        at_least: The total is a lower bound.
        ended: No more pages are to be had.
        cut: The last page was empty, or repeated another.
        failed: The last page did not come.
        keys: Of the documents on its pages, once each, as long as more may come. Those of one page
            are no set: it would take five times the memory, in thousands of answers that wait for
            their second page.
    """

    pages: int = 0
    rows: int = 0
    different: int = 0
    last: int = 0
    reported: int | None = None
    at_least: bool = False
    ended: bool = False
    cut: bool = False
    failed: bool = False
    keys: tuple[str, ...] | set[str] = ()

    def receive(self, page: Page | None) -> None:
        """Take note of the next page: None where it did not come."""
        self.pages += 1
        if page is None:
            self.ended = self.failed = True
            return
        keys = dict.fromkeys(hit.key for hit in page.hits)
        earlier = set(self.keys) if isinstance(self.keys, tuple) else self.keys
        is_repeat = self.pages > 1 and bool(keys) and keys.keys() <= earlier
        self.cut = self.pages > 1 and (not keys or is_repeat)
        self.ended = page.next is None or not keys or is_repeat
        if not is_repeat:
            self.rows += len(page.hits)
            self.last = len(page.hits)
        earlier.update(keys)
        self.keys = tuple(keys) if self.pages == 1 else earlier
        self.different = len(self.keys)
        if page.total is not None:
            self.reported = page.total.documents
            self.at_least = page.total.relation == "at least"
