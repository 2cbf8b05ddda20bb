"""Specs for kinds of sources recognised by their marks, filled in with values from the site."""

from longline.discovery.presets.opensearch import DESCRIBED, described, is_description
from longline.discovery.presets.preset import Choice, Preset, fill, options, presets, recognised
