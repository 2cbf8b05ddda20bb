"""Sources that are known by their marks."""

from longline.discover.presets.spec_finder import SpecFinder

__all__ = ["SpecFinder"]
