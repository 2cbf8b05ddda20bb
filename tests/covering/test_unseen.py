"""Test queries for documents beyond the sample: the objective, and the results."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from longline.covering import cost_of, cover, cover_unseen
from longline.errors import InputError, MatrixError
from longline.pool import document_term_matrix
from longline.simulate import read_corpus


def value_of(matrix, queries, prices, price, doubt):
    """Return the cost of the queries plus the price of the documents expected to be missed."""
    df = matrix.sum(axis=0)
    doubted = np.where(matrix[:, queries], doubt / (df[queries] + doubt), 1.0)
    return prices[queries].sum() + price * doubted.prod(axis=1).sum()


def least_by_force(matrix, prices, price, doubt):
    """Return the lowest value over all subsets of columns, including the empty one."""
    columns = range(matrix.shape[1])
    return min(
        value_of(matrix, list(subset), prices, price, doubt)
        for size in range(len(columns) + 1)
        for subset in combinations(columns, size)
    )


@st.composite
def matrices(draw, documents=9, queries=6):
    rows = draw(st.integers(1, documents))
    columns = draw(st.integers(1, queries))
    cells = draw(st.lists(st.booleans(), min_size=rows * columns, max_size=rows * columns))
    return np.array(cells).reshape(rows, columns)


@settings(max_examples=10)
@given(
    matrix=matrices(),
    price=st.sampled_from([0.5, 3.0, 30.0]),
    doubt=st.sampled_from([0.1, 2.0, 20.0]),
    cost=st.sampled_from(["df", "df+2"]),
)
def test_no_subset_is_better(matrix, price, doubt, cost):
    """On any small matrix the choice has the lowest value of all, and its sums are right."""
    prices = cost_of(matrix, cost)
    found = cover_unseen(matrix, price, cost=cost, doubt=doubt, iterations=1)
    value = value_of(matrix, found.queries, prices, price, doubt)
    assert value == pytest.approx(least_by_force(matrix, prices, price, doubt))
    assert len(set(found.queries)) == len(found.queries)
    assert found.cost == pytest.approx(prices[found.queries].sum())
    assert found.received == matrix[:, found.queries].sum()
    expected = len(matrix) * found.expected_hit_rate
    assert value == pytest.approx(found.cost + price * (len(matrix) - expected))
    missing = ~matrix[:, found.queries].any(axis=1)
    assert found.uncovered == np.flatnonzero(missing).tolist()


@settings(max_examples=5)
@given(matrix=matrices(), seed=st.integers(0, 99))
def test_the_order_of_the_documents(matrix, seed):
    """Shuffled documents give a choice of the same value, if it is the optimum."""
    prices = cost_of(matrix)
    shuffled = np.random.default_rng(seed).permutation(matrix)
    first, second = (cover_unseen(each, 8, iterations=1) for each in (matrix, shuffled))
    assert value_of(matrix, first.queries, prices, 8, 20) == pytest.approx(
        value_of(matrix, second.queries, prices, 8, 20)
    )


def source_of(seed, documents=500, terms=3000):
    """Make a source with independent Zipf-distributed terms and documents of varying length."""
    rng = np.random.default_rng(seed)
    length = rng.lognormal(sigma=0.5, size=documents)
    shares = 0.15 / np.arange(1, terms + 1) ** 0.8
    blocks = [np.flatnonzero(rng.random(documents) < share * length) for share in shares]
    starts = np.concatenate([[0], np.cumsum([len(block) for block in blocks])])
    rows = np.concatenate(blocks)
    shape = (documents, terms)
    return sparse.csc_array((np.ones(len(rows), bool), rows, starts), shape=shape)


def sent(source, queries):
    """Return HR and OR of queries in a source."""
    times = np.asarray(source[:, queries].sum(axis=1)).ravel()
    return np.count_nonzero(times) / len(times), times.sum() / np.count_nonzero(times)


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize("seed", [1, 2])
def test_it_holds_beyond_the_sample(shared, seed):
    """On Reuters it reaches about what a cover at df + 30 does, with fewer queries."""
    corpus = read_corpus(shared / "corpora" / "reuters.jsonl.gz")
    texts = [f"{each.title}\n{each.text}" for each in corpus]
    texts = [texts[place] for place in np.random.default_rng(seed).permutation(len(texts))]
    terms = document_term_matrix(texts, df_ceiling=0.37).matrix
    shape = (terms.documents, terms.queries)
    ones = np.ones(len(terms.rows), dtype=bool)
    whole = sparse.csc_array((ones, terms.rows, terms.starts), shape=shape)
    sample = whole.tocsr()[:3000].tocsc()
    found = cover_unseen(sample, 12, iterations=60, rng=seed)
    hit_rate, rate = sent(whole, found.queries)
    usual = cover(sample, "anneal", cost="df+30", allow_uncovered=True, iterations=60, rng=seed)
    usual_hit_rate, _ = sent(whole, usual.queries)
    assert hit_rate > usual_hit_rate - 0.03
    assert len(found.queries) < 0.8 * len(usual.queries)
    assert hit_rate == pytest.approx(found.expected_hit_rate, abs=0.03)
    assert rate == pytest.approx(found.expected_overlapping_rate, rel=0.07)


def test_a_higher_price_reaches_more():
    """With the price, expected hit rate and expected documents rise together."""
    sample = source_of(9)
    found = [cover_unseen(sample, price, iterations=40) for price in (3, 8, 20)]
    rates = [each.expected_hit_rate for each in found]
    assert rates == sorted(set(rates))
    assert [each.received for each in found] == sorted(each.received for each in found)


def test_what_brings_most_for_its_cost_comes_first():
    """Queries are sorted by expected new documents per cost."""
    sample = source_of(9)
    found = cover_unseen(sample, 10, iterations=20)
    dense, df = sample.toarray(), sample.sum(axis=0)
    left, gains = np.ones(500), []
    for query in found.queries:
        gains.append(left[dense[:, query]].sum() / (df[query] + 20))
        left[dense[:, query]] *= 20 / (df[query] + 20)
    assert gains == sorted(gains, reverse=True)


def test_one_seed_gives_one_answer():
    """Equal iterations and seed give equal results, and progress ends at a share of 1."""
    sample, seen = source_of(9), []
    first = cover_unseen(sample, 10, rng=5, iterations=5, progress=seen.append)
    assert cover_unseen(sample, 10, rng=np.random.default_rng(5), iterations=5) == first
    assert seen[-1].share == 1
    assert [each.cost for each in seen] == sorted((each.cost for each in seen), reverse=True)


@pytest.mark.parametrize("limit", [{"iterations": 0}, {"time_limit_seconds": 0}])
def test_no_time_at_all(limit):
    """Without time for a search the greedy choice is returned."""
    sample = source_of(9)
    found = cover_unseen(sample, 10, clock=lambda: 0.0, **limit)
    assert found.expected_hit_rate > 0.3


def test_nothing_worth_its_cost():
    """A document that is cheaper to leave than to fetch is left."""
    found = cover_unseen([[1, 0], [0, 1], [0, 0]], price=0.5)
    assert (found.queries, found.uncovered, found.expected_hit_rate) == ([], [0, 1, 2], 0)
    assert np.isnan(found.expected_overlapping_rate)


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf")])
@pytest.mark.parametrize("name", ["price", "doubt"])
def test_what_is_no_price_and_no_doubt(name, value):
    """A price or doubt that is not finite and above 0 is refused, and the error names it."""
    with pytest.raises(InputError, match=name):
        cover_unseen([[1]], **{"price": 5, name: value})


@pytest.mark.parametrize("matrix", [[], [[]], [[np.nan]], [[2]]])
def test_bad_matrices(matrix):
    """Input that is not a matrix of 0 and 1 is refused."""
    with pytest.raises(MatrixError):
        cover_unseen(matrix, 5)
