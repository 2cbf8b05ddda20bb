"""Harvest folders: removed during a harvest, exported, and printed."""

import csv
import json
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.cli.conftest import Run
from tests.command_line import longline

from longline.harvester import read_ledger
from longline.harvester.folder import read_documents
from longline.simulate import running_site
from longline.store import SqliteStore
from longline.text.safe import cell, clean

EVIL = "\x1b]0;mine\x07 \u202etxt.exe"
TEXTS = ["=cmd()|'x'!A1", "+49 30", "-5", "@SUM(A1)", "＝1+1", "'tis", "\tx", "plain; =1", EVIL]  # noqa: RUF001
PADDING = " and more" * 1000

SPEC = """
[source]
name = "odd"
url = "{url}/"
kind = "json"
[ask]
url = "{url}/search?q={{query}}"
[results]
hit = "jmes:hits"
key = "jmes:id"
title = "jmes:title"
text = "jmes:text"
total = "jmes:total"
"""


async def _search(request: Request) -> Response:
    if request.query_params["q"] != "web":
        return HTMLResponse(f"<title>{EVIL}</title>", 200)
    rows = [
        {"id": f"{n}{EVIL}", "title": text, "text": f"{text} web deep n{n}" + PADDING}
        for n, text in enumerate(TEXTS)
    ]
    return JSONResponse({"hits": rows, "total": 50})


@pytest.fixture(scope="module")
def harvested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A harvest whose documents hold formulas and control characters."""
    folder = tmp_path_factory.mktemp("odd")
    with running_site(Starlette(routes=[Route("/search", _search)])) as url:
        (folder / "source.toml").write_text(SPEC.format(url=url))
        (folder / "words.txt").write_text("web")
        done = longline(
            folder, "harvest", "source.toml", "-o", "odd", "--allow-private", "--no-estimate",
            "--words", "words.txt", "--strategy", "adaptive", "--max-queries", 3,
        )  # fmt: skip
        assert done.returncode == 3, done.stderr
    return folder / "odd"


@pytest.fixture
def odd(harvested: Path, tmp_path: Path) -> Path:
    """A copy of that harvest that a test may change."""
    return Path(shutil.copytree(harvested, tmp_path / "odd"))


def failed(folder: Path) -> str:
    """Return the query of a result page that could not be read."""
    return next(row.query for row in read_ledger(folder)[0].chart() if "failed" in row.cuts)


@pytest.mark.slow
@pytest.mark.parametrize(
    "harm",
    ["folder removed", "store replaced", "store removed"],
)
def test_folder_taken_away_stops_at_once(
    site: str, log: list[str], tmp_path: Path, harm: str
) -> None:
    """A harvest whose store is removed or replaced says so and sends at most 20 more requests."""
    command = [sys.executable, "-m", "longline", "harvest", f"{site}/", "-o", "got"]
    process = subprocess.Popen(
        [*command, "--allow-private"], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 60
    while len(log) < 40:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    if harm == "folder removed":
        shutil.rmtree(tmp_path / "got", ignore_errors=True)
    elif harm == "store removed":
        (tmp_path / "got" / "harvest.db").unlink()
    else:
        shutil.copy(tmp_path / "got" / "harvest.db", tmp_path / "other")
        (tmp_path / "other").replace(tmp_path / "got" / "harvest.db")
    asked = len(log)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 3
    assert "harvest.db was removed, moved or replaced" in errors
    assert "Traceback" not in errors
    assert len(log) - asked <= 20


@pytest.mark.parametrize(
    "name", ["harvest.db", "harvest.db-wal", "source.toml", "certificate.json"]
)
def test_export_writes_over_no_file_of_a_harvest(run: Run, odd: Path, name: str) -> None:
    """An export never overwrites a file of a harvest, by whatever path it is named."""
    target = odd / name
    target.touch()
    before = target.read_bytes()
    (odd.parent / "linked").symlink_to(target)
    (odd.parent / "hard").hardlink_to(target)
    for output in (target, f"odd/../odd/{name}", "linked", "hard"):
        done = run("export", "odd", "-o", output, "--to", "jsonl", "--force")
        assert done.returncode == 2
        assert "is a file of a harvest" in done.stderr
    assert target.read_bytes() == before


def test_export_of_another_harvests_folder_is_refused_too(run: Run, odd: Path) -> None:
    """An export never overwrites a file of another harvest."""
    shutil.copytree(odd, odd.parent / "second")
    assert run("export", "odd", "-o", "second/harvest.db").returncode == 2
    assert len(list(read_documents(odd.parent / "second"))) == len(TEXTS)


def test_broken_export_leaves_the_earlier_one(run: Run, odd: Path) -> None:
    """An export that fails part-way keeps the earlier file and leaves no partial one."""
    output = odd.parent / "out.jsonl"
    assert run("export", "odd", "-o", output).returncode == 0
    before = output.read_text()
    assert len(before.splitlines()) == len(TEXTS)
    with closing(sqlite3.connect(odd / "harvest.db")) as connection, connection:
        connection.execute("UPDATE documents SET text = 5.5 || x'ff' WHERE arrival = 4")
    names = {path.name for path in odd.parent.iterdir()}
    done = run("export", "odd", "-o", output, "--force")
    assert done.returncode == 2
    assert "damaged" in done.stderr
    assert "written" not in done.stderr.replace("`longline export` to standard output writes", "")
    assert output.read_text() == before
    assert {path.name for path in odd.parent.iterdir()} == names


def _small_files() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))


@pytest.mark.slow
def test_export_without_room_leaves_nothing(odd: Path) -> None:
    """An export that runs out of space says so, reports no success, and leaves no partial file."""
    # -B, because a compiled module that does not fit would be kept in part.
    done = subprocess.run(
        [sys.executable, "-B", "-m", "longline", "export", "odd", "-o", "out.csv", "--to", "csv"],
        cwd=odd.parent,
        preexec_fn=_small_files,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert "cannot write out.csv" in done.stderr
    assert "documents written" not in done.stderr
    assert not [path for path in odd.parent.iterdir() if "out.csv" in path.name]


def test_standard_output_without_room_says_nothing_of_success(odd: Path) -> None:
    """When standard output is full, the error is the only line printed."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "longline", "export", "odd"],
            cwd=odd.parent,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "No space left" in done.stderr


def test_csv_has_no_formula_and_loses_nothing(run: Run, odd: Path) -> None:
    """No CSV cell begins as a formula; without the added apostrophe it equals the JSON text."""
    exact = [json.loads(line) for line in run("export", "odd").stdout.splitlines()]
    assert [each["title"] for each in exact] == [text.strip("\t") for text in TEXTS]
    assert run("export", "odd", "--to", "csv", "-o", "out.csv").returncode == 0
    with (odd.parent / "out.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row, whole in zip(rows, exact, strict=True):
        for name, value in row.items():
            assert not value.startswith(("=", "+", "-", "@", "\t", "\r", "＝"))  # noqa: RUF001
            assert value.removeprefix("'") == clean(whole[name])
    text = (odd.parent / "out.csv").read_text(encoding="utf-8")
    assert not set(text) & {"\x1b", "\x07", "\u202e"}


def test_cell_is_reversible() -> None:
    """A cell that begins with an apostrophe gets another one, so that one can always be removed."""
    for text in ("", "a", "'a", "''a", "=a", "'=a"):
        assert cell(text).removeprefix("'") == text.removeprefix("'" if cell(text) == text else "")


def test_nothing_printed_steers_the_terminal(run: Run, odd: Path) -> None:
    """Text from a site is printed with its control characters replaced."""
    for command in (("status", "odd"), ("answer", "odd", failed(odd)), ("doctor", "odd")):
        done = run(*command)
        assert done.returncode == 0, done.stderr
        assert not set(done.stdout + done.stderr) & {"\x1b", "\x07", "\u202e"}


def test_answer_shows_what_came(run: Run, odd: Path) -> None:
    """`answer` shows rows, keys and cuts of a query, and the saved response of a failed page."""
    told = json.loads(run("answer", "odd", "web", "--json").stdout)["pages"]
    assert told[0]["received"] == len(TEXTS)
    assert told[0]["reported"] == 50
    assert told[0]["cuts"] == ["capped"]
    assert json.loads(told[0]["answers"][0]["body"])["total"] == 50
    shown = run("answer", "odd", failed(odd), "--page", 1).stdout
    assert "could not be loaded" in shown
    assert clean(f"<title>{EVIL}</title>") in shown
    done = run("answer", "odd", "wep")
    assert done.returncode == 2
    assert "'web'" in done.stderr


def test_doctor_has_what_a_report_needs(run: Run, odd: Path) -> None:
    """The report holds versions, settings, events and certificate, but no document texts."""
    assert run("doctor", "odd", "--json", "-o", "report.json").returncode == 0
    report = json.loads((odd.parent / "report.json").read_text())
    assert report["versions"]["python"]
    assert report["events"]["counts"]["DocumentReceived"] == len(TEXTS)
    assert report["certificate"]["documents"] == len(TEXTS)
    assert "web deep" not in json.dumps(report)
    assert run("doctor", "odd", "-o", "odd/harvest.db").returncode == 2


def test_store_without_answers_is_read(run: Run, odd: Path) -> None:
    """A store made before responses were saved can be read and continued."""
    with closing(sqlite3.connect(odd / "harvest.db")) as connection, connection:
        connection.execute("DROP TABLE answers")
        connection.execute("DELETE FROM settings WHERE name = 'veiled'")
    assert json.loads(run("answer", "odd", "web", "--json").stdout)["pages"][0]["answers"] == []
    assert read_ledger(odd)[1].documents == len(TEXTS)
    SqliteStore(odd / "harvest.db").close()


@pytest.mark.slow
def test_quiet_tells_errors_alone(run: Run, site: str, tmp_path: Path) -> None:
    """-q prints only errors, -v prints every request, and the two together are refused."""
    options = ("--allow-private", "--max-documents", 5, "-o", "got")
    done = run("harvest", f"{site}/", *options, "-q", "--log-file", "log.jsonl")
    assert (done.returncode, done.stderr) == (3, "")
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert {line["level"] for line in lines} >= {"debug", "info"}
    assert {line["harvest"] for line in lines} == {f"{site}/", "got"}
    assert all(line["time"].endswith("+00:00") and line["message"] for line in lines)
    assert "GET " in run("harvest", f"{site}/", *options, "-v", "--max-documents", 6).stderr
    assert run("harvest", f"{site}/", *options, "-v", "-q").returncode == 2
    done = run("harvest", f"{site}/", *options, "--log-file", "got/harvest.db")
    assert done.returncode == 2
    assert read_ledger(tmp_path / "got")[1].documents == 6
