"""The main job: harvest a search-only web site, continue after a kill, inspect the result."""

import csv
import io
import json
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from bench.faulty.faults import Fault, Faulty, Refuse, Slow
from tests.cli.conftest import Run
from tests.command_line import longline
from tests.harvests import Harvest

from longline.simulate import Searcher, read_corpus, running_site, website
from longline.text.numbers import percent

LATE = range(40, 10**6)
"""The numbers of the requests that fail on a site that breaks late."""

SIZE = 200
"""Number of documents on the completely harvested site."""

OPTIONS = ("--allow-private", "--seed", "3")


def certificate(folder: Path) -> dict[str, object]:
    """Read a certificate, without the values that depend on the clock."""
    fields: dict[str, object] = json.loads((folder / "certificate.json").read_text())
    return {name: value for name, value in fields.items() if not name.endswith("_at")}


class Whole(NamedTuple):
    """A running site, its request log, and the folder and output of its complete harvest."""

    url: str
    log: list[str]
    folder: Path
    done: "subprocess.CompletedProcess[str]"
    requests: tuple[str, ...]


@contextmanager
def harvested(corpus: Path, folder: Path, *options: object) -> Iterator[Whole]:
    """Harvest a site that stays up inside the `with` block."""
    searcher = Searcher(read_corpus(str(corpus))[:SIZE], limit=50, page_size=10)
    log: list[str] = []
    with running_site(searcher, log=log) as url:
        done = longline(folder, "harvest", f"{url}/", "-o", "got", *OPTIONS, *options)
        assert done.returncode == 0, done.stderr
        requests = tuple(log)
        log.clear()
        yield Whole(url, log, folder / "got", done, requests)


@pytest.fixture(scope="module")
def of_known_size(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    """A harvest for which the user gives the number of documents."""
    with harvested(corpus, tmp_path_factory.mktemp("sized"), "--size", SIZE) as made:
        yield made


def test_site_is_harvested_through_its_form(of_known_size: Whole) -> None:
    """Given only the site's address, the search form and document pages give most documents."""
    done, log = of_known_size.done, of_known_size.requests
    found = certificate(of_known_size.folder)
    assert found["hit_rate"] >= 0.75  # type: ignore[operator]
    assert found["hit_rate"] == found["documents"] / SIZE  # type: ignore[operator]
    assert f"{found['documents']} of {SIZE} documents" in done.stdout
    assert "longline export got" in done.stdout
    assert found["truncated_queries"] == len({cut["query"] for cut in found["truncations"]})  # type: ignore[attr-defined]
    asked = Counter(path.split("?")[0].split("/")[1] for path in log)
    assert asked["documents"] == found["document_pages"] == found["documents"]
    assert asked["robots.txt"] == 2  # once to find the spec, once to harvest
    assert asked["api"] == 0
    forms = log.count("/search")
    assert forms == 1
    looked_again = asked["search"] - forms - found["result_pages"]  # type: ignore[operator]
    assert looked_again <= 8  # some empty answers are requested again to confirm them
    robots = 1
    assert found["other_requests"] == robots + forms + looked_again


def test_json_is_the_certificate(run: Run, site: str, tmp_path: Path) -> None:
    """With --json, standard output is exactly certificate.json."""
    done = run("harvest", f"{site}/", "-o", "got", "--json", "--max-documents", 30, *OPTIONS)
    assert done.stdout == (tmp_path / "got" / "certificate.json").read_text()
    assert json.loads(done.stdout)["hit_rate"] is None


@pytest.mark.slow
def test_status_and_exports_show_what_is_held(run: Run, site: str, tmp_path: Path) -> None:
    """`status` has a chart row per query; both exports hold every document once."""
    run("harvest", f"{site}/", "-o", "got", "--max-documents", 50, *OPTIONS)
    report = json.loads(run("status", "got", "--json").stdout)
    assert len(report["chart"]) == report["certificate"]["queries"]
    most = max(row["total_received"] for row in report["chart"])
    assert most == report["certificate"]["rows_received"]
    shown = run("status", "got").stdout
    assert "reported" in shown
    assert "50 documents" in shown
    lines = run("export", "got", "--to", "jsonl").stdout.splitlines()
    documents = [json.loads(line) for line in lines]
    assert len({document["key"] for document in documents}) == len(documents) == 50
    run("export", "got", "--to", "csv", "-o", "got.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "got.csv").read_text(), newline="")))
    assert [row["text"] for row in rows] == [document["text"] for document in documents]


@pytest.fixture(scope="module")
def whole(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    """An undisturbed, complete harvest that tests only read."""
    with harvested(corpus, tmp_path_factory.mktemp("whole")) as made:
        yield made


@pytest.mark.slow
@pytest.mark.parametrize(
    "share",
    [0.02, 0.5, 0.96],
)
def test_killed_harvest_goes_on_and_ends_the_same(
    run: Run, whole: Whole, tmp_path: Path, share: float
) -> None:
    """After kill -9, the same command loses nothing, repeats no finished page, and ends the same.

    The last share falls among the probes that estimate the size. Requests that were in flight,
    and empty answers that were not confirmed yet, are sent again.
    """
    log = whole.log
    log.clear()
    command = ("harvest", f"{whole.url}/", "-o", "killed", *OPTIONS)
    process = subprocess.Popen(
        [sys.executable, "-m", "longline", *command], cwd=tmp_path, stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 60
    while len(log) < share * len(whole.requests):
        assert time.monotonic() < deadline
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait(10)
    held = len(run("export", "killed").stdout.splitlines())
    in_flight = 4  # number of document pages requested at the same time
    asked = sum(path.startswith("/documents") for path in log)
    assert asked - in_flight <= held <= asked

    done = run(*command)
    assert done.returncode == 0, done.stderr
    assert "continuing" in done.stderr
    ours, theirs = certificate(tmp_path / "killed"), certificate(whole.folder)
    spent = {"requests", "result_pages", "probe_pages", "other_requests", "body_bytes"}
    assert {name: ours[name] for name in ours.keys() - spent} == {
        name: theirs[name] for name in theirs.keys() - spent
    }
    assert 0 <= ours["requests"] - theirs["requests"] <= in_flight  # type: ignore[operator]
    assert set(run("export", "killed").stdout.splitlines()) == set(
        run("export", whole.folder).stdout.splitlines()
    )
    twice = Counter(log) - Counter(whole.requests)
    allowed = {"/", "/source.toml", "/robots.txt"}
    assert sum(count for path, count in twice.items() if path not in allowed) <= in_flight


def test_finished_harvest_costs_nothing_to_repeat(of_known_size: Whole) -> None:
    """Repeating a finished harvest sends no request."""
    folder = of_known_size.folder
    again = longline(folder.parent, "harvest", folder.name, "--size", SIZE, "--allow-private")
    assert again.returncode == 0
    assert again.stdout == of_known_size.done.stdout
    assert of_known_size.log == []


def test_budget_is_kept_and_can_be_raised(
    run: Run, site: str, log: list[str], tmp_path: Path
) -> None:
    """Over several runs, no more requests than allowed are sent, including those for the spec."""
    command = ("harvest", f"{site}/", "-o", "got", *OPTIONS, "--max-requests")
    first = run(*command, 25)
    assert first.returncode == 3
    assert "all 25 requests" in first.stdout
    assert certificate(tmp_path / "got")["requests"] == 25
    assert certificate(tmp_path / "got")["discovery_requests"] == log.index("/source.toml") + 1
    assert len(log) == 25
    assert run(*command, 40).returncode == 3
    assert certificate(tmp_path / "got")["requests"] == len(log) == 40


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_after_the_page_at_hand(
    run: Run, site: str, log: list[str], tmp_path: Path, number: signal.Signals
) -> None:
    """A signal ends the harvest cleanly: a certificate, exit code 3, no traceback."""
    command = [sys.executable, "-m", "longline", "harvest", f"{site}/", "-o", "got", *OPTIONS]
    # Tests that are run by nohup ignore SIGHUP, as then longline does, too.
    before = signal.signal(number, signal.SIG_DFL)
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    signal.signal(number, before)
    deadline = time.monotonic() + 60
    while len(log) < 60:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    process.send_signal(number)
    output, errors = process.communicate(timeout=20)
    assert process.returncode == 3
    assert "interrupted" in output
    assert "Traceback" not in errors
    assert "interrupted" in str(certificate(tmp_path / "got")["stopped"])


@pytest.mark.slow
def test_a_wait_that_the_site_asks_for_is_said(run: Run, corpus: Path, tmp_path: Path) -> None:
    """A harvest waits when the site asks for it, prints one line about it, and loses nothing."""
    searcher = Searcher(read_corpus(str(corpus)), limit=50, page_size=10)
    fault = Refuse(429, "1", requests=[20], target="^/documents")
    with running_site(Faulty(website(searcher), fault)) as url:
        done = run("harvest", f"{url}/", "-o", "got", "--max-documents", 30, *OPTIONS)
    said = r"waiting until \d\d:\d\d UTC: 127.0.0.1 asked for it \(429, Retry-After 1\)"
    assert len(re.findall(said, done.stderr)) == 1
    assert certificate(tmp_path / "got")["documents"] == 30
    assert certificate(tmp_path / "got")["documents_failed"] == 0


def test_a_wait_longer_than_allowed_is_kept_for_the_next_run(
    run: Run, corpus: Path, log: list[str], tmp_path: Path
) -> None:
    """A wait above --max-wait stops the harvest; a second run sends no request before its end."""
    searcher = Searcher(read_corpus(str(corpus)), limit=50, page_size=10)
    fault = Refuse(503, "3600", requests=[20], target="^/documents")
    with running_site(Faulty(website(searcher), fault), log=log) as url:
        first = run("harvest", f"{url}/", "-o", "got", "--max-wait", "5", *OPTIONS)
        asked = len(log)
        second = run("harvest", "got", "--max-wait", "5", *OPTIONS[:1])
    for done in first, second:
        assert done.returncode == 3, done.stderr
        assert "stopped    127.0.0.1 asked to wait until 20" in done.stdout
        assert "(503, Retry-After 3600)" in done.stdout
    assert len(log) == asked


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "signals"),
    [
        (Refuse(503, "60", requests=LATE), 1),
        (Slow(3600, requests=LATE), 2),
    ],
)
def test_ctrl_c_waits_for_no_source(
    corpus: Path, tmp_path: Path, fault: Fault, signals: int
) -> None:
    """An interrupt ends all waits, a second one the open requests; every request is counted."""
    log: list[str] = []
    searcher = Searcher(read_corpus(str(corpus)), limit=50, page_size=10)
    with running_site(Faulty(website(searcher), fault), log=log) as url:
        command = [sys.executable, "-m", "longline", "harvest", f"{url}/", "-o", "got", *OPTIONS]
        process = subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        deadline = time.monotonic() + 60
        while len(log) < LATE.start:
            assert time.monotonic() < deadline
            time.sleep(0.005)
        for _ in range(signals):
            time.sleep(0.25)
            process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=20)
    assert process.returncode == 3
    assert "interrupted" in output
    assert errors.count("Ctrl-C again") == 1
    assert certificate(tmp_path / "got")["requests"] == len(log)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["harvest", "discover"])
def test_ctrl_c_while_a_source_is_learnt_leaves_no_folder(
    command: str, corpus: Path, tmp_path: Path
) -> None:
    """An interrupt while a source is learnt is told in one line, and leaves no folder."""
    log: list[str] = []
    searcher = Searcher(read_corpus(str(corpus)), limit=50, page_size=10)
    fault = Slow(3600, requests=range(2, 10**6))
    with running_site(Faulty(website(searcher), fault), log=log) as url:
        process = subprocess.Popen(
            [sys.executable, "-m", "longline", command, f"{url}/", "-o", "got", "--allow-private"],
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            text=True,
        )
        deadline = time.monotonic() + 60
        while len(log) < fault.requests.start:
            assert time.monotonic() < deadline
            time.sleep(0.005)
        time.sleep(0.25)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert errors.count("interrupted") == 1
    assert "run it again" in errors
    assert not (tmp_path / "got").exists()


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["random-dictionary", "greedy", "ids"])
def test_every_strategy_harvests(run: Run, site: str, tmp_path: Path, strategy: str) -> None:
    """Each strategy returns documents within a budget."""
    options = ("--allow-private", "--strategy", strategy, "--max-requests", 200)
    assert run("harvest", f"{site}/", "-o", "got", *options).returncode == 3
    assert certificate(tmp_path / "got")["documents"] > 20  # type: ignore[operator]


@pytest.mark.slow
def test_serve_in_one_terminal_harvest_in_another(run: Run, corpus: Path, tmp_path: Path) -> None:
    """The command that `serve` prints harvests the served site."""
    few = tmp_path / "few.jsonl"
    few.write_text("".join(corpus.read_text().splitlines(keepends=True)[:150]))
    command = [
        sys.executable,
        "-m",
        "longline",
        "serve",
        str(few),
        "--port",
        "0",
        "--limit",
        "20",
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            lines = [server.stderr.readline() for _ in range(3)]
            printed = re.search(r"longline (harvest .*)", lines[2])
            assert printed, lines
            done = run(*printed[1].split(), "-o", "got", *OPTIONS)
        finally:
            server.terminate()
            server.wait(10)
    assert done.returncode == 0, done.stderr
    assert "of 150 documents" in done.stdout
    assert Harvest(tmp_path / "got").spec.ask.limit == 20


@pytest.mark.slow
def test_demo_harvests_the_docstrings(run: Run, tmp_path: Path) -> None:
    """The demo finds 98 of 100 documents at OR 1.3 or less; its output matches the certificate."""
    done = run("demo", "-o", "demo")
    assert done.returncode == 0, done.stderr
    found = certificate(tmp_path / "demo")
    assert found["hit_rate"] >= 0.98  # type: ignore[operator]
    assert found["overlapping_rate"] <= 1.3  # type: ignore[operator]
    rate, times = found["hit_rate"], found["overlapping_rate"]
    assert f"coverage   {percent(rate)}; each document came {times:.2f} times" in done.stdout
    for name in ("result_pages", "document_pages"):
        assert f"{found[name]:,} {name.replace('_', ' ')}" in done.stdout
    assert f"{found['queries']:,} searches" in done.stdout
    cut = found["truncated_queries"]
    assert (f"{cut:,} searches show only" if cut else "no search was cut short") in done.stdout


def test_status_says_how_much_there_is(run: Run, whole: Whole) -> None:
    """`status` prints the size with its interval, the coverage and the number of probes."""
    found = certificate(whole.folder)
    low, high = found["size_low"], found["size_high"]
    assert low <= SIZE <= high  # type: ignore[operator]
    shown = run("status", whole.folder, "--chart", 0).stdout
    assert f"{low} to {high} documents that words can find (95 % sure), estimated from" in shown
    assert f"{found['documents']} of about {found['size']} documents" in shown
    assert f"coverage   {found['hit_rate']:.1%} (" in shown
    assert f"{found['probes']} test searches to estimate the total" in shown
    report = json.loads(run("status", whole.folder, "--json").stdout)
    assert report["certificate"]["estimates"][0]["name"] == "probes"
    assert len(report["chart"]) == found["queries"]


@pytest.mark.slow
def test_aims_decide_the_exit_code(run: Run, site: str, tmp_path: Path) -> None:
    """A reached target exits with 0; a budget that ends earlier exits with 3 and is named."""
    command = ("harvest", f"{site}/", "-o", "got", "--size", 400, *OPTIONS)
    short = run(*command, "--target-coverage", 0.6, "--max-queries", 4)
    assert short.returncode == 3
    assert "stopped    all 4 searches of the budget are spent" in short.stdout
    assert "budget     4 of 4 queries" in short.stdout
    done = run(*command, "--target-coverage", 0.6)
    assert done.returncode == 0, done.stdout
    assert "as aimed at" in done.stdout
    assert 0.6 <= certificate(tmp_path / "got")["hit_rate"] < 0.8  # type: ignore[operator]
    refused = run("harvest", f"{site}/", "-o", "new", *OPTIONS, "--target-coverage", 95)
    assert refused.returncode == 2
    assert "--target-coverage is 95.0, which is not a share" in refused.stderr


@pytest.mark.slow
def test_chosen_queries_are_sent_in_their_order(run: Run, site: str, tmp_path: Path) -> None:
    """`harvest --queries` sends exactly the queries that `cover --queries` wrote, in order."""
    chosen = run("cover", "docstrings", "--sample", 60, "--no-bound", "--queries", "q.txt")
    assert chosen.returncode == 0, chosen.stderr
    wanted = (tmp_path / "q.txt").read_text().split()
    (tmp_path / "q.txt").write_text("\n".join(wanted[:12]))
    done = run("harvest", f"{site}/", "-o", "got", "--queries", "q.txt", "--allow-private")
    assert done.returncode in (0, 3), done.stderr
    certificate = json.loads((tmp_path / "got/certificate.json").read_text())
    assert (certificate["probes"], certificate["outcome"]) == (0, "partial")
    rows = json.loads(run("status", "got", "--json").stdout)["chart"]
    assert [row["query"] for row in rows] == wanted[:12]
    again = run("harvest", "got", "--queries", "q.txt", "--strategy", "adaptive")
    assert again.returncode == 2
    assert "--queries" in again.stderr
