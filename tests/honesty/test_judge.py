"""The judge itself: it finds false statements and accepts true ones."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.honesty.draw import alone, pairs
from tests.honesty.judge import Verdict, goals, judged, of_run, of_the_end, true_key
from tests.honesty.runs import Run
from tests.honesty.site import Case, Site
from tests.honesty.switches import SWITCHES

BLOCKED = Case(("login-site",))


def run(exit_code: int | None, outcome: str | None, *, said: str = "", texts: int = 1) -> Run:
    """Make an invented run."""
    certificate = None if outcome is None else {"outcome": outcome}
    exported = {str(number): "" for number in range(texts)}
    return Run(1, exit_code, said, 1.0, 10, certificate, exported)


def kinds(found: list[str]) -> list[str]:
    """Return the kinds of the complaints."""
    return [each.split(":")[0] for each in found]


@pytest.mark.parametrize(
    ("ended", "existing", "expected"),
    [
        (run(0, "complete"), 0.95, []),
        (run(0, "complete"), 0.94, ["dishonest", "word"]),
        (run(3, "blocked"), 0.3, []),
        (run(2, "blocked", texts=0), 0.0, []),
        (run(3, "partial"), 0.3, ["word"]),
        (run(0, "blocked"), 0.3, ["dishonest", "code"]),
        (run(3, "complete"), 1.0, ["code"]),
        (run(2, "blocked"), 0.3, ["code"]),
        (run(3, "cut off"), 0.3, ["word"]),
        (run(1, "blocked", said="Traceback\nKeyError: 1"), 0.3, ["bug"]),
        (run(None, "blocked"), 0.3, ["endless"]),
        (run(2, None, texts=0), 0.0, ["uncertified"]),
    ],
)
def test_what_a_run_says_is_held_against_the_truth(
    ended: Run, existing: float, expected: list[str]
) -> None:
    """Exit code, outcome, certificate and standard error of a run are checked."""
    assert kinds(of_run(ended, BLOCKED, existing)) == expected


def test_what_all_runs_leave_is_held_against_the_truth() -> None:
    """Too few documents, false texts and a wrong interval are each reported."""
    assert of_the_end(1.0, 0.0, (550, 610), (600, 580)) == []
    assert of_the_end(1.0, 0.0, (None, None), (600, 580)) == []
    assert kinds(of_the_end(0.9, 0.01, (601, None), (600, 580))) == ["short", "false", "interval"]


def test_lifted_fault_is_no_excuse_any_more() -> None:
    """After a fault is lifted, the outcome may be partial, but no longer blocked."""
    case = Case(("login-site-lifted",))
    assert "blocked" in case.words(1)
    assert case.words(2) == {"complete", "partial"}


@pytest.mark.parametrize("name", ["gone-404", "broken-500", "titled-stub-few", "withheld"])
def test_truth_knows_what_cannot_be_had(name: str) -> None:
    """Gone documents do not exist; documents that always fail exist, but are out of reach."""
    site = Site(Case((name,)))
    lost = len(site.existing) - len(site.within_reach())
    gone = len(site.texts) - len(site.existing)
    assert (gone, lost) == {
        "gone-404": (15, 0),
        "broken-500": (0, 60),
        "titled-stub-few": (0, 30),
        "withheld": (60, 0),
    }[name]


def test_document_known_by_its_address_is_known() -> None:
    """A token in a link does not change the document's key."""
    assert true_key("http://x.example/documents/a.b?sid=1", {"a.b": ""}) == "a.b"


@pytest.mark.slow
def test_pairs_are_the_same_each_time_and_go_together() -> None:
    """Pairs are reproducible, their faults can be combined, and their sites can be built."""
    drawn = pairs(100)
    assert [str(case) for case in drawn] == [str(case) for case in pairs(100)]
    assert len(drawn) > 90
    for case in drawn:
        one, other = case.switches
        assert one.goes_with(other)
        assert Site(replace(case, documents=60)).wires.wires == (
            *one.wires,
            *other.wires,
        ) or "gzip" in str(case)
    assert len(alone()) > 80


def test_goals_count_what_was_complained_of() -> None:
    """A dishonest case, false texts and a missed interval are counted in the goals."""
    verdict = Verdict(
        case="a",
        held=(0.5,),
        existing=0.5,
        outcomes=("complete",),
        exit_codes=(0,),
        interval=(10, 20),
        behind=30,
        reach=30,
        documents=100,
        false=0.5,
        requests=1,
        seconds=1.0,
        complaints=("dishonest: 0 with 50 %", "interval: 10 to 20"),
    )
    missed = [goal for goal in goals([verdict]) if not goal.is_met]
    assert [goal.found for goal in missed] == [1.0, 0.5, 1]


@pytest.mark.slow
def test_honest_site_is_judged_to_hold_all(tmp_path: Path) -> None:
    """All texts of an honest site are exported, and none is judged false."""
    verdict = judged(Case(documents=120), tmp_path, most_runs=1)
    assert verdict.held[0] >= 0.95
    assert verdict.false == 0
    assert not verdict.has("dishonest")
    assert not verdict.has("interval")


def test_every_fault_says_what_it_does() -> None:
    """Every fault has a description and known outcomes."""
    assert all(len(switch.does) > 10 for switch in SWITCHES.values())
    assert {word for s in SWITCHES.values() for word in s.outcomes} <= {
        "complete",
        "partial",
        "blocked",
        "unreachable",
        "changed",
        "empty",
        "failed",
    }
