"""Options for what a command reports while it works: --verbose, --quiet, --log-file."""

import functools
import inspect
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from longline.cli._groups import option
from longline.cli._said import warn
from longline.errors import InputError, LonglineError
from longline.files import is_of_harvest
from longline.logs import log, logging_to


@dataclass(frozen=True)
class Logs:
    """What a command reports while it works."""

    panel: ClassVar[str] = "What it tells while it works"

    verbose: bool = option(False, "--verbose", "-v", help="Print every request and every decision.")
    quiet: bool = option(False, "--quiet", "-q", help="Print errors and results only.")
    log_file: Path | None = option(
        None,
        "--log-file",
        metavar="FILE",
        help="Also add each of these lines to this file, as JSON.",
    )


def with_logs(command: Callable[..., None]) -> Callable[..., None]:
    """Add these options to a command, and log the error that ends it."""

    @functools.wraps(command)
    def logged(*, logs: Logs, **given: Any) -> None:
        if logs.log_file is not None:
            _check(logs.log_file)
        with logging_to(warn, verbose=logs.verbose, quiet=logs.quiet, file=logs.log_file):
            try:
                command(**given)
            except LonglineError as error:
                log(logging.ERROR, str(error), is_said=True)
                raise

    own = inspect.signature(command, eval_str=True)
    logs = inspect.Parameter("logs", inspect.Parameter.KEYWORD_ONLY, annotation=Logs)
    logged.__signature__ = own.replace(parameters=[*own.parameters.values(), logs])  # type: ignore[attr-defined]
    return logged


def _check(path: Path) -> None:
    if is_of_harvest(path, path.parent):
        raise InputError(f"{path} belongs to a harvest", advice="choose another file for the log")
