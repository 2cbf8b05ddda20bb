"""`python -m longline` is `longline`."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C while its modules load ends it without a traceback."""
    try:
        from longline.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
