"""Harvest a case's site by the command line, up to four times."""

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.honesty.child import harvest_and_export
from tests.honesty.forks import PROCESSES
from tests.honesty.site import Site

RUNS = 4
MOST_SECONDS = 150
"""Maximum seconds of a run; a longer one is killed and counts as endless."""

MOST_REQUESTS = 20
"""Maximum requests per document over all runs; an honest site needs two."""


@dataclass(frozen=True)
class Run:
    """The result of one run of the command line.

    Attributes:
        exit_code: None if the run did not end, or sent too many requests.
        said: Standard error.
        requests: Number of requests that the site received in this run.
        certificate: None if there is none.
        exported: Texts by key; empty if there is no harvest.
    """

    number: int
    exit_code: int | None
    said: str
    seconds: float
    requests: int
    certificate: dict[str, Any] | None
    exported: dict[str, str]


def harvested(site: Site, folder: Path, runs: int = RUNS) -> Iterator[Run]:
    """Repeat the harvest until it exits with 0 or is killed, at most `runs` times."""
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
    """Wait until a run ends; return its exit code, or None if it was killed."""
    most = MOST_REQUESTS * len(site.stage.documents)
    deadline = time.monotonic() + MOST_SECONDS
    child = PROCESSES.Process(target=harvest_and_export, args=(source, folder, said))
    child.start()
    while child.exitcode is None:
        if time.monotonic() > deadline or site.wires.requests > most:
            child.kill()
            child.join()
            return None
        if site.stage.is_away:
            serving.close()
        child.join(0.02)
    return child.exitcode


def _certificate(folder: Path) -> dict[str, Any] | None:
    path = folder / "certificate.json"
    return json.loads(path.read_text()) if path.is_file() else None


def _exported(folder: Path) -> dict[str, str]:
    path = folder.with_suffix(".jsonl")
    if not path.is_file() or not path.stat().st_size:
        return {}
    rows = map(json.loads, path.read_text(encoding="utf-8").strip("\n").split("\n"))
    return {row["key"]: row["text"] for row in rows}
