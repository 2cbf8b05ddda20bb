"""A harvest: a folder, and everything it takes to fill it from one source."""

from __future__ import annotations

import asyncio
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import filelock
import msgspec
import numpy as np

from longline.account import (
    Account,
    Allowed,
    Budget,
    BudgetLine,
    Certificate,
    Used,
    to_json,
)
from longline.engine import Engine
from longline.errors import FolderError, InputError, StorageError
from longline.events import AnyEvent, FormReceived, RobotsRead
from longline.fetch import WebFetcher, is_private_host
from longline.hand import WebHand
from longline.model import Response
from longline.planner.abilities import Abilities
from longline.planner.dictionary import english
from longline.planner.measured import Aims, Measured
from longline.planner.strategies import Options, make_planner
from longline.ports import Store
from longline.source import Source, Spec, facets_of, read_spec, write_spec
from longline.store import SqliteStore

POLITE_RATE = 1.0
"""Requests per second to a public host, where the user does not say more."""

ROOM_BYTES = 50_000_000
"""With less room than this on the disk a harvest does not begin."""

LEAST_DICTIONARY = 1000
"""Words of the user's own to draw probes from them; fewer are only to begin with."""

ABOVE_0 = ("rate", "size", "min_return")

Observer = Callable[[AnyEvent, Account], None]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What decides which queries are sent; fixed for the life of a harvest.

    Attributes:
        strategy: A name of `planner.strategies.STRATEGIES`.
        sample: Documents to sample before choosing.
        cost: Of a query: "df", or "df+A" with an overhead A for the query itself.
        pool_relative_size: Draw the pool at random until its dfs sum to so many times the
            sample; None takes every term.
        rounds: Select and send so many times at most; None while it is worth it.
        words: A dictionary of the source's language; None takes the strategy's own.
        listing_only: Keep titles and snippets as they are listed; ask for no document page.
    """

    strategy: str = "auto"
    seed: int = 0
    sample: int = 1000
    cost: str = "df+30"
    pool_relative_size: float | None = None
    rounds: int | None = None
    words: tuple[str, ...] | None = None
    listing_only: bool = False


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What may differ from one run of a harvest to the next.

    Attributes:
        max_requests: HTTP requests of the whole harvest, earlier runs included.
        max_queries: Different queries of the whole harvest, probes included.
        max_documents: Documents to hold.
        max_bytes: Of the answers of the whole harvest; the answers under way when it is reached
            are read to their end.
        max_seconds: Of this run: after them no request is begun.
        max_requests_per_day: From midnight to midnight, UTC, earlier runs included.
        daily_reserve: Of those, leave so many to others.
        target_coverage: Stop when this share of the source is held: by `size`, or by the point
            estimate of the probes.
        min_return: Stop when the last 100 requests brought fewer new documents each.
        rate: Requests per second and host; None is `POLITE_RATE` for public hosts, and no
            pause for private ones. A longer Crawl-delay of robots.txt is kept to.
        robots: False ignores robots.txt.
        size: Documents behind the search box, where that is known; kept for later runs.
        size_source: Who knows it, for the certificate.
        estimate: Ask probes to estimate the size; kept for later runs. None is as it was kept,
            else True unless the size is known, or nothing but listings is read.
    """

    max_requests: int | None = None
    max_queries: int | None = None
    max_documents: int | None = None
    max_bytes: int | None = None
    max_seconds: float | None = None
    max_requests_per_day: int | None = None
    daily_reserve: int = 0
    target_coverage: float | None = None
    min_return: float | None = None
    rate: float | None = None
    allow_private: bool = False
    robots: bool = True
    size: int | None = None
    size_source: str = "given by the user"
    estimate: bool | None = None


class Harvest:
    """Fill a folder from one source; run it again to go on where it stopped.

    The folder holds `source.toml`, `harvest.db` (the journal and the documents) and
    `certificate.json`.

    Args:
        folder: Made where it is absent.
        spec: Needed where the folder is new; the folder's own `source.toml` goes before it.
        settings: None takes the folder's own, or the defaults where it is new; a mapping
            changes some of these.
        limits: Of this run.

    Raises:
        FolderError: The folder holds no harvest, or one begun with other settings.
        InputError: A limit that is no positive number, or a `source.toml` that is not right.

    Example:
        ```python
        spec = longline.read_spec(Path("source.toml").read_text())
        certificate = longline.Harvest(Path("shop"), spec).run()
        print(certificate.documents, certificate.truncated_queries)
        ```
    """

    def __init__(
        self,
        folder: Path,
        spec: Spec | None = None,
        settings: Settings | Mapping[str, Any] | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.folder = folder
        self.limits = limits or Limits()
        _check_limits(self.limits)
        self.spec = spec_of_folder(folder, spec)
        self.settings = _settings_of(folder, settings)
        make_planner(self.settings.strategy, self._options(), np.random.default_rng())

    def run(self, observe: Observer = lambda event, account: None) -> Certificate:
        """Harvest until the planner finishes, a limit is reached, or the source is gone.

        Ctrl-C or SIGTERM stops it after the page at hand.

        Args:
            observe: Called after every new event, with the books as they stand.

        Returns:
            What was got and what was not; also in `certificate.json`.

        Raises:
            InputError: robots.txt or the guard refuses the source, or another run holds the
                folder.
            SourceError: The source gave nothing at all.
            StorageError: The disk is full; what was recorded is safe.
        """
        return asyncio.run(self.run_async(observe))

    async def run_async(self, observe: Observer = lambda event, account: None) -> Certificate:
        """Do as `run`, inside a running event loop."""
        with _held(self.folder):
            _check_room(self.folder)
            path = self.folder / "source.toml"
            if not path.exists():
                _write(path, write_spec(self.spec).encode())
            store = SqliteStore(self.folder / "harvest.db")
            try:
                return await self._run(store, observe)
            finally:
                store.close()

    async def _run(self, store: SqliteStore, observe: Observer) -> Certificate:
        _keep(store, self.settings, self.limits)
        account, form, robots = _replay(self.spec, store)
        budget = self._budget(store, account)
        fetcher = WebFetcher(
            allow_private=self.limits.allow_private,
            obey_robots=self.limits.robots,
            known_robots=robots,
            on_robots=lambda event: engine.enter(event),
            on_send=budget.spend,
            on_receive=budget.receive,
            rate=self._rate(),
            rng=self._rng(),
        )
        source = Source(self.spec)
        hand = WebHand(source, fetcher, form=form, on_form=lambda event: engine.enter(event))
        thinker = self._thinker(account.size, store.settings().get("estimate"))
        engine = Engine(
            thinker,
            hand,
            store,
            account,
            max_documents=self.limits.max_documents,
            max_queries=self.limits.max_queries,
            listing_only=self.settings.listing_only,
            conclude=thinker.conclude,
            unrecorded_bytes=budget.unrecorded_bytes,
            observe=lambda event: observe(event, account),
        )
        try:
            with _interruptible(engine):
                await engine.run()
        finally:
            await hand.close()
            store.set_setting("seconds", f"{budget.seconds:.1f}")
            certificate = certify(self.spec, store, account)
            if account.queries:
                _write(self.folder / "certificate.json", to_json(certificate))
        return certificate

    def _thinker(self, size: int | None, estimate: str | None) -> Measured:
        planner = make_planner(self.settings.strategy, self._options(size), self._rng())
        # Words of titles and snippets alone mislead the estimator; docs/certificate.md says how.
        by_default = size is None and not self.settings.listing_only
        aims = Aims(
            estimate=by_default if estimate is None else estimate == "yes",
            size=size,
            target_coverage=self.limits.target_coverage,
            min_return=self.limits.min_return,
            limit=self.spec.ask.limit,
            page_size=self.spec.ask.page_size,
            listing_only=self.settings.listing_only,
        )
        if aims.target_coverage and not aims.estimate and size is None:
            raise InputError(
                "a share is aimed at, but nothing tells how large the source is",
                advice="give --size, or --estimate",
            )
        words = self.settings.words or ()
        dictionary = (lambda: words) if len(words) >= LEAST_DICTIONARY else english
        rng = np.random.default_rng([self.settings.seed, 1])
        return Measured(planner, aims, rng, dictionary=dictionary)

    def _budget(self, store: SqliteStore, account: Account) -> Budget:
        limits = self.limits
        allowed = Allowed(
            requests=limits.max_requests,
            body_bytes=limits.max_bytes,
            seconds=limits.max_seconds,
            requests_per_day=limits.max_requests_per_day,
            reserve=limits.daily_reserve,
        )
        used = Used(
            requests=account.requests,
            body_bytes=account.body_bytes,
            requests_today=_requests_today(store) if limits.max_requests_per_day else 0,
        )
        return Budget(allowed, used, clock=time.monotonic, now=lambda: datetime.now(UTC))

    def _rng(self) -> np.random.Generator:
        return np.random.default_rng(self.settings.seed)

    def _rate(self) -> float | None:
        if self.limits.rate is not None:
            return self.limits.rate
        return None if is_private_host(self.spec.source.url) else POLITE_RATE

    def _options(self, size: int | None = None) -> Options:
        settings = self.settings
        return Options(
            sample=settings.sample,
            cost=settings.cost,
            pool_relative_size=settings.pool_relative_size,
            rounds=settings.rounds,
            words=settings.words,
            size=size,
            abilities=_abilities(self.spec),
        )


def _abilities(spec: Spec) -> Abilities:
    """Return what a source can do as far as its spec says."""
    relation = spec.results.total_relation
    return Abilities(
        limit=spec.ask.limit,
        page_size=spec.ask.page_size,
        negation=bool(spec.ask.dialect.not_),
        disjunction=bool(spec.ask.dialect.or_),
        max_terms=spec.ask.dialect.max_terms,
        lists_all=spec.ask.dialect.all is not None,
        facets=facets_of(spec),
        counts=None if relation is None else "exact" if relation == "exact" else "about",
    )


def is_harvest(folder: Path) -> bool:
    """Say whether a folder holds a harvest."""
    return (folder / "harvest.db").is_file()


def open_store(folder: Path) -> SqliteStore:
    """Open a harvest's store to read; the harvest may be running.

    Raises:
        FolderError: There is no harvest in the folder.
    """
    if not is_harvest(folder):
        raise FolderError(f"no harvest in {folder}", advice="name a folder made by a harvest")
    return SqliteStore(folder / "harvest.db", read_only=True)


def read_books(folder: Path) -> tuple[Account, Certificate]:
    """Return the books of a harvest and its certificate as of now.

    Raises:
        FolderError: There is no harvest in the folder.
    """
    store = open_store(folder)
    try:
        spec = spec_of_folder(folder)
        account, _, _ = _replay(spec, store)
        return account, certify(spec, store, account)
    finally:
        store.close()


def certify(spec: Spec, store: SqliteStore, account: Account) -> Certificate:
    """Sum up a harvest as its books stand."""
    kept = store.settings()
    begun_at, ended_at = (
        datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
        for seconds in store.span()
    )
    settings = msgspec.json.decode(kept["settings"], type=Settings)
    limits = msgspec.json.decode(kept.get("limits", "{}"), type=Limits)
    return account.certificate(
        source=spec.source.url,
        strategy=settings.strategy,
        seed=settings.seed,
        size_source=kept.get("size_source", "given by the user"),
        begun_at=begun_at,
        ended_at=ended_at,
        budget=_budget_lines(limits, store, account),
        robots_obeyed=limits.robots,
        target_coverage=limits.target_coverage,
    )


def _budget_lines(limits: Limits, store: SqliteStore, account: Account) -> dict[str, BudgetLine]:
    """Return what the last run was allowed, and what is used of it."""
    seconds = store.settings().get("seconds")
    used = {
        "requests": account.requests,
        "queries": account.queries_and_probes,
        "documents": account.documents,
        "bytes": account.body_bytes,
        "seconds": None if seconds is None else float(seconds),
        "requests_per_day": _requests_today(store) if limits.max_requests_per_day else None,
    }
    allowed = {name: getattr(limits, f"max_{name}") for name in used}
    return {
        name: BudgetLine(most, used[name]) for name, most in allowed.items() if most is not None
    }


def _requests_today(store: SqliteStore) -> int:
    midnight = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return store.requests_since(midnight.timestamp())


def _replay(spec: Spec, store: Store) -> tuple[Account, Response | None, dict[str, RobotsRead]]:
    """Return the books as the journal has them, the form's page, and robots.txt by origin."""
    size = store.settings().get("size")
    account = Account(
        size=None if size is None else int(size),
        limit=spec.ask.limit,
        page_size=spec.ask.page_size,
    )
    form: Response | None = None
    robots: dict[str, RobotsRead] = {}
    for event in store.events():
        account.tell(event)
        match event:
            case FormReceived(response):
                form = response
            case RobotsRead(origin):
                robots[origin] = event
    return account, form, robots


def _keep(store: Store, settings: Settings, limits: Limits) -> None:
    store.set_setting("settings", msgspec.json.encode(settings).decode())
    store.set_setting("limits", msgspec.json.encode(limits).decode())
    if limits.estimate is not None:
        store.set_setting("estimate", "yes" if limits.estimate else "no")
    if limits.size is not None:
        store.set_setting("size", str(limits.size))
        store.set_setting("size_source", limits.size_source)


def spec_of_folder(folder: Path, spec: Spec | None = None) -> Spec:
    """Return the spec that a folder keeps, else the one given.

    Raises:
        FolderError: There is neither.
    """
    path = folder / "source.toml"
    if path.is_file():
        return read_spec(path.read_text(encoding="utf-8"), where=str(path))
    if spec is None:
        raise FolderError(
            f"no source.toml in {folder}", advice="name a source spec or a folder made by a harvest"
        )
    return spec


def _settings_of(folder: Path, given: Settings | Mapping[str, Any] | None) -> Settings:
    begun = _begun_with(folder)
    settings = begun or Settings()
    if isinstance(given, Settings):
        settings = given
    elif given:
        settings = msgspec.structs.replace(settings, **given)
    if begun is not None and settings != begun:
        raise FolderError(
            f"{folder} was begun with {_difference(begun, settings)}",
            advice="go on with those, or harvest into another folder",
        )
    return settings


def _begun_with(folder: Path) -> Settings | None:
    """Return what a folder's harvest was begun with; None where it holds none."""
    if not is_harvest(folder):
        return None
    store = open_store(folder)
    try:
        text = store.settings().get("settings")
    finally:
        store.close()
    return None if text is None else msgspec.json.decode(text, type=Settings)


def _difference(begun: Settings, given: Settings) -> str:
    return ", ".join(
        f"{name} {getattr(begun, name)!r} (not {getattr(given, name)!r})"
        for name in begun.__struct_fields__
        if getattr(begun, name) != getattr(given, name)
    )


def _check_limits(limits: Limits) -> None:
    for name in (*(each for each in Limits.__struct_fields__ if each.startswith("max_")), *ABOVE_0):
        value = getattr(limits, name)
        if value is not None and not value > 0:
            raise InputError(f"{name} is {value}", advice="give a number above 0")
    target = limits.target_coverage
    if target is not None and not 0 < target <= 1:
        raise InputError(f"a target of {target} is no share", advice="give e.g. .95")
    per_day = limits.max_requests_per_day
    if limits.daily_reserve < 0 or limits.daily_reserve >= (per_day or 1):
        raise InputError(
            f"a daily reserve of {limits.daily_reserve} of {per_day or 'no'} requests a day",
            advice="give a reserve below --max-requests-per-day",
        )


def _check_room(folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    if free < ROOM_BYTES:
        raise StorageError(
            f"only {free // 1_000_000} MB are free on the disk of {folder}",
            advice=f"make room for at least {ROOM_BYTES // 1_000_000} MB",
        )


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise StorageError(
            f"cannot write {path}: {error.strerror}", advice="make room or check permissions"
        ) from None


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Make the folder and hold it against a second run; a killed run's hold ends with it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(folder / ".lock")
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise FolderError(
            f"another run is harvesting into {folder}", advice="wait for it or stop it first"
        ) from None
    except OSError as error:
        raise FolderError(
            f"cannot make {folder}: {error.strerror}", advice="choose a folder you may write"
        ) from None
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _interruptible(engine: Engine) -> Iterator[None]:
    """Let SIGINT and SIGTERM stop the engine between two pages, where the loop can do that."""
    loop = asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM)
    with suppress(NotImplementedError, RuntimeError):  # Windows; not in the main thread
        for number in signals:
            loop.add_signal_handler(number, engine.interrupt)
    try:
        yield
    finally:
        with suppress(NotImplementedError, RuntimeError):
            for number in signals:
                loop.remove_signal_handler(number)
