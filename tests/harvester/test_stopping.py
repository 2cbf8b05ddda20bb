"""Test stopping what has no journal yet: learning a source, and many harvests at once."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from bench.faulty.faults import Faulty, Slow

import longline
from longline.errors import FolderError
from longline.simulate import Searcher, read_corpus, running_site, website

DOCUMENTS = read_corpus("docstrings")
PATIENCE_SECONDS = 90.0


@contextmanager
def beside(folder: Path, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """Run `longline` in its own process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "longline", *arguments, "--allow-private"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def until(is_so: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def states_in(folder: Path) -> list[str]:
    """Return the states of the started harvests in a folder."""
    return [longline.standing(each.parent).state for each in folder.glob("*/harvest.db")]


def test_a_source_that_is_learnt_is_told_of_and_stopped(tmp_path: Path) -> None:
    """Its folder shows it, a second run is refused without a request, and stop leaves nothing."""
    asked: list[str] = []
    folder, looks = tmp_path / "new", (longline.pause, longline.open)
    site = website(Searcher(DOCUMENTS[:80], limit=30, page_size=10))
    with (
        running_site(Faulty(site, Slow(0.5)), log=asked) as url,
        beside(tmp_path, "harvest", url, "-o", "new") as learning,
    ):
        until(lambda: bool(asked))
        for look in looks:
            with pytest.raises(FolderError, match="still learns how its source is searched"):
                look(folder)
        with pytest.raises(FolderError, match="another run is saving to"):
            longline.harvest(url, folder, allow_private=True)
        longline.stop(folder, wait=True)
        _, said = learning.communicate(timeout=PATIENCE_SECONDS)
    assert learning.returncode == 3
    assert "interrupted; run it again to continue" in said
    assert not folder.exists()


def test_many_harvests_are_stopped_at_once(tmp_path: Path) -> None:
    """Waiting harvests do not start, and the saved list says that they were stopped."""
    with running_site(Searcher(DOCUMENTS[:2000], limit=50, page_size=10)) as url:
        rows = "".join(f"{url}/,{name}\n" for name in ("one", "two", "three"))
        (tmp_path / "s.csv").write_text(f"url,folder\n{rows}")
        folder, command = tmp_path / "all", ("harvest", "s.csv", "-o", "all", "--rate", "20")
        with beside(tmp_path, *command) as run:
            until(lambda: "running" in states_in(folder))
            with pytest.raises(FolderError, match="holds many harvests"):
                longline.standing(folder)
            longline.pause(folder, wait=True)
            assert "paused" in states_in(folder)
            longline.resume(folder)
            longline.stop(folder, wait=True)
            said, _ = run.communicate(timeout=PATIENCE_SECONDS)
        ends = longline.harvests_in(folder)
        assert run.returncode == 3
        assert "3 sources" in said
        assert not any(each.is_running for each in ends)
        assert {each.cause for each in ends} <= {"interrupted", ""}
        assert any(each.cause == "interrupted" for each in ends)
        with pytest.raises(FolderError, match="no run fills a harvest in"):
            longline.stop(folder)
