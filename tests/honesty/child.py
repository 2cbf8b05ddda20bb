"""Run `longline harvest`, then `longline export`, with short waits."""

import contextlib
import io
import os
import sys
from pathlib import Path

from longline.cli.main import main
from longline.fetch import Manners

HURRY = {"wait_seconds": 0.05, "timeout": 3.0, "deadline": 4.0}
"""Waits in seconds that replace 1, 30 and 120; waits that a site requests keep their length."""


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
    """Harvest into a folder, export its documents to FOLDER.jsonl, and end this process.

    Args:
        source: URL of the site or of its spec.
        folder: Harvest folder; standard output is written to FOLDER.out.
        said: File for standard error.
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
    """Redirect standard output and standard error of this process to files."""
    for path, number in ((output, 1), (errors, 2)):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, number)
        os.close(file)
