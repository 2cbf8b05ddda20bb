"""How the documents of two harvests of one source differ."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from longline.events import DocumentGone, DocumentUnchecked
from longline.harvester import Settings, open_store, settings_of
from longline.model import Document

Kind = Literal["new", "changed", "gone", "unchecked", "missing"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""In the order in which they are counted."""


class Change(NamedTuple):
    """A document that is not the same in two harvests.

    Attributes:
        kind: "new": only the later one holds it; "changed": another title, text or field; "gone":
            the source does not have it any more; "unchecked": the later one kept it without
            asking; "missing": the later one does not hold it, which says nothing of the source.
        reason: Why it is unchecked or gone; "" for others.

    Example:
        >>> import longline
        >>> before = longline.Document("7", title="Opening hours")
        >>> longline.Change("gone", "7", before, None).document.title
        'Opening hours'
    """

    kind: Kind
    key: str
    before: Document | None
    after: Document | None
    reason: str = ""

    @property
    def document(self) -> Document:
        """The newest of the two."""
        found = self.after or self.before
        assert found is not None
        return found


def kind_of(
    before: Document, after: Document, settings: Settings
) -> Literal["changed", "unchanged"]:
    """Say whether a document changed.

    Snippets are cut to fit each search: where they are all that is kept, only the title and the
    fields count.

    >>> one, other = Document("a", title="Sea", text="x"), Document("a", title="Sea", text="y")
    >>> kind_of(one, other, Settings()), kind_of(one, other, Settings(listing_only=True))
    ('changed', 'unchanged')
    """
    is_same = (before.title, before.fields) == (after.title, after.fields)
    if not settings.listing_only:
        is_same = is_same and before.text == after.text
    return "unchanged" if is_same else "changed"


def differences(before: Path, after: Path) -> Iterator[Change]:
    """Yield what differs between two harvests: first what the later one holds, in its order.

    Args:
        before: Folder of the earlier one.
        after: Folder of the later one; where it is an update of the other, it knows which
            documents are gone.

    Raises:
        FolderError: One of them is not the folder of a harvest.
    """
    settings = settings_of(after, None)
    with closing(open_store(before)) as earlier, closing(open_store(after)) as later:
        events = later.events()
        of_kind = (each for each in events if isinstance(each, DocumentGone | DocumentUnchecked))
        reasons = {each.key: each for each in of_kind}
        for document in later.documents():
            old = earlier.document(document.key)
            noted = reasons.get(document.key)
            if old is None:
                yield Change("new", document.key, None, document)
            elif isinstance(noted, DocumentUnchecked):
                yield Change("unchecked", document.key, old, document, noted.reason)
            elif kind_of(old, document, settings) == "changed":
                yield Change("changed", document.key, old, document)
        for document in earlier.documents():
            if later.document(document.key) is None:
                noted = reasons.get(document.key)
                is_gone = isinstance(noted, DocumentGone)
                reason = noted.reason if noted is not None else ""
                kind: Kind = "gone" if is_gone else "missing"
                yield Change(kind, document.key, document, None, reason)
