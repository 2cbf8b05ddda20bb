"""The current state of a harvest: its run writes it at most once a second, for all observers."""

import os
import time
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import msgspec

from longline.events import UpdateCounts
from longline.harvester.control import Budgets, budgets_of, place, write_budgets
from longline.harvester.folder import check_harvest, is_running
from longline.ledger import Certificate, Forecast, decode
from longline.outcomes import Cause, Ending, Outcome
from longline.store.place import journal_file

STANDING = "standing.json"

INTERRUPTED = "interrupted, run again"
"""Text for a run that was killed."""

State = Literal["running", "waiting", "pausing", "paused", "stopping", "ended", "interrupted"]

SQLITE = b"SQLite format 3\0"
"""How a file of SQLite begins."""

GOING: frozenset[State] = frozenset({"running", "waiting", "pausing", "paused", "stopping"})
"""States in which a process is using the folder."""


class Brief(msgspec.Struct, frozen=True, kw_only=True):
    """A short form of a harvest's state, for programs.

    Attributes:
        folder, source: Of the harvest.
        state: As in `Standing`.
        documents: Documents saved.
        size: Current estimate of the source's documents; None if unknown.
        hit_rate: Share saved; None if unknown.
        requests: Requests sent.
        requests_left: Left in the budget; None if it does not limit them.
        update: What the last update found; None if there was none.
        outcome, cause: As in the certificate; "" while it runs.
        stopped: Why it stopped; "" if it is complete or running.
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
    """The state of a harvest.

    Attributes:
        state: "interrupted" if its process was killed.
        source: URL where it started.
        strategy: How its searches are chosen.
        is_update: True for an update; until it is done, the old harvest stays.
        pid: Number of the process that uses the folder, or used it last.
        begun_at, updated_at: Of this run, in seconds since 1970.
        asks: The search, or the page, that is being requested.
        reads: The document that is being read, from that search.
        waits_until: Seconds since 1970; None if no host demanded a wait.
        waits_for: The host's reason, such as "429, Retry-After 41".
        documents: Documents saved; in an update, those that came so far.
        kept: Documents of the harvest that an update replaces once it is done.
        documents_failed: Listed documents that could not be fetched.
        documents_gone: Those of them that do not exist any more.
        size, size_low, size_high: Current estimate of the source's documents, with the interval.
        searches: Searches sent, including test searches.
        truncated_queries: Searches that the source cut.
        requests: Requests sent in all runs.
        rate: Requests per second in the last minute.
        expected: Requests needed, at the average cost per document so far.
        ends_at: When it ends at this rate, by expected requests or by its budget, in seconds since
            1970; None if unknown.
        forecast: Documents saved when the budget ends, or else after as many requests again.
        limits: The limits that are set, by name of the option.
        seconds: Time this run has taken, without pauses.
        update: What the last update found; None if there was none.
        outcome, cause: As in the certificate; "" while it runs.
        stopped: Why it stopped, or did not start, in words.

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
    kept: int = 0
    documents_failed: int = 0
    documents_gone: int = 0
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
    update: UpdateCounts | None = None
    outcome: Outcome | Literal[""] = ""
    cause: Cause = ""
    stopped: str = ""

    @property
    def ending(self) -> Ending | None:
        """How it ended; None while it runs."""
        return Ending(self.outcome, self.cause) if self.outcome else None

    @property
    def saved(self) -> int:
        """Documents that the folder holds: those of the old harvest until an update is done.

        >>> Standing(state="running", is_update=True, kept=200, documents=3).saved
        200
        """
        return self.kept if self.is_update and self.update is None else self.documents

    @property
    def is_going(self) -> bool:
        """Whether a process is using the folder."""
        return self.state in GOING

    @property
    def requests_left(self) -> int | None:
        """Requests left in the budget; None if it does not limit them."""
        most = self.limits.get("max_requests")
        return None if most is None else max(0, int(most) - self.requests)

    @property
    def hit_rate(self) -> float | None:
        """Share of the source that is saved; None if the size is unknown."""
        return min(1.0, self.documents / self.size) if self.size else None

    def in_brief(self, folder: str) -> dict[str, Any]:
        """Return the values of a `Brief` for the harvest in a folder."""
        names = Brief.__struct_fields__[1:]
        return {"folder": folder} | {name: getattr(self, name) for name in names}

    def in_words(self, now: float) -> str:
        """Describe the state in a few words.

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
    """Record that a run starts, with the previous run's numbers until its own are known.

    Args:
        folder: Locked by the run.
        named: Its source and strategy.
    """
    now = time.time()
    found = msgspec.structs.replace(
        read_standing(folder) or named,
        state="running",
        source=named.source,
        strategy=named.strategy,
        is_update=named.is_update,
        kept=named.kept,
        update=None,
        pid=os.getpid(),
        begun_at=now,
        updated_at=now,
        outcome="",
        cause="",
        stopped="",
    )
    place(folder / STANDING, msgspec.json.encode(found))


def standing_of(folder: Path) -> Standing:
    """Return the state of a harvest, from its small files only.

    Raises:
        FolderError: There is no harvest in the folder, and none was started there.
    """
    found = read_standing(folder)
    if found is not None:
        found = checked(found, folder)
    elif is_running(folder):
        return Standing(state="running")
    else:
        check_harvest(folder)
        found = _by_certificate(folder)
    limits = found.limits | budgets_of(folder)
    known = {name: value for name, value in limits.items() if value is not None}
    return msgspec.structs.replace(found, limits=known)


def set_budget(folder: Path, changes: Budgets) -> Budgets:
    """Change a harvest's limits, for the current run and later ones.

    A later run's own options override them.

    Args:
        folder: The harvest's folder.
        changes: Limits by the names in `BUDGETS`; None removes a limit.

    Returns:
        All limits set in this way so far.

    Raises:
        InputError: A name is unknown, or a number is not above 0.
        FolderError: There is no harvest in the folder.
    """
    budgets = write_budgets(folder, changes)
    now = standing_of(folder)
    if not now.is_going:  # a run writes its own state
        place(folder / STANDING, msgspec.json.encode(now))
    return budgets


def read_standing(folder: Path) -> Standing | None:
    """Return the state that the last run wrote, or None if there is no readable file."""
    try:
        return decode((folder / STANDING).read_bytes(), Standing)
    except (OSError, msgspec.DecodeError):
        return None


def checked(found: Standing, folder: Path) -> Standing:
    """Return the state a run wrote, as "interrupted" if it says running but the process is gone."""
    if found.is_going and not is_running(folder):
        return msgspec.structs.replace(
            found,
            state="interrupted",
            asks="",
            reads="",
            waits_until=None,
            rate=0.0,
            ends_at=None,
            stopped="its process was killed, or crashed; run it again to continue",
        )
    return found


def _by_certificate(folder: Path) -> Standing:
    """Return the state of a harvest whose last run wrote only a certificate."""
    try:
        whole = decode((folder / "certificate.json").read_bytes(), Certificate)
    except (OSError, msgspec.DecodeError):
        if _is_damaged(folder):
            said = "its harvest.db is damaged; put back an earlier copy of that file"
            return Standing(state="ended", outcome="failed", stopped=said)
        return Standing(state="interrupted", stopped="it was not ended; run it again to continue")
    return Standing(
        state="ended",
        source=whole.source,
        strategy=whole.strategy,
        updated_at=datetime.fromisoformat(whole.ended_at).timestamp() if whole.ended_at else 0.0,
        documents=whole.documents,
        documents_failed=whole.documents_failed,
        documents_gone=whole.documents_gone,
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
        update=whole.update,
        outcome=whole.outcome,
        cause=whole.cause,
        stopped="" if whole.outcome == "complete" else whole.stopped,
    )


def _is_damaged(folder: Path) -> bool:
    """Return whether a folder's journal is a file that visibly is none of SQLite's."""
    file = journal_file(folder)
    try:
        with file.open("rb") as stream:
            return file.suffix == ".db" and stream.read(len(SQLITE)) != SQLITE
    except OSError:
        return False
