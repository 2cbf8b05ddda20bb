"""Harvests, plans and estimates measured: what is held, the cost, whether intervals hold."""
