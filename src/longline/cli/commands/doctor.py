"""longline doctor: all that a report of a problem needs, in one text without secrets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from longline.cli._options import Folder, Json, Output
from longline.cli._said import note, say_exactly, write_file
from longline.errors import InputError
from longline.text.safe import clean


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
    from longline.api import diagnose, without_secrets
    from longline.files import is_of_harvest

    facts = diagnose(folder)
    if output is not None and is_of_harvest(output, folder):
        raise InputError(f"{output} is a file of a harvest", advice="choose another file")
    text = without_secrets(folder, _as_json(facts) if json else _as_text(facts))
    if output is None:
        say_exactly(text, nl=False)
        return
    write_file(output, text)
    note(f"written to {output}; read it before you share it")


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
