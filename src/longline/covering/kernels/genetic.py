"""The compiled operators of `genetic.py` that read documents."""

import numpy as np

from longline.covering.kernels.arrays import Booleans, Floats, Incidence, Ints, Rows
from longline.covering.kernels.columns import compiled


@compiled
def initial(starts: Ints, rows: Rows, needed: Booleans, small: int, most: int) -> Booleans:
    """Build covers as stacks of genes (Algorithm 2); return at least one."""
    genes = len(starts) - 1
    found = np.zeros((most, genes), np.bool_)
    size = 0
    times = np.zeros(len(needed), np.int64)
    stack = np.empty(genes + 1, np.int64)
    missing = needed.sum()
    if missing == 0:
        return found[:1].copy()
    begin, depth, index = 0, 0, 0
    while size < most and begin < small:
        while missing > 0 and index < genes:
            stack[depth] = index
            depth += 1
            for place in range(starts[index], starts[index + 1]):
                missing -= times[rows[place]] == 0
                times[rows[place]] += 1
            index += 1
        if missing > 0:
            begin += 1
            if begin < small:
                times[:] = 0
                missing = needed.sum()
                stack[0], depth, index = begin, 1, begin + 1
                for place in range(starts[begin], starts[begin + 1]):
                    times[rows[place]] = 1
                    missing -= 1
            continue
        for entry in range(depth):
            found[size, stack[entry]] = True
        size += 1
        if depth > 1 and index < genes:
            index += 1
            depth -= 1
            last = stack[depth]
            for place in range(starts[last], starts[last + 1]):
                times[rows[place]] -= 1
                missing += times[rows[place]] == 0
        if depth == 1 or index >= genes:
            break
    return found[:size].copy()


@compiled
def complete(genes: Incidence, cost: Floats, weight: Floats, cover: Booleans, times: Ints) -> None:
    """Add genes in the order of df/qw on uncovered rows, until none is left (Algorithms 3, 4).

    The order is computed once, as published; `times` counts each row's genes and is updated.
    """
    qw = np.zeros(len(cost))
    missing = 0
    for row in range(len(weight)):
        if weight[row] > 0 and times[row] == 0:
            missing += 1
            for place in range(genes.row_starts[row], genes.row_starts[row + 1]):
                qw[genes.row_columns[place]] += weight[row]
    if missing == 0:
        return
    open_genes = np.flatnonzero(qw)
    order = np.argsort(cost[open_genes] / qw[open_genes], kind="mergesort")
    for gene in open_genes[order]:
        cover[gene] = True
        for place in range(genes.starts[gene], genes.starts[gene + 1]):
            missing -= times[genes.rows[place]] == 0
            times[genes.rows[place]] += 1
        if missing == 0:
            return


@compiled
def count(starts: Ints, rows: Rows, documents: int, cover: Booleans) -> Ints:
    """Return the number of genes of each row."""
    times = np.zeros(documents, np.int64)
    for gene in np.flatnonzero(cover):
        for place in range(starts[gene], starts[gene + 1]):
            times[rows[place]] += 1
    return times


@compiled
def complete_and_mutate(
    genes: Incidence,
    cost: Floats,
    weight: Floats,
    children: Booleans,
    mutation: float,
    rng: np.random.Generator,
) -> None:
    """Make each child a cover, then replace some genes if that is cheaper (Algorithm 5)."""
    for child in range(len(children)):
        cover = children[child]
        times = count(genes.starts, genes.rows, len(weight), cover)
        complete(genes, cost, weight, cover, times)
        members = np.flatnonzero(cover)
        if mutation == 0 or len(members) == 0:
            continue
        before = cost[members].sum()
        mutant = cover.copy()
        for pick in range(max(1, round(mutation * len(members)))):
            other = pick + int(rng.random() * (len(members) - pick))
            members[pick], members[other] = members[other], members[pick]
            mutant[members[pick]] = False
            gene = members[pick]
            for place in range(genes.starts[gene], genes.starts[gene + 1]):
                times[genes.rows[place]] -= 1
        complete(genes, cost, weight, mutant, times)
        if cost[np.flatnonzero(mutant)].sum() < before:
            cover[:] = mutant
