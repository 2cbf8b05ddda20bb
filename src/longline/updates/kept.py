"""Why an update keeps a document that it did not read."""

from collections.abc import Container

from longline.events import DocumentFailed
from longline.ledger import Ledger, truncations
from longline.updates.earlier import Earlier

NOT_ASKED = "it was not asked for"
NOT_WHOLE = "the search that showed it before was not read to its end"


class WhyKept:
    """Tells documents that are gone from those that an update could not check.

    Args:
        earlier: The harvest before.
        ledger: Of the update.
        shown: Keys of the documents that the update's searches showed.
        has_pages: Whether documents can be requested one by one.
    """

    def __init__(
        self, earlier: Earlier, ledger: Ledger, shown: Container[str], *, has_pages: bool
    ) -> None:
        self._earlier = earlier
        self._ledger = ledger
        self._shown = shown
        self._has_pages = has_pages

    def of(self, key: str, *, names_all: bool) -> str:
        """Return why a document that was not read is kept; "" if it is gone, or moved.

        Args:
            key: The document's key.
            names_all: Whether the source's lists name every document, and deleted ones, too.
        """
        failed = self._ledger.failures.documents.get(key)
        has_moved = self._ledger.kept_as(key) != key
        if has_moved or (failed is not None and failed.is_gone):
            return ""
        if failed is not None and (key in self._shown or not is_unreadable(failed)):
            return failed.reason
        query = self._earlier.smallest_answer(key)
        sums = self._ledger.query_ledgers.get(query) if query is not None else None
        if (self._has_pages and failed is None) or query is None or sums is None:
            return NOT_ASKED
        limit = self._ledger.inferred_limit()
        is_whole = not (sums.is_unfinished or truncations(query, sums, limit))
        # A repository may count what it names as deleted, or not.
        counts_more = not names_all and sums.rows < (sums.reported or 0)
        return "" if is_whole and not counts_more else NOT_WHOLE

    def may_have_moved(self, key: str, reason: str) -> bool:
        """Return whether a document is gone from its address, or that shows another one's page."""
        failed = self._ledger.failures.documents.get(key)
        return not reason or (failed is not None and failed.placeholder != "")


def is_unreadable(failed: DocumentFailed | None) -> bool:
    """Return whether a page was received, with status 200, that has no document."""
    if failed is None or failed.forbidden or failed.media_type:
        return False
    return failed.status is None and (failed.placeholder != "" or not failed.passing)
