"""Move a harvest's journal between its folder and a database."""

from __future__ import annotations

from pathlib import Path

from longline.errors import FolderError
from longline.harvester import check_harvest, held, move_journal
from longline.updates import UNDER_WAY


def move(folder: str | Path, database: str | None = None) -> int:
    """Move the journal and the documents of a harvest into a database, or back into its folder.

    What is copied stands whole before the folder names it. Rows in a database that the harvest
    leaves stay there; so do the harvests before an update.

    Args:
        folder: Of a harvest that does not run.
        database: URL of a PostgreSQL database; None moves it into `harvest.db`.

    Returns:
        How many entries the journal has.

    Raises:
        InputError: It is no URL of a PostgreSQL database.
        FolderError: There is no harvest, it is there already, or it runs.
        StorageError: The database cannot be opened or written.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     first = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> longline.move(folder, "mysql://host/name")
        Traceback (most recent call last):
        longline.errors.InputError: 'mysql' does not begin the URL of a PostgreSQL database; \
give one like postgresql://USER@HOST/NAME
    """
    folder = Path(folder)
    check_harvest(folder)
    if (folder / UNDER_WAY).exists():
        raise FolderError(
            f"an update of {folder} is under way", advice=f"finish it: longline update {folder}"
        )
    with held(folder):
        return move_journal(folder, database)
