"""`longline cover`: what it chooses, what it reports, and what it refuses."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Run

from longline.covering import METHODS
from longline.pool import Analyzer
from longline.simulate import read_corpus


@pytest.fixture
def choose(run: Run, corpus: Path) -> Callable[..., dict[str, Any]]:
    """Runs `longline cover CORPUS --json`, which must succeed; returns its output.

    Passes --no-bound; `--bound` among the arguments overrides it.
    """

    def run_and_read(*arguments: object) -> dict[str, Any]:
        done = run("cover", corpus, "--json", "--no-bound", *arguments)
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    return run_and_read


Choose = Callable[..., dict[str, Any]]


def terms_of(corpus: Path) -> list[dict[str, None]]:
    """Return the terms of each document, read without a matrix."""
    analyzer = Analyzer()
    return [analyzer.terms(f"{each.title}\n{each.text}") for each in read_corpus(corpus)]


def test_chosen_terms_cover_the_corpus(choose: Choose, corpus: Path, tmp_path: Path) -> None:
    """Every document has a chosen term; cost and OR match the terms in the file."""
    found = choose("--queries", "chosen.txt")
    assert found["lower_bound"] is found["gap"] is None
    chosen = (tmp_path / "chosen.txt").read_text().splitlines()
    documents = terms_of(corpus)
    received = sum(term in document for term in chosen for document in documents)
    assert all(any(term in document for term in chosen) for document in documents)
    assert found["queries"] == len(chosen) == len(set(chosen))
    assert found["cost"] == found["received"] == received
    assert found["overlapping_rate"] == received / len(documents)
    assert (found["method"], found["documents"], found["uncovered"]) == ("ts-ids", 400, 0)
    assert found["seconds"] > 0


@pytest.mark.parametrize("method", METHODS)
def test_every_method_is_within_its_gap(choose: Choose, tmp_path: Path, method: str) -> None:
    """Every method covers all documents, and its cost exceeds the lower bound by the gap."""
    small = ("--bound", "--sample", 80, "--pool-relative-size", 8, "--seed", 2)
    seconds = {"greedy": (), "ids": (), "ts-ids": (), "exact": ("--max-time", 5)}
    found = choose("--method", method, *seconds.get(method, ("--max-time", 0.3)), *small)
    assert found["method"] == method
    assert 0 < found["lower_bound"] <= found["cost"]
    assert found["gap"] == pytest.approx(found["cost"] / found["lower_bound"] - 1)
    if method == "exact":
        assert found["cost"] <= choose(*small)["cost"]


def test_time_that_is_too_short(run: Run, corpus: Path) -> None:
    """An optimum that is not proven in time gives one error line and exit code 3."""
    done = run("cover", corpus, "--method", "exact", "--max-time", 0)
    assert (done.returncode, done.stdout) == (3, "")
    assert "no optimum is proven within 0 s" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_bound_in_words(run: Run, corpus: Path) -> None:
    """The bound is printed where it is proven, and not with --no-bound."""
    small = ("cover", corpus, "--sample", 50)
    assert "bound      proven: no choice costs less\n" in run(*small).stdout
    assert "bound" not in run(*small, "--no-bound").stdout
    many = run("cover", corpus, "--method", "greedy", "--cost", "df+3").stdout
    assert re.search(
        r"proven: no choice costs less than [\d,.]+; this one costs at most .* more\n", many
    )


def test_terms_are_in_the_order_chosen(choose: Choose, tmp_path: Path) -> None:
    """The file of greedy is not in alphabetical order."""
    choose("--method", "greedy", "--queries", "chosen.txt", "--cost", "df+30")
    chosen = (tmp_path / "chosen.txt").read_text().splitlines()
    assert chosen != sorted(chosen)


def test_papers_rules(choose: Choose) -> None:
    """With the published rules (random ties, no elimination) greedy costs more than TS-IDS."""
    rules = ("--ties", "random", "--no-eliminate", "--df-ceiling", 0.37, "--seed", 1)
    greedy, ts_ids = (choose("--method", name, *rules) for name in ("greedy", "ts-ids"))
    assert greedy["cost"] > ts_ids["cost"]
    assert choose("--method", "greedy", "--ties", "random")["cost"] < greedy["cost"]


def test_overhead_saves_queries(choose: Choose) -> None:
    """With cost df+30, fewer queries are chosen, which return more documents, than with df."""
    plain, overhead = choose(), choose("--cost", "df+30")
    assert overhead["queries"] < plain["queries"]
    assert overhead["received"] > plain["received"]
    assert overhead["cost"] == overhead["received"] + 30 * overhead["queries"]


def test_sample_and_pool_follow_the_seed(choose: Choose, tmp_path: Path) -> None:
    """The same seed gives the same sample and pool; another seed gives others."""
    words = {}
    for name, seed in (("one", 1), ("again", 1), ("other", 2)):
        found = choose(
            "--sample", 200, "--pool-relative-size", 5, "--seed", seed, "--queries", name
        )
        words[name] = (tmp_path / name).read_text()
        assert found["documents"] == 200
        assert found["terms"] < 1500
    assert words["one"] == words["again"] != words["other"]


def test_a_sample_may_be_a_share(choose: Choose) -> None:
    """5% of 400 documents are 20."""
    assert choose("--sample", "5%", "--no-bound")["documents"] == 20


def test_a_file_of_queries_is_replaced_if_told(choose: Choose, tmp_path: Path) -> None:
    """With --force the new queries take its place."""
    (tmp_path / "chosen").write_text("mine")
    choose("--sample", 20, "--no-bound", "--queries", "chosen", "--force")
    assert len((tmp_path / "chosen").read_text().splitlines()) > 5


def test_documents_without_a_term_are_counted(choose: Choose, run: Run, corpus: Path) -> None:
    """Documents without any remaining term are counted and reported in words."""
    found = choose("--df-ceiling", 0.005)
    assert found["uncovered"] > 0
    assert found["overlapping_rate"] == found["received"] / (400 - found["uncovered"])
    said = run("cover", corpus, "--df-ceiling", 0.005, "--no-bound").stdout
    assert f"{found['uncovered']} have no term here" in said


def test_words_to_read(run: Run, corpus: Path) -> None:
    """Without --json the results are printed in a few lines, with nothing on standard error."""
    done = run("cover", corpus, "--cost", "df+30", "--no-bound")
    assert done.stderr == ""
    assert "400 of 400 documents" in done.stdout
    assert "each query at df+30" in done.stdout
    assert "documents; each comes" in done.stdout


def test_a_set_covering_problem_of_the_or_library(run: Run, tmp_path: Path) -> None:
    """Its columns are chosen by its own costs; what only documents have is refused."""
    problem = tmp_path / "scp.txt"
    problem.write_text("3 4\n4 3 2 3\n2 1 2\n2 2 3\n3 1 3 4\n")  # the cheapest choice costs 5
    done = run("cover", problem, "--method", "best", "--queries", tmp_path / "chosen")
    assert "chosen     2 of 4 columns, by best\ncovered    3 of 3 rows\ncost       5" in done.stdout
    assert "bound      proven: no choice costs less\n" in done.stdout
    assert sorted((tmp_path / "chosen").read_text().split()) == ["2", "3"]
    assert json.loads(run("cover", problem, "--cost", "df", "--json").stdout)["cost"] == 3
    for option in (("--sample", 2), ("--method", "unseen")):
        refused = run("cover", problem, *option)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert f"{option[0]} " in refused.stderr
    problem.write_text("3 4 5")
    assert f"{problem}: 3 rows and 4 columns do not fit" in run("cover", problem).stderr


def test_stop_words_and_short_words(choose: Choose) -> None:
    """Keeping stop words adds up to 33 terms; a minimum length removes some."""
    terms = choose()["terms"]
    assert terms < choose("--no-stop-words")["terms"] <= terms + 33
    assert choose("--min-length", 5)["terms"] < terms


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("--method", "gredy"),
            "unknown method 'gredy'; did you mean greedy? take one of: greedy, ids",
        ),
        (("--ties", "first"), "unknown tie rule 'first'"),
        (("--cost", "dff"), "unknown cost 'dff'"),
        (("--cost", "pages/0"), "pages of 0 documents"),
        (("--generations", "5"), "--generations does not apply to the method ts-ids"),
        (("--price", "3"), "--price does not apply to the method ts-ids"),
        (("--max-time", "9"), "--max-time does not apply to the method ts-ids"),
        (
            ("--method", "unseen", "--ties", "random"),
            "--ties does not apply to the method unseen",
        ),
        (("--sample", "401"), "cannot draw a sample of 401 from 400 documents"),
        (("--df-ceiling", "0"), "no term is left of 400 documents"),
        (("--queries", "nowhere/chosen.txt"), "cannot write nowhere/chosen.txt"),
        (("--queries", "."), ". exists already"),
    ],
)
def test_bad_options(run: Run, corpus: Path, arguments: tuple[str, str], said: str) -> None:
    """An option that cannot work gives one error line that names it, and exit code 2."""
    done = run("cover", corpus, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_bad_corpus(run: Run, tmp_path: Path) -> None:
    """The error names a missing corpus, or the file and line that are broken."""
    (tmp_path / "broken.jsonl").write_text('{"text": "a b"}\n{"text": 1}\n')
    for name, place in (("nowhere.jsonl", "nowhere.jsonl"), ("broken.jsonl", "broken.jsonl:2")):
        done = run("cover", name)
        assert done.returncode == 2
        assert place in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_numbers_out_of_range(run: Run, corpus: Path) -> None:
    """Numbers out of range are usage errors that name the option."""
    for option, value in (("--sample", 0), ("--df-ceiling", 1.5), ("--pool-relative-size", 0.5)):
        done = run("cover", corpus, option, value)
        assert done.returncode == 2
        assert option in done.stderr


@pytest.mark.slow
def test_unseen_leaves_what_is_dear_and_expects_less_than_all(run: Run, tmp_path: Path) -> None:
    """For documents beyond the sample, few queries are chosen, with an expected HR and OR."""
    path = tmp_path / "terms.txt"
    options = ("--sample", 1000, "--method", "unseen", "--queries", path)
    found = json.loads(run("cover", "docstrings", *options, "--json").stdout)
    cover = json.loads(run("cover", "docstrings", "--sample", 1000, "--json").stdout)
    assert found["method"] == "unseen"
    assert len(path.read_text().split()) == found["queries"] < cover["queries"] / 5
    assert 0.7 < found["expected_hit_rate"] < 1
    assert found["expected_overlapping_rate"] > 1
    assert found["lower_bound"] is None
    dearer = run("cover", "docstrings", *options[:4], "--price", 30, "--json").stdout
    assert json.loads(dearer)["expected_hit_rate"] > found["expected_hit_rate"]
