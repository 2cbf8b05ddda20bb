"""Find the routes to a source's documents, and predict their costs, before a harvest.

A probe of some twenty to thirty requests: a survey finds out what the search can do and how many
documents the source has, then other routes are searched. Nothing is saved.
"""

import os
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from math import ceil

import msgspec
import numpy as np
from protego import Protego

from longline.discovery.routes import Offer, RouteFinder
from longline.engine import Callbacks, Engine, Happening, RunLimits, SessionClient, SiteClient
from longline.errors import InputError, SourceError
from longline.events import AnyEvent, FormReceived, PageReceived, RobotsRead
from longline.fetch import (
    POLITE_RATE,
    BrowserFetcher,
    Hooks,
    Manners,
    VeiledFetcher,
    WebFetcher,
    own_secrets,
)
from longline.forecast.forecaster import (
    Forecaster,
    Size,
    best_of,
    cost_of,
    size_of,
)
from longline.forecast.planned import Plan
from longline.harvester import Listeners, abilities_of
from longline.ledger import Allowed, Budget, Ledger, in_a_line
from longline.logs import about, log_event
from longline.model import Hit, Response
from longline.planner.capabilities import Capabilities
from longline.planner.probe import FieldAware, Findings, PartsSurvey, SearchedField, SourceSurvey
from longline.planner.whole_list import WholeList
from longline.ports import Policy, SourceClient
from longline.source import Source, Spec, own_urls, veil
from longline.source.trust import Seen
from longline.store import MemoryStore
from longline.text.numbers import counted
from longline.text.safe import quoted
from longline.text.seed_words import SEED_WORDS

MAX_REQUESTS = 40

OTHER_ROUTES = 14
"""Requests reserved for other routes than the search, at most a third of all."""


class PlanLimits(Manners, frozen=True, kw_only=True):
    """The limits of a probe, and how it uses the web.

    Attributes:
        max_requests: The most HTTP requests, with robots.txt.
    """

    max_requests: int = MAX_REQUESTS


async def plan(
    spec: Spec,
    limits: PlanLimits | None = None,
    *,
    name: str = "",
    into: str = "",
    seed: int = 0,
    listeners: Listeners = Listeners(),
) -> Plan:
    """Probe a source, and predict what each route to its documents would cost.

    Args:
        spec: The source's spec.
        limits: The limits of the probe.
        name: The user's name for the source, for the commands in the plan.
        into: The new folder that these commands name; "" for none.
        seed: Seed for the words that the probe begins with.
        listeners: Functions to call during the probe.

    Raises:
        InputError: robots.txt or the guard refuses the source, or a limit is not positive.
        SourceError: The search returned nothing at all.

    Example:
        ```python
        found = await plan(read_spec(Path("source.toml").read_text()))
        print(found.recommended, found.size.documents)
        ```
    """
    limits = limits or PlanLimits()
    limits.check()
    if spec.source.plugin:
        raise InputError(
            f"{spec.source.name} is searched by a class, and is no site that has other ways",
            advice="harvest it",
        )
    probe = _Probe(spec, limits, seed, listeners)
    with about(name or spec.source.name):
        await probe.run()
    option = " --allow-private" if limits.allow_private else ""
    option += f" -o {quoted(into)}" if into else ""
    return probe.plan(f"{quoted(name or spec.source.url)}{option}")


class _Probe:
    """One probe: two policies on one client, and their findings."""

    def __init__(
        self,
        spec: Spec,
        limits: PlanLimits,
        seed: int,
        listeners: Listeners,
    ) -> None:
        limits = limits.of(*own_urls(spec))
        spec, secrets = veil(spec, os.environ)
        self._secrets = secrets.with_more(own_secrets(limits))
        self._spec = spec
        self._limits = limits
        self._seed = seed
        self._ledger = Ledger(limit=spec.ask.limit, page_size=spec.ask.page_size)
        self._listeners = listeners
        self._hits: dict[str, Hit] = {}
        self._robots: RobotsRead | None = None
        self._form: Response | None = None
        self._stopped: list[str] = []
        is_by_meaning = spec.ask.ranking == "meaning"
        scope = SearchedField(spec.ask.limit, "text" if is_by_meaning else None)
        self._scoped = FieldAware(lambda: self._make_scout(scope), scope)
        self._offers: list[Offer] = []
        self._shown: int | None = None

    def _make_scout(self, scope: SearchedField) -> SourceSurvey:
        return SourceSurvey(
            abilities_of(self._spec),
            np.random.default_rng(self._seed),
            self._spec.ask.words or SEED_WORDS,
            scope=scope,
            left=lambda: self._for_search - self._ledger.requests,
        )

    @property
    def _scout(self) -> SourceSurvey:
        return self._scoped.policy

    @property
    def _for_search(self) -> int:
        """The number of requests that the survey may send."""
        most = self._limits.max_requests
        return most - min(OTHER_ROUTES, most // 3)

    async def run(self) -> None:
        """Run the survey, then look for other routes with the remaining requests."""
        most, for_search = self._limits.max_requests, self._for_search
        self._budget = self._budget_of(for_search)
        web = WebFetcher(
            np.random.default_rng(self._seed),
            self._limits,
            hooks=Hooks(
                on_robots=self._on_robots,
                on_send=lambda: self._budget.spend(),
                on_wait=self._listeners.on_wait,
            ),
        )
        source = Source(self._spec)
        make_client = partial(SiteClient, source, on_event=self._on_event, seen=Seen())
        client = SessionClient(
            source, VeiledFetcher(BrowserFetcher(web), self._secrets), make_client
        )
        try:
            if self._spec.ask.lists:
                await self._read_list(client)
                return
            if not self._spec.ask.takes_words:
                await self._count_parts(client)
                return
            await self._send(self._scoped, client)
            if self._scout.sounding is None and self._ledger.requests >= for_search:
                asked = counted(self._ledger.requests, "request")
                self._stopped = [f"{asked} did not show how many documents there are"]
            self._budget = self._budget_of(most)
            for _ in range(self._ledger.requests):
                self._budget.spend()
            able = self._able()
            finder = RouteFinder(
                self._spec,
                list(self._hits.values()),
                form=self._form,
                robots=None if self._robots is None else self._robots.text,
                limit=able.limit,
                word=self._scout.widest,
                max_requests=max(1, most - self._ledger.requests),
            )
            await self._send(finder, client)
            self._offers = finder.offers
            self._shown = finder.shown
        finally:
            await client.close()
        if not self._ledger.rows_received and not self._offers:
            raise SourceError("; ".join(self._stopped))

    async def _read_list(self, client: SourceClient) -> None:
        """Read a list as far as allowed; it costs no more than the same part of a harvest."""
        self._budget = self._budget_of(self._limits.max_requests)
        self._list = WholeList(self._spec.ask.lists or "part", self._spec.holds)
        await self._send(self._list, client)
        if not self._ledger.rows_received:
            raise SourceError("; ".join(self._stopped) or "the list names no documents")

    async def _count_parts(self, client: SourceClient) -> None:
        """Read the first page of each part of a source without words."""
        self._parts = PartsSurvey(abilities_of(self._spec).facets)
        self._budget = self._budget_of(self._limits.max_requests)
        await self._send(self._parts, client)
        if not self._ledger.rows_received:
            raise SourceError("; ".join(self._stopped) or "no part has documents")

    def _plan_of_list(self, name: str) -> Plan:
        """Return the plan for a list: there is no other route to compare with."""
        named, pages = len(self._hits), self._ledger.result_pages
        is_read = self._list.is_read
        said = self._list.said or (0 if is_read else self._list.about) or named
        offer = Offer(
            kind="listing",
            url=self._spec.ask.url,
            documents=max(said, named),
            lists=pages if is_read else ceil(pages * max(said, named) / max(named, 1)),
            note=f"it holds {self._spec.holds}"
            + ("" if is_read else f"; {named:,} were read of it so far")
            + ("; how many documents it leaves out is not known" if not self._is_of_all else ""),
        )
        high = max(said, named) if self._is_of_all and (is_read or self._list.said) else None
        size = Size(max(said, named), named, high, named, "listing")
        reach = 1.0 if self._is_of_all else None
        return self._plan_without_words(name, offer, size, reach, is_read=is_read)

    def _plan_of_parts(self, name: str) -> Plan:
        """Return the plan for a source without words: everything is asked for, part by part."""
        parts, held = self._parts, len(self._hits)
        asked = len(parts.pages)
        rows = max(len(page.hits) for page in parts.pages)
        said = parts.documents
        known = f"{asked:,} of {counted(parts.parts, 'part')} asked for"
        offer = Offer(
            kind="listing",
            url=self._spec.ask.url,
            documents=said,
            lists=parts.result_pages(self._spec.ask.page_size or rows),
            note=f"by the form's lists and dates: {known}" if parts.parts > 1 else "",
        )
        is_counted = said is not None and asked == parts.parts
        size = Size(said, max(held, said or 0) if is_counted else held, None, held, "listing")
        return self._plan_without_words(name, offer, size, None, is_read=is_counted)

    def _plan_without_words(
        self, name: str, offer: Offer, size: Size, reach: float | None, *, is_read: bool
    ) -> Plan:
        in_listing = self._spec.document is None
        forecaster = Forecaster(size, self._rate(), document_pages=not in_listing)
        offered = forecaster.offered(offer, f"longline harvest {name}")
        route = msgspec.structs.replace(offered, reach=reach)
        return Plan(
            source=self._spec.source.url,
            requests=self._ledger.requests,
            stopped="" if is_read else "; ".join(self._stopped),
            size=size,
            abilities=self._able(),
            doubts=(),
            is_list=True,
            ranking=None,
            document_pages=not in_listing,
            rate=self._rate(),
            routes=(route,),
            recommended=route.route,
            recommended_here=route.route,
        )

    @property
    def _is_of_all(self) -> bool:
        return self._spec.ask.lists == "all"

    def _budget_of(self, requests: int) -> Budget:
        return Budget(Allowed(requests=requests), now=lambda: datetime.now(UTC))

    async def _send(self, policy: Policy, client: SourceClient) -> None:
        self._engine = Engine(
            policy,
            client,
            MemoryStore(),
            self._ledger,
            RunLimits(listing_only=True, bears_refusals=True),
            callbacks=Callbacks(observe=self._see),
        )
        stopped = await self._engine.run()
        if not stopped.target_met and stopped.reason not in self._stopped:
            self._stopped.append(stopped.reason)

    def _see(self, event: AnyEvent) -> None:
        if isinstance(event, PageReceived):
            self._hits |= {hit.key: hit for hit in event.page.hits}
        log_event(event, in_a_line)
        self._listeners.on_event(event, self._ledger)

    def _on_robots(self, event: RobotsRead) -> None:
        self._engine.enter(event)
        if self._spec.source.url.startswith(event.origin):
            self._robots = event

    def _on_event(self, event: Happening) -> None:
        self._engine.enter(event)
        if isinstance(event, FormReceived):
            self._form = event.response

    # The conclusions.

    def _findings(self) -> Findings:
        return self._scout.findings or Findings(
            abilities=abilities_of(self._spec), ranking=None, queries=self._scout.queries
        )

    def _able(self) -> Capabilities:
        return self._findings().abilities

    def _rate(self) -> float:
        rate = self._limits.rate or POLITE_RATE
        delay = None
        if self._robots is not None:
            delay = Protego.parse(self._robots.text).crawl_delay("longline")
        return min(rate, 1 / delay) if delay else rate

    def plan(self, name: str) -> Plan:
        """Predict the cost of each route."""
        if self._spec.ask.lists:
            return self._plan_of_list(name)
        if not self._spec.ask.takes_words:
            return self._plan_of_parts(name)
        findings = self._findings()
        able = findings.abilities
        doubts = findings.doubts
        is_limit_known = able.limit is not None
        if not is_limit_known and self._shown is not None:
            able = replace(able, limit=self._shown)
            doubts = (*doubts, f"a search showed {self._shown:,} results")
        size = size_of(self._scout.so_far(), self._offers)
        in_listing = any(hit.text is not None for hit in self._hits.values())
        document_pages = self._spec.document is not None and not in_listing
        words = self._scout.vocabulary
        forecaster = Forecaster(
            size,
            self._rate(),
            document_pages=document_pages,
            words=words,
            is_limit_known=is_limit_known,
        )
        reads_all = "" if self._spec.ask.dialect.all is None else f"longline harvest {name}"
        routes = [
            forecaster.offered(offer, reads_all if offer.kind == "listing" else "")
            for offer in self._offers
        ]
        brings_hits = self._ledger.rows_received > 0
        if brings_hits and able.negation and able.conjunction:
            routes.append(forecaster.partition(able, findings.ranking, name))
        if brings_hits and able.by_meaning:
            routes.append(forecaster.nearest(able, name))
        elif brings_hits:
            routes.append(forecaster.adaptive(able, findings.ranking, name))
        routes.sort(key=cost_of)
        return Plan(
            source=self._spec.source.url,
            requests=self._ledger.requests,
            stopped="; ".join(self._stopped),
            size=size,
            abilities=findings.abilities,
            doubts=doubts,
            ranking=findings.ranking,
            document_pages=document_pages,
            rate=self._rate(),
            routes=tuple(routes),
            recommended=best_of(routes),
            recommended_here=best_of([route for route in routes if route.command]),
        )
