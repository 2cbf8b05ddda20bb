"""`python -m longline` is the same as `longline`."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C during imports ends it without a traceback."""
    try:
        from longline.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
