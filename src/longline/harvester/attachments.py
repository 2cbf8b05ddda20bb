"""The folder of files that belong to documents."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from longline.errors import StorageError
from longline.files import replacing, writing
from longline.model import Attachment, Response
from longline.source import file_name, file_type

FOLDER = "attachments"
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
LONGEST_NAME = 80


class AttachmentFolder:
    """Keep files under DIR/attachments, each named by its bytes.

    A file is whole on the disk before the journal names it: what a killed run leaves is written
    anew under the same name, or is the same.

    Args:
        folder: Of the harvest.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER
        for left in self._folder.glob(".*.new"):
            left.unlink()

    def keep(self, response: Response) -> Attachment:
        """Write a file, unless it is there, and say what it is.

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
