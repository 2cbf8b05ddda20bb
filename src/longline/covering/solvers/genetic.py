"""The genetic algorithm of S. Wang 2010, with all its operators."""

from dataclasses import dataclass

import numpy as np

from longline.covering.kernels.arrays import Booleans, Floats, Incidence, Ints
from longline.covering.model import ids_of
from longline.covering.problem import AS_PUBLISHED, GENERATIONS, Problem, method
from longline.errors import InputError

POPULATION, MUTATION = AS_PUBLISHED.population, AS_PUBLISHED.mutation


@method("genetic")
def genetic(problem: Problem) -> Ints:
    """Breed covers for 500 generations, of at most 300 each, at a mutation rate of 0.03.

    These are defaults; the problem may set others. An iteration is a generation.

    Source: S. Wang 2010 (Crawling Deep Web Using a GA-based Set Covering Algorithm), section 4;
    the parameters are those of its section 5.1.2.
    """
    return evolve(problem, problem.breeding.population, problem.breeding.mutation)


def evolve(problem: Problem, population: int = POPULATION, mutation: float = MUTATION) -> Ints:
    """Breed covers, and return the cheapest of all generations.

    Where the thesis is not specific: its df is any cost here; a child that inherits a query from
    both parents has it once; a mutation changes at least one query; a query that a mutation removed
    may come back, if it is the best available.

    Args:
        problem: The problem, with a budget in generations, or in seconds.
        population: The most covers; Algorithm 2 stops after this many.
        mutation: The share of a cover's queries that a mutation replaces, 0 to 1.

    Raises:
        InputError: The population is below 1, or the rate outside of 0 to 1.
    """
    if population < 1 or not 0 <= mutation <= 1:
        raise InputError(
            f"a population of {population} at mutation rate {mutation}",
            advice="give 1 or more, and a rate from 0 to 1",
        )
    budget = problem.budget.or_iterations(GENERATIONS)
    rng = problem.rng or np.random.default_rng(0)
    genes = genes_of(problem)
    if not len(genes.columns):
        return np.array(problem.start, np.int64)
    covers = initial_population(genes, population)
    best = cheapest(genes, covers)
    done = 0
    while (share := budget.spent(done)) < 1:
        covers = next_generation(genes, covers, mutation, rng)
        best = min(best, cheapest(genes, covers), key=lambda cover: float(genes.cost[cover].sum()))
        done += 1
        problem.report("genetic", share, float(genes.cost[best].sum()))
    return np.concatenate([np.array(problem.start, np.int64), genes.columns[best]])


@dataclass(frozen=True, eq=False)
class Genes:
    """The queries in increasing order of df/qw, so that a set of them is a chromosome.

    Attributes:
        columns: (genes,). Their numbers: the thesis's OC.
        small: How many have a df/qw below the average: its OC-S.
        cost: (genes,).
        matrix: Genes and their documents, without those that need no query.
        weight: (documents,). Document weights dw; 0 if no query is needed.
    """

    columns: Ints
    small: int
    cost: Floats
    matrix: Incidence
    weight: Floats


def genes_of(problem: Problem) -> Genes:
    """Order the queries of a problem by df/qw; queries that cover nothing are no genes."""
    from longline.covering.kernels import view as _view_kernels

    matches = problem.matches
    needed = problem.sizes > 0
    for column in problem.start:
        needed[matches.rows[matches.starts[column] : matches.starts[column + 1]]] = False
    weight = np.where(needed, ids_of(problem.sizes), 0.0)
    worth = _view_kernels.worth(matches.starts, matches.rows, weight)
    kept = worth > 0
    ratio = problem.cost[kept] / worth[kept]
    order = np.argsort(ratio, kind="stable")
    columns = np.flatnonzero(kept)[order]
    pieces = [matches.rows[matches.starts[j] : matches.starts[j + 1]] for j in columns]
    rows = np.concatenate([*(piece[needed[piece]] for piece in pieces), np.zeros(0, np.int32)])
    lengths = [np.count_nonzero(needed[piece]) for piece in pieces]
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    matrix = Incidence(starts, rows, *_view_kernels.by_row(starts, rows, matches.documents))
    small = int((ratio < ratio.mean()).sum()) if len(ratio) else 0
    return Genes(columns, small, problem.cost[columns], matrix, weight)


def initial_population(genes: Genes, most: int) -> Booleans:
    """Stack queries in order of df/qw until they cover; then pop one, skip one, and continue.

    Each of the queries below the average starts stacks of its own, until `most` are found.

    Source: Algorithm 2, with its index counting one further, because otherwise the last query is
    never used; if no query is below the average, the first stack is the only one.
    """
    from longline.covering.kernels import genetic as _genetic_kernels

    return _genetic_kernels.initial(
        genes.matrix.starts, genes.matrix.rows, genes.weight > 0, max(1, genes.small), most
    )


def next_generation(
    genes: Genes, covers: Booleans, mutation: float, rng: np.random.Generator
) -> Booleans:
    """Pair by rank, cut and splice, complete, mutate; children replace all parents.

    Source: sections 4.5 to 4.10. If the number is odd, the last one stays unpaired.
    """
    from longline.covering.kernels import genetic as _genetic_kernels

    costs = covers @ genes.cost
    ranked = covers[np.argsort(costs, kind="stable")]
    paired = len(ranked) // 2 * 2
    children = ranked.copy()
    first, second = ranked[0:paired:2], ranked[1:paired:2]
    children[0:paired:2], children[1:paired:2] = crossed(genes.cost, first, second)
    _genetic_kernels.complete_and_mutate(
        genes.matrix, genes.cost, genes.weight, children, mutation, rng
    )
    return children


def crossed(cost: Floats, first: Booleans, second: Booleans) -> tuple[Booleans, Booleans]:
    """Swap the second halves of paired chromosomes, each cut where its halves cost the same.

    Source: section 4.6, equation 9.

    >>> one, two = np.array([[True, True, True, False]]), np.array([[False, True, False, True]])
    >>> [child.astype(int).tolist() for child in crossed(np.array([3.0, 1, 2, 1]), one, two)]
    [[[1, 0, 0, 1]], [[0, 1, 1, 0]]]
    """
    heads = [_head(cost, parents) for parents in (first, second)]
    one = (first & heads[0]) | (second & ~heads[1])
    two = (second & heads[1]) | (first & ~heads[0])
    return one, two


def _head(cost: Floats, parents: Booleans) -> Booleans:
    """Return which genes are before the cut, which comes after the most balanced gene."""
    summed = np.cumsum(parents * cost, axis=1)
    total = summed[:, -1:]
    apart = np.where(parents, np.abs(2 * summed - total), np.inf)
    cut = apart.argmin(axis=1)
    head: Booleans = np.arange(len(cost)) <= cut[:, None]
    return head


def cheapest(genes: Genes, covers: Booleans) -> Booleans:
    """Return the cover with the lowest cost."""
    best: Booleans = covers[(covers @ genes.cost).argmin()]
    return best
