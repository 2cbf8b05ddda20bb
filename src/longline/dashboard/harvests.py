"""List all harvests of some folders from their small files: a thousand in milliseconds."""

import hashlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from longline.errors import FolderError, InputError, LonglineError
from longline.harvester import (
    Standing,
    checked,
    is_harvest,
    read_standing,
    sources_without_harvest,
    standing_of,
)

FRESH_SECONDS = 3.0
"""If a file was written within this many seconds, its process is alive."""

SCAN_SECONDS = 2.0
"""Minimum seconds between scans for new folders."""

SCAN_SHARE = 0.05
"""Maximum share of time spent on scans: with very many folders they are rarer."""

LEVELS = 3
"""How many levels of folders are searched for harvests."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A harvest in the table.

    Attributes:
        key: Identifies it in URLs.
        folder: Its folder.
        name: Its path relative to the common folder, so that names are unique.
        standing: Its state.
    """

    key: str
    folder: Path
    name: str
    standing: Standing


Sort = Callable[[Row], tuple[bool, object]]


def _by(value: Callable[[Row], float | str | None]) -> Sort:
    """Sort by a value; unknown values come last."""

    def place(row: Row) -> tuple[bool, object]:
        found = value(row)
        return found is None, found

    return place


SORTS: dict[str, Sort] = {
    "name": _by(lambda row: row.name.casefold()),
    "state": _by(lambda row: row.standing.in_words(0.0)),
    "saved": _by(lambda row: row.standing.saved),
    "coverage": _by(lambda row: row.standing.hit_rate),
    "requests": _by(lambda row: row.standing.requests),
    "rate": _by(lambda row: row.standing.rate),
    "left": _by(lambda row: row.standing.requests_left),
    "ends": _by(lambda row: row.standing.ends_at),
    "updated": _by(lambda row: -row.standing.updated_at),
    "stopped": _by(lambda row: row.standing.stopped or None),
}
"""Sort keys of the table."""


class Harvests:
    """The harvests in the folders given at the start, and in no others.

    Args:
        roots: Folders of harvests, or folders that contain such.

    Attributes:
        unharvested: Sources of lists in the folders that have no harvest, as of the last scan.

    Raises:
        InputError: One of them is not a folder.
    """

    def __init__(self, roots: Sequence[Path]) -> None:
        for root in roots:
            if not root.is_dir():
                raise InputError(f"{root} is not a folder", advice="name a folder, or make it")
        self.roots = [root.resolve() for root in roots]
        self._common = Path(os.path.commonpath(self.roots)) if self.roots else Path()
        self._found: dict[str, _Seen] = {}
        self._next_scan = 0.0
        self.unharvested: list[Row] = []

    @property
    def home(self) -> Path | None:
        """The folder for new harvests; None if only single harvests were given."""
        return next((root for root in self.roots if not _is_one(root)), None)

    def refresh(self) -> None:
        """Scan for new folders if it is time, and read changed files again."""
        begun = time.monotonic()
        if begun > self._next_scan:
            self.scan()
            ended = time.monotonic()
            self._next_scan = ended + max(SCAN_SECONDS, (ended - begun) / SCAN_SHARE)
        for seen in self._found.values():
            seen.refresh()

    def scan(self) -> None:
        """Scan for new folders."""
        there = {key_of(folder): folder for folder in self._folders()}
        for key in self._found.keys() - there.keys():
            del self._found[key]
        for key, folder in there.items():
            if key not in self._found:
                self._found[key] = _Seen(key, folder, self.name_of(folder))
        self.unharvested = list(self._without_harvest())

    def _folders(self) -> Iterator[Path]:
        for root in self.roots:
            if _is_one(root):
                yield root
            else:
                yield from _inside(root)

    def _without_harvest(self) -> Iterator[Row]:
        for root in self.roots:
            for known in sources_without_harvest(root):
                yield Row(
                    key=key_of(root / known.folder),
                    folder=root / known.folder,
                    name=self.name_of(root / known.folder),
                    standing=Standing(
                        state="ended",
                        source=known.source,
                        outcome=known.outcome,
                        cause=known.cause,
                        requests=known.requests,
                        stopped=known.stopped,
                    ),
                )

    def name_of(self, folder: Path) -> str:
        """Return the name of a harvest: its path relative to the common folder."""
        return folder.name if folder == self._common else str(folder.relative_to(self._common))

    def rows(self) -> list[Row]:
        """Return all harvests as of the last refresh."""
        return [seen.row for seen in self._found.values()]

    def get(self, key: str) -> Row:
        """Return a harvest by its key, in its current state.

        Raises:
            FolderError: There is none.
        """
        if key not in self._found:
            self.scan()
        seen = self._found.get(key)
        if seen is None:
            raise FolderError(f"there is no harvest {key!r}", advice="choose one of the table")
        seen.refresh()
        return seen.row


class _Seen:
    """A harvest's folder, and its state when its files last changed."""

    def __init__(self, key: str, folder: Path, name: str) -> None:
        self._path = str(folder / "standing.json")
        self._mark: tuple[int, int] | None = (0, 0)
        self._written: Standing | None = None
        begun = Standing(state="interrupted")
        self.row = Row(key=key, folder=folder, name=name, standing=begun)
        self.refresh()

    def refresh(self) -> None:
        """Read the state again if it changed; check that a running process is alive."""
        try:
            found = os.stat(self._path)  # noqa: PTH116  # five times as fast
            mark, age = (found.st_ino, found.st_mtime_ns), time.time() - found.st_mtime
        except OSError:
            mark, age = None, 0.0
        if mark != self._mark:
            self._written = None if mark is None else read_standing(self.row.folder)
        elif self._written is not None and not self._written.is_going:
            return
        self._mark = mark
        self._place(self._stands(age))

    def _stands(self, age: float) -> Standing:
        written = self._written
        if written is None:
            try:
                return standing_of(self.row.folder)
            except LonglineError as error:
                return Standing(state="interrupted", stopped=str(error))
        return written if age < FRESH_SECONDS else checked(written, self.row.folder)

    def _place(self, standing: Standing) -> None:
        if standing != self.row.standing:
            self.row = msgspec.structs.replace(self.row, standing=standing)


def key_of(folder: Path) -> str:
    """Return a short identifier of a folder for URLs."""
    return hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]


def _inside(folder: Path, levels: int = LEVELS) -> Iterator[Path]:
    """Yield the harvests in a folder, and in folders in it."""
    with os.scandir(folder) as entries:
        # A symbolic link may lead outside of the given folders.
        folders = [Path(each.path) for each in entries if each.is_dir(follow_symlinks=False)]
    for each in folders:
        if _is_one(each):
            yield each
        elif levels > 1 and not each.name.startswith("."):
            with suppress(PermissionError, FileNotFoundError):
                yield from _inside(each, levels - 1)


def _is_one(folder: Path) -> bool:
    """Return whether a folder belongs to a harvest, or to one that is starting."""
    return (folder / "standing.json").exists() or is_harvest(folder)


def chosen(rows: Sequence[Row], words: str, state: str) -> list[Row]:
    """Return the rows that match a filter.

    Args:
        rows: All rows.
        words: Each must be in the harvest's name, source, state or error.
        state: "" for any; "going" for those with a process; otherwise a `Standing.state` or an
            outcome.
    """
    wanted = words.casefold().split()
    return [row for row in rows if _fits(row.standing, state) and _has(row, wanted)]


def _fits(standing: Standing, state: str) -> bool:
    if not state:
        return True
    return standing.is_going if state == "going" else state in (standing.state, standing.outcome)


def _has(row: Row, words: Sequence[str]) -> bool:
    if not words:
        return True
    now = row.standing
    text = f"{row.name} {now.source} {now.in_words(0.0)} {now.stopped}".casefold()
    return all(word in text for word in words)


def ordered(rows: Sequence[Row], by: str, *, descending: bool) -> list[Row]:
    """Return rows sorted; those with an unknown value come last in both directions."""
    place = SORTS.get(by, SORTS["updated"])
    known = [row for row in rows if not place(row)[0]]
    unknown = [row for row in rows if place(row)[0]]
    return sorted(known, key=lambda row: place(row)[1], reverse=descending) + unknown  # type: ignore[arg-type, return-value]
