"""List the kinds of source that are recognised, so that they need not be learnt."""

from __future__ import annotations

import msgspec

from longline.discovery.presets import presets as known


class Preset(msgspec.Struct, frozen=True):
    """A kind of source that longline recognises.

    Attributes:
        name: The name of its file.
        title: Its usual name.
        notes: Page size, limits, and how exact its totals are.
        documented: The URL of its own documentation.
        route: A cheaper way to get everything, if there is one; {names} are filled per site.

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
    """Return every kind of source that is recognised, sorted by name.

    Example:
        >>> import longline
        >>> "MediaWiki" in [preset.title for preset in longline.presets()]
        True
    """
    return [
        Preset(each.name, each.title, each.notes, each.documented, each.route) for each in known()
    ]
