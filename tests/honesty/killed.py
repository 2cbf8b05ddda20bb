"""Run `longline harvest` in its own process and kill it at a chosen moment of writing.

The numbered moments are: before each statement that changes the store, before and after each
commit, before, in the middle of and after each file, and before and after each rename.
"""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine.default import DefaultDialect
from tests.honesty.child import command, hurry, speak_to
from tests.honesty.forks import PROCESSES

WRITES = ("INSERT", "UPDATE", "DELETE", "CREATE", "ALTER", "DROP")

CLOCKED = "standing.json"
"""A file written once a second; its writes are not moments, because their number varies."""

Tick = Callable[[str], None]
"""Called at every moment, in order."""


def harvest(url: str, folder: Path, *, die_at: int = 0) -> int:
    """Harvest a site by the command line; return the exit code, negative for a signal.

    Args:
        url: Address of the site.
        folder: Harvest folder; `FOLDER.moments` gets a line for each moment.
        die_at: Number of the moment, from 1, at which the process kills itself; 0 for never.
    """
    process = PROCESSES.Process(target=_harvest, args=(url, str(folder), die_at))
    process.start()
    process.join(60)
    if process.exitcode is None:
        process.kill()
        raise AssertionError("a harvest did not end within a minute")
    return process.exitcode


def _harvest(url: str, folder: str, die_at: int) -> None:
    nowhere = Path(os.devnull)
    speak_to(nowhere, nowhere)
    hurry()
    moments = open(f"{folder}.moments", "w")  # noqa: SIM115, PTH123 - until the process dies
    seen = 0

    def tick(what: str) -> None:
        nonlocal seen
        seen += 1
        moments.write(f"{what}\n")
        if seen == die_at:
            moments.flush()
            os.kill(os.getpid(), signal.SIGKILL)

    _watch_store(tick)
    _watch_files(tick)
    code = command("harvest", url, "-o", folder, "--allow-private")
    moments.close()
    sys.exit(code)


def _watch_store(tick: Tick) -> None:
    """Call `tick` around statements and commits."""

    def before(connection: Any, cursor: Any, statement: str, *more: Any) -> None:
        if statement.lstrip().upper().startswith(WRITES):
            tick(f"before {' '.join(statement.split()[:3])}")

    sa.event.listen(sa.Engine, "before_cursor_execute", before)
    commit = DefaultDialect.do_commit

    def do_commit(dialect: DefaultDialect, connection: Any) -> None:
        tick("before commit")
        commit(dialect, connection)
        tick("after commit")

    DefaultDialect.do_commit = do_commit  # type: ignore[method-assign]


def _watch_files(tick: Tick) -> None:
    """Call `tick` around file writes and renames."""

    def watched(write: Callable[..., int]) -> Callable[..., int]:
        def writing(path: Path, content: Any, *more: Any, **options: Any) -> int:
            if CLOCKED in path.name:
                return write(path, content, *more, **options)
            tick(f"before file {path.name}")
            write(path, content[: len(content) // 2], *more, **options)
            tick(f"in file {path.name}")
            written = write(path, content, *more, **options)
            tick(f"after file {path.name}")
            return written

        return writing

    Path.write_bytes = watched(Path.write_bytes)  # type: ignore[method-assign]
    Path.write_text = watched(Path.write_text)  # type: ignore[method-assign]
    replace = os.replace

    def replacing(source: Any, target: Any, **options: Any) -> None:
        if CLOCKED in Path(target).name:
            replace(source, target, **options)
            return
        tick(f"before rename to {Path(target).name}")
        replace(source, target, **options)
        tick(f"after rename to {Path(target).name}")

    os.replace = replacing
