"""Calculations for cells: size, cost in pages, best split; the pieces of a facet."""

from longline.planner.cells.cell import Cell
from longline.planner.cells.facet_pieces import RangePieces, narrowed, value_pieces
from longline.planner.cells.page_cost import LOST_PAGES, TYPICAL_SAMPLE, PageCosts
from longline.planner.cells.size import UNKNOWN, Size
from longline.planner.cells.split import Split, Splitter
