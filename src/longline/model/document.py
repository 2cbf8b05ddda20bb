"""What comes back: result pages with hits, and documents."""

from typing import Literal

import msgspec

from longline.model.fields import Fields
from longline.model.http import Request


class Hit(msgspec.Struct, frozen=True, omit_defaults=True):
    """One row of a result page.

    Attributes:
        key: Identifies the document within its source.
        url: Absolute; "" if the source gives none.
        text: The document's complete text if the listing contains it, or None.
        language: The language that the listing names; "" if it names none.
        fields: Other data in the row, by name.
    """

    key: str
    url: str = ""
    title: str = ""
    snippet: str = ""
    text: str | None = None
    language: str = ""
    fields: Fields = {}


class Total(msgspec.Struct, frozen=True, omit_defaults=True):
    """How many documents match a query, as the source reports it."""

    documents: int
    relation: Literal["exact", "about", "at least"] = "exact"


class Page(msgspec.Struct, frozen=True, omit_defaults=True):
    """One result page, read.

    Attributes:
        hits: In the source's order, including repeats.
        total: None if the source reports none.
        next: The request for the next page; None at the end.
        others: Number of stand-ins, shown instead of hits if nothing matches; not in `hits`.
        deleted: Number of rows that name deleted documents; not in `hits`, but in the total.
        torn: It is truncated, even after retries; its last row is left out.
        partial: It says itself that it is incomplete, even after retries; its total is a minimum.
        withheld: How many results a first page says are hidden from this visitor; 0 if it does not
            say.
        files: Requests for other files of a list. Those of all its pages, each once and in order,
            are its pages from the second on.
        most: How many results it says any search shows at most; 0 if it does not say.
        is_lost: It could not be loaded, but the page after it can be asked for.
    """

    hits: tuple[Hit, ...] = ()
    total: Total | None = None
    next: Request | None = None
    others: int = 0
    torn: bool = False
    files: tuple[Request, ...] = ()
    deleted: int = 0
    most: int = 0
    partial: bool = False
    withheld: int = 0
    is_lost: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of its hits, in order."""
        return tuple(hit.key for hit in self.hits)

    @property
    def exact_total(self) -> int | None:
        """How many documents match, if the source reports it exactly; otherwise None.

        >>> Page(total=Total(7)).exact_total, Page(total=Total(7, "about")).exact_total
        (7, None)
        """
        is_exact = self.total is not None and self.total.relation == "exact"
        return self.total.documents if self.total is not None and is_exact else None


class Attachment(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file that belongs to a document.

    Attributes:
        name: The file's name in the folder `attachments` of the harvest.
        url: The URL it came from.
        media_type: As the source gives it, without parameters.
        size: Its size in bytes.
        sha256: Of its bytes, in hexadecimal.
        unread: Why its text could not be extracted, or why it was not kept (then `name` is ""); ""
            if its text is known. With neither a name nor a reason it was not requested yet.
        text: Its text, if it is not in the document's text; if several documents link to the file,
            only the first has it.
    """

    name: str
    url: str = ""
    media_type: str = ""
    size: int = 0
    sha256: str = ""
    unread: str = ""
    text: str = ""


class Document(msgspec.Struct, frozen=True, omit_defaults=True):
    """A document as it is stored.

    Attributes:
        key: Identifies it in its source; usually its URL.
        url: Its URL; "" if it has none.
        title: The title that the source gives.
        text: The text of its own page or of the listing; "" if neither has one.
        language: The language of its text: an ISO 639 code or the source's word; "" if unknown.
        fields: Other data from the source, by name; `longline.model.fields` has the types.
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
