"""Make a harvest from given events, without a source, for exports."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from longline.events import Stopped
from longline.harvester import Settings
from longline.store import SqliteStore

SPEC = """
[source]
name = "Shelf"
url = "https://shelf.example/"

[ask]
url = "https://shelf.example/search?q={query}"

[results]
hit = ".hit"
link = "a"
"""


@contextmanager
def shelf(folder: Path) -> Iterator[SqliteStore]:
    """Yield the store of a harvest to record events in; at the end the harvest is complete."""
    folder.mkdir(exist_ok=True)
    (folder / "source.toml").write_text(SPEC)
    store = SqliteStore(folder / "harvest.db")
    try:
        store.set_setting("settings", msgspec.json.encode(Settings()).decode())
        yield store
        store.record(Stopped(reason="all is read", target_met=True, outcome="complete"))
    finally:
        store.close()
