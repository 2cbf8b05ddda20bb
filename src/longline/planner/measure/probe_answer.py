"""Read the answer to a probe to its end, or until it shows that it has no end to be had."""

from __future__ import annotations

from longline.events import AnyEvent, DocumentReceived, PageFailed, PageReceived
from longline.model import Document, Page, Probe, Query, Total
from longline.planner.observed import is_complete


class Reading:
    """One word's answer, as it comes.

    Args:
        word: To ask for.
        limit: Rows after which the answer counts as cut; None reads to the end.
        counts: Only the source's count is wanted: one page, and no document's own.
        believes: Totals are what they should be.
    """

    def __init__(
        self, word: str, limit: int | None, *, counts: bool = False, believes: bool = True
    ) -> None:
        self.word = word
        self.counts = counts
        self._believes = believes
        self._limit = 0 if counts else limit
        self._number = 0
        self._rows = 0
        self._last: Page | None = None
        self._failed = False
        self._breaks_off = False  # a page after the first brought nothing new
        self._hits: set[str] = set()
        self._documents: dict[str, Document] = {}

    def next(self) -> Probe | None:
        """Return the page to ask for; None when no more is wanted."""
        if self._number and not self._goes_on():
            return None
        self._number += 1
        return Probe(Query((self.word,)), self._number, reads=not self.counts)

    def _goes_on(self) -> bool:
        page, total = self._last, self._total
        if self._failed or page is None or page.next is None:
            return False
        is_too_long = self._limit is not None and (
            self._rows >= self._limit or (total is not None and total.documents > self._limit)
        )
        return not is_too_long

    @property
    def _total(self) -> Total | None:
        return self._last.total if self._last is not None and self._believes else None

    def tell(self, event: AnyEvent) -> None:
        """Be told what came of it."""
        match event:
            case PageReceived(_, _, page):
                is_new = not self._hits.issuperset(page.keys)
                self._breaks_off = self._number > 1 and not is_new
                # What says "next" without anything new would say so for ever.
                self._last = page if is_new else Page(page.hits, page.total)
                self._rows += len(page.hits)
                self._hits.update(page.keys)
            case PageFailed():
                self._failed = True
            case DocumentReceived(document):
                self._documents[document.key] = document

    @property
    def failed(self) -> bool:
        """Whether a page did not come: then nothing is known of this word."""
        return self._failed

    def count(self) -> int | None:
        """Return how many documents match, where the source says so exactly."""
        return None if self._last is None else self._last.exact_total

    @property
    def _has_ended(self) -> bool:
        return self._last is not None and self._last.next is None

    def bears_out(self) -> bool | None:
        """Say whether an exact total is the rows that came; None where not all came, or none.

        Pages that repeat rows, or bring nothing new, lose others: they say nothing of the total.
        """
        count = self.count()
        is_cut = self._limit is not None and self._rows >= self._limit
        if not self._has_ended or is_cut or self._breaks_off or count is None or not self._rows:
            return None
        return count in (len(self._hits), self._rows)

    def texts(self) -> dict[str, str] | None:
        """Return the text of every match that came, by key; None where the answer was cut.

        A title and a snippet are no text: by their few words a document would weigh too much.
        """
        rows, different = self._rows, len(self._hits)
        if not (self._has_ended and is_complete(rows, different, self._total, self._limit)):
            return None
        return {key: f"{each.title}\n{each.text}" for key, each in self._documents.items()}
