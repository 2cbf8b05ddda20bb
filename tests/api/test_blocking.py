"""What is asynchronous, called from where an event loop runs already, as in a notebook."""

import asyncio
import signal
import threading
import time

import pytest

from longline.blocking import run


def test_ctrl_c_ends_what_runs_beside_a_loop() -> None:
    """It is cancelled and has put its things in order when the interrupt is raised."""
    begun, told = threading.Event(), list[str]()

    async def work() -> None:
        begun.set()
        try:
            await asyncio.sleep(30)
        finally:
            told.append("in order")

    def interrupt() -> None:
        begun.wait(10)
        time.sleep(0.2)  # by now it is waited for
        main = threading.main_thread().ident
        assert main is not None
        signal.pthread_kill(main, signal.SIGINT)

    async def cell() -> None:
        threading.Thread(target=interrupt).start()
        # A runner's own handler would cancel this cell, and not what waits in it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with pytest.raises(KeyboardInterrupt):
            run(work())
        assert told == ["in order"]

    before = signal.getsignal(signal.SIGINT)
    try:
        asyncio.run(cell())
    finally:
        signal.signal(signal.SIGINT, before)
