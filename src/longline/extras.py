"""Libraries that come with extras of longline, such as `longline[report]`."""

from importlib import import_module
from typing import Any

from longline.errors import InputError


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
