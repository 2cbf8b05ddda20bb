"""Test document frequencies from a sample."""

import numpy as np
import pytest
from bench.df.compare import probe_terms
from hypothesis import given, settings
from hypothesis import strategies as st

from longline.errors import InputError, UnknownNameError
from longline.estimate.document_frequency import (
    DF_ESTIMATORS,
    NEEDS_PROBES,
    SampleDf,
    estimate_df,
)


def zipf_sample(seed: int, share: float = 0.1) -> tuple[SampleDf, np.ndarray]:
    """Return a random sample of a source with Zipf's law, and the true dfs."""
    rng = np.random.default_rng(seed)
    size = 10_000
    true = np.maximum(1, (size * 0.3 / np.arange(1, 4001) ** 0.9).astype(np.int64))
    df = rng.binomial(true, share)
    seen = df > 0
    probes = {term: int(true[seen][term]) for term in probe_terms(df[seen], rng)}
    return SampleDf(df[seen], int(size * share), size, probes), true[seen]


def test_thesis() -> None:
    """MLE is equation 6: a term in 7 of 100 sampled documents is in 70 of 1000."""
    sample = SampleDf(np.array([7]), documents=100, size=1000)
    assert estimate_df(sample, "mle").tolist() == [70]


@pytest.mark.parametrize("method", DF_ESTIMATORS)
def test_common_terms_of_a_random_sample(method: str) -> None:
    """For frequent terms of a random sample every estimator is within a third on average."""
    sample, true = zipf_sample(1)
    found = estimate_df(sample, method)
    common = sample.df >= 16
    assert common.sum() > 20
    assert np.abs(np.log2(found[common] / true[common])).mean() < np.log2(4 / 3)


@pytest.mark.parametrize("method", ["good-turing", "absolute-discounting", *NEEDS_PROBES])
def test_rare_terms_are_discounted(method: str) -> None:
    """A term that occurs once in the sample is estimated below its scaled-up df."""
    sample, true = zipf_sample(2)
    plain = SampleDf(sample.df, sample.documents, sample.size)
    found = estimate_df(sample if method in NEEDS_PROBES else plain, method)
    once = sample.df == 1
    assert found[once].mean() < 10
    assert found[once].mean() == pytest.approx(true[once].mean(), rel=0.5)


@given(
    st.lists(st.integers(1, 50), min_size=12, max_size=60),
    st.integers(50, 500),
    st.integers(0, 10),
    st.sampled_from(sorted(DF_ESTIMATORS)),
)
@settings(max_examples=80)
def test_bounds(df: list[int], more: int, seed: int, method: str) -> None:
    """No estimate is below the sample's df or above the size, or differs from a probe's df."""
    rng = np.random.default_rng(seed)
    probes = {term: df[term] + int(rng.integers(more)) for term in probe_terms(df, rng, 2)}
    if len(probes) < 3:
        probes |= {term: df[term] for term in range(3)}
    sample = SampleDf(np.array(df), documents=50, size=50 + more, probes=probes)
    found = estimate_df(sample, method)
    assert (found >= sample.df).all()
    assert (found <= sample.size).all()
    assert all(found[term] == known for term, known in probes.items())


@given(
    st.lists(st.integers(1, 50), min_size=12, max_size=40), st.sampled_from(sorted(DF_ESTIMATORS))
)
@settings(max_examples=40)
def test_equal_dfs_are_estimated_alike(df: list[int], method: str) -> None:
    """Terms with the same df in the sample have the same estimate, in any order."""
    probes = {term: 2 * df[term] + 1 for term in range(4)}
    sample = SampleDf(np.array(df), documents=50, size=200, probes=probes)
    found = DF_ESTIMATORS[method](sample)
    for value in set(df):
        assert np.ptp(found[sample.df == value]) == pytest.approx(0, abs=1e-6)


def test_a_law_is_found_exactly() -> None:
    """Probes on Mandelbrot's law recover the law; regression recovers a power law."""
    df = np.arange(40, 0, -1)
    law = 5000 * (np.arange(1, 41) + 3.0) ** -1.2
    probes = dict(enumerate(law.tolist()))
    sample = SampleDf(df, documents=40, size=5000, probes={0: 947, 9: 230, 19: 116, 39: 55})
    exact = SampleDf(df, 40, 5000, {term: probes[term] for term in (0, 3, 9, 19, 39)})  # type: ignore[misc]
    assert DF_ESTIMATORS["zipf-mandelbrot"](exact) == pytest.approx(law, rel=1e-3)
    assert DF_ESTIMATORS["zipf-mandelbrot"](sample) == pytest.approx(law, rel=0.01)
    power = SampleDf(df, 40, 5000, {0: 1600, 20: 400, 30: 100, 39: 1})
    assert DF_ESTIMATORS["regression"](power) == pytest.approx(df.astype(float) ** 2, rel=1e-9)


def test_probes_stand_for_their_bin() -> None:
    """If the bins disagree, the line is nearer to the bin with more terms."""
    df = np.array([1] * 1000 + [2] * 10 + [4] * 10)
    sample = SampleDf(df, documents=100, size=1000, probes={0: 3, 1000: 40, 1010: 40})
    assert DF_ESTIMATORS["regression"](sample)[1] == pytest.approx(3, rel=0.05)


def test_probe_terms_are_of_every_bin() -> None:
    """At most ten of each bin are drawn, none twice."""
    df = np.array([1] * 100 + [2] * 5 + [3] * 20 + [9])
    drawn = probe_terms(df, np.random.default_rng(1))
    assert len(set(drawn)) == len(drawn) == 10 + 10 + 1
    assert 125 in drawn


@pytest.mark.parametrize("method", NEEDS_PROBES)
def test_too_few_probes(method: str) -> None:
    """An estimator that needs probes raises an error without them."""
    with pytest.raises(InputError, match="probes"):
        estimate_df(SampleDf(np.array([1, 2, 3]), 3, 10), method)


def test_unknown_method() -> None:
    """The error for a wrong name lists the right ones."""
    with pytest.raises(UnknownNameError) as raised:
        estimate_df(SampleDf(np.array([1]), 1, 1), "gt")
    assert raised.value.known == tuple(DF_ESTIMATORS)


@pytest.mark.parametrize(
    ("df", "documents", "size", "probes"),
    [([], 3, 9, {}), ([0], 3, 9, {}), ([4], 3, 9, {}), ([1], 3, 2, {}), ([1], 3, 9, {1: 2})],
)
def test_wrong_sample(df: list[int], documents: int, size: int, probes: dict[int, int]) -> None:
    """Counts that contradict each other are refused."""
    with pytest.raises(InputError):
        SampleDf(np.array(df, dtype=np.int64), documents, size, probes)
