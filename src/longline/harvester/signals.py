"""Stop a run in good order when the system says so."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


@contextmanager
def interruptible(stop: Callable[[], None]) -> Iterator[None]:
    """Let SIGINT and SIGTERM stop a run in good order, where the loop can do that.

    A second one cancels what is under way, a third does what it does to any program.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    numbers = (signal.SIGINT, signal.SIGTERM)
    received = 0

    def let_go() -> None:
        with suppress(NotImplementedError, RuntimeError):
            for number in numbers:
                loop.remove_signal_handler(number)

    def handle() -> None:
        nonlocal received
        received += 1
        if received == 1:
            stop()
        elif task is not None:
            let_go()
            task.cancel()

    with suppress(NotImplementedError, RuntimeError):  # Windows; not in the main thread
        for number in numbers:
            loop.add_signal_handler(number, handle)
    try:
        yield
    finally:
        let_go()
        if received > 1 and task is not None:
            task.uncancel()
