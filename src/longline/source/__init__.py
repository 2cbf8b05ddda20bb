"""A source spec, and how to ask and read a source by it. No I/O."""

from longline.source.source import Source
from longline.source.spec import Spec, read_spec, write_spec

__all__ = ["Source", "Spec", "read_spec", "write_spec"]
