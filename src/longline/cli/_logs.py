"""Options of what a command tells while it works: --verbose, --quiet, --log-file."""

from __future__ import annotations

import functools
import inspect
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from longline.cli._said import warn
from longline.errors import InputError, LonglineError
from longline.files import is_of_harvest
from longline.logs import log, logging_to

Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Tell every request and every decision.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Tell errors alone.")]
LogFile = Annotated[
    Path | None,
    typer.Option("--log-file", metavar="FILE", help="Add a line of JSON there for all that."),
]
_OPTIONS: dict[str, tuple[Any, Any]] = {
    "verbose": (Verbose, False),
    "quiet": (Quiet, False),
    "log_file": (LogFile, None),
}


def with_logs(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command these options, and log the error that ends it."""

    @functools.wraps(command)
    def logged(*, verbose: bool, quiet: bool, log_file: Path | None, **given: Any) -> None:
        if log_file is not None:
            _check(log_file)
        with logging_to(warn, verbose=verbose, quiet=quiet, file=log_file):
            try:
                command(**given)
            except LonglineError as error:
                log(logging.ERROR, str(error), is_said=True)
                raise

    own = inspect.signature(command, eval_str=True)
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for name, (kind, default) in _OPTIONS.items()
    ]
    logged.__signature__ = own.replace(parameters=[*own.parameters.values(), *more])  # type: ignore[attr-defined]
    return logged


def _check(path: Path) -> None:
    if is_of_harvest(path, path.parent):
        raise InputError(f"{path} is a file of a harvest", advice="name another file for the log")
