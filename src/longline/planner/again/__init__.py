"""A source once more: by the cheapest queries that showed all of it, or by its newest list."""

from longline.planner.again.ask_again import AskAgain, Shown, worth_asking
from longline.planner.again.in_turn import InTurn
from longline.planner.again.newest_first import NewestFirst
