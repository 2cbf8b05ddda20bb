"""Run longline in separate processes, a limited number at a time; they outlive the dashboard."""

import asyncio
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from longline.errors import LonglineError
from longline.harvester import Limits, budgets_of, last_limits
from longline.outcomes import DONE, STOPPED_SHORT

MOST_ERROR = 2_000
"""Maximum bytes read from the end of a process's error output."""

AIMS = ("target_coverage", "min_return")
"""Options that stop a harvest when it has enough."""

ASKED = {
    "rate": "--rate",
    "timeout": "--timeout",
    "max_wait": "--max-wait",
}
"""Options of requests, with their command-line flags."""

BOUNDS = {
    "max_requests": "--max-requests",
    "max_time": "--max-time",
    "max_documents": "--max-documents",
    "max_queries": "--max-queries",
    "max_bytes": "--max-bytes",
    "max_requests_per_day": "--max-requests-per-day",
    "daily_reserve": "--daily-reserve",
    "target_coverage": "--target-coverage",
    "min_return": "--min-return",
}
"""Options that limit a harvest, with their command-line flags."""


@dataclass
class Child:
    """A run that is waiting, running or failed."""

    folder: Path
    arguments: tuple[str, ...]
    process: subprocess.Popen[bytes] | None = None
    said: IO[bytes] | None = None
    error: str = ""


class Children:
    """Start runs, a limited number at a time, and track their results.

    Args:
        at_once: Maximum number of parallel runs; the others wait.
    """

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._by_folder: dict[Path, Child] = {}

    def start(self, folder: Path, *arguments: str) -> None:
        """Start a run for a folder, when it is its turn.

        Args:
            folder: The harvest's folder.
            arguments: Of the command line.

        Raises:
            LonglineError: A run for it was already started here.
        """
        if self.words(folder):
            raise LonglineError(f"a run of {folder.name} has been started", advice="wait for it")
        self._by_folder[folder] = Child(folder, arguments)
        self.look()

    def start_again(self, folder: Path) -> None:
        """Start a run that failed once more, as it was started.

        Raises:
            LonglineError: It has not failed, or was not started here.
        """
        if not self.error(folder):
            raise LonglineError(f"no run of {folder.name} failed here", advice="start a new one")
        self.start(folder, *self._by_folder[folder].arguments)

    def look(self) -> None:
        """Check which runs ended, and start waiting ones."""
        for child in self._by_folder.values():
            if child.process is not None and child.process.poll() is not None:
                _end(child, child.process.returncode)
        self._by_folder = {
            folder: child
            for folder, child in self._by_folder.items()
            if child.process is None or child.process.poll() is None or child.error
        }
        waiting = [each for each in self._by_folder.values() if each.process is None]
        going = sum(1 for each in self._by_folder.values() if _goes_on(each))
        for child in waiting[: max(0, self._at_once - going)]:
            _begin(child)

    def words(self, folder: Path) -> str:
        """Describe a run that was started here in a word, or return "" if there is none."""
        child = self._by_folder.get(folder)
        if child is None or child.error:
            return ""
        return "waits for its turn" if child.process is None else "begins"

    def error(self, folder: Path) -> str:
        """Return why the last run started here failed, or "" if it did not."""
        child = self._by_folder.get(folder)
        return "" if child is None else child.error

    def drop(self, folder: Path) -> bool:
        """Forget a run that is waiting or failed; return whether there was one."""
        child = self._by_folder.get(folder)
        if child is None or _goes_on(child):
            return False
        if child.process is not None:
            _end(child, child.process.returncode)
        del self._by_folder[folder]
        return True

    def folders(self) -> list[Path]:
        """Return the folders of runs started here that are running, waiting or failed."""
        return list(self._by_folder)


def _goes_on(child: Child) -> bool:
    return child.process is not None and child.process.poll() is None


def _begin(child: Child) -> None:
    child.said = tempfile.TemporaryFile()  # noqa: SIM115  # closed at the end of the process
    child.process = subprocess.Popen(
        [sys.executable, "-m", "longline", *child.arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=child.said,
        start_new_session=True,  # the end of the dashboard does not end the harvest
    )


def _end(child: Child, code: int) -> None:
    """Record how a run ended, once."""
    if child.said is None:
        return
    with child.said as said:
        child.said = None
        size = said.seek(0, 2)
        said.seek(max(0, size - MOST_ERROR))
        lines = said.read().decode("utf-8", "replace").strip().splitlines()
    last = lines[-1] if lines else ""
    if code not in (DONE, STOPPED_SHORT) or last.startswith("error: "):
        child.error = last.removeprefix("error: ") or f"the process ended with code {code}"


async def run_json(*arguments: str) -> bytes:
    """Run longline to its end, and return its output.

    Raises:
        LonglineError: It failed; with its own message.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "longline",
        *arguments,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, said = await process.communicate()
    except asyncio.CancelledError:
        process.terminate()
        raise
    lines = said.decode("utf-8", "replace").strip().splitlines()
    last = lines[-1] if lines else "it failed"
    if process.returncode not in (DONE, STOPPED_SHORT) or not out or last.startswith("error: "):
        raise LonglineError(last.removeprefix("error: "))
    return out


def again(folder: Path, *, is_update: bool = False) -> list[str]:
    """Return the options to continue a harvest with the settings of its last run.

    Args:
        folder: The harvest's folder.
        is_update: The options are for `longline update`, which has no targets.

    Raises:
        LonglineError: The folder is damaged.
    """
    limits = last_limits(folder)
    names = [name for name in BOUNDS if not (is_update and name in AIMS)]
    bounds = {name: BOUNDS[name] for name in names if name not in budgets_of(folder)}
    return [*asked(limits), *_given(limits, bounds)]


def asked(limits: Limits) -> list[str]:
    """Return the options for how a site is requested."""
    flags = ["--allow-private"] if limits.allow_private else []
    flags += [] if limits.robots else ["--ignore-robots"]
    return [*flags, *_given(limits, ASKED)]


def _given(limits: Limits, names: dict[str, str]) -> list[str]:
    """Return the options for limits that differ from the defaults."""
    default = Limits()
    return [
        part
        for name, flag in names.items()
        if (value := getattr(limits, name)) not in (None, getattr(default, name))
        for part in (flag, f"{value:g}" if isinstance(value, float) else str(value))
    ]
