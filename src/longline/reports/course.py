"""Record the history of a harvest from its journal, as some hundred points, whatever its length."""

from collections.abc import Callable
from typing import Generic, Literal, TypeVar

import msgspec

from longline.events import (
    AnyEvent,
    Concluded,
    DocumentFailed,
    DocumentReceived,
    FormReceived,
    NonsenseAnswered,
    PageFailed,
    PageReceived,
    RequestFailed,
    ResponseReceived,
    RobotsRead,
    SourceChecked,
    SourceFound,
)
from longline.ledger import Ledger

POINTS = 100
"""Minimum number of kept points, if there are that many; the maximum is twice that."""

Kind = Literal[
    "result pages",
    "test search pages",
    "document pages",
    "learning the source",
    "robots.txt",
    "search form",
    "checks",
    "other pages",
]
"""The purpose of a request."""


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a harvest at one moment.

    Attributes:
        requests: Sent so far.
        seconds: Since the first entry of the journal.
        documents: Held.
        size, low, high: Estimate of the source's documents at that time, with the 95 % interval.
        rows: Results received by the harvest's own searches, including repeats.
        unique: Different documents among them.
        pages: Result pages of the harvest's own searches.
    """

    requests: int
    seconds: float
    documents: int
    size: int | None
    low: int | None
    high: int | None
    rows: int
    unique: int
    pages: int


class SizePoint(msgspec.Struct, frozen=True, kw_only=True):
    """One estimate of the size, when it was made; `at_least` is the bound by exact totals."""

    requests: int
    documents: int
    held: int
    size: int | None
    low: int | None
    high: int | None
    at_least: int


class Asked(msgspec.Struct, kw_only=True):
    """The results of all requests of one kind.

    Attributes:
        requests: All of them; the sum of the next four.
        brought: Answers with the requested content.
        empty: Answers without results.
        failed: Failed requests, counting each try.
        extra: Redirects, and tries before the successful one.
        not_sent: Not sent, because of robots.txt or a refused address; not in `requests`.
    """

    kind: Kind
    requests: int = 0
    brought: int = 0
    empty: int = 0
    failed: int = 0
    extra: int = 0
    not_sent: int = 0


_Point = TypeVar("_Point")


class Thinned(Generic[_Point]):
    """Keep some of many points, evenly spaced, including the first and the last.

    Args:
        least: Minimum number of kept points, if there are that many.

    >>> some = Thinned(3)
    >>> for number in range(20):
    ...     some.add(lambda: number)
    >>> some.points()
    [0, 4, 8, 12, 16, 19]
    """

    def __init__(self, least: int = POINTS) -> None:
        self._most = 2 * least
        self._every = 1
        self._seen = 0
        self._kept: list[_Point] = []
        self._newest: Callable[[], _Point] | None = None

    def add(self, make: Callable[[], _Point]) -> None:
        """Add a point; it is only made if it is kept."""
        is_due = self._seen % self._every == 0
        self._seen += 1
        self._newest = None if is_due else make
        if not is_due:
            return
        point = make()
        self._kept.append(point)
        if len(self._kept) == self._most:
            self._kept = self._kept[::2]  # without the newest point
            self._every *= 2
            self._newest = lambda: point

    def points(self) -> list[_Point]:
        """Return the kept points and the newest one."""
        return [*self._kept, *([] if self._newest is None else [self._newest()])]


class Course:
    """Records the history of a harvest from every entry of its journal, in order.

    >>> from longline.model import Hit, Page, Query
    >>> ledger, course = Ledger(size=4), Course()
    >>> event = PageReceived(Query(("web",)), 1, Page((Hit("a"), Hit("b"))))
    >>> cuts = ledger.tell(event)
    >>> course.tell(event, 0.0, ledger)
    >>> [(point.requests, point.unique) for point in course.points()]
    [(1, 2)]
    """

    def __init__(self) -> None:
        self._points: Thinned[Point] = Thinned()
        self._sizes: Thinned[SizePoint] = Thinned(POINTS // 2)
        self._asked: dict[Kind, Asked] = {}
        self._begun: float | None = None
        self.most_rows = 0

    def tell(self, event: AnyEvent, recorded_at: float, ledger: Ledger) -> None:
        """Record an entry.

        Args:
            event: The event.
            recorded_at: Seconds since 1970.
            ledger: The ledger after it.
        """
        self._begun = recorded_at if self._begun is None else self._begun
        seconds = round(max(0.0, recorded_at - self._begun), 1)
        self._points.add(lambda: _point(ledger, seconds))
        if isinstance(event, Concluded):
            size = _size_point(event, ledger)
            self._sizes.add(lambda: size)
        if isinstance(event, PageReceived):
            self.most_rows = max(self.most_rows, len(event.page.hits))
        self._book(event)

    def points(self) -> list[Point]:
        """Return the states of the harvest over time; the last one is the current state."""
        return self._points.points()

    def sizes(self) -> list[SizePoint]:
        """Return the estimates of the size over time."""
        return self._sizes.points()

    def asked(self) -> list[Asked]:
        """Return the requests of each kind, with their results."""
        return list(self._asked.values())

    def _book(self, event: AnyEvent) -> None:
        requests: int = getattr(event, "requests", 0)
        is_kept_out = isinstance(event, DocumentFailed) and event.forbidden
        kind = _kind(event)
        if kind is None or not (requests or is_kept_out):
            return
        asked = self._asked.setdefault(kind, Asked(kind=kind))
        asked.requests += requests
        asked.not_sent += is_kept_out and not requests
        what = _what_came(event)
        is_one = what != "failed" and not isinstance(event, SourceFound)
        came = min(1, requests) if is_one else requests
        setattr(asked, what, getattr(asked, what) + came)
        asked.extra += requests - came


def _point(ledger: Ledger, seconds: float) -> Point:
    size = ledger.believed()
    return Point(
        requests=ledger.requests,
        seconds=seconds,
        documents=ledger.documents,
        size=size.size,
        low=size.low,
        high=size.high,
        rows=ledger.rows_received,
        unique=ledger.documents_seen,
        pages=ledger.result_pages,
    )


def _size_point(event: Concluded, ledger: Ledger) -> SizePoint:
    size = ledger.believed()
    return SizePoint(
        requests=ledger.requests,
        documents=ledger.documents_seen,
        held=ledger.documents,
        size=size.size,
        low=size.low,
        high=size.high,
        at_least=event.at_least,
    )


def _kind(event: AnyEvent) -> Kind | None:
    match event:
        case PageReceived() | PageFailed():
            return "test search pages" if event.probe else "result pages"
        case DocumentReceived() | DocumentFailed():
            return "document pages"
        case SourceFound():
            return "learning the source"
        case RobotsRead():
            return "robots.txt"
        case FormReceived():
            return "search form"
        case SourceChecked() | NonsenseAnswered():
            return "checks"
        case ResponseReceived() | RequestFailed():
            return "other pages"
        case _:
            return None


def _what_came(event: AnyEvent) -> Literal["brought", "empty", "failed"]:
    match event:
        case PageFailed() | DocumentFailed() | RequestFailed() | SourceChecked(answers=False):
            return "failed"
        case PageReceived(page=page):
            return "brought" if page.hits else "empty"
        case RobotsRead(status=status):
            return "brought" if status < 300 else "empty" if 400 <= status < 500 else "failed"
        case _:
            return "brought"
