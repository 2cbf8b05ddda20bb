"""Strategies side by side: the measures, the reference, the command."""

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from longline.compare import REFERENCE, Setting, compare
from longline.errors import InputError, UnknownNameError
from longline.model import Document
from longline.planner.strategies import STRATEGIES
from longline.simulate import read_corpus

DOCUMENTS = read_corpus("docstrings")[::10]
SETTING = Setting(limit=20, page_size=10)


def clock() -> Any:
    """Make a clock that ticks once each time it is read."""
    ticks = count()
    return lambda: float(next(ticks))


def test_measures_of_a_source_without_surprises() -> None:
    """Four documents, two a page, each shown by one term: the reference holds all in x1."""
    words = ["anchor", "anchor", "buoy", "buoy"]
    documents = [Document(str(n), text=word) for n, word in enumerate(words)]
    setting = Setting(limit=2, page_size=2)
    (outcome,) = compare(documents, [REFERENCE], seeds=[0], setting=setting, clock=clock())
    assert outcome.hr_at_pages == {"1": 1.0, "2": 1.0, "4": 1.0}
    assert outcome.hr_at_or == {"1.4": 1.0, "1.5": 1.0, "2": 1.0, "3": 1.0}
    assert (outcome.queries, outcome.result_pages, outcome.overlapping_rate) == (2, 2, 1.0)
    assert outcome.seconds == 1.0


def test_no_strategy_beats_full_knowledge_early() -> None:
    """At the smallest page budget the reference is ahead, and no rate leaves its range."""
    single = ["random-dictionary", "greedy", "ids", "ts-ids"]
    outcomes = list(
        compare(DOCUMENTS, [*single, REFERENCE], seeds=[1], setting=SETTING, clock=clock())
    )
    reference = outcomes[-1]
    assert [outcome.strategy for outcome in outcomes] == [*single, REFERENCE]
    for outcome in outcomes:
        shares = [*outcome.hr_at_pages.values(), *outcome.hr_at_or.values(), outcome.hit_rate]
        assert all(0 <= share <= 1 for share in shares)
        assert list(outcome.hr_at_pages.values()) == sorted(outcome.hr_at_pages.values())
        assert list(outcome.hr_at_or.values()) == sorted(outcome.hr_at_or.values())
        assert outcome.overlapping_rate >= 1
        assert outcome.hr_at_pages["1"] <= reference.hr_at_pages["1"]


def test_runs_stop_at_the_largest_budget() -> None:
    """No run has more result pages than four times the fewest possible."""
    for outcome in compare(DOCUMENTS, ["ts-ids"], seeds=[0], setting=SETTING, clock=clock()):
        assert outcome.result_pages <= 4 * len(DOCUMENTS) / SETTING.page_size + 1


def test_seeds_are_repeatable() -> None:
    """The same seed gives the same outcome, up to the time it took."""
    first, again = (
        next(compare(DOCUMENTS, ["ids"], seeds=[3], setting=SETTING, clock=clock()))
        for _ in range(2)
    )
    assert first == again


def test_unknown_names_fail_before_anything_runs() -> None:
    """An unknown strategy or ranking is answered with the known ones."""
    with pytest.raises(UnknownNameError, match="ts-ids"):
        next(compare(DOCUMENTS, ["ids", "tsids"], clock=clock()))
    with pytest.raises(UnknownNameError, match="bm25"):
        next(compare(DOCUMENTS, ["ids"], setting=Setting(ranking="best"), clock=clock()))
    with pytest.raises(InputError):
        next(compare([], ["ids"], clock=clock()))


def test_command_prints_a_table_and_writes_every_run(tmp_path: Path, capsys: Any) -> None:
    """`longline compare` has a row a strategy; its JSON has a run for each seed."""
    from longline.cli.main import app

    corpus = tmp_path / "some.jsonl"
    lines = [json.dumps({"id": d.key, "title": d.title, "text": d.text}) for d in DOCUMENTS]
    corpus.write_text("\n".join(lines))
    options = ["--strategy", "ts-ids", "--limit", "20", "--page-size", "10", "--seeds", "2"]
    target = tmp_path / "runs.json"
    app(["compare", str(corpus), *options, "--json", str(target)], standalone_mode=False)
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in shown[1:]] == ["ts-ids", REFERENCE]
    runs = json.loads(target.read_text())
    assert [(run["strategy"], run["seed"]) for run in runs] == [
        (name, seed) for seed in (0, 1) for name in ("ts-ids", REFERENCE)
    ]
    assert runs[0]["hr_at_pages"].keys() == {"1", "2", "4"}
    assert runs[0]["hr_at_or"].keys() == {"1.4", "1.5", "2", "3"}


def test_strategies_are_listed_with_their_sources(capsys: Any) -> None:
    """`longline strategies` has a line for each, with who published it."""
    from longline.cli.main import app

    app(["strategies"], standalone_mode=False)
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in shown] == list(STRATEGIES)
    assert all(each.source in line for each, line in zip(STRATEGIES.values(), shown, strict=True))
