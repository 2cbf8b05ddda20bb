"""Test the closed list of outcomes, and how each error ends a harvest."""

import errno
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest

from longline.errors import (
    AskedToWait,
    BudgetSpent,
    ChangedError,
    FolderError,
    InputError,
    Interrupted,
    LonglineError,
    PageError,
    PlaceholderError,
    PrivateAddressError,
    RefusedError,
    RobotsError,
    SilentError,
    SourceError,
    SpecError,
    StoppedShort,
    StorageError,
    StrangerError,
    UnreachableError,
)
from longline.events import Stopped
from longline.files import writing
from longline.outcomes import Cause, Ending, Outcome, ending_of_status

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("error", "ending", "exit_code"),
    [
        (RobotsError("x"), "blocked (robots)", 3),
        (PrivateAddressError("intra", "10.0.0.1"), "failed", 2),
        (SpecError("x"), "failed", 2),
        (FolderError("x"), "failed", 2),
        (StoppedShort("x"), "partial (budget)", 3),
        (BudgetSpent("x"), "partial (budget)", 3),
        (AskedToWait("x.example", NOON, "429", 60), "blocked (refused)", 3),
        (Interrupted(), "partial (interrupted)", 3),
        (StorageError("x"), "partial (interrupted)", 3),
        (UnreachableError("x"), "unreachable", 3),
        (RefusedError("x", status=401), "blocked (login)", 3),
        (RefusedError("x", status=407), "blocked (login)", 3),
        (RefusedError("x", status=403), "blocked (refused)", 3),
        (RefusedError("x", status=429), "blocked (refused)", 3),
        (RefusedError("x", status=451), "blocked (refused)", 3),
        (RefusedError("x", status=500), "unreachable", 3),
        (RefusedError("x", status=599), "unreachable", 3),
        (RefusedError("x", status=499), "failed", 2),
        (RefusedError("x", status=404), "failed", 2),
        (RefusedError("too many redirects"), "failed", 2),
        (PageError("x"), "failed", 2),
        (ChangedError("x"), "changed", 3),
        (SilentError("x"), "blocked (silence)", 3),
        (StrangerError("x"), "changed", 3),
        (StrangerError("x", ending=Ending("blocked", "captcha")), "blocked (captcha)", 3),
        (PlaceholderError("x", page="p", ending=Ending("blocked", "login")), "blocked (login)", 3),
    ],
)
def test_each_error_ends_a_harvest_in_one_way(
    error: LonglineError, ending: str, exit_code: int
) -> None:
    """Each error has an outcome of the list, a cause only where it needs one, and its exit code."""
    assert (str(error.ending), error.exit_code) == (ending, exit_code)
    assert error.ending.outcome in get_args(Outcome)
    assert error.ending.cause in get_args(Cause)
    assert bool(error.ending.cause) == (error.ending.outcome in ("blocked", "partial"))
    families = (InputError, StoppedShort, SourceError)
    assert sum(isinstance(error, family) for family in families) == 1


def test_no_room_is_no_bad_input(tmp_path: Path) -> None:
    """When writing, a full disk is a storage error and a locked file an input error."""
    for code, kind in ((errno.ENOSPC, StorageError), (errno.EACCES, InputError)):
        with pytest.raises(kind, match="cannot write"), writing(tmp_path / "report.html"):
            raise OSError(code, os.strerror(code))


def test_one_error_of_a_kind_says_nothing_of_the_others() -> None:
    """An ending given to one error does not change other errors of its class."""
    StrangerError("x", ending=Ending("blocked", "login"))
    RefusedError("x", status=403)
    assert StrangerError("x").ending == Ending("changed")
    assert RefusedError("x").ending == Ending("failed")


@pytest.mark.parametrize("status", [None, *range(300, 600)])
def test_every_status_ends_somehow(status: int | None) -> None:
    """No status alone means complete or empty."""
    assert ending_of_status(status).outcome in ("blocked", "unreachable", "failed")


@pytest.mark.parametrize(
    ("stopped", "ending"),
    [
        (Stopped("x", True), "complete"),
        (Stopped("x", False), "partial (interrupted)"),
        (Stopped("x", True, "partial", "budget"), "partial (budget)"),
        (Stopped("x", False, "blocked", "silence"), "blocked (silence)"),
        (Stopped("x", False, "empty"), "empty"),
    ],
)
def test_an_end_without_an_outcome_is_told_by_its_target(stopped: Stopped, ending: str) -> None:
    """The outcome is derived from the target, as for journals written before outcomes existed."""
    assert str(stopped.ending) == ending
