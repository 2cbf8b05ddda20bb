"""Run a coroutine to its end from synchronous code, even while an event loop is running."""

import asyncio
import contextvars
import functools
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Generic, ParamSpec, TypeVar

from longline.errors import LonglineError

P = ParamSpec("P")
T = TypeVar("T")


def in_sync(function: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """Return a synchronous version of a coroutine function.

    In a notebook, where an event loop is already running, the work runs in a thread. Ctrl-C cancels
    it. Errors of the package are raised without a long traceback, since their messages are enough.

    >>> async def double(number: int) -> int:
    ...     return 2 * number
    >>> in_sync(double)(21)
    42
    """

    @functools.wraps(function)
    def wait(*args: P.args, **options: P.kwargs) -> T:
        try:
            work = function(*args, **options)
        except TypeError as error:  # nothing has run yet: the arguments are wrong
            said = str(error).replace(function.__name__, wait.__name__)
            raise TypeError(said) from None
        try:
            return run(work)
        except LonglineError as error:
            raise error.with_traceback(None) from None  # its message includes the cause

    wait.__name__ = function.__name__.removesuffix("_async")
    wait.__qualname__ = function.__qualname__.removesuffix("_async")
    return wait


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, and return its result."""
    if not _is_in_loop():  # checked first, so that errors of the work are not chained to this check
        return asyncio.run(work)
    beside = Beside(work)
    try:
        return beside.result()
    except KeyboardInterrupt:
        beside.cancel()
        raise


def _is_in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class Beside(Generic[T]):
    """A coroutine that runs in its own thread, with the caller's context variables.

    Args:
        work: It starts at once.
    """

    def __init__(self, work: Coroutine[Any, Any, T]) -> None:
        self._loop = asyncio.new_event_loop()
        self._task = self._loop.create_task(work)
        # Waited for instead of the thread, which counts as ended once Ctrl-C interrupts `join`.
        self._has_ended = threading.Event()
        threading.Thread(
            target=contextvars.copy_context().run, args=(self._run,), daemon=True
        ).start()

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                runner.run(self._end())
        finally:
            self._has_ended.set()

    async def _end(self) -> None:
        await asyncio.wait([self._task])

    def result(self) -> T:
        """Wait for its end; return its result, or raise its exception."""
        self._has_ended.wait()
        return self._task.result()

    def cancel(self) -> None:
        """Cancel it, and wait until its cleanup is done."""
        with suppress(RuntimeError):  # its loop is closed: it has ended
            self._loop.call_soon_threadsafe(self._task.cancel)
        self._has_ended.wait()
