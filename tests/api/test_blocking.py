"""Test asynchronous functions called where an event loop already runs, as in a notebook."""

import asyncio
import inspect
import signal
import threading
import time
import traceback
from pathlib import Path

import pytest

import longline
from longline.blocking import run


def test_ctrl_c_ends_what_runs_beside_a_loop() -> None:
    """The work is cancelled and has cleaned up when the interrupt is raised."""
    begun, told = threading.Event(), list[str]()

    async def work() -> None:
        begun.set()
        try:
            await asyncio.sleep(30)
        finally:
            told.append("in order")

    def interrupt() -> None:
        begun.wait(10)
        time.sleep(0.2)  # by now the main thread waits
        main = threading.main_thread().ident
        assert main is not None
        signal.pthread_kill(main, signal.SIGINT)

    async def cell() -> None:
        threading.Thread(target=interrupt).start()
        # A runner's own handler would cancel this cell, and not the work it waits for.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with pytest.raises(KeyboardInterrupt):
            run(work())
        assert told == ["in order"]

    before = signal.getsignal(signal.SIGINT)
    try:
        asyncio.run(cell())
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("is_in_loop", [True, False])
def test_an_error_that_says_what_to_do_shows_who_called(is_in_loop: bool, tmp_path: Path) -> None:
    """The traceback ends at the caller, without the hundreds of lines below it."""

    def cell() -> None:
        longline.harvest("http://127.0.0.1:1/", tmp_path / "x", allow_private=True, retries=0)

    async def loop() -> None:
        cell()

    with pytest.raises(longline.SourceError, match="no answer") as found:
        asyncio.run(loop()) if is_in_loop else cell()
    shown = traceback.extract_tb(found.value.__traceback__)
    assert [each.name for each in shown][-2:] == ["cell", "wait"]
    assert found.value.__cause__ is None


def test_help_shows_listeners_and_no_addresses_of_functions() -> None:
    """Listeners that are set are named."""
    assert "listeners: 'Listeners' = Listeners()," in str(inspect.signature(longline.harvest))
    assert repr(longline.Listeners(on_state=print)) == "Listeners(on_state=...)"
