"""Downloads of a harvest's documents."""

import tempfile
from collections.abc import Iterator
from functools import partial
from typing import IO
from urllib.parse import quote

from starlette.responses import Response, StreamingResponse

from longline.dashboard.harvests import Row
from longline.exports import export

FORMS = {"csv": "CSV", "jsonl": "JSON lines"}
"""Download formats with their names."""

TYPES = {"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl; charset=utf-8"}

PIECE = 65_536
"""Bytes that are sent at once."""


def download(row: Row, form: str) -> Response:
    """Return a download with all documents; the file is complete before it is sent.

    Args:
        row: Of the harvest; it may be running.
        form: One of `FORMS`.

    Raises:
        FolderError: There is no harvest, or it is damaged: no incomplete file is sent.
    """
    file = tempfile.TemporaryFile()  # noqa: SIM115  # closed after it is sent
    try:
        export(row.folder, form, file)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    name = quote(f"{row.folder.name}.{form}", safe="")
    return StreamingResponse(
        _pieces(file),
        media_type=TYPES[form],
        headers={"Content-Disposition": f"attachment; filename*=UTF-8''{name}"},
    )


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        yield from iter(partial(file.read, PIECE), b"")
