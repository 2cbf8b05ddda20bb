"""A search page -> a source spec: forms, hits, paging, totals, sizes, dialect. No I/O."""

from longline.discovery.discoverer import Browser, Discoverer
from longline.discovery.findings import Finding, Sureness
from longline.discovery.hopeless import BY_MORE
from longline.discovery.routes import Dated, listed_dates
from longline.discovery.spec_finder import ListFinder, SpecFinder

__all__ = [
    "BY_MORE",
    "Browser",
    "Dated",
    "Discoverer",
    "Finding",
    "ListFinder",
    "SpecFinder",
    "Sureness",
    "listed_dates",
]
