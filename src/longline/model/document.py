"""What comes back: result pages with hits, and documents."""

from typing import Literal

import msgspec

from longline.model.fields import Fields
from longline.model.http import Request


class Hit(msgspec.Struct, frozen=True, omit_defaults=True):
    """One row of a result page.

    Attributes:
        key: What makes the document itself, in the source's own terms.
        url: Absolute; "" where the source gives none.
        text: The document's whole text where the listing holds it, else None.
        language: The language that the listing names; "" if it names none.
        fields: What else the row holds, by name.
    """

    key: str
    url: str = ""
    title: str = ""
    snippet: str = ""
    text: str | None = None
    language: str = ""
    fields: Fields = {}


class Total(msgspec.Struct, frozen=True, omit_defaults=True):
    """How many documents the source says that a query matches."""

    documents: int
    relation: Literal["exact", "about", "at least"] = "exact"


class Page(msgspec.Struct, frozen=True, omit_defaults=True):
    """One result page, read.

    Attributes:
        hits: In the source's order, repeats included.
        total: None where the source reports none.
        next: How to ask for the page after this one; None at the end.
        others: Rows that were shown in the place of hits, where nothing matches; not in `hits`.
        torn: It ends in the middle, however often it was asked for; its last row is left out.
        files: How to ask for other files of a list. Those of all its pages, each once and in
            order, are its pages from the second on.
    """

    hits: tuple[Hit, ...] = ()
    total: Total | None = None
    next: Request | None = None
    others: int = 0
    torn: bool = False
    files: tuple[Request, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """Of its hits, in order."""
        return tuple(hit.key for hit in self.hits)

    @property
    def exact_total(self) -> int | None:
        """How many documents match, where the source says so exactly.

        >>> Page(total=Total(7)).exact_total, Page(total=Total(7, "about")).exact_total
        (7, None)
        """
        is_exact = self.total is not None and self.total.relation == "exact"
        return self.total.documents if self.total is not None and is_exact else None


class Attachment(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file that belongs to a document.

    Attributes:
        name: The file's name in the folder `attachments` of the harvest.
        url: Where it came from.
        media_type: What the source says, without parameters.
        size: Its size in bytes.
        sha256: Of its bytes, in hexadecimal.
        unread: Why no text was taken out of it, or why it was not kept (then `name` is ""); ""
            where its text is known. Without a name and a reason nobody has asked for it yet.
        text: What it says, where the text of its document does not; that of a file which many
            documents link stands with the first.
    """

    name: str
    url: str = ""
    media_type: str = ""
    size: int = 0
    sha256: str = ""
    unread: str = ""
    text: str = ""


class Document(msgspec.Struct, frozen=True, omit_defaults=True):
    """A document as it is kept.

    Attributes:
        key: What tells it apart in its source; mostly its address.
        url: Its address; "" where it has none.
        title: The title that the source gives.
        text: The text of its own page or of the listing; "" if neither has one.
        language: The language of its text: an ISO 639 code or the source's word; "" if not known.
        fields: What else the source says of it, by name; `longline.model.fields` has the types.
        attachments: Files that belong to it.

    Example:
        >>> import longline
        >>> document = longline.Document("7", title="The deep web", text="What is not listed.")
        >>> document.key, document.language
        ('7', '')
    """

    key: str
    url: str = ""
    title: str = ""
    text: str = ""
    language: str = ""
    fields: Fields = {}
    attachments: tuple[Attachment, ...] = ()
