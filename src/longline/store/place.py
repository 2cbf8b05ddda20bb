"""Where a harvest's journal is: in a file of its folder, or in a database that the folder names."""

import tomllib
from contextlib import closing
from pathlib import Path

import msgspec
import tomli_w

from longline.errors import FolderError
from longline.files import replacing
from longline.store._leases import Lease
from longline.store.postgres import PostgresStore, folders_in, remember, shown
from longline.store.sqlite import SqliteStore
from longline.store.tables import TableStore

database_name = shown
"""Return a database's URL without its password."""

FILE = "harvest.db"
UNFINISHED = f".{FILE}.new"
POINTER = "database.toml"


class Place(msgspec.Struct, frozen=True, omit_defaults=True):
    """A harvest in a database.

    Attributes:
        url: URL of the database, without a password.
        harvest: Its number there; None if it has not started.
        lease: The lease to write under, if many processes write.
    """

    url: str
    harvest: int | None = None
    lease: Lease | None = None


def place_of(folder: Path) -> Place | None:
    """Return the database that a folder names, or None if the journal is a file.

    Raises:
        FolderError: The file that names it is damaged.
    """
    path = folder / POINTER
    if not path.is_file():
        return None
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Place)
    except (ValueError, msgspec.ValidationError) as error:
        raise FolderError(
            f"{path} is damaged: {error}", advice="put back an earlier copy"
        ) from None


def keep_place(folder: Path, place: Place) -> None:
    """Write the file by which a folder names a database."""
    with replacing(folder / POINTER) as stream:
        stream.write(tomli_w.dumps(msgspec.to_builtins(place, builtin_types=())).encode())


def journal_file(folder: Path) -> Path:
    """Return the file of a folder's journal or of its database's name; it may not exist."""
    return folder / (POINTER if (folder / POINTER).is_file() else FILE)


def is_harvest(folder: Path) -> bool:
    """Return whether a folder contains a harvest, even a damaged one."""
    try:
        place = place_of(folder)
    except FolderError:
        return True
    if place is not None:
        return place.harvest is not None
    path = folder / FILE
    return path.is_file() and path.stat().st_size > 0


def journal_of(folder: Path, *, read_only: bool = False) -> TableStore:
    """Open the journal of a folder that contains a harvest.

    Raises:
        FolderError, StorageError: As the stores.
    """
    place = place_of(folder)
    if place is None or place.harvest is None:
        return SqliteStore(folder / FILE, read_only=read_only)
    return PostgresStore(place.url, place.harvest, place.lease)


def harvests_of_database(url: str) -> list[Path]:
    """Return the folders on this machine whose harvests are in a database.

    Args:
        url: A password in it is remembered in this process, and never written.

    Raises:
        InputError: It is not a database URL.
        StorageError: It cannot be opened.
    """
    remember(url)
    named = [Path(folder) for folder in folders_in(url)]
    places = ((folder, place_of(folder)) for folder in named)
    return [folder for folder, place in places if place is not None and place.url == shown(url)]


def choose_database(folder: Path, url: str) -> None:
    """Keep a folder's harvest, which may be new, in a database.

    Args:
        folder: Created if it does not exist.
        url: A password in it is remembered in this process, and never written.

    Raises:
        InputError: It is not a database URL.
        FolderError: The folder's harvest is elsewhere.
    """
    name, place = shown(url), place_of(folder)
    remember(url)
    if is_harvest(folder) and (place is None or place.url != name):
        raise FolderError(
            f"the harvest in {folder} is in {FILE if place is None else place.url}, not in {name}",
            advice=f"move it with `longline move {folder}`, or choose another folder",
        )
    if place is None or place.url != name:
        folder.mkdir(parents=True, exist_ok=True)
        keep_place(folder, Place(name))


def begin_beside(folder: Path, other: Path) -> None:
    """Let a new harvest in another folder use the same database as this folder's."""
    place = place_of(folder)
    if place is not None and not is_harvest(other):
        other.mkdir(parents=True, exist_ok=True)
        keep_place(other, Place(place.url))


def move_journal(folder: Path, url: str | None) -> int:
    """Copy a folder's journal into a database, or into a file, and let the folder use the copy.

    If the process is killed at any moment, the folder still has the complete harvest. Rows left in
    a database are not deleted.

    Args:
        folder: Contains a harvest that is not running.
        url: URL of the database; None for the folder's own file.

    Returns:
        The number of journal entries.

    Raises:
        FolderError: It is there already.
    """
    place = place_of(folder)
    name = None if url is None else shown(url)
    if (place.url if place is not None else None) == name:
        raise FolderError(
            f"the harvest in {folder} is in {name or FILE} already",
            advice="name the database to move to by --database",
        )
    with closing(journal_of(folder)) as source:
        if url is None:
            return _into_file(source, folder)
        remember(url)
        return _into_database(source, folder, url)


def _into_file(source: TableStore, folder: Path) -> int:
    with closing(_unfinished(folder)) as target:
        moved = target.take(source)
        target.settle()
    (folder / UNFINISHED).replace(folder / FILE)
    (folder / POINTER).unlink()
    return moved


def _into_database(source: TableStore, folder: Path, url: str) -> int:
    harvest = PostgresStore.create(url, str(folder.resolve()))
    with closing(PostgresStore(url, harvest)) as target:
        moved = target.take(source)
    keep_place(folder, Place(shown(url), harvest))
    for left in folder.glob(f"{FILE}*"):
        left.unlink()
    return moved


def begin_journal(folder: Path) -> TableStore:
    """Return a new journal not yet in use by the folder; `name_journal` makes it the folder's."""
    place = place_of(folder)
    if place is not None:
        harvest = PostgresStore.create(place.url, str(folder.resolve()))
        return PostgresStore(place.url, harvest, place.lease)
    return _unfinished(folder)


def _unfinished(folder: Path) -> SqliteStore:
    """Return a new journal beside the folder's own, in place of one that a killed run left."""
    for left in folder.glob(f"{UNFINISHED}*"):
        left.unlink()
    return SqliteStore(folder / UNFINISHED)


def name_journal(folder: Path, store: TableStore) -> None:
    """Make a new, closed journal the folder's own."""
    place = place_of(folder)
    if place is None:
        (folder / UNFINISHED).replace(folder / FILE)
    else:
        keep_place(folder, msgspec.structs.replace(place, harvest=store.harvest))
