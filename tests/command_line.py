"""Run `longline` as a user does, but inside the test process: a new process starts slowly.

Tests of signals, limits and the type of standard output start a process of their own.
"""

import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

import pytest

from longline.cli.main import main


def longline(
    folder: Path, *arguments: object, **environment: str
) -> "subprocess.CompletedProcess[str]":
    """Run `longline` with arguments in a folder; return its exit code and output."""
    command = ["longline", *map(str, arguments)]
    with (
        tempfile.TemporaryDirectory() as aside,
        pytest.MonkeyPatch.context() as patch,
        (Path(aside) / "out").open("w", encoding="utf-8") as out,
        (Path(aside) / "err").open("w", encoding="utf-8", errors="backslashreplace") as err,
    ):
        patch.chdir(folder)
        patch.setattr(sys, "argv", command)
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        for name, value in ({"LONGLINE_LEARNT": ""} | environment).items():
            patch.setenv(name, value)
        code = _exit_code()
        out.close()
        err.close()
        printed = [(Path(aside) / name).read_text(encoding="utf-8") for name in ("out", "err")]
    return subprocess.CompletedProcess(command, code, *printed)


def _exit_code() -> int:
    """Run the command line on `sys.argv`; return its exit code, as Python would."""
    try:
        main()
    except SystemExit as ended:
        return int(ended.code or 0)
    except Exception:
        traceback.print_exc()
        return 1
    return 0
