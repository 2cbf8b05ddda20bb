"""Run `longline harvest`, then `longline export`, with waits that tests can bear."""

import contextlib
import io
import os
import sys
from pathlib import Path

from longline.cli.main import main
from longline.fetch import Manners

HURRY = {"wait_seconds": 0.05, "timeout": 3.0, "deadline": 4.0}
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
    for name, value in HURRY.items():
        assert hasattr(Manners, name)
        setattr(Manners, name, value)


def harvest_and_export(source: str, folder: Path, said: Path) -> None:
    """Harvest into a folder, and export what it holds to FOLDER.jsonl; then this process ends.

    Args:
        source: Where to begin.
        folder: To harvest into; FOLDER.out gets standard output.
        said: Gets standard error.
    """
    os.environ["NO_COLOR"] = "1"
    speak_to(folder.with_suffix(".out"), said)
    hurry()
    code = command("harvest", source, "-o", str(folder), "--allow-private")
    if (folder / "harvest.db").exists():
        with contextlib.redirect_stderr(io.StringIO()):
            command("export", str(folder), "-o", f"{folder}.jsonl", "--force")
    sys.exit(code)


def speak_to(output: Path, errors: Path) -> None:
    """Send what this process prints into files."""
    for path, number in ((output, 1), (errors, 2)):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, number)
        os.close(file)
