"""Collect all that a problem report needs, without secrets and without texts of documents."""

from __future__ import annotations

import os
import platform
import re
import sqlite3
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

import msgspec

from longline.errors import FolderError, LonglineError
from longline.events import AnyEvent
from longline.harvester import open_store, read_ledger, spec_of_folder
from longline.secrets import masked
from longline.source import veil, write_spec
from longline.version import __version__

LAST_EVENTS = 50
LONGEST = 300
"""Number of letters of an event's value that are shown."""

_LEFT_OUT = {"text", "snippet", "body", "hits", "keys"}
"""Fields of an event that are long or hold texts of documents."""


def diagnose(folder: Path) -> dict[str, Any]:
    """Return versions, files, settings, spec, events and certificate of a harvest.

    A part that cannot be read gives the reason instead.

    Raises:
        FolderError: The folder does not exist.
    """
    if not folder.is_dir():
        raise FolderError(f"{folder} is not a folder", advice="name the folder of a harvest")
    return dict(_parts(folder))


def _parts(folder: Path) -> Iterator[tuple[str, Any]]:
    """Yield each part of the report; a part that cannot be read gives the reason instead."""
    parts: dict[str, Callable[[Path], Any]] = {
        "versions": _versions,
        "files": _files,
        "settings": _settings,
        "spec": _spec,
        "events": _events,
        "certificate": _certificate,
    }
    for name, part in parts.items():
        try:
            yield name, part(folder)
        except LonglineError as error:
            yield name, {"unread": str(error)}


def _versions(_folder: Path) -> dict[str, str]:
    found = {
        "longline": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "sqlite": sqlite3.sqlite_version,
    }
    for needed in requires("longline") or ():
        name = re.split(r"[^\w.-]", needed, maxsplit=1)[0]
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not there"
    return found


def _files(folder: Path) -> dict[str, int]:
    """Return the size of each file in the folder, in bytes."""
    return {path.name: path.stat().st_size for path in sorted(folder.iterdir()) if path.is_file()}


def _settings(folder: Path) -> dict[str, str]:
    with closing(open_store(folder)) as store:
        return store.settings()


def _spec(folder: Path) -> str:
    return write_spec(veil(spec_of_folder(folder)).spec)


def _events(folder: Path) -> dict[str, Any]:
    """Return how many events of each kind there are, and the newest, as far as readable."""
    counts: Counter[str] = Counter()
    newest: deque[AnyEvent] = deque(maxlen=LAST_EVENTS)
    found: dict[str, Any] = {}
    store = open_store(folder)
    try:
        for event in store.events():
            counts[type(event).__name__] += 1
            newest.append(event)
    except LonglineError as error:
        found["unread"] = str(error)
    finally:
        store.close()
    return {"counts": dict(counts), "newest": [brief(event) for event in newest], **found}


def brief(event: AnyEvent) -> dict[str, Any]:
    """Return an event as plain values, without texts of documents and bodies of responses.

    >>> from longline.events import PageReceived
    >>> from longline.model import Hit, Page, Query
    >>> brief(PageReceived(Query(("deep",)), 1, Page((Hit("a"), Hit("b")))))["page"]
    {'hits': '2 left out'}
    """
    plain = msgspec.to_builtins(event)
    shortened: dict[str, Any] = _shortened(plain)
    return shortened


def _shortened(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: f"{len(each)} left out"
            if name in _LEFT_OUT and isinstance(each, str | list | tuple)
            else _shortened(each)
            for name, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [_shortened(each) for each in value]
    if isinstance(value, str) and len(value) > LONGEST:
        return f"{value[:LONGEST]}... ({len(value):,} letters)"
    return value


def _certificate(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(read_ledger(folder)[1])
    return found


def without_secrets(folder: Path, text: str) -> str:
    """Remove secrets from a text; older journals may still hold some."""
    for environment in (os.environ, None):
        try:
            return masked(veil(spec_of_folder(folder), environment).secrets.veiled(text))
        except LonglineError:  # a variable that is not set, or no readable spec
            continue
    return masked(text)
