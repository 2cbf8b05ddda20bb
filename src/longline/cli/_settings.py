"""Settings for all commands: a settings file, and environment variables.

An option with a variable (`envvar`) can be set in the file too, by its name without the dashes.
The command line takes precedence, then the environment, then the file.
"""

import difflib
import os
import re
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import msgspec
import typer

from longline.cli._groups import told_of
from longline.errors import InputError

VARIABLE = "LONGLINE_SETTINGS"
"""Environment variable with the path of another settings file; empty: no settings."""

KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text in quotes"}


def settings_file() -> Path:
    """Return the path of the settings: from the environment, or the user's own file."""
    named = os.environ.get(VARIABLE)
    return usual_file() if named is None else Path(named or os.devnull)


def usual_file() -> Path:
    """Return the usual path of a user's settings on this platform."""
    return Path(typer.get_app_dir("longline")) / "longline.toml"


def shown(path: Path) -> str:
    """Return a path with `~` for the home folder.

    >>> shown(Path.home() / "longline.toml")
    '~/longline.toml'
    """
    home = Path.home()
    return f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) else str(path)


def read_settings(path: Path, options: type) -> dict[str, Any]:
    """Return the values that a settings file sets for options, by their names in Python.

    A missing file sets nothing; it is an error only if the environment names it.

    Args:
        path: A TOML file.
        options: The dataclass of the options; fields with an environment variable can be set.

    Raises:
        InputError: It cannot be read, or has an unknown setting or an invalid value.
    """
    if not path.exists() and VARIABLE not in os.environ:
        return {}
    try:
        text = path.read_text(encoding="utf-8-sig")
        given = tomllib.loads(text)
    except OSError as error:
        advice = f"write it, or set no {VARIABLE}"
        raise InputError(f"cannot read {path}: {error.strerror}", advice=advice) from None
    except ValueError as error:
        raise InputError(f"{path} is no TOML: {error}", advice="correct that line") from None
    known = _settable(options)
    for name, value in given.items():
        where = f"{path}{_line(text, name)}"
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            advice = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}"
            raise InputError(f"{where}: there is no setting {name!r}", advice=advice)
        problem = _problem(value, *known[name])
        if problem:
            is_written = msgspec.json.encode(value, enc_hook=str).decode()
            raise InputError(f"{where}: {name} is {is_written}", advice=f"give {problem}")
    return {name.replace("-", "_"): value for name, value in given.items()}


def _settable(options: type) -> dict[str, tuple[type, float | None]]:
    """Return the type and the minimum (None if there is none) of each option that can be set."""
    found = {}
    for field in fields(options):
        hint, option = told_of(options, field)
        if option.envvar:
            kind = next(each for each in (*get_args(hint), hint) if each)
            found[field.name.replace("_", "-")] = kind, option.min
    return found


def _problem(value: object, kind: type, least: float | None) -> str:
    """Return what a valid value would be; "" if the value is valid."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return KINDS[kind]
    if isinstance(value, int | float) and kind is not bool:
        if least is not None and value < least:
            return f"{least:g} or more"
        if not value > 0:
            return "a number above 0"
    return ""


def _line(text: str, name: str) -> str:
    """Return the line of a setting as text; "" if no line begins with its name."""
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(rf"""\s*["'\[]?{re.escape(name)}["'\]]?\s*(=|$)""", line):
            return f", line {number}"
    return ""
