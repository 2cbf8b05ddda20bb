"""`longline status`, `log` and `report`, also while a harvest runs."""

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.conftest import Run
from tests.reports.written import Written, write

from longline.events import Stopped

DONE = Stopped("every search was sent; about 2,300 are missing", False, "partial", "cut")
LONGLINE = [sys.executable, "-m", "longline"]


@pytest.fixture
def ended(tmp_path: Path) -> Path:
    """A finished harvest."""
    return write(tmp_path / "ended", Written(40, 900, 1).events(), stopped=DONE)


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """A harvest whose run was killed."""
    return write(tmp_path / "killed", Written(20, 900, 2).events())


@pytest.fixture
def running(site: str, tmp_path: Path) -> "subprocess.Popen[str]":
    """A harvest that has begun and runs for some seconds."""
    command = [*LONGLINE, "harvest", f"{site}/", "-o", "live", "--allow-private"]
    process = subprocess.Popen(
        [*command, "--rate", "10", "--max-requests", "160"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not (tmp_path / "live/harvest.db").is_file():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return process


def on_terminal(folder: Path, *arguments: str) -> tuple[int, str]:
    """Run `longline` on its own terminal; return its exit code and all its output."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*LONGLINE, *arguments],
        cwd=folder,
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "100", "LINES": "40"},
    )
    os.close(follower)
    written = b""
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        if select.select([leader], [], [], 0.2)[0]:
            try:
                piece = os.read(leader, 65536)
            except OSError:  # how Linux reports that no writer is left
                break
            if not piece:
                break
            written += piece
        elif process.poll() is not None:
            break
    os.close(leader)
    return process.wait(10), written.decode(errors="replace")


@pytest.mark.slow
def test_an_export_of_a_harvest_that_goes_on_says_so(
    running: "subprocess.Popen[str]", tmp_path: Path
) -> None:
    """What is saved is written, and that more may follow is said."""
    command = [*LONGLINE, "export", "live", "-o", "live.jsonl"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    running.kill()
    running.communicate(timeout=30)
    assert "a run is adding documents" in done.stderr


@pytest.mark.slow
def test_watching_shows_in_place_and_ends_with_the_harvest(
    running: "subprocess.Popen[str]", tmp_path: Path
) -> None:
    """On a terminal the numbers update in place; the summary follows once at the end."""
    code, shown = on_terminal(tmp_path, "status", "live", "--watch", "--chart", "3")
    out, _ = running.communicate(timeout=30)
    assert code == 0
    assert "\x1b[" in shown
    assert "a run is going on" in shown
    saved = [int(found.replace(",", "")) for found in re.findall(r"saved +([\d,]+) ", shown)]
    assert len(saved) > 2
    assert saved == sorted(saved)
    last = shown.rpartition("\x1b[")[2]
    assert "all 160 requests of the budget are spent" in last
    assert f"saved      {saved[-1]:,} " in out


@pytest.mark.slow
def test_following_a_log_ends_with_the_harvest(
    running: "subprocess.Popen[str]", tmp_path: Path
) -> None:
    """Each entry is printed once, in order; the last one says why the harvest stopped."""
    done = subprocess.run(
        [*LONGLINE, "log", "live", "--follow", "--json"],
        cwd=tmp_path, capture_output=True, text=True, timeout=90, check=True,
    )  # fmt: skip
    running.communicate(timeout=30)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["number"] for line in lines] == list(range(1, len(lines) + 1))
    assert lines[-1]["event"] == "Stopped"
    assert sum(line.get("requests", 0) for line in lines) == 160


@pytest.mark.slow
def test_a_killed_run_is_told_from_one_that_goes_on(
    running: "subprocess.Popen[str]", run: Run, tmp_path: Path
) -> None:
    """`status` says whether a run is going on, or was killed and should be run again."""
    time.sleep(0.5)
    assert "a run is going on" in run("status", "live").stdout
    assert "outcome    none yet" in run("status", "live").stdout
    now = json.loads(run("status", "live", "--json").stdout)
    assert now["is_running"]
    told = now["certificate"]
    assert (told["outcome"], told["cause"], told["stopped"]) == ("", "", "")
    row = json.loads(run("status", ".", "--json").stdout)[0]
    assert (row["is_running"], row["outcome"]) == (True, "")
    assert run("pause", "live", "--wait").returncode == 0
    assert "now        paused" in run("status", "live").stdout
    running.send_signal(signal.SIGKILL)
    running.communicate(timeout=30)
    assert "the last run was interrupted; run it again to continue" in run("status", "live").stdout
    row = json.loads(run("status", ".", "--json").stdout)[0]
    assert (row["is_running"], row["outcome"], row["cause"]) == (False, "partial", "interrupted")
    assert run("status", "live", "--watch").returncode == 0
    assert not json.loads(run("status", "live", "--json").stdout)["is_running"]
    assert run("report", "live", "-o", "r.html").returncode == 0
    assert "The last run was interrupted" in (tmp_path / "r.html").read_text()


def test_a_stop_that_is_waited_for_is_told_as_done(
    running: "subprocess.Popen[str]", run: Run
) -> None:
    """With `--wait` the run has ended; without, it is told that it will."""
    told = run("stop", "live", "--wait").stderr
    assert "it has stopped; to continue: longline harvest live" in told
    running.communicate(timeout=30)
    assert running.returncode == 3


@pytest.mark.slow
def test_several_have_a_row_each(run: Run, ended: Path, killed: Path, tmp_path: Path) -> None:
    """Several harvests get a row each, named one by one or by their parent folder."""
    for arguments in (("ended", "killed"), (".",)):
        shown = run("status", *arguments)
        assert shown.returncode == 0
        assert "2 sources: 2 partial; " in shown.stdout
        assert "partial (interrupted)" in shown.stdout
    rows = json.loads(run("status", ".", "--json").stdout)
    assert [row["folder"] for row in rows] == ["ended", "killed"]
    watched = run("status", ".", "--watch", "--json").stdout.splitlines()
    assert json.loads(watched[-1]) == rows
    (killed / "harvest.db").write_text("no database")
    shutil.rmtree(tmp_path / "killed/nothing", ignore_errors=True)
    rows = json.loads(run("status", ".", "--json").stdout)
    assert [row["outcome"] for row in rows] == ["partial", "failed"]


@pytest.mark.slow
def test_a_certificate_that_a_killed_run_outlived_is_not_believed(run: Run, ended: Path) -> None:
    """Events of a later, killed run count more than the certificate of the run before."""
    from longline.store import SqliteStore

    (ended / "certificate.json").write_text(
        json.dumps(json.loads(run("status", "ended", "--json").stdout)["certificate"])
    )
    before = json.loads(run("status", ".", "--json").stdout)[0]
    time.sleep(1.1)
    store = SqliteStore(ended / "harvest.db")
    store.record(*list(Written(60, 5000, 9).events())[4:400])
    store.close()
    after = json.loads(run("status", ".", "--json").stdout)[0]
    assert after["documents"] > before["documents"]
    assert (before["cause"], after["cause"]) == ("cut", "interrupted")


@pytest.mark.slow
def test_a_log_says_what_was_asked_and_what_came(run: Run, killed: Path) -> None:
    """`log` prints one line per journal entry, with the same words as its JSON."""
    shown = run("log", "killed").stdout.splitlines()
    lines = [json.loads(line) for line in run("log", "killed", "--json").stdout.splitlines()]
    texts = [line.split("  ", 1)[1] for line in shown]
    assert [re.sub(r" \(\d+ requests\)$", "", text) for text in texts] == [
        line["words"] for line in lines
    ]
    assert any(text.endswith(" (2 requests)") for text in texts)
    assert lines[0]["words"] == "the source was learnt, for 12 requests"
    pages = [line for line in lines if line["event"] == "PageReceived" and not line.get("probe")]
    assert re.fullmatch(r"search 'word0', page 1: \d+ results? of \d+, \d+ new", pages[0]["words"])
    chart = json.loads(run("status", "killed", "--json").stdout)["chart"]
    assert sum(line["new"] for line in pages) == sum(row["new"] for row in chart)


@pytest.mark.parametrize("command", ["status", "log", "report"])
def test_a_folder_that_is_no_harvest_is_refused(run: Run, command: str, tmp_path: Path) -> None:
    """One error line says whether the folder exists, and what to do; exit code 2."""
    (tmp_path / "empty").mkdir()
    for problem in ("there is no folder nothing", "empty is not a harvest folder"):
        done = run(command, "empty" if "empty" in problem else "nothing")
        assert done.returncode == 2
        assert done.stderr == f"error: {problem}; name the folder of a harvest\n"


@pytest.mark.slow
def test_a_report_is_written(run: Run, ended: Path, killed: Path, tmp_path: Path) -> None:
    """The file is named with its size; an earlier harvest is compared; a bad output is refused."""
    done = run("report", "ended", "-o", "r.html")
    size = (tmp_path / "r.html").stat().st_size
    assert done.stderr == f"report written to r.html ({size / 1000:.0f} kB)\n"
    assert run("report", "killed", "--earlier", "ended").returncode == 0
    assert "Against the earlier harvest" in (tmp_path / "report.html").read_text()
    for output in ("ended/harvest.db", "no/such.html"):
        assert run("report", "ended", "-o", output).returncode == 2


@pytest.mark.slow
def test_what_is_still_learnt_is_waited_for(site: str, run: Run, tmp_path: Path) -> None:
    """`status` says that the source is learnt; with --watch, and `log --follow`, it waits."""
    command = [*LONGLINE, "harvest", f"{site}/", "-o", "slow", "--allow-private"]
    process = subprocess.Popen(
        [*command, "--rate", "0.3", "--max-requests", "6"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not (tmp_path / "slow/.lock").is_file():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    looks = [
        subprocess.Popen(
            [*LONGLINE, *words, "slow", option],
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for words, option in ((["status"], "--watch"), (["log"], "--follow"))
    ]
    assert run("status", "slow").stdout.startswith("none yet: the run still learns")
    now = json.loads(run("status", "slow", "--json").stdout)
    assert now == {"is_running": True, "certificate": None, "chart": []}
    shown = [look.communicate(timeout=60) for look in looks]
    process.communicate(timeout=30)
    assert [look.returncode for look in looks] == [0, 0]
    assert all("the run still learns how its source is searched" in error for _, error in shown)
    assert "all 6 requests of the budget are spent" in shown[0][0]
    assert "stopped, partial" in shown[1][0]
