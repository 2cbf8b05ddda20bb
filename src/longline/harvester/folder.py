"""A harvest's folder: its spec, its store, its ledger, and its lock."""

import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import filelock
import msgspec

from longline.errors import FolderError, InputError, StorageError, option
from longline.files import check_files, replacing, writing
from longline.harvester.settings import Limits, Settings
from longline.logs import log
from longline.model import Document
from longline.ports import Store
from longline.source import Spec, declared, read_spec
from longline.store import TableStore
from longline.store.place import begin_journal, is_harvest, journal_of, name_journal
from longline.text.safe import quoted

_Kept = TypeVar("_Kept")

KEPT = ("attachments", "warc")
"""Limits that later runs and updates inherit."""

IDENTIFYING = ("key", "link", "link_template", "link_parameter", "key_ignores", "places")
"""Keys of the table [results] that determine the documents' keys."""

ENDS = "sources.jsonl"
"""File in a folder of many harvests: how each source ended, one per line."""

LOOK_SECONDS = 0.2
"""How long a run waits for its folder's lock: `is_running` may hold it for a moment."""


def is_running(folder: Path) -> bool:
    """Return whether a run is using a folder now."""
    path = folder / ".lock"
    if not path.is_file() or not os.access(path, os.W_OK):
        return False
    lock = filelock.FileLock(path)
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        return True
    except OSError:
        return False
    lock.release()
    return False


def is_learning(folder: Path) -> bool:
    """Return whether a run has the folder, and still learns how its source is searched."""
    return not is_harvest(folder) and is_running(folder) and not (folder / ENDS).exists()


def check_harvest(folder: Path) -> None:
    """Check that a folder contains a harvest.

    Raises:
        FolderError: There is none.
    """
    if not is_harvest(folder):
        if is_learning(folder):
            raise FolderError(
                f"the run that fills {folder} still learns how its source is searched",
                advice="look again in a minute",
            )
        if not folder.exists():
            is_listed = (folder.parent / ENDS).exists()
            why = f"`longline status {quoted(folder.parent)}` says why it has none"
            advice = why if is_listed else "name the folder of a harvest"
            raise FolderError(f"there is no folder {folder}", advice=advice)
        check_files(folder)
        if (folder / "source.toml").is_file():
            raise FolderError(
                f"no harvest has begun in {folder}: it holds only source.toml, how the "
                "source is searched",
                advice=f"`longline harvest {quoted(folder)}` begins one",
            )
        inside = any(map(is_harvest, folder.glob("*/")))
        which = f"one of the harvests in {folder}" if inside else "the folder of a harvest"
        if (folder / ENDS).exists():
            which += f"; `longline harvest LIST.csv -o {quoted(folder)}` continues them all"
        raise FolderError(f"{folder} is not a harvest folder", advice=f"name {which}")


def open_store(folder: Path) -> TableStore:
    """Open a harvest's store to read; the harvest may be running.

    Raises:
        FolderError: There is no harvest in the folder.
    """
    check_harvest(folder)
    return journal_of(folder, read_only=True)


def settle(folder: Path) -> None:
    """Write a harvest's store into one complete file, without a log beside it.

    Raises:
        FolderError: There is no harvest in the folder.
    """
    check_harvest(folder)
    with closing(journal_of(folder)) as store:
        store.settle()


def read_documents(folder: Path | str) -> Iterator[Document]:
    """Yield the documents of a harvest in the order of arrival; it may be running.

    Raises:
        FolderError: There is no harvest in the folder, or it is damaged.
    """
    with closing(open_store(Path(folder))) as store:
        yield from store.documents()


def spec_of_folder(folder: Path, spec: Spec | None = None) -> Spec:
    """Return a folder's own spec, or else the given one.

    Raises:
        FolderError: There is neither, or a required file is missing.
    """
    check_files(folder)
    path = folder / "source.toml"
    if path.is_file():
        return read_spec(_text_of(path), where=str(path))
    if spec is None:
        advice = "give a source.toml, or the folder of a harvest"
        if is_harvest(folder):
            advice = f"put it back, or learn the site anew and save its spec as {path}"
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
    """Return the settings of a folder's harvest, or of the one to be started.

    Args:
        folder: It may be new.
        given: Settings, or some to change; None takes the folder's, or the defaults.

    Raises:
        FolderError: It was started with others.
    """
    begun = _begun_with(folder)
    settings = begun or Settings()
    if isinstance(given, Settings):
        settings = given
    elif given:
        settings = msgspec.structs.replace(settings, **given)
    if begun is not None and settings != begun and not _may_begin_with(folder, begun, settings):
        raise FolderError(
            f"the harvest in {folder} was started with {_difference(begun, settings)}",
            advice="use the same options, or choose another folder",
        )
    return settings


def _may_begin_with(folder: Path, begun: Settings, settings: Settings) -> bool:
    """Return whether only the first words differ, and those of before brought nothing."""
    if msgspec.structs.replace(begun, words=settings.words) != settings:
        return False
    return next(read_documents(folder), None) is None


def _begun_with(folder: Path) -> Settings | None:
    """Return the settings a folder's harvest was started with, or None if there is no harvest."""
    if not is_harvest(folder):
        return None
    with closing(open_store(folder)) as store:
        return kept(store, "settings", Settings)


def kept(store: Store, name: str, kind: type[_Kept]) -> _Kept | None:
    """Return the stored value under a name, or None if there is none.

    Raises:
        FolderError: It has another type: another program wrote it.
    """
    text = store.settings().get(name)
    try:
        return None if text is None else msgspec.json.decode(text, type=kind)
    except msgspec.DecodeError as error:
        raise FolderError(
            f"the setting {name!r} of the harvest is damaged: {error}",
            advice="put back an earlier copy of harvest.db, or choose another folder",
        ) from None


def field_names(store: Store) -> frozenset[str] | None:
    """Return the names that a harvest's spec gave to fields; None if that is not stored."""
    named = kept(store, "fields", dict[str, Any])
    return None if named is None else frozenset(named)


def as_before(
    store: Store, name: str, wanted: bool | None, check: Callable[[], object] = lambda: None
) -> bool:
    """Return whether something, such as files, is to be kept, and store it for later runs.

    Args:
        store: The harvest's journal and documents.
        name: Name of the setting.
        wanted: None means as in earlier runs, or no.
        check: Raises if it is impossible, before it is stored.
    """
    if wanted is None:
        wanted = store.settings().get(name) == "yes"
    if wanted:
        check()
    store.set_setting(name, "yes" if wanted else "no")
    return wanted


def check_wire_is_whole(folder: Path) -> None:
    """Check that a harvest which is to store its exchanges has stored those of its documents.

    Raises:
        InputError: Earlier runs saved documents without them.
    """
    if not is_harvest(folder):
        return
    with closing(open_store(folder)) as store:
        kept_none = store.settings().get("warc") == "no"
        lacks_some = kept_none and next(store.documents(), None) is not None
    if lacks_some:
        raise InputError(
            "earlier runs of this harvest did not keep the pages of the documents that they saved",
            advice=f"leave out {option('warc=True')}, or harvest into a new folder with it",
        )


def limits_of_update(folder: Path, begun: Path, limits: Limits) -> Limits:
    """Return limits for an update, with what the harvest keeps.

    Each of its runs may send as many requests: it may be one of a schedule.

    Args:
        folder: The harvest's folder.
        begun: Folder of the update; if it has started, its own setting has priority.
        limits: As given by the user.

    Raises:
        InputError: A web archive is wanted, and the harvest kept none.
    """
    if limits.warc:
        check_wire_is_whole(folder)
    with closing(open_store(begun if is_harvest(begun) else folder)) as store:
        kept_there, spent = store.settings(), store.requests_since(0)
    if limits.max_requests is not None and is_harvest(begun):
        limits = msgspec.structs.replace(limits, max_requests=limits.max_requests + spent)
    names = [name for name in KEPT if getattr(limits, name) is None and name in kept_there]
    return msgspec.structs.replace(limits, **{name: kept_there[name] == "yes" for name in names})


def _difference(begun: Settings, given: Settings) -> str:
    return ", ".join(
        f"{option(name)} {_said(getattr(begun, name))} (now {_said(getattr(given, name))})"
        for name in begun.__struct_fields__
        if getattr(begun, name) != getattr(given, name)
    )


def _said(value: object) -> str:
    """Return an option's value as people write it.

    >>> _said(None), _said(True), _said(("deep", "web")), _said(7)
    ('not given', 'on', 'deep, web', '7')
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value))
    return "not given" if value is None else str(value)


def begin(folder: Path, spec: Spec, settings: Settings, limits: Limits) -> TableStore:
    """Open a harvest's store for a run, and store the settings for later runs.

    A new store has another name until it is complete, so a run killed here leaves no harvest.
    """
    if not is_harvest(folder):
        with closing(begin_journal(folder)) as store:
            _keep(store, spec, settings, limits)
        name_journal(folder, store)
    store = journal_of(folder)
    _keep(store, spec, settings, limits)
    return store


def _keep(store: Store, spec: Spec, settings: Settings, limits: Limits) -> None:
    form = msgspec.json.encode(spec.ask.form).decode()
    if store.settings().get("form", form) != form:
        learnt_anew(store)
    store.set_setting("form", form)
    _warn_of_keys(store, spec)
    fields = declared(spec, rows_only=settings.listing_only)
    store.set_setting("fields", msgspec.json.encode(fields).decode())
    store.set_setting("settings", msgspec.json.encode(settings).decode())
    keep_limits(store, limits)
    store.set_setting("run_at", f"{time.time():.3f}")
    if limits.estimate is not None:
        store.set_setting("estimate", "yes" if limits.estimate else "no")
    if limits.size is not None:
        store.set_setting("size", str(limits.size))
        store.set_setting("size_source", limits.size_source)


def _warn_of_keys(store: Store, spec: Spec) -> None:
    """Warn if documents are saved that had their keys from elsewhere, and remember from where."""
    results = msgspec.to_builtins(spec.results)
    keys = {name: results[name] for name in IDENTIFYING if name in results}
    before = kept(store, "keys", dict[str, Any])
    if before is not None and before != keys and next(store.documents(), None) is not None:
        changed = [name for name in IDENTIFYING if before.get(name) != keys.get(name)]
        said = (f"results.{n} = {before.get(n)!r} (now {keys.get(n)!r})" for n in changed)
        log(
            logging.WARNING,
            f"documents were saved with {', '.join(said)}; those that have another key now are"
            " saved a second time. To avoid this, put the old value back in source.toml, or give"
            " the corrected source.toml and a new folder to longline harvest",
        )
    store.set_setting("keys", msgspec.json.encode(keys).decode())


def learnt_anew(store: Store) -> None:
    """Record that the journal's pages of the site, such as the form, belong to an earlier spec."""
    store.set_setting("relearned_at", str(sum(1 for _ in store.events())))


def keep_limits(store: Store, limits: Limits) -> None:
    """Store a run's limits, for its certificate."""
    store.set_setting("limits", msgspec.json.encode(limits.kept()).decode())


def with_pace(store: Store, limits: Limits) -> Limits:
    """Return limits with the pace of the run before, where they have none; it is stored."""
    rate = limits.rate if limits.rate is not None else kept(store, "rate", float)
    if rate is None:
        return limits
    store.set_setting("rate", str(rate))
    return msgspec.structs.replace(limits, rate=rate)


def write(path: Path, content: bytes) -> None:
    """Write a file of the folder completely, or not at all.

    Raises:
        StorageError: It cannot be written; the old file stays.
    """
    with (
        writing(path, StorageError, "free some space, or check the permissions"),
        replacing(path) as stream,
    ):
        stream.write(content)


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Create the folder and lock it against a second run; the lock ends with the process.

    Raises:
        FolderError: Another run has locked it, or it cannot be created.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(folder / ".lock")
        lock.acquire(timeout=LOOK_SECONDS, poll_interval=LOOK_SECONDS / 10)
    except filelock.Timeout:
        raise FolderError(
            f"another run is saving to {folder}", advice="wait for it, or stop it"
        ) from None
    except OSError as error:
        raise FolderError(
            f"cannot write in {folder}: {error.strerror}", advice="choose a folder you may write"
        ) from None
    try:
        yield
    finally:
        lock.release()
