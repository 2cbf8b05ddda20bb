"""What is printed: nothing that a site wrote may steer a terminal, or pass for our own words."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import typer

from longline.errors import InputError
from longline.files import replacing
from longline.logs import is_quiet
from longline.secrets import masked

_STEERING = re.compile(r"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'")  # noqa: RUF001


def clean(text: str) -> str:
    r"""Replace what steers a terminal or turns the direction of writing by a sign that is seen.

    Line breaks and tabs stay. Escape becomes ␛, and so on; what has no such sign becomes U+FFFD.

    >>> clean("a title\x1b[2J of\u202etxt.exe"), clean("two\nlines")
    ('a title␛[2J of�txt.exe', 'two\nlines')
    """
    return _STEERING.sub(lambda found: _sign(ord(found[0])), text)


def _sign(code: int) -> str:
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"


def cell(text: str) -> str:
    r"""Write a cell of a CSV so that no program takes it for a formula.

    One that begins as a formula may, or with an apostrophe, gets an apostrophe in front: to undo
    that, take one away wherever a cell begins with it. Signs are replaced as by `clean`.

    Source: the OWASP page on CSV injection, which lists how a formula may begin, also in signs of
    full width.

    >>> cell("=1+1"), cell("'tis"), cell("1+1"), cell("-5")
    ("'=1+1", "''tis", '1+1', "'-5")
    """
    return clean(f"'{text}" if text.startswith(_FORMULA) else text)


def say(text: str, *, nl: bool = True) -> None:
    """Print a result to standard output, cleaned."""
    typer.echo(clean(text), nl=nl)


def say_exactly(text: str, *, nl: bool = True) -> None:
    """Print what a program is to read to standard output: as it is, unless a person looks on."""
    typer.echo(clean(text) if sys.stdout.isatty() else text, nl=nl)


def note(text: str) -> None:
    """Tell a person something on standard error, unless only errors are wanted."""
    if not is_quiet():
        warn(text)


def warn(text: str) -> None:
    """Tell a person something on standard error that has to be said, without secrets."""
    # By its present name: while a bar is shown, it is the bar's, which makes room.
    typer.echo(clean(masked(text)), file=sys.stderr)


def write_file(path: Path, text: str) -> None:
    """Write a file that the user named, whole or not at all.

    Raises:
        InputError: It cannot be written; what stood there stays.
    """
    try:
        with replacing(path) as stream:
            stream.write(text.encode())
    except OSError as error:
        raise InputError(
            f"cannot write {path}: {error.strerror}", advice="choose a file you may write"
        ) from None
