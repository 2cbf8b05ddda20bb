"""Test that the benchmarks of estimators run, on a small corpus."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.bench.conftest import Import, write_corpus

from longline.simulate import read_corpus

DOCUMENTS = 250
Run = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write some docstrings to a corpus file."""
    documents = read_corpus("docstrings")
    chosen = np.random.default_rng(0).choice(len(documents), DOCUMENTS, replace=False)
    path = tmp_path_factory.mktemp("corpus") / "some.jsonl"
    write_corpus(path, (documents[place] for place in chosen))
    return path


@pytest.fixture
def run(corpus: Path, tmp_path: Path, bench: Import) -> Run:
    """Return a function that runs a benchmark on that corpus and returns its JSON."""

    def run_bench(name: str, *arguments: str) -> dict[str, Any]:
        path = tmp_path / "found.json"
        settings = ["--corpus", str(corpus), "--seed", "3", "--runs", "1", "--json", str(path)]
        bench(name).main([*settings, *arguments])
        found: dict[str, Any] = json.loads(path.read_text())
        return found

    return run_bench


def test_df_estimators(run: Run) -> None:
    """Every estimator has its design figure and an error; probes reduce the error."""
    overall, by_df = run("df.compare")["tables"]
    error = {row[0]: row[2] for row in overall["rows"]}
    assert {row[0]: row[1] for row in overall["rows"]}["mle"] == 1.37
    assert error["regression"] < error["mle"]
    assert error["zipf-mandelbrot"] < error["mle"]
    assert [row[0] for row in by_df["rows"]] == list(error)


@pytest.mark.slow
def test_size_estimators(run: Run) -> None:
    """The checkpoints of all sources are counted, and the probes' sizes are nearly right."""
    found = run("harvest.size_estimators", "--draws", "1", "--hits", "60", "--strategy", "ts-ids")
    believed, intervals = found["tables"][-2:]
    assert believed["title"].startswith("all: size believed")
    late = [row[1] for row in believed["rows"] if row[0] in (".7", ".8", ".9", "1")]
    assert late
    assert all(0.8 < relative < 1.2 for relative in late)
    counted = [sum(row[1] for row in table["rows"]) for table in found["tables"][1::2]]
    assert counted[-1] == sum(counted[:-1])
    assert len(intervals["rows"]) >= 1
