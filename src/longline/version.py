"""The version of longline."""

__version__ = "0.1.0"
