"""A source spec, and how to ask and read a source by it. No I/O."""

from longline.source._answer import Answer, parse, whole_references
from longline.source._check import EMPTY_STATUSES
from longline.source._facets import facets_of
from longline.source._links import (
    canonical,
    follow,
    form_charset,
    is_view,
    submit,
)
from longline.source._parts import parts_of, without_parts
from longline.source._toml import write_toml
from longline.source._veil import Veiled, veil
from longline.source.source import Source
from longline.source.spec import Spec
from longline.source.spec_file import read_spec, write_spec

__all__ = [
    "EMPTY_STATUSES",
    "Answer",
    "Source",
    "Spec",
    "Veiled",
    "canonical",
    "facets_of",
    "follow",
    "form_charset",
    "is_view",
    "parse",
    "parts_of",
    "read_spec",
    "submit",
    "veil",
    "whole_references",
    "without_parts",
    "write_spec",
    "write_toml",
]
