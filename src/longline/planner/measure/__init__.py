"""During a harvest: its size by random probes, and the end that was aimed at."""

from longline.planner.measure.measured import Aims, Measured
