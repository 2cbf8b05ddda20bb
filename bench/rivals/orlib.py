"""The OR-Library's set-covering instances: every method compared with the best known cost.

50 instances in 8 classes (scp4-6, A-E), with their own costs. The published greedies run as
published, with a separate column for redundant queries removed; methods that search get --time
seconds per instance. The exact method counts if it proves the optimum in that time.
"""

import json
import tarfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from bench.frame import Cell, parser_of, report_of, run, shared_file
from bench.runs import NAMES, PUBLISHED, further_methods, search

from longline.covering import Matches, cover, lower_bound, read_instance


@dataclass(frozen=True, eq=False)
class Instance:
    """A set-covering problem with a known answer."""

    name: str
    matrix: Matches
    cost: np.ndarray
    best_known: int

    @property
    def group(self) -> str:
        """The class: 4, 5, 6, A to E."""
        return self.name.removeprefix("scp")[0].upper()

    def above(self, cost: float) -> float:
        """Return by how many percent a cost is above the best known one."""
        return 100 * (cost / self.best_known - 1)


def instances(archive: Path, best_known: dict[str, dict[str, int]]) -> Iterator[Instance]:
    """Yield the library's instances, in its order."""
    with tarfile.open(archive) as files:
        for member in files:
            name = Path(member.name).stem
            content = files.extractfile(member)
            if content is not None and name in best_known:
                found = read_instance(content.read().decode())
                known = best_known[name]["best_known"]
                yield Instance(name, found.matrix, found.cost, known)


@dataclass(frozen=True)
class Answer:
    """A method's result on an instance: percent above the best known, None for no answer."""

    group: str
    method: str
    above: float | None
    seconds: float


def answers(instance: Instance, seconds: float, seed: int) -> Iterator[Answer]:
    """Run every method on an instance."""
    for method in PUBLISHED:
        for eliminate in (False, True):
            started = time.process_time()
            found = cover(instance.matrix, method, cost=instance.cost, eliminate=eliminate)
            label = f"{NAMES[method]}{', eliminated' if eliminate else ''}"
            spent = time.process_time() - started
            yield Answer(instance.group, label, instance.above(found.cost), spent)
    for method in further_methods(instance.matrix.documents):
        best, spent = search(instance.matrix, method, seconds, seed, instance.cost)
        above = None if best is None else instance.above(best.cost)
        yield Answer(instance.group, method, above, spent)
    started = time.process_time()
    bound = lower_bound(instance.matrix, instance.cost).value
    spent = time.process_time() - started
    yield Answer(instance.group, "lower bound", instance.above(bound), spent)


def rows_of(found: Sequence[Answer]) -> list[list[Cell]]:
    """Return averages per method and class, over the instances with an answer."""
    groups = list(dict.fromkeys(each.group for each in found))
    rows: list[list[Cell]] = []
    for method in dict.fromkeys(each.method for each in found):
        mine = [each for each in found if each.method == method]
        answered = [each for each in mine if each.above is not None]
        row: list[Cell] = [method]
        for group in groups:
            values = [each.above for each in answered if each.group == group]
            row.append(float(np.mean(values)) if values else None)
        worst = max((each.above for each in answered), default=None)
        reached = sum(abs(each.above) < 1e-9 for each in answered)
        answers = f"{len(answered)} of {len(mine)}"
        rows.append([*row, worst, answers, reached, float(np.mean([e.seconds for e in mine]))])
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    parser = parser_of(__doc__, runs=1, seconds=1.0)
    parser.add_argument("--every", type=int, default=1, help="take every n-th instance only (1)")
    options = parser.parse_args(arguments)
    report = report_of("orlib", options)
    archive = shared_file("orlib/orlib.tar.xz")
    best_known = json.loads(shared_file("orlib/best_known.json").read_text())
    taken = list(instances(archive, best_known))[:: options.every]
    cover(taken[0].matrix, cost=taken[0].cost)  # loads compiled code before the first timing
    found = [
        answer
        for number in range(options.runs)
        for instance in taken
        for answer in answers(instance, options.time, options.seed + number)
    ]
    groups = dict.fromkeys(instance.group for instance in taken)
    report.table(
        f"OR-Library: % above the best known cost, mean of each class; {len(taken)} instances",
        ("method", *groups, "worst", "answers", "best known found", "seconds"),
        rows_of(found),
    )
    report.save()


if __name__ == "__main__":
    run(main)
