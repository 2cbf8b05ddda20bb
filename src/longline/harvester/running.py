"""One run of a harvest: connects its parts, and handles signals."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime

import numpy as np

from longline.engine import Callbacks, Engine, Keep, RunLimits
from longline.events import AnyEvent, Concluded, Stopped
from longline.fetch import Earlier, Hooks, Wait, WebFetcher
from longline.harvester.absence import Absence
from longline.harvester.folder import keep_limits
from longline.harvester.journal import Site, keep_wait, requests_today, waits_of
from longline.harvester.settings import Limits
from longline.harvester.standing import Standing
from longline.harvester.steering import Steering
from longline.ledger import (
    Allowed,
    Budget,
    Ledger,
    Used,
    in_a_line,
    not_checked,
    requests_left,
    verdict,
)
from longline.logs import log_event
from longline.model import Capture, Finish
from longline.planner.measure import Measured
from longline.planner.probe import FieldAware
from longline.ports import SourceClient
from longline.store import TableStore
from longline.text.language import identify


@dataclass(frozen=True, kw_only=True, repr=False)
class Listeners:
    """Functions to call while a harvest runs.

    Attributes:
        on_event: Called with every new event, and the current ledger.
        on_wait: Called when a request waits, with the time and the reason: its host demanded it,
            gives no good answer, or is down.
        on_state: Called with the harvest's state when it changes, at most once a second.
        on_interrupt: If given, SIGINT, SIGTERM or SIGHUP calls it and stops the run after the
            answers in progress; a second signal stops at once. None ignores signals.
    """

    on_event: Callable[[AnyEvent, Ledger], object] = lambda event, ledger: None
    on_wait: Callable[[Wait], object] = lambda wait: None
    on_state: Callable[[Standing], object] = lambda standing: None
    on_interrupt: Callable[[], object] | None = None

    def __repr__(self) -> str:
        given = [each.name for each in fields(self) if getattr(self, each.name) is not each.default]
        return f"{type(self).__name__}({', '.join(f'{name}=...' for name in given)})"


@contextmanager
def interruptible(stop: Callable[[], None]) -> Iterator[None]:
    """Let SIGINT, SIGTERM and SIGHUP stop a run properly, if the event loop supports it.

    A second signal cancels the current work, a third has its default effect. A SIGHUP that is
    ignored, as after `nohup`, stays ignored.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    hangup = getattr(signal, "SIGHUP", None)  # not on Windows
    numbers = [signal.SIGINT, signal.SIGTERM]
    if hangup is not None and signal.getsignal(hangup) is not signal.SIG_IGN:
        numbers.append(hangup)
    received = 0

    def let_go() -> None:
        with suppress(NotImplementedError, RuntimeError):
            for number in numbers:
                loop.remove_signal_handler(number)

    def handle() -> None:
        nonlocal received
        received += 1
        if received == 1:
            stop()
        elif task is not None:
            let_go()
            task.cancel()

    with suppress(NotImplementedError, RuntimeError):  # Windows; not in the main thread
        for number in numbers:
            loop.add_signal_handler(number, handle)
    try:
        yield
    finally:
        let_go()
        if received > 1 and task is not None:
            task.uncancel()


class Policies:
    """Makes the policies of a run, one after the other, and gets conclusions from the newest.

    Args:
        make: Makes a policy.
        concludes: False if there are no conclusions, as when a run only retries failures.
    """

    def __init__(self, make: Callable[[], FieldAware[Measured]], *, concludes: bool) -> None:
        self._make = make
        self._concludes = concludes
        self._policy: FieldAware[Measured] | None = None

    def renew(self) -> FieldAware[Measured]:
        """Return a new policy."""
        self._policy = self._make()
        return self._policy

    def conclude(self, is_over: bool) -> Concluded | None:
        """Return the newest policy's conclusion if it is new, or None."""
        if self._policy is None or not self._concludes:
            return None
        return self._policy.opened(self._policy.policy.conclude(is_over))


class Running:
    """One run: budget, fetcher and engine, controlled by the folder, reporting to the listeners.

    Call `fetcher` first, then `begin`; then use `engine` within `steered`.

    Args:
        store: The harvest's journal and documents.
        ledger: Contains the journal's events.
        steering: Has the limits of the run, and changes them.
        listeners: Functions to call with events.

    Attributes:
        budget: The run's limits, and what is used of them.
        engine: The main loop.
    """

    engine: Engine
    _web: WebFetcher
    _fixed: RunLimits

    def __init__(
        self, store: TableStore, ledger: Ledger, steering: Steering, listeners: Listeners
    ) -> None:
        self._store = store
        self._ledger = ledger
        self._steering = steering
        self._listeners = listeners
        self._finish: Finish | None = None
        used = Used(
            requests=ledger.requests,
            body_bytes=ledger.body_bytes,
            requests_today=requests_today(store),
        )
        self.budget = Budget(
            _allowed(steering.limits),
            used,
            clock=steering.seconds,
            now=lambda: datetime.now(UTC),
            left=lambda: requests_left(ledger.documents, ledger.expected_size, ledger.requests),
        )

    def fetcher(
        self,
        rng: np.random.Generator,
        site: Site,
        capture: Callable[[Capture], object] | None,
    ) -> WebFetcher:
        """Return the fetcher that sends requests, within the budget."""
        store = self._store
        hooks = Hooks(
            on_robots=self.enter,
            on_send=self.budget.spend,
            on_receive=self.budget.receive,
            on_asked=lambda wait: keep_wait(store, wait),
            on_wait=self._wait,
            on_capture=capture,
        )
        earlier = Earlier(robots=site.robots, waits=waits_of(store))
        self._web = WebFetcher(rng, self._steering.limits, hooks=hooks, earlier=earlier)
        return self._web

    def begin(
        self,
        client: SourceClient,
        policies: Policies,
        fixed: RunLimits,
        keep: Keep | None,
        new_links: Callable[[], tuple[str, ...]],
    ) -> None:
        """Make the engine.

        Args:
            client: Executes searches.
            policies: Choose them.
            fixed: Limits of the run that do not change.
            keep: Stores the files of documents; None stores none.
            new_links: Returns the links on documents' pages since the last call.
        """
        steering = self._steering
        self._fixed = fixed
        callbacks = Callbacks(
            identify=identify,
            renew=policies.renew,
            judge=self._judge,
            conclude=policies.conclude,
            unrecorded_bytes=self.budget.unrecorded_bytes,
            new_links=new_links,
            may_ask=steering.may_ask,
            outlast=Absence(steering.limits, self._web.rest, self._wait).outlast,
            observe=self._tell,
            keep=keep,
        )
        bounds = self._bounds(steering.limits)
        self.engine = Engine(policies.renew(), client, self._store, self._ledger, bounds, callbacks)

    def _judge(self, finish: Finish) -> Stopped:
        self._finish = finish
        return verdict(finish, self._ledger, self._steering.limits.target_coverage)

    def judged_again(self, stopped: Stopped) -> Stopped:
        """Return the outcome with what came since the policy was done, and the run stopped.

        What was complete stays so, unless many documents could not be checked: documents that are
        gone by now are not missing.
        """
        is_settled = stopped.outcome == "complete" and not not_checked(self._ledger)
        if self._finish is None or not stopped.ending.is_done or is_settled:
            return stopped
        return self._judge(self._finish)

    @asynccontextmanager
    async def steered(self) -> AsyncIterator[None]:
        """Within this block, obey the folder's control files, and stop properly at Ctrl-C."""
        steering = self._steering
        steering.on_stop = self._end
        is_alone = self._listeners.on_interrupt is None
        async with steering.steering():
            with nullcontext() if is_alone else interruptible(self._stop):
                yield

    def enter(self, event: AnyEvent) -> None:
        """Enter an event into the ledger and the journal."""
        self.engine.enter(event)

    def allow(self, limits: Limits) -> None:
        """Continue with other limits, and store them."""
        self.budget.allowed = _allowed(limits)
        self.engine.allow(self._bounds(limits))
        keep_limits(self._store, limits)

    def _bounds(self, limits: Limits) -> RunLimits:
        return replace(
            self._fixed,
            max_documents=limits.max_documents,
            max_queries=limits.max_queries,
            concurrency=limits.concurrency,
        )

    def _tell(self, event: AnyEvent) -> None:
        log_event(event, in_a_line)
        self._steering.tell(event)
        self._listeners.on_event(event, self._ledger)

    def _wait(self, asked: Wait) -> None:
        if asked.is_asked or asked.gives_up is not None:
            self._steering.waits(asked)
        self._listeners.on_wait(asked)

    def _end(self) -> None:
        self.engine.interrupt()
        self._web.stop()

    def _stop(self) -> None:
        self._end()
        self._steering.stop()
        if self._listeners.on_interrupt is not None:
            self._listeners.on_interrupt()


def _allowed(limits: Limits) -> Allowed:
    return Allowed(
        requests=limits.max_requests,
        body_bytes=limits.max_bytes,
        seconds=limits.max_time,
        requests_per_day=limits.max_requests_per_day,
        reserve=limits.daily_reserve,
    )
