"""A source spec, and how to ask and read a source by it. No I/O."""

from longline.source._answer import Answer, parse
from longline.source._check import EMPTY_STATUSES
from longline.source._facets import facets_of
from longline.source._links import canonical, follow, is_view, submit, without_parameters
from longline.source._toml import write_toml
from longline.source.source import Source
from longline.source.spec import Spec, read_spec, write_spec

__all__ = [
    "EMPTY_STATUSES",
    "Answer",
    "Source",
    "Spec",
    "canonical",
    "facets_of",
    "follow",
    "is_view",
    "parse",
    "read_spec",
    "submit",
    "without_parameters",
    "write_spec",
    "write_toml",
]
