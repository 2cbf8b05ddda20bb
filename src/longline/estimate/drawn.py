"""Bound a share in a population from a small random sample."""

UNSURE = 0.05
"""The bound is too low in at most this share of cases."""


def most_share(found: int, drawn: int) -> float:
    """Return the upper bound (95 % sure) of the share of all that have a property.

    Source: Clopper and Pearson 1934, the exact bound on one side.

    Args:
        found: How many of the sample have the property.
        drawn: The size of the random sample, at least 1.

    >>> round(most_share(0, 17), 3), round(most_share(2, 36), 3), most_share(3, 3)
    (0.162, 0.165, 1.0)
    """
    from scipy.special import betaincinv  # slow to import, and seldom needed

    if found == drawn:
        return 1.0
    return float(betaincinv(found + 1, drawn - found, 1 - UNSURE))
