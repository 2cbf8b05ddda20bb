"""Learn a source spec from a search page: form, hits, paging, totals, sizes, dialect. No I/O."""

from longline.discovery.beginning import Browser
from longline.discovery.discoverer import CHECK_FIRST, Discoverer
from longline.discovery.findings import Finding, Way
from longline.discovery.hopeless import BY_MORE, ending_of
from longline.discovery.list_finder import ListFinder
from longline.discovery.routes import Dated, listed_dates
from longline.discovery.spec_finder import SpecFinder
