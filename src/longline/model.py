"""The nouns: what is asked, what is sent, what comes back.

All are frozen and hashable where it matters, and travel as JSON through `msgspec`.
"""

from __future__ import annotations

from datetime import date
from typing import Literal

import msgspec

from longline.fields import Fields


class Filter(msgspec.Struct, frozen=True, order=True, omit_defaults=True):
    """Only documents whose value of a facet lies between two, both included.

    Attributes:
        facet: Its name in the source spec.
        low: The value, or the least one; of a "prefix" facet, how values begin.
        high: The greatest value; "" where `low` is the only one.
    """

    facet: str
    low: str
    high: str = ""

    def __str__(self) -> str:
        return f"{self.facet}={self.low}" + (f"..{self.high}" if self.high else "")


class Facet(msgspec.Struct, frozen=True, omit_defaults=True):
    """A field of a source's search that limits an answer, beside the words.

    Attributes:
        kind: "list": one of `values`; "number", "date": a range, whole numbers or ISO dates;
            "prefix": how a value begins, from letters in `values`.
        values: All that a list has, or the letters.
        low, high: Where a range begins and ends, both included.

    Raises:
        ValueError: A list or prefix without values; a range that is none.
    """

    name: str
    kind: Literal["list", "number", "date", "prefix"] = "list"
    values: tuple[str, ...] = ()
    low: str = ""
    high: str = ""

    def __post_init__(self) -> None:
        if self.kind in ("list", "prefix"):
            if not self.values:
                raise ValueError(f"the facet {self.name!r} has no values")
        elif self.place(self.low) > self.place(self.high):
            raise ValueError(f"the facet {self.name!r} ends before it begins")

    def place(self, value: str) -> int:
        """Return where a range's value stands: the number, or the day since 1 January 1.

        >>> Facet("year", "number", low="1900", high="2000").place("1950")
        1950
        """
        return date.fromisoformat(value).toordinal() if self.kind == "date" else int(value)

    def value(self, place: int) -> str:
        """Return the value that stands at a place of a range; undoes `place`."""
        return date.fromordinal(place).isoformat() if self.kind == "date" else str(place)


class Query(msgspec.Struct, frozen=True, order=True, omit_defaults=True, repr_omit_defaults=True):
    """Ask for documents that hold all required terms, an alternative, and no excluded term.

    How the words AND, OR and NOT are written is the source's affair (its dialect).

    Attributes:
        required: Terms that a document must hold, every one of them.
        excluded: Terms that it must not hold, not one of them.
        any_of: Alternatives: terms of which it must hold at least one; () asks for none.
        filters: On facets, at most one each. With filters alone, or nothing, all is asked for.

    >>> str(Query(("deep", "web"), excluded=("surface",)))
    'deep web NOT surface'
    >>> str(Query(("deep",), any_of=("web", "sea"))), str(Query((), any_of=("web", "sea")))
    ('deep (web OR sea)', 'web OR sea')
    >>> str(Query((), filters=(Filter("year", "1990", "1994"),)))
    '* year=1990..1994'
    """

    required: tuple[str, ...]
    excluded: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()

    def __str__(self) -> str:
        either = " OR ".join(self.any_of)
        if len(self.any_of) > 1 and (self.required or self.excluded):
            either = f"({either})"
        parts = [*self.required, *([either] if either else [])]
        words = [*parts, *(f"NOT {term}" for term in self.excluded)]
        return " ".join([*(words or ["*"]), *map(str, self.filters)])

    @property
    def wanted(self) -> tuple[str, ...]:
        """Terms that a document may be found by: required ones, and alternatives."""
        return self.required + self.any_of


Asked = tuple[Query, int]
"""A result page: its query, and its number from 1."""


class Browsing(msgspec.Struct, frozen=True, omit_defaults=True):
    """Show a page in a browser until its scripts have settled, and perhaps type into it.

    Attributes:
        box: Selector of the box that takes `words`; "" only shows the page.
        words: They are typed, and Enter is pressed.
        button: Selector of the button to press where Enter does nothing; "" for none.
        further: Then go on so many times: by a click on `more`, or by scrolling to the end.
        more: Selector of a button that shows more; "" scrolls.
        post: What is typed may be sent by POST, too.
    """

    box: str = ""
    words: str = ""
    button: str = ""
    further: int = 0
    more: str = ""
    post: bool = False


class Request(msgspec.Struct, frozen=True, omit_defaults=True):
    """One HTTP request, ready to send; `headers` are (name, value) pairs.

    Attributes:
        browser: How a browser shows the page; None where the answer is wanted as it is sent.
        session: Which of several visitors asks; each has cookies of its own.
    """

    url: str
    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    browser: Browsing | None = None
    session: int = 0


class Response(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The final answer to a request.

    Attributes:
        url: Where the answer came from, after redirects.
        status: HTTP status code.
        content_type: The header's value, "" where there is none.
        headers: All as they came, as (name in small letters, value) pairs; but no cookies.
        body: Decoded from any transfer or content encoding, still bytes; of a page that a
            browser showed, its markup when the scripts had settled.
        requests: HTTP requests this answer cost: redirects and retries included, and what the
            page itself asked for.
        sent: What a page asked for while a browser showed it, since words were typed.
    """

    url: str
    status: int
    content_type: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    requests: int = 1
    sent: tuple[Exchange, ...] = ()

    def header(self, name: str) -> str:
        """Return a header's value, "" where there is none; several stand in one, with commas.

        >>> Response(url="", status=200, headers=(("x-wp-total", "7"),)).header("X-WP-Total")
        '7'
        """
        return ", ".join(value for each, value in self.headers if each == name.lower())


class Exchange(msgspec.Struct, frozen=True):
    """Data that a page asked for, and what came; None where it was not let through."""

    request: Request
    response: Response | None


Header = tuple[bytes, bytes]
"""Name and value, as they are sent."""


class Capture(msgspec.Struct, frozen=True, kw_only=True):
    """A request as it was sent, and the answer as it came; chunks of its body are joined.

    Attributes:
        target: What the request's line names: path and query.
        began: When it was sent, in seconds since 1970.
        protocol: Of the answer, such as "HTTP/1.1".
        body: Encoded as its header Content-Encoding says.
        decoded: The body without that encoding; None where nobody has decoded it.
        is_decoded: `body` is without the encoding that the header names.
        truncated: Why the body is not whole, as WARC has it; "" where it is.
    """

    url: str
    method: str
    target: bytes
    began: float
    protocol: str
    status: int
    reason: str
    request_headers: tuple[Header, ...]
    request_body: bytes
    headers: tuple[Header, ...]
    body: bytes
    decoded: bytes | None = None
    is_decoded: bool = False
    truncated: str = ""


class Hit(msgspec.Struct, frozen=True, omit_defaults=True):
    """One row of a result page.

    Attributes:
        key: What makes the document itself, in the source's own terms.
        url: Absolute; "" where the source gives none.
        text: The document's whole text where the listing holds it, else None.
        language: As the listing says it, "" where it does not.
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
    """

    hits: tuple[Hit, ...] = ()
    total: Total | None = None
    next: Request | None = None
    others: int = 0
    torn: bool = False

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
        name: Of the file, in the folder `attachments` of the harvest.
        url: Where it came from.
        media_type: As the source says it, without parameters.
        size: In bytes.
        sha256: Of its bytes, in hexadecimal.
        unread: Why no text was taken out of it, or why it was not kept (then `name` is ""); ""
            where its text is known.
    """

    name: str
    url: str = ""
    media_type: str = ""
    size: int = 0
    sha256: str = ""
    unread: str = ""


class Document(msgspec.Struct, frozen=True, omit_defaults=True):
    """A document as it is kept.

    Attributes:
        key: What tells it apart in its source; mostly its address.
        url: Its address; "" where it has none.
        title: As the source has it.
        text: Of its own page, or of the listing; "" where neither has one.
        language: Of its text: an ISO 639 code, or the source's own word; "" where not known.
        fields: What else the source says of it, by name; `longline.fields` has the types.
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


class Search(msgspec.Struct, frozen=True):
    """A policy wants result page `number` (from 1) of a query."""

    query: Query
    number: int = 1


class Probe(Search, frozen=True):
    """The same, to measure the source and not to harvest it.

    Every document of the page is told, held or not, and what comes is booked apart.

    Attributes:
        reads: False where no document is worth a request of its own: the page says enough.
    """

    reads: bool = True


class Finish(msgspec.Struct, frozen=True, repr_omit_defaults=True):
    """A policy is done.

    Attributes:
        reason: One clause for people, e.g. "every selected query was sent".
        target_met: False where the source did not let the policy do what it set out to do.
    """

    reason: str
    target_met: bool = True
