"""Schedules for repeated runs: a small file in each harvest's folder."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from longline.errors import InputError
from longline.harvester import place

SCHEDULE = "schedule.json"

UNITS = {"min": 60, "h": 3600, "d": 86_400, "w": 604_800}
"""Seconds of each unit."""

LEAST_SECONDS = 60


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """The schedule of a harvest.

    Attributes:
        every: The interval as written, such as "7 d".
        seconds: The interval in seconds.
        last: Time of the last scheduled run, in seconds since 1970; None before the first.
        next: Time of the next one.
    """

    every: str
    seconds: float
    last: float | None = None
    next: float

    def ran(self, now: float) -> Schedule:
        """Return the schedule after a run; missed runs are not repeated."""
        return msgspec.structs.replace(self, last=now, next=now + self.seconds)


def read_every(text: str) -> float:
    """Return the seconds of an interval such as "7 d", "12 h", "30 min" or "2 w".

    Raises:
        InputError: It is not a valid interval, or less than a minute.

    >>> read_every("7 d"), read_every("every 12h")
    (604800.0, 43200.0)
    """
    found = re.fullmatch(r"(?:every\s+)?(\d+(?:\.\d+)?)\s*(min|h|d|w)", text.strip().lower())
    seconds = float(found[1]) * UNITS[found[2]] if found else 0.0
    if seconds < LEAST_SECONDS:
        raise InputError(f"{text!r} is no time", advice="give one like 7 d, 12 h, 30 min or 2 w")
    return seconds


def read_schedule(folder: Path) -> Schedule | None:
    """Return the schedule of a harvest, or None if there is none, or the file is damaged."""
    try:
        return msgspec.json.decode((folder / SCHEDULE).read_bytes(), type=Schedule)
    except (OSError, msgspec.DecodeError):
        return None


def keep_schedule(folder: Path, schedule: Schedule | None) -> None:
    """Store the schedule of a harvest; None removes it.

    Raises:
        FolderError: The file cannot be written.
        StorageError: The disk is full.
    """
    if schedule is None:
        (folder / SCHEDULE).unlink(missing_ok=True)
    else:
        place(folder / SCHEDULE, msgspec.json.encode(schedule))
