"""The kinds of source that are known by their marks, so that nothing has to be learnt."""

from __future__ import annotations

import msgspec

from longline.discovery.presets import presets as known


class Preset(msgspec.Struct, frozen=True):
    """A kind of source that longline recognises.

    Attributes:
        name: The name of its file.
        title: What it is called.
        notes: Page size, limits, how exact its totals are.
        documented: The address of its own documentation.
        route: A cheaper way to everything, where there is one; {names} are the site's own.

    Example:
        >>> import longline
        >>> {preset.name: preset.title for preset in longline.presets()}["mediawiki"]
        'MediaWiki'
    """

    name: str
    title: str
    notes: str
    documented: str
    route: str


def presets() -> list[Preset]:
    """Return every kind of source that is recognised, by name.

    Example:
        >>> import longline
        >>> "MediaWiki" in [preset.title for preset in longline.presets()]
        True
    """
    return [
        Preset(each.name, each.title, each.notes, each.documented, each.route) for each in known()
    ]
