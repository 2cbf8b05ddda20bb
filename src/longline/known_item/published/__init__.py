"""Algorithms from papers, for comparison."""

from longline.known_item.published.automaton import Automaton
from longline.known_item.published.lost_sheep import LostSheep, WholeSite
from longline.known_item.published.walks import (
    AStar,
    Degree,
    Focused,
    RandomWalk,
    Similar,
    SimilarDegree,
)
