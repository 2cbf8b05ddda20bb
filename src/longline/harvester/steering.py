"""Control a running harvest by its folder's files, and write its state there."""

import asyncio
import logging
import os
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import msgspec

from longline.errors import FolderError, Interrupted, LonglineError, StorageError
from longline.events import AnyEvent, QueryCut
from longline.fetch import Wait
from longline.harvester.control import (
    BUDGET,
    BUDGETS,
    CONTROL,
    Watched,
    budgets_of,
    place,
    wanted_in,
    with_budgets,
)
from longline.harvester.settings import Limits
from longline.harvester.standing import STANDING, Standing, State
from longline.ledger import BudgetLine, Ledger, forecast_of, requests_left
from longline.logs import log
from longline.model import Hit, Request, Search
from longline.secrets import masked

LOOK_SECONDS = 1.0
"""Seconds between checks of the control files, and between writes of the state."""

RATE_SECONDS = 60.0
"""The rate is the average over this many seconds."""


class Steering:
    """Pauses a run, stops it and changes its limits, as its folder's files demand.

    Args:
        folder: Locked by the run.
        limits: The limits of the run.
        ledger: Its ledger.
        named: Its state without numbers: source and strategy.
        on_state: Called with the state each time it is written.
        seconds: Time the run took before.

    Attributes:
        limits: The current limits.
        on_limits: Called with new limits.
        on_stop: Called when the run is to end.
    """

    def __init__(
        self,
        folder: Path,
        limits: Limits,
        ledger: Ledger,
        *,
        named: Standing,
        on_state: Callable[[Standing], object] = lambda standing: None,
        seconds: float = 0.0,
    ) -> None:
        self.limits = limits
        self.on_limits: Callable[[Limits], object] = lambda limits: None
        self.on_stop: Callable[[], object] = lambda: None
        self._folder = folder
        self._ledger = ledger
        self._on_state = on_state
        # Earlier commands were deleted: one that is there is for this run.
        self._control, self._budget = Watched(folder / CONTROL), Watched(folder / BUDGET)
        self._may_go = asyncio.Event()
        self._may_go.set()
        self._is_stopped = False
        self._held_up = 0  # number of tasks that wait for the end of the pause
        self._paused_at: float | None = None
        self._paused_seconds = 0.0
        self._begun = time.monotonic() - seconds
        self._wait: Wait | None = None
        self._cut = {query for query, sums in ledger.query_ledgers.items() if sums.cuts}
        self._sent: deque[tuple[float, int]] = deque()
        self._now = msgspec.structs.replace(named, pid=os.getpid(), begun_at=time.time())
        self._written: Standing | None = None
        self._asked: Search | Request | None = None  # the newest, and the document being read
        self._read: Hit | None = None

    def seconds(self) -> float:
        """Return how long this run has taken, without its pauses, in seconds."""
        now = time.monotonic()
        paused = 0.0 if self._paused_at is None else now - self._paused_at
        return now - self._begun - self._paused_seconds - paused

    async def may_ask(self, wanted: Search | Request | Hit) -> None:
        """Wait while the harvest is paused; otherwise return at once.

        Raises:
            Interrupted: The harvest is to stop.
        """
        if not self._may_go.is_set():
            self._held_up += 1
            try:
                await self._may_go.wait()
            finally:
                self._held_up -= 1
        if self._is_stopped:
            raise Interrupted
        if isinstance(wanted, Hit):
            self._read = wanted
        else:
            self._asked, self._read = wanted, None

    def stop(self) -> None:
        """Record that the run is to end, and release waiting tasks."""
        self._is_stopped = True
        self._go()

    def tell(self, event: AnyEvent) -> None:
        """Record an event."""
        if isinstance(event, QueryCut):
            self._cut.add(event.query)

    def waits(self, wait: Wait) -> None:
        """Record that a host demanded a wait."""
        self._wait = wait

    @asynccontextmanager
    async def steering(self) -> AsyncIterator[None]:
        """Within this block, check the control files and write the state regularly."""
        self._write()
        task = asyncio.create_task(self._watch())
        error = ""
        try:
            yield
        except LonglineError as failure:
            error = str(failure)
            raise
        except Exception as failure:
            error = f"{type(failure).__name__}: {failure}; run it again to continue"
            raise
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            self._end(error)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            self._look()
            self._write()

    def _look(self) -> None:
        if self._control.changed():
            self._obey()
        if self._budget.changed():
            try:
                budgets = budgets_of(self._folder)
            except LonglineError as error:
                log(logging.WARNING, str(error))
                return
            self.limits = with_budgets(self.limits, budgets)
            self.on_limits(self.limits)

    def _obey(self) -> None:
        wanted = wanted_in(self._control.path)
        if wanted == "pause" and not self._is_stopped:
            self._paused_at = self._paused_at or time.monotonic()
            self._may_go.clear()
        elif wanted == "run":
            self._go()
        elif wanted == "stop" and not self._is_stopped:
            self.on_stop()
            self.stop()

    def _go(self) -> None:
        if self._paused_at is not None:
            self._paused_seconds += time.monotonic() - self._paused_at
            self._paused_at = None
        self._may_go.set()

    def _state(self) -> State:
        if self._is_stopped:
            return "stopping"
        if not self._may_go.is_set():
            return "paused" if self._held_up else "pausing"
        is_waiting = self._wait is not None and self._wait.until.timestamp() > time.time()
        return "waiting" if is_waiting else "running"

    def _write(self) -> None:
        state = self._state()
        wait = self._wait if state == "waiting" else None
        self._keep(
            state=state,
            waits_until=None if wait is None else wait.until.timestamp(),
            waits_for="" if wait is None else f"{wait.reason} ({wait.host})",
        )

    def _end(self, error: str) -> None:
        """Write how the run ended, by its ledger."""
        stopped = self._ledger.stopped
        ending = stopped.ending
        whole = "" if ending.outcome == "complete" else stopped.reason
        self._keep(
            state="ended",
            outcome=ending.outcome,
            cause=ending.cause,
            stopped=error or whole,
            asks="",
            reads="",
            waits_until=None,
            waits_for="",
        )

    def _keep(self, **changes: object) -> None:
        words = _in_words(self._asked, self._read)
        standing = msgspec.structs.replace(self._now, **(words | self._numbers() | changes))
        if standing.state in ("ended", "paused"):
            standing = msgspec.structs.replace(standing, rate=0.0, ends_at=None)
        if standing == self._written:
            return
        self._written = standing
        told = msgspec.structs.replace(standing, updated_at=time.time())
        with suppress(FolderError, StorageError):  # the harvest itself reports these
            place(self._folder / STANDING, msgspec.json.encode(told))
        self._on_state(told)

    def _numbers(self) -> dict[str, object]:
        ledger, size = self._ledger, self._ledger.believed()
        rate = self._rate()
        expected = requests_left(ledger.documents, size.size, ledger.requests)
        return {
            "documents": ledger.documents,
            "documents_failed": ledger.documents_failed,
            "documents_gone": ledger.failures.gone,
            "size": size.size,
            "size_low": size.low,
            "size_high": size.high,
            "searches": ledger.queries_and_probes,
            "truncated_queries": len(self._cut),
            "requests": ledger.requests,
            "rate": round(rate, 2),
            "seconds": round(self.seconds(), 0),
            "expected": expected,
            "ends_at": self._ends_at(expected, rate),
            "update": ledger.updated and ledger.updated.counts,
            "forecast": forecast_of(ledger, self._budget_lines(), rate),
            "limits": {
                name: value for name in BUDGETS if (value := getattr(self.limits, name)) is not None
            },
        }

    def _budget_lines(self) -> dict[str, BudgetLine]:
        """Return the limits on future requests."""
        used = {"requests": self._ledger.requests, "seconds": self.seconds()}
        allowed = {"requests": self.limits.max_requests, "seconds": self.limits.max_time}
        return {
            name: BudgetLine(most, used[name]) for name, most in allowed.items() if most is not None
        }

    def _rate(self) -> float:
        """Return the requests per second of the last minute, or since the run started."""
        now, sent = self.seconds(), self._ledger.requests
        self._sent.append((now, sent))
        while len(self._sent) > 2 and now - self._sent[0][0] > RATE_SECONDS:
            self._sent.popleft()
        then, before = self._sent[0]
        return (sent - before) / (now - then) if now > then else 0.0

    def _ends_at(self, expected: int | None, rate: float) -> float | None:
        most = self.limits.max_requests
        left = [expected] if expected is not None else []
        if most is not None:
            left.append(max(0, most - self._ledger.requests))
        if not left or rate <= 0:
            return None
        return float(round(time.time() + min(left) / rate, -1))


def _in_words(asked: Search | Request | None, read: Hit | None) -> dict[str, object]:
    words: dict[str, object] = {}
    match asked:
        case Search(query, number):
            words["asks"] = f"{str(query)!r}, page {number}"
        case Request(url):
            words["asks"] = masked(url)
    if asked is not None or read is not None:
        words["reads"] = "" if read is None else masked(read.url or read.key)
    return words
