"""The arithmetic of a cell: its size, its cost in pages, its best split."""

from longline.planner.cells.cell import Cell
from longline.planner.cells.page_cost import LOST_PAGES, TYPICAL_SAMPLE, PageCosts
from longline.planner.cells.size import UNKNOWN, Size
from longline.planner.cells.split import Split, Splitter

__all__ = [
    "LOST_PAGES",
    "TYPICAL_SAMPLE",
    "UNKNOWN",
    "Cell",
    "PageCosts",
    "Size",
    "Split",
    "Splitter",
]
