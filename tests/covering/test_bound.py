"""Test that the bound is proven in exact arithmetic, and near the linear relaxation."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import linprog
from tests.covering.conftest import zipf_matrix

from longline.covering import cost_of, lower_bound, matches_of
from longline.covering.bound import Relaxation
from longline.covering.model.budget import Budget
from longline.covering.model.view import view_of
from longline.errors import MatrixError


def is_proof(matrix, prices, found):
    """Return whether the duals are feasible and reach the value, without rounding."""
    duals = [Fraction(float(dual)) for dual in found.duals]
    for column, price in enumerate(prices):
        if sum(duals[row] for row in np.flatnonzero(matrix[:, column])) > Fraction(float(price)):
            return False
    whole = sum(duals)
    rounded_up = all(float(price).is_integer() for price in prices[matrix.any(axis=0)])
    return min(duals) >= 0 and found.value <= (-(-whole // 1) if rounded_up else whole)


@pytest.mark.parametrize("cost", ["df", "df+30", "pages/3", "odd", "tiny", "wide"])
@pytest.mark.parametrize("passes", [0, 60, 20_000])
def test_the_duals_prove_the_value(cost, passes):
    """In exact arithmetic the duals respect every query's cost, for any costs and few passes."""
    for seed in range(4):
        matrix = zipf_matrix(seed, 60, 80)
        rng = np.random.default_rng(seed)
        own = {
            "odd": rng.random(80) + 0.1,
            "tiny": (rng.random(80) + 0.1) * 1e-300,
            "wide": 10.0 ** rng.uniform(-9, 9, 80),
        }
        prices = own[cost] if cost in own else cost_of(matrix, cost)
        prices = np.where(matrix.any(axis=0), prices, 1.0)
        found = lower_bound(matrix, prices, budget=Budget(passes))
        assert is_proof(matrix, prices, found)
        assert found.value > 0


@pytest.mark.parametrize("cost", ["df", "df+30", "pages/3"])
def test_near_the_linear_relaxation(cost):
    """The sum of the duals is within the tolerance of the relaxation, and below `fractional`."""
    for seed in range(3):
        matrix = zipf_matrix(seed, 150, 200)
        prices = np.maximum(cost_of(matrix, cost), 1)
        exact = linprog(prices, A_ub=-matrix.astype(float), b_ub=-np.ones(150)).fun
        found = lower_bound(matrix, prices, tolerance=1e-4)
        assert exact * (1 - 1e-4) <= found.duals.sum() <= exact * (1 + 1e-9)
        assert found.fractional >= exact * (1 - 1e-9)
        assert found.value == np.ceil(found.duals.sum())


@st.composite
def problems(draw):
    rows, columns = draw(st.integers(1, 9)), draw(st.integers(1, 7))
    cells = draw(st.lists(st.booleans(), min_size=rows * columns, max_size=rows * columns))
    prices = draw(st.lists(st.floats(1e-6, 1e6), min_size=columns, max_size=columns))
    return np.array(cells).reshape(rows, columns), np.array(prices)


@pytest.mark.slow
@settings(max_examples=60)
@given(problem=problems())
def test_the_duals_prove_the_value_on_any_small_problem(problem):
    """This includes documents that nothing covers, which have a dual of 0."""
    matrix, prices = problem
    found = lower_bound(matrix, prices, budget=Budget(120))
    assert is_proof(matrix, prices, found)
    assert (found.duals[~matrix.any(axis=1)] == 0).all()


def test_rounding_up_is_for_integers_only():
    """For three documents with a query per pair the bound is 1.5, or 2 with integer costs."""
    triangle = [[1, 1, 0], [1, 0, 1], [0, 1, 1]]
    assert lower_bound(triangle, [1, 1, 1], tolerance=1e-6).value == 2
    halves = lower_bound(triangle, [0.5, 0.5, 0.5], tolerance=1e-6).value
    assert halves == pytest.approx(0.75, rel=1e-5)


def test_more_passes_never_prove_less():
    """A relaxation that continues keeps its best duals and fractions."""
    matches = matches_of(zipf_matrix(1, 200, 300))
    relaxation = Relaxation(view_of(matches, cost_of(matches)))
    before, above = relaxation.duals.sum(), relaxation.fractional
    for _ in range(10):
        relaxation.run(0.0, Budget(60))
        assert relaxation.duals.sum() >= before
        assert relaxation.fractional <= above
        before, above = relaxation.duals.sum(), relaxation.fractional
    assert relaxation.passes == 600
    assert relaxation.reduced(relaxation.duals).min() >= -1e-9


def test_pricing_leaves_no_column_out():
    """If documents have many queries few columns are active; the duals hold for all of them."""
    rng = np.random.default_rng(3)
    matrix = rng.random((120, 900)) < 0.1
    matches = matches_of(matrix)
    prices = cost_of(matches, "df+3")
    relaxation = Relaxation(view_of(matches, prices))
    relaxation.run(1e-3, Budget(20_000))
    assert len(relaxation.inner.view.rows) < 0.7 * len(relaxation.view.rows)
    assert relaxation.gap <= 1e-3
    assert relaxation.reduced(relaxation.duals).min() >= -1e-9
    exact = linprog(prices, A_ub=-matrix.astype(float), b_ub=-np.ones(120)).fun
    assert exact * (1 - 1e-3) <= relaxation.duals.sum() <= exact * (1 + 1e-9)


def test_repeated_entries_are_one():
    """A sparse matrix with repeated entries has the same bound as without them."""
    once = sparse.coo_array(zipf_matrix(2, 30, 30))
    twice = sparse.coo_array(
        (np.tile(once.data, 2), (np.tile(once.row, 2), np.tile(once.col, 2))), shape=once.shape
    )
    assert lower_bound(twice).value == lower_bound(once).value


@pytest.mark.parametrize("cost", [[-1.0, 1], [np.nan, 1], [1.0]])
def test_costs_that_cannot_be_used(cost):
    """Negative costs, nan and a wrong number of costs are refused."""
    with pytest.raises(MatrixError):
        lower_bound([[1, 0], [1, 1]], cost)


@settings(max_examples=40)
@given(problem=problems())
def test_the_view_has_the_optimum_of_the_problem(problem):
    """The cheapest choice in the view, with prices for missed documents, equals a cover's."""
    matrix, prices = problem
    matrix[~matrix.any(axis=1), 0] = True
    view = view_of(matches_of(matrix), prices)
    subsets = (np.arange(2 ** matrix.shape[1])[:, None] >> np.arange(matrix.shape[1])) & 1 == 1
    covers = [subset for subset in subsets if matrix[:, subset].any(axis=1).all()]
    optimum = min(prices[subset].sum() for subset in covers)
    kept = matrix[:, view.columns]
    inside = (np.arange(2 ** kept.shape[1])[:, None] >> np.arange(kept.shape[1])) & 1 == 1
    values = [
        view.cost[subset].sum() + view.price[~kept[:, subset].any(axis=1)].sum()
        for subset in inside
    ]
    assert min(values) == pytest.approx(optimum)
    best = view.finish(inside[int(np.argmin(values))])
    assert matrix[:, best].any(axis=1).all()
    assert prices[best].sum() == pytest.approx(optimum)
