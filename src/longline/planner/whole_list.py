"""Read a list of documents that the source itself offers, to its end, without sending words."""

from typing import Literal

from longline.events import AnyEvent, PageReceived, SizeEstimate
from longline.model import Finish, Page, Query, Request, Search
from longline.planner.reports import Reports
from longline.ports import Asking, GeneratorPolicy
from longline.text.numbers import counted

Coverage = Literal["all", "part"]
"""Whether a list names every document, or may leave some out."""

MOST_STALE = 20
"""After this many pages in a row with nothing new, the list is taken to repeat itself."""

NEARLY = 0.9
"""Minimum share of the documents of a list that announces about as many, if it is whole."""

LISTING = Query(())
"""The query that represents a list in the journal: one without words."""


class WholeList(GeneratorPolicy[Search, Page], Reports):
    """Read every page of a list, or every file that it consists of.

    The harvest is complete if the list covers all documents, was read to its end, and named as many
    documents as it announces. A list that may leave documents out never proves completeness.

    Args:
        coverage: Whether the list names every document.
        holds: What the list holds of each document, in words for people.

    Attributes:
        said: The number of documents that the list announces, or None.
        about: The largest number that it announces, exact or not.
        is_read: Whether the list was read to its end.

    >>> planner = WholeList("all", "their texts")
    >>> planner.next()
    Search(query=Query(required=()), number=1)
    >>> planner.tell(PageReceived(LISTING, 1, Page()))
    >>> planner.next().reason
    'the list was read to its end: it names 0 documents, and holds their texts'
    """

    def __init__(self, coverage: Coverage, holds: str) -> None:
        super().__init__(self._planned())
        self._coverage = coverage
        self._holds = holds
        self._keys: set[str] = set()
        self._files: set[Request] = set()
        self.said: int | None = None
        self.about = 0
        self._deleted = 0
        self.is_read = False

    def tell(self, event: AnyEvent) -> None:
        """Process a result page."""
        if isinstance(event, PageReceived):
            self.came = event.page
            self._keys.update(event.page.keys)
            self._deleted += event.page.deleted
            exact = event.page.exact_total
            self.said = self.said if exact is None else exact
            if event.page.total is not None:
                self.about = max(self.about, event.page.total.documents)

    def listed(self) -> int:
        """Return the number of documents; 0 if the list is partial or was not read to its end."""
        if self._coverage == "part" or not self.is_read:
            return 0
        announced = self.about if self._is_short else self.said or 0
        return max(len(self._keys), announced)

    @property
    def _is_short(self) -> bool:
        """Whether far fewer came than are announced, with those named as deleted."""
        return len(self._keys) + self._deleted < NEARLY * self.about

    def at_least(self) -> int:
        """Return how many documents the list announces; 0 if it does not say, or is partial."""
        return 0 if self._coverage == "part" else self.said or 0

    def size(self) -> SizeEstimate | None:
        """Return the number that a list announces, if it was not read to its end."""
        held = len(self._keys)
        if self._coverage == "part" or self.is_read or self.about <= held:
            return None
        return SizeEstimate(documents=self.about, low=held, high=None, method="list")

    def _planned(self) -> Asking[Finish]:
        number, missed, stale = 0, 0, 0
        last: tuple[str, ...] = ()
        while True:
            number, known = number + 1, len(self._keys)
            page = yield Search(LISTING, number)
            missed += page is None or page.torn or page.partial or page.is_lost
            page = page or Page()
            self._files.update(page.files)
            files = len(self._files)
            is_repeated = bool(page.keys) and page.keys == last
            last, stale = page.keys, 0 if len(self._keys) > known else stale + 1
            if number > files and (page.next is None or is_repeated):
                # For a repeated page with a next link, only a total shows if the list ended.
                missed += is_repeated and page.next is not None and self.said != len(self._keys)
                break
            if stale > MOST_STALE + files:
                missed += 1
                break
        self.is_read = not missed
        return self._ended(missed)

    def _ended(self, missed: int) -> Finish:
        named = f"it names {counted(len(self._keys), 'document')}, and holds {self._holds}"
        if missed:
            lost = counted(missed, "page of the list", "pages of the list")
            return Finish(f"{lost} did not come whole; {named}", False)
        if self._coverage == "part":
            said = "; how many documents it leaves out is not known"
            return Finish(f"the list was read to its end: {named}{said}", False)
        if self._is_short or (self.said is not None and len(self._keys) < self.said):
            said = f"it says {counted(self.said or self.about, 'document')}"
            return Finish(f"the list ended early: {said}; {named}", False)
        return Finish(f"the list was read to its end: {named}")
