"""The limits of an engine's run, and the functions that it calls."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from longline.errors import SourceError
from longline.events import AnyEvent, Concluded, Stopped
from longline.model import Attachment, Finish, Hit, Request, Response, Search
from longline.outcomes import Ending
from longline.ports import Policy

Observer = Callable[[AnyEvent], None]
Conclude = Callable[[bool], Concluded | None]
"""Returns new conclusions, or None; the argument is True when the run is over."""

MayAsk = Callable[[Search | Request | Hit], Awaitable[None]]
"""Waits until something may be requested."""

Judge = Callable[[Finish], Stopped]
"""Decides the outcome of a harvest whose policy has finished."""

Keep = Callable[[Response], Attachment]
"""Saves a file, and returns its description."""

Outlast = Callable[[SourceError, int], Awaitable[bool]]
"""Waits for an unavailable source; the number is 0 the first time. Returns False to give it up."""

OF_REQUESTS = (400, 404, 405, 406, 415, 422, 500)
"""Statuses with which an API rejects a malformed request."""

MOST_FAILURES = 20
"""After this many failed pages, or documents, in a row, the source is given up."""


def believe(finish: Finish) -> Stopped:
    """Return the outcome that the policy states.

    >>> believe(Finish("done", True)).outcome
    'complete'
    """
    outcome, cause = Ending("complete") if finish.target_met else Ending("partial", "missing")
    return Stopped(finish.reason, finish.target_met, outcome, cause)


async def at_once(wanted: Search | Request | Hit) -> None:
    """Return without waiting."""


async def give_up(error: SourceError, turn: int) -> bool:
    """Return False without waiting."""
    return False


@dataclass(frozen=True, kw_only=True)
class RunLimits:
    """The limits of a run.

    Attributes:
        max_documents: Stop rather than hold more documents than this.
        max_queries: Stop rather than send more different queries than this, with probes.
        listing_only: Keep title and snippet as listed; request no document pages.
        follows_links: At the end, also get the documents that only saved pages link to.
        retries_all: At the end, also retry documents that are unlikely to succeed.
        concurrency: Document pages read at the same time.
        patience: After this many failed pages in a row the source counts as gone, if no earlier
            answer can be checked.
        bears_refusals: Whether a policy's first request may be refused with a status about the
            request (`OF_REQUESTS`) rather than about the client.
    """

    max_documents: int | None = None
    max_queries: int | None = None
    listing_only: bool = False
    follows_links: bool = False
    retries_all: bool = False
    concurrency: int = 4
    patience: int = MOST_FAILURES
    bears_refusals: bool = False


@dataclass(frozen=True, kw_only=True)
class Callbacks:
    """The functions that the engine calls.

    Attributes:
        renew: Makes a new policy, to process the journal again; None continues without.
        judge: Called when the policy has finished.
        conclude: Called after every action of the policy, and when the run is over; new conclusions
            are recorded.
        identify: Returns the language of a text, if the source does not give it; "" if unknown.
        unrecorded_bytes: Returns the bytes received since the last call, for the journal.
        new_links: Returns the links on documents' pages since the last call, for the journal.
        may_ask: Awaited before a page or a document is requested; raises `StoppedShort` if that is
            no longer allowed.
        outlast: Awaited if a source does not answer any more.
        observe: Called with every new event, after it was added to the ledger and the journal.
        keep: Saves a file that a document is, or links to; None saves none.
    """

    renew: Callable[[], Policy] | None = None
    judge: Judge = believe
    conclude: Conclude = lambda is_over: None
    identify: Callable[[str], str] = lambda text: ""
    unrecorded_bytes: Callable[[], int] = lambda: 0
    new_links: Callable[[], tuple[str, ...]] = tuple
    may_ask: MayAsk = at_once
    outlast: Outlast = give_up
    observe: Observer = lambda event: None
    keep: Keep | None = None
