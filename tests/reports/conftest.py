"""Harvests to report: a small one, one of 10,000 searches, and a killed one."""

from pathlib import Path

import pytest
from tests.reports.written import Written, write

from longline.events import Stopped
from longline.harvester.settings import Limits

SPENT = Stopped("all 60,000 requests of the budget are spent", False, "partial", "budget")


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a finished harvest of 60 searches."""
    folder = tmp_path_factory.mktemp("harvests") / "small"
    stopped = Stopped("every search was sent; about 2,300 are missing", False, "partial", "cut")
    return write(folder, Written(60, 3000, 1).events(), stopped=stopped)


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a harvest of 10,000 searches that spent its budget."""
    folder = tmp_path_factory.mktemp("harvests") / "large"
    limits = Limits(max_requests=60000)
    return write(folder, Written(10000, 40000).events(), stopped=SPENT, limits=limits)


@pytest.fixture(scope="session")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a harvest of 25 searches whose run was killed."""
    return write(tmp_path_factory.mktemp("harvests") / "killed", Written(25, 3000, 2).events())
