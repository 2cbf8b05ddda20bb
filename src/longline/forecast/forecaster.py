"""Predict the cost of each route from a probe's findings, and what a number of requests saves."""

from collections.abc import Callable, Mapping
from math import ceil

import msgspec
import numpy as np

from longline.discovery.routes import Offer
from longline.planner.capabilities import Capabilities
from longline.planner.probe import (
    COVERAGES,
    ORDINARY,
    PageForecast,
    Ranking,
    SizeRange,
    Vocabulary,
    adaptive_outlook,
    nearest_outlook,
    partition_outlook,
)

AIM = 0.95
"""The coverage at which routes are compared."""

UNKNOWN_SIZE = 10_000
"""If the size is unknown, predictions per thousand documents are made for this size."""

SITE_CHANGES = 0.05
"""Relative error of a list's total, compared with the documents that can be loaded."""

Figures = dict[str, int | None]

METHODS = {
    "listing": "the source's own list",
    "roots": "searches for common words",
    "shares": "how many results common words have",
    "sitemap": "the sitemap",
    "oai-pmh": "OAI-PMH",
}
"""Names of the methods that find out how many documents there are."""


class Size(msgspec.Struct, frozen=True):
    """How many documents the source holds.

    Attributes:
        documents: The estimate; None if unknown.
        low: The lower end of the interval.
        high: The upper end of the interval; None if there is none.
        at_least: A proved lower bound.
        method: How it was found; see docs/research/decisions/0016-plan.md for how exact each is.
    """

    documents: int | None
    low: int
    high: int | None
    at_least: int
    method: str

    @property
    def told_by(self) -> str:
        """What the number was found from, in words."""
        return METHODS.get(self.method, self.method)


class Route(msgspec.Struct, frozen=True, kw_only=True):
    """A route to the documents; requests are by coverage: "0.5", "0.8", "0.9", "0.95", "0.98".

    Attributes:
        route: partition, adaptive, nearest, listing, index, sitemap, oai-pmh, feed or dump.
        how: How it works, in one line.
        url: The URL where it begins; "" for those that send queries.
        requests: Predicted requests, with documents' own pages; None beyond its reach, or if the
            size is not known.
        least, most: The interval of `requests`.
        per_thousand: Requests per thousand documents, if the size is not known.
        seconds: The time for `requests`, at the plan's rate.
        reach: Share of the source at which it ends; None if unknown.
        goes_on: Whether a harvest then narrows searches that were cut, and may so reach more.
        brings: "documents", or "records" with descriptions of them.
        command: The command that harvests it; "" if longline cannot.
        note: What to know before using it.
    """

    route: str
    how: str
    url: str = ""
    requests: Figures
    least: Figures
    most: Figures
    per_thousand: Figures = {}
    seconds: Figures
    reach: float | None
    goes_on: bool = False
    brings: str = "documents"
    command: str = ""
    note: str = ""


class Forecaster:
    """Convert findings into requests by coverage.

    Args:
        size: How many documents the source has.
        rate: Requests per second, to compute the time.
        document_pages: Whether each document needs a request of its own.
        words: The source's words.
        is_limit_known: Whether the return limit is one, and not only the most that a search showed.
    """

    def __init__(
        self,
        size: Size,
        rate: float,
        *,
        document_pages: bool,
        words: Vocabulary = ORDINARY,
        is_limit_known: bool = True,
    ) -> None:
        self._size = size
        self._is_limit_known = is_limit_known
        self._rate = rate
        self._document_pages = document_pages
        self._words = words

    def partition(self, able: Capabilities, ranking: Ranking | None, name: str) -> Route:
        """Predict a partition by AND and NOT."""
        how = "searches with AND and NOT that split the source into parts that do not overlap"
        note = f"AND, NOT, totals {able.counts or 'unknown'}, {self._limit(able)}"

        def outlook_at(documents: float) -> PageForecast:
            return partition_outlook(documents, able, self._words, ranking)

        takes_turns = outlook_at(self._size.documents or UNKNOWN_SIZE).takes_turns
        return self._searched(
            "partition",
            outlook_at,
            how=f"{how}, alternating with single words" if takes_turns else how,
            command=f"longline harvest {name}{'' if takes_turns else ' --strategy partition'}",
            note=f"{note}{self._on_lengths(takes_turns=takes_turns)}",
        )

    def _on_lengths(self, *, takes_turns: bool) -> str:
        """Return a note on the lengths of documents, if they matter."""
        if not self._words.is_known:
            return "; the length of documents is unknown, and short ones cost more"
        return "; few documents share a word, as where they are a few words long" * takes_turns

    def adaptive(self, able: Capabilities, ranking: Ranking | None, name: str) -> Route:
        """Predict single terms."""
        order = {"static": "one order for all searches", "dynamic": "order by relevance"}
        note = f"{order.get(ranking or '', 'order unknown: calculated as one for all searches')}"
        goes_on = able.conjunction and not able.negation and able.counts in (None, "exact")
        found = self._searched(
            "adaptive",
            lambda documents: adaptive_outlook(documents, able, ranking, self._words),
            how="single words, chosen by what came back"
            + "; then further words for searches that were cut, if totals are exact" * goes_on,
            command=f"longline harvest {name}{'' if goes_on else ' --strategy adaptive'}",
            note=f"{note}, {self._limit(able)}",
        )
        return msgspec.structs.replace(found, goes_on=goes_on and (found.reach or 0) < 1)

    def nearest(self, able: Capabilities, name: str) -> Route:
        """Predict a search by meaning, with texts of documents as queries."""
        return self._searched(
            "nearest",
            lambda documents: nearest_outlook(documents, able),
            how="texts of documents that few searches showed",
            command=f"longline harvest {name} --strategy nearest",
            note="every search shows the nearest documents, whatever its words; "
            + self._limit(able),
        )

    def _searched(
        self,
        route: str,
        outlook_at: Callable[[float], PageForecast],
        *,
        how: str,
        command: str,
        note: str,
    ) -> Route:
        size = self._size
        documents = size.documents or UNKNOWN_SIZE
        here = outlook_at(documents)
        low = outlook_at(max(1, size.low))
        high = outlook_at(size.high) if size.high else None
        figures = self._requests(here.pages, documents)
        least = self._requests(low.pages, size.low, 1 - low.error)
        most = {} if high is None else self._requests(high.pages, size.high or 0, 1 + high.error)
        is_known = size.documents is not None
        return Route(
            route=route,
            how=how,
            requests=figures if is_known else _nothing(),
            least=least if is_known else _nothing(),
            most=most if is_known and most else _nothing(),
            per_thousand={} if is_known else _per_thousand(figures, documents),
            seconds=self._seconds(figures if is_known else _nothing()),
            reach=round(here.reach, 3),
            command=command,
            note=note,
        )

    def _limit(self, able: Capabilities) -> str:
        limit = "result limit unknown" if able.limit is None else f"{able.limit:,} results at most"
        if able.limit is not None and not self._is_limit_known:
            limit = f"calculated with {limit}, as no search showed more"
        return f"{limit}, {able.page_size or '?'} results a page"

    def _requests(
        self, pages: Mapping[float, float | None], documents: float, times: float = 1.0
    ) -> Figures:
        own = documents if self._document_pages else 0
        return {
            f"{coverage:g}": None if cost is None else ceil(cost * times + coverage * own)
            for coverage, cost in pages.items()
        }

    def offered(self, offer: Offer, command: str = "") -> Route:
        """Predict a route that the site offers besides its search.

        Args:
            offer: The route.
            command: The command that harvests it; an index has one of its own.
        """
        how = {
            "dump": "one file that, says the site, holds everything",
            "index": "the index of the site's own scripts: every page that it names, in one file",
            "sitemap": "the site's own list of addresses, then every document's page",
            "oai-pmh": "records for programs, about a hundred at a time",
            "feed": "the newest documents, in one answer",
            "listing": "the site's own list, without a search",
        }[offer.kind]
        reach = self._reach(offer)
        figures = self._offered_at(offer, self._size.documents, reach)
        low = self._offered_at(offer, self._size.low, reach)
        high = self._offered_at(offer, self._size.high, reach)
        return Route(
            route=offer.kind,
            how=how,
            url=offer.url,
            requests=figures,
            least=low,
            most=high,
            seconds=self._seconds(figures),
            reach=reach,
            brings="records" if offer.kind == "oai-pmh" else "documents",
            command=f"longline harvest {offer.url}" if offer.kind == "index" else command,
            note=offer.note,
        )

    def _reach(self, offer: Offer) -> float | None:
        if offer.kind == "dump" or offer.documents is None or not self._size.documents:
            return None
        share = min(1.0, offer.documents / self._size.documents)
        # A list as long as the source may still be a list of other documents.
        return round(share if offer.found is None else min(share, offer.found), 3)

    def _offered_at(self, offer: Offer, documents: int | None, reach: float | None) -> Figures:
        if offer.kind == "dump":
            return {f"{coverage:g}": 1 for coverage in COVERAGES}
        if documents is None or reach is None or offer.lists is None or not offer.documents:
            return _nothing()
        figures: Figures = {}
        for coverage in COVERAGES:
            if coverage > reach + SITE_CHANGES * (reach > AIM):
                figures[f"{coverage:g}"] = None
                continue
            wanted = min(coverage * documents, offer.documents)
            own = wanted if self._has_own_pages(offer) else 0
            # A list must be read up to the documents needed; files of a sitemap completely.
            part = min(1.0, wanted / offer.documents) if offer.kind != "sitemap" else 1.0
            figures[f"{coverage:g}"] = ceil(offer.lists * part) + ceil(own)
        return figures

    def _has_own_pages(self, offer: Offer) -> bool:
        if offer.kind == "listing":
            return self._document_pages
        return offer.kind in ("index", "sitemap", "feed")

    def _seconds(self, figures: Figures) -> Figures:
        return {
            coverage: None if cost is None else ceil(cost / self._rate)
            for coverage, cost in figures.items()
        }


def size_of(sounding: SizeRange, offers: list[Offer]) -> Size:
    """Return a listing's exact total, else the estimate, else the size of the longest list."""
    total = next((offer.total for offer in offers if offer.total), None)
    at_least = sounding.at_least
    if total is not None and total >= at_least:
        return Size(total, total, total, total, "listing")
    if sounding.documents is not None:
        high = None if sounding.high is None else ceil(sounding.high)
        return Size(round(sounding.documents), int(sounding.low), high, at_least, sounding.method)
    lists = [offer for offer in offers if offer.kind in ("sitemap", "oai-pmh", "listing")]
    longest = max(lists, key=lambda offer: offer.documents or 0, default=None)
    if longest is not None and (longest.documents or 0) >= at_least:
        return Size(longest.documents, at_least, None, at_least, longest.kind)
    return Size(None, at_least, None, at_least, sounding.method)


def _nothing() -> Figures:
    return {f"{coverage:g}": None for coverage in COVERAGES}


def _per_thousand(figures: Figures, documents: float) -> Figures:
    return {
        coverage: None if cost is None else round(1000 * cost / documents)
        for coverage, cost in figures.items()
    }


def cost_of(route: Route) -> tuple[bool, float, float]:
    """Return a sort key: routes that reach the aim first, by requests; then others by reach."""
    figures = route.per_thousand or route.requests
    cost = figures.get(f"{AIM:g}")
    is_sure = cost is not None and route.reach is not None and route.brings == "documents"
    return (not is_sure, float(cost or 0) if is_sure else 0.0, -(route.reach or 0.0))


def best_of(routes: list[Route]) -> str:
    """Return the best route with a known reach that brings documents, or ""."""
    sure = [each for each in routes if each.reach is not None and each.brings == "documents"]
    return min(sure, key=cost_of).route if sure else ""


class Brought(msgspec.Struct, frozen=True, kw_only=True):
    """What a harvest of a number of requests would save.

    Attributes:
        requests: Requests of the harvest, with documents' own pages.
        documents: The documents saved.
        low, high: The interval; `high` is None if the size has no upper bound.
        seconds: The time for the requests, at the plan's rate.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     plan = longline.plan(url, allow_private=True)
        >>> some = plan.after(50)
        >>> some.low <= some.documents <= plan.size.documents
        True
    """

    requests: int
    documents: int
    low: int
    high: int | None
    seconds: int


def brought(route: Route, size: Size, requests: int, rate: float) -> Brought | None:
    """Predict what a number of requests saves by a route.

    Documents are interpolated between the predicted coverages; there are no more beyond the last.

    Args:
        route: The route, with its figures.
        size: How many documents the source has.
        requests: Requests of the harvest, > 0.
        rate: Requests per second.

    Returns:
        None if the size is not known, or the route has no figures.

    >>> way = Route(
    ...     route="partition", how="", reach=1.0, seconds={},
    ...     requests={"0.5": 600, "0.9": 1100}, least={"0.5": 500, "0.9": 900}, most={"0.5": 700},
    ... )
    >>> found = brought(way, Size(1000, 900, 1100, 0, "roots"), 600, rate=1.0)
    >>> found.documents, found.low, found.high
    (500, 471, 540)
    """
    if size.documents is None or not any(route.requests.values()):
        return None
    documents = _share(route.requests, requests) * size.documents
    ends = [documents, _share(route.least, requests) * size.low]
    if size.high is not None:
        ends.append(_share(route.most, requests) * size.high)
    return Brought(
        requests=requests,
        documents=round(documents),
        low=int(min(ends)),
        high=None if size.high is None else ceil(max(ends)),
        seconds=ceil(requests / rate),
    )


def _share(figures: Figures, requests: int) -> float:
    """Return the coverage that a number of requests reaches."""
    known = sorted((cost, float(share)) for share, cost in figures.items() if cost is not None)
    costs, shares = zip(*[(0, 0.0), *known], strict=True)
    return float(np.interp(requests, costs, shares))
