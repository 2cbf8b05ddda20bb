"""Single terms, by the new documents that they are expected to bring for what they cost."""

from longline.planner.adaptive.planner import Adaptive
