"""Write a harvest's documents to a file or a stream."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import BinaryIO

from longline.blocking import in_sync
from longline.exports import export as write


async def export_async(folder: str | Path, to: str, path: str | Path | BinaryIO) -> int:
    """Write the documents of a harvest to a file, in the order in which they came.

    Args:
        folder: Of the harvest; it may be running.
        to: "jsonl", "csv", or the name of a format that another package adds.
        path: Of the file, which appears when all of it is written; or a binary stream.

    Returns:
        How many documents were written.

    Raises:
        FolderError: There is no harvest, or it is damaged.
        InputError: There is no such format, or the file cannot be written.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> longline.export(folder, "csv", folder / "got.csv") == len(harvest.documents)
        True
    """
    target = Path(path) if isinstance(path, str) else path
    return await asyncio.to_thread(write, Path(folder), to, target)


export = in_sync(export_async)
