"""A search page -> a source spec: forms, hits, paging, totals, sizes, dialect. No I/O."""

from longline.discover.discoverer import Browser, Discoverer
from longline.discover.findings import Finding, Sureness
from longline.discover.presets import SpecFinder

__all__ = ["Browser", "Discoverer", "Finding", "SpecFinder", "Sureness"]
