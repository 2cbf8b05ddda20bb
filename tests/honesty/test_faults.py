"""What a harvest of a faulty site says is true: by exit code, certificate and exported texts."""

from pathlib import Path

import pytest
from tests.honesty.judge import judged, kinds
from tests.honesty.runs import RUNS
from tests.honesty.site import Case
from tests.honesty.stage import DOCUMENTS
from tests.honesty.switches import SWITCHES

pytestmark = pytest.mark.slow

FEW = 180
"""Documents of the sites that every change is tested with."""

CHOICE = (
    "soft-block-early-lifted",
    "login-site",
    "pages-cut",
)
CHOICE_OF_SLOW = (
    "broken-500",
    "popular-list-lifted",
    "titled-stub-few",
    "away-lifted",
    "soft-block-early",
    "duplicates",
    "long-queries-cut",
    "robots-documents",
    "gzip-members",
)


CHOICE_TO_LEARN = ("popular-list-lifted",)
CHOICE_OF_SLOW_TO_LEARN = ("soft-block-some", "login-few", "totals-tenfold", "stand-ins")

LIES = {"bug", "dishonest", "endless"}
"""What is never said, however little can be learnt of a site."""


def complaints(
    name: str, folder: Path, documents: int, runs: int, *, names_spec: bool = True
) -> list[str]:
    """Judge one fault alone; of a single interval at 95 % nothing can be said."""
    case = Case((name,), SWITCHES[name].kind, documents, names_spec=names_spec)
    verdict = judged(case, folder, runs)
    return [] if kinds(verdict) == ["interval"] else list(verdict.complaints)


@pytest.mark.parametrize("name", [*CHOICE, *CHOICE_OF_SLOW])
def test_what_is_said_of_a_small_faulty_site_is_true(name: str, tmp_path: Path) -> None:
    """Nothing missing is called complete, what can be had is had, and no text is false."""
    assert complaints(name, tmp_path, FEW, runs=2) == []


@pytest.mark.whole
@pytest.mark.timeout(700)
@pytest.mark.parametrize("name", SWITCHES)
def test_what_is_said_of_a_faulty_site_is_true(name: str, tmp_path: Path) -> None:
    """The same of every fault alone, on 600 documents."""
    assert complaints(name, tmp_path, DOCUMENTS, RUNS) == []


@pytest.mark.parametrize(
    "name",
    [*CHOICE_TO_LEARN, *CHOICE_OF_SLOW_TO_LEARN],
)
def test_what_is_said_of_a_faulty_site_that_is_learnt_is_true(name: str, tmp_path: Path) -> None:
    """The same where the search is learnt while the site is faulty; that may take another run."""
    said = complaints(name, tmp_path, FEW, runs=2, names_spec=False)
    assert [each for each in said if not each.startswith("uncertified")] == []


@pytest.mark.whole
@pytest.mark.timeout(700)
@pytest.mark.parametrize("name", SWITCHES)
def test_nothing_false_is_said_of_what_is_learnt(name: str, tmp_path: Path) -> None:
    """Where a fault keeps the search from being learnt, that is said."""
    said = complaints(name, tmp_path, FEW, runs=2, names_spec=False)
    assert not [each for each in said if each.split(":")[0] in LIES]
