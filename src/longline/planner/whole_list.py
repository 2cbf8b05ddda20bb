"""A list that the source itself gives, read to its end: no words are sent."""

from typing import Literal

from longline.events import AnyEvent, PageReceived
from longline.model import Finish, Page, Query, Request, Search
from longline.planner.reports import Reports
from longline.ports import Asking, GeneratorPolicy
from longline.text.numbers import counted

Coverage = Literal["all", "part"]
"""Whether a list names every document, or may leave some out."""

MOST_STALE = 20
"""Pages in a row without anything new, after which a list is taken to go in a circle."""

LISTING = Query(())
"""What stands for a list in the journal: a query without words."""


class WholeList(GeneratorPolicy[Search, Page], Reports):
    """Read every page of a list, or every file that it consists of.

    It is complete where the list is one of all documents and was read to its end, and where as many
    came as it says itself. Of a list that may leave documents out nobody knows that.

    Args:
        coverage: Of the list.
        holds: What it has of a document, for people.

    Attributes:
        said: How many documents the list says that it has; None where it says nothing.
        is_read: It was read to its end.

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
        self.is_read = False

    def tell(self, event: AnyEvent) -> None:
        """Be told what came."""
        if isinstance(event, PageReceived):
            self.came = event.page
            self._keys.update(event.page.keys)
            exact = event.page.exact_total
            self.said = self.said if exact is None else exact

    def listed(self) -> int:
        """Return how many documents there are, where the list is one of all and was read."""
        if self._coverage == "part" or not self.is_read:
            return 0
        return max(len(self._keys), self.said or 0)

    def _planned(self) -> Asking[Finish]:
        number, missed, stale = 0, 0, 0
        last: tuple[str, ...] = ()
        while True:
            number, known = number + 1, len(self._keys)
            page = yield Search(LISTING, number)
            missed += page is None or page.torn
            page = page or Page()
            self._files.update(page.files)
            files = len(self._files)
            is_repeated = bool(page.keys) and page.keys == last
            last, stale = page.keys, 0 if len(self._keys) > known else stale + 1
            if number > files and (page.next is None or is_repeated):
                # A page that comes again and leads on: whether that is the end only a total tells.
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
        if self.said is not None and len(self._keys) < self.said:
            said = f"it says {counted(self.said, 'document')}"
            return Finish(f"the list ended early: {said}; {named}", False)
        return Finish(f"the list was read to its end: {named}")
