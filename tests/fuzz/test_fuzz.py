"""A sample of the cases that `python -m tests.fuzz` runs by the million."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.fuzz.target import Target, place_of, run
from tests.fuzz.targets import SHARES, TARGETS

CASES = 4000
"""Number of cases over all targets, distributed as in a complete run."""

WITH_VECTORS = ("charsets", "codings", "cookies", "robots", "urls")
OF_VECTORS = 100


@pytest.mark.parametrize("name", TARGETS)
def test_odd_input_ends_as_it_should(name: str) -> None:
    """No case of a target raises an unexpected error or takes over a second."""
    cases = CASES * SHARES[name] // sum(SHARES.values())
    assert crashes(TARGETS[name], cases) == []


@pytest.mark.parametrize("name", WITH_VECTORS)
def test_odd_input_made_of_vectors_ends_as_it_should(shared: Path, name: str) -> None:
    """Cases made from test vectors of other projects raise no unexpected error, either."""
    assert crashes(TARGETS[name], OF_VECTORS, shared / "conformance") == []


@pytest.mark.parametrize(("name", "number"), [("sites", 27627)])
def test_cases_that_failed_once(name: str, number: int) -> None:
    """Deeply nested tags, which once took three seconds, are read in time."""
    assert run(TARGETS[name], 0, number).crash is None


def crashes(target: Target, cases: int, vectors: Path | None = None) -> list[str]:
    """Run the first cases of a target; return its crashes."""
    ran = (run(target, 0, number, vectors) for number in range(cases))
    return [str(each.crash) for each in ran if each.crash]


def test_a_case_is_the_same_on_every_run() -> None:
    """A seed and a number always give the same case."""
    made = [target_case("pages", 7), target_case("pages", 7), target_case("pages", 8)]
    assert made[0] == made[1] != made[2]


def target_case(name: str, number: int) -> object:
    """Return the case that a target makes from a number."""
    seen: list[object] = []
    run(TARGETS[name]._replace(check=seen.append), 0, number)
    return seen[0]


def test_what_crashes_or_takes_too_long_is_told() -> None:
    """An unexpected error is reported, and an endless case is stopped."""

    def broken(case: object) -> None:
        TARGETS["totals"].check((None, "("))

    def endless(case: object) -> None:
        while True:
            pass

    told = run(TARGETS["waits"]._replace(check=broken), 0, 0).crash
    assert told is not None
    assert told.kind == "AttributeError"
    stopped = run(TARGETS["waits"]._replace(check=endless), 0, 0).crash
    assert stopped is not None
    assert stopped.kind == "TooSlowError"


@pytest.mark.slow
def test_the_runner_says_what_it_ran() -> None:
    """The command prints the number of cases and crashes, and exits with 0 without crashes."""
    asked = [
        sys.executable,
        "-m",
        "tests.fuzz",
        "--target",
        "waits",
        "--cases",
        "50",
        "--first",
        "9",
    ]
    ran = subprocess.run(
        asked, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]
    )
    assert "waits: 50 cases from 9" in ran.stdout
    assert "50 cases, 0 sorts of crash" in ran.stdout


def test_the_place_of_a_crash_is_that_of_longline() -> None:
    """The reported place is the innermost line of longline."""
    with pytest.raises(AttributeError) as raised:
        TARGETS["totals"].check((None, "("))
    assert place_of(raised.value).startswith("totals.py:")
