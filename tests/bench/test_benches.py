"""Test that every benchmark of a table or figure runs, on a small corpus and library."""

import doctest
import gzip
import importlib
import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from longline.pool import Analyzer
from longline.simulate import read_corpus

ROOT = Path(__file__).parents[2]
SLOW = ("rivals.cover_search", "papers.genetic_table_5")

BENCHES = sorted(
    f"{path.parent.name}.{path.stem}"
    for pattern in (
        "ts_ids_*.py",
        "weighted_greedy_*.py",
        "genetic_*.py",
        "orlib.py",
        "cover_search.py",
    )
    for path in (ROOT / "bench").glob(f"*/{pattern}")
)
SEARCHING = (
    "papers.ts_ids_figure_6",
    "papers.weighted_greedy_table_7",
    "papers.genetic_table_5",
    "rivals.orlib",
    "rivals.cover_search",
)
BREEDING = tuple(name for name in BENCHES if name.startswith("papers.genetic_"))
HELPERS = ("chart", "frame", "papers.genetic", "pools", "runs", "papers.shapes")
DOCUMENTS = 400
SETTINGS = ["--seed", "3", "--runs", "2"]
INSTANCE = "3 4\n4 3 2 3\n2 1 2\n2 2 3\n3 1 3 4\n"
"""Rows {1, 2}, {2, 3}, {1, 3, 4} at costs 4, 3, 2, 3: the optimum is columns 2 and 3, cost 5."""


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Return title and text of some docstrings."""
    documents = read_corpus("docstrings")
    chosen = np.random.default_rng(0).choice(len(documents), DOCUMENTS, replace=False)
    return [f"{documents[place].title}\n{documents[place].text}" for place in chosen]


@pytest.fixture(scope="module")
def folder(texts: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder like the shared one: both corpora, and a library of one instance."""
    folder = tmp_path_factory.mktemp("shared")
    (folder / "corpora").mkdir()
    lines = []
    for text in texts:
        title, _, rest = text.partition("\n")
        lines.append(json.dumps({"title": title, "text": rest}) + "\n")
    for name in ("reuters", "newsgroups"):
        with gzip.open(folder / f"corpora/{name}.jsonl.gz", "wt", encoding="utf-8") as stream:
            stream.writelines(lines)
    (folder / "orlib").mkdir()
    with tarfile.open(folder / "orlib/orlib.tar.xz", "w:xz") as archive:
        entry = tarfile.TarInfo("scp41.txt")
        entry.size = len(INSTANCE)
        archive.addfile(entry, io.BytesIO(INSTANCE.encode()))
    (folder / "orlib/best_known.json").write_text('{"scp41": {"best_known": 5}}')
    return folder


def module_of(name: str) -> ModuleType:
    """Import a benchmark, which is not part of the package."""
    return importlib.import_module(f"bench.{name}")


@pytest.fixture
def run(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., dict[str, Any]]:
    """Return a function that runs a benchmark on that folder and returns its JSON."""
    monkeypatch.setenv("LONGLINE_SHARED", str(folder))

    def run_bench(name: str, *arguments: str) -> dict[str, Any]:
        path = tmp_path / "found.json"
        module = module_of(name)
        short = ["--time", "0.05"] if name in SEARCHING else []
        few = ["--generations", "5"] if name in BREEDING else []
        budgets = ["--budgets", "0.05", "0.1"] if name == "rivals.cover_search" else []
        module.main([*SETTINGS, *short, *few, *budgets, "--json", str(path), *arguments])
        found: dict[str, Any] = json.loads(path.read_text())
        return found

    return run_bench


Run = Callable[..., dict[str, Any]]


def rows_of(found: dict[str, Any], title: str) -> list[dict[str, Any]]:
    """Return the rows of the first table with these words in its title."""
    table = next(each for each in found["tables"] if title in each["title"])
    return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]


@pytest.mark.slow
def test_long_documents_are_glued_from_others(run: Run) -> None:
    """Each method is above the bound of long documents, and only their table is printed."""
    found = run("rivals.cover_search", "--long", "--documents", "60")
    (table,) = found["tables"]
    assert "three glued together: 60 documents" in table["title"]
    assert min(row[3] for row in table["rows"]) == 0


@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=pytest.mark.slow) if each in SLOW else each for each in BENCHES],
)
def test_every_bench_runs(run: Run, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It prints every table that it writes, and each row is as wide as its table."""
    found = run(name)
    printed = capsys.readouterr().out
    assert found["bench"] == name.rpartition(".")[2]
    assert found["settings"]["seed"] == 3
    assert found["tables"]
    for table in found["tables"]:
        assert table["title"] in " ".join(printed.split())
        assert table["rows"]
        assert {len(row) for row in table["rows"]} == {len(table["columns"])}


def test_there_are_benches() -> None:
    """No benchmark is missed because it was renamed."""
    assert len(BENCHES) >= 9


@pytest.mark.parametrize("name", [*BENCHES, *HELPERS])
def test_examples(name: str) -> None:
    """The doctests of each benchmark pass."""
    assert doctest.testmod(module_of(name)).failed == 0


@pytest.mark.slow
def test_figures_are_drawn(run: Run, tmp_path: Path) -> None:
    """With --out a figure becomes one HTML file that makes no network request."""
    pytest.importorskip("plotly")
    run("papers.ts_ids_figure_7", "--out", str(tmp_path / "drawn"))
    page = (tmp_path / "drawn/ts_ids_figure_7_reuters.html").read_text()
    assert "TS-IDS" in page
    assert '<script src="http' not in page


def test_table_1_counts_what_is_there(run: Run, texts: list[str]) -> None:
    """Sizes equal those of the documents' term sets without terms above the df ceiling."""
    sets = [Analyzer().terms(text) for text in texts]
    df: dict[str, int] = {}
    for terms in sets:
        for term in terms:
            df[term] = df.get(term, 0) + 1
    kept = {term: count for term, count in df.items() if count <= 0.37 * DOCUMENTS}
    row = run("papers.ts_ids_table_1")["tables"][0]["rows"][1]
    assert row[0] == "reuters, here, seed 3"
    assert row[1:3] == [DOCUMENTS, len(kept)]
    assert row[3] == max(sum(term in kept for term in terms) for terms in sets)
    assert row[5] == pytest.approx(sum(kept.values()) / DOCUMENTS)
    assert row[6:] == [max(kept.values()), 1, pytest.approx(sum(kept.values()) / len(kept))]


@pytest.mark.slow
def test_figure_6_has_the_papers_figures_beside_ours(run: Run) -> None:
    """The paper's rates are in their rows; ratios are to greedy; TS-IDS is lowest here too."""
    rows = rows_of(run("papers.ts_ids_figure_6"), "Figure 6: OR on reuters")
    assert [row["OR paper"] for row in rows] == [1.94, 1.81, 1.31]
    rates = [row["OR here"] for row in rows]
    assert rates[2] == min(rates)
    assert [row["OR eliminated"] <= row["max"] for row in rows] == [True] * 3


def test_figure_7_finds_the_first_redundant_query(run: Run) -> None:
    """Greedy starts with disjoint queries; the curves start at overlap 1."""
    found = run("papers.ts_ids_figure_7")
    greedy = rows_of(found, "Figure 7: reuters")[0]
    assert 0 < int(greedy["share here"].rstrip("%")) <= 100
    assert rows_of(found, "reuters: the curves")[0]["0%"] >= 1


@pytest.mark.slow
def test_mapping_ends_where_the_queries_end(run: Run) -> None:
    """A sample of the complete collection is covered: greedy's pool ends at HR 1."""
    rows = rows_of(run("papers.weighted_greedy_figure_5"), "Figure 5: reuters")
    every_term = [row for row in rows if row["method"].endswith("df+30")]
    assert every_term[-1]["reached by"] == "HR 1.000"


def test_orlib_knows_the_best(run: Run) -> None:
    """On an instance with optimum 5, no method is below, and TS-IDS finds it."""
    rows = rows_of(run("rivals.orlib"), "OR-Library")
    assert all(row["4"] >= 0 for row in rows)
    assert {row["method"]: row["4"] for row in rows}["TS-IDS"] == 0


@pytest.mark.slow
def test_searches_are_between_the_bound_and_ts_ids(run: Run) -> None:
    """No method is below the bound, and no search costs more than TS-IDS."""
    rows = rows_of(run("rivals.cover_search"), "reuters")
    above = [(row["method"], row["% above the bound"]) for row in rows]
    ts_ids = dict(above)["TS-IDS"]
    assert [rate >= 0 for _, rate in above] == [True] * 12
    assert all(
        rate <= ts_ids for method, rate in above if method in ("anneal", "weighting", "best")
    )


@pytest.mark.parametrize("name", ["ts_ids_table_1", "thesis_table_9"])
def test_missing_corpora_are_named(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the shared folder a benchmark names the variable to set, on one line."""
    import subprocess
    import sys

    command = [sys.executable, "-m", f"bench.papers.{name}"]
    monkeypatch.setenv("LONGLINE_SHARED", str(tmp_path))
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "LONGLINE_SHARED" in done.stderr
