"""Read a harvest's journal to its end, and continue while it grows."""

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from longline.harvester.folder import is_running, open_store, spec_of_folder
from longline.harvester.journal import certify, new_ledger
from longline.ledger import Certificate, Ledger, decode
from longline.ledger.ledger import UNFINISHED
from longline.source import Spec, veil
from longline.store import Entry

KILLED = "the last run was interrupted; run it again to continue"


class Reading:
    """The ledger of a harvest from its journal; the harvest may be running.

    Args:
        folder: The harvest's folder.
        observe: Called with each entry that is read, and the ledger after it.

    Attributes:
        ledger: The ledger as of the last `catch_up`.
        spec: The source's spec, without secrets.
        last: Number of the last entry read.

    Raises:
        FolderError: There is no harvest in the folder, or it is damaged.
    """

    def __init__(
        self,
        folder: Path,
        observe: Callable[[Entry, Ledger], object] = lambda entry, ledger: None,
    ) -> None:
        self.folder = folder
        self._observe = observe
        self.store = open_store(folder)
        try:
            self.spec: Spec = veil(spec_of_folder(folder)).spec
            self.ledger = new_ledger(self.spec, self.store)
        except BaseException:
            self.store.close()
            raise
        self.last = 0

    def read(self) -> Iterator[Entry]:
        """Yield new entries; each is already in the ledger."""
        for entry in self.store.entries(self.last):
            self.ledger.tell(entry.event)
            self.last = entry.number
            self._observe(entry, self.ledger)
            yield entry

    def catch_up(self) -> int:
        """Read new entries; return how many there were."""
        return sum(1 for _ in self.read())

    @property
    def is_running(self) -> bool:
        """Whether a run is using the folder now."""
        return is_running(self.folder)

    def certificate(self) -> Certificate:
        """Return the certificate so far; without an ending while a run is using the folder."""
        found = certify(self.spec, self.store, self.ledger)
        if self.ledger.stopped is not UNFINISHED:
            return found
        if self.is_running:
            return msgspec.structs.replace(found, outcome="", cause="", stopped="")
        return msgspec.structs.replace(found, stopped=KILLED)

    def close(self) -> None:
        """Close the store."""
        self.store.close()


def newest_certificate(folder: Path) -> Certificate | None:
    """Return the certificate that the last run wrote; None if a later run was killed."""
    try:
        found = decode((folder / "certificate.json").read_bytes(), Certificate)
    except (OSError, msgspec.DecodeError):  # of another version, or damaged
        return None
    with closing(open_store(folder)) as store:
        ended_at = datetime.fromtimestamp(store.span()[1], UTC).isoformat(timespec="seconds")
    return found if found.ended_at == ended_at else None


def read_ledger(folder: Path) -> tuple[Ledger, Certificate]:
    """Return the ledger of a harvest and its certificate as of now.

    Raises:
        FolderError: There is no harvest in the folder.
    """
    with closing(Reading(folder)) as reading:
        reading.catch_up()
        return reading.ledger, reading.certificate()
