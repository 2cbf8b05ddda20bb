"""Compare a harvest with an earlier one of the same source, in numbers."""

from collections import Counter
from pathlib import Path

import msgspec

from longline.harvester import read_documents
from longline.updates import differences


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """Document counts from comparing two harvests.

    Attributes:
        folder, earlier: Their folders.
        same: Documents of both, unchanged.
        changed: Documents of both, with another title, text or field.
        new: Documents that only the later one has.
        gone: Documents that the source no longer has, as the later one found.
        missing: Documents that the later one does not have, which proves nothing about the source.
        unchecked: Documents that the later one kept without requesting them.
    """

    folder: str
    earlier: str
    same: int
    changed: int
    new: int
    gone: int
    missing: int
    unchecked: int


def changes_since(folder: Path | str, earlier: Path | str) -> Changes:
    """Compare the documents of a harvest with those of an earlier one.

    Raises:
        FolderError: There is no harvest in one of the folders, or it is damaged.
    """
    folder, earlier = Path(folder), Path(earlier)
    kinds = Counter(each.kind for each in differences(earlier, folder))
    held = sum(1 for _ in read_documents(folder))
    return Changes(
        folder=folder.name,
        earlier=earlier.name,
        same=held - kinds["new"] - kinds["changed"] - kinds["unchecked"],
        changed=kinds["changed"],
        new=kinds["new"],
        gone=kinds["gone"],
        missing=kinds["missing"],
        unchecked=kinds["unchecked"],
    )
