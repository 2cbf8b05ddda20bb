"""The API for extensions: your own planners, sources and exports, without a fork.

Each is found by an entry point of its package: `longline.planners`, `longline.sources`,
`longline.exports`. In a script or a notebook `add_planner` needs none.
"""

from longline.errors import LonglineError, PageError, UnreachableError
from longline.exports import Format
from longline.model import Document, Finish, Hit, Page, Query, Search, Total
from longline.planner.capabilities import Capabilities
from longline.planner.sequential import SequentialPlanner
from longline.planner.strategies import Options, add_planner
from longline.ports import MORE, Policy, Searchable

__all__ = [
    "MORE",
    "Capabilities",
    "Document",
    "Finish",
    "Format",
    "Hit",
    "LonglineError",
    "Options",
    "Page",
    "PageError",
    "Policy",
    "Query",
    "Search",
    "Searchable",
    "SequentialPlanner",
    "Total",
    "UnreachableError",
    "add_planner",
]
