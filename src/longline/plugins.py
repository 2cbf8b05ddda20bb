"""What other packages add: planners, sources and exports, by their entry points."""

from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal

from longline.errors import InputError

Group = Literal["longline.planners", "longline.sources", "longline.exports"]


@cache
def _points(group: Group) -> dict[str, EntryPoint]:
    return {each.name: each for each in entry_points(group=group)}


def names(group: Group) -> Iterable[str]:
    """Return the names in a group, in order."""
    return sorted(_points(group))


def load(group: Group, name: str) -> Any:
    """Return what stands behind a name; None where there is no such name.

    Raises:
        InputError: The package that has it cannot be imported.
    """
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
