"""A search written as a generator, and used as an explorer."""

from collections.abc import Generator

from longline.known_item.explorer import Answer, SitePage

Course = Generator[str, SitePage | None, Answer]
"""Yields the key of the next page, receives the page (None if it failed), returns the answer."""

Asking = Generator[str, SitePage | None, SitePage | None]


class CourseExplorer:
    """An explorer that runs a generator."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._wanted: str | Answer | None = None

    def next(self) -> str | Answer:
        """Return the key of the next page to download, or the answer."""
        if self._wanted is None:
            self._advance(None)
        assert self._wanted is not None
        return self._wanted

    def tell(self, page: SitePage) -> None:
        """Process the page requested last."""
        self._advance(page)

    def fail(self, key: str) -> None:
        """Continue without the page requested last, which failed."""
        self._advance(None)

    def _advance(self, page: SitePage | None) -> None:
        try:
            self._wanted = self._course.send(page)
        except StopIteration as end:
            self._wanted = end.value


class Downloads:
    """The pages downloaded so far, so that none is requested twice.

    Attributes:
        count: The number of pages requested, with failed ones.
        budget: The greatest `count`; None for no limit.
    """

    def __init__(self, budget: int | None = None) -> None:
        self.count = 0
        self.budget = budget
        self._pages: dict[str, SitePage | None] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._pages

    @property
    def is_spent(self) -> bool:
        """Whether no further page may be requested."""
        return self.budget is not None and self.count >= self.budget

    def get(self, key: str) -> Asking:
        """Return a page, downloaded if needed; None if it failed or the budget is spent.

        >>> asking = Downloads().get("home")
        >>> next(asking)
        'home'
        """
        if key not in self._pages and not self.is_spent:
            self.count += 1
            page = yield key
            self._pages[key] = page
            if page is not None:
                self._pages.setdefault(page.key, page)
        return self._pages.get(key)
