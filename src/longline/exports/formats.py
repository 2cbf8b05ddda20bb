"""The formats by name, and what each needs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Literal, Protocol, cast

import msgspec

from longline import plugins
from longline.errors import UnknownNameError
from longline.exports.columns import Table
from longline.exports.material import Material
from longline.exports.rows import write_csv, write_jsonl
from longline.plugins import needed


class Format(Protocol):
    """Writes documents to a stream; each entry point of exports is one."""

    def __call__(self, documents: Table, stream: BinaryIO) -> int:
        """Write documents one by one, without storing them, and return their number."""


class Writer(msgspec.Struct, frozen=True, kw_only=True):
    """Writes a format.

    Attributes:
        write: Writes an export, and returns the number of documents.
        into: Its output: an open stream, a new file, or a new folder.
        is_text: It can be written to a terminal or a pipe.
        takes_many: It can hold the documents of several harvests.
    """

    write: Callable[[Material, Any], int]
    into: Literal["stream", "file", "folder"] = "stream"
    is_text: bool = False
    takes_many: bool = False

    def __call__(self, material: Material, path: Path) -> int:
        """Write to a path that does not exist."""
        if self.into != "stream":
            return self.write(material, path)
        with path.open("xb") as stream:
            return self.write(material, stream)


class _Module(msgspec.Struct, frozen=True):
    """The module of a format, and what it needs; its function `write_NAME` takes a `Material`."""

    module: str
    into: Literal["stream", "file", "folder"] = "stream"
    extra: str = ""


_MODULES = {
    "parquet": _Module("parquet", extra="arrow"),
    "sqlite": _Module("database", "file"),
    "warc": _Module("warc", extra="archive"),
    "wacz": _Module("wacz", "file", "archive"),
    "ro-crate": _Module("crate", "folder"),
    "hugging-face": _Module("hugging_face", "folder", "arrow"),
}


_TEXT: dict[str, Format] = {"jsonl": write_jsonl, "csv": write_csv}


def format_names() -> list[str]:
    """Return the names of the formats, including those of other packages."""
    own = [*_TEXT, *_MODULES]
    return own + [name for name in plugins.names("longline.exports") if name not in own]


def writer_of(name: str) -> Writer:
    """Return the writer of a format.

    Raises:
        UnknownNameError: There is no format with this name.
        InputError: A library it needs is not installed, or cannot be imported.
    """
    if name in _MODULES:
        return _own(name, _MODULES[name])
    added = cast("Format | None", _TEXT.get(name) or plugins.load("longline.exports", name))
    if added is None:
        raise UnknownNameError("format", name, format_names())
    return Writer(
        write=lambda material, stream: added(material.table, stream), is_text=True, takes_many=True
    )


def _own(name: str, found: _Module) -> Writer:
    module = needed(f"longline.exports.{found.module}", found.extra, f"the format {name!r}")
    write = getattr(module, f"write_{name.replace('-', '_')}")
    return Writer(write=write, into=found.into, takes_many=name == "parquet")
