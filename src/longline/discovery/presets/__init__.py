"""Sources known by their marks: a spec each, filled in with what a site's own pages say."""

from longline.discovery.presets.preset import presets
from longline.discovery.presets.spec_finder import SpecFinder

__all__ = ["SpecFinder", "presets"]
