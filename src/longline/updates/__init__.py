"""Repeat a harvest some time later: find what is new, changed and gone."""

from longline.updates.changes import KINDS, Change, differences, feed, lines
from longline.updates.history import UNDER_WAY, folder_of, update_under_way
from longline.updates.update import UpdateOptions, UpdateRun
