"""One wrong line in a copy of the source, and whether the tests of its room see it."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
MOST_SECONDS = 900
"""After so long a run of a room's tests counts as broken."""

Ending = Literal["caught", "survived", "broken"]


class Mutation(NamedTuple):
    """A line that is wrong.

    Attributes:
        file: Under src/longline.
        old: What stands there, exactly once.
        new: What it becomes.
        tests: Files and folders of the room's tests, of which one has to fail.
    """

    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{self.file}: {old} -> {new or 'nothing'}"

    @property
    def count(self) -> int:
        """How often the text stands in its file."""
        return (SOURCE / "longline" / self.file).read_text(encoding="utf-8").count(self.old)


class Tried(NamedTuple):
    """What came of a mutation, and in how many seconds."""

    ending: Ending
    seconds: float
    said: str


def mutations(file: str, tests: str, *changes: tuple[str, str]) -> Iterator[Mutation]:
    """Yield the mutations of one file, all caught by the same tests, named by spaces."""
    for old, new in changes:
        yield Mutation(file, old, new, tuple(f"tests/{each}" for each in tests.split()))


@contextmanager
def _copy() -> Iterator[Path]:
    """Make a copy of the source that may be changed."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(shutil.copytree(SOURCE, Path(folder) / "src"))


def _run(source: Path, tests: Iterable[str], most: int = MOST_SECONDS) -> Tried:
    """Run tests against a copy of the source, to the first failure."""
    # No bytecode of one mutation may be taken for that of another.
    ours = {"PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    others = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    begun = time.monotonic()
    try:
        done = subprocess.run(
            [*command, "-m", "not real and not whole", "--timeout", "120", *tests],
            cwd=ROOT,
            env={**others, **ours},
            capture_output=True,
            text=True,
            timeout=most,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Tried("broken", time.monotonic() - begun, f"no end after {most} s")
    endings: dict[int, Ending] = {0: "survived", 1: "caught"}
    said = "\n".join(done.stdout.splitlines()[-15:]) + done.stderr
    return Tried(endings.get(done.returncode, "broken"), time.monotonic() - begun, said)


def run(mutation: Mutation) -> Tried:
    """Apply a mutation to a copy, and run its tests.

    A source that cannot be imported any more is broken, not caught.
    """
    with _copy() as source:
        path = source / "longline" / mutation.file
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
        return _run(source, mutation.tests)


def run_unchanged(those: Iterable[Mutation]) -> Tried:
    """Run the tests of mutations against a copy that is as it should be; "survived" is right."""
    with _copy() as source:
        return _run(
            source, sorted({test for each in those for test in each.tests}), 4 * MOST_SECONDS
        )
