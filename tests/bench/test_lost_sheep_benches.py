"""Test that every benchmark of the Lost Sheep runs, with the paper's figures beside ours."""

import importlib
import json
from pathlib import Path

import pytest

BENCHES = ("table_2", "table_3", "figures_4_5")


@pytest.mark.parametrize("name", BENCHES)
def test_the_bench_runs(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It prints every requested row, and writes the same as JSON."""
    bench = importlib.import_module(f"bench.papers.lost_sheep_{name}")
    path = tmp_path / "found.json"
    rows = ["SIM", "LS S=3", "LS2F S=100", "hound"]
    bench.main(["--pages", "60", "100", "--runs", "2", "--json", str(path), "--only", *rows])
    said = capsys.readouterr().out
    assert "step 6" in said
    tables = json.loads(path.read_text())["tables"]
    assert all([row[0] for row in table["rows"]] == rows for table in tables)
    figures = [cell for table in tables for row in table["rows"] for cell in row[1:]]
    assert {True} == {cell is None or cell >= 0 for cell in figures}


def test_the_papers_figures_are_all_there() -> None:
    """Each row of Tables 2 and 3 has accuracy and downloads for three sizes."""
    from bench.sites.lists import ROWS

    of_paper = [row for row in ROWS if row.algorithm != "hound"]
    assert len(of_paper) == 21
    for row in of_paper:
        assert set(row.paper) in ({None}, {0.25, 0.75})
        for figures in row.paper.values():
            assert len(figures) == 3
            assert all(0 <= accuracy <= 1 < downloads for accuracy, downloads in figures)
