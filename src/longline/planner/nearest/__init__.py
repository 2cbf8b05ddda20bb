"""Send texts of held documents as queries, for sources that show the nearest documents."""

from longline.planner.nearest.planner import Nearest
