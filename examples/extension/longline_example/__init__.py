"""A planner, a source and an export for longline."""
