"""Test the benchmark of harvesters: scores are right, and a harvester can be added."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest
from bench.suite import run as suite
from bench.suite.harvesters import AToZ, Haul, Longline, named
from bench.suite.judge import judge
from bench.suite.site import FIELDS, Log
from bench.suite.tasks import TASKS, Task

from longline.errors import InputError
from longline.model import Document
from longline.simulate import read_corpus, running_site

KNOWN = {task.name: task for task in TASKS}
DOCUMENTS = [each for each in read_corpus("docstrings") if each.text][:80]


class Knowing:
    """A harvester that sends one search, as an external adapter would be."""

    name = "knowing"

    def harvest(self, url: str, budget: int, folder: Path) -> Haul:
        """Send one request and claim completeness."""
        httpx2.get(f"{url}find?q=the")
        return Haul([{"url": f"{url}item/i00000"}], 1, 1, says_complete=True)


def test_who_says_nothing_of_what_is_missing_is_not_honest() -> None:
    """A script that reports nothing missing is honest only if nothing is."""
    found = suite.attempt(KNOWN["short-words"], AToZ(), DOCUMENTS, 60, 1)
    assert found.rows < 0.97
    assert found.says_nothing
    assert not found.is_honest


def test_a_harvester_is_added_by_name() -> None:
    """MODULE:CLASS is enough; a false claim is detected."""
    sys.modules["of_others"] = sys.modules[__name__]
    found = suite.attempt(KNOWN["open"], named("of_others:Knowing"), DOCUMENTS, 400, 1)
    assert found.requests == 1
    assert found.false_complete
    assert found.interval is False
    assert not found.is_honest


class Failing:
    """A harvester that fails."""

    name = "failing"

    def harvest(self, url: str, budget: int, folder: Path) -> Haul:
        """Fail."""
        raise RuntimeError("no room")


def test_a_harvester_that_fails_brings_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """The failure is reported, and stops no other harvester."""
    found = suite.attempt(KNOWN["open"], Failing(), DOCUMENTS, 400, 1)
    assert (found.rows, found.requests) == (0, 0)
    assert "open, failing failed: RuntimeError: no room" in capsys.readouterr().err


def test_fields_and_cuts_are_counted_one_by_one() -> None:
    """Two of three fields and the text of one of two documents count, and one of two cuts."""
    fields = dict(zip(FIELDS, ("A. Dahl", 1999, "map"), strict=True))
    truth = [Document("a", text="deep  web", fields=fields), Document("b", fields=fields)]
    row = {"url": "http://h/item/a", "text": "see: deep web.", "x": "A. Dahl", "y": "1999"}
    log = Log(requests=3, cut={"web", "deep NOT sea"})
    found = judge(Haul([row], cut=frozenset({"NOT sea deep"})), truth, log)
    assert (found.rows, found.fields, found.cuts_named) == (0.5, 3 / 8, 0.5)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_every_site_stands(task: Task) -> None:
    """Each front page responds, and the expected documents are among the site's."""
    app, truth, log = task.build(DOCUMENTS, 1)
    with running_site(app) as url:
        assert httpx2.get(url + task.start).status_code == 200
    assert 0 < len(truth) <= len(DOCUMENTS)
    assert log.requests == 1


def test_the_command_writes_its_table_and_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One task and harvester with few documents give a table, and the same as JSON."""
    out = tmp_path / "results.json"
    words = ["--task", "open", "--harvester", "AToZ", "--documents", "40", "--budget", "50"]
    monkeypatch.setattr(sys, "argv", ["run", *words, "--json", str(out)])
    suite.main()
    assert "A to Z" in capsys.readouterr().out
    tables = json.loads(out.read_text())["tables"]
    assert [len(table["rows"]) for table in tables] == [1, 1, 3]


def test_a_task_is_the_same_site_again() -> None:
    """Built twice with one seed, it has the same documents."""
    task = replace(KNOWN["withheld"])
    assert task.build(DOCUMENTS, 3)[1] == task.build(DOCUMENTS, 3)[1]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["capped", "capped-blind"])
def test_a_small_site_is_harvested_from_its_address_alone(name: str) -> None:
    """Frequent words show how paging works if no other answer has a second page."""
    found = suite.attempt(KNOWN[name], Longline(), DOCUMENTS, 400, 1)
    assert found.rows > 0.95
    assert found.fields > 0.9
    assert len(DOCUMENTS) < found.requests <= 400
    assert found.is_honest


def test_a_harvester_that_cannot_be_loaded_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module that is not found, or that imports what is not there, is not an unknown name."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "of_mine.py").write_text("import of_nobody\n")
    for name, missing in (("of_none:Mine", "of_none"), ("of_mine:Mine", "of_nobody")):
        with pytest.raises(InputError, match=f"cannot load {name}: No module named '{missing}'"):
            named(name)
