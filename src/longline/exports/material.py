"""A harvest as the formats see it: documents, columns, the certificate, what was sent."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

import msgspec

from longline.errors import LonglineError
from longline.exports.columns import ATTACHMENTS, Table
from longline.harvester import (
    contents_of_folder,
    open_store,
    read_documents,
    read_ledger,
    spec_of_folder,
)
from longline.ledger import Certificate, decode, to_json
from longline.model import Document
from longline.source import veil, write_spec

CERTIFICATE = "certificate.json"


class Credit(msgspec.Struct, frozen=True, kw_only=True):
    """What a harvest cannot know of its documents.

    Attributes:
        license: Their licence: an SPDX identifier or a URL; "" where nobody said.
        creator: Who made the harvest: a name or a URL; "" where nobody said.
    """

    license: str = ""
    creator: str = ""


class Documents:
    """The documents of a harvest, read each time anew.

    Attributes:
        read: How many were taken so far.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.read = 0

    def __iter__(self) -> Iterator[Document]:
        for document in read_documents(self._folder):
            yield document
            self.read += 1


class Material:
    """What an export is made from.

    Args:
        folder: The harvest's folder; the harvest may be running.
        credit: What the user says of it.
    """

    def __init__(self, folder: Path, credit: Credit = Credit()) -> None:
        self.folder = folder
        self.credit = credit
        self.documents = Documents(folder)

    @cached_property
    def table(self) -> Table:
        """Every document, in the order in which they came, and their columns."""
        found = self.known or contents_of_folder(self.folder)
        columns = found.fields if isinstance(found, Certificate) else found.columns
        return Table(self.documents, columns, has_attachments=found.attachments > 0)

    def dated(self) -> Iterator[tuple[Document, float]]:
        """Yield the same documents, each with when it came, in seconds since 1970."""
        with closing(open_store(self.folder)) as store:
            yield from store.dated_documents()

    @cached_property
    def certificate(self) -> Certificate:
        """What was got and what was not, up to the newest entry of the journal.

        Raises:
            FolderError: The folder has lost its spec or its settings.
        """
        return self._kept or read_ledger(self.folder)[1]

    @cached_property
    def _kept(self) -> Certificate | None:
        """The certificate that the last run wrote; None where there is none, or more has come."""
        try:
            found = decode((self.folder / CERTIFICATE).read_bytes(), Certificate)
        except (OSError, msgspec.DecodeError):  # of another version, or damaged
            return None
        with closing(open_store(self.folder)) as store:
            newest, held = store.span()[1], store.count()
        ended_at = datetime.fromtimestamp(newest, UTC).isoformat(timespec="seconds")
        return found if (found.ended_at, found.documents) == (ended_at, held) else None

    @cached_property
    def known(self) -> Certificate | None:
        """The certificate; None where the folder has lost what it takes to make one."""
        try:
            return self.certificate
        except LonglineError:
            return None

    def attachment(self, name: str) -> Path | None:
        """Return where a file that belongs to a document is; None where it is not there."""
        # The files of earlier harvests, in DIR/history/N, are beside those of the newest.
        places = (self.folder, *self.folder.resolve().parents[1:2])
        paths = (folder / ATTACHMENTS / name for folder in places if name)
        return next((path for path in paths if path.is_file()), None)

    @property
    def certificate_json(self) -> bytes:
        """The certificate as a file."""
        return to_json(self.certificate)

    @cached_property
    def spec_text(self) -> str:
        """How the source is searched, as a source.toml without secrets."""
        return write_spec(veil(spec_of_folder(self.folder)).spec)

    @cached_property
    def title(self) -> str:
        """What the source is called."""
        return spec_of_folder(self.folder).source.name or self.certificate.source
