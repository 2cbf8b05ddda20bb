"""A harvest for the format writers: documents, columns, certificate, spec."""

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from functools import cached_property
from itertools import chain
from pathlib import Path
from threading import Event
from typing import TypeVar

import msgspec
from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

from longline.errors import InputError, Interrupted, LonglineError
from longline.exports.columns import ATTACHMENTS, Table
from longline.harvester import (
    contents_of_folder,
    newest_certificate,
    open_store,
    read_documents,
    read_ledger,
    spec_of_folder,
)
from longline.ledger import Certificate, to_json
from longline.model import Document
from longline.model.fields import Column, both
from longline.source import veil, write_spec

_Read = TypeVar("_Read")

CERTIFICATE = "certificate.json"

HARVEST = "harvest"
"""The column with the folder of a document's harvest, where several are exported together."""


class Credit(msgspec.Struct, frozen=True, kw_only=True):
    """Facts about the documents that the harvest cannot know.

    Attributes:
        license: Their licence: an SPDX identifier or a URL; "" if not given.
        creator: Who made the harvest: a name or a URL; "" if not given.
    """

    license: str = ""
    creator: str = ""


def license_of(given: str) -> str:
    """Return a licence as SPDX writes its identifier; a URL or "" as it is.

    Raises:
        InputError: It is neither.

    >>> license_of("cc-by-4.0")
    'CC-BY-4.0'
    """
    if not given or "://" in given:
        return given
    with suppress(InvalidLicenseExpression):
        if " " not in given:  # a metadata file links to one licence
            return canonicalize_license_expression(given)
    advice = "take an identifier such as CC-BY-4.0 (https://spdx.org/licenses/), or a URL"
    raise InputError(f"{given!r} is no licence that SPDX knows", advice=advice)


class Documents:
    """The documents of a harvest, read again for each iteration.

    Args:
        folder: The harvest's folder.
        stopped: Once it is set, reading raises `Interrupted`.

    Attributes:
        read: How many were read so far.
    """

    def __init__(self, folder: Path, stopped: Event) -> None:
        self._folder = folder
        self._stopped = stopped
        self.read = 0

    def __iter__(self) -> Iterator[Document]:
        return self._counted(read_documents(self._folder))

    def dated(self) -> Iterator[tuple[Document, float]]:
        """Yield the same documents, each with its arrival time in seconds since 1970."""
        with closing(open_store(self._folder)) as store:
            yield from self._counted(store.dated_documents())

    def _counted(self, documents: Iterator[_Read]) -> Iterator[_Read]:
        for each in documents:
            if self._stopped.is_set():
                raise Interrupted
            yield each
            self.read += 1


class Material:
    """The source of an export.

    Args:
        folder: The harvest's folder; the harvest may be running.
        credit: Licence and creator, given by the user.
        stopped: Once it is set, the export ends with `Interrupted`.

    Attributes:
        parts: The harvests, if it is of several.
    """

    def __init__(
        self, folder: Path, credit: Credit = Credit(), stopped: Event | None = None
    ) -> None:
        self.folder = folder
        self.parts: Sequence[Material] = ()
        self.credit = credit
        self.documents = Documents(folder, stopped or Event())

    @cached_property
    def table(self) -> Table:
        """Every document, in the order of arrival, and their columns."""
        found = self.known or contents_of_folder(self.folder)
        columns = found.fields if isinstance(found, Certificate) else found.columns
        return Table(self.documents, columns, has_attachments=found.attachments > 0)

    @cached_property
    def certificate(self) -> Certificate:
        """The certificate, up to the newest entry of the journal.

        Raises:
            FolderError: The folder has lost its spec or its settings.
        """
        return self._kept or read_ledger(self.folder)[1]

    @cached_property
    def _kept(self) -> Certificate | None:
        """The certificate that the last run wrote; None if there is none, or it is outdated."""
        found = newest_certificate(self.folder)
        if found is None:
            return None
        with closing(open_store(self.folder)) as store:
            return found if found.documents == store.count() else None

    @cached_property
    def known(self) -> Certificate | None:
        """The certificate; None if the folder has lost the files needed to make one."""
        try:
            return self.certificate
        except LonglineError:
            return None

    def attachment(self, name: str) -> Path | None:
        """Return the path of a document's file, or None if it does not exist."""
        # The files of earlier harvests, in DIR/history/N, are beside those of the newest.
        places = (self.folder, *self.folder.resolve().parents[1:2])
        paths = (folder / ATTACHMENTS / name for folder in places if name)
        return next((path for path in paths if path.is_file()), None)

    @property
    def certificate_json(self) -> bytes:
        """The certificate as JSON, for a file."""
        return to_json(self.certificate)

    @cached_property
    def spec_text(self) -> str:
        """The source's spec, as a source.toml without secrets."""
        return write_spec(veil(spec_of_folder(self.folder)).spec)

    @cached_property
    def title(self) -> str:
        """The name of the source."""
        return spec_of_folder(self.folder).source.name or self.certificate.source


class Together(Material):
    """Several harvests as one table, of which the column `HARVEST` names the harvest of each row.

    Args:
        folder: The folder that holds them.
        folders: Their folders, in order.
        stopped: As for `Material`.
    """

    def __init__(self, folder: Path, folders: Sequence[Path], stopped: Event | None = None) -> None:
        super().__init__(folder)
        self.parts = [Material(each, stopped=stopped) for each in folders]

    @cached_property
    def table(self) -> Table:
        """Every document of each harvest in turn, and all their columns."""
        tables = [each.table for each in self.parts]
        columns = {HARVEST: Column(type="text")}
        for name, column in chain.from_iterable(table.columns.items() for table in tables):
            columns[name] = both(columns[name], column) if name in columns else column
        has_attachments = any(table.has_attachments for table in tables)
        return Table(_Named(self.parts), columns, has_attachments=has_attachments)

    @cached_property
    def known(self) -> Certificate | None:
        """None: each harvest has a certificate of its own."""
        return None


class _Named:
    """The documents of several harvests, each with the name of its harvest's folder."""

    def __init__(self, harvests: Sequence[Material]) -> None:
        self._harvests = harvests

    def __iter__(self) -> Iterator[Document]:
        for each in self._harvests:
            for document in each.documents:
                named = {**document.fields, HARVEST: each.folder.name}
                yield msgspec.structs.replace(document, fields=named)
