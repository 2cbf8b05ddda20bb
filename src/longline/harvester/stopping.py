"""Stop work that has no journal yet: learning a source, or many harvests at once."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from longline.errors import Interrupted
from longline.harvester.control import CONTROL, Watched, wanted_in

LOOK_SECONDS = 0.5
"""Seconds between checks of the control file."""

_Made = TypeVar("_Made")


async def unless_stopped(folder: Path, work: Awaitable[_Made]) -> _Made:
    """Await some work, and cancel it if its folder demands a stop.

    Args:
        folder: Locked by this run; commands for an earlier run are deleted.
        work: An awaitable, possibly already running.

    Returns:
        The result of the work.

    Raises:
        Interrupted: A stop was demanded, and the work is cancelled.
    """
    path = folder / CONTROL
    path.unlink(missing_ok=True)
    watched, task = Watched(path), asyncio.ensure_future(work)
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=LOOK_SECONDS)
            if watched.changed() and wanted_in(path) == "stop" and not task.done():
                raise Interrupted
        return task.result()
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await task
        path.unlink(missing_ok=True)


async def is_stopped(folder: Path, work: Awaitable[object]) -> bool:
    """Await some work like `unless_stopped`, and return whether it was stopped."""
    try:
        await unless_stopped(folder, work)
    except Interrupted:
        return True
    return False
