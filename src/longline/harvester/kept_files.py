"""Files beside the journal: linked files, and the exchanged bytes."""

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from longline.errors import InputError, StorageError, option
from longline.files import replacing, writing
from longline.harvester.folder import as_before
from longline.model import Attachment, Capture, Response
from longline.plugins import needed
from longline.ports import Store
from longline.secrets import Secrets
from longline.source import Spec, file_name, file_type
from longline.store import Segments

FOLDER = "attachments"
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
LONGEST_NAME = 80


class AttachmentFolder:
    """Store files under DIR/attachments, each named by its hash.

    A file is completely on the disk before the journal names it: files left by a killed run are the
    same, or are written again.

    Args:
        folder: The harvest's folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER
        for left in self._folder.glob(".*.new"):
            left.unlink()

    def keep(self, response: Response) -> Attachment:
        """Write a file if it does not exist yet, and return its description.

        Raises:
            StorageError: It cannot be written.
        """
        digest = hashlib.sha256(response.body).hexdigest()
        name = _UNSAFE.sub("-", file_name(response)).strip("-.")[-LONGEST_NAME:]
        name = "-".join(filter(None, [digest[:16], name]))
        path = self._folder / name
        with writing(path, StorageError, "free some space or check the permissions; run it again"):
            self._folder.mkdir(exist_ok=True)
            if not path.is_file() or path.stat().st_size != len(response.body):
                with replacing(path) as stream:
                    stream.write(response.body)
        return Attachment(name, response.url, file_type(response), len(response.body), digest)


@contextmanager
def kept_wire(
    folder: Path, store: Store, spec: Spec, secrets: Secrets, wanted: bool | None
) -> Iterator[Callable[[Capture], object] | None]:
    """Yield a function to call with each exchange, or None if they are not to be stored.

    Args:
        folder: Folder for the files, locked by this run.
        store: Stores the decision for later runs.
        spec: The source's spec.
        secrets: They are removed.
        wanted: None means as in earlier runs, or no.

    Raises:
        InputError: The package that writes them is not installed, or the source is no web site.
        StorageError: They cannot be written.
    """
    if not as_before(store, "warc", wanted, lambda: check_wire(spec)):
        yield None
        return
    with closing(Segments(folder, secrets.veiled(spec.source.url))) as segments:
        yield lambda capture: segments.keep(secrets.veiled_capture(capture))


def check_wire(spec: Spec) -> None:
    """Check that the source is a web site, and that warcio is installed.

    Raises:
        InputError: One of these is not so.
    """
    if spec.source.plugin:
        raise InputError(
            f"{spec.source.name} is searched by a class, so nothing goes over the web",
            advice=f"leave out {option('warc=True')}",
        )
    needed("warcio", "archive", "a web archive")
