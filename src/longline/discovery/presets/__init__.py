"""Sources that are known by their marks."""

from longline.discovery.presets.spec_finder import SpecFinder

__all__ = ["SpecFinder"]
