"""Run harvesters through the tasks, and print results, costs, and whether the claims were true.

    python -m bench.suite.run --json results.json
    python -m bench.suite.run --task capped --task links --harvester mymodule:MyHarvester

Rows and fields are shares of all that is available; requests are counted by the site. "true" means
that no claim of the harvester was false, and that it admitted what is missing. "cuts" is the share
of cut searches that it reports. The corpus is the docstrings of the standard library, drawn at
random, unless --corpus names another.
"""

import argparse
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from bench.frame import Cell, parser_of, report_of, run
from bench.suite.harvesters import DEFAULT, Harvester, Haul, named
from bench.suite.judge import Score, judge
from bench.suite.tasks import TASKS, Task

from longline.errors import UnknownNameError
from longline.model import Document
from longline.simulate import read_corpus, running_site

DOCUMENTS = 1200
BUDGET = 3000
ELSEWHERE = (
    ("WebLists: best agents of 2025, recall of rows", "3, 31, 66 %", "arXiv 2504.12682"),
    ("WideSearch: agents, tables right as a whole", "5 to 7 %", "arXiv 2508.07999"),
    ("RAGCrawler: a box that searches by meaning, recall", "84.4 %", "arXiv 2601.15678"),
)
"""Figures from other sites and tasks: they cannot be compared directly."""


def attempt(
    task: Task, harvester: Harvester, documents: Sequence[Document], budget: int, seed: int
) -> Score:
    """Run one harvester on one task with its own site; one that fails returns nothing."""
    app, truth, log = task.build(documents, seed)
    with running_site(app) as url, tempfile.TemporaryDirectory(prefix="suite") as folder:
        try:
            haul = harvester.harvest(url + task.start, budget, Path(folder))
        except Exception as error:  # whatever it is, the other harvesters are to be judged
            said = f"{type(error).__name__}: {error}"
            print(f"{task.name}, {harvester.name} failed: {said}", file=sys.stderr, flush=True)
            haul = Haul([])
    return judge(haul, truth, log)


def main() -> None:
    """Run the requested harvesters and tasks."""
    options = _wanted()
    report = report_of("suite", options)
    corpus = [each for each in read_corpus((options.corpus or ["docstrings"])[0]) if each.text]
    rng = np.random.default_rng(options.seed)
    documents = [corpus[n] for n in rng.permutation(len(corpus))[: options.documents].tolist()]
    harvesters = [named(name) for name in options.harvester or DEFAULT]
    scores: dict[str, list[Score]] = {}
    rows: list[list[Cell]] = []
    for task in _tasks(options.task):
        for harvester in harvesters:
            score = attempt(task, harvester, documents, options.budget, options.seed)
            scores.setdefault(harvester.name, []).append(score)
            rows.append([f"{task.name}: {task.says}", harvester.name, *_cells(score)])
            print(f"{task.name}, {harvester.name}: {score.rows:.1%}", file=sys.stderr, flush=True)
    heads = ("harvester", "rows %", "fields %", "requests", "cuts named %", "true")
    report.table(f"{len(documents)} documents, {options.budget} requests", ("task", *heads), rows)
    report.table("all tasks", (*heads, "worst rows %"), [_summed(*each) for each in scores.items()])
    report.table("elsewhere: other sites, other tasks", ("what", "figure", "source"), ELSEWHERE)
    report.save()


def _tasks(names: list[str] | None) -> list[Task]:
    known = {task.name: task for task in TASKS}
    for name in names or ():
        if name not in known:
            raise UnknownNameError("task", name, list(known))
    return [known[name] for name in names or known]


def _cells(score: Score) -> list[Cell]:
    cuts = None if score.cuts_named is None else 100 * score.cuts_named
    return [
        100 * score.rows,
        100 * score.fields,
        score.requests,
        cuts,
        "yes" if score.is_honest else "no",
    ]


def _summed(name: str, scores: list[Score]) -> list[Cell]:
    cuts = [each.cuts_named for each in scores if each.cuts_named is not None]
    honest = sum(each.is_honest for each in scores)
    return [
        name,
        100 * statistics.mean(each.rows for each in scores),
        100 * statistics.mean(each.fields for each in scores),
        sum(each.requests for each in scores),
        100 * statistics.mean(cuts) if cuts else None,
        f"{honest} of {len(scores)}",
        100 * min(each.rows for each in scores),
    ]


def _wanted() -> argparse.Namespace:
    parser = parser_of(str(__doc__), runs=1)
    parser.add_argument("--task", action="append", help="only this one; may be repeated")
    parser.add_argument(
        "--harvester", action="append", metavar="[MODULE:]CLASS", help="in place of all"
    )
    parser.add_argument("--documents", type=int, default=DOCUMENTS, help=f"of a site ({DOCUMENTS})")
    parser.add_argument(
        "--budget", type=int, default=BUDGET, help=f"requests for a task ({BUDGET})"
    )
    return parser.parse_args()


if __name__ == "__main__":
    run(main)
