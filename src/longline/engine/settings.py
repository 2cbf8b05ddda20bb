"""What bounds a run of the engine, and what it calls."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from longline.errors import SourceError
from longline.events import AnyEvent, Concluded, Stopped
from longline.model import Attachment, Finish, Hit, Request, Response, Search
from longline.outcomes import Ending
from longline.ports import Policy

Observer = Callable[[AnyEvent], None]
Conclude = Callable[[bool], Concluded | None]
"""Says what there is to conclude, if that is new; True when it is over."""

MayAsk = Callable[[Search | Request | Hit], Awaitable[None]]
"""Returns when something may be asked for."""

Judge = Callable[[Finish], Stopped]
"""Says how a harvest ended whose policy is done."""

Keep = Callable[[Response], Attachment]
"""Writes a file, and says what it is."""

Outlast = Callable[[SourceError, int], Awaitable[bool]]
"""Waits for a source that is away, for the first time (0) or once more; False gives it up."""

OF_REQUESTS = (400, 404, 405, 406, 415, 422, 500)
"""Statuses that an interface answers a request with which is not as it wants it."""

MOST_FAILURES = 20
"""Pages, or documents, in a row that do not come before the source is given up."""


def believe(finish: Finish) -> Stopped:
    """End as the policy says.

    >>> believe(Finish("done", True)).outcome
    'complete'
    """
    outcome, cause = Ending("complete") if finish.target_met else Ending("partial", "missing")
    return Stopped(finish.reason, finish.target_met, outcome, cause)


async def at_once(wanted: Search | Request | Hit) -> None:
    """Let anything be asked for at once."""


async def give_up(error: SourceError, turn: int) -> bool:
    """Wait for nothing."""
    return False


@dataclass(frozen=True, kw_only=True)
class RunLimits:
    """What bounds a run.

    Attributes:
        max_documents: Stop rather than hold more than these.
        max_queries: Stop rather than send more different queries, probes included.
        listing_only: Keep title and snippet as they are listed; ask for no document page.
        retries_all: In the end try those documents again too that hardly come by that.
        concurrency: Document pages read at the same time.
        patience: Pages in a row that fail, where nothing is known to be right, after which the
            source counts as gone.
        bears_refusals: A policy's first request may be refused by a status that is about the
            request (`OF_REQUESTS`) rather than about who asks.
    """

    max_documents: int | None = None
    max_queries: int | None = None
    listing_only: bool = False
    retries_all: bool = False
    concurrency: int = 4
    patience: int = MOST_FAILURES
    bears_refusals: bool = False


@dataclass(frozen=True, kw_only=True)
class Callbacks:
    """What the engine calls.

    Attributes:
        renew: Makes another policy, to go through the journal once more; None goes on without.
        judge: Asked when the policy is done.
        conclude: Asked after every action of the policy, and when it is over; what it says is
            entered, unless it was before.
        identify: Says which language a text is in, where the source does not; "" for unknown.
        unrecorded_bytes: Bytes that came since it was called last; they go into the journal.
        may_ask: Awaited before a page or a document is asked for; raises `StoppedShort` where that
            may not be any more.
        outlast: Awaited where a source does not answer any more.
        observe: Called with every new event, after it is in the ledger and in the journal.
        keep: Keeps the file that a document is, or links to; None keeps none.
    """

    renew: Callable[[], Policy] | None = None
    judge: Judge = believe
    conclude: Conclude = lambda is_over: None
    identify: Callable[[str], str] = lambda text: ""
    unrecorded_bytes: Callable[[], int] = lambda: 0
    may_ask: MayAsk = at_once
    outlast: Outlast = give_up
    observe: Observer = lambda event: None
    keep: Keep | None = None
