"""Documents that cannot be told apart, since a title is all that a source gives them."""

from __future__ import annotations

from collections import Counter

from longline.model import Page


class Namesakes:
    """Counts the results that share a title with another one on the same page.

    One page seldom lists a document twice, so they are documents of their own; of each title only
    one is saved.

    >>> from longline.model import Hit
    >>> seen = Namesakes()
    >>> seen.see(Page((Hit("Minutes"), Hit("Minutes"), Hit("Budget"))))
    >>> seen.see(Page((Hit("Minutes"), Hit("Minutes"), Hit("Minutes"))))
    >>> len(seen)
    2
    """

    def __init__(self) -> None:
        self._most: dict[str, int] = {}

    def see(self, page: Page) -> None:
        """Take note of a result page."""
        for title, times in Counter(hit.key for hit in page.hits).items():
            if times > self._most.get(title, 1):
                self._most[title] = times

    def __len__(self) -> int:
        """Return how many documents at least are held as another of the same title."""
        return sum(self._most.values()) - len(self._most)
