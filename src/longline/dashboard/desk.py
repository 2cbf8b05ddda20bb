"""The actions of the dashboard, for one or many harvests."""

import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from longline.dashboard.children import Children, again, asked
from longline.dashboard.detail import Detail
from longline.dashboard.harvests import Harvests, Row, key_of
from longline.dashboard.schedules import (
    Schedule,
    keep_schedule,
    read_every,
    read_schedule,
)
from longline.errors import FolderError, InputError, LonglineError
from longline.harvester import (
    Budgets,
    Standing,
    is_harvest,
    last_limits,
    pause,
    resume,
    set_budget,
    stop,
)
from longline.planner.strategies import STRATEGIES
from longline.queue import Fleet

IDLE_SECONDS = 120.0
"""Seconds without views after which a ledger is closed."""


class NewHarvest(msgspec.Struct, frozen=True, kw_only=True):
    """The form for a new harvest.

    Attributes:
        url: URL of the source.
        name: Name of the folder.
        strategy: "auto", or another by name.
        max_requests: None for no limit.
        rate: Requests per second; None for the default.
        allow_private: Allow hosts of this machine and of local networks, too.
        listing_only: Fetch no document pages.
    """

    url: str
    name: str
    strategy: str = "auto"
    max_requests: int | None = None
    rate: float | None = None
    allow_private: bool = False
    listing_only: bool = False

    def check(self) -> None:
        """Check the values, so that none is invalid or has another meaning on a command line.

        Raises:
            InputError: A value is wrong; the message names it.
        """
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(f"{self.url!r} is no web address", advice="begin it with https://")
        if not re.fullmatch(r"\w[\w. -]{0,99}", self.name):
            raise InputError(
                f"{self.name!r} is no name of a folder", advice="use letters, digits, - and ."
            )
        if self.strategy not in STRATEGIES:
            raise InputError(f"there is no strategy {self.strategy!r}", advice="choose one")
        for name in ("max_requests", "rate"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise InputError(f"{name} is {value}", advice="give more than 0, or nothing")

    def asking(self) -> list[str]:
        """Return the options that a plan takes, too."""
        rate = [] if self.rate is None else ["--rate", f"{self.rate:g}"]
        return [*(["--allow-private"] if self.allow_private else []), *rate]

    def options(self) -> list[str]:
        """Return the options of the harvest."""
        most = [] if self.max_requests is None else ["--max-requests", str(self.max_requests)]
        listing = ["--listing-only"] if self.listing_only else []
        return [*self.asking(), "--strategy", self.strategy, *most, *listing]


def name_for(url: str) -> str:
    """Return a folder name for a source.

    >>> name_for("https://www.archive.example/search?q=a")
    'archive.example'
    """
    host = urlsplit(url).hostname or ""
    return re.sub(r"[^\w.-]+", "-", host.removeprefix("www.")).strip("-.")[:60] or "harvest"


def has_to_be_updated(now: Standing) -> bool:
    """Return whether the next run is an update: the harvest has nothing left to request.

    >>> has_to_be_updated(Standing(state="ended", outcome="complete"))
    True
    >>> has_to_be_updated(Standing(state="ended", outcome="partial", cause="budget"))
    False
    """
    return now.is_update or (now.ending is not None and now.ending.is_done)


class Desk:
    """The existing harvests, the runs started here, and the actions.

    Args:
        harvests: In the given folders.
        children: Starts runs.
        notify: Receives notices of runs started here; "" for nobody.
        fleets: Fleets whose sources are shown.
    """

    def __init__(
        self,
        harvests: Harvests,
        children: Children,
        notify: str = "",
        fleets: Sequence[Fleet] = (),
    ) -> None:
        self.fleets = fleets
        self.harvests = harvests
        self.children = children
        self._notify = ["--notify", notify] if notify else []
        self._details: dict[str, tuple[float, Detail]] = {}
        self._schedules: dict[str, Schedule | None] = {}

    def tick(self) -> None:
        """Update the state, and start scheduled runs that are due."""
        self.harvests.refresh()
        self.children.look()
        now = time.time()
        for row in self.harvests.rows():
            schedule = self.schedule(row)
            if schedule is not None and schedule.next <= now and not self._is_busy(row):
                self.plan_again(row, schedule.ran(now))
                self.act("continue", [row.key])
        for key, (seen, detail) in list(self._details.items()):
            if now - seen > IDLE_SECONDS:
                del self._details[key]
                detail.close()

    def rows(self) -> list[Row]:
        """Return all harvests, including those just started here."""
        rows = self.harvests.rows()
        there = {row.folder for row in rows}
        begun = [folder for folder in self.children.folders() if folder not in there]
        return [*map(self._as_it_is, rows), *map(self._begun, begun)]

    def row(self, key: str) -> Row:
        """Return one harvest by its key.

        Raises:
            FolderError: There is none.
        """
        for folder in self.children.folders():
            if key_of(folder) == key and not is_harvest(folder):
                return self._begun(folder)
        return self._as_it_is(self.harvests.get(key))

    def _as_it_is(self, row: Row) -> Row:
        """Return a harvest, with the error of a run that was started here."""
        error = self.children.error(row.folder)
        if not error or row.standing.is_going:
            return row
        return msgspec.structs.replace(
            row, standing=msgspec.structs.replace(row.standing, stopped=error)
        )

    def _begun(self, folder: Path) -> Row:
        error = self.children.error(folder)
        standing = Standing(
            state="ended" if error else "running",
            outcome="failed" if error else "",
            stopped=error,
            asks="" if error else "the source is being learnt",
        )
        name = self.harvests.name_of(folder)
        return Row(key=key_of(folder), folder=folder, name=name, standing=standing)

    def words(self, row: Row) -> str:
        """Describe the state of a harvest in a few words."""
        waits = self.children.words(row.folder)
        has_begun = row.standing.is_going and row.standing.updated_at
        if waits and not has_begun:
            return waits
        return row.standing.in_words(time.time())

    def _is_busy(self, row: Row) -> bool:
        return row.standing.is_going or bool(self.children.words(row.folder))

    def act(self, what: str, keys: Sequence[str]) -> list[str]:
        """Do an action for some harvests.

        Args:
            what: "pause", "continue", "stop" or "retry".
            keys: Of the harvests.

        Returns:
            Errors, one line each; the other harvests are processed anyway.
        """
        acts: dict[str, Callable[[Row], None]] = {
            "pause": lambda row: pause(row.folder),
            "stop": self._stop,
            "continue": self._continue,
            "retry": self._retry,
        }
        wrong = []
        for key in keys:
            try:
                acts[what](self.row(key))
            except LonglineError as error:
                wrong.append(str(error))
        return wrong

    def _stop(self, row: Row) -> None:
        if not self.children.drop(row.folder):
            stop(row.folder)

    def _continue(self, row: Row) -> None:
        """Resume a paused harvest; otherwise run it again, for the rest or for an update."""
        if row.standing.is_going:
            resume(row.folder)
            return
        if not is_harvest(row.folder):  # its start failed
            self.children.start_again(row.folder)
            return
        self.children.drop(row.folder)
        if has_to_be_updated(row.standing):
            options = ["update", str(row.folder), "-q", *again(row.folder, is_update=True)]
        else:
            options = ["harvest", str(row.folder), "-q", *again(row.folder), *self._notify]
        self.children.start(row.folder, *options)

    def _retry(self, row: Row) -> None:
        if row.standing.is_going:
            raise FolderError(f"{row.name} is running", advice="stop it, or wait for its end")
        if not is_harvest(row.folder):
            self._continue(row)
            return
        self.children.drop(row.folder)
        options = asked(last_limits(row.folder))
        self.children.start(row.folder, "retry", str(row.folder), "-q", *options)

    def begin(self, new: NewHarvest) -> str:
        """Start a new harvest; return its key.

        Raises:
            InputError: A value is invalid, or the folder already exists.
        """
        new.check()
        folder = self._place(new.name)
        self.children.drop(folder)
        arguments = ["harvest", new.url, "-o", str(folder), "-q", *new.options(), *self._notify]
        self.children.start(folder, *arguments)
        return key_of(folder)

    def _place(self, name: str) -> Path:
        home = self.harvests.home
        if home is None:
            raise InputError(
                "there is no folder for new harvests",
                advice="start the dashboard with a folder that holds harvests",
            )
        folder = home / name
        if folder.exists():
            raise InputError(f"{folder} is there already", advice="choose another name")
        return folder

    def change_budget(self, key: str, changes: Budgets) -> None:
        """Change a harvest's limits; see `harvester.set_budget`."""
        set_budget(self.row(key).folder, changes)

    def detail(self, key: str) -> Detail | None:
        """Return the ledger of a harvest, or None if there is none yet.

        Raises:
            FolderError: It is damaged.
        """
        row = self.row(key)
        if not is_harvest(row.folder):
            return None
        found = self._details.get(key)
        if found and not found[1].is_of_this_file():  # an update has replaced it
            found[1].close()
            found = None
        detail = found[1] if found else Detail(row.folder)
        self._details[key] = time.time(), detail
        return detail

    def schedule(self, row: Row) -> Schedule | None:
        """Return the schedule of a harvest, or None if it has none."""
        if row.key not in self._schedules:
            self._schedules[row.key] = read_schedule(row.folder)
        return self._schedules[row.key]

    def run_every(self, key: str, every: str) -> None:
        """Run a harvest repeatedly, for the first time after one interval; "" for never.

        Raises:
            InputError: `every` is not a valid interval.
        """
        row = self.row(key)
        if not every.strip():
            self.plan_again(row, None)
            return
        seconds = read_every(every)
        words = every.strip().removeprefix("every").strip()
        self.plan_again(row, Schedule(every=words, seconds=seconds, next=time.time() + seconds))

    def plan_again(self, row: Row, schedule: Schedule | None) -> None:
        """Store the schedule of a harvest."""
        keep_schedule(row.folder, schedule)
        self._schedules[row.key] = schedule
