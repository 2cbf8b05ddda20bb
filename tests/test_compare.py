"""Test the comparison of strategies: the measures, the reference, the command."""

import json
import re
import signal
import subprocess
import sys
from math import ceil, log
from pathlib import Path
from statistics import stdev
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from longline.cli._chart import HEIGHT, text_chart
from longline.cli._options import documents_of, sample_size
from longline.comparison import REFERENCE, Setting, compare, searcher_of
from longline.errors import InputError, UnknownNameError
from longline.model import Document, Query
from longline.planner.strategies import STRATEGIES
from longline.simulate import read_corpus

DOCUMENTS = read_corpus("docstrings")[::10]
SETTING = Setting(limit=20, page_size=10)


def test_measures_of_a_source_without_surprises() -> None:
    """With four documents, two a page, each found by one term, the reference holds all at x1."""
    words = ["anchor", "anchor", "buoy", "buoy"]
    documents = [Document(str(n), text=word) for n, word in enumerate(words)]
    setting = Setting(limit=2, page_size=2)
    (outcome,) = compare(documents, [REFERENCE], seeds=[0], setting=setting)
    assert outcome.hit_rate_at_pages == {"1": 1.0, "2": 1.0, "4": 1.0}
    assert outcome.hit_rate_at_overlapping_rate == {"1.4": 1.0, "1.5": 1.0, "2": 1.0, "3": 1.0}
    assert (outcome.queries, outcome.result_pages, outcome.overlapping_rate) == (2, 2, 1.0)
    assert 0 < outcome.seconds < 60


def test_no_strategy_beats_full_knowledge_early() -> None:
    """At the smallest page budget the reference is ahead, and every rate is within its range."""
    single = ["random-dictionary", "greedy", "ids", "ts-ids"]
    outcomes = list(compare(DOCUMENTS, [*single, REFERENCE], seeds=[1], setting=SETTING))
    reference = outcomes[-1]
    assert [outcome.strategy for outcome in outcomes] == [*single, REFERENCE]
    for outcome in outcomes:
        curves = outcome.hit_rate_at_pages, outcome.hit_rate_at_overlapping_rate
        rising = [list(curve.values()) for curve in curves]
        assert all(0 <= share <= 1 for share in (*rising[0], *rising[1], outcome.hit_rate))
        assert rising == [sorted(curve) for curve in rising]
        assert outcome.overlapping_rate >= 1 or outcome.hit_rate == 0
        assert outcome.hit_rate_at_pages["1"] <= reference.hit_rate_at_pages["1"]


def test_runs_stop_at_the_largest_budget() -> None:
    """No run requests more than four times the minimum number of result pages."""
    for outcome in compare(DOCUMENTS, ["ts-ids"], seeds=[0], setting=SETTING):
        assert outcome.result_pages <= 4 * ceil(len(DOCUMENTS) / SETTING.page_size)


@pytest.mark.parametrize(("limit", "page_size"), [(50, 1000), (10, 20), (1000, 400)])
def test_page_budgets_are_of_pages_that_can_be_shown(limit: int, page_size: int) -> None:
    """A page shows at most the return limit, and a budget is at least one page."""
    setting = Setting(limit=limit, page_size=page_size)
    (outcome,) = compare(DOCUMENTS, ["adaptive"], seeds=[0], setting=setting)
    assert list(outcome.hit_rate_at_pages.values()) == sorted(outcome.hit_rate_at_pages.values())
    least = -(-len(DOCUMENTS) // min(limit, page_size))
    assert 0 < outcome.hit_rate_at_pages["1"] <= least * min(limit, page_size) / len(DOCUMENTS)
    assert outcome.result_pages <= 4 * least


def test_source_without_english_words_is_begun_with_its_own() -> None:
    """Runs start with the source's frequent words; an English dictionary finds nothing."""
    words = ["λιμάνι", "πλοίο", "θάλασσα", "νησί", "ψάρι", "δίχτυ"]
    documents = [Document(str(n), text=f"{words[n % 6]} {words[n % 5]} ω{n}") for n in range(60)]
    setting = Setting(limit=20, page_size=1)
    names = ["adaptive", "random-dictionary"]
    ours, english = compare(documents, names, seeds=[0], setting=setting)
    assert ours.hit_rate > 0.5
    assert (english.hit_rate, english.overlapping_rate) == (0.0, 0.0)


def test_documents_without_words_cannot_be_compared_on() -> None:
    """Documents that no word can find are refused before anything runs."""
    with pytest.raises(InputError, match="no document has a word"):
        next(compare([Document("1", text="…!")], ["ids"]))


def test_seeds_are_repeatable() -> None:
    """The same seed gives the same outcome, except for the time it took."""
    first, again = (next(compare(DOCUMENTS, ["ids"], seeds=[3], setting=SETTING)) for _ in range(2))
    assert replace(first, seconds=0.0) == replace(again, seconds=0.0)


def test_unknown_names_fail_before_anything_runs() -> None:
    """An unknown strategy or ranking raises an error that lists the known ones."""
    with pytest.raises(UnknownNameError, match="ts-ids"):
        next(compare(DOCUMENTS, ["ids", "tsids"]))
    with pytest.raises(UnknownNameError, match="bm25"):
        next(compare(DOCUMENTS, ["ids"], setting=Setting(ranking="best")))
    with pytest.raises(InputError):
        next(compare([], ["ids"]))


@pytest.mark.slow
def test_command_prints_a_table_or_every_run(tmp_path: Path, capsys: Any) -> None:
    """`longline compare` prints one row per strategy; its JSON has one run per seed."""
    from longline.cli.main import app

    corpus = tmp_path / "some.jsonl"
    lines = [json.dumps({"id": d.key, "title": d.title, "text": d.text}) for d in DOCUMENTS]
    corpus.write_text("\n".join(lines))
    options = ["--strategy", "ts-ids", "--limit", "20", "--page-size", "10", "--seeds", "2"]
    app(["compare", str(corpus), *options], standalone_mode=False)
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in shown[1:3]] == ["ts-ids", REFERENCE]
    spread = re.search(r"at most (\d+\.\d) \((\S+), x(\d)\)", shown[3])
    assert shown[4].startswith(f"A sample of 1,000 is the whole corpus of {len(DOCUMENTS)}")
    assert shown[5].startswith("Only sampled: ts-ids.")
    assert shown[-1].split() == ["a", "ts-ids", "b", REFERENCE]
    app(["compare", str(corpus), *options, "--json"], standalone_mode=False)
    found = json.loads(capsys.readouterr().out)
    asked, runs = found["asked"], found["runs"]
    assert (asked["corpus"], asked["documents"], asked["seeds"]) == (str(corpus), len(DOCUMENTS), 2)
    assert (asked["limit"], asked["ranking"], asked["counts"]) == (20, "static", "exact")
    assert [(run["strategy"], run["seed"]) for run in runs] == [
        (name, seed) for seed in (0, 1) for name in ("ts-ids", REFERENCE)
    ]
    assert runs[0]["hit_rate_at_pages"].keys() == {"1", "2", "4"}
    assert runs[0]["hit_rate_at_overlapping_rate"].keys() == {"1.4", "1.5", "2", "3"}
    assert spread is not None
    most, name, times = spread.groups()
    rates = [run["hit_rate_at_pages"][times] for run in runs if run["strategy"] == name]
    assert float(most) == pytest.approx(100 * abs(rates[0] - rates[1]) / 2**0.5, abs=0.06)


def run_command(corpus: Path, *options: object) -> None:
    """Run `longline compare` with these options."""
    from longline.cli.main import app

    small = ("--limit", 20, "--page-size", 10, "--seeds", 1)
    app(["compare", str(corpus), *map(str, (*small, *options))], standalone_mode=False)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Write the documents to a file."""
    path = tmp_path / "corpus.jsonl"
    lines = (json.dumps({"id": d.key, "title": d.title, "text": d.text}) for d in DOCUMENTS)
    path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_what_cannot_be_measured_is_said(tmp_path: Path, capsys: Any, form: tuple[str]) -> None:
    """A source with few pages, and runs that found nothing, are reported in words."""
    path = tmp_path / "few.jsonl"
    rows = ({"id": str(n), "title": f"ω{n}", "text": f"λιμάνι ω{n} ψ{n % 7}"} for n in range(45))
    path.write_text("\n".join(map(json.dumps, rows)))
    run_command(path, "--strategy", "random-dictionary", *form)
    out, err = capsys.readouterr()
    said = err if form else out
    assert "Too little to compare: 45 documents of this source fill 5 result pages" in said
    assert "gets 20 at most" in said
    assert "(--page-size 4)" in said
    assert "No search of a run found anything: random-dictionary." in said
    assert form == () or json.loads(out)


def test_what_can_be_measured_has_no_such_note(corpus: Path, capsys: Any) -> None:
    """Nor is there one of a sample, which this strategy does not take."""
    run_command(corpus, "--strategy", "adaptive")
    assert not re.search("Too little|No search|A sample", capsys.readouterr().out)
    with pytest.raises(InputError, match="sample does not apply to adaptive; leave it out"):
        run_command(corpus, "--strategy", "adaptive", "--sample", "50")


@pytest.mark.slow
def test_several_names_may_follow_one_option(corpus: Path, capsys: Any) -> None:
    """`--strategy a b` runs both, and the options describe the source."""
    names = ("--strategy", "ids", "hdf5", "--sample", "10%", "--totals", "about")
    run_command(corpus, *names, "--no-boolean", "--ranking", "bm25", "--json")
    runs = {run["strategy"]: run for run in json.loads(capsys.readouterr().out)["runs"]}
    assert list(runs) == ["ids", "hdf5", REFERENCE]
    assert runs["hdf5"]["queries"] == 0
    with pytest.raises(InputError, match="strategy list alone"):
        run_command(corpus, "hdf5", "--queries", str(corpus))


@pytest.mark.slow
def test_chart_is_drawn_by_plotly(corpus: Path, tmp_path: Path) -> None:
    """With --chart every strategy is a line in an HTML file that makes no network request."""
    pytest.importorskip("plotly")
    target = tmp_path / "chart.html"
    run_command(corpus, "--strategy", "ts-ids", "--chart", target)
    page = target.read_text()
    assert '"name":"ts-ids"' in page
    assert f'"name":"{REFERENCE}"' in page
    assert '<script src="http' not in page
    with pytest.raises(InputError, match="cannot write"):
        run_command(corpus, "--strategy", "ts-ids", "--chart", tmp_path / "no" / "chart.html")


def test_chart_without_plotly_is_an_error_before_the_work(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """If plotly is not installed, the error names the extra, and nothing was run."""
    import sys

    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
    with pytest.raises(InputError, match=re.escape("longline[report]")):
        run_command(corpus, "--strategy", "ts-ids", "--chart", tmp_path / "chart.html")
    assert "run 1" not in capsys.readouterr().err


def test_text_chart_draws_each_curve_where_it_is() -> None:
    """A letter marks the OR and HR of its curve, a star marks where two meet, the rest is empty."""
    flat = [[(1.0, 0.5), (2.0, 0.5)]]
    lines = list(text_chart({"one": flat, "two": flat, "three": [[(1.0, 0.1), (3.9, 0.95)]]}))
    assert len(lines) == HEIGHT + 4
    rows = {int(15 - n): line[5:] for n, line in enumerate(lines[1 : HEIGHT + 1])}
    assert set(rows[8][:20]) == {"*"}
    assert rows[8][20:].strip() == ""
    assert set(rows[2].strip()) == {"c"}
    assert rows[15].strip() == "c"[: len(rows[15].strip())]
    assert lines[-1] == "a one  b two  c three"


def test_text_chart_of_many_strategies() -> None:
    """More strategies than letters, runs without a point, and a single point raise no error."""
    names = [f"s{n}" for n in range(60)]
    lines = list(text_chart({name: [[(1.0, 0.0)], []] for name in names}))
    assert "s51" in lines[-1]
    assert "s52" not in lines[-1]


@pytest.mark.slow
def test_listing_alone_is_less_than_the_documents() -> None:
    """With titles and snippets only, documents suggest queries, but worse ones."""
    whole, listing = (
        next(
            compare(
                DOCUMENTS,
                ["adaptive"],
                seeds=[0],
                setting=Setting(limit=20, page_size=10, listing_only=listing_only),
            )
        )
        for listing_only in (False, True)
    )
    assert 0.3 < listing.hit_rate <= whole.hit_rate
    assert listing.hit_rate_at_pages["1"] < whole.hit_rate_at_pages["1"]


@pytest.mark.slow
def test_terms_that_are_not_read_change_the_answers() -> None:
    """Partition's queries grow longer; if the source reads only two terms they cut less."""
    whole, short = (
        next(
            compare(
                DOCUMENTS,
                ["partition"],
                seeds=[0],
                setting=Setting(limit=20, page_size=10, reads_terms=reads_terms),
            )
        )
        for reads_terms in (None, 2)
    )
    assert short.hit_rate_at_pages["2"] < whole.hit_rate_at_pages["2"]


@pytest.mark.parametrize(
    ("counts", "sigma"), [("exact", 0.0), ("approximate", 0.3), ("noisy", 1.0), ("none", None)]
)
def test_counts_are_as_true_as_asked(counts: str, sigma: float | None) -> None:
    """The source's totals have errors with a spread of 0, .3 or 1, or there are no totals."""
    box = searcher_of(DOCUMENTS, Setting(counts=counts), seed=0)
    dfs = {term: df for term, df in box.document_frequencies().items() if df >= 5}
    totals = [box.search(Query((term,))).total for term in dfs]
    if sigma is None:
        assert set(totals) == {None}
        return
    errors = [
        log(total.documents / df) for total, df in zip(totals, dfs.values(), strict=True) if total
    ]
    assert len(errors) > 500
    assert stdev(errors) == pytest.approx(sigma, rel=0.15)


@pytest.mark.parametrize(
    ("text", "size", "documents"), [("60", None, 60), ("5%", 2000, 100), ("100 %", 7, 7)]
)
def test_samples_are_numbers_or_shares(text: str, size: int | None, documents: int) -> None:
    """A share is taken of the source's size, and at least one document is sampled."""
    assert documents_of(sample_size(text), size) == documents
    assert documents_of(sample_size("1%"), 10) == 1


@pytest.mark.parametrize("text", ["0", "-3", "0%", "101%", "some", "%", "1.5", "nan%"])
def test_wrong_samples_are_usage_errors(text: str) -> None:
    """Anything but a number from 1 on or a share up to 100 % is refused."""
    import typer

    with pytest.raises(typer.BadParameter, match=re.escape(repr(text))):
        sample_size(text)


@pytest.mark.slow
def test_strategy_that_only_sampled_is_named(capsys: Any) -> None:
    """The table says when pages run out while a strategy still samples; not with --as-published."""
    from longline.cli.main import app

    run = ["compare", "docstrings", "--strategy", "df-weighted", "--seeds", "1"]
    app(run, standalone_mode=False)
    sampled = capsys.readouterr().out
    options = ["--sample", "5%", "--as-published", "--df-estimator", "good-turing"]
    app([*run, *options], standalone_mode=False)
    published = capsys.readouterr().out
    assert "Only sampled: df-weighted." in sampled
    assert "Only sampled" not in published


def test_share_needs_a_size() -> None:
    """A share raises an error if the source's size is not known."""
    with pytest.raises(InputError, match="--size"):
        documents_of(sample_size("5%"), None)


def test_strategies_are_listed_with_their_sources(capsys: Any) -> None:
    """`longline strategies` prints one line per strategy, with its publication."""
    from longline.cli.main import app

    app(["strategies"], standalone_mode=False)
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in shown] == list(STRATEGIES)
    assert all(each.source in line for each, line in zip(STRATEGIES.values(), shown, strict=True))


def test_an_interrupted_comparison_prints_the_runs_that_ended(tmp_path: Path) -> None:
    """Ctrl-C during a long run ends it within seconds, with the table of the runs before it."""
    words = [f"word{number}" for number in range(400)]
    rng = np.random.default_rng(0)
    lines = [
        json.dumps({"id": str(number), "text": " ".join(rng.choice(words, 60))})
        for number in range(2000)
    ]
    (tmp_path / "c.jsonl").write_text("\n".join(lines), encoding="utf-8")
    command = [sys.executable, "-m", "longline", "compare", "c.jsonl", "--seeds", "50"]
    process = subprocess.Popen(
        [*command, "--strategy", "random-dictionary"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("run 4 of 100"):
            break
    process.send_signal(signal.SIGINT)
    printed, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert printed.startswith("HR %")
    assert "\nrandom-dictionary" in printed
    assert "run 90 of 100" not in errors
    assert "interrupted" in errors
