"""The tasks: what each site shows, cuts, hides or gets wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from bench.faulty import faults, lies
from bench.suite.site import Catalogue, Counting, Log, catalogue, facets_of
from starlette.types import ASGIApp

from longline.model import Document
from longline.simulate import Searcher


@dataclass(frozen=True)
class Task:
    """A site to harvest.

    Attributes:
        says: The difficulty of the task, for the table.
        kind: HTML pages, or a JSON API.
        box: Options of the search box.
        lies: Lies of the search box.
        faults: Failures of requests.
        filters: Whether the form has a list of kinds.
        linked: Number of links to other documents on a document's page.
        listed: Share of documents in a sitemap; None for no sitemap.
    """

    name: str
    says: str
    kind: Literal["html", "json"] = "html"
    box: tuple[tuple[str, Any], ...] = ()
    lies: tuple[lies.Lie, ...] = ()
    faults: tuple[faults.Fault, ...] = ()
    filters: bool = False
    linked: int = 0
    listed: float | None = None

    @property
    def start(self) -> str:
        """The path that a harvester gets: the front page, or a search of an API."""
        return "/" if self.kind == "html" else "/api/items?q=time"

    def build(
        self, documents: Sequence[Document], seed: int
    ) -> tuple[ASGIApp, list[Document], Log]:
        """Return the site, the documents that it can show, and the log that it writes."""
        rng = np.random.default_rng(seed)
        rows = catalogue(documents, rng)
        options: dict[str, Any] = {"limit": 100, "page_size": 20, "seed": seed, **dict(self.box)}
        box = Searcher(rows, facets=facets_of(rows) if self.filters else None, **options)
        keys = [row.key for row in rows]
        drawn = rng.integers(len(keys), size=(len(keys), self.linked))
        links = {
            key: [keys[n] for n in row] for key, row in zip(keys, drawn, strict=True) if row.size
        }
        listed = None if self.listed is None else keys[: int(self.listed * len(keys))]
        log = Log()
        told = lies.FaultySource(box, *self.lies) if self.lies else box
        site = Catalogue(told, box, log, self.kind, links, listed)
        app: ASGIApp = faults.Faulty(site.app(), *self.faults) if self.faults else site.app()
        withheld = [each for each in self.lies if isinstance(each, lies.WithheldDocuments)]
        truth = [row for row in rows if not any(each.withholds(row.key) for each in withheld)]
        return Counting(app, log), truth, log


NO_BOOLEAN = (("boolean", False),)
BLIND = (("boolean", False), ("counts", "none"))
TASKS = (
    Task("open", "no limit, exact totals", box=(("limit", None),)),
    Task("capped", "shows 100 of each search"),
    Task("capped-no-not", "shows 100, knows no NOT", box=NO_BOOLEAN),
    Task("capped-blind", "shows 100, no NOT, no totals", box=BLIND),
    Task("top-20", "shows one page of 20", box=(("limit", 20), ("page_size", 20))),
    Task("about", "totals are off by a third", box=(("counts", "approximate"),)),
    Task("short-words", "reads no word below 4 letters", lies=(lies.ShortWords(4),)),
    Task("long-queries", "reads the first 3 words", box=(("reads_terms", 3),)),
    Task("filters", "shows 100; a list of kinds", box=NO_BOOLEAN, filters=True),
    Task("api", "JSON, shows 100", kind="json"),
    Task("api-blind", "JSON, shows 100, no NOT, no totals", kind="json", box=BLIND),
    Task("links", "documents link to three others", box=NO_BOOLEAN, linked=3),
    Task("half-a-sitemap", "a sitemap lists 40 %", box=NO_BOOLEAN, listed=0.4),
    Task("totals-tenfold", "lies: totals ten times too high", lies=(lies.ScaledTotals(10),)),
    Task("totals-clamped", "lies: no total above 60", lies=(lies.ClampedTotals(60),)),
    Task("page-repeated", "lies: page 2 shows page 1", lies=(lies.RepeatedPage(),)),
    Task("page-short", "lies: page 1 lacks two rows", lies=(lies.ShortPage(missing=2),)),
    Task("withheld", "lies: counts a tenth and hides it", lies=(lies.WithheldDocuments(0.1),)),
    Task("not-ignored", "lies: NOT is not read", lies=(lies.IgnoredNot(),)),
    Task(
        "overloaded",
        "every seventh answer is 503",
        faults=(faults.Refuse(503, retry_after="0", requests=range(5, 10**6, 7)),),
    ),
    Task(
        "shut",
        "refuses all after 400 requests",
        faults=(faults.Refuse(403, requests=range(400, 10**6)),),
    ),
)
