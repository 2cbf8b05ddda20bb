"""Policies that choose the next query, and learn from the answers."""
