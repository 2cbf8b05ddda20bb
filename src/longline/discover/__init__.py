"""A search page -> a source spec: forms, hits, paging, totals, sizes, dialect. No I/O."""

from longline.discover.discoverer import Browser, Discoverer
from longline.discover.finder import SpecFinder
from longline.discover.findings import Finding, Sureness

__all__ = ["Browser", "Discoverer", "Finding", "SpecFinder", "Sureness"]
