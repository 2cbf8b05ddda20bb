"""Harvest many sources on many machines: every fact in PostgreSQL, work placed by Ray."""

from longline.fleet.driver import run
from longline.fleet.export import export_parts
from longline.fleet.fleet import Counts, Fleet
from longline.fleet.rows import Row, SourceState
from longline.fleet.slices import Slice, run_slice

__all__ = ["Counts", "Fleet", "Row", "Slice", "SourceState", "export_parts", "run", "run_slice"]
