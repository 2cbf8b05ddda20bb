"""Write a file completely or not at all, and read lists of words; names of a harvest's files."""

import errno
import os
import re
import secrets
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

from longline.errors import FolderError, InputError, LonglineError, StorageError, cause_of

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Error numbers of a full or failing disk."""

BLOCK = 4096
"""Bytes that are written to see whether a folder can be written."""

ROOM_BYTES = 50_000_000
"""Bytes that must be free on the disk before a run starts."""

LONGEST_CELL = 2**31 - 1
"""Maximum length of a cell in characters, for `csv.field_size_limit`; its default is 131,072."""

FILES = ("harvest.db", "source.toml", "certificate.json")
"""Main files of a harvest's folder."""

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
"""Other files it may contain."""

BEGUN = ("harvest.db", "source.toml", "database.toml")
"""A harvest's folder, or one prepared by a person, contains one of these."""


def folder_name(text: str, default: str) -> str:
    """Return a name or an address as the name of a folder; `default` if no letter is left."""
    return re.sub(r"[^\w.-]+", "-", text).strip("-.") or default


def is_of_harvest(path: Path, folder: Path) -> bool:
    """Return whether a path leads to a file of a harvest, in `folder` or anywhere else.

    Links are followed, and another name of the same file is recognised.
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
    """Check that a path is a folder, and that its harvest's files are regular files.

    Raises:
        FolderError: One of them is something else, or the documents of a harvest are gone.
    """
    if folder.exists() and not folder.is_dir():
        raise FolderError(f"{folder} is a file", advice="name a folder, which may be new")
    for name in FILES:
        path = folder / name
        if path.exists() and not path.is_file():
            raise FolderError(
                f"{path} is not a file", advice="move it away, or choose another folder"
            )
    kept = [folder / name for name in ("harvest.db", "database.toml")]
    if (folder / "certificate.json").exists() and not any(map(_has_content, kept)):
        raise FolderError(
            f"{folder} has lost its documents: certificate.json is there, but harvest.db is "
            "missing or empty",
            advice="put a copy of harvest.db back, or choose another folder",
        )


def _has_content(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0


def check_is_free(folder: Path, given: Path | None = None) -> None:
    """Check that a folder to save to contains no other files, unless it is a harvest's.

    A folder with a `source.toml` is prepared for a harvest. Hidden files, which systems create, are
    ignored, and so are logs: a run may write its own there.

    Args:
        folder: It may not exist yet.
        given: A file that may be there: it says what to harvest.

    Raises:
        FolderError: It contains other files, or `check_files` fails.
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
    """Check, before any request, that a folder or its nearest parent can be written, and has room.

    Raises:
        FolderError: It cannot be written.
        StorageError: Less than `ROOM_BYTES` are free on its disk.
    """
    whole = folder.absolute()
    there = next(each for each in (whole, *whole.parents) if each.exists())
    advice = "choose a folder you may write"
    with writing(folder, FolderError, advice), TemporaryFile(dir=there) as file:
        file.write(bytes(BLOCK))
        file.flush()
    free = shutil.disk_usage(there).free
    if free < ROOM_BYTES:
        raise StorageError(
            f"only {free // 1_000_000} MB are free on the disk of {folder}",
            advice=f"free at least {ROOM_BYTES // 1_000_000} MB",
        )


@contextmanager
def writing(
    path: Path | str,
    error: type[LonglineError] = InputError,
    advice: str = "choose a file you may write",
) -> Iterator[None]:
    """Convert errors of writing into the package's own.

    Raises:
        StorageError: The disk is full.

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
    """Open a file that replaces `path` once it is completely on the disk.

    Until then, and if anything fails, the file at `path` stays unchanged, and no other file is
    left. A link is followed: its target is replaced. A pipe or a device is written to directly.

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


def delimiter_of(head: str) -> str:
    r"""Return what stands between the cells of a CSV file, by its first line.

    Spreadsheets of some countries write semicolons.

    >>> delimiter_of("url;folder"), delimiter_of("url\tfolder"), delimiter_of("url")
    (';', '\t', ',')
    """
    return max(",;\t", key=head.count)


def read_words(path: Path) -> tuple[str, ...]:
    """Return the words of a file, in order, without duplicates.

    Raises:
        InputError: The file cannot be read, or holds no words.
    """
    return _several(path, str.split, "word")


def read_queries(path: Path) -> tuple[str, ...]:
    """Return the lines of a file that are not blank, in order, without duplicates.

    Raises:
        InputError: The file cannot be read, or holds no queries.
    """
    return _several(path, lambda text: filter(None, map(str.strip, text.splitlines())), "query")


def _several(path: Path, split: Callable[[str], Iterable[str]], kind: str) -> tuple[str, ...]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        advice = "name a text file in UTF-8"
        raise InputError(f"cannot read {path}: {cause_of(error)}", advice=advice) from None
    if text.lstrip().startswith("{"):
        raise InputError(
            f"{path} holds JSON",
            advice=f"give one {kind} a line, such as from `longline cover CORPUS --queries FILE`",
        )
    found = tuple(dict.fromkeys(split(text)))
    if not found:
        raise InputError(f"{path} holds no {kind}", advice=f"give one {kind} a line")
    return found
