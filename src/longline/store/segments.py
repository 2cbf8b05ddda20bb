"""A harvest's requests and answers, in files of web archive records beside its journal.

A file being written ends in `.open`. A killed run leaves one; the next run, and all readers, use
its complete records.
"""

import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from longline.errors import StorageError
from longline.model import Capture

FOLDER = "warc"
"""Name of the folder inside a harvest's folder."""

SEGMENT_BYTES = 1_000_000_000
"""A file longer than this gets no more records."""

_OPEN = ".open"
_SUFFIX = ".warc.gz"
_PIECE_BYTES = 1 << 20


class Segments:
    """Store exchanges in files of a harvest's folder, one record after the other.

    Args:
        folder: The harvest's folder.
        source: The source that is harvested.

    Raises:
        StorageError: The folder cannot be written; each method may raise it.
    """

    def __init__(self, folder: Path, source: str) -> None:
        self._folder = folder / FOLDER
        self._source = source
        self._stream: BinaryIO | None = None
        self._path = self._folder
        with _told(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            for left in sorted(self._folder.glob(f"*{_SUFFIX}{_OPEN}")):
                _finish(left)

    def keep(self, capture: Capture) -> None:
        """Write an exchange; after this returns, it survives the death of the process."""
        from longline.store.warc import Records

        buffer = io.BytesIO()
        with _told(self._folder):
            stream = self._open()
            if not stream.tell():
                Records(buffer).about(self._path.name, self._source)
            Records(buffer).exchange(capture)
            self._append(stream, buffer.getvalue())

    def close(self) -> None:
        """Close the file and give it its final name."""
        if self._stream is not None:
            with _told(self._folder):
                os.fsync(self._stream.fileno())
                self._stream.close()
                self._stream = None
                _finish(self._path.with_name(self._path.name + _OPEN))

    def _open(self) -> BinaryIO:
        if self._stream is not None and self._stream.tell() > SEGMENT_BYTES:
            self.close()
        if self._stream is None:
            numbers = [int(each.name[:5]) for each in self._folder.glob(f"[0-9]*{_SUFFIX}")]
            self._path = self._folder / f"{max(numbers, default=0) + 1:05}{_SUFFIX}"
            opened = self._path.with_name(self._path.name + _OPEN)
            self._stream = opened.open("xb", buffering=0)
        return self._stream

    def _append(self, stream: BinaryIO, records: bytes) -> None:
        """Write everything, or nothing."""
        before = stream.tell()
        try:
            rest = memoryview(records)
            while rest:
                rest = rest[stream.write(rest) :]
        except BaseException:
            stream.seek(before)
            stream.truncate()
            raise


@contextmanager
def _told(folder: Path) -> Iterator[None]:
    """Convert system errors, and name the folder."""
    try:
        yield
    except OSError as error:
        raise StorageError(
            f"cannot write to {folder}: {error.strerror}",
            advice="free some space, or check the permissions; then run it again",
        ) from None


def has_segments(folder: Path) -> bool:
    """Return whether a harvest has stored its exchanges."""
    return any(_files(folder))


def read_segments(folder: Path) -> Iterator[bytes]:
    """Yield the stored records of a harvest, in pieces; it may be running."""
    for path in _files(folder):
        left = whole_bytes(path) if path.name.endswith(_OPEN) else path.stat().st_size
        with path.open("rb") as stream:
            while left and (piece := stream.read(min(left, _PIECE_BYTES))):
                yield piece
                left -= len(piece)


def whole_bytes(path: Path) -> int:
    """Return where the last complete record of a file ends, in bytes."""
    end = position = 0
    with path.open("rb") as stream:
        member = zlib.decompressobj(31)
        while piece := stream.read(_PIECE_BYTES):
            while piece:
                try:
                    member.decompress(piece)
                except zlib.error:
                    return end
                position += len(piece) - len(member.unused_data)
                piece = member.unused_data
                if member.eof:
                    end = position
                    member = zlib.decompressobj(31)
    return end


def _files(folder: Path) -> list[Path]:
    found = (folder / FOLDER).glob(f"[0-9]*{_SUFFIX}*")
    return sorted(each for each in found if each.name.endswith((_SUFFIX, _OPEN)))


def _finish(opened: Path) -> None:
    """Cut off an incomplete record, and give a file its final name."""
    whole = whole_bytes(opened)
    if not whole:
        opened.unlink()
        return
    if whole < opened.stat().st_size:
        os.truncate(opened, whole)
    opened.replace(opened.with_name(opened.name.removesuffix(_OPEN)))
