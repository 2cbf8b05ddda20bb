"""Test what is specific to the store in a PostgreSQL database."""

from pathlib import Path

import pytest
from tests.postgres import Server, server, start_server

import longline
from longline.dashboard.detail import Detail
from longline.errors import FolderError, InputError, StorageError
from longline.events import DocumentReceived
from longline.harvester import harvests_of_database, open_store
from longline.model import Document
from longline.store import SqliteStore
from longline.store.postgres import PostgresStore, folders_in, shown

SECRET = "pa55-w0rd-of-the-database"


@pytest.fixture
def url() -> str:
    """Return the URL of an empty database."""
    return server().database()


@pytest.fixture
def own_server() -> Server:
    """Return a server that the test may stop."""
    return start_server()


def told(folder: Path) -> list[object]:
    """Return every event of a harvest's journal."""
    store = open_store(folder)
    try:
        return list(store.events())
    finally:
        store.close()


@pytest.mark.slow
def test_a_harvest_is_as_one_in_a_file(url: str, tmp_path: Path) -> None:
    """An interrupted and resumed harvest has the same documents, searches, exports and reports.

    Documents of one page are requested in parallel, and may be received in another order.
    """
    with longline.demo_site() as site:
        for place, options in (("file", {}), ("server", {"database": url})):
            for most in (25, 40):
                longline.harvest(
                    site, tmp_path / place, allow_private=True, max_requests=most, **options
                )
    assert not (tmp_path / "server" / "harvest.db").exists()
    ours, theirs = (longline.open(tmp_path / each) for each in ("server", "file"))
    assert {each.key: each for each in ours.documents} == {
        each.key: each for each in theirs.documents
    }
    assert ours.certificate.documents == theirs.certificate.documents > 10
    assert [row.query for row in ours.queries] == [row.query for row in theirs.queries]
    lines = []
    for place in ("server", "file"):
        longline.export(tmp_path / place, "jsonl", tmp_path / f"{place}.jsonl")
        lines.append(sorted((tmp_path / f"{place}.jsonl").read_text().splitlines()))
    assert lines[0] == lines[1]
    longline.report(tmp_path / "server", tmp_path / "report.html")
    assert folders_in(url) == [str(tmp_path / "server")]


@pytest.mark.slow
def test_an_update_stays_in_the_database(url: str, tmp_path: Path) -> None:
    """The earlier harvest is read from its history in the database."""
    folder = tmp_path / "shelf"
    with longline.demo_site() as site:
        first = longline.harvest(
            site, folder, allow_private=True, max_requests=40, database=url
        ).certificate.documents
        longline.update(folder, allow_private=True, max_requests=60, finish=True)
    assert not list(folder.rglob("harvest.db"))
    assert longline.open(folder / "history" / "1").certificate.documents == first
    assert longline.open(folder).certificate.update is not None


@pytest.mark.slow
def test_a_harvest_moves_there_and_back(url: str, tmp_path: Path) -> None:
    """Every entry, document and setting is moved, and the harvest continues from there."""
    folder = tmp_path / "shelf"
    with longline.demo_site() as site:
        longline.harvest(site, folder, allow_private=True, max_requests=25)
        before, span = told(folder), longline.open(folder).certificate.begun_at
        assert longline.move(folder, url) == len(before)
        assert told(folder) == before
        assert not list(folder.glob("harvest.db*"))
        with pytest.raises(FolderError, match="already"):
            longline.move(folder, url)
        after = longline.harvest(folder, allow_private=True, max_requests=40)
        assert after.certificate.begun_at == span
        grown = told(folder)
        assert len(grown) > len(before)
        assert longline.move(folder) == len(grown)
    assert told(folder) == grown
    assert not (folder / "database.toml").exists()


@pytest.mark.slow
def test_no_password_is_written(url: str, tmp_path: Path) -> None:
    """Neither the folder nor an error contains the password; the process can still use it."""
    given = url.replace("longline@", f"longline:{SECRET}@")
    with longline.demo_site() as site:
        longline.harvest(site, tmp_path / "a", allow_private=True, max_requests=15, database=given)
    for path in (each for each in (tmp_path / "a").rglob("*") if each.is_file()):
        assert SECRET.encode() not in path.read_bytes()
    assert shown(given) == url
    nowhere = f"postgresql://longline:{SECRET}@127.0.0.1:1/none"
    with pytest.raises(StorageError, match="cannot open") as error:
        longline.harvest("http://127.0.0.1:1/", tmp_path / "b", database=nowhere)
    assert SECRET not in str(error.value)
    assert not (tmp_path / "b").exists()


@pytest.mark.slow
def test_another_place_than_the_harvests_own_is_refused(url: str, tmp_path: Path) -> None:
    """No second store is created beside an existing one."""
    with longline.demo_site() as site:
        longline.harvest(site, tmp_path, allow_private=True, max_requests=15)
        with pytest.raises(FolderError, match=r"harvest\.db, not in postgresql://"):
            longline.harvest(site, tmp_path, allow_private=True, database=url)


@pytest.mark.parametrize("wrong", ["mysql://host/name", "a file", "postgresql:/x", "://"])
def test_what_is_no_database_is_refused(wrong: str) -> None:
    """The error shows a valid database URL."""
    with pytest.raises(InputError, match="postgresql://USER@HOST/NAME"):
        PostgresStore.create(wrong, "anywhere")


def test_a_harvest_that_the_database_has_not_is_named(url: str) -> None:
    """This holds for an empty database, and for one with other harvests."""
    with pytest.raises(FolderError, match="holds no harvest 7"):
        PostgresStore(url, 7)
    PostgresStore.create(url, "anywhere")
    with pytest.raises(FolderError, match="holds no harvest 7"):
        PostgresStore(url, 7)


def test_long_keys_and_queries_have_room(url: str) -> None:
    """They may be longer than an index of PostgreSQL allows (3,000 bytes)."""
    store = PostgresStore(url, PostgresStore.create(url, "anywhere"))
    keys = [f"http://x.org/{letter * 20_000}" for letter in "ab"]
    store.record(*(DocumentReceived(Document(key, text=key)) for key in keys))
    store.record(DocumentReceived(Document(keys[0], text="newer")))
    held = [(each.key, each.text) for each in store.documents()]
    store.close()
    assert held == [(keys[0], "newer"), (keys[1], keys[1])]


@pytest.mark.slow
def test_held_documents_come_by_their_keys(url: str, tmp_path: Path) -> None:
    """Exactly the requested and held documents are returned, from a file and a database."""
    keys = [f"k{number}" for number in range(1200)] + ["zero\0", "mark\x1a", "ü" * 9000]
    for store in (
        PostgresStore(url, PostgresStore.create(url, str(tmp_path))),
        SqliteStore(tmp_path / "harvest.db"),
    ):
        store.record(*(DocumentReceived(Document(key, text=f"of {key[:9]}")) for key in keys))
        asked = [*keys[::2], "none"]
        held = store.held(asked)
        assert held == {key: Document(key, text=f"of {key[:9]}") for key in keys[::2]}
        assert store.held([]) == {}
        store.close()


@pytest.mark.slow
def test_a_server_that_stops_loses_nothing_recorded(own_server: Server, tmp_path: Path) -> None:
    """The writer gets an error; the same store works again when the server is back."""
    url = own_server.database()
    store = PostgresStore(url, PostgresStore.create(url, str(tmp_path)))
    store.record(DocumentReceived(Document("a")))
    own_server.stop()
    with pytest.raises(StorageError, match="everything recorded so far is safe"):
        store.record(DocumentReceived(Document("b")))
    own_server.start()
    store.record(DocumentReceived(Document("c")))
    assert [each.key for each in store.documents()] == ["a", "c"]
    store.close()


@pytest.mark.slow
def test_a_database_stands_for_the_folders_of_its_harvests(url: str, tmp_path: Path) -> None:
    """Only folders on this machine that still use the database count; none is an error."""
    with pytest.raises(InputError, match="no harvest of this machine and no fleet is in"):
        longline.serve_dashboard(url)
    with longline.demo_site() as site:
        for name in ("here", "moved away"):
            folder = tmp_path / name
            longline.harvest(site, folder, allow_private=True, max_requests=15, database=url)
    detail = Detail(tmp_path / "here")  # the view of one harvest in the dashboard
    assert detail.catch_up() > 10
    detail.close()
    longline.move(tmp_path / "moved away")
    PostgresStore.create(url, str(tmp_path / "on another machine"))
    assert harvests_of_database(url) == [tmp_path / "here"]
