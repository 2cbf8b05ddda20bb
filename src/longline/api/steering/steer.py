"""Steer a harvest that runs, in whatever process: pause, resume, stop, change its budget."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TypedDict, Unpack

from longline import harvester
from longline.api.options import check_names
from longline.harvester import Budgets, Standing, standing_of

LOOK_SECONDS = 0.2
"""Between two looks at a harvest that is waited for."""


class BudgetOptions(TypedDict, total=False):
    """What a harvest may use; `Limits` says what each means. None removes a limit."""

    max_requests: int | None
    max_queries: int | None
    max_documents: int | None
    max_bytes: int | None
    max_time: float | None
    max_requests_per_day: int | None


def standing(folder: str | Path) -> Standing:
    """Say how a harvest stands now, from one small file: also of a harvest that was killed.

    Args:
        folder: Of a harvest.

    Raises:
        FolderError: There is none in it.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> now = longline.standing(folder)
        >>> now.state, now.outcome, now.requests, now.requests_left
        ('ended', 'partial', 40, 0)
    """
    return standing_of(Path(folder))


def pause(folder: str | Path, *, wait: bool = False) -> None:
    """Let a running harvest end its page in flight, and send nothing until it is resumed.

    Its process stays, and so does all that it knows. It heeds this within a second or two.

    Args:
        folder: Of a harvest.
        wait: Return when it is paused, or has ended.

    Raises:
        FolderError: No run fills the folder.

    Example:
        >>> import longline
        >>> longline.pause("nothing here")
        Traceback (most recent call last):
            ...
        longline.errors.FolderError: nothing here is not a harvest folder; name the folder of a \
harvest
    """
    harvester.pause(Path(folder))
    _wait(folder, {"paused"}, wait=wait)


def resume(folder: str | Path, *, wait: bool = False) -> None:
    """Let a paused harvest go on. One that ended is continued by `harvest`.

    Args:
        folder: Of a harvest.
        wait: Return when it goes on, or has ended.

    Raises:
        FolderError: No run fills the folder.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> longline.resume(folder)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        longline.errors.FolderError: no run fills ...
    """
    harvester.resume(Path(folder))
    _wait(folder, {"running", "waiting"}, wait=wait)


def stop(folder: str | Path, *, wait: bool = False) -> None:
    """Let a running harvest end in good order, when the answers under way have come.

    Args:
        folder: Of a harvest.
        wait: Return when it has ended.

    Raises:
        FolderError: No run fills the folder.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> longline.stop(folder)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        longline.errors.FolderError: no run fills ...
    """
    harvester.stop(Path(folder))
    _wait(folder, set(), wait=wait)


def _wait(folder: str | Path, states: set[str], *, wait: bool) -> None:
    """Return when a harvest is in one of some states, or goes on no more."""
    while wait and (now := standing(folder)).is_going and now.state not in states:
        time.sleep(LOOK_SECONDS)


def set_budget(folder: str | Path, **changes: Unpack[BudgetOptions]) -> dict[str, float | None]:
    """Change what a harvest may use, while it runs, while it is paused, or before its next run.

    A later run's own options go before it.

    Args:
        folder: Of a harvest.
        **changes: Limits by their names, such as `max_requests=5000`; None takes one away.

    Returns:
        All that was set in this way by now.

    Raises:
        InputError: A number that is not above 0.
        FolderError: There is no harvest in the folder.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        ...     budget = longline.set_budget(folder, max_requests=60)
        ...     harvest = longline.harvest(folder, allow_private=True)
        >>> budget, harvest.certificate.requests
        ({'max_requests': 60}, 60)
    """
    check_names("set_budget", changes, BudgetOptions)
    budgets: Budgets = dict(changes)  # type: ignore[arg-type]
    return harvester.set_budget(Path(folder), budgets)
