"""longline doctor: all that a report of a problem needs, in one text without secrets."""

from __future__ import annotations

import re
from collections import Counter, deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

from longline.cli._options import Folder, Json, Output
from longline.cli._said import clean, note, say_exactly, write_file
from longline.errors import FolderError, InputError, LonglineError
from longline.files import is_of_harvest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from longline.events import AnyEvent

LAST_EVENTS = 50
LONGEST = 300
"""Letters of a value of an event that are shown."""

_LEFT_OUT = {"text", "snippet", "body", "hits", "keys"}
"""Of an event: what is long, and what documents say."""


def doctor(
    folder: Folder,
    output: Output = None,
    json: Json = False,
) -> None:
    """Collect what a bug report needs.

    Versions, the machine, the folder's files, settings and spec, the number of events of each
    kind, the newest 50 events, and the certificate. No secrets and no texts of documents. Where a
    part cannot be read, the report says why.
    """
    if not folder.is_dir():
        raise FolderError(f"{folder} is not a folder", advice="name the folder of a harvest")
    if output is not None and is_of_harvest(output, folder):
        raise InputError(f"{output} is a file of a harvest", advice="choose another file")
    facts = dict(_facts(folder))
    text = _without_secrets(folder, _as_json(facts) if json else _as_text(facts))
    if output is None:
        say_exactly(text, nl=False)
        return
    write_file(output, text)
    note(f"written to {output}; read it before you share it")


def _facts(folder: Path) -> Iterator[tuple[str, Any]]:
    """Yield each part of the report; one that cannot be had says why."""
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
            yield name, {"error": str(error)}


def _versions(_folder: Path) -> dict[str, str]:
    import platform
    import sqlite3
    from importlib.metadata import PackageNotFoundError, requires, version

    found = {
        "longline": version("longline"),
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
    """Return the bytes of each file of the folder."""
    return {path.name: path.stat().st_size for path in sorted(folder.iterdir()) if path.is_file()}


def _settings(folder: Path) -> dict[str, str]:
    from longline.harvester import open_store

    store = open_store(folder)
    try:
        return store.settings()
    finally:
        store.close()


def _spec(folder: Path) -> str:
    from longline.harvester import spec_of_folder
    from longline.source import veil, write_spec

    return write_spec(veil(spec_of_folder(folder)).spec)


def _events(folder: Path) -> dict[str, Any]:
    """Return how many events of each kind there are, and the newest; as far as they can be read."""
    from longline.harvester import open_store

    counts: Counter[str] = Counter()
    newest: deque[AnyEvent] = deque(maxlen=LAST_EVENTS)
    found: dict[str, Any] = {}
    store = open_store(folder)
    try:
        for event in store.events():
            counts[type(event).__name__] += 1
            newest.append(event)
    except LonglineError as error:
        found["error"] = str(error)
    finally:
        store.close()
    return {"counts": dict(counts), "newest": [brief(event) for event in newest], **found}


def brief(event: AnyEvent) -> dict[str, Any]:
    """Return an event as plain values, without texts of documents and bodies of answers.

    >>> from longline.events import PageReceived
    >>> from longline.model import Hit, Page, Query
    >>> brief(PageReceived(Query(("deep",)), 1, Page((Hit("a"), Hit("b")))))["page"]
    {'hits': '2 left out'}
    """
    import msgspec

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
    import msgspec

    from longline.harvester import read_books

    found: dict[str, Any] = msgspec.to_builtins(read_books(folder)[1])
    return found


def _as_json(facts: dict[str, Any]) -> str:
    import msgspec

    return msgspec.json.format(msgspec.json.encode(facts), indent=2).decode() + "\n"


def _as_text(facts: dict[str, Any]) -> str:
    """Write each part under its name; lists and tables have a line for each entry."""
    lines: list[str] = []
    for name, part in facts.items():
        lines += ["", f"== {name}"]
        lines += part.splitlines() if isinstance(part, str) else _lines(part)
    return clean("\n".join(lines[1:])) + "\n"


def _lines(part: dict[str, Any]) -> Iterator[str]:
    import msgspec

    for name, value in part.items():
        if isinstance(value, list) and value:
            yield f"{name}:"
            yield from (f"  {msgspec.json.encode(each).decode()}" for each in value)
        else:
            plain = value if isinstance(value, str) else msgspec.json.encode(value).decode()
            yield f"{name}: {plain}"


def _without_secrets(folder: Path, text: str) -> str:
    """Take out what journals of before secrets were left out may hold."""
    import os

    from longline.harvester import spec_of_folder
    from longline.secrets import masked
    from longline.source import veil

    for environment in (os.environ, None):
        try:
            return masked(veil(spec_of_folder(folder), environment).secrets.veiled(text))
        except LonglineError:  # a variable that is not set; no spec that can be read
            continue
    return masked(text)
