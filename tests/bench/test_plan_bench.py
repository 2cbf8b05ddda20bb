"""Test that the benchmark of plan's predictions runs, on a small corpus."""

import json
from pathlib import Path

import pytest
from tests.bench.conftest import Import, write_corpus

from longline.simulate import read_corpus


@pytest.mark.slow
def test_plan_predictions(tmp_path: Path, bench: Import) -> None:
    """Every setting has a row; with a known size the prediction at 90 % is within a half."""
    corpus, out = tmp_path / "some.jsonl", tmp_path / "found.json"
    write_corpus(corpus, read_corpus("docstrings")[::8])
    bench("harvest.plan_predictions").main(
        ["--corpus", str(corpus), "--strategy", "partition", "--json", str(out)]
    )
    (table,) = json.loads(out.read_text())["tables"]
    assert len(table["rows"]) == 3 * 4
    place = table["columns"].index("N known 90")
    ratios = [row[place] for row in table["rows"] if "k = 10," in row[0]]
    assert all(0.5 < ratio < 1.5 for ratio in ratios)


@pytest.mark.slow
def test_plan_sources(tmp_path: Path, bench: Import) -> None:
    """Each kind has a row; a plain source's size and its 90 % prediction are right."""
    corpus, out = tmp_path / "some.jsonl", tmp_path / "found.json"
    write_corpus(corpus, read_corpus("docstrings")[::4])
    kinds = "^(exact|no NOT|titles searched)$"
    bench("harvest.plan_sources").main(
        ["--corpus", str(corpus), "--kind", kinds, "--json", str(out)]
    )
    (table,) = json.loads(out.read_text())["tables"]
    assert [row[0].split(", ")[-1] for row in table["rows"]] == [
        "exact",
        "no NOT",
        "titles searched",
    ]
    plain = dict(zip(table["columns"], table["rows"][0], strict=False))
    assert not plain["interval / N"].startswith("NO")
    assert 0.5 < table["rows"][0][table["columns"].index("90 %")] < 1.5
