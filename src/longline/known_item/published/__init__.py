"""Strategies of the papers, to compare with."""

from longline.known_item.published.automaton import Automaton
from longline.known_item.published.hound import Hound
from longline.known_item.published.lost_sheep import LostSheep, WholeSite
from longline.known_item.published.walks import (
    AStar,
    Degree,
    Focused,
    Optimal,
    RandomWalk,
    Similar,
    SimilarDegree,
)

__all__ = [
    "AStar",
    "Automaton",
    "Degree",
    "Focused",
    "Hound",
    "LostSheep",
    "Optimal",
    "RandomWalk",
    "Similar",
    "SimilarDegree",
    "WholeSite",
]
