"""Estimate document frequencies in the complete source from those in a sample.

A sample built by queries is not random: its documents contain many terms that others lack, so
scaling up its dfs overestimates them. All estimators have the same form, `DfEstimator`; two of
them need totals for some terms (probes) and learn from these.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import log, sqrt
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from longline.errors import InputError, UnknownNameError
from longline.estimate.good_turing import good_turing

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]

EM_STEPS = 100


@dataclass(frozen=True, eq=False)
class SampleDf:
    """The data about a sample's terms.

    Attributes:
        df: (terms,) ints >= 1. Documents of the sample that contain each term.
        documents: The number of documents in the sample.
        size: The number of documents in the source, known or estimated; at least `documents`.
        probes: The df in the source of some terms, by term number.

    Raises:
        InputError: The counts contradict each other.
    """

    df: Ints
    documents: int
    size: float
    probes: Mapping[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        df = np.asarray(self.df, dtype=np.int64)
        object.__setattr__(self, "df", df)
        if df.ndim != 1 or not len(df) or df.min() < 1 or df.max() > self.documents:
            raise InputError(
                f"dfs of a sample of {self.documents} documents are not all in 1 to that",
                advice="leave out terms that do not occur in the sample",
            )
        if self.size < self.documents:
            raise InputError(
                f"a source of {self.size} documents has a sample of {self.documents}",
                advice="give the source's size",
            )
        if not all(0 <= term < len(df) for term in self.probes):
            raise InputError("a probe is no term of the sample", advice="give its number in df")

    @cached_property
    def scale(self) -> float:
        """Documents of the source / documents of the sample."""
        return self.size / self.documents

    @cached_property
    def spectrum(self) -> tuple[Ints, Ints]:
        """Return the different dfs, ascending, and how many terms have each."""
        counts, terms = np.unique(self.df, return_counts=True)
        return counts, terms.astype(np.int64)

    @cached_property
    def vocabulary(self) -> float:
        """Return the terms of the source: those seen, and Chao1's estimate of the unseen ones."""
        once, twice = (int((self.df == count).sum()) for count in (1, 2))
        return len(self.df) + once * (once - 1) / (2 * (twice + 1))


DfEstimator: TypeAlias = Callable[[SampleDf], Floats]
"""From a sample to (terms,): each term's df in the source, without bounds yet."""


def mle(sample: SampleDf) -> Floats:
    """Scale up: df x size / documents, the maximum likelihood for a random sample.

    Source: Fu 2011, equation 6.

    >>> mle(SampleDf(np.array([3, 1]), documents=10, size=100)).tolist()
    [30.0, 10.0]
    """
    return np.asarray(sample.df * sample.scale, dtype=np.float64)


def simple_good_turing(sample: SampleDf) -> Floats:
    """Scale up Good-Turing's adjusted dfs: r* x size / documents.

    Source: Gale & Sampson 1995; see `good_turing`.

    >>> sample = SampleDf(np.repeat([1, 2, 3, 5, 8], [10, 6, 4, 2, 1]), documents=10, size=100)
    >>> simple_good_turing(sample)[[0, -1]].round(2).tolist()
    [6.25, 75.32]
    """
    counts, terms = sample.spectrum
    adjusted = good_turing(counts, terms).adjusted
    return adjusted[np.searchsorted(counts, sample.df)] * sample.scale


def jelinek_mercer(sample: SampleDf) -> Floats:
    """Mix each df with the mean df: (l df + (1 - l) n / V) x size / documents.

    n is the sum of dfs, V the vocabulary with its unseen part. The share l maximises the likelihood
    of each occurrence given all others (leaving one out), found by EM.

    Source: Jelinek & Mercer 1980, "Interpolated estimation of Markov source parameters".

    >>> sample = SampleDf(np.array([4, 2, 1, 1]), documents=10, size=100)
    >>> jelinek_mercer(sample).round(1).tolist()
    [21.7, 18.2, 16.4, 16.4]
    """
    total = float(sample.df.sum())
    uniform = 1 / sample.vocabulary
    left = (sample.df - 1) / max(total - 1, 1)
    share = 0.5
    for _ in range(EM_STEPS):
        by_sample = share * left / (share * left + (1 - share) * uniform)
        share = float(sample.df @ by_sample) / total
        share = min(share, 1 - 1e-9)
    mixed = share * sample.df + (1 - share) * total * uniform
    return np.asarray(mixed * sample.scale, dtype=np.float64)


def absolute_discounting(sample: SampleDf) -> Floats:
    """Subtract the same number from every df, and share it out: df - d + d T / V, scaled up.

    d = n1 / (n1 + 2 n2), from the number of terms with df 1 and 2; T terms are seen, and V exist
    with the unseen ones.

    Source: Ney, Essen & Kneser 1994, "On structuring probabilistic dependences in stochastic
    language modelling" (for d).

    >>> sample = SampleDf(np.array([4, 2, 1, 1]), documents=10, size=100)
    >>> absolute_discounting(sample).round(1).tolist()
    [39.4, 19.4, 9.4, 9.4]
    """
    once, twice = (int((sample.df == count).sum()) for count in (1, 2))
    discount = once / (once + 2 * twice) if once else 0.0
    back = discount * len(sample.df) / sample.vocabulary
    return np.asarray((sample.df - discount + back) * sample.scale, dtype=np.float64)


def zipf_mandelbrot(sample: SampleDf) -> Floats:
    """Fit df = alpha (rank + beta) ^ -gamma to the probes, with ranks from the sample.

    Terms with equal df share their mean rank. This is least squares of log df, with each probe
    weighted by its share of the terms (`_shares`); beta is found by search.

    Raises:
        InputError: There are fewer than three probes with a df above 0.

    Source: Ntoulas, Zerfos & Cho 2005, section 4 (after Mandelbrot).

    >>> probes = {0: 500, 3: 125, 8: 50}
    >>> sample = SampleDf(np.arange(9, 0, -1), documents=9, size=900, probes=probes)
    >>> zipf_mandelbrot(sample)[[0, 3, 8]].round().tolist()
    [500.0, 125.0, 50.0]
    """
    rank = _mean_ranks(sample)
    terms, found, weight = _probes(sample, least=3)

    def fit(log_beta: float) -> tuple[Floats, float]:
        x = -np.log(rank + np.exp(log_beta))
        line, error = _line(x[terms], found, weight)
        return np.asarray(line[0] + line[1] * x), error

    best = _lowest(lambda log_beta: fit(log_beta)[1], -5, log(len(rank)) + 1)
    return np.exp(fit(best)[0])


def _mean_ranks(sample: SampleDf) -> Floats:
    """Return the ranks of the dfs (terms,): 1 for the largest; equal ones share a mean rank."""
    _, place, terms = np.unique(-sample.df, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(terms) - (terms - 1) / 2)[place], dtype=np.float64)


def _lowest(of: Callable[[float], float], low: float, high: float) -> float:
    """Return the minimum of a function with one valley, to 1e-6, by golden-section search."""
    golden = (sqrt(5) - 1) / 2
    left, right = high - golden * (high - low), low + golden * (high - low)
    at_left, at_right = of(left), of(right)
    while high - low > 1e-6:
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - golden * (high - low)
            at_left = of(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + golden * (high - low)
            at_right = of(right)
    return (low + high) / 2


def regression(sample: SampleDf) -> Floats:
    """Fit log df in the source = a + b log df in the sample to the probes.

    This is least squares, with each probe weighted by its share of the terms (`_shares`).

    Raises:
        InputError: There are fewer than two probes with a df above 0.

    Source: Callan & Connell 2001 and Si & Callan 2003 for learning from a few queries' counts.

    >>> sample = SampleDf(np.array([8, 4, 2, 1]), documents=8, size=80, probes={0: 64, 2: 4})
    >>> regression(sample).round(6).tolist()
    [64.0, 16.0, 4.0, 1.0]
    """
    terms, found, weight = _probes(sample, least=2)
    x = np.log(sample.df)
    line, _ = _line(x[terms], found, weight)
    return np.exp(line[0] + line[1] * x)


def _probes(sample: SampleDf, least: int) -> tuple[Ints, Floats, Floats]:
    """Return the numbers of the probed terms, the log of their dfs, and their weights."""
    terms = np.array([term for term, df in sample.probes.items() if df > 0], dtype=np.int64)
    if len(terms) < least:
        raise InputError(
            f"{len(terms)} probes with a df above 0, and {least} are needed",
            advice="ask for some terms of the sample",
        )
    found = np.log([float(sample.probes[term]) for term in terms.tolist()])
    return terms, found, _shares(sample.df, terms)


def _shares(df: Ints, probes: Ints) -> Floats:
    """Return weights (probes,): terms per probe in a probe's range, so rare terms count too."""
    bins = np.frexp(df)[1]  # the number of a range: 1, 2 to 3, 4 to 7, ...
    terms = np.bincount(bins)
    asked = np.bincount(bins[probes], minlength=len(terms))
    return np.asarray(terms[bins[probes]] / asked[bins[probes]], dtype=np.float64)


def _line(x: Floats, y: Floats, weight: Floats) -> tuple[tuple[float, float], float]:
    """Return the weighted least-squares intercept and slope, and the residual sum of squares."""
    weight = weight / weight.sum()
    x_mean, y_mean = float(weight @ x), float(weight @ y)
    spread = float(weight @ (x - x_mean) ** 2)
    slope = float(weight @ ((x - x_mean) * (y - y_mean))) / spread if spread > 0 else 0.0
    left = y - y_mean - slope * (x - x_mean)
    return (y_mean - slope * x_mean, slope), float(weight @ left**2)


DF_ESTIMATORS: dict[str, DfEstimator] = {
    "mle": mle,
    "good-turing": simple_good_turing,
    "jelinek-mercer": jelinek_mercer,
    "absolute-discounting": absolute_discounting,
    "zipf-mandelbrot": zipf_mandelbrot,
    "regression": regression,
}
NEEDS_PROBES = ("zipf-mandelbrot", "regression")
"""Estimators that need `SampleDf.probes`."""


def check_estimator(method: str) -> None:
    """Check that an estimator with this name exists.

    Raises:
        UnknownNameError: It does not exist.
    """
    if method not in DF_ESTIMATORS:
        raise UnknownNameError("df estimator", method, DF_ESTIMATORS)


def estimate_df(sample: SampleDf, method: str = "mle") -> Floats:
    """Estimate each term's df in the source, within the possible range.

    Args:
        sample: The sample's dfs, sizes and probes.
        method: A name in `DF_ESTIMATORS`.

    Returns:
        (terms,). At least the df in the sample; at most the source's size; for a probed term,
            exactly the df of its probe.

    Raises:
        UnknownNameError: No estimator has this name.
        InputError: The estimator needs more probes.

    >>> sample = SampleDf(np.array([3, 1]), documents=10, size=100, probes={1: 4})
    >>> estimate_df(sample).tolist()
    [30.0, 4.0]
    """
    check_estimator(method)
    found = np.clip(DF_ESTIMATORS[method](sample), sample.df, sample.size)
    for term, df in sample.probes.items():
        found[term] = df
    return found
