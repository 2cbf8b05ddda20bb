"""Test the greedies against the papers' tables, a simple oracle, and general properties."""

from itertools import combinations

import numpy as np
import pytest
from bench.weights import ids, ts_ids, uniform
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from tests.covering.conftest import matrices

from longline.covering import METHODS, cost_of, cover, matches_of
from longline.covering.problem import drop_redundant
from longline.covering.solvers import greedy

WS_CRAWLER = np.array(
    [
        [0, 0, 0, 0, 0, 0, 1, 0, 1],
        [0, 0, 0, 0, 1, 0, 1, 0, 1],
        [1, 0, 0, 0, 0, 1, 0, 0, 0],
        [0, 0, 0, 0, 0, 1, 1, 1, 1],
        [1, 1, 0, 1, 1, 0, 0, 0, 1],
        [1, 1, 1, 1, 0, 0, 0, 0, 0],
    ]
).T
"""Fu 2011, Table 2 (its Table 1 leaves out d9 from q4): d1 to d9, q1 to q6."""

WEIGHTS = {
    "greedy": lambda matrix, cost: uniform(matrix),
    "ids": lambda matrix, cost: ids(matrix),
    "ts-ids": ts_ids,
}


def oracle(matrix, weight, cost, rank, start=()):
    """Choose queries by evaluating every column before every choice."""
    matrix = np.asarray(matrix, dtype=float)
    left = np.array(weight, dtype=float)
    chosen = list(start)
    left[matrix[:, chosen].any(axis=1)] = 0
    level = np.inf
    while left.any():
        values = left @ matrix / cost
        if values.max() < level * (1 - 1e-9):
            level = values.max()
        ties = np.flatnonzero(values >= level * (1 - 1e-9))
        chosen.append(min(ties, key=lambda column: rank[column]))
        left[matrix[:, chosen[-1]] > 0] = 0
    return [int(column) for column in chosen]


def kept(matrix, chosen):
    """Return a choice without the queries whose documents others cover."""
    matches = matches_of(matrix)
    return drop_redundant(matches, cost_of(matches), np.array(chosen)).tolist()


def ranks(matrix, ties):
    """Return the columns' ranks under the two deterministic tie rules, lowest first."""
    columns = range(matrix.shape[1])
    if ties == "lowest":
        return list(columns)
    df = matrix.sum(axis=0)
    order = sorted(columns, key=lambda column: (-df[column], column))
    return [order.index(column) for column in columns]


def zipf_matrix(rng, documents, queries, scale=0.4):
    """Make a matrix with large and small columns in which every document has a column."""
    share = np.minimum(0.4, scale / np.arange(1, queries + 1))
    matrix = rng.random((documents, queries)) < share
    matrix[np.arange(documents), rng.integers(queries, size=documents)] = True
    return matrix


def test_weighted_greedy_table_2_weights(example):
    """The inverse document sizes equal those in Table 2."""
    expected = [1, 0.5, 0.33, 0.5, 0.5, 0.33, 1, 0.33, 0.33]
    assert ids(example).round(2).tolist() == expected


def test_weighted_greedy_table_2_query_weights(example):
    """df, qw and df/qw equal those in Table 2, which truncates 1/3 to 0.33."""
    df = example.sum(axis=0)
    qw = ids(example) @ example
    assert df.tolist() == [4, 2, 5, 4, 5]
    assert qw.tolist() == pytest.approx([1.49, 0.66, 2.66, 2.16, 1.99], abs=0.02)
    assert (df / qw).tolist() == pytest.approx([2.68, 3.03, 1.88, 1.85, 2.51], abs=0.03)


def test_weighted_greedy_tables_3_and_4(example):
    """The weighted greedy chooses q4, q3, q1 for 13."""
    found = cover(example, "ids", eliminate=False)
    assert (found.queries, found.cost) == ([3, 2, 0], 13)
    assert found.overlapping_rate == 13 / 9


def test_weighted_greedy_table_5(example):
    """Greedy started at q4 chooses q4, q5, q3 for 14."""
    found = cover(example, "greedy", start=[3], eliminate=False)
    assert (found.queries, found.cost) == ([3, 4, 2], 14)


def test_ws_crawler_tables_2_to_4():
    """Greedy with the largest df first among ties chooses q5, q4, q6 for 13."""
    found = cover(WS_CRAWLER, "greedy", ties="largest")
    assert (found.queries, found.cost) == ([4, 3, 5], 13)


def test_ws_crawler_table_5_values():
    """qw/df equal those in Table 5 where it follows its definition: it misprints d1's weight.

    d1 has three queries, q3, q5 and q6, so by Definition 3 its weight is 1/3; the table has 1 in
    one row and 0.5 in two.
    """
    weight = ids(WS_CRAWLER)
    assert weight.round(3).tolist() == [0.333, 0.5, 1, 0.5, 0.5, 0.5, 0.333, 1, 0.25]
    value = weight @ WS_CRAWLER / WS_CRAWLER.sum(axis=0)
    assert value[[0, 1, 3]].round(3).tolist() == [0.292, 0.361, 0.521]


def test_ws_crawler_tables_5_to_7():
    """The weighted greedy chooses q6, q4, q2 for 11."""
    found = cover(WS_CRAWLER, "ids", eliminate=False)
    assert (found.queries, found.cost) == ([5, 3, 1], 11)


def test_four_by_three_example():
    """Of the two solutions in chapter III, the one that costs 4 is found, not the one for 5."""
    matrix = np.array([[0, 1, 1, 0], [1, 0, 1, 1], [1, 0, 0, 1]]).T
    costs = matrix.sum(axis=0)
    assert costs[[0, 1]].sum() == 5
    for method in WEIGHTS:
        found = cover(matrix, method, ties="lowest")
        assert (sorted(found.queries), found.cost) == ([0, 2], 4)


@pytest.mark.parametrize("method", WEIGHTS)
@pytest.mark.parametrize("ties", ["largest", "lowest"])
@pytest.mark.parametrize("cost", ["df", "df+3", "pages/4"])
@pytest.mark.parametrize("seed", range(4))
def test_same_choice_as_the_oracle(method, ties, cost, seed):
    """On Zipf-like matrices the choice equals the oracle's, in the same order."""
    matrix = zipf_matrix(np.random.default_rng(seed), 150, 120)
    prices = np.maximum(cost_of(matrix, cost), 1e-9)
    expected = oracle(matrix, WEIGHTS[method](matrix, cost), prices, ranks(matrix, ties))
    assert cover(matrix, method, cost=cost, ties=ties, eliminate=False).queries == expected


@pytest.mark.parametrize("method", WEIGHTS)
@pytest.mark.parametrize("left", [0.8, 0.35, 0.02])
@pytest.mark.parametrize("cost", ["df", "df+3", "own"])
def test_same_choice_in_many_epochs(method, left, cost, monkeypatch):
    """With any number of epochs and compactions of the matrix, the choice equals the oracle's."""
    monkeypatch.setattr(greedy, "FEWEST", 5)
    monkeypatch.setattr(greedy, "LEFT", left)
    rng = np.random.default_rng(7)
    matrix = zipf_matrix(rng, 300, 400)
    prices = cost_of(matrix, rng.random(400) + 0.1 if cost == "own" else cost)
    expected = oracle(
        matrix,
        WEIGHTS[method](matrix, prices),
        np.where(matrix.any(axis=0), prices, 1),
        ranks(matrix, "lowest"),
    )
    found = cover(matrix, method, cost=prices, ties="lowest", eliminate=False)
    assert found.queries == expected


@pytest.mark.slow
@pytest.mark.parametrize("method", WEIGHTS)
def test_same_choice_as_the_oracle_at_the_usual_epochs(method):
    """With thousands of columns and default epochs, the choice equals the oracle's."""
    matrix = zipf_matrix(np.random.default_rng(8), 400, 6000, scale=12)
    assert (matrix.sum(axis=0) > 1).sum() > greedy.FEWEST
    prices = np.maximum(matrix.sum(axis=0), 1)
    expected = oracle(matrix, WEIGHTS[method](matrix, "df"), prices, ranks(matrix, "lowest"))
    assert cover(matrix, method, ties="lowest", eliminate=False).queries == expected


@pytest.mark.parametrize("method", WEIGHTS)
@pytest.mark.parametrize("unit", [1e-300, 1e-30, 1e30, 1e300])
def test_costs_in_any_unit(method, unit, monkeypatch):
    """If some or all costs exceed single precision, the choice still equals the oracle's."""
    monkeypatch.setattr(greedy, "FEWEST", 5)
    rng = np.random.default_rng(9)
    matrix = zipf_matrix(rng, 80, 100)
    for factor in (np.full(100, unit), np.where(rng.random(100) < 0.5, unit, 1.0)):
        prices = (1 + rng.random(100)) * factor
        weight = WEIGHTS[method](matrix, prices)
        found = cover(matrix, method, cost=prices, ties="lowest", eliminate=False)
        assert found.queries == oracle(matrix, weight, prices, ranks(matrix, "lowest"))


@pytest.mark.parametrize("method", WEIGHTS)
def test_costs_that_differ_in_the_last_digit_tie(method):
    """Two columns for one document with costs 0.1 + 0.2 and 0.3 are a tie."""
    found = cover([[1, 1]], method, cost=[0.1 + 0.2, 0.3], ties="lowest")
    assert found.queries == [0]


@pytest.mark.slow
@pytest.mark.parametrize("method", WEIGHTS)
@settings(max_examples=60)
@given(matrix=matrices(12, 12))
def test_same_choice_as_the_oracle_on_any_small_matrix(method, matrix):
    """On any small matrix, and from any start, the choice equals the oracle's."""
    prices = np.maximum(matrix.sum(axis=0), 1)
    weight = WEIGHTS[method](matrix, "df")
    for start in ([], [matrix.shape[1] - 1]):
        expected = oracle(matrix, weight, prices, ranks(matrix, "lowest"), start)
        found = cover(matrix, method, ties="lowest", eliminate=False, start=start)
        assert found.queries == expected


@pytest.mark.parametrize("method", WEIGHTS)
@settings(max_examples=60)
@given(matrix=matrices(12, 12), seed=st.integers(0, 9))
def test_a_cover_covers_and_wastes_no_query(method, matrix, seed):
    """Every document is covered, and no query is repeated or redundant."""
    found = cover(matrix, method, ties="random", rng=seed)
    times = matrix[:, found.queries].sum(axis=1)
    assert (times > 0).all()
    assert len(set(found.queries)) == len(found.queries)
    for column in found.queries:
        assert (times[matrix[:, column]] == 1).any()
    assert found.received == times.sum() == found.cost
    assert found.overlapping_rate == times.sum() / len(matrix)


@pytest.mark.parametrize("method", WEIGHTS)
@pytest.mark.parametrize("ties", ["largest", "lowest"])
@settings(max_examples=30)
@given(seed=st.integers(0, 10_000))
def test_the_order_of_the_documents_does_not_matter(method, ties, seed):
    """Shuffled documents give the same queries in the same order."""
    rng = np.random.default_rng(seed)
    matrix = zipf_matrix(rng, 40, 50)
    first = cover(matrix, method, ties=ties)
    assert cover(rng.permutation(matrix), method, ties=ties) == first


@pytest.mark.parametrize("method", WEIGHTS)
@settings(max_examples=40)
@given(matrix=matrices(8, 7), overhead=st.sampled_from(["df", "df+2", "pages/2"]))
def test_the_cost_is_never_below_the_optimum(method, matrix, overhead):
    """No choice costs less than the best of all subsets of queries."""
    prices = cost_of(matrix, overhead)
    columns = range(matrix.shape[1])
    optimum = min(
        prices[list(subset)].sum()
        for size in range(1, len(columns) + 1)
        for subset in combinations(columns, size)
        if matrix[:, list(subset)].any(axis=1).all()
    )
    assert cover(matrix, method, cost=overhead).cost >= optimum - 1e-9


def test_random_ties_follow_the_seed():
    """The same seed gives the same answer; different seeds give different ones."""
    matrix = zipf_matrix(np.random.default_rng(0), 60, 60)
    answers = [cover(matrix, "greedy", ties="random", rng=seed).queries for seed in range(8)]
    again = [cover(matrix, "greedy", ties="random", rng=seed).queries for seed in range(8)]
    assert answers == again
    assert len({tuple(answer) for answer in answers}) > 1


def test_a_generator_and_a_seed_draw_the_same():
    """A generator made from a seed gives the seed's answer."""
    matrix = zipf_matrix(np.random.default_rng(1), 30, 30)
    by_seed = cover(matrix, "greedy", ties="random", rng=3)
    assert cover(matrix, "greedy", ties="random", rng=np.random.default_rng(3)) == by_seed


def test_sparse_and_dense_give_the_same():
    """A sparse matrix in any scipy format gives the same answer as a dense one."""
    matrix = zipf_matrix(np.random.default_rng(2), 50, 40)
    expected = cover(matrix)
    for kind in (sparse.csc_array, sparse.csr_array, sparse.coo_array, sparse.lil_array):
        assert cover(kind(matrix)) == expected
    assert cover(sparse.csr_matrix(matrix.astype(float) * 7)) == expected


def test_elimination_never_costs_more():
    """Removing redundant queries never raises the cost, and lowers it on Zipf-like data."""
    matrix = zipf_matrix(np.random.default_rng(3), 200, 200)
    kept = cover(matrix, "greedy", ties="lowest", eliminate=False)
    left = cover(matrix, "greedy", ties="lowest")
    assert left.cost < kept.cost
    assert set(left.queries) < set(kept.queries)


def test_elimination_drops_the_most_expensive_first():
    """The most expensive redundant query is removed first; among equals, the last chosen."""
    matrix = np.array([[1, 1, 1, 0], [1, 1, 0, 1], [0, 1, 0, 1]])
    assert kept(matrix, [1, 2, 3]) == [2, 3]
    assert kept([[1, 1], [1, 1]], [1, 0]) == [1]


def test_a_start_may_cover_everything():
    """A start that covers every document is the complete choice."""
    assert cover([[1, 1], [0, 1]], start=[1]).queries == [1]
    assert cover([[1, 1], [0, 1]], start=[1, 1], eliminate=False).queries == [1]


def test_every_published_greedy_is_registered():
    """The registry contains the three greedies."""
    assert set(WEIGHTS) <= set(METHODS)


@pytest.mark.parametrize("method", ["greedy", "ids", "ts-ids"])
def test_same_choice_as_the_oracle_from_a_start_of_large_queries(method):
    """With a start that overlaps large queries, the choice equals the oracle's."""
    matrix = np.random.default_rng(5).random((400, 30)) < 0.3
    matrix[:, 7] |= ~matrix.any(axis=1)
    start = [4, 9]
    prices = cost_of(matrix, "df")
    expected = oracle(matrix, WEIGHTS[method](matrix, "df"), prices, ranks(matrix, "lowest"), start)
    found = cover(matrix, method, ties="lowest", eliminate=False, start=start)
    assert found.queries == expected
