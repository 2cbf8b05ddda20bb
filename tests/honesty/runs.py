"""Harvest a case's site by the command line, up to four times."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.honesty.site import Site

RUNS = 4
MOST_SECONDS = 150
"""Of a run; one that takes longer is said not to end, and killed."""

MOST_REQUESTS = 20
"""For each document, over all runs; an honest site costs two."""

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Run:
    """What a run of the command line left.

    Attributes:
        exit_code: None where it did not end, or asked too much.
        said: On standard error.
        requests: That the site got in it.
        certificate: None where there is none.
        exported: Texts by key; () before there is a harvest.
    """

    number: int
    exit_code: int | None
    said: str
    seconds: float
    requests: int
    certificate: dict[str, Any] | None
    exported: dict[str, str]


def harvested(site: Site, folder: Path, runs: int = RUNS) -> Iterator[Run]:
    """Run the same command until it says that all is had, so many times at most."""
    for number in range(1, runs + 1):
        run = _run(site, folder / "harvest", number)
        yield run
        if run.exit_code in (0, None):
            return


def _run(site: Site, folder: Path, number: int) -> Run:
    begun, before = time.monotonic(), site.wires.requests
    said = folder.with_name(f"run{number}.err")
    with ExitStack() as serving:
        source = serving.enter_context(site.running(number))
        exit_code = _wait(site, serving, source, folder, said)
    return Run(
        number=number,
        exit_code=exit_code,
        said=said.read_text(),
        seconds=time.monotonic() - begun,
        requests=site.wires.requests - before,
        certificate=_certificate(folder),
        exported=_exported(folder),
    )


def _wait(site: Site, serving: ExitStack, source: str, folder: Path, said: Path) -> int | None:
    """Let a run come to its end; return its exit code, None where it was killed."""
    most = MOST_REQUESTS * len(site.stage.documents)
    deadline = time.monotonic() + MOST_SECONDS
    command = [sys.executable, "-m", "tests.honesty.child", source, str(folder)]
    with said.open("w") as errors, folder.with_suffix(".out").open("w") as out:
        child = subprocess.Popen(command, cwd=ROOT, env=_environment(), stdout=out, stderr=errors)
        while child.poll() is None:
            if time.monotonic() > deadline or site.wires.requests > most:
                child.kill()
                child.wait()
                return None
            if site.stage.is_away:
                serving.close()
            time.sleep(0.02)
    return child.returncode


def _environment() -> dict[str, str]:
    """Return an environment in which the longline beside these tests is run, on one core."""
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    return os.environ | {"PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1", "NO_COLOR": "1"}


def _certificate(folder: Path) -> dict[str, Any] | None:
    path = folder / "certificate.json"
    return json.loads(path.read_text()) if path.is_file() else None


def _exported(folder: Path) -> dict[str, str]:
    path = folder.with_suffix(".jsonl")
    if not path.is_file() or not path.stat().st_size:
        return {}
    rows = map(json.loads, path.read_text(encoding="utf-8").strip("\n").split("\n"))
    return {row["key"]: row["text"] for row in rows}
