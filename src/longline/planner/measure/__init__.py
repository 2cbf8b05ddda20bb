"""Measure a source during a harvest by random probes, and stop when the goal is reached."""

from longline.planner.measure.aims import Aims
from longline.planner.measure.measured import Measured
