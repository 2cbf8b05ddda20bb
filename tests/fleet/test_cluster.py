"""Test a fleet on a Ray cluster whose workers, nodes, head, driver and database are killed."""

import os
import secrets
from pathlib import Path

import msgspec
import pytest
from bench.fleet.disturbed import RATE, WORK, disturbed

MARK = "LONGLINE_TEST_OF_A_FLEET"
"""Name of an environment variable in all processes that the test starts."""


def left(token: str) -> list[str]:
    """Return the commands of other processes whose environment has a token."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            is_one = token.encode() in (each / "environ").read_bytes()
            if is_one and int(each.name) != os.getpid():
                found.append((each / "cmdline").read_text())
        except OSError:
            continue
    return list(filter(None, found))  # a process without a command has ended and waits to be reaped


@pytest.mark.whole
@pytest.mark.timeout(1800)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Ray's own
def test_a_fleet_that_is_disturbed_ends_as_if_it_were_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """All sources are complete, no host had two workers at once, and no process is left."""
    pytest.importorskip("ray", reason="Ray is not installed (longline[fleet])")
    token = secrets.token_hex()
    monkeypatch.setenv(MARK, token)
    end = disturbed(10, 100, msgspec.structs.replace(WORK, at_once=3), 1200)
    assert set(end.done) == {
        "workers killed",
        "nodes stopped for longer than their leases",
        "nodes killed",
        "restarts of PostgreSQL",
        "drivers killed",
        "heads killed",
    }
    assert (end.left, end.same, end.sources) == (0, 100, 100)
    assert end.seen.turned_back == 0
    assert end.seen.between >= 1 / RATE
    assert end.seen.written >= 1 / RATE - 1e-5
    assert end.seen.most <= RATE + 1
    assert left(token) == []
