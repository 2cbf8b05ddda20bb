"""Control a running harvest by small files in its folder, which anybody may write.

`control.json` says whether to continue, pause or stop; `budget.json` sets new limits, for later
runs too. The run reads both between requests, at most once a second.
"""

import logging
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import msgspec

from longline.errors import FolderError, InputError, cause_of, option
from longline.files import writing
from longline.harvester.folder import check_harvest, is_running
from longline.harvester.settings import Limits, check_limits
from longline.logs import log
from longline.text.safe import quoted

CONTROL, BUDGET = "control.json", "budget.json"

Wanted = Literal["run", "pause", "stop"]

BUDGETS = (
    "max_requests",
    "max_queries",
    "max_documents",
    "max_bytes",
    "max_time",
    "max_requests_per_day",
)
"""Limits that may be changed while a harvest runs."""

Budgets = dict[str, float | None]
"""Limits by name; None for no limit."""


class Control(msgspec.Struct, frozen=True):
    """The command for a run."""

    wanted: Wanted = "run"


def pause(folder: Path) -> None:
    """Pause a running harvest after its current page, until it is resumed.

    Raises:
        FolderError: No run is using the folder.
    """
    _ask(folder, "pause")


def resume(folder: Path) -> None:
    """Continue a paused harvest.

    Raises:
        FolderError: No run is using the folder.
    """
    _ask(folder, "run")


def stop(folder: Path) -> None:
    """Stop a run properly, after the answers in progress were received.

    Args:
        folder: Of a harvest, also of one whose source is still being learnt; or of a run with many
            harvests.

    Raises:
        FolderError: No run is using the folder.
    """
    _ask(folder, "stop")


def wanted_in(path: Path) -> Wanted | None:
    """Return the command in a control file, or None, with a log entry, if it cannot be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Control).wanted
    except (OSError, msgspec.DecodeError) as error:
        log(logging.WARNING, f"{path} cannot be read: {error}; it is left out")
        return None


def _ask(folder: Path, wanted: Wanted) -> None:
    is_held = is_running(folder)
    if wanted != "stop" or not is_held:
        check_harvest(folder)
    if not is_held:
        raise FolderError(
            f"no run fills {folder}", advice=f"start one: longline harvest {quoted(folder)}"
        )
    place(folder / CONTROL, msgspec.json.encode(Control(wanted)))


def write_budgets(folder: Path, changes: Budgets) -> Budgets:
    """Write changed limits for the current run and later ones; see `set_budget`."""
    check_harvest(folder)
    budgets = budgets_of(folder) | _checked(changes)
    place(folder / BUDGET, msgspec.json.encode(budgets))
    return budgets


def _checked(changes: Budgets) -> Budgets:
    for name, value in changes.items():
        if name not in BUDGETS:
            raise InputError(f"no budget is called {name!r}", advice=f"take {', '.join(BUDGETS)}")
        if value is not None and not (isinstance(value, int | float) and value > 0):
            raise InputError(f"{option(name)} is {value!r}", advice="give a number above 0")
    check_limits(with_budgets(Limits(), changes))
    return changes


def budgets_of(folder: Path) -> Budgets:
    """Return the limits set by `set_budget`, by name.

    Raises:
        FolderError: The file cannot be read: another program wrote it.
    """
    path = folder / BUDGET
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Budgets)
        return _checked(found)
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.DecodeError, InputError) as error:
        raise FolderError(f"{path} cannot be read: {cause_of(error)}", advice="remove it") from None


def with_budgets(limits: Limits, budgets: Budgets) -> Limits:
    """Return limits changed by those that were set.

    >>> with_budgets(Limits(max_requests=5), {"max_requests": 9.0}).max_requests
    9
    """
    whole: dict[str, Any] = {
        name: value if value is None or name == "max_time" else int(value)
        for name, value in budgets.items()
    }
    return msgspec.structs.replace(limits, **whole)


def begin_control(folder: Path, limits: Limits) -> Limits:
    """Delete commands for an earlier run, and return the limits of the new one.

    Args:
        folder: Locked by the new run.
        limits: The run's own options; they override limits that were set, and replace them.

    Raises:
        FolderError: `budget.json` is damaged.
    """
    (folder / CONTROL).unlink(missing_ok=True)
    budgets = budgets_of(folder)
    left = {name: value for name, value in budgets.items() if getattr(limits, name) is None}
    if left != budgets:
        place(folder / BUDGET, msgspec.json.encode(left))
    return with_budgets(limits, left)


def place(path: Path, content: bytes) -> None:
    """Replace a small file atomically; it need not survive a power cut.

    Raises:
        FolderError: It cannot be written.
        StorageError: The disk is full.

    >>> place(Path("/no/such/folder/standing.json"), b"{}")
    Traceback (most recent call last):
        ...
    longline.errors.FolderError: cannot write /no/such/folder/standing.json: \
No such file or directory; choose a folder you may write
    """
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.new")
    with writing(path, FolderError, "choose a folder you may write"):
        try:
            beside.write_bytes(content)
            beside.replace(path)
        except OSError:
            with suppress(OSError):
                beside.unlink()
            raise


class Watched:
    """A small file that is read if it is there, and again only if it was replaced or written to.

    >>> Watched(Path("nothing there")).changed()
    False
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._mark: tuple[int, int, int] | None = None

    def changed(self) -> bool:
        """Return whether the file has changed since the last call."""
        before, self._mark = self._mark, self._look()
        return self._mark != before

    def _look(self) -> tuple[int, int, int] | None:
        try:
            found = os.stat(self.path)  # noqa: PTH116  # five times as fast, a thousand a second
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size
