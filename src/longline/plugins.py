"""Extensions: planners, sources and exports of others, and the libraries of our extras."""

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal

from longline.errors import InputError

Group = Literal["longline.planners", "longline.sources", "longline.exports"]


_added: dict[tuple[Group, str], Any] = {}
"""Extensions that this process has added without a package."""


def add(group: Group, name: str, what: Any) -> None:
    """Register an extension under a name, for this process; it replaces an older one."""
    _added[group, name] = what


@cache
def _points(group: Group) -> dict[str, EntryPoint]:
    return {each.name: each for each in entry_points(group=group)}


def names(group: Group) -> Iterable[str]:
    """Return the names in a group, sorted."""
    return sorted({*_points(group), *(name for of, name in _added if of == group)})


def load(group: Group, name: str) -> Any:
    """Return the extension with a name, or None if there is none.

    Raises:
        InputError: Its package cannot be imported.
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


def needed(module: str, extra: str, wanted: str = "", otherwise: str = "") -> Any:
    """Import a module that needs an extra.

    Args:
        module: Its name.
        extra: The extra that installs it, or what it imports.
        wanted: What needs it, for the error; "" for its name alone.
        otherwise: What to do without it.

    Raises:
        InputError: It, or a library that it imports, is not installed.

    >>> needed("no_such_module", "report", "a chart", "leave out the chart")
    Traceback (most recent call last):
    longline.errors.InputError: a chart needs no_such_module, which is not installed; install it: \
pip install 'longline[report]', or leave out the chart
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        advice = f"install it: pip install 'longline[{extra}]'"
        raise InputError(
            f"{wanted} needs {error.name}, which is not installed"
            if wanted
            else f"{error.name} is not installed",
            advice=f"{advice}, or {otherwise}" if otherwise else advice,
        ) from None
