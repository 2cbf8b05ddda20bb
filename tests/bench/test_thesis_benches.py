"""Test that the benchmarks of the thesis run, and that their parts follow the thesis."""

import doctest
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.bench.conftest import Import, write_corpus

from longline.model import Query
from longline.simulate import read_corpus

DOCUMENTS = 200
STRENGTHS = ["weak", "middle", "strong"]
Run = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write some docstrings to a corpus file."""
    documents = read_corpus("docstrings")
    chosen = np.random.default_rng(0).choice(len(documents), 2 * DOCUMENTS, replace=False)
    path = tmp_path_factory.mktemp("corpus") / "some.jsonl"
    write_corpus(path, (documents[place] for place in chosen))
    return path


@pytest.fixture
def run(corpus: Path, tmp_path: Path, bench: Import) -> Run:
    """Return a function that runs a benchmark on half of the corpus and returns its tables."""

    def run_bench(name: str, *arguments: str) -> list[dict[str, Any]]:
        path = tmp_path / "found.json"
        settings = ["--corpus", str(corpus), "--documents", str(DOCUMENTS), "--seed", "3"]
        bench(name).main([*settings, "--runs", "1", "--json", str(path), *arguments])
        found = json.loads(path.read_text())
        assert found["bench"] == name.rpartition(".")[2]
        return [
            dict(zip(table["columns"], row, strict=True))
            for table in found["tables"]
            for row in table["rows"]
        ]

    return run_bench


def number(cell: str | float | None) -> float:
    """Read a number from a cell; 0 if nothing was sent."""
    return float(str(cell or 0).rstrip("*%"))


@pytest.mark.slow
def test_table_9(run: Run) -> None:
    """A stronger ranking has a smaller limit, and fewer terms within it."""
    rows = run("papers.thesis_table_9")
    assert [row["strength"] for row in rows] == STRENGTHS
    limits = [row["k = 100 is"] for row in rows]
    assert limits == sorted(limits, reverse=True)
    assert [row["below 100, paper"] for row in rows] == ["75%", "64%", "55%"]
    assert all(row["N, here"] == DOCUMENTS for row in rows)


@pytest.mark.slow
def test_limits_cut_the_published_share_of_terms(bench: Import, corpus: Path) -> None:
    """About the share of Table 9 of the sample's terms has a df below the limit for 100."""
    thesis = bench("papers.thesis")
    options = thesis.thesis_parser("", 1).parse_args(["--corpus", str(corpus)])
    ((_, sources),) = thesis.sources(options, seed=2)
    for source in sources:
        df = np.array([source.ranked.df[term] for term in source.sample_terms()])
        share = thesis.share_below(df, source.limit(100))
        assert share == pytest.approx(source.strength.within[0], abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("ranking", ["static", "bm25"])
def test_table_11(run: Run, ranking: str) -> None:
    """There are two sources with nine settings each; the paper's figures are in their rows."""
    rows = run("papers.thesis_table_11", "--ranking", ranking)
    assert len(rows) == 18
    row = next(r for r in rows if (r["strength"], r["sample"], r["k"]) == ("strong", "20%", "1000"))
    assert (row["random, paper"], row["greedy, paper"], row["DF-W, paper"]) == (21.5, None, 32)
    assert all(0 <= number(r[f"{name}, here"]) <= 100 for r in rows for name in ("WG", "DF-W"))
    assert all(number(r["random, here"]) > 0 for r in rows)


def test_table_12(run: Run) -> None:
    """Greedy and weighted greedy are measured at the paper's OR."""
    rows = run("papers.thesis_table_12")
    assert [row["OR"] for row in rows] == ["1.5"] * 9 + ["1.4"] * 9
    assert rows[0]["weighted, paper"] == 24
    assert all(number(row["greedy, here"]) > 0 for row in rows)


def test_table_13(run: Run) -> None:
    """Some of the terms have a high df, and the bound is the limit for 200."""
    rows = run("papers.thesis_table_13")
    assert [row["high df, paper"] for row in rows] == [5339, 25042, 20269]
    assert all(0 < row["high df, here"] < row["terms, here"] for row in rows)
    assert all(row["share, here"].endswith("%") for row in rows)


def test_figure_19(run: Run, tmp_path: Path) -> None:
    """Under static ranking, terms joined by OR reach less than single ones; it is drawn."""
    pytest.importorskip("plotly")
    rows = run("papers.thesis_figure_19", "--out", str(tmp_path / "drawn"))
    for strength in STRENGTHS:
        reached = {
            row["approach"]: number(row["HR at OR 2"])
            for row in rows
            if row["strength"] == strength
        }
        assert reached["Sample Random"] > reached["HDF"] > reached["HDF15"]
    assert (tmp_path / "drawn/thesis_figure_19_some_static.html").exists()


@pytest.mark.slow
def test_experiments(run: Run, tmp_path: Path) -> None:
    """Each of the 27 has the four policies and ours; partition leads at OR 2."""
    pytest.importorskip("plotly")
    rows = run("papers.thesis_experiments", "--out", str(tmp_path / "drawn"))
    assert len(rows) == 2 * 27
    assert list(rows[0])[4:] == [
        *("random", "greedy", "weighted", "df-weighted", "adaptive", "partition")
    ]
    for row in rows[27:]:
        reached = {name: number(row[name]) for name in list(row)[4:]}
        assert reached["partition"] == max(reached.values())
    assert (tmp_path / "drawn/thesis_experiments_some_static.html").exists()


@pytest.mark.slow
def test_published_policies_alone(run: Run) -> None:
    """With --published-only none of our strategies is run."""
    assert list(run("papers.thesis_experiments", "--published-only")[0])[-1] == "df-weighted"


def test_samples_are_as_large_as_said(bench: Import, corpus: Path) -> None:
    """Each sample has its share of the source or slightly more, from complete answers."""
    thesis = bench("papers.thesis")
    options = thesis.thesis_parser("", 1).parse_args(["--corpus", str(corpus)])
    ((_, sources),) = thesis.sources(options, seed=2)
    for source in sources:
        sizes = [len(source.samples[share]) / source.ranked.size for share in thesis.SHARES]
        most = source.limit(max(thesis.LIMITS)) / source.ranked.size
        assert all(
            share <= size <= share + most for share, size in zip(thesis.SHARES, sizes, strict=True)
        )


def test_df_weighted_is_cut_less_often(bench: Import, corpus: Path) -> None:
    """Its queries have a df below the limit far more often than the weighted greedy's do."""
    thesis = bench("papers.thesis")
    options = thesis.thesis_parser("", 1).parse_args(["--corpus", str(corpus)])
    ((_, sources),) = thesis.sources(options, seed=2)
    source, limit = sources[-1], sources[-1].limit(100)
    within = []
    for policy in ("weighted", "df-weighted"):
        rng = np.random.default_rng(0)
        sample = source.sample(0.2)
        terms = thesis.selected(sample, policy, limit, source.ranked.size, rng)
        within.append(np.mean([source.ranked.df[term] < limit for term in terms]))
    assert within[1] > 0.9
    assert within[1] > within[0]


def test_curves_count_repeats(bench: Import) -> None:
    """OR and HR after each query follow their definitions; queries without hits are skipped."""
    thesis, frame = bench("papers.thesis"), bench("frame")
    texts = ["anchor buoy", "anchor", "buoy", "cleat"]
    ranked = thesis.Ranked(frame.Collection("four", texts), "static", 0)
    queries = [Query((word,)) for word in ("anchor", "whale", "buoy")]
    curve = thesis.send(ranked, queries, 10)
    assert curve.rates.tolist() == [1.0, 4 / 3]
    assert curve.hit_rates.tolist() == [0.5, 0.75]
    assert curve.reaches(4 / 3)
    assert not curve.reaches(1.4)
    assert len(thesis.send(ranked, queries, 10, most=1.2).rates) == 2
    assert thesis.send(ranked, [Query((), any_of=("anchor", "cleat"))], 2).hit_rates[-1] == 0.5


@pytest.mark.parametrize(
    "name", ["papers.thesis", "papers.thesis_table_9", "papers.thesis_experiments"]
)
def test_examples(name: str, bench: Import) -> None:
    """The doctests of each benchmark pass."""
    assert doctest.testmod(bench(name)).failed == 0
