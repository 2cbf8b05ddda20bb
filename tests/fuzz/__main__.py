"""Fuzz longline for as long as is wanted.

Usage: python -m tests.fuzz --cases 1000000 [--target NAME] [--seed N] [--first N]

Case n of a target is the same in every run with the same seed. A stopped run continues with
`--first`, and a crash is repeated with `--target NAME --first n --cases 1`. The exit code is 1 if
there was a crash.
"""

import argparse
import faulthandler
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

from tests.fuzz import seeds
from tests.fuzz.target import Crash, Target, run
from tests.fuzz.targets import SHARES, TARGETS

SHOWN_SECONDS = 30.0
"""Seconds between two progress lines."""


class Tally(NamedTuple):
    """The result of all cases of a target."""

    cases: int
    slowest: tuple[float, int]
    crashes: dict[tuple[str, str], Crash]


def fuzz(target: Target, seed: int, numbers: range) -> Tally:
    """Run cases by number; print the first crash of each kind and place."""
    vectors = seeds.vectors()
    slowest = (0.0, 0)
    crashes: dict[tuple[str, str], Crash] = {}
    began = shown = time.monotonic()
    for count, number in enumerate(numbers):
        seconds, crash = run(target, seed, number, vectors)
        slowest = max(slowest, (seconds, number))
        if crash and crashes.setdefault((crash.kind, crash.place), crash) is crash:
            print(f"{target.name}: {crash}", flush=True)
        if time.monotonic() - shown > SHOWN_SECONDS:
            shown = time.monotonic()
            print(
                f"{target.name}: up to case {number}, {count / (shown - began):,.0f} cases/s",
                flush=True,
            )
    passed = max(time.monotonic() - began, 1e-9)
    print(
        f"{target.name}: {len(numbers):,} cases from {numbers.start}, {len(numbers) / passed:,.0f} "
        f"cases/s, the slowest {slowest[0]:.3f} s (case {slowest[1]}), {len(crashes)} crashes",
        flush=True,
    )
    return Tally(len(numbers), slowest, crashes)


def shares(cases: int, names: list[str]) -> Iterator[tuple[Target, int]]:
    """Distribute cases over targets by their shares."""
    parts = sum(SHARES[name] for name in names)
    for name in names:
        yield TARGETS[name], -(-cases * SHARES[name] // parts)


def main() -> int:
    """Parse the command line, and run all targets; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--cases", type=int, default=100_000, help="in all")
    parser.add_argument("--target", choices=sorted(TARGETS), action="append", help="default: all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of each target's first case")
    given = parser.parse_args()
    faulthandler.enable()
    tallies = [
        fuzz(target, given.seed, range(given.first, given.first + count))
        for target, count in shares(given.cases, given.target or list(TARGETS))
    ]
    crashes = sum(len(tally.crashes) for tally in tallies)
    slowest = max(tally.slowest[0] for tally in tallies)
    cases = sum(tally.cases for tally in tallies)
    print(f"{cases:,} cases, {crashes} sorts of crash, no case over {slowest:.3f} s of CPU")
    return int(crashes > 0)


if __name__ == "__main__":
    sys.exit(main())
