"""Write a file whole or not at all; and the files of a harvest's folder, by name."""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

from longline.errors import FolderError, InputError, LonglineError, StorageError

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What the system says where a disk takes no more."""

BLOCK = 4096
"""Bytes that have to find room before a harvest begins."""

FILES = ("harvest.db", "source.toml", "certificate.json")
"""What a harvest's folder holds."""

BESIDE = (
    "database.toml",
    "harvest.db-wal",
    "harvest.db-shm",
    "source.toml.old",
    ".lock",
    "control.json",
    "budget.json",
    "standing.json",
    "schedule.json",
)
"""What it may hold beside these."""

BEGUN = ("harvest.db", "source.toml", "database.toml")
"""One of these is in a folder that is a harvest's, or that a person has made for one."""


def is_of_harvest(path: Path, folder: Path) -> bool:
    """Say whether a path leads to a file of a harvest, of the one in `folder` or of any other.

    Links are followed, and another name of the same file is known for what it is.
    """
    there = path.resolve()
    if (folder / "warc").resolve() in (there, *there.parents):
        return True
    own = [folder / name for name in (*FILES, *BESIDE)]
    if there.exists() and any(each.exists() and each.samefile(there) for each in own):
        return True
    names = FILES[0], BESIDE[0]
    is_in_one = there.parent == folder.resolve()
    is_in_one |= any((there.parent / name).is_file() for name in names)
    return is_in_one and there.name in (*FILES, *BESIDE)


def check_files(folder: Path) -> None:
    """Refuse what is no folder, or where something else has the name of a file of a harvest.

    Raises:
        FolderError: It is a folder, say.
    """
    if folder.exists() and not folder.is_dir():
        raise FolderError(f"{folder} is a file", advice="name a folder, which may be new")
    for name in FILES:
        path = folder / name
        if path.exists() and not path.is_file():
            raise FolderError(
                f"{path} is not a file", advice="move it away, or choose another folder"
            )


def check_is_free(folder: Path, given: Path | None = None) -> None:
    """Refuse a folder to save to that holds somebody else's files, and no harvest.

    A folder with a `source.toml` is meant for one. Hidden files, which systems leave, are none, nor
    are logs: a run may write its own there.

    Args:
        folder: It may be absent.
        given: A file that may be there: it says what to harvest.

    Raises:
        FolderError: It holds others, or `check_files` refuses it.
    """
    check_files(folder)
    if not folder.exists() or any((folder / name).exists() for name in BEGUN):
        return
    with writing(folder, FolderError, "choose a folder you may write"):
        names = sorted(each.name for each in folder.iterdir() if each != given)
    own = (*FILES, *BESIDE)
    others = [n for n in names if n not in own and not n.startswith(".") and not n.endswith("log")]
    if others:
        more = f" and {len(others) - 1:,} more" if len(others) > 1 else ""
        raise FolderError(
            f"{folder} holds no harvest, but other files: {others[0]}{more}",
            advice="name a new folder, or an empty one",
        )


def check_room(folder: Path) -> None:
    """Make sure that a folder, or where it is to be made, takes a file: before anything is asked.

    Raises:
        FolderError: It takes none.
        StorageError: There is no room.
    """
    whole = folder.absolute()
    there = next(each for each in (whole, *whole.parents) if each.exists())
    advice = "choose a folder you may write"
    with writing(folder, FolderError, advice), TemporaryFile(dir=there) as file:
        file.write(bytes(BLOCK))
        file.flush()


@contextmanager
def writing(
    path: Path | str,
    error: type[LonglineError] = InputError,
    advice: str = "choose a file you may write",
) -> Iterator[None]:
    """Say in an error of ours why something cannot be written.

    Raises:
        StorageError: There is no room.

    >>> with writing(Path("/no/such/folder/file")):
    ...     Path("/no/such/folder/file").touch()
    Traceback (most recent call last):
        ...
    longline.errors.InputError: cannot write /no/such/folder/file: No such file or directory; \
choose a file you may write
    """
    try:
        yield
    except OSError as problem:
        if problem.errno in NO_ROOM:
            error, advice = StorageError, "free some space, and run it again"
        what = f"cannot write {path}: {problem.strerror or problem}"
        raise error(what, advice=advice) from None


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a file that takes the place of `path` when all of it is on the disk.

    Until then, and where anything fails, what stands at `path` stays as it is, and nothing is
    left beside it. A link is followed: the file that it names is replaced. What is no regular
    file, such as a pipe or a device, is written to directly.

    Raises:
        OSError: It cannot be written, or `path` is a folder.
    """
    target = path.resolve()
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            yield stream
        return
    beside = target.with_name(f".{target.name[:200]}.{secrets.token_hex(4)}.new")
    try:
        with beside.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if target.is_file():
            beside.chmod(stat.S_IMODE(target.stat().st_mode))
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
