"""What can happen in a harvest. The journal is a list of these, in order."""

from __future__ import annotations

from typing import Literal

import msgspec

from longline.model import Document, Hit, Page, Query, Request, Response
from longline.outcomes import Cause, Ending, Outcome

Cut = Literal["capped", "clamped", "short", "empty", "repeated", "torn", "failed"]
"""How a query's answer fell short; `ledger.truncation` defines each."""

Method = Literal["probes", "chao1", "petersen", "overlap", "cells", "totals", "updates", "list"]
"""How a source's size can be estimated; `longline.estimate` has them."""


class Event(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag=True, omit_defaults=True
):
    """Something that happened; every subclass is a kind of journal entry.

    Attributes:
        body_bytes: Bytes of the answers that came since the entry before.
    """

    body_bytes: int = 0


class PageReceived(Event, frozen=True):
    """Result page `number` (from 1) of a query came, for `requests` HTTP requests.

    Attributes:
        probe: It was asked for to measure the source, not to harvest it.
    """

    query: Query
    number: int
    page: Page
    requests: int = 1
    probe: bool = False


class PageFailed(Event, frozen=True):
    """A result page did not come, although retried; resuming asks for it again."""

    query: Query
    number: int
    reason: str
    requests: int = 0
    probe: bool = False


class PageDisbelieved(Event, frozen=True):
    """A page that came while the source was silent counts for nothing; resuming asks again."""

    query: Query
    number: int


class SourceChecked(Event, frozen=True):
    """What was right before was asked for again, to tell whether the source still answers.

    Attributes:
        answers: It does.
    """

    answers: bool
    requests: int = 1


class DocumentReceived(Event, frozen=True):
    """A document is held; `requests` is 0 where its text came with the listing.

    Attributes:
        hit, query: The row that listed it, and what was asked: told to policies, not kept in a
            journal, where the page has them; None where they are not known.
    """

    document: Document
    requests: int = 1
    hit: Hit | None = None
    query: Query | None = None


class DocumentFailed(Event, frozen=True):
    """A document's page did not come, although retried; it is tried again at the end of a run.

    Attributes:
        forbidden: robots.txt or the guard against private addresses kept it out.
        status: HTTP status of the answer that came instead; None where none came.
        placeholder: Title or address of the page that came for many documents; "" for none.
        passing: Another try may end otherwise.
        media_type: Of the file that came, where files are not kept; "" where none came.
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
        """Whether the source says that there is no such document any more.

        >>> DocumentFailed("a", "", "", status=404).is_gone, DocumentFailed("a", "", "").is_gone
        (True, False)
        """
        return self.status in (404, 410)


class DocumentWithdrawn(Event, frozen=True):
    """What was kept as a document turned out to be a page that comes for many documents."""

    key: str
    url: str
    reason: str
    placeholder: str


class SameDocument(Event, frozen=True):
    """Two keys turned out to be of one document: `key`, no longer used, and `kept`."""

    key: str
    kept: str


class DocumentUnchecked(Event, frozen=True):
    """An update kept a document as the harvest before had it, since it could not be asked for."""

    key: str
    url: str
    reason: str


class DocumentGone(Event, frozen=True):
    """An update found that the source has a document of the harvest before no more."""

    key: str
    url: str
    reason: str


class UpdateCounts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How the documents of an update stand to those of the harvest before; in the certificate, too.

    Attributes:
        since: When that ended; ISO 8601, UTC.
        new: Documents that it did not hold.
        changed: Documents in both harvests, with another title, text or field.
        unchanged: Documents in both harvests, as they were.
        gone: Documents of the earlier harvest that the source does not have any more.
        unchecked: Documents of the earlier harvest that could not be asked for; they are kept.
        reread: Read once more although their rows looked as before, to see what that misses.
        reread_changed: How many of these had changed.
    """

    since: str
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    gone: int = 0
    unchecked: int = 0
    reread: int = 0
    reread_changed: int = 0


class Updated(Event, frozen=True):
    """An update was compared with the harvest before.

    Attributes:
        size: Of the source, as the overlaps of its dated harvests tell; None before the third.
    """

    counts: UpdateCounts
    size: SizeEstimate | None = None


class QueryCut(Event, frozen=True):
    """A query's answer is not all that it should be, and how.

    Attributes:
        reported: Documents the source said it matches; None where it said nothing.
        received: Rows it gave so far.
        number: The page where this was seen.
    """

    query: Query
    cut: Cut
    number: int
    received: int
    reported: int | None = msgspec.field(default=None, name="claimed")


class SourceFound(Event, frozen=True):
    """The source was found and learnt before the harvest began, for `requests` HTTP requests."""

    requests: int


class RobotsRead(Event, frozen=True):
    """A host's robots.txt was read; kept so that a resumed harvest need not ask again that day.

    Attributes:
        read_at: Seconds since 1970, UTC; 0.0 where a journal does not say it.
    """

    origin: str
    status: int
    text: str
    requests: int = 1
    read_at: float = 0.0


class FormReceived(Event, frozen=True):
    """The page that holds the search form came; kept for the same reason."""

    response: Response
    requests: int = 1


class NonsenseAnswered(Event, frozen=True):
    """What the source shows where nothing matches came; kept for the same reason.

    Attributes:
        keys: Keys of the documents that it shows then; () for none.
    """

    keys: tuple[str, ...] = ()
    requests: int = 1


class ResponseReceived(Event, frozen=True):
    """A page that a policy wanted for itself, not as a result page, came."""

    request: Request
    response: Response
    requests: int = 1


class RequestFailed(Event, frozen=True):
    """Such a page did not come, although retried, or may not be asked for.

    Attributes:
        status: HTTP status of the answer that came instead; None where none came.
    """

    request: Request
    reason: str
    requests: int = 0
    status: int | None = None


class SizeEstimate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is believed of a source's size; as JSON it goes into the certificate.

    Attributes:
        documents: Point estimate of the documents in the source.
        low: Documents at least, at the confidence asked for; never below what is known to exist.
        high: Documents at most; None where nothing bounds them.
        share: Of the source's documents that the harvest holds, 0 to 1; None where the method
            does not say.
        share_low, share_high: Its interval.
        method: How it was estimated.
        probes: Words that were asked for it.
        hits: How many of these brought a complete answer with at least one document.
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
    """Something that does not add up.

    Attributes:
        query: The query where it was seen.
        kind: "count": a query's rows are not what its total claims; "parts": the sides of a
            split do not sum to the whole, or more is held of one than that leaves for it;
            "rows repeated"; "page lost": a page without rows, or the same again, where more
            were reported; "term": a hit's text does not fit the query; "page failed"; "hidden":
            the return limit hides documents of a cell that cannot be split.
        reported: What should be.
        found: What is.
    """

    query: Query
    kind: str
    reported: float = msgspec.field(name="claimed")
    found: float


class Concluded(Event, frozen=True):
    """What the policy makes of all that came; a later one replaces it.

    Attributes:
        size: The size that probes show; None while there is no estimate.
        at_least: Documents of the source, by exact totals of disjoint queries.
        discrepancies: What did not add up.
        forms: The rule by which the source takes forms of a word for one; "" for none.
        listed: Documents in the source's own list of all that there is; 0 where there is none.
        split: Queries with more documents than an answer shows, whose parts were asked for.
    """

    size: SizeEstimate | None = None
    at_least: int = 0
    discrepancies: tuple[Discrepancy, ...] = ()
    forms: str = ""
    listed: int = 0
    split: tuple[Query, ...] = ()


class Stopped(Event, frozen=True):
    """The harvest came to an end.

    Attributes:
        reason: For people, with the next step.
        target_met: False when it stopped short of what it was asked to do.
        outcome: How it ended; None in journals of before this was kept.
        cause: Why it is partial or blocked.
        doubted: Result pages that are not believed, and are to be asked for again.
    """

    reason: str
    target_met: bool
    outcome: Outcome | None = None
    cause: Cause = ""
    doubted: int = 0

    @property
    def ending(self) -> Ending:
        """Its outcome with the cause; of an old journal, as far as that tells."""
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
