"""Harvests of faulty sites tell the truth: exit code, certificate and exported texts."""

from pathlib import Path

import pytest
from tests.honesty.judge import judged, kinds
from tests.honesty.runs import RUNS
from tests.honesty.site import Case
from tests.honesty.stage import DOCUMENTS
from tests.honesty.switches import SWITCHES

pytestmark = pytest.mark.slow

FEW = 180
"""Number of documents on the sites of the ordinary tests."""

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
"""Kinds of complaints that must not occur, even if the search cannot be learnt."""


def complaints(
    name: str, folder: Path, documents: int, runs: int, *, names_spec: bool = True
) -> list[str]:
    """Judge one fault alone; a single missed interval does not count."""
    case = Case((name,), SWITCHES[name].kind, documents, names_spec=names_spec)
    verdict = judged(case, folder, runs)
    return [] if kinds(verdict) == ["interval"] else list(verdict.complaints)


@pytest.mark.parametrize("name", [*CHOICE, *CHOICE_OF_SLOW])
def test_what_is_said_of_a_small_faulty_site_is_true(name: str, tmp_path: Path) -> None:
    """On small sites, no fault alone leads to a complaint."""
    assert complaints(name, tmp_path, FEW, runs=2) == []


@pytest.mark.whole
@pytest.mark.timeout(700)
@pytest.mark.parametrize("name", SWITCHES)
def test_what_is_said_of_a_faulty_site_is_true(name: str, tmp_path: Path) -> None:
    """On sites of 600 documents, no fault alone leads to a complaint."""
    assert complaints(name, tmp_path, DOCUMENTS, RUNS) == []


@pytest.mark.parametrize(
    "name",
    [*CHOICE_TO_LEARN, *CHOICE_OF_SLOW_TO_LEARN],
)
def test_what_is_said_of_a_faulty_site_that_is_learnt_is_true(name: str, tmp_path: Path) -> None:
    """Without a spec, no fault leads to a complaint but a missing certificate.

    What was learnt of a faulty site may be for a person to check, and is not used until then.
    """
    said = complaints(name, tmp_path, FEW, runs=2, names_spec=False)
    unused = (
        "short: 0.0%" if any(each.startswith("uncertified") for each in said) else "uncertified"
    )
    assert [each for each in said if not each.startswith(("uncertified", unused))] == []


@pytest.mark.whole
@pytest.mark.timeout(700)
@pytest.mark.parametrize("name", SWITCHES)
def test_nothing_false_is_said_of_what_is_learnt(name: str, tmp_path: Path) -> None:
    """Without a spec, no fault leads to a traceback, a false exit code 0 or an endless run."""
    said = complaints(name, tmp_path, FEW, runs=2, names_spec=False)
    assert not [each for each in said if each.split(":")[0] in LIES]
