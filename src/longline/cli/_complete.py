"""What a shell offers in the place of a name that is half typed."""

from __future__ import annotations

from collections.abc import Iterator


def strategy_names(incomplete: str) -> Iterator[tuple[str, str]]:
    """Offer strategies, with what each does.

    >>> [name for name, _ in strategy_names("aut")]
    ['auto']
    """
    from longline.api import strategies

    for each in strategies():
        if each.name.startswith(incomplete):
            yield each.name, each.summary


def preset_names(incomplete: str) -> Iterator[tuple[str, str]]:
    """Offer the kinds of source that are recognised.

    >>> list(preset_names("mediaw"))
    [('mediawiki', 'MediaWiki')]
    """
    from longline.api import presets

    for each in presets():
        if each.name.startswith(incomplete):
            yield each.name, each.title
