"""Texts of held documents as queries, for sources that show the nearest documents to any."""

from longline.planner.nearest.planner import Nearest
