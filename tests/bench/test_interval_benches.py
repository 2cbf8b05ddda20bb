"""Test that the benchmarks of sizes run, on small sources."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.bench.conftest import Import, write_corpus

from longline.simulate import read_corpus

Run = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def run(tmp_path: Path, bench: Import) -> Run:
    """Return a function that runs a benchmark on a small corpus and returns its table."""
    corpus, out = tmp_path / "some.jsonl", tmp_path / "found.json"
    write_corpus(corpus, read_corpus("docstrings")[::4])

    def rows(name: str, *arguments: str) -> list[dict[str, Any]]:
        settings = ["--corpus", str(corpus), "--json", str(out), *arguments]
        bench(name).main(settings)
        (table,) = json.loads(out.read_text())["tables"]
        return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]

    return rows


@pytest.mark.slow
def test_plan_intervals(run: Run) -> None:
    """There is one row per kind; a plain source's size is inside a narrow interval."""
    found = run(
        "harvest.plan_intervals", "--plans", "3", "--documents", "500", "--kind", "^(exact|no NOT)$"
    )
    assert [row["plans"] for row in found] == [3, 3]
    assert found[0]["truth inside"] == 3
    assert 0 < found[0]["width / N, median"] < 0.2


@pytest.mark.slow
def test_lie_intervals(run: Run) -> None:
    """There is one row per lie and one for all; without lies nearly all is held."""
    lies = "^(none|RandomStandIns|failing documents)$"
    found = run("harvest.lie_intervals", "--seeds", "2", "--documents", "300", "--lie", lies)
    assert [row["harvests"] for row in found] == [2, 2, 2, 6]
    assert found[0]["truth inside"] == "2 (100 %)"
    assert found[0]["held / N, median"] > 0.95
    assert found[2]["held / N, median"] < 0.97
