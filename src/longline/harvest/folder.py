"""A harvest's folder: its spec, its store, its books, and who holds it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import filelock
import msgspec

from longline.account import Account, BudgetLine, Certificate
from longline.errors import FolderError, StorageError
from longline.events import (
    DocumentReceived,
    FormReceived,
    NonsenseAnswered,
    PageDisbelieved,
    PageReceived,
    RobotsRead,
    SourceChecked,
)
from longline.fetch import Wait
from longline.files import check_files, replacing
from longline.harvest.settings import Limits, Settings
from longline.model import Document, Hit, Response, Search
from longline.ports import Store
from longline.source import Spec, read_spec, veil
from longline.source.trust import ENOUGH_DOCUMENTS, Seen, StandIns
from longline.store import SqliteStore

_UNFINISHED = ".harvest.db.new"

_Kept = TypeVar("_Kept")

ROOM_BYTES = 50_000_000
"""With less room than this on the disk a harvest does not begin."""


def is_harvest(folder: Path) -> bool:
    """Say whether a folder holds a harvest."""
    path = folder / "harvest.db"
    return path.is_file() and path.stat().st_size > 0


def check_harvest(folder: Path) -> None:
    """Refuse a folder without a harvest.

    Raises:
        FolderError: There is none.
    """
    if not is_harvest(folder):
        raise FolderError(
            f"{folder} is not a harvest folder", advice="name the folder of a harvest"
        )


def open_store(folder: Path) -> SqliteStore:
    """Open a harvest's store to read; the harvest may be running.

    Raises:
        FolderError: There is no harvest in the folder.
    """
    check_harvest(folder)
    return SqliteStore(folder / "harvest.db", read_only=True)


def read_documents(folder: Path | str) -> Iterator[Document]:
    """Yield the documents of a harvest in the order of their arrival; it may be running.

    Raises:
        FolderError: There is no harvest in the folder, or it is damaged.
    """
    store = open_store(Path(folder))
    try:
        yield from store.documents()
    finally:
        store.close()


def spec_of_folder(folder: Path, spec: Spec | None = None) -> Spec:
    """Return the spec that a folder keeps, else the one given.

    Raises:
        FolderError: There is neither, or no file where one should be.
    """
    check_files(folder)
    path = folder / "source.toml"
    if path.is_file():
        return read_spec(_text_of(path), where=str(path))
    if spec is None:
        advice = "give a source.toml, or the folder of a harvest"
        if is_harvest(folder):
            advice = f"put it back, or learn it anew: longline discover URL -o {path}"
        raise FolderError(f"no source.toml in {folder}", advice=advice)
    return spec


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise FolderError(
            f"{path} is not in UTF-8: byte {error.object[error.start]:#04x} at {error.start}",
            advice="save it as UTF-8",
        ) from None


def settings_of(folder: Path, given: Settings | Mapping[str, Any] | None) -> Settings:
    """Return what a folder's harvest is, or will be, governed by.

    Args:
        folder: It may be new.
        given: Settings, or some to change; None takes the folder's, or the defaults.

    Raises:
        FolderError: It was begun with others.
    """
    begun = _begun_with(folder)
    settings = begun or Settings()
    if isinstance(given, Settings):
        settings = given
    elif given:
        settings = msgspec.structs.replace(settings, **given)
    if begun is not None and settings != begun:
        raise FolderError(
            f"the harvest in {folder} was started with {_difference(begun, settings)}",
            advice="use the same options, or choose another folder with -o",
        )
    return settings


def _begun_with(folder: Path) -> Settings | None:
    """Return what a folder's harvest was begun with; None where it holds none."""
    if not is_harvest(folder):
        return None
    store = open_store(folder)
    try:
        return kept(store, "settings", Settings)
    finally:
        store.close()


def kept(store: Store, name: str, kind: type[_Kept]) -> _Kept | None:
    """Return what a store has kept under a name; None where it has nothing there.

    Raises:
        FolderError: It is not of that kind: somebody else has written it.
    """
    text = store.settings().get(name)
    try:
        return None if text is None else msgspec.json.decode(text, type=kind)
    except msgspec.DecodeError as error:
        raise FolderError(
            f"the setting {name!r} of the harvest is damaged: {error}",
            advice="put back an earlier copy of harvest.db, or choose another folder with -o",
        ) from None


def _difference(begun: Settings, given: Settings) -> str:
    return ", ".join(
        f"{name} {getattr(begun, name)!r} (not {getattr(given, name)!r})"
        for name in begun.__struct_fields__
        if getattr(begun, name) != getattr(given, name)
    )


def read_books(folder: Path) -> tuple[Account, Certificate]:
    """Return the books of a harvest and its certificate as of now.

    Raises:
        FolderError: There is no harvest in the folder.
    """
    store = open_store(folder)
    try:
        spec = veil(spec_of_folder(folder)).spec
        account = replay(spec, store).account
        return account, certify(spec, store, account)
    finally:
        store.close()


def certify(spec: Spec, store: SqliteStore, account: Account) -> Certificate:
    """Sum up a harvest as its books stand."""
    begun_at, ended_at = (
        datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
        for seconds in store.span()
    )
    settings = kept(store, "settings", Settings)
    if settings is None:
        raise FolderError(
            "the harvest's settings are missing: its harvest.db is damaged",
            advice="put back an earlier copy, or choose another folder with -o",
        )
    limits = kept(store, "limits", Limits) or Limits()
    return account.certificate(
        source=spec.source.url,
        strategy=settings.strategy,
        seed=settings.seed,
        size_source=store.settings().get("size_source", "given by the user"),
        begun_at=begun_at,
        ended_at=ended_at,
        budget=_budget_lines(limits, store, account),
        robots_obeyed=limits.robots,
        target_coverage=limits.target_coverage,
    )


def _budget_lines(limits: Limits, store: SqliteStore, account: Account) -> dict[str, BudgetLine]:
    """Return what the last run was allowed, and what is used of it."""
    used = {
        "requests": account.requests,
        "queries": account.queries_and_probes,
        "documents": account.documents,
        "bytes": account.body_bytes,
        "seconds": kept(store, "seconds", float),
        "requests_per_day": requests_today(store) if limits.max_requests_per_day else None,
    }
    allowed = {name: getattr(limits, f"max_{name}") for name in used}
    return {
        name: BudgetLine(most, used[name]) for name, most in allowed.items() if most is not None
    }


def requests_today(store: SqliteStore) -> int:
    """Count the requests since midnight, UTC."""
    midnight = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return store.requests_since(midnight.timestamp())


def waits_of(store: Store) -> dict[str, Wait]:
    """Return what hosts asked for in earlier runs, over by now or not, by host."""
    return kept(store, "waits", dict[str, Wait]) or {}


def keep_wait(store: Store, wait: Wait) -> None:
    """Keep what a host asked for, so that the next run heeds it too."""
    waits = waits_of(store) | {wait.host: wait}
    store.set_setting("waits", msgspec.json.encode(waits).decode())


class Replayed(NamedTuple):
    """What earlier runs of a harvest leave to the next.

    Attributes:
        account: The books as the journal has them.
        form: The page with the search form; None where there is none, or it was learnt anew.
        robots: robots.txt by origin.
        stand_ins: What was seen of pages that stand in for nothing.
    """

    account: Account
    form: Response | None
    robots: dict[str, RobotsRead]
    stand_ins: StandIns


def replay(spec: Spec, store: Store) -> Replayed:
    """Read the journal once, and return what it tells."""
    account = Account(
        size=kept(store, "size", int),
        limit=spec.ask.limit,
        page_size=spec.ask.page_size if spec.ask.short_ends else None,
        counts_pages=spec.counts_pages,
    )
    form: Response | None = None
    robots: dict[str, RobotsRead] = {}
    stand_ins = StandIns()
    # What a site showed that was learnt anew since is not its own any more.
    relearned_at = kept(store, "relearned_at", int) or 0
    for place, event in enumerate(store.events()):
        account.tell(event)
        match event:
            case FormReceived(response) if place >= relearned_at:
                form = response
            case RobotsRead(origin):
                robots[origin] = event
            case PageReceived(query, 1, page) if place >= relearned_at:
                stand_ins.suspects(query, page)
            case NonsenseAnswered(keys) if place >= relearned_at:
                stand_ins.learn(keys)
    return Replayed(account, form, robots, stand_ins)


def answers_before(store: Store, stand_ins: StandIns) -> Seen:
    """Return what earlier runs saw come as it should.

    Args:
        store: Of the harvest.
        stand_ins: As `replay` found them.
    """
    seen = Seen(stand_ins=stand_ins)
    hits: dict[str, Hit] = {}
    left = 5 * ENOUGH_DOCUMENTS
    texts: dict[int, DocumentReceived] = {}
    for event in store.events():
        match event:
            case PageReceived(query, number, page, requests):
                hits |= {hit.key: hit for hit in page.hits}
                seen.passing.settled(page)
                if page.hits and number == 1:
                    seen.see_hits(query)
                if requests:
                    seen.silence.suspects(query, number, page)
            case PageDisbelieved(query, number):
                seen.silence.disbelieve(query, number)
            case SourceChecked(answers=True):
                seen.silence.confirm()
            case DocumentReceived(document, requests) if requests and document.key in hits:
                if left:
                    seen.watch.know(hits[document.key], document)
                    left -= 1
                # Only what has the text of another can be a placeholder.
                same = texts.setdefault(hash(document.text), event)
                for each in (same, event) if same is not event else ():
                    seen.placeholders.see(hits[each.document.key], each.document, each.document.url)
    seen.silence.confirm()  # `take_back_unproven` believes no more what was left
    return seen


def take_back_unproven(store: Store, account: Account) -> None:
    """Believe no page without hits at the end of a run that was stopped before it was checked."""
    again = [PageDisbelieved(*asked) for asked in dict.fromkeys(account.failures.unproven)]
    for event in again:
        account.tell(event)
    if again:
        store.record(*again)


class ToRetry(NamedTuple):
    """What did not come: the arguments of `Engine.retry`."""

    searches: list[Search]
    hits: list[Hit]


def to_retry(store: Store, account: Account) -> ToRetry:
    """Return what of a harvest may be tried again."""
    failures = account.failures
    wanted = {key for key, event in failures.documents.items() if not event.forbidden}
    hits: dict[str, Hit] = {}
    for event in store.events():
        if isinstance(event, PageReceived):
            hits |= {hit.key: hit for hit in event.page.hits if hit.key in wanted}
    return ToRetry([Search(*asked) for asked in failures.pages], list(hits.values()))


def begin(folder: Path, spec: Spec, settings: Settings, limits: Limits) -> SqliteStore:
    """Open a harvest's store for a run, and keep what later runs have to know.

    A store that is new is made under another name until it is whole: what a run killed here
    leaves is no harvest.
    """
    path = folder / "harvest.db"
    if not is_harvest(folder):
        for left in folder.glob(f"{_UNFINISHED}*"):
            left.unlink()
        store = SqliteStore(folder / _UNFINISHED)
        _keep(store, spec, settings, limits)
        store.close()
        (folder / _UNFINISHED).replace(path)
    store = SqliteStore(path)
    _keep(store, spec, settings, limits)
    return store


def _keep(store: Store, spec: Spec, settings: Settings, limits: Limits) -> None:
    form = msgspec.json.encode(spec.ask.form).decode()
    if store.settings().get("form", form) != form:
        # The form's page that the journal has is not that of this form.
        store.set_setting("relearned_at", str(sum(1 for _ in store.events())))
    store.set_setting("form", form)
    store.set_setting("settings", msgspec.json.encode(settings).decode())
    store.set_setting("limits", msgspec.json.encode(limits).decode())
    if limits.estimate is not None:
        store.set_setting("estimate", "yes" if limits.estimate else "no")
    if limits.size is not None:
        store.set_setting("size", str(limits.size))
        store.set_setting("size_source", limits.size_source)


def check_room(folder: Path) -> None:
    """Refuse to begin on a disk that is nearly full.

    Raises:
        StorageError: Less than `ROOM_BYTES` are free.
    """
    free = shutil.disk_usage(folder).free
    if free < ROOM_BYTES:
        raise StorageError(
            f"only {free // 1_000_000} MB are free on the disk of {folder}",
            advice=f"free at least {ROOM_BYTES // 1_000_000} MB",
        )


def write(path: Path, content: bytes) -> None:
    """Write a file of the folder, whole or not at all.

    Raises:
        StorageError: It cannot be written; what stood there stays.
    """
    try:
        with replacing(path) as stream:
            stream.write(content)
    except OSError as error:
        raise StorageError(
            f"cannot write {path}: {error.strerror}",
            advice="free some space, or check the permissions",
        ) from None


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Make the folder and hold it against a second run; a killed run's hold ends with it.

    Raises:
        FolderError: Another run holds it, or it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(folder / ".lock")
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise FolderError(
            f"another run is saving to {folder}", advice="wait for it, or stop it"
        ) from None
    except OSError as error:
        raise FolderError(
            f"cannot make {folder}: {error.strerror}", advice="choose a folder you may write"
        ) from None
    try:
        yield
    finally:
        lock.release()
