"""Test that the benchmark of plan's predictions runs, on a small corpus."""

import importlib
import json
from pathlib import Path

import pytest

from longline.simulate import read_corpus

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_plan_predictions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every setting has a row; with a known size the prediction at 90 % is within a half."""
    monkeypatch.syspath_prepend(str(ROOT))
    corpus, out = tmp_path / "some.jsonl", tmp_path / "found.json"
    with corpus.open("w", encoding="utf-8") as stream:
        for document in list(read_corpus("docstrings"))[::8]:
            stream.write(json.dumps({"title": document.title, "text": document.text}) + "\n")
    bench = importlib.import_module("bench.harvest.plan_predictions")
    bench.main(["--corpus", str(corpus), "--strategy", "partition", "--json", str(out)])
    (table,) = json.loads(out.read_text())["tables"]
    assert len(table["rows"]) == 3 * 4
    place = table["columns"].index("N known 90")
    ratios = [row[place] for row in table["rows"] if "k = 10," in row[0]]
    assert all(0.5 < ratio < 1.5 for ratio in ratios)


@pytest.mark.slow
def test_plan_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kind has a row; a plain source's size and its 90 % prediction are right."""
    monkeypatch.syspath_prepend(str(ROOT))
    corpus, out = tmp_path / "some.jsonl", tmp_path / "found.json"
    with corpus.open("w", encoding="utf-8") as stream:
        for document in list(read_corpus("docstrings"))[::4]:
            stream.write(json.dumps({"title": document.title, "text": document.text}) + "\n")
    bench = importlib.import_module("bench.harvest.plan_sources")
    kinds = "^(exact|no NOT|titles searched)$"
    bench.main(["--corpus", str(corpus), "--kind", kinds, "--json", str(out)])
    (table,) = json.loads(out.read_text())["tables"]
    assert [row[0].split(", ")[-1] for row in table["rows"]] == [
        "exact",
        "no NOT",
        "titles searched",
    ]
    plain = dict(zip(table["columns"], table["rows"][0], strict=False))
    assert not plain["interval / N"].startswith("NO")
    assert 0.5 < table["rows"][0][table["columns"].index("90 %")] < 1.5
