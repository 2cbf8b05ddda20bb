"""Forecast what further requests bring, from how a harvest has grown.

The requests of a harvest are not random draws. A planner first sends the most productive queries,
and avoids held documents; so its rate stays high for longer than by chance, and drops when nothing
is left. The trend corrects for that: it measures how the documents per request fall with the number
of documents left in the source, and assumes that this continues. Blocks of requests are the
sampling units, since the documents of one page or query come together.

If the size is not known, everything may be held by now. Then the documents that came recently
once, twice and so on show what chance would bring, which is less than a planner finds, and the
recent rate shows what would come if it never fell, which is more; the forecast is their mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, hypot, log, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from longline.errors import InputError
from longline.estimate.good_toulmin import good_toulmin

Floats = npt.NDArray[np.float64]

QUANTILE = 1.644854
"""Quantile of the normal distribution, for 90 %."""

LEAST_REQUESTS = 30
"""No forecast is made before this many requests."""

LEAST_WINDOW = 40
"""The rate is computed over at least this many requests."""

BLOCKS = 8
"""Number of equal blocks of requests whose rates show the trend; the first tenth is left out."""

USUAL_TREND = 0.4
"""Typical exponent with which a planner's rate falls with the documents left."""

USUAL_NOISE = 0.15
"""Typical standard deviation of the log of a block's rate around the trend."""

LEAST_ERROR = 0.1
"""Least error of a rate, however even it was."""

PRIOR_WEIGHT = 0.1
"""Weight of the typical trend, compared with the observed one."""

STEEPEST = 8.0
LOOKS_BACK = (0.5, 1.0, 2.0)
"""The forecast is repeated as of earlier times, for these multiples of its relative length; its
error then widens the interval."""

UNSURE = 0.3
"""Error of a forecast that could not be tested on past data."""


class Size(NamedTuple):
    """Documents of the source, with an interval; `high` is None if there is no upper bound."""

    documents: float
    low: float
    high: float | None


class Recent(NamedTuple):
    """Documents that came recently for the first time.

    Attributes:
        pages: Result pages that showed them.
        requests: Requests that these took, with those for documents.
        species: f_1, f_2, ...: how many of them came on one page, on two, and so on.
        per_document: Requests that each new document costs on its own: about 0 to 1.
    """

    pages: int
    requests: float
    species: Sequence[int]
    per_document: float


class Further(NamedTuple):
    """New documents that further requests bring, with a 90 % interval."""

    documents: float
    low: float
    high: float


class Growth:
    """How many documents were held after how many requests.

    Args:
        requests: (points,) Ascending.
        documents: (points,) The documents held then; never fewer than before.

    Raises:
        InputError: There is no point, or they are not in order.
    """

    def __init__(self, requests: npt.ArrayLike, documents: npt.ArrayLike) -> None:
        self._x = np.asarray(requests, dtype=np.float64)
        self._y = np.asarray(documents, dtype=np.float64)
        is_even = self._x.ndim == 1 and self._x.shape == self._y.shape and len(self._x)
        if not is_even or (np.diff(self._x) <= 0).any() or (np.diff(self._y) < 0).any():
            raise InputError(
                "the points of a growth are not in order",
                advice="give requests that ascend, and documents that never fall",
            )
        self.requests, self.held = float(self._x[-1]), float(self._y[-1])

    def at(self, requests: float | Floats) -> Floats:
        """Return the documents held after a number of requests."""
        return np.asarray(np.interp(np.asarray(requests), self._x, self._y))

    def until(self, requests: float) -> Growth:
        """Return the growth as it was after a number of requests."""
        before = self._x < requests
        return Growth([*self._x[before], requests], [*self._y[before], float(self.at(requests))])

    def window(self, further: float) -> float:
        """Return the number of last requests for a rate: as many as are forecast, within bounds."""
        return min(max(further, LEAST_WINDOW), self.requests / 2)

    def rate(self, window: float) -> float:
        """Return the documents per request in the last `window` requests, above 0."""
        new = self.held - float(self.at(self.requests - window))
        return max(new, 0.5) / window


def extrapolate(
    growth: Growth, further: float, size: Size | None, recent: Recent | None = None
) -> Further | None:
    """Forecast how many new documents further requests bring.

    With the size N known, the rate falls as (N - held) ^ g, with g by regression over blocks; the
    interval includes the noise of blocks, the errors of g and of the size, and the error of the
    same forecast at earlier times. Without a size, it is the mean of the smoothed Good-Toulmin
    estimate and the recent rate; the interval begins at 0.

    Args:
        growth: The growth of the harvest.
        further: The number of requests to come, > 0.
        size: The source's size; None if unknown: then `recent` is needed.
        recent: The documents that came recently.

    Returns:
        None if too little came for a forecast.

    Source: longline; docs/research/decisions/0060. For the trend: Leslie & Davis 1939, who take the
    catch per unit of effort for a line over what is left (g = 1). For samples by sampling units:
    Chao et al. 2014, "Rarefaction and extrapolation with Hill numbers", Ecological Monographs 84.

    >>> grown = Growth(range(0, 501, 50), [1000 * (1 - 0.998 ** (50 * n)) for n in range(11)])
    >>> found = extrapolate(grown, 500, Size(1000, 980, 1020))
    >>> [round(each) for each in found]
    [242, 193, 304]
    >>> round(1000 * 0.998 ** 500 - 1000 * 0.998 ** 1000)  # what comes
    232
    """
    if growth.requests < LEAST_REQUESTS or not growth.held or further <= 0:
        return None
    if size is not None:
        return _by_trend(growth, further, size)
    return None if recent is None or not recent.pages else _by_recent(growth, further, recent)


class _Trend(NamedTuple):
    """How a rate falls with the documents left.

    Attributes:
        power: The exponent g.
        error: Its standard error.
        noise: Variance of the log of a block's rate around the trend.
        block: Requests in a block.
    """

    power: float
    error: float
    noise: float
    block: float


def _trend(growth: Growth, documents: float) -> _Trend:
    """Fit g to the rates of blocks, each weighted by its documents, up to 50."""
    edges = np.linspace(growth.requests / 10, growth.requests, BLOCKS + 1)
    held, block = growth.at(edges), float(edges[1] - edges[0])
    new = np.diff(held)
    x = np.log(np.maximum(documents - (held[1:] + held[:-1]) / 2, 1))
    y = np.log((new + 0.5) / block)
    weight = np.minimum(new + 0.5, 50) / 50
    total = float(weight.sum())
    x, y = x - weight @ x / total, y - weight @ y / total
    spread = float(weight @ x**2) + PRIOR_WEIGHT
    power = float(weight @ (x * y) + PRIOR_WEIGHT * USUAL_TREND) / spread
    power = min(max(power, 0.0), STEEPEST)
    squares = float(weight @ (y - power * x) ** 2)
    error = sqrt((squares + 2 * USUAL_NOISE**2) / (max(total - 2, 0) + 2) / spread)
    return _Trend(power, error, squares / total, block)


def _depleted(rate: float, window: float, left: float, further: float, power: float) -> float:
    """Return the new documents from those left, if the rate falls as a power of their number.

    Args:
        rate: Documents per request over the last `window` requests.
        window: The number of requests that `rate` covers.
        left: Documents that are not held.
        further: Requests to come.
        power: g in dD/dR = a (N - D) ^ g, which is solved exactly.
    """
    if left <= 0:
        return 0.0
    middle = left + rate * window / 2
    share = rate * further / middle * (left / middle) ** (power - 1)  # a R left ^ (g - 1)
    if abs(power - 1) < 1e-6:
        return left * (1 - exp(-share))
    rest = 1 - (1 - power) * share
    return left if rest <= 0 else left * (1 - exp(log(rest) / (1 - power)))


def _point(growth: Growth, further: float, documents: float) -> float:
    window = growth.window(further)
    power = _trend(growth, documents).power
    return _depleted(growth.rate(window), window, documents - growth.held, further, power)


def _by_trend(growth: Growth, further: float, size: Size) -> Further:
    window, trend = growth.window(further), _trend(growth, size.documents)
    rate, held = growth.rate(window), growth.held
    left = max(size.documents - held, 0.0)
    new = _depleted(rate, window, left, further, trend.power)
    noise = trend.noise * (trend.block / window + trend.block / further)
    error = QUANTILE * sqrt(
        LEAST_ERROR**2 + noise + _looked_back(growth, further, size.documents) + 1 / (new + 1)
    )
    steeper = trend.power + QUANTILE * trend.error
    flatter = max(trend.power - QUANTILE * trend.error, 0.0)
    most = 2 * size.documents if size.high is None else size.high
    low = _depleted(rate * exp(-error), window, size.low - held, further, steeper)
    high = _depleted(rate * exp(error), window, most - held, further, flatter)
    return Further(new, min(low, new), max(high, new))


def _looked_back(growth: Growth, further: float, documents: float) -> float:
    """Return the mean squared error, in logs, of the same forecast at earlier times."""
    errors = []
    for times in LOOKS_BACK:
        then = growth.requests / (1 + times * further / growth.requests)
        if then >= LEAST_REQUESTS and growth.requests - then >= 5:
            before = growth.until(then)
            expected = _point(before, growth.requests - then, documents)
            errors.append(log((growth.held - before.held + 5) / (expected + 5)))
    return float(np.mean(np.square(errors))) if errors else UNSURE**2


def _by_recent(growth: Growth, further: float, recent: Recent) -> Further:
    window = growth.window(further)
    most = growth.rate(window) * further
    new = min(_by_pages(recent, further), most)
    block = window / BLOCKS
    rates = np.diff(growth.at(np.linspace(growth.requests - window, growth.requests, BLOCKS + 1)))
    scatter = float(rates.std(ddof=1)) / max(float(rates.mean()), 1e-9)
    noise = scatter**2 * (block / window + block / further)
    error = QUANTILE * hypot(UNSURE, sqrt(noise + 1 / (most + 1)))
    return Further((new + most) / 2, 0.0, most * exp(error))


def _by_pages(recent: Recent, further: float) -> float:
    """Return Good and Toulmin's estimate for the pages that the further requests pay for."""
    new = sum(recent.species)
    page = max(recent.requests - recent.per_document * new, 0.01) / recent.pages
    low, high = 0.0, further / page
    for _ in range(40):
        pages = (low + high) / 2
        came = good_toulmin(recent.species, max(pages / recent.pages, 1e-9))
        is_paid = pages * page + recent.per_document * came < further
        low, high = (pages, high) if is_paid else (low, pages)
    return good_toulmin(recent.species, max(low / recent.pages, 1e-9))
