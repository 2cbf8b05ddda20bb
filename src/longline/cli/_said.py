"""Print safely: text from a site can neither control the terminal nor imitate our messages."""

import sys
from pathlib import Path
from typing import Any

import typer

from longline.errors import InputError
from longline.files import replacing, writing
from longline.logs import is_quiet
from longline.secrets import masked
from longline.text.safe import clean


def say(text: str, *, nl: bool = True) -> None:
    """Print a result to standard output, without control characters."""
    typer.echo(clean(text), nl=nl)


def say_exactly(text: str, *, nl: bool = True) -> None:
    """Print output for a program: unchanged, unless standard output is a terminal."""
    typer.echo(clean(text) if sys.stdout.isatty() else text, nl=nl)


def say_json(value: object, *, is_line: bool = False) -> None:
    """Print a value as JSON to standard output, indented, or as one line that is flushed."""
    import msgspec

    text = msgspec.json.encode(value)
    say_exactly((text if is_line else msgspec.json.format(text, indent=2)).decode())
    if is_line:
        sys.stdout.flush()


def note(text: str) -> None:
    """Print a message on standard error, unless only errors are wanted."""
    if not is_quiet():
        warn(text)


class ReaderLeft(Exception):
    """The reader of the output has gone, as after `| head`; typer would call that a failure."""


def say_table(table: Any, least_width: int) -> None:
    """Print a table to standard output, as wide as the terminal or at least `least_width`."""
    from rich.console import Console

    class Printer(Console):
        def on_broken_pipe(self) -> None:
            raise ReaderLeft

    Printer(width=max(Console().width, least_width), markup=False).print(table)


def warn(text: str) -> None:
    """Print a message on standard error even with --quiet, without secrets."""
    # Looked up at call time: while a bar is shown, it replaces sys.stderr to make room.
    typer.echo(clean(masked(text)), file=sys.stderr)


def in_lines(text: str, width: int) -> str:
    """Break a text that is wider than `width` after each semicolon.

    >>> print(in_lines("error: no search works; give an address; or write a source.toml", 40))
    error: no search works;
      give an address;
      or write a source.toml
    """
    return text if len(text) <= width else text.replace("; ", ";\n  ")


def write_file(path: Path, text: str) -> None:
    """Write a file that the user named, completely or not at all.

    Raises:
        InputError: It cannot be written; an existing file stays unchanged.
    """
    with writing(path), replacing(path) as stream:
        stream.write(text.encode())


def check_new(path: Path, advice: str = "name another file, or remove it") -> None:
    """Check before the work begins that a new file can be written to this path.

    Raises:
        InputError: There is something, or its folder does not exist.
    """
    if path.is_file() or path.is_dir():
        raise InputError(f"{path} exists already", advice=advice)
    if not path.parent.is_dir():
        raise InputError(f"cannot write {path}", advice="name a file in a folder that exists")
