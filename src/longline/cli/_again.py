"""longline discover --again: learn the spec of a harvest's folder anew."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from longline.errors import FolderError

if TYPE_CHECKING:
    from collections.abc import Callable

    from longline.discover import Discoverer

KEYS = ("results.key", "results.link", "results.link_template", "results.key_ignores")
"""What makes documents themselves."""


def relearn(folder: Path, learn: Callable[[str], Discoverer]) -> tuple[Discoverer, list[str]]:
    """Learn the source of a harvest anew, and put the spec into its folder.

    The old spec is kept as `source.toml.old`, and the next run fetches the form's page anew. A
    spec that says the same as the old one is not written.

    Args:
        folder: Of a harvest that is not running.
        learn: From the address of a site to its interface.

    Returns:
        What was learnt, and a line for each key of the spec that changed.

    Raises:
        FolderError: There is no harvest, or it is running.
        InputError, SourceError: As `learn`; the folder is as it was.
    """
    from longline.harvest import held, is_harvest, spec_of_folder, write
    from longline.store import SqliteStore

    if not is_harvest(folder):
        raise FolderError(f"no harvest in {folder}", advice="name a folder made by a harvest")
    with held(folder):
        old = spec_of_folder(folder)
        learnt = learn(old.ask.form.page if old.ask.form else old.source.url)
        path = folder / "source.toml"
        before, after = path.read_bytes(), learnt.toml().encode()
        lines = changes(before.decode(), after.decode())
        if lines:
            write(folder / "source.toml.old", before)
            write(path, after)
            store = SqliteStore(folder / "harvest.db")
            try:
                store.set_setting("relearned_at", str(sum(1 for _ in store.events())))
            finally:
                store.close()
    return learnt, lines


def changes(before: str, after: str) -> list[str]:
    r"""Return a line for each key in which two specs differ.

    >>> changes('[results]\nhit = "li"\nlink = "a"', '[results]\nhit = "div"')
    ["results.hit: 'li' -> 'div'", "results.link: 'a' -> nothing"]
    """
    old, new = _flat(tomllib.loads(before)), _flat(tomllib.loads(after))
    return [
        f"{key}: {_said(old, key)} -> {_said(new, key)}"
        for key in sorted(old.keys() | new.keys())
        if old.get(key) != new.get(key)
    ]


def renames(lines: list[str]) -> bool:
    """Say whether documents may come once more, under other keys."""
    return any(line.startswith(tuple(f"{key}:" for key in KEYS)) for line in lines)


def _said(table: dict[str, Any], key: str) -> str:
    return repr(table[key]) if key in table else "nothing"


def _flat(table: dict[str, Any], above: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in table.items():
        found |= (
            _flat(value, f"{above}{name}.") if isinstance(value, dict) else {above + name: value}
        )
    return found
