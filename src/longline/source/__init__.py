"""A source spec, and how to ask and read a source by it. No I/O."""

from longline.source.spec import Spec, read_spec, write_spec

__all__ = ["Spec", "read_spec", "write_spec"]
