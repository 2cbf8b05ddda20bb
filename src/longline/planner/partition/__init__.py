"""Split a source into disjoint cells by terms, facets or prefixes, small enough to fetch."""

from longline.planner.partition.by_facets import FacetPartition
from longline.planner.partition.by_prefixes import PrefixPartition
from longline.planner.partition.planner import Partition
from longline.planner.partition.rescue_queries import likely_outside
from longline.planner.partition.source_model import MAX_TERMS, SourceModel
from longline.planner.partition.summary import discrepancies
