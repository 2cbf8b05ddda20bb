"""Find one page in many web sites."""

from longline.finder.examples import common_words, read_examples
from longline.finder.find import (
    FindLimits,
    FindListeners,
    Found,
    Progress,
    find_in_sites,
    find_page,
    query_words,
)

__all__ = [
    "FindLimits",
    "FindListeners",
    "Found",
    "Progress",
    "common_words",
    "find_in_sites",
    "find_page",
    "query_words",
    "read_examples",
]
