"""What a harvest's queries bring: rows, keys, and new documents per request."""

from collections import deque

from longline.model import Page
from longline.text.hashes import Hashes

WINDOW = 100
"""The number of requests for which the recent rate is computed."""


class Answer:
    """The rows and keys so far of a query whose last page is not read yet."""

    def __init__(self) -> None:
        self.rows = 0
        self.keys = Hashes()

    def see(self, page: Page, *, keep_keys: bool) -> None:
        """Add a page."""
        self.rows += len(page.hits)
        for hit in page.hits if keep_keys else ():
            self.keys.number(hit.key)


class Returns:
    """New documents and requests of the last pages."""

    def __init__(self) -> None:
        self._pages: deque[list[int]] = deque()
        self._requests = 0
        self._new = 0

    def begin_page(self) -> None:
        """Record a result page."""
        while self._pages and self._requests - self._pages[0][0] >= WINDOW:
            requests, new = self._pages.popleft()
            self._requests -= requests
            self._new -= new
        self._pages.append([1, 0])
        self._requests += 1

    def add_document(self, requests: int) -> None:
        """Record a new document, and the number of requests it cost."""
        if self._pages:
            self._pages[-1][0] += requests
            self._pages[-1][1] += 1
        self._requests += requests
        self._new += 1

    def is_below(self, least: float) -> bool:
        """Return whether fewer than `least` new documents per request came recently."""
        return self._requests >= WINDOW and self._new < least * self._requests
