"""Harvest many sources on many machines: all data in PostgreSQL, work distributed by Ray."""

from longline.fleet.driver import run
from longline.fleet.export import export_parts
from longline.fleet.slices import Slice, Work, run_slices
