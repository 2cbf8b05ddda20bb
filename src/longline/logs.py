"""Log the events of a harvest with Python's `logging`: the logger `longline`.

Each record has the attributes `harvest` (the harvest's folder, or another subject) and `facts` (a
dictionary with the message's values, for programs). DEBUG has every request and every document,
INFO every query and its result, WARNING what failed or is incomplete, ERROR why it ended. No record
contains secrets.
"""

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from longline.errors import InputError
from longline.events import (
    AnyEvent,
    DocumentFailed,
    DocumentReceived,
    PageFailed,
    RequestFailed,
)
from longline.files import writing
from longline.secrets import masked

logger = logging.getLogger("longline")
logger.addHandler(logging.NullHandler())

_harvest: ContextVar[str] = ContextVar("harvest", default="")
_console = logging.WARNING


def is_quiet() -> bool:
    """Return whether the user wants to see only errors."""
    return _console > logging.WARNING


@contextmanager
def about(name: object) -> Iterator[None]:
    """Set the harvest, or other subject, of all records within this block."""
    token = _harvest.set(masked(str(name)))
    try:
        yield
    finally:
        _harvest.reset(token)


def log(level: int, message: str, *, is_said: bool = False, **facts: object) -> None:
    """Log a message with its facts, both without secrets in URLs.

    Args:
        level: As in `logging`.
        message: For people.
        facts: For programs, by name.
        is_said: The message is shown on standard error in another way.
    """
    if logger.isEnabledFor(level):
        facts = {name: masked(x) if isinstance(x, str) else x for name, x in facts.items()}
        extra = {"harvest": _harvest.get(), "facts": facts, "is_said": is_said}
        logger.log(level, masked(message), extra=extra)


def log_event(event: AnyEvent, words: Callable[[AnyEvent], str]) -> None:
    """Log an event of a harvest: a decision, or its result.

    Args:
        event: The event.
        words: Says it for people; called only if the event is logged.
    """
    level = level_of(event)
    if logger.isEnabledFor(level):
        log(level, words(event), event=type(event).__name__, **_facts(event))


def level_of(event: AnyEvent) -> int:
    """Return an event's log level.

    >>> from longline.model import Query
    >>> level_of(PageFailed(Query(("sea",)), 1, "503"))
    30
    """
    match event:
        case PageFailed() | DocumentFailed() | RequestFailed():
            return logging.WARNING
        case DocumentReceived():
            return logging.DEBUG
        case _:
            return logging.INFO


def _facts(event: AnyEvent) -> dict[str, Any]:
    """Return an event's small facts: no documents, no bodies."""
    names = ("number", "cut", "received", "reported", "key", "reason", "requests", "body_bytes")
    facts: dict[str, Any] = {name: getattr(event, name) for name in names if hasattr(event, name)}
    if query := getattr(event, "query", None):
        facts["query"] = str(query)
    return facts


@contextmanager
def logging_to(
    console: Callable[[str], object], *, verbose: bool, quiet: bool, file: Path | None
) -> Iterator[None]:
    """Send records to the console, and to a file of JSON lines, within this block.

    Args:
        console: Receives lines for people.
        verbose: Show requests and decisions, too.
        quiet: Show only errors.
        file: Every record is appended to it; None writes none.

    Raises:
        InputError: Both verbose and quiet; or the file cannot be written.
    """
    global _console
    if verbose and quiet:
        raise InputError("both --verbose and --quiet", advice="give one of them")
    before = _console, logger.level
    _console = logging.DEBUG if verbose else logging.ERROR if quiet else logging.WARNING
    handlers: list[logging.Handler] = [_Console(console, _console)]
    try:
        if file is not None:
            handlers.append(_File(file, console))
        logger.setLevel(logging.DEBUG if verbose or file is not None else logging.WARNING)
        for handler in handlers:
            logger.addHandler(handler)
        yield
    finally:
        for handler in handlers:
            logger.removeHandler(handler)
            handler.close()
        _console, level = before
        logger.setLevel(level)


class _Console(logging.Handler):
    """Writes each record to the console as a line; failed requests only if requests are shown."""

    def __init__(self, console: Callable[[str], object], level: int) -> None:
        super().__init__(level)
        self._console = console

    def emit(self, record: logging.LogRecord) -> None:
        is_counted = "event" in getattr(record, "facts", {}) and self.level > logging.DEBUG
        if not (getattr(record, "is_said", False) or is_counted):
            self._console(f"{record.levelname.lower() + ':':8} {record.getMessage()}")


class _File(logging.FileHandler):
    """Appends each record to a file as a line of JSON, until that fails."""

    def __init__(self, path: Path, console: Callable[[str], object]) -> None:
        with writing(path):
            super().__init__(path, encoding="utf-8")
        self.setFormatter(_Json())
        self._path = path
        self._console = console

    def handleError(self, record: logging.LogRecord) -> None:
        """Continue without the file, and say so."""
        logger.removeHandler(self)
        self._console(f"{self._path} is written no further: {sys.exc_info()[1]}")


class _Json(logging.Formatter):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "harvest": getattr(record, "harvest", ""),
            "message": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        return msgspec.json.encode(line).decode()
