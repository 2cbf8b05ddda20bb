"""Genetic algorithm, Figure 13: how many children of a crossover cover every document.

From the same covers (at most 300), by the thesis's crossover, which cuts each parent into halves of
equal cost, and by cut-and-splice, which cuts anywhere; 50 generations without mutation. Children
that miss a document are completed by the query with the lowest df/qw, repeatedly, before the next
generation.
"""

import itertools
from collections.abc import Callable, Sequence

import numpy as np
from bench.chart import Panel, Series
from bench.frame import Cell, collections, parser_of, report_of, run
from bench.papers.genetic import pool_of, problem_of

from longline.covering import cover
from longline.covering.solvers.genetic import (
    POPULATION,
    Genes,
    crossed,
    genes_of,
    initial_population,
)
from longline.pool import TermMatrix

GENERATIONS = 50
READ_AT = (1, 5, 10, 20, 30, 40, 50)
COLUMNS = ("crossover", "first", *(f"to {each}" for each in READ_AT[1:]), "mean", "paper")
PAPER = {"halves": "all", "cut-and-splice": "about half"}

Crossover = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


def cut_and_splice(
    first: np.ndarray, second: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Swap the parts after a random cut, which each parent has for itself.

    >>> one, two = np.array([[True, True, False]]), np.array([[False, True, True]])
    >>> children = cut_and_splice(one, two, np.random.default_rng(0))
    >>> [child.shape for child in children]
    [(1, 3), (1, 3)]
    """
    heads = []
    for parents in (first, second):
        size = parents.sum(axis=1)
        cut = rng.integers(1, np.maximum(size, 2))
        heads.append(np.cumsum(parents, axis=1) <= cut[:, None])
    one = (first & heads[0]) | (second & ~heads[1])
    two = (second & heads[1]) | (first & ~heads[0])
    return one, two


def complete(by_gene: np.ndarray, cost: np.ndarray, child: np.ndarray, left: np.ndarray) -> None:
    """Add queries with the lowest df/qw to a child until the missing documents are covered.

    A document's weight depends on all queries that match it, so it is the same for these documents
    alone; this makes it the weighted greedy (IDS) on them.
    """
    child[cover(by_gene[:, left].T, "ids", cost=cost, eliminate=False).queries] = True


def shares(pool: TermMatrix, genes: Genes, cross: Crossover, generations: int) -> list[float]:
    """Return the share of feasible children in each generation."""
    by_gene = np.ascontiguousarray(pool.matrix.pick(genes.columns).dense().T)
    counted = by_gene.astype(np.float32)
    covers = initial_population(genes, POPULATION)
    found = []
    for _ in range(generations):
        ranked = covers[np.argsort(covers @ genes.cost, kind="stable")]
        paired = len(ranked) // 2 * 2
        children = np.concatenate(cross(ranked[0:paired:2], ranked[1:paired:2]))
        left = (children.astype(np.float32) @ counted == 0) & (genes.weight > 0)
        infeasible = left.any(axis=1)
        found.append(float(1 - infeasible.mean()) if paired else float("nan"))
        for place in np.flatnonzero(infeasible):
            complete(by_gene, genes.cost, children[place], left[place])
        covers = np.concatenate([children, ranked[paired:]])
    return found


def row_of(name: str, found: list[float]) -> list[Cell]:
    """Return a row with the shares averaged between the shown generations."""
    row: list[Cell] = [name, f"{found[0]:.0%}"]
    for start, end in itertools.pairwise(READ_AT):
        part = found[start:end]
        row.append(f"{np.mean(part):.0%}" if part else None)
    return [*row, f"{np.mean(found):.0%}", PAPER[name]]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = parser_of(__doc__, runs=1)
    parser.add_argument("--generations", type=int, default=GENERATIONS)
    options = parser.parse_args(arguments)
    report = report_of("genetic_figure_13", options)
    panels = []
    for collection in collections(options):
        name = collection.name
        report.say(f"{name}: {collection.note}")
        pool = pool_of(collection, options.seed)
        rng = np.random.default_rng([options.seed, 3])
        genes = genes_of(problem_of(pool.terms, rng, options.generations, []))
        found = {
            "halves": shares(
                pool.terms, genes, lambda a, b, g=genes: crossed(g.cost, a, b), options.generations
            ),
            "cut-and-splice": shares(
                pool.terms, genes, lambda a, b, r=rng: cut_and_splice(a, b, r), options.generations
            ),
        }
        title = f"{name}, {pool.title}; {len(initial_population(genes, POPULATION))} covers"
        rows = [row_of(crossover, each) for crossover, each in found.items()]
        report.table(f"Genetic algorithm, Figure 13: {title}", COLUMNS, rows)
        lines = [Series(key, list(range(1, len(each) + 1)), each) for key, each in found.items()]
        panels.append(Panel(name, "generation", "share of feasible children", lines))
    report.figure("genetic_figure_13", "Genetic algorithm, Figure 13", panels)
    report.save()


if __name__ == "__main__":
    run(main)
