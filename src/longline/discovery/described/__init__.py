"""Find what a site describes itself: lists of its documents, and APIs."""

from longline.discovery.described.arcgis import layer_of_arcgis
from longline.discovery.described.graphql import PATHS as GRAPHQL_PATHS
from longline.discovery.described.graphql import (
    endpoints_in,
    graphql_source,
)
from longline.discovery.described.interfaces import (
    BY_SELECT,
    examples_in,
    is_sparql,
    operations_of,
    posted_in,
    templates_written,
    usual_operations,
    with_words,
)
from longline.discovery.described.json_list import listed_by
from longline.discovery.described.listed import Listed, NotDescribed, listed_names
from longline.discovery.described.lists import any_list, named_list
from longline.discovery.described.operations import (
    Operation,
    counted_by_odata,
    is_odata,
    operation_at,
)
from longline.discovery.described.page_of_links import drawn_links
from longline.discovery.described.texts import has_documents, look_at_texts, with_whole_texts
