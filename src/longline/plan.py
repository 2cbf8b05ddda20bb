"""The routes there are to a source's documents, and what each would cost, before anything is spent.

A probe of some twenty to thirty requests: a scout finds out what the search can do and how many
documents it holds, then other routes are looked for. Nothing is kept.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from math import ceil

import msgspec
import numpy as np
from protego import Protego

from longline.account import Account, Allowed, Budget
from longline.discover.routes import Offer, RouteFinder
from longline.engine import Engine
from longline.errors import InputError
from longline.events import AnyEvent, FormReceived, PageReceived, RobotsRead
from longline.fetch import WebFetcher, is_private_host
from longline.hand import WebHand
from longline.harvest import POLITE_RATE, _abilities
from longline.model import Hit, Response
from longline.planner._soundings import Sounding
from longline.planner._trials import Findings
from longline.planner.abilities import Abilities
from longline.planner.outlook import COVERAGES, Outlook, adaptive_outlook, partition_outlook
from longline.planner.scout import Scout
from longline.ports import Thinker
from longline.source import Source, Spec
from longline.store import MemoryStore

MAX_REQUESTS = 40

OTHER_ROUTES = 14
"""Requests that are set aside for other routes than the search, or a third of all."""

AIM = 0.95
"""The coverage that routes are compared at."""

UNKNOWN_SIZE = 10_000
"""Documents that a prediction for each thousand is made for, where the size is not known."""

SITE_CHANGES = 0.05
"""What a count of a list may be off by, relative to the documents that can be had."""

Observer = Callable[[AnyEvent, Account], None]
Figures = dict[str, int | None]


class Size(msgspec.Struct, frozen=True):
    """How many documents the source holds.

    Attributes:
        documents: The estimate; None where nothing tells.
        low: Hardly fewer.
        high: Hardly more; None where nothing bounds it.
        at_least: So many there are for certain.
        method: How it was found; docs/decisions/0016-plan.md says what each is worth.
    """

    documents: int | None
    low: int
    high: int | None
    at_least: int
    method: str


class Route(msgspec.Struct, frozen=True, kw_only=True):
    """A way to the documents; requests are by coverage: "0.5", "0.8", "0.9", "0.95", "0.98".

    Attributes:
        route: partition, adaptive, listing, sitemap, oai-pmh, feed or dump.
        how: In a line.
        url: Where it begins; "" for those that ask queries.
        requests: Predicted, documents' own pages included; None beyond its reach, or where the
            size is not known.
        least, most: What it may come to instead.
        per_thousand: Requests for each thousand documents, where the size is not known.
        seconds: For `requests`, at the plan's rate.
        reach: Share of the source at which it ends; None where that is not known.
        brings: "documents", or "records" with descriptions of them.
        command: What harvests it; "" where longline does not.
        note: What to know before.
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
    brings: str = "documents"
    command: str = ""
    note: str = ""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a probe found, and what follows from it.

    Attributes:
        source: Its home page.
        probe_requests: HTTP requests that the probe cost.
        stopped: Why the probe ended before its time; "" where it did not.
        size: Of the source.
        abilities: Of its search, as they turned out.
        doubts: What does not work as the spec says.
        ranking: "static", "dynamic", or None where too little came to tell.
        document_pages: Whether each document costs a request of its own.
        rate: Requests per second that `seconds` are reckoned with.
        routes: The cheapest first.
        recommended: The cheapest that reaches the aim, or else the one that reaches farthest;
            "" where no route was found.
        recommended_here: The same of those that `longline harvest` takes.
    """

    source: str
    probe_requests: int
    stopped: str
    size: Size
    abilities: Abilities
    doubts: tuple[str, ...]
    ranking: str | None
    document_pages: bool
    rate: float
    routes: tuple[Route, ...]
    recommended: str
    recommended_here: str


class PlanLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How a probe may go about it.

    Attributes:
        max_requests: HTTP requests, robots.txt included.
        rate: Requests per second; None is `POLITE_RATE` for public hosts, and no pause for
            private ones. A longer Crawl-delay of robots.txt is kept to.
    """

    max_requests: int = MAX_REQUESTS
    rate: float | None = None
    allow_private: bool = False


def plan(
    spec: Spec,
    limits: PlanLimits | None = None,
    *,
    name: str = "",
    seed: int = 0,
    observe: Observer = lambda event, account: None,
) -> Plan:
    """Probe a source, and predict what each route to its documents would cost.

    Args:
        spec: Of the source.
        limits: Of the probe.
        name: What the user calls the source, for the commands in the plan.
        seed: Of the words that the probe begins with.
        observe: Told of every event of the probe.

    Raises:
        InputError: robots.txt or the guard refuses the source, or a limit is no positive number.
        SourceError: The search brought nothing at all.

    Example:
        ```python
        found = plan(read_spec(Path("source.toml").read_text()))
        print(found.recommended, found.size.documents)
        ```
    """
    limits = limits or PlanLimits()
    for what, value in (("max_requests", limits.max_requests), ("rate", limits.rate)):
        if value is not None and not value > 0:
            raise InputError(f"{what} is {value}", advice="give a number above 0")
    probe = _Probe(spec, limits, seed, observe)
    asyncio.run(probe.run())
    return probe.plan(name or spec.source.url)


class _Probe:
    """One probe: two thinkers on one hand, and what they found."""

    def __init__(self, spec: Spec, limits: PlanLimits, seed: int, observe: Observer) -> None:
        self._spec = spec
        self._limits = limits
        self._seed = seed
        self._account = Account(limit=spec.ask.limit, page_size=spec.ask.page_size)
        self._observe = observe
        self._hits: dict[str, Hit] = {}
        self._robots: RobotsRead | None = None
        self._form: Response | None = None
        self._stopped: list[str] = []
        self._scout = Scout(
            _abilities(spec), np.random.default_rng(seed), whole_texts=bool(spec.results.text)
        )
        self._offers: list[Offer] = []
        self._shown: int | None = None

    async def run(self) -> None:
        """Send the scout, then look for other routes with what requests are left."""
        most = self._limits.max_requests
        reserved = min(OTHER_ROUTES, most // 3)
        self._budget = self._budget_of(most - reserved)
        fetcher = WebFetcher(
            allow_private=self._limits.allow_private,
            on_robots=self._on_robots,
            on_send=lambda: self._budget.spend(),
            rate=self._pace(),
            rng=np.random.default_rng(self._seed),
        )
        hand = WebHand(Source(self._spec), fetcher, on_form=self._on_form)
        try:
            await self._send(self._scout, hand)
            if self._scout.sounding is None and self._account.requests >= most - reserved:
                self._stopped = [f"{self._account.requests} requests did not tell the size"]
            self._budget = self._budget_of(most)
            for _ in range(self._account.requests):
                self._budget.spend()
            able = self._able()
            finder = RouteFinder(
                self._spec,
                list(self._hits.values()),
                form=self._form,
                robots=None if self._robots is None else self._robots.text,
                limit=able.limit,
                word=self._scout.widest,
                max_requests=max(1, most - self._account.requests),
            )
            await self._send(finder, hand)
            self._offers = finder.offers
            self._shown = finder.shown
        finally:
            await hand.close()

    def _budget_of(self, requests: int) -> Budget:
        return Budget(
            Allowed(requests=requests), clock=time.monotonic, now=lambda: datetime.now(UTC)
        )

    def _pace(self) -> float | None:
        if self._limits.rate is not None:
            return self._limits.rate
        return None if is_private_host(self._spec.source.url) else POLITE_RATE

    async def _send(self, thinker: Thinker, hand: WebHand) -> None:
        self._engine = Engine(
            thinker,
            hand,
            MemoryStore(),
            self._account,
            listing_only=True,
            observe=self._see,
        )
        stopped = await self._engine.run()
        if not stopped.target_met:
            self._stopped.append(stopped.reason)

    def _see(self, event: AnyEvent) -> None:
        if isinstance(event, PageReceived):
            self._hits |= {hit.key: hit for hit in event.page.hits}
        self._observe(event, self._account)

    def _on_robots(self, event: RobotsRead) -> None:
        self._engine.enter(event)
        if self._spec.source.url.startswith(event.origin):
            self._robots = event

    def _on_form(self, event: FormReceived) -> None:
        self._engine.enter(event)
        self._form = event.response

    # What follows from it.

    def _findings(self) -> Findings:
        return self._scout.findings or Findings(
            abilities=_abilities(self._spec), ranking=None, queries=self._scout.queries
        )

    def _able(self) -> Abilities:
        return self._findings().abilities

    def _rate(self) -> float:
        rate = self._limits.rate or POLITE_RATE
        delay = None
        if self._robots is not None:
            delay = Protego.parse(self._robots.text).crawl_delay("longline")
        return min(rate, 1 / delay) if delay else rate

    def plan(self, name: str) -> Plan:
        """Predict what each route would cost."""
        findings = self._findings()
        able = findings.abilities
        doubts = findings.doubts
        if able.limit is None and self._shown is not None:
            able = replace(able, limit=self._shown)
            doubts = (*doubts, f"the return limit is not known; {self._shown:,} at least")
        size = _size(self._scout.so_far(), self._offers)
        in_listing = any(hit.text is not None for hit in self._hits.values())
        document_pages = self._spec.document is not None and not in_listing
        forecaster = Forecaster(size, self._rate(), document_pages=document_pages)
        routes = [forecaster.offered(offer) for offer in self._offers]
        if able.negation and able.conjunction:
            routes.append(forecaster.partition(able, name))
        routes.append(forecaster.adaptive(able, findings.ranking, name))
        routes.sort(key=_cost)
        return Plan(
            source=self._spec.source.url,
            probe_requests=self._account.requests,
            stopped="; ".join(self._stopped),
            size=size,
            abilities=able,
            doubts=doubts,
            ranking=findings.ranking,
            document_pages=document_pages,
            rate=self._rate(),
            routes=tuple(routes),
            recommended=_best(routes),
            recommended_here=_best([route for route in routes if route.command]),
        )


class Forecaster:
    """Turn what was found into requests by coverage.

    Args:
        size: Of the source.
        rate: Requests per second, for the time it takes.
        document_pages: Whether each document costs a request of its own.
    """

    def __init__(self, size: Size, rate: float, *, document_pages: bool) -> None:
        self._size = size
        self._rate = rate
        self._document_pages = document_pages

    def partition(self, able: Abilities, name: str) -> Route:
        """Predict cells by AND and NOT."""
        note = f"AND, NOT, totals {able.counts or 'unknown'}, {_limit(able)}"
        return self._searched(
            "partition",
            lambda documents: partition_outlook(documents, able),
            how="queries that cut the source into cells by AND and NOT",
            command=f"longline harvest {name} --strategy partition",
            note=note,
        )

    def adaptive(self, able: Abilities, ranking: str | None, name: str) -> Route:
        """Predict single terms."""
        known = ranking if ranking in ("static", "dynamic") else None
        order = {"static": "one order for all queries", "dynamic": "order by relevance"}
        note = f"{order.get(ranking or '', 'order not known: reckoned as one for all queries')}"
        return self._searched(
            "adaptive",
            lambda documents: adaptive_outlook(documents, able, known),  # type: ignore[arg-type]
            how="single terms, chosen by what came back",
            command=f"longline harvest {name} --strategy adaptive",
            note=f"{note}, {_limit(able)}",
        )

    def _searched(
        self,
        route: str,
        outlook_at: Callable[[float], Outlook],
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

    def _requests(
        self, pages: Mapping[float, float | None], documents: float, times: float = 1.0
    ) -> Figures:
        own = documents if self._document_pages else 0
        return {
            f"{coverage:g}": None if cost is None else ceil(cost * times + coverage * own)
            for coverage, cost in pages.items()
        }

    def offered(self, offer: Offer) -> Route:
        """Predict a route that the site offers beside its search."""
        how = {
            "dump": "one file that is said to hold everything",
            "sitemap": "the site's own list of addresses, then every document's page",
            "oai-pmh": "records for harvesters, a hundred or so at a time",
            "feed": "the newest documents, in one answer",
            "listing": "the source's own listing, without a query",
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
            note=offer.note,
        )

    def _reach(self, offer: Offer) -> float | None:
        if offer.kind == "dump" or offer.documents is None or not self._size.documents:
            return None
        share = min(1.0, offer.documents / self._size.documents)
        # A list as long as the source may yet be one of other documents.
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
            # A list has to be read as far as the documents wanted; files of a sitemap in full.
            part = min(1.0, wanted / offer.documents) if offer.kind != "sitemap" else 1.0
            figures[f"{coverage:g}"] = ceil(offer.lists * part) + ceil(own)
        return figures

    def _has_own_pages(self, offer: Offer) -> bool:
        if offer.kind == "listing":
            return self._document_pages
        return offer.kind in ("sitemap", "feed")

    def _seconds(self, figures: Figures) -> Figures:
        return {
            coverage: None if cost is None else ceil(cost / self._rate)
            for coverage, cost in figures.items()
        }


def _size(sounding: Sounding, offers: list[Offer]) -> Size:
    """Take a listing's exact total, else the sounding, else what the longest list shows."""
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


def _limit(able: Abilities) -> str:
    limit = "no return limit known" if able.limit is None else f"return limit {able.limit:,}"
    return f"{limit}, {able.page_size or '?'} hits a page"


def _cost(route: Route) -> tuple[bool, float, float]:
    """Order routes: those that reach the aim first, by their requests; then by their reach."""
    figures = route.per_thousand or route.requests
    cost = figures.get(f"{AIM:g}")
    is_sure = cost is not None and route.reach is not None and route.brings == "documents"
    return (not is_sure, float(cost or 0) if is_sure else 0.0, -(route.reach or 0.0))


def _best(routes: list[Route]) -> str:
    """Return the best route, one whose reach is known and that brings documents."""
    sure = [each for each in routes if each.reach is not None and each.brings == "documents"]
    return min(sure, key=_cost).route if sure else ""
