"""Run `longline harvest`, then `longline export`, with waits that tests can bear.

Usage: python -m tests.honesty.child SOURCE FOLDER; its exit code is that of the harvest.
"""

import contextlib
import io
import sys
from pathlib import Path

from longline.cli.main import main
from longline.fetch import WebFetcher

HURRY = {"wait_seconds": 0.05, "timeout_seconds": 3.0, "deadline_seconds": 4.0}
"""In the place of a second, thirty and a hundred and twenty; what a site asks for is waited."""


def command(*words: str) -> int:
    """Run the command line; return its exit code."""
    sys.argv = ["longline", *words]
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def hurry() -> None:
    """Shorten the fetcher's own waits."""
    defaults = WebFetcher.__init__.__kwdefaults__
    assert defaults is not None
    assert HURRY.keys() <= defaults.keys()
    defaults.update(HURRY)


if __name__ == "__main__":
    source, folder = sys.argv[1:]
    hurry()
    code = command("harvest", source, "-o", folder, "--allow-private")
    if (Path(folder) / "harvest.db").exists():
        with contextlib.redirect_stderr(io.StringIO()):
            command("export", folder, "-o", f"{folder}.jsonl")
    sys.exit(code)
