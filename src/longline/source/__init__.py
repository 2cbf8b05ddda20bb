"""A source spec, and how to ask and read a source by it. No I/O."""

from longline.source._facets import facets_of
from longline.source.source import Source
from longline.source.spec import Spec, read_spec, write_spec

__all__ = ["Source", "Spec", "facets_of", "read_spec", "write_spec"]
