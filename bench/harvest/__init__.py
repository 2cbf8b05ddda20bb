"""Measure harvests, plans and estimates: coverage, cost, whether intervals hold."""
