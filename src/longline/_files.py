"""Write a file whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


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
