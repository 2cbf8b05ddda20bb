"""The shape of a distribution of sizes: how straight in log-log axes, how skewed."""

from dataclasses import dataclass

import numpy as np

BINS_A_DECADE = 5


@dataclass(frozen=True, eq=False)
class Shape:
    """Sizes, and measures of their distribution.

    Attributes:
        sizes: (things,) >= 1.
        slope: Slope of the density in log-log axes: -a where the density is like size^-a.
        straightness: R2 of that line; 1 is a perfect power law.
        log_deviation: Standard deviation of the sizes' natural logarithms.
        skewness: Skewness of the sizes.
        log_skewness: Skewness of their logarithms; 0 if they are log-normal.
    """

    sizes: np.ndarray
    slope: float
    straightness: float
    log_deviation: float
    skewness: float
    log_skewness: float

    @property
    def counts(self) -> tuple[list[int], list[int]]:
        """Return every size, and how many things have it."""
        values, counts = np.unique(self.sizes, return_counts=True)
        return values.tolist(), counts.tolist()


def shape_of(sizes: np.ndarray) -> Shape:
    """Measure sizes; things of size 0 are left out.

    >>> doubling = np.repeat(2 ** np.arange(10), 4 ** np.arange(9, -1, -1))
    >>> found = shape_of(doubling)
    >>> bool(found.slope < -2)
    True
    """
    sizes = sizes[sizes > 0]
    slope, straightness = _line(sizes)
    logarithms = np.log(sizes)
    return Shape(
        sizes, slope, straightness, float(logarithms.std()), _skewness(sizes), _skewness(logarithms)
    )


def _line(sizes: np.ndarray) -> tuple[float, float]:
    """Fit the density in bins of equal width on the logarithmic axis."""
    steps = int(np.ceil(np.log10(sizes.max() + 1) * BINS_A_DECADE)) + 1
    # Edges halfway between integers, so that each bin contains some and has its true width.
    edges = np.unique(np.round(10 ** (np.arange(steps + 1) / BINS_A_DECADE))) - 0.5
    counts, _ = np.histogram(sizes, edges)
    filled = counts > 0
    if filled.sum() < 3:
        return float("nan"), float("nan")
    x = np.log10(np.sqrt((edges[:-1] + 0.5) * np.maximum(edges[1:] - 0.5, 1)))[filled]
    y = np.log10(counts[filled] / np.diff(edges)[filled])
    slope, height = np.polyfit(x, y, 1)
    rest = y - (slope * x + height)
    return float(slope), float(1 - rest.var() / y.var())


def _skewness(values: np.ndarray) -> float:
    deviation = values.std()
    if deviation == 0:
        return float("nan")
    return float((((values - values.mean()) / deviation) ** 3).mean())
