"""Fleets on this machine, with their own Ray cluster of four nodes and PostgreSQL server."""
