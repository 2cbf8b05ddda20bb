"""Export a harvest: a format by its name, a file that appears when all of it is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Protocol

from longline import plugins
from longline.errors import FolderError, InputError, UnknownNameError
from longline.exports.formats import write_csv, write_jsonl
from longline.files import is_of_harvest, replacing
from longline.harvester import check_harvest, read_documents
from longline.model import Document


class Format(Protocol):
    """Write documents to a stream; one of these stands behind each entry point of exports."""

    def __call__(self, documents: Iterable[Document], stream: BinaryIO) -> int:
        """Write each as it comes, keep none, and return how many they were."""


FORMATS: dict[str, Format] = {"jsonl": write_jsonl, "csv": write_csv}


def format_names() -> list[str]:
    """Return the names of the formats, those that other packages add included."""
    return [*FORMATS, *(name for name in plugins.names("longline.exports") if name not in FORMATS)]


def writer_of(name: str) -> Format:
    """Return what writes a format.

    Raises:
        UnknownNameError: There is none of this name.
        InputError: The package that has it cannot be imported.
    """
    found: Format | None = FORMATS.get(name) or plugins.load("longline.exports", name)
    if found is None:
        raise UnknownNameError("format", name, format_names())
    return found


def export(folder: Path, to: str, target: Path | BinaryIO) -> int:
    """Write the documents of a harvest, in the order in which they came.

    Args:
        folder: Of the harvest; it may be running.
        to: One of `format_names()`.
        target: A file, which appears when all of it is written and takes the place of what was
            there; or a binary stream that is open.

    Returns:
        How many documents were written.

    Raises:
        FolderError: There is no harvest, or it is damaged; a stream has what comes before.
        InputError: There is no such format, or the file cannot be written.
    """
    check_harvest(folder)
    write = writer_of(to)
    if not isinstance(target, Path):
        return _to_stream(folder, write, target)
    if is_of_harvest(target, folder):
        raise InputError(f"{target} is a file of a harvest", advice="choose another file")
    try:
        with replacing(target) as stream:
            return write(read_documents(folder), stream)
    except OSError as error:
        raise InputError(
            f"cannot write {target}: {error.strerror}", advice="choose a file you may write"
        ) from None


def _to_stream(folder: Path, write: Format, stream: BinaryIO) -> int:
    """Write what can be read, also of a harvest that is damaged further on."""
    read = 0

    def counted() -> Iterator[Document]:
        nonlocal read
        for document in read_documents(folder):
            yield document
            read += 1

    try:
        return write(counted(), stream)
    except FolderError as error:
        before = f"; only {read:,} documents could be read and written" if read else ""
        raise FolderError(f"{error.message}{before}", advice=error.advice) from error
