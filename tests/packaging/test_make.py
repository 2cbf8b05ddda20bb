"""`make install`: where the command is put, and what is left alone."""

import shutil
import subprocess
from pathlib import Path

import pytest

import longline

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(
    shutil.which("make") is None or not (ROOT / ".venv/bin/longline").exists(),
    reason="no make, or no .venv of this checkout",
)


def make_install(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Run it with another folder for commands; the environment is taken as it is."""
    command = ["make", "-s", "-o", ".venv/.everyday", "install", f"BINDIR={folder}", *more]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_command_is_linked(tmp_path: Path) -> None:
    """The link is the command; where PATH lacks its folder that is said; twice is as once."""
    folder = tmp_path / "with space" / "bin"
    for _ in range(2):
        done = make_install(folder)
        assert done.returncode == 0, done.stderr
        assert str(folder) in done.stdout
        assert "Your PATH lacks" in done.stdout
    told = subprocess.run(
        [folder / "longline", "--version"], capture_output=True, text=True, check=True
    )
    assert told.stdout == f"longline {longline.__version__}\n"


def test_what_is_no_link_is_left(tmp_path: Path) -> None:
    """A file of that name that is no link stays, and the error says what to do."""
    (tmp_path / "longline").write_text("mine")
    done = make_install(tmp_path)
    assert done.returncode != 0
    assert "remove it" in done.stdout + done.stderr
    assert (tmp_path / "longline").read_text() == "mine"
