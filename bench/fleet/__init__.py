"""Fleets on a Ray cluster of four nodes and a PostgreSQL server of their own, on this machine."""
