"""A way of searching, written as a generator, told step by step as an explorer."""

from collections.abc import Generator

from longline.known_item.explorer import Answer, SitePage

Course = Generator[str, SitePage | None, Answer]
"""Yields the key wanted, is sent the page (None: it could not be had), returns the answer."""

Asking = Generator[str, SitePage | None, SitePage | None]


class CourseExplorer:
    """An explorer that follows a course."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._wanted: str | Answer | None = None

    def next(self) -> str | Answer:
        """Say which page to download next, or how the search ended."""
        if self._wanted is None:
            self._advance(None)
        assert self._wanted is not None
        return self._wanted

    def tell(self, page: SitePage) -> None:
        """Be told the page last asked for."""
        self._advance(page)

    def fail(self, key: str) -> None:
        """Be told that the page last asked for could not be had."""
        self._advance(None)

    def _advance(self, page: SitePage | None) -> None:
        try:
            self._wanted = self._course.send(page)
        except StopIteration as end:
            self._wanted = end.value


class Downloads:
    """The pages had so far, so that none is asked for twice.

    Attributes:
        count: Pages asked for, those that could not be had included.
        budget: That `count` may come to; None for no limit.
    """

    def __init__(self, budget: int | None = None) -> None:
        self.count = 0
        self.budget = budget
        self._pages: dict[str, SitePage | None] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._pages

    @property
    def is_spent(self) -> bool:
        """Whether no further page may be asked for."""
        return self.budget is not None and self.count >= self.budget

    def get(self, key: str) -> Asking:
        """Return a page, asking for it if need be; None if it cannot be had or budget is spent.

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
