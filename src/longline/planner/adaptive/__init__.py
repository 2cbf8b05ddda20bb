"""Send single terms, chosen by expected new documents per cost."""

from longline.planner.adaptive.planner import Adaptive
