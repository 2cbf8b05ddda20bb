"""A harvest once more, some time later: what is new, what changed, and what is gone."""

from longline.updates.changes import KINDS, Change, Kind, differences
from longline.updates.feed import feed, lines
from longline.updates.history import UNDER_WAY, folder_of, newest_number
from longline.updates.update import UpdateOptions, UpdateRun

__all__ = [
    "KINDS",
    "UNDER_WAY",
    "Change",
    "Kind",
    "UpdateOptions",
    "UpdateRun",
    "differences",
    "feed",
    "folder_of",
    "lines",
    "newest_number",
]
