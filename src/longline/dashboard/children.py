"""Runs of longline as processes of their own, so many at a time; they outlive the dashboard."""

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
"""Bytes of what a process says at its end."""

AIMS = ("target_coverage", "min_return")
"""When a harvest has enough."""

ASKED = {
    "rate": "--rate",
    "timeout": "--timeout",
    "max_wait": "--max-wait",
}
"""How a site is asked, by option."""

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
"""What a harvest may cost, by option."""


@dataclass
class Child:
    """A run that waits for its turn, goes on, or failed."""

    folder: Path
    arguments: tuple[str, ...]
    process: subprocess.Popen[bytes] | None = None
    said: IO[bytes] | None = None
    error: str = ""


class Children:
    """Start runs, at most some at a time, and know what became of them.

    Args:
        at_once: Runs that go on at the same time; the others wait.
    """

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._by_folder: dict[Path, Child] = {}

    def start(self, folder: Path, *arguments: str) -> None:
        """Let a run fill a folder when it is its turn.

        Args:
            folder: That it fills.
            arguments: Of the command line.

        Raises:
            LonglineError: One that was started here does that already.
        """
        if self.words(folder):
            raise LonglineError(f"a run of {folder.name} has been started", advice="wait for it")
        self._by_folder[folder] = Child(folder, arguments)
        self.look()

    def look(self) -> None:
        """See which runs ended, and begin those whose turn it is."""
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
        """Say in a word what a run does that was started here; "" where there is none."""
        child = self._by_folder.get(folder)
        if child is None or child.error:
            return ""
        return "waits for its turn" if child.process is None else "begins"

    def error(self, folder: Path) -> str:
        """Return why the last run that was started here did not begin; "" where it did."""
        child = self._by_folder.get(folder)
        return "" if child is None else child.error

    def drop(self, folder: Path) -> bool:
        """Forget a run that waits for its turn, or that failed; say whether there was one."""
        child = self._by_folder.get(folder)
        if child is None or _goes_on(child):
            return False
        if child.process is not None:
            _end(child, child.process.returncode)
        del self._by_folder[folder]
        return True

    def folders(self) -> list[Path]:
        """Return the folders of the runs that were started here and go on, wait or failed."""
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
        start_new_session=True,  # what ends the dashboard ends no harvest
    )


def _end(child: Child, code: int) -> None:
    """Take note of how a run ended, once."""
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
    """Run longline to its end, and return what it printed.

    Raises:
        LonglineError: It failed; with its own words.
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
    """Return the options with which a harvest goes on as its last run was asked to.

    Args:
        folder: The harvest's folder.
        is_update: They are for `longline update`, which has no aim but what is new.

    Raises:
        LonglineError: The folder is damaged.
    """
    limits = last_limits(folder)
    names = [name for name in BOUNDS if not (is_update and name in AIMS)]
    bounds = {name: BOUNDS[name] for name in names if name not in budgets_of(folder)}
    return [*asked(limits), *_given(limits, bounds)]


def asked(limits: Limits) -> list[str]:
    """Return the options that say how a site is asked."""
    flags = ["--allow-private"] if limits.allow_private else []
    flags += [] if limits.robots else ["--ignore-robots"]
    return [*flags, *_given(limits, ASKED)]


def _given(limits: Limits, names: dict[str, str]) -> list[str]:
    """Return the options of limits that are other than by default."""
    default = Limits()
    return [
        part
        for name, flag in names.items()
        if (value := getattr(limits, name)) not in (None, getattr(default, name))
        for part in (flag, f"{value:g}" if isinstance(value, float) else str(value))
    ]
