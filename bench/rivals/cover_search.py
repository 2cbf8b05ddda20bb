"""Results of searching: every method compared with the certified bound, at several budgets.

10,000 documents drawn at random, every term, cost = df; the same with long documents of three
joined messages each (--long), compared with OR-tools if installed; then the OR-Library's instances
compared with the best known costs, --time seconds each, or with --unit the number of queries at
unit cost. Seconds are CPU; the bound is not included.
"""

import argparse
import json
import time
from collections.abc import Sequence
from contextlib import suppress

import numpy as np
from bench.frame import Cell, collections, parser_of, report_of, run, shared_file, sparse_of
from bench.rivals.cover_rivals import AbsentError, ortools
from bench.rivals.orlib import Instance, instances
from bench.runs import NAMES, PUBLISHED, search

from longline.covering import Matches, cost_of, cover, lower_bound

DOCUMENTS = 10_000
BUDGETS = (1.0, 5.0, 20.0)
SEARCHES = ("lagrangian", "anneal", "weighting", "best")


def corpus_rows(matches: Matches, options: argparse.Namespace) -> list[list[Cell]]:
    """Return a row for each method and budget; greedies and rivals need no budget."""
    started = time.process_time()
    bound = lower_bound(matches).value
    spent = time.process_time() - started
    rows: list[list[Cell]] = [["lower bound", None, bound / matches.documents, 0.0, spent]]
    with suppress(AbsentError):
        for rival in ortools(sparse_of(matches), options):
            cost = int(matches.df[rival.queries].sum())
            rate = cost / matches.documents
            rows.append([rival.name, None, rate, 100 * (cost / bound - 1), rival.chooses])
    for method in PUBLISHED:
        started = time.process_time()
        found = cover(matches, method)
        spent = time.process_time() - started
        above = 100 * (found.cost / bound - 1)
        rows.append([NAMES[method], None, found.overlapping_rate, above, spent])
    for method in SEARCHES:
        for budget in options.budgets:
            best, spent = search(matches, method, budget, options.seed, cost_of(matches))
            if best is not None:
                above = 100 * (best.cost / bound - 1)
                rows.append([method, budget, best.overlapping_rate, above, spent])
    return rows


def library_row(method: str, taken: Sequence[Instance], seconds: float, seed: int) -> list[Cell]:
    """Return mean and worst result of each class."""
    above: dict[str, list[float]] = {}
    for instance in taken:
        found, _ = search(instance.matrix, method, seconds, seed, instance.cost)
        if found is not None:
            above.setdefault(instance.group, []).append(instance.above(found.cost))
    cells: list[Cell] = [method]
    for values in above.values():
        cells += [float(np.mean(values)), max(values)]
    return cells


def unit_row(method: str, taken: Sequence[Instance], seconds: float, seed: int) -> list[Cell]:
    """Return the total number of queries for each class at unit cost."""
    queries: dict[str, int] = {}
    for instance in taken:
        cost = np.ones(instance.matrix.queries)
        found, _ = search(instance.matrix, method, seconds, seed, cost)
        if found is not None:
            queries[instance.group] = queries.get(instance.group, 0) + len(found.queries)
    return [method, *queries.values(), sum(queries.values())]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = parser_of(__doc__, runs=1, seconds=0.5)
    parser.add_argument(
        "--budgets", type=float, nargs="+", default=BUDGETS, help="seconds on corpora (1 5 20)"
    )
    parser.add_argument("--long", action="store_true", help="long documents, and no OR-Library")
    parser.add_argument("--unit", action="store_true", help="OR-Library alone, each query costs 1")
    parser.add_argument("--documents", type=int, default=DOCUMENTS, help="of a corpus (10,000)")
    options = parser.parse_args(arguments)
    if options.long:
        options.corpus = options.corpus or ["newsgroups"]
    report = report_of("cover_search", options)
    for collection in () if options.unit else collections(options):
        draw = collection.long if options.long else collection.sample
        matches = draw(options.documents, options.seed).matrix
        report.table(
            f"{collection.name}{', three glued together' if options.long else ''}: "
            f"{matches.documents:,} documents, {matches.queries:,} terms, "
            f"{len(matches.rows):,} entries; redundant queries eliminated",
            ("method", "budget", "OR", "% above the bound", "seconds"),
            corpus_rows(matches, options),
        )
    if options.long:
        report.save()
        return
    known = json.loads(shared_file("orlib/best_known.json").read_text())
    taken = list(instances(shared_file("orlib/orlib.tar.xz"), known))
    groups = dict.fromkeys(instance.group for instance in taken)
    if options.unit:
        report.table(
            f"OR-Library, each query costs 1: queries of {len(taken)} covers",
            ("method", *groups, "all"),
            [unit_row(method, taken, options.time, options.seed) for method in SEARCHES],
        )
        report.save()
        return
    report.table(
        f"OR-Library: % above the best known cost; {len(taken)} instances",
        ("method", *(f"{group} {what}" for group in groups for what in ("mean", "worst"))),
        [library_row(method, taken, options.time, options.seed) for method in SEARCHES],
    )
    report.save()


if __name__ == "__main__":
    run(main)
