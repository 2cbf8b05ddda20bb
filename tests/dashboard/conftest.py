"""Run a dashboard in its own process."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

PATIENCE_SECONDS = 60.0


class Served(NamedTuple):
    """A running dashboard."""

    url: str
    folder: Path
    process: subprocess.Popen[str]

    @property
    def port(self) -> int:
        return int(self.url.rstrip("/").rpartition(":")[2])


Serve = Callable[..., Served]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Yield a function that starts dashboards of a folder."""
    pytest.importorskip("nicegui")
    started: list[Served] = []

    def start(*options: str, folder: Path | None = None, token: str = "") -> Served:
        home = folder or tmp_path / "home"
        home.mkdir(exist_ok=True)
        process = subprocess.Popen(
            [sys.executable, "-m", "longline", "dashboard", str(home), "--port", "0", *options],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            env=os.environ | {"LONGLINE_TOKEN": token},
        )
        assert process.stderr is not None
        line = process.stderr.readline()
        found = re.search(r"http://\S+/", line)
        assert found is not None, line
        started.append(Served(found[0], home, process))
        return started[-1]

    yield start
    for each in started:
        each.process.terminate()
        try:
            each.process.wait(10)
        except subprocess.TimeoutExpired:
            each.process.kill()
        each.process.communicate()
