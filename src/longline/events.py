"""What can happen in a harvest. The journal is a list of these, in order."""

from __future__ import annotations

from typing import Literal

import msgspec

from longline.model import Document, Page, Query, Request, Response

Cut = Literal["capped", "clamped", "short", "empty", "repeated", "failed"]
"""How a query's answer fell short; `account.cuts` defines each."""


class Event(msgspec.Struct, frozen=True, tag_field="event", tag=True, omit_defaults=True):
    """Something that happened; every subclass is a kind of journal entry."""


class PageReceived(Event, frozen=True):
    """Result page `number` (from 1) of a query came, for `requests` HTTP requests."""

    query: Query
    number: int
    page: Page
    requests: int = 1


class PageFailed(Event, frozen=True):
    """A result page did not come, although retried; resuming asks for it again."""

    query: Query
    number: int
    reason: str
    requests: int = 0


class DocumentReceived(Event, frozen=True):
    """A document is held; `requests` is 0 where its text came with the listing."""

    document: Document
    requests: int = 1


class DocumentFailed(Event, frozen=True):
    """A document's page did not come, although retried; resuming asks for it again."""

    key: str
    url: str
    reason: str
    requests: int = 0


class QueryCut(Event, frozen=True):
    """A query's answer is not all that it should be, and how.

    Attributes:
        claimed: Documents the source said it matches; None where it said nothing.
        received: Rows it gave so far.
        number: The page where this was seen.
    """

    query: Query
    cut: Cut
    number: int
    received: int
    claimed: int | None = None


class RobotsRead(Event, frozen=True):
    """A host's robots.txt was read; kept so that a resumed harvest need not ask again."""

    origin: str
    status: int
    text: str
    requests: int = 1


class FormReceived(Event, frozen=True):
    """The page that holds the search form came; kept for the same reason."""

    response: Response
    requests: int = 1


class ResponseReceived(Event, frozen=True):
    """A page that a thinker wanted for itself, not as a result page, came."""

    request: Request
    response: Response
    requests: int = 1


class RequestFailed(Event, frozen=True):
    """Such a page did not come, although retried, or may not be asked for."""

    request: Request
    reason: str
    requests: int = 0


class Stopped(Event, frozen=True):
    """The harvest came to an end.

    Attributes:
        target_met: False when it stopped short of what it was asked to do.
    """

    reason: str
    target_met: bool


AnyEvent = (
    PageReceived
    | PageFailed
    | DocumentReceived
    | DocumentFailed
    | QueryCut
    | RobotsRead
    | FormReceived
    | ResponseReceived
    | RequestFailed
    | Stopped
)
