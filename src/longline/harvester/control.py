"""What people ask of a harvest while it runs: small files in its folder, that anybody may write.

`control.json` says whether it is to go on, pause or stop; `budget.json` what it may use from now
on, in later runs too. Both are read by the run between requests, at most once a second.
"""

import logging
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import msgspec

from longline.errors import FolderError, InputError, StorageError, cause_of, option
from longline.harvester.folder import check_harvest, is_running
from longline.harvester.settings import Limits, check_limits
from longline.logs import log

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
"""Limits by name; None for no bound."""


class Control(msgspec.Struct, frozen=True):
    """What is asked of a run."""

    wanted: Wanted = "run"


def pause(folder: Path) -> None:
    """Let a running harvest end its page in flight, and then send nothing until it may go on.

    Raises:
        FolderError: No run fills the folder.
    """
    _ask(folder, "pause")


def resume(folder: Path) -> None:
    """Let a paused harvest go on.

    Raises:
        FolderError: No run fills the folder.
    """
    _ask(folder, "run")


def stop(folder: Path) -> None:
    """Let a run end in good order, when the answers under way have come.

    Args:
        folder: Of a harvest, also of one whose source is still learnt; or of many that one run
            fills.

    Raises:
        FolderError: No run fills the folder.
    """
    _ask(folder, "stop")


def wanted_in(path: Path) -> Wanted | None:
    """Return what a control file asks for; None where it cannot be read, which the log says."""
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
        raise FolderError(f"no run fills {folder}", advice=f"start one: longline harvest {folder}")
    place(folder / CONTROL, msgspec.json.encode(Control(wanted)))


def set_budget(folder: Path, changes: Budgets) -> Budgets:
    """Change what a harvest may use, in the run that goes on and in later ones.

    A later run's own options go before it.

    Args:
        folder: The harvest's folder.
        changes: Limits by the names in `BUDGETS`; None removes a limit.

    Returns:
        All that has been set in this way by now.

    Raises:
        InputError: A name that is none of these, or a number that is not above 0.
        FolderError: There is no harvest in the folder.
    """
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
    """Return what was set by `set_budget`, by name.

    Raises:
        FolderError: Somebody else has written the file, and not in this form.
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
    """Forget what was asked of an earlier run, and return the limits of the new one.

    Args:
        folder: That is held by the new run.
        limits: As the run was given them; they go before those that were set, and replace them.

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
    """Put a small file in its place at once; what a power cut leaves of it does not matter.

    Raises:
        StorageError: It cannot be written.
    """
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.new")
    try:
        beside.write_bytes(content)
        beside.replace(path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        raise StorageError(
            f"cannot write {path}: {error.strerror}",
            advice="free some space, or check the permissions",
        ) from None


class Watched:
    """A small file that is read again only where it was replaced or written to.

    >>> Watched(Path("nothing there")).changed()
    False
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._mark = self._look()

    def changed(self) -> bool:
        """Say whether it is another than when this was asked last."""
        before, self._mark = self._mark, self._look()
        return self._mark != before

    def _look(self) -> tuple[int, int, int] | None:
        try:
            found = os.stat(self.path)  # noqa: PTH116  # five times as fast, a thousand a second
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size
