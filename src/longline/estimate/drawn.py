"""How many may have what a few that were drawn at random were looked at for."""

UNSURE = 0.05
"""The bound is too low in at most so many of all cases."""


def most_share(found: int, drawn: int) -> float:
    """Return the greatest share of all that may have what some of those drawn have (95 % sure).

    Source: Clopper and Pearson 1934, the exact bound on one side.

    Args:
        found: Of those drawn, how many have it.
        drawn: At least 1, at random.

    >>> round(most_share(0, 17), 3), round(most_share(2, 36), 3), most_share(3, 3)
    (0.162, 0.165, 1.0)
    """
    from scipy.special import betaincinv  # slow to import, and seldom needed

    if found == drawn:
        return 1.0
    return float(betaincinv(found + 1, drawn - found, 1 - UNSURE))
