"""How a harvest stands now: what its run writes at most once a second, for all who look on."""

import os
import time
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import msgspec

from longline.harvester.control import place
from longline.harvester.folder import check_harvest, is_running
from longline.ledger import Certificate, Forecast, decode
from longline.outcomes import Cause, Ending, Outcome

STANDING = "standing.json"

INTERRUPTED = "interrupted, run again"
"""Of a run that was killed."""

State = Literal["running", "waiting", "pausing", "paused", "stopping", "ended", "interrupted"]

GOING: frozenset[State] = frozenset({"running", "waiting", "pausing", "paused", "stopping"})
"""States in which a process fills the folder."""


class Brief(msgspec.Struct, frozen=True, kw_only=True):
    """How a harvest stands, in what programs are told of it.

    Attributes:
        folder, source: Of the harvest.
        state: As `Standing` has it.
        documents: That are saved.
        size: Documents of the source as believed now; None where that is not known.
        hit_rate: Share that is saved; None where that is not known.
        requests: That were sent.
        requests_left: Of the budget; None where it does not bound them.
        outcome, cause: As the certificate has them; "" while it goes on.
        stopped: Why it stopped; "" where it is complete or goes on.
    """

    folder: str
    source: str
    state: State
    documents: int
    size: int | None
    hit_rate: float | None
    requests: int
    requests_left: int | None
    outcome: Outcome | Literal[""]
    cause: Cause
    stopped: str


class Standing(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a harvest stands.

    Attributes:
        state: "interrupted" where its process ended without a word.
        source: Where it began, a URL.
        strategy: What chooses its searches.
        is_update: It looks for what is new; until it is done, the harvest before stays.
        pid: Number of the process that fills the folder, or that did so last.
        begun_at, updated_at: Of this run, in seconds since 1970.
        asks: The search, or the page, that is being asked for now.
        reads: The document that is being read now, of those that it showed.
        waits_until: Seconds since 1970; None where no host asked for a wait.
        waits_for: What the host said, such as "429, Retry-After 41".
        documents: That are saved.
        documents_failed: That were listed and did not come.
        size, size_low, size_high: Documents of the source as believed now, with the interval.
        searches: That were sent, test searches included.
        truncated_queries: Searches that the source was seen to cut.
        requests: That were sent in all runs.
        rate: Requests a second in the last minute.
        expected: Requests that are left, if each document costs what it did so far.
        ends_at: When it ends at this rate, by what is expected or by its budget, in seconds since
            1970; None where nothing tells.
        forecast: What is saved when the budget ends, else after as many requests again.
        limits: The bounds that there are, by the name of the option.
        seconds: That this run has taken, without its pauses.
        outcome, cause: As the certificate has them; "" while it goes on.
        stopped: Why it stopped, or did not begin, in words.

    Example:
        >>> import longline
        >>> standing = longline.Standing(state="running")
        >>> standing.state, standing.documents
        ('running', 0)
    """

    state: State
    source: str = ""
    strategy: str = ""
    is_update: bool = False
    pid: int = 0
    begun_at: float = 0.0
    updated_at: float = 0.0
    asks: str = ""
    reads: str = ""
    waits_until: float | None = None
    waits_for: str = ""
    documents: int = 0
    documents_failed: int = 0
    size: int | None = None
    size_low: int | None = None
    size_high: int | None = None
    searches: int = 0
    truncated_queries: int = 0
    requests: int = 0
    rate: float = 0.0
    expected: int | None = None
    ends_at: float | None = None
    forecast: Forecast | None = None
    limits: dict[str, float] = {}
    seconds: float = 0.0
    outcome: Outcome | Literal[""] = ""
    cause: Cause = ""
    stopped: str = ""

    @property
    def ending(self) -> Ending | None:
        """How it ended; None while it goes on."""
        return Ending(self.outcome, self.cause) if self.outcome else None

    @property
    def is_going(self) -> bool:
        """Whether a process fills the folder."""
        return self.state in GOING

    @property
    def requests_left(self) -> int | None:
        """Requests that the budget leaves; None where it does not bound them."""
        most = self.limits.get("max_requests")
        return None if most is None else max(0, int(most) - self.requests)

    @property
    def hit_rate(self) -> float | None:
        """Share of the source that is saved; None where the size is not known."""
        return min(1.0, self.documents / self.size) if self.size else None

    def in_brief(self, folder: str) -> dict[str, Any]:
        """Return the values of a `Brief` of the harvest in a folder."""
        names = Brief.__struct_fields__[1:]
        return {"folder": folder} | {name: getattr(self, name) for name in names}

    def in_words(self, now: float) -> str:
        """Say the state in a few words.

        Args:
            now: Seconds since 1970.

        >>> Standing(state="waiting", waits_until=141.0, waits_for="Retry-After 60").in_words(100.0)
        'waits for 41 s: Retry-After 60'
        >>> Standing(state="ended", outcome="partial", cause="budget").in_words(0.0)
        'partial (budget)'
        """
        words = self._in_words(now)
        return f"update: {words}" if self.is_update and words != "complete" else words

    def _in_words(self, now: float) -> str:
        match self.state:
            case "waiting":
                left = max(0.0, (self.waits_until or now) - now)
                return f"waits for {left:.0f} s: {self.waits_for}"
            case "pausing":
                return "pausing: the page in flight is ended"
            case "stopping":
                return "stopping: the answers under way are read"
            case "ended" if self.ending:
                return str(self.ending)
            case "interrupted":
                return INTERRUPTED
            case other:
                return other


def begin_standing(folder: Path, named: Standing) -> None:
    """Say that a run begins, with the numbers of the one before until its own are known.

    Args:
        folder: That is held by the run.
        named: Its source and strategy.
    """
    now = time.time()
    found = msgspec.structs.replace(
        read_standing(folder) or named,
        state="running",
        source=named.source,
        strategy=named.strategy,
        is_update=named.is_update,
        pid=os.getpid(),
        begun_at=now,
        updated_at=now,
        outcome="",
        cause="",
        stopped="",
    )
    place(folder / STANDING, msgspec.json.encode(found))


def standing_of(folder: Path) -> Standing:
    """Say how a harvest stands, from its small files alone.

    Raises:
        FolderError: There is no harvest in the folder, and none began there.
    """
    found = read_standing(folder)
    if found is not None:
        return checked(found, folder)
    if is_running(folder):
        return Standing(state="running")
    check_harvest(folder)
    return _by_certificate(folder)


def read_standing(folder: Path) -> Standing | None:
    """Return what the last run wrote; None where there is nothing that can be read."""
    try:
        return decode((folder / STANDING).read_bytes(), Standing)
    except (OSError, msgspec.DecodeError):
        return None


def checked(found: Standing, folder: Path) -> Standing:
    """Return what a run wrote, unless the run is gone that says it goes on."""
    if found.is_going and not is_running(folder):
        return msgspec.structs.replace(
            found,
            state="interrupted",
            asks="",
            reads="",
            waits_until=None,
            rate=0.0,
            ends_at=None,
            stopped="its process ended without a word; run it again to continue",
        )
    return found


def _by_certificate(folder: Path) -> Standing:
    """Say how a harvest stands whose last run wrote nothing but a certificate."""
    try:
        whole = decode((folder / "certificate.json").read_bytes(), Certificate)
    except (OSError, msgspec.DecodeError):
        return Standing(state="interrupted", stopped="it was not ended; run it again to continue")
    return Standing(
        state="ended",
        source=whole.source,
        strategy=whole.strategy,
        updated_at=datetime.fromisoformat(whole.ended_at).timestamp() if whole.ended_at else 0.0,
        documents=whole.documents,
        documents_failed=whole.documents_failed,
        size=whole.size,
        size_low=whole.size_low,
        size_high=whole.size_high,
        searches=whole.queries + whole.probes,
        truncated_queries=whole.truncated_queries,
        requests=whole.requests,
        limits={
            "max_time" if name == "seconds" else f"max_{name}": line.allowed
            for name, line in whole.budget.items()
        },
        forecast=whole.forecast,
        outcome=whole.outcome,
        cause=whole.cause,
        stopped="" if whole.outcome == "complete" else whole.stopped,
    )
