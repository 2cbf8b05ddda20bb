"""How long something takes, for people."""

from __future__ import annotations


def span(seconds: float) -> str:
    """Say a time in the unit that suits it.

    >>> span(90), span(3000), span(9000), span(600_000)
    ('90 s', '50 min', '2.5 h', '6.9 days')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h" if seconds < 172_800 else f"{seconds / 86_400:.1f} days"
