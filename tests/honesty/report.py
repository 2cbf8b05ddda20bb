"""Run every fault alone, and random pairs of them, and print what became of each.

    python -m tests.honesty.report --out before.jsonl --pairs 40

Verdicts are saved in the file, so that the same command continues where it stopped.
"""

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, replace
from multiprocessing import get_context
from pathlib import Path

from tests.honesty.draw import alone, pairs
from tests.honesty.judge import Verdict, goals, judged, kinds
from tests.honesty.site import Case
from tests.honesty.stage import DOCUMENTS

HEAD = (
    f"{'fault':58} {'runs':>4} {'held':>6} {'outcome':12} {'exit':8} {'interval':>13} "
    f"{'truth':>9} {'false':>6} {'requests':>8} {'s':>5}  complaints"
)


def judge_one(case: Case) -> Verdict:
    """Judge a case in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="honesty") as folder:
        return judged(case, Path(folder))


def row(verdict: Verdict) -> str:
    """Format a verdict as a row of the table."""
    low, high = ("?" if end is None else str(end) for end in verdict.interval)
    codes = ",".join("-" if code is None else str(code) for code in verdict.exit_codes)
    return (
        f"{verdict.case:58} {len(verdict.held):>4} {verdict.held[-1]:>6.1%} "
        f"{verdict.outcomes[-1]:12} {codes:8} {low:>6}-{high:<6} "
        f"{verdict.reach:>4}/{verdict.behind:<4} {verdict.false:>6.1%} {verdict.requests:>8} "
        f"{verdict.seconds:>5.0f}  {' '.join(kinds(verdict))}"
    )


def totals(verdicts: Sequence[Verdict]) -> list[str]:
    """Summarise verdicts and compare them with the goals."""
    fine = sum(not each.complaints for each in verdicts)
    rows = [f"{len(verdicts)} cases, {fine} without complaint"]
    return rows + [f"{'met   ' if goal.is_met else 'MISSED'} {goal}" for goal in goals(verdicts)]


def judge_all(cases: Sequence[Case], kept: Path, workers: int) -> Iterator[Verdict]:
    """Judge several cases in parallel; save and yield each verdict when it is ready."""
    with (
        ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool,
        kept.open("a") as rows,
    ):
        for done in as_completed([pool.submit(judge_one, case) for case in cases]):
            verdict = done.result()
            rows.write(json.dumps(asdict(verdict)) + "\n")
            rows.flush()
            yield verdict


def _wanted() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="JSON lines of verdicts, kept")
    parser.add_argument("--pairs", type=int, default=0, help="random pairs beside single faults")
    parser.add_argument("--workers", type=int, default=2, help="cases at the same time")
    parser.add_argument("--documents", type=int, default=DOCUMENTS, help="behind each search")
    parser.add_argument("--only", default="", help="cases whose name has this regular expression")
    parser.add_argument("--everywhere", action="store_true", help="faults on every kind of site")
    parser.add_argument("--details", action="store_true", help="print every complaint")
    return parser.parse_args()


def _known(path: Path) -> dict[str, Verdict]:
    lines = path.read_text().splitlines() if path.is_file() else []
    rows = (json.loads(line) for line in lines)
    return {row["case"]: Verdict(**{k: _tupled(v) for k, v in row.items()}) for row in rows}


def _tupled(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def main() -> None:
    """Judge the cases without a verdict, and print the table."""
    wanted = _wanted()
    drawn = (*alone(everywhere=wanted.everywhere), *pairs(wanted.pairs))
    cases = [replace(case, documents=wanted.documents) for case in drawn]
    cases = [case for case in cases if re.search(wanted.only, str(case))]
    known = _known(wanted.out)
    missing = [case for case in cases if str(case) not in known]
    for verdict in judge_all(missing, wanted.out, wanted.workers):
        known[verdict.case] = verdict
        print(row(verdict), file=sys.stderr, flush=True)
    verdicts = [known[str(case)] for case in cases]
    print(HEAD)
    for verdict in verdicts:
        print(row(verdict))
        if wanted.details:
            print(*(f"    {each}" for each in verdict.complaints), sep="\n")
    print(*totals(verdicts), sep="\n")


if __name__ == "__main__":
    main()
