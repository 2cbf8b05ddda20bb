"""Stop what has no journal yet: the learning of a source, or the harvests of many at once."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from longline.errors import Interrupted
from longline.harvester.control import CONTROL, Watched, wanted_in

LOOK_SECONDS = 0.5
"""Between two looks at what is asked."""

_Made = TypeVar("_Made")


async def unless_stopped(folder: Path, work: Awaitable[_Made]) -> _Made:
    """Do some work, and cancel it where its folder asks for a stop.

    Args:
        folder: That this run holds; what was asked of an earlier run is forgotten.
        work: What is done, or under way.

    Returns:
        What the work returns.

    Raises:
        Interrupted: A stop was asked for, and the work is cancelled.
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
    """Do some work as `unless_stopped` does, and say whether it was stopped."""
    try:
        await unless_stopped(folder, work)
    except Interrupted:
        return True
    return False
