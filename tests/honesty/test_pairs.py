"""Two faults at once: the statements of harvests are true as often as promised."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from tests.honesty.draw import pairs
from tests.honesty.judge import goals, judged
from tests.honesty.report import judge_all

PAIRS = int(os.environ.get("LONGLINE_PAIRS", "10"))


@pytest.mark.slow
@pytest.mark.seldom
@pytest.mark.timeout(120 * PAIRS + 120)
def test_goals_are_met_by_pairs_of_faults(tmp_path: Path) -> None:
    """Over random pairs of faults, all goals are met."""
    verdicts = list(judge_all(pairs(PAIRS), tmp_path / "verdicts.jsonl", workers=2))
    assert [str(goal) for goal in goals(verdicts) if not goal.is_met] == []


@pytest.mark.slow
@pytest.mark.seldom
@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", ["titled-stub-all + soft-block-some [html exact boolean]"])
def test_pairs_that_failed_once(name: str, tmp_path: Path) -> None:
    """Pairs that failed in the past lead to no complaint."""
    faults = tuple(name.partition(" [")[0].split(" + "))
    case = next(each for each in pairs(300) if f"[{each.kind}]" == f"[{name.partition(' [')[2]}")
    case = replace(case, faults=faults)
    assert str(case) == name
    assert judged(case, tmp_path).complaints == ()
