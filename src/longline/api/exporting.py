"""Write a harvest's documents to a file, a folder, an object store or a stream."""

from __future__ import annotations

import asyncio
from functools import partial
from os import PathLike, fspath
from threading import Event
from typing import BinaryIO

from longline.api.options import path_of
from longline.blocking import in_sync
from longline.exports import Credit, license_of
from longline.exports import export as write
from longline.exports import format_names as formats

__all__ = ["export", "export_async", "formats"]


async def export_async(
    folder: str | PathLike[str],
    to: str,
    path: str | PathLike[str] | BinaryIO,
    *,
    force: bool = False,
    license: str = "",  # noqa: A002  # as the formats call it
    creator: str = "",
) -> int:
    """Write the documents of a harvest, in the order in which they arrived.

    Of a folder with several harvests, each is written in turn; the column `harvest` names it.

    A manifest, FILE.manifest.json, is written next to a file and inside a folder: number of
    documents, bytes and SHA-256 of each file, and how the harvest ended.

    Args:
        folder: The harvest's folder; the harvest may be running. For jsonl, csv and parquet it may
            hold several harvests, such as those of a list.
        to: "jsonl", "csv", "parquet", "sqlite", "warc", "wacz", "ro-crate", "hugging-face", or the
            name of a format that another package adds.
        path: A file or folder, or a location that fsspec knows, such as "s3://bucket/name"; it
            appears once everything is written. Or a binary stream, for jsonl and csv.
        force: Replace an existing file, or a folder with nothing but a former export.
        license: The documents' license: an SPDX identifier or a URL; "" if unknown.
        creator: Who made the harvest: a name or a URL.

    Returns:
        How many documents were written.

    Raises:
        FolderError: There is no harvest in the folder, or it is damaged.
        InputError: The format is unknown or needs a package that is not installed, the file exists
            already, or it cannot be written; or the licence is neither an identifier nor a URL.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> longline.export(folder, "sqlite", folder / "got.db") == len(harvest.documents)
        True
    """
    credit = Credit(license=license_of(license), creator=creator)
    if isinstance(path, str | PathLike):
        path = fspath(path)  # a URL, such as s3://bucket/name, stays as it is
    elif not hasattr(path, "write"):
        path_of(path, "path")
    stopped = Event()
    work = partial(write, path_of(folder), to, path, force=force, credit=credit, stopped=stopped)
    try:
        return await asyncio.to_thread(work)
    finally:
        stopped.set()  # a thread does not end by itself when it is no longer waited for


export = in_sync(export_async)
