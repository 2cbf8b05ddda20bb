"""Fuzz targets: endless input for one part of longline, and a check of its results."""

import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, NamedTuple

import longline

MOST_SECONDS = 1.0
"""Maximum CPU seconds for one case."""

HOME = Path(longline.__file__).parent


class Target(NamedTuple):
    """A part of longline to fuzz.

    Attributes:
        make: Draws a case. Its second argument is the folder of test vectors, or None.
        check: Raises an error if something is wrong.
    """

    name: str
    make: Callable[[Random, Path | None], Any]
    check: Callable[[Any], object]


class TooSlowError(BaseException):
    """A case took too long; not an `Exception`, so that no code in between catches it."""


class Crash(NamedTuple):
    """The unexpected error of a case.

    Attributes:
        kind: Name of the exception.
        place: Innermost line in longline, or in the test if there is none.
        number: Number of the case.
    """

    kind: str
    place: str
    said: str
    number: int
    case: str

    def __str__(self) -> str:
        return f"{self.kind} at {self.place}, case {self.number}: {self.said[:300]}\n  {self.case}"


class Ran(NamedTuple):
    """The CPU time of a case, and its crash or None."""

    seconds: float
    crash: Crash | None


def run(target: Target, seed: int, number: int, vectors: Path | None = None) -> Ran:
    """Make one case and check it; the same arguments give the same case."""
    case = target.make(Random(f"{seed} {target.name} {number}"), vectors)
    began = time.process_time()
    try:
        with _bounded():
            target.check(case)
    except (Exception, TooSlowError) as error:
        place = place_of(error)
        crash = Crash(type(error).__name__, place, str(error), number, short(case))
        return Ran(time.process_time() - began, crash)
    seconds = time.process_time() - began
    is_slow = seconds > MOST_SECONDS
    slow = Crash("TooSlowError", target.name, f"{seconds:.1f} s", number, short(case))
    return Ran(seconds, slow if is_slow else None)


def short(case: Any) -> str:
    """Return a case as short text; its number reproduces it completely."""
    text = repr(case)
    return text if len(text) <= 1000 else f"{text[:600]} ... {text[-300:]} ({len(text)} letters)"


def place_of(error: BaseException) -> str:
    """Return the innermost line of longline in a traceback, or of the test."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(HOME)]
    frame = (own or list(frames))[-1]
    return f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"


@contextmanager
def _bounded() -> Iterator[None]:
    """Interrupt the block after `MOST_SECONDS` of CPU time."""
    before = signal.signal(signal.SIGPROF, _interrupt)
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise TooSlowError(f"more than {MOST_SECONDS} s of CPU")
