"""What others add: planners, sources and exports, by entry points of packages or by a call."""

from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal

from longline.errors import InputError

Group = Literal["longline.planners", "longline.sources", "longline.exports"]


_added: dict[tuple[Group, str], Any] = {}
"""What this process has added without a package."""


def add(group: Group, name: str, what: Any) -> None:
    """Let a name of this process stand for something, in the place of what it stood for."""
    _added[group, name] = what


@cache
def _points(group: Group) -> dict[str, EntryPoint]:
    return {each.name: each for each in entry_points(group=group)}


def names(group: Group) -> Iterable[str]:
    """Return the names in a group, in order."""
    return sorted({*_points(group), *(name for of, name in _added if of == group)})


def load(group: Group, name: str) -> Any:
    """Return what stands behind a name; None where there is no such name.

    Raises:
        InputError: The package that has it cannot be imported.
    """
    if (group, name) in _added:
        return _added[group, name]
    point = _points(group).get(name)
    if point is None:
        return None
    try:
        return point.load()
    except Exception as error:
        raise InputError(
            f"{name}, which {point.value} should be, cannot be loaded: "
            f"{type(error).__name__}: {error}",
            advice="repair or remove the package that has it",
        ) from error
