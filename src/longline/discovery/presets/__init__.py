"""Sources known by their marks: a spec each, filled in with what a site's own pages say."""

from longline.discovery.presets.opensearch import DESCRIBED, described, is_description
from longline.discovery.presets.preset import Choice, Preset, fill, options, presets, recognised
