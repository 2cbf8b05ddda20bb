"""Disjoint cells by terms, facets or beginnings of names, each small enough to be fetched whole."""

from longline.planner.partition.by_facets import FacetPartition
from longline.planner.partition.by_prefixes import PrefixPartition
from longline.planner.partition.planner import Partition
from longline.planner.partition.rescue_queries import likely_outside
from longline.planner.partition.source_model import MAX_TERMS, SourceModel
from longline.planner.partition.summary import discrepancies
