"""One run of a harvest: its parts, how they hear of each other, and what the system bids them."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime

import numpy as np

from longline.engine import Callbacks, Engine, Keep, RunLimits
from longline.events import AnyEvent, Concluded
from longline.fetch import Earlier, Hooks, Wait, WebFetcher
from longline.harvester.absence import Absence
from longline.harvester.folder import keep_limits
from longline.harvester.journal import Site, keep_wait, requests_today, waits_of
from longline.harvester.settings import Limits
from longline.harvester.standing import Standing
from longline.harvester.steering import Steering
from longline.ledger import Allowed, Budget, Ledger, Used, requests_left, verdict
from longline.logs import log_event
from longline.model import Capture
from longline.planner.measure import Measured
from longline.planner.probe import FieldAware
from longline.ports import SourceClient
from longline.store import TableStore
from longline.text.language import identify


@dataclass(frozen=True, kw_only=True, repr=False)
class Listeners:
    """Functions to call while a harvest goes on.

    Attributes:
        on_event: Told every new event, with the ledger as it stands.
        on_wait: Told when a request waits, until when, and why: its host asked for that, gives no
            good answer, or is away.
        on_state: Told how the harvest stands, at most once a second, where that changes.
        on_interrupt: Where it is given, SIGINT or SIGTERM calls it and stops the run when the
            answers under way have come; once more, at once. None leaves signals alone.
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
    """Let SIGINT and SIGTERM stop a run in good order, where the loop can do that.

    A second one cancels what is under way, a third does what it does to any program.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    numbers = (signal.SIGINT, signal.SIGTERM)
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
    """Makes the policies of a run, one after the other, and lets the newest conclude.

    Args:
        make: Makes one.
        concludes: False concludes nothing, where a run only tries again what failed.
    """

    def __init__(self, make: Callable[[], FieldAware[Measured]], *, concludes: bool) -> None:
        self._make = make
        self._concludes = concludes
        self._policy: FieldAware[Measured] | None = None

    def renew(self) -> FieldAware[Measured]:
        """Return a fresh policy."""
        self._policy = self._make()
        return self._policy

    def conclude(self, is_over: bool) -> Concluded | None:
        """Return what the newest policy has to say, if that is new."""
        if self._policy is None or not self._concludes:
            return None
        return self._policy.opened(self._policy.policy.conclude(is_over))


class Running:
    """One run: budget, fetcher and engine, steered by the folder and told to the listeners.

    `fetcher` comes first, then `begin`; then `engine` is there, to be used while `steered`.

    Args:
        store: The harvest's journal and documents.
        ledger: Told what the store's journal holds.
        steering: Has the limits of the run, and changes them.
        listeners: Functions to call as it goes on.

    Attributes:
        budget: What the run may use, and has used.
        engine: The loop.
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
        """Return what sends requests, within the budget and as the folder steers it."""
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
        self, client: SourceClient, policies: Policies, fixed: RunLimits, keep: Keep | None
    ) -> None:
        """Make the engine.

        Args:
            client: Carries out searches.
            policies: Choose them.
            fixed: What bounds the run beside the limits that may change.
            keep: Keeps the files of documents; None keeps none.
        """
        ledger, steering = self._ledger, self._steering
        self._fixed = fixed
        callbacks = Callbacks(
            identify=identify,
            renew=policies.renew,
            judge=lambda finish: verdict(finish, ledger, steering.limits.target_coverage),
            conclude=policies.conclude,
            unrecorded_bytes=self.budget.unrecorded_bytes,
            may_ask=steering.may_ask,
            outlast=Absence(steering.limits, self._web.rest, self._wait).outlast,
            observe=self._tell,
            keep=keep,
        )
        bounds = self._bounds(steering.limits)
        self.engine = Engine(policies.renew(), client, self._store, ledger, bounds, callbacks)

    @asynccontextmanager
    async def steered(self) -> AsyncIterator[None]:
        """Do what the folder asks, and stop in good order at Ctrl-C, until the end of this."""
        steering = self._steering
        steering.on_stop = self._end
        is_alone = self._listeners.on_interrupt is None
        async with steering.steering():
            with nullcontext() if is_alone else interruptible(self._stop):
                yield

    def enter(self, event: AnyEvent) -> None:
        """Put an event into the ledger and the journal."""
        self.engine.enter(event)

    def allow(self, limits: Limits) -> None:
        """Go on under other limits, and keep them."""
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
        log_event(event)
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
