"""A target: input without end for one part of longline, and what must be true of it."""

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
"""Of CPU, for one case."""

HOME = Path(longline.__file__).parent


class Target(NamedTuple):
    """What is fuzzed.

    Attributes:
        make: Draws a case. Its second argument is the folder of test vectors; None for none.
        check: Raises, where something is wrong.
    """

    name: str
    make: Callable[[Random, Path | None], Any]
    check: Callable[[Any], object]


class TooSlowError(BaseException):
    """A case took too long; nothing in between catches this."""


class Crash(NamedTuple):
    """What a case ended in that should not have been.

    Attributes:
        kind: The exception.
        place: The innermost place of longline, else of the test.
        number: Of the case.
    """

    kind: str
    place: str
    said: str
    number: int
    case: str

    def __str__(self) -> str:
        return f"{self.kind} at {self.place}, case {self.number}: {self.said[:300]}\n  {self.case}"


class Ran(NamedTuple):
    """What became of a case."""

    seconds: float
    crash: Crash | None


def run(target: Target, seed: int, number: int, vectors: Path | None = None) -> Ran:
    """Make one case and check it; the same for the same arguments."""
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
    """Write a case for a person; the whole of it is made again by its number."""
    text = repr(case)
    return text if len(text) <= 1000 else f"{text[:600]} ... {text[-300:]} ({len(text)} letters)"


def place_of(error: BaseException) -> str:
    """Return the innermost place of longline in a traceback; else where the test found it."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(HOME)]
    frame = (own or list(frames))[-1]
    return f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"


@contextmanager
def _bounded() -> Iterator[None]:
    """Interrupt what takes longer than `MOST_SECONDS` of CPU, as soon as Python can."""
    before = signal.signal(signal.SIGPROF, _interrupt)
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise TooSlowError(f"more than {MOST_SECONDS} s of CPU")
