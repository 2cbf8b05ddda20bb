"""The events of a harvest. The journal is a list of these, in order."""

from __future__ import annotations

from typing import Literal

import msgspec

from longline.model import Document, Hit, Page, Query, Request, Response
from longline.outcomes import Cause, Ending, Outcome

Cut = Literal["capped", "clamped", "short", "empty", "repeated", "torn", "partial", "failed"]
"""How a query's answer can be incomplete; `ledger.truncation` defines each."""

Method = Literal["probes", "chao1", "petersen", "overlap", "cells", "totals", "updates", "list"]
"""Methods to estimate a source's size; see `longline.estimate`."""


class Event(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag=True, omit_defaults=True
):
    """An event; every subclass is a kind of journal entry.

    Attributes:
        body_bytes: Bytes of the answers received since the previous entry.
    """

    body_bytes: int = 0


class PageReceived(Event, frozen=True):
    """Result page `number` (from 1) of a query was received, for `requests` HTTP requests.

    Attributes:
        probe: It was requested to measure the source, not to harvest it.
    """

    query: Query
    number: int
    page: Page
    requests: int = 1
    probe: bool = False


class PageFailed(Event, frozen=True):
    """A result page failed, even after retries; a resumed run requests it again."""

    query: Query
    number: int
    reason: str
    requests: int = 0
    probe: bool = False

    @property
    def is_missed(self) -> bool:
        """Whether results are missed: other searches replace a query of excluded terms alone."""
        return self.number > 1 or not self.query.only_excludes


class PageDisbelieved(Event, frozen=True):
    """A page from a silent source is not trusted; a resumed run requests it again."""

    query: Query
    number: int


class SourceChecked(Event, frozen=True):
    """An earlier correct request was repeated, to check if the source still answers.

    Attributes:
        answers: Whether it does.
    """

    answers: bool
    requests: int = 1


class DocumentReceived(Event, frozen=True):
    """A document is held; `requests` is 0 if its text came with the listing.

    Attributes:
        hit, query: The row that listed it, and its query: passed to policies, but not stored in a
            journal, where the page has them; None if unknown.
        links: Addresses of the same form as its own, to which its page links, or another one that
            was read at the same time; without those that an earlier page links to.
        is_linked: No search showed it: a saved page links to it.
        other_layout: Its page has no text where the spec expects it; the page's main part was read.
    """

    document: Document
    requests: int = 1
    links: tuple[str, ...] = ()
    is_linked: bool = False
    other_layout: bool = False
    hit: Hit | None = None
    query: Query | None = None


class DocumentFailed(Event, frozen=True):
    """A document's page failed, even after retries; it is retried at the end of a run.

    Attributes:
        forbidden: robots.txt or the guard against private addresses forbids it.
        status: HTTP status of the answer received instead; None if there was none.
        placeholder: Title or URL of the page returned for many documents; "" for none.
        passing: Another try may succeed.
        media_type: Of a received file, if files are not kept; "" if there was none.
    """

    key: str
    url: str
    reason: str
    requests: int = 0
    forbidden: bool = False
    status: int | None = None
    placeholder: str = ""
    passing: bool = True
    media_type: str = ""

    @property
    def is_gone(self) -> bool:
        """Whether the source says that the document does not exist any more.

        >>> DocumentFailed("a", "", "", status=404).is_gone, DocumentFailed("a", "", "").is_gone
        (True, False)
        """
        return self.status in (404, 410)


class DocumentWithdrawn(Event, frozen=True):
    """A stored document was found to be a placeholder page, returned for many documents."""

    key: str
    url: str
    reason: str
    placeholder: str


class SameDocument(Event, frozen=True):
    """Two keys were found to be of one document: `key`, no longer used, and `kept`."""

    key: str
    kept: str


class LinkDropped(Event, frozen=True):
    """A page that saved pages link to like a document was read, and is no further document."""

    url: str
    reason: str
    requests: int = 1


class DocumentUnchecked(Event, frozen=True):
    """An update kept a document unchanged, since it could not be requested."""

    key: str
    url: str
    reason: str


class DocumentGone(Event, frozen=True):
    """An update found that the source no longer has a document of the previous harvest."""

    key: str
    url: str
    reason: str


class UpdateCounts(msgspec.Struct, frozen=True, kw_only=True):
    """How the documents of an update compare with the previous harvest; also in the certificate.

    Attributes:
        since: When that harvest ended; ISO 8601, UTC.
        new: Documents that it did not have.
        changed: Documents in both harvests, with another title, text or field.
        unchanged: Documents in both harvests, without changes.
        moved: Documents that have another address now, with the same title and text.
        gone: Documents of the previous harvest that the source no longer has.
        unchecked: Documents of the previous harvest that could not be requested; they are kept.
        reread: Documents read again although their rows looked as before, to measure missed
            changes.
        reread_changed: How many of these had changed.
    """

    since: str
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    moved: int = 0
    gone: int = 0
    unchecked: int = 0
    reread: int = 0
    reread_changed: int = 0


class Updated(Event, frozen=True):
    """An update was compared with the previous harvest.

    Attributes:
        size: Of the source, from the overlaps of its dated harvests; None before the third.
    """

    counts: UpdateCounts
    size: SizeEstimate | None = None


class QueryCut(Event, frozen=True):
    """A query's answer is incomplete, and how.

    Attributes:
        reported: Matching documents by the source's own count; None if it gives none.
        received: Rows received so far.
        number: The page where this was seen.
    """

    query: Query
    cut: Cut
    number: int
    received: int
    reported: int | None = msgspec.field(default=None, name="claimed")


class SourceFound(Event, frozen=True):
    """The source was found and learnt before the harvest started, for `requests` HTTP requests."""

    requests: int


class RobotsRead(Event, frozen=True):
    """A host's robots.txt was read; stored, so that a resumed harvest can reuse it that day.

    Attributes:
        read_at: Seconds since 1970, UTC; 0.0 if a journal does not have it.
    """

    origin: str
    status: int
    text: str
    requests: int = 1
    read_at: float = 0.0


class FormReceived(Event, frozen=True):
    """The page with the search form was received; stored for the same reason."""

    response: Response
    requests: int = 1


class NonsenseAnswered(Event, frozen=True):
    """A nonsense query was answered; its hits are stand-ins, stored for the same reason.

    Attributes:
        keys: Keys of the documents shown for it; () for none.
    """

    keys: tuple[str, ...] = ()
    requests: int = 1


class ResponseReceived(Event, frozen=True):
    """A page was received that a policy wanted, other than a result page."""

    request: Request
    response: Response
    requests: int = 1


class RequestFailed(Event, frozen=True):
    """Such a page failed, even after retries, or must not be requested.

    Attributes:
        status: HTTP status of the answer received instead; None if there was none.
    """

    request: Request
    reason: str
    requests: int = 0
    status: int | None = None


class SizeEstimate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An estimate of a source's size; as JSON it is part of the certificate.

    Attributes:
        documents: Point estimate of the documents in the source.
        low: Lower bound at the requested confidence; never below what is known to exist.
        high: Upper bound; None if there is none.
        share: Share of the source's documents that the harvest holds, 0 to 1; None if the method
            does not give it.
        share_low, share_high: Its interval.
        method: How it was estimated.
        probes: Number of words queried for it.
        hits: How many of these had a complete answer with at least one document.
    """

    documents: float
    low: float
    high: float | None
    method: Method
    share: float | None = None
    share_low: float | None = None
    share_high: float | None = None
    probes: int = 0
    hits: int = 0


class Discrepancy(msgspec.Struct, frozen=True):
    """An inconsistent answer.

    Attributes:
        query: The query where it was seen.
        kind: "count": a query's rows differ from its total; "parts": the parts of a split do not
            sum to the total, or more documents of one part are held than that leaves for it; "rows
            repeated"; "page lost": a page without rows, or a repeated page, although more rows were
            reported; "term": a hit's text does not match the query; "page failed"; "hidden": the
            return limit hides documents of a cell that cannot be split.
        reported: The expected number.
        found: The actual number.
    """

    query: Query
    kind: str
    reported: float = msgspec.field(name="claimed")
    found: float


class Concluded(Event, frozen=True):
    """The policy's conclusions from all answers; a later one replaces it.

    Attributes:
        size: The size estimated from probes; None while there is no estimate.
        at_least: Documents of the source, by exact totals of disjoint queries.
        discrepancies: Inconsistent answers.
        forms: The rule by which the source treats forms of a word as one; "" for none.
        listed: Documents in the source's own list of everything; 0 if there is none.
        split: Queries with more documents than an answer shows, whose parts were queried.
    """

    size: SizeEstimate | None = None
    at_least: int = 0
    discrepancies: tuple[Discrepancy, ...] = ()
    forms: str = ""
    listed: int = 0
    split: tuple[Query, ...] = ()


class Stopped(Event, frozen=True):
    """The harvest ended.

    Attributes:
        reason: For people, with the next step.
        target_met: False if it stopped before reaching its goal.
        outcome: How it ended; None in old journals.
        cause: Why it is partial or blocked.
        doubted: Result pages that are not trusted, and will be requested again.
    """

    reason: str
    target_met: bool
    outcome: Outcome | None = None
    cause: Cause = ""
    doubted: int = 0

    @property
    def ending(self) -> Ending:
        """Its outcome with the cause; for an old journal, as far as known."""
        if self.outcome is None:
            return Ending("complete") if self.target_met else Ending("partial", "interrupted")
        return Ending(self.outcome, self.cause)


AnyEvent = (
    PageReceived
    | PageFailed
    | PageDisbelieved
    | SourceChecked
    | DocumentReceived
    | DocumentFailed
    | DocumentWithdrawn
    | SameDocument
    | LinkDropped
    | DocumentUnchecked
    | DocumentGone
    | Updated
    | QueryCut
    | SourceFound
    | RobotsRead
    | FormReceived
    | NonsenseAnswered
    | ResponseReceived
    | RequestFailed
    | Concluded
    | Stopped
)
