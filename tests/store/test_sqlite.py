"""Test what is specific to the store on disk."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from longline.errors import FolderError, StorageError
from longline.events import (
    DocumentFailed,
    DocumentReceived,
    PageFailed,
    PageReceived,
    Stopped,
)
from longline.model import Document, Page, Query, Response
from longline.store import SqliteStore

FILL_UP = """
import resource, signal, sys
from pathlib import Path
from longline.errors import StorageError
from longline.events import (
    DocumentFailed,
    DocumentReceived,
    PageFailed,
    PageReceived,
    Stopped,
)
from longline.model import Document, Page, Query
from longline.store import SqliteStore

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
store = SqliteStore(Path(sys.argv[1]))
for number in range(100):
    try:
        store.record(DocumentReceived(Document(f"k{number}", text="x" * 20_000)))
    except StorageError as error:
        print(number)
        print(error)
        break
store.close()
"""

KILLED = """
import os, signal, sys
from pathlib import Path
from longline.events import (
    DocumentFailed,
    DocumentReceived,
    PageFailed,
    PageReceived,
    Stopped,
)
from longline.model import Document, Page, Query
from longline.store import SqliteStore

store = SqliteStore(Path(sys.argv[1]))
for number in range(50):
    store.record(DocumentReceived(Document(f"k{number}")))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_full_disk_is_a_clear_error_and_loses_nothing(tmp_path: Path) -> None:
    """When the disk is full, the error says so and all earlier records are kept."""
    path = tmp_path / "harvest.db"
    # -B, since a compiled module that does not fit would be saved in part.
    command = [sys.executable, "-B", "-c", FILL_UP, str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    recorded, message = run.stdout.splitlines()
    assert int(recorded) > 0
    assert str(path) in message
    assert "free some space" in message
    store = SqliteStore(path)
    assert len(list(store.documents())) == int(recorded)
    store.close()


def test_killed_process_loses_nothing_recorded(tmp_path: Path) -> None:
    """After kill -9 every finished transaction is kept."""
    path = tmp_path / "harvest.db"
    assert subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False).returncode == -9
    store = SqliteStore(path)
    assert [document.key for document in store.documents()] == [f"k{n}" for n in range(50)]
    store.close()


def test_foreign_file_is_refused(tmp_path: Path) -> None:
    """A file that is not a database is reported, not overwritten."""
    path = tmp_path / "harvest.db"
    path.write_text("these are my notes, " * 100)
    with pytest.raises(FolderError, match="not made by longline"):
        SqliteStore(path)
    assert path.read_text().startswith("these are my notes")


def test_other_schema_is_refused(tmp_path: Path) -> None:
    """A store of another version is refused, and the error names both versions."""
    path = tmp_path / "harvest.db"
    store = SqliteStore(path)
    store.set_setting("schema", "99")
    store.close()
    with pytest.raises(FolderError, match="schema 99"):
        SqliteStore(path)


def test_folder_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    """A path in a missing folder raises an error that names it."""
    with pytest.raises(StorageError, match="nowhere"):
        SqliteStore(tmp_path / "nowhere" / "harvest.db")


@pytest.mark.parametrize("name", ["what?", "a#b", "100%41", "two words", "ü✓"])
def test_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    """The store is in the named folder, even if the name has special characters for a URL."""
    folder = tmp_path / name
    folder.mkdir()
    store = SqliteStore(folder / "harvest.db")
    store.record(DocumentReceived(Document("k1")))
    store.close()
    reader = SqliteStore(folder / "harvest.db", read_only=True)
    assert reader.document("k1") is not None
    reader.close()
    assert [path.name for path in tmp_path.iterdir()] == [name]


READ = """
import sys
from pathlib import Path
from longline.store import SqliteStore

store = SqliteStore(Path(sys.argv[1]), read_only=True)
print(*[document.key for document in store.documents()])
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("setpriv") is None, reason="needs setpriv")
def test_folder_that_cannot_be_written_can_be_read(tmp_path: Path) -> None:
    """A harvest on a read-only medium can be read."""
    folder = tmp_path / "got"
    folder.mkdir()
    store = SqliteStore(folder / "harvest.db")
    store.record(DocumentReceived(Document("k1")))
    store.close()
    folder.chmod(0o555)
    unprivileged = ["setpriv", "--bounding-set=-dac_override"] if os.geteuid() == 0 else []
    command = [*unprivileged, sys.executable, "-c", READ, str(folder / "harvest.db")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    folder.chmod(0o755)
    assert (done.stdout, done.stderr) == ("k1\n", "")


def test_damage_is_a_clear_error(tmp_path: Path) -> None:
    """Overwritten pages of a store are reported as damage, wherever they are read."""
    path = tmp_path / "harvest.db"
    store = SqliteStore(path)
    for number in range(50):
        store.record(DocumentReceived(Document(f"k{number}", text="x" * 2000)))
    store.close()
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with (
        pytest.raises(FolderError, match="damaged"),
        closing(SqliteStore(path, read_only=True)) as reader,
    ):
        list(reader.documents())
    path.write_bytes(whole.replace(b'{"key":', b"\0\0\0\0\0\0\0"))
    with (
        pytest.raises(FolderError, match="damaged"),
        closing(SqliteStore(path, read_only=True)) as reader,
    ):
        list(reader.events())


def test_reader_sees_a_running_writer(tmp_path: Path) -> None:
    """A read-only store sees what another connection records, and cannot write."""
    path = tmp_path / "harvest.db"
    writer = SqliteStore(path)
    writer.record(DocumentReceived(Document("k1")))
    reader = SqliteStore(path, read_only=True)
    assert reader.document("k1") is not None
    writer.record(DocumentReceived(Document("k2")))
    assert reader.document("k2") is not None
    with pytest.raises(StorageError):
        reader.record(DocumentReceived(Document("k3")))
    reader.close()
    writer.close()


def test_reading_needs_a_harvest(tmp_path: Path) -> None:
    """Reading a missing harvest creates no file."""
    with pytest.raises(FolderError):
        SqliteStore(tmp_path / "harvest.db", read_only=True)
    assert not list(tmp_path.iterdir())


def test_requests_of_a_day_are_counted(tmp_path: Path) -> None:
    """The requests of all entries since a moment are summed, including default costs."""
    with_cost = SqliteStore(tmp_path / "harvest.db")
    before = with_cost.span()[0]
    with_cost.record(
        PageReceived(Query(("a",)), 1, Page()),
        PageReceived(Query(("b",)), 1, Page(), requests=3),
        PageReceived(Query(("b",)), 1, Page(), requests=0),
        PageFailed(Query(("c",)), 1, "status 500", 4),
        PageFailed(Query(("d",)), 1, "no such host"),
        DocumentReceived(Document("k1")),
        DocumentReceived(Document("k2"), requests=0),
        DocumentFailed("k3", "", "status 404", 1),
        Stopped("done", target_met=True),
    )
    assert with_cost.requests_since(before) == 1 + 3 + 4 + 1 + 1
    assert with_cost.requests_since(before + 3600) == 0
    with_cost.close()


def old_store(path: Path) -> None:
    """Make a store as it was before documents had a language."""
    store = SqliteStore(path)
    store.record(DocumentReceived(Document("k1", title="One", text="deep web")))
    store.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("ALTER TABLE documents DROP COLUMN language")


def test_store_without_languages_can_be_read(tmp_path: Path) -> None:
    """An older store can be read, and its documents have no language."""
    path = tmp_path / "harvest.db"
    old_store(path)
    reader = SqliteStore(path, read_only=True)
    assert list(reader.documents()) == [Document("k1", title="One", text="deep web")]
    assert next(reader.events()) == DocumentReceived(reader.document("k1") or Document(""))
    reader.close()


def test_store_without_languages_goes_on(tmp_path: Path) -> None:
    """A harvest that continues in an older store records languages."""
    path = tmp_path / "harvest.db"
    old_store(path)
    store = SqliteStore(path)
    store.record(DocumentReceived(Document("k2", text="tiefes Netz", language="de")))
    assert [document.language for document in store.documents()] == ["", "de"]
    assert [event.document.language for event in store.events()] == ["", "de"]  # type: ignore[union-attr]
    store.close()


@pytest.mark.parametrize("harm", ["removed", "replaced"])
def test_a_store_that_was_taken_away_takes_nothing_more(tmp_path: Path, harm: str) -> None:
    """Writing to a file that was removed or replaced is refused, and the error says why."""
    path = tmp_path / "harvest.db"
    store = SqliteStore(path)
    store.record(DocumentReceived(Document("k1")))
    if harm == "removed":
        path.unlink()
    else:
        shutil.copy(path, tmp_path / "other")
        (tmp_path / "other").replace(path)
    with pytest.raises(StorageError, match="removed, moved or replaced"):
        store.record(DocumentReceived(Document("k2")))
    with pytest.raises(StorageError, match="removed, moved or replaced"):
        store.set_setting("a", "b")
    store.close()


@pytest.mark.parametrize("most", [0, 2])
def test_so_many_answers_are_kept_as_they_came(tmp_path: Path, most: int) -> None:
    """Of failed pages the newest are kept; with a maximum of 0, none is."""
    store, query = SqliteStore(tmp_path / "harvest.db"), Query(("web",))
    store.most_answers = most
    for number in range(1, 5):
        body = f"page {number}".encode()
        store.see(query, number, Response(url="http://x.example/", status=200, body=body))
        store.record(PageFailed(query, number, "torn"))
    kept = [answer.body for number in range(1, 5) for answer in store.answers(query, number)]
    store.close()
    assert kept == [b"page 3", b"page 4"][:most]
