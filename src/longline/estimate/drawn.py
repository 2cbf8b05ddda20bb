"""How many may have what a few that were drawn at random were looked at for."""

from __future__ import annotations

from math import comb

UNSURE = 0.05
"""The bound is too low in at most so many of all cases."""

STEPS = 30


def most_share(found: int, drawn: int) -> float:
    """Return the greatest share of all that may have what some of those drawn have (95 % sure).

    The exact bound of Clopper and Pearson, on one side.

    Args:
        found: Of those drawn, how many have it.
        drawn: At least 1, at random.

    >>> round(most_share(0, 17), 3), round(most_share(2, 36), 3), most_share(3, 3)
    (0.162, 0.165, 1.0)
    """
    if found == drawn:
        return 1.0
    low, high = found / drawn, 1.0
    for _ in range(STEPS):
        share = (low + high) / 2
        chance = sum(
            comb(drawn, k) * share**k * (1 - share) ** (drawn - k) for k in range(found + 1)
        )
        low, high = (share, high) if chance > UNSURE else (low, share)
    return high
