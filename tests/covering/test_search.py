"""Test what all search methods guarantee, on small and larger instances."""

import json
import sys
import tarfile
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.covering.conftest import matrices, zipf_matrix

from longline.covering import (
    METHODS,
    Matches,
    NotProvenError,
    cost_of,
    cover,
    matches_of,
    read_instance,
)
from longline.covering.model.budget import Budget
from longline.covering.model.view import view_of
from longline.covering.primal_dual import PrimalDual
from longline.covering.solvers.anneal import dive
from longline.errors import InputError, MatrixError, UncoverableError

pytestmark = pytest.mark.timeout(300)  # the first call of a method compiles it

SEARCH = ["lagrangian", "anneal", "weighting", "best", "genetic", "exact"]
FEW = {"lagrangian": 300, "anneal": 4, "weighting": 4, "best": 4, "genetic": 15, "exact": None}
"""Iterations per method that keep a test short."""


def cheapest_by_force(matrix, prices):
    """Return the optimum by trying every subset of columns."""
    columns = range(matrix.shape[1])
    return min(
        prices[list(subset)].sum()
        for size in range(1, len(columns) + 1)
        for subset in combinations(columns, size)
        if matrix[:, list(subset)].any(axis=1).all()
    )


def check(matrix, found, prices):
    """Check that the choice covers everything, wastes no query, and has the right sums."""
    times = matrix[:, found.queries].sum(axis=1)
    assert (times > 0).all()
    assert len(set(found.queries)) == len(found.queries)
    for column in found.queries:
        assert (times[matrix[:, column]] == 1).any()
    assert found.cost == pytest.approx(prices[found.queries].sum())
    assert found.received == times.sum()


@pytest.mark.slow
@pytest.mark.parametrize("method", SEARCH)
@settings(max_examples=25)
@given(matrix=matrices(), cost=st.sampled_from(["df", "df+2", "pages/2", "own"]))
def test_between_the_optimum_and_what_is_proven(method, matrix, cost):
    """On any small matrix there is a cover without waste, and bound <= optimum <= its cost."""
    prices = cost_of(matrix, cost) if cost != "own" else 0.3 + np.arange(matrix.shape[1]) % 3
    prices = np.where(matrix.any(axis=0), prices, 1.0)
    found = cover(matrix, method, cost=prices, bound=True, iterations=FEW[method])
    check(matrix, found, prices)
    optimum = cheapest_by_force(matrix, prices)
    assert found.lower_bound <= optimum <= found.cost + 1e-9
    assert found.gap == pytest.approx(found.cost / found.lower_bound - 1)
    if method == "exact":
        assert found.cost == pytest.approx(optimum)


@pytest.mark.parametrize("method", [name for name in METHODS if name != "exact"])
@pytest.mark.parametrize("cost", ["df", "df+10"])
def test_never_below_the_bound_nor_the_optimum(method, cost):
    """On Zipf-like matrices bound <= optimum <= cost, and the bound is near the optimum."""
    for seed in range(3):
        matrix = zipf_matrix(seed, 90, 110)
        prices = np.maximum(cost_of(matrix, cost), 1)
        found = cover(matrix, method, cost=prices, bound=True, iterations=FEW.get(method, 1))
        check(matrix, found, prices)
        optimum = cover(matrix, "exact", cost=prices).cost
        assert 0.7 * optimum < found.lower_bound <= optimum <= found.cost


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_annealing_finds_the_optimum_of_a_small_instance(seed):
    """On 90 documents, with default budgets, both find the same cost as branch and bound."""
    matrix = zipf_matrix(seed, 90, 110)
    optimum = cover(matrix, "exact").cost
    assert cover(matrix, "anneal").cost == optimum
    assert cover(matrix, "best").cost == optimum


def four_cycles(dimensions):
    """Make a cube's edges the queries and its squares the documents; each edge costs 1."""
    corners = range(2**dimensions)
    pairs = list(combinations(range(dimensions), 2))
    edges = {}
    squares = []
    for corner in corners:
        for first, second in pairs:
            ways, across = (1 << first, 1 << second), (first, second)
            if not corner & (ways[0] | ways[1]):
                ends = [(corner, 0), (corner, 1), (corner | ways[1], 0), (corner | ways[0], 1)]
                squares.append([edges.setdefault((at, across[to]), len(edges)) for at, to in ends])
    matrix = np.zeros((len(squares), len(edges)), dtype=np.int8)
    matrix[np.arange(len(squares))[:, None], np.array(squares)] = 1
    return matrix


@pytest.mark.parametrize(
    ("method", "iterations", "dimensions", "best_known"),
    [("weighting", 300, 7, 144), ("best", 60, 6, 60)],
)
def test_queries_of_equal_cost_come_to_the_best_known_cover(
    method, iterations, dimensions, best_known
):
    """The cost equals the best known cover of the squares of a cube (Grossman & Wool 1997)."""
    matrix = four_cycles(dimensions)
    prices = np.ones(matrix.shape[1])
    found = cover(matrix, method, cost=prices, iterations=iterations)
    check(matrix, found, prices)
    assert found.cost == best_known


@pytest.mark.slow
def test_weights_leave_what_annealing_stays_in():
    """On a random graph's dominating set, weighting beats annealing with the same iterations."""
    towns = 800
    rng = np.random.default_rng(1)
    roads = np.triu(rng.random((towns, towns)) < 12 / towns, 1)
    matrix = roads | roads.T | np.eye(towns, dtype=bool)
    costs = {
        method: cover(matrix, method, cost=np.ones(towns), iterations=100, rng=0).cost
        for method in ("ts-ids", "anneal", "weighting")
    }
    assert costs["weighting"] < costs["anneal"] < costs["ts-ids"]


@pytest.mark.parametrize("method", ["lagrangian", "anneal", "weighting", "best"])
@pytest.mark.parametrize("iterations", [0, 1, 20])
def test_a_search_is_never_worse_than_ts_ids(method, iterations):
    """With any number of iterations these searches fall back on TS-IDS."""
    matrix = zipf_matrix(7, 200, 300)
    assert cover(matrix, method, iterations=iterations).cost <= cover(matrix, "ts-ids").cost


@settings(max_examples=15)
@given(matrix=matrices(25, 18), seed=st.integers(0, 99), iterations=st.integers(0, 5))
def test_best_is_never_worse_than_a_single_method(matrix, seed, iterations):
    """With equal iterations and seed, no fast method alone costs less."""
    found = cover(matrix, "best", rng=seed, iterations=iterations)
    check(matrix, found, matrix.sum(axis=0))
    for method in ("greedy", "ids", "ts-ids", "lagrangian", "anneal", "weighting"):
        alone = cover(matrix, method, rng=seed, iterations=iterations)
        assert found.cost <= alone.cost


@pytest.mark.parametrize("cost", ["df", "df+10"])
def test_best_is_never_worse_where_the_optimum_is_out_of_reach(cost):
    """This also holds on a matrix that one iteration does not solve, where dives help."""
    matrix = zipf_matrix(5, 400, 900)
    prices = np.maximum(cost_of(matrix, cost), 1)
    found = cover(matrix, "best", cost=prices, iterations=2, rng=1)
    check(matrix, found, prices)
    for method in ("greedy", "ids", "ts-ids", "lagrangian", "anneal", "weighting"):
        alone = cover(matrix, method, cost=prices, iterations=2, rng=1)
        assert found.cost <= alone.cost


@pytest.mark.parametrize("method", ["anneal", "weighting", "best", "genetic"])
def test_one_seed_gives_one_answer(method):
    """Equal iterations and seed give equal results; a generator draws as its seed does."""
    matrix = zipf_matrix(1, 150, 200)
    limit = {"iterations": 3}
    first = cover(matrix, method, rng=5, **limit)
    assert cover(matrix, method, rng=5, **limit) == first
    assert cover(matrix, method, rng=np.random.default_rng(5), **limit) == first


@pytest.mark.slow
@pytest.mark.parametrize("method", ["anneal", "best", "exact"])
def test_an_optimum_does_not_depend_on_the_order_of_the_documents(method):
    """Shuffled documents give the same cost, if the method reaches the optimum."""
    matrix = zipf_matrix(2, 40, 50)
    shuffled = np.random.default_rng(0).permutation(matrix)
    assert cover(matrix, method).cost == cover(shuffled, method).cost


@pytest.mark.parametrize("method", ["lagrangian", "anneal", "weighting", "best", "genetic"])
@settings(max_examples=10)
@given(matrix=matrices(), seed=st.integers(0, 99))
def test_the_order_of_the_documents_changes_nothing(method, matrix, seed):
    """The same queries are chosen in the same order, however the documents are shuffled."""
    shuffled = np.random.default_rng(seed).permutation(matrix)
    first, second = (cover(each, method, iterations=20) for each in (matrix, shuffled))
    assert first.queries == second.queries


@pytest.mark.parametrize("method", ["lagrangian", "anneal", "weighting", "best", "genetic"])
@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_many_documents_changes_nothing(method, seed):
    """This also holds if the optimum is not reached, so that sums and random draws decide."""
    matrix = zipf_matrix(seed, 60, 70)
    shuffled = np.random.default_rng(seed).permutation(matrix)
    first, second = (cover(each, method, iterations=40) for each in (matrix, shuffled))
    assert first.queries == second.queries


def test_the_order_of_so_many_documents_that_draws_decide_changes_nothing():
    """Row weighting draws an uncovered document: the draw must not depend on the order."""
    rng = np.random.default_rng(0)
    matrix = rng.random((1500, 400)) < 0.02
    matrix[np.arange(1500), rng.integers(0, 400, 1500)] = True
    shuffled = rng.permutation(matrix)
    first, second = (cover(each, "weighting", iterations=200) for each in (matrix, shuffled))
    assert first.queries == second.queries


@pytest.mark.parametrize("method", ["lagrangian", "anneal", "weighting", "best", "genetic"])
@pytest.mark.parametrize("limit", [{"iterations": 0}, {"time_limit_seconds": 0}])
def test_no_time_at_all_gives_a_cover(method, limit):
    """A time limit of zero still gives a cover without waste."""
    matrix = zipf_matrix(3, 80, 90)
    found = cover(matrix, method, clock=lambda: 0.0, **limit)
    check(matrix, found, matrix.sum(axis=0))


@pytest.mark.parametrize("method", ["lagrangian", "anneal", "weighting", "best", "genetic"])
def test_a_clock_of_the_callers_ends_the_search(method):
    """The search stops when the given clock says so, and reports shares in 0 to 1."""
    ticks = iter(range(10**6))
    seen = []
    found = cover(
        zipf_matrix(4, 60, 60),
        method,
        time_limit_seconds=40,
        clock=lambda: float(next(ticks)),
        progress=seen.append,
    )
    assert next(ticks) < 400
    assert seen
    assert all(0 <= report.share <= 1 for report in seen)
    assert min(report.cost for report in seen) >= found.cost


@pytest.mark.parametrize(
    "limit",
    [{"iterations": -1}, {"time_limit_seconds": -1.0}, {"time_limit_seconds": float("nan")}],
)
def test_a_limit_that_is_none(limit):
    """Negative limits and nan are refused."""
    with pytest.raises(InputError):
        cover([[1]], "anneal", clock=lambda: 0.0, **limit)


def test_seconds_need_a_clock():
    """A time limit without a clock is refused, and the error says what to pass."""
    with pytest.raises(InputError, match=r"clock=time\.monotonic"):
        cover([[1]], "anneal", time_limit_seconds=1)


def test_no_proof_in_time():
    """The exact method returns the optimum or raises an error, never a guess."""
    with pytest.raises(NotProvenError) as caught:
        cover(zipf_matrix(0, 400, 600), "exact", time_limit_seconds=0, clock=lambda: 0.0)
    assert caught.value.seconds == 0


def test_without_its_solver_the_exact_method_says_how_to_get_it(monkeypatch):
    """HiGHS is an extra; the error names it, and a method that does not need it."""
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(InputError, match=r"longline\[exact\]") as caught:
        cover(zipf_matrix(0, 40, 60), "exact")
    assert "'best'" in str(caught.value)


def test_no_hope_of_a_proof():
    """More than 2 million entries are refused before branch and bound starts."""
    rows = np.tile(np.arange(2100, dtype=np.int32), 1000)
    matches = Matches(np.arange(1001) * 2100, rows, 2100)
    with pytest.raises(InputError, match="2100000 entries"):
        cover(matches, "exact", cost=np.full(1000, 3.0) + np.arange(1000) * 1e-6)


@pytest.mark.parametrize("method", SEARCH)
class TestInput:
    """The same input is refused or accepted as for the greedies."""

    def test_uncoverable(self, method):
        """The error names the first document without a query; if allowed, it is listed."""
        matrix = [[1, 0], [0, 0], [0, 1], [1, 1]]
        with pytest.raises(UncoverableError) as caught:
            cover(matrix, method)
        assert caught.value.document == 1
        found = cover(matrix, method, allow_uncovered=True, bound=True, iterations=FEW[method])
        assert (sorted(found.queries), found.uncovered) == ([0, 1], [1])
        assert found.lower_bound <= found.cost == 4

    def test_nothing_to_cover(self, method):
        """Without any match nothing is chosen, and the gap is NaN."""
        found = cover([[0, 0]], method, allow_uncovered=True, bound=True)
        assert (found.queries, found.cost, found.lower_bound) == ([], 0, 0)
        assert np.isnan(found.gap)

    @pytest.mark.parametrize("matrix", [[], [[]], np.zeros((0, 2)), np.zeros((2, 0)), [[np.nan]]])
    def test_empty_or_nan(self, method, matrix):
        """An empty matrix and one with nan are refused."""
        with pytest.raises(MatrixError):
            cover(matrix, method)

    @pytest.mark.parametrize("cost", [[-1, 1], [0, 1], [np.nan, 1], [np.inf, 1], [1]])
    def test_costs(self, method, cost):
        """Costs that are not finite, not above zero or too few are refused."""
        with pytest.raises(MatrixError):
            cover([[1, 0], [0, 1]], method, cost=cost)

    @pytest.mark.parametrize("factor", [1e-12, 1.0, 1e12])
    def test_the_unit_of_the_cost(self, method, factor):
        """Costs in any unit give a valid cover and bound in that unit."""
        matrix = zipf_matrix(5, 30, 25)
        prices = np.maximum(matrix.sum(axis=0), 1) * factor
        found = cover(matrix, method, cost=prices, bound=True, iterations=FEW[method])
        check(matrix, found, prices)
        assert found.lower_bound <= found.cost * (1 + 1e-9)
        assert found.lower_bound > 0.5 * found.cost

    def test_a_start(self, method):
        """A start is kept unless it is redundant, and its documents are not covered again."""
        matrix = zipf_matrix(6, 40, 30)
        start = [int(matrix.sum(axis=0).argmax()), 3]
        found = cover(
            matrix, method, start=start, eliminate=False, bound=True, iterations=FEW[method]
        )
        assert set(start) <= set(found.queries)
        assert matrix[:, found.queries].any(axis=1).all()
        assert found.lower_bound <= cover(matrix, "exact").cost
        everything = cover([[1, 1], [0, 1]], method, start=[1], iterations=FEW[method])
        assert everything.queries == [1]


@pytest.mark.parametrize("seed", range(3))
def test_a_dive_takes_columns_that_a_cover_can_be_made_of(seed):
    """A dive names each column once, is repeatable by seed, and does not change its relaxation."""
    matches = matches_of(zipf_matrix(seed, 200, 300))
    relaxation = PrimalDual(view_of(matches, cost_of(matches)))
    relaxation.run(1e-3, Budget(2000))
    before = relaxation.x.copy()
    first, second = (dive(relaxation, np.random.default_rng(seed), lambda: True) for _ in range(2))
    assert first.tolist() == second.tolist()
    assert 0 < len(first) == len(set(first.tolist()))
    assert (relaxation.x == before).all()
    assert cover(matches, start=first.tolist()).cost >= relaxation.duals.sum()


@settings(max_examples=25)
@given(matrix=matrices(), data=st.data())
def test_what_is_taken_need_not_be_covered_again(matrix, data):
    """Documents of chosen columns have price 0, and only columns with a gain are kept."""
    view = view_of(matches_of(matrix), np.maximum(1.0, matrix.sum(axis=0)) ** 0.5)
    size = len(view.cost)
    taken = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)), bool)
    rest, kept = view.after(taken)
    covered = matrix[:, view.columns[taken]].any(axis=1)
    assert (rest.price == np.where(covered, 0, view.price)).all()
    gain = matrix[:, view.columns].T.astype(float) @ rest.price
    assert kept.tolist() == (gain > view.cost).tolist()
    assert not (kept & taken).any()


def test_budgets_divide():
    """The remaining time is divided; iterations are set for each part."""
    now = [0.0]
    whole = Budget(seconds=10.0, clock=lambda: now[0])
    now[0] = 4.0
    part = whole.part(0.5, 7)
    assert (part.seconds, part.begin, part.iterations) == (3.0, 4.0, 7)
    now[0] = 7.0
    assert part.spent(0) == 1.0
    assert whole.spent(0) == 0.7
    assert Budget(0).spent(0) == 1.0
    assert Budget().spent(10**9) == 0.0


@pytest.mark.shared
@pytest.mark.parametrize("name", ["scp41", "scp63", "scpa3", "scpc2", "scpe4"])
def test_best_known_of_the_or_library(shared, name):
    """With 2 million tries annealing is within 1 % of the best known; the bound is below."""
    with tarfile.open(shared / "orlib" / "orlib.tar.xz") as archive:
        problem = read_instance(archive.extractfile(f"{name}.txt").read().decode())
    known = json.loads((shared / "orlib" / "best_known.json").read_text())[name]["best_known"]
    found = cover(problem.matrix, "anneal", cost=problem.cost, bound=True, iterations=200)
    assert found.lower_bound <= known <= found.cost <= 1.01 * known
