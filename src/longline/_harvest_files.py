"""The files of a harvest's folder, by name."""

from __future__ import annotations

from pathlib import Path

from longline.errors import FolderError

FILES = ("harvest.db", "source.toml", "certificate.json")
"""What a harvest's folder holds."""

BESIDE = ("harvest.db-wal", "harvest.db-shm", "source.toml.old", ".lock")
"""What it may hold beside these."""


def is_of_harvest(path: Path, folder: Path) -> bool:
    """Say whether a path leads to a file of a harvest, of the one in `folder` or of any other.

    Links are followed, and another name of the same file is known for what it is.
    """
    there = path.resolve()
    own = [folder / name for name in (*FILES, *BESIDE)]
    if there.exists() and any(each.exists() and each.samefile(there) for each in own):
        return True
    is_in_one = (there.parent / FILES[0]).is_file() or there.parent == folder.resolve()
    return is_in_one and there.name in (*FILES, *BESIDE)


def check_files(folder: Path) -> None:
    """Refuse a folder where something else has the name of a file of a harvest.

    Raises:
        FolderError: It is a folder, say.
    """
    for name in FILES:
        path = folder / name
        if path.exists() and not path.is_file():
            raise FolderError(
                f"{path} is no file", advice="move it away, or harvest into another folder"
            )
