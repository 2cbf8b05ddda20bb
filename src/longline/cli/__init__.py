"""The command line."""

from longline.cli.main import main
