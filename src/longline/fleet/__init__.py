"""Harvest many sources on many machines: every fact in PostgreSQL, work placed by Ray."""

from longline.fleet.driver import run
from longline.fleet.export import export_parts
from longline.fleet.slices import Slice, Work, run_slices
