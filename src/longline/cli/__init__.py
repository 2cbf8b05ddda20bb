"""The command line."""

from longline.cli.main import main

__all__ = ["main"]
