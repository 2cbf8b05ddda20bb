"""What is new in a harvest against an earlier one of the same source."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import msgspec

from longline.harvester import read_documents
from longline.model import Document


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """Two harvests, document by document.

    Attributes:
        folder, earlier: Their folders.
        same: Documents in both whose title and text are the same.
        changed: Documents in both that are not.
        new: Documents that only the later one holds.
        gone: Documents that only the earlier one holds.
    """

    folder: str
    earlier: str
    same: int
    changed: int
    new: int
    gone: int


def change_of(
    names: tuple[str, str], later: Iterable[Document], earlier: Iterable[Document]
) -> Change:
    """Compare two harvests; of each document only a hash is kept.

    Args:
        names: Of the later and of the earlier harvest.
        later: Documents.
        earlier: Documents.

    >>> one, other = Document("a", text="x"), Document("a", text="y")
    >>> change_of(("b", "a"), [one, Document("c")], [other])
    Change(folder='b', earlier='a', same=0, changed=1, new=1, gone=0)
    """
    before = {document.key: _hash(document) for document in earlier}
    same = changed = new = 0
    for document in later:
        known = before.pop(document.key, None)
        new += known is None
        same += known == _hash(document)
        changed += known is not None and known != _hash(document)
    return Change(
        folder=names[0], earlier=names[1], same=same, changed=changed, new=new, gone=len(before)
    )


def _hash(document: Document) -> bytes:
    text = f"{document.title}\0{document.text}".encode(errors="surrogatepass")
    return hashlib.blake2b(text, digest_size=16).digest()


def changes_since(folder: Path | str, earlier: Path | str) -> Change:
    """Compare the documents of a harvest with those of an earlier one.

    Raises:
        FolderError: There is no harvest in one of the folders, or it is damaged.
    """
    names = (Path(folder).name, Path(earlier).name)
    return change_of(names, read_documents(folder), read_documents(earlier))
