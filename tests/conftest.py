"""Fixtures that every room's tests may use."""

import gc
import os
import signal
import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# Before anything imports numpy: threads of its algebra that wait for each other, on cores that run
# other tests, take ten times as long as one.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A shell starts what it runs in the background deaf to Ctrl-C, and what that starts is deaf, too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parents[1]

# The same examples on every run: what a change is judged by is the change. For others,
# `pytest --hypothesis-profile explore`.
settings.register_profile("repeat", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile("repeat")

# No test depends on what is set for the person who runs it.
for variable in [name for name in os.environ if name.startswith("LONGLINE_")]:
    if variable.removeprefix("LONGLINE_") not in (
        "SHARED",
        "PAIRS",
        "DEBIAN",
        "CHROMIUM",
        "DRAW",
        "REAL",
    ):
        del os.environ[variable]
os.environ["LONGLINE_SETTINGS"] = ""
os.environ["LONGLINE_LEARNT"] = ""


@pytest.fixture(autouse=True)
def _added() -> Iterator[None]:
    """Forget the planners that a test, or an example, has added to its process."""
    yield
    if plugins := sys.modules.get("longline.plugins"):
        plugins._added.clear()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of corpora and instances that do not travel with the project."""
    folder = Path(os.environ.get("LONGLINE_SHARED", Path(__file__).parents[2] / "shared"))
    if not (folder / "corpora").is_dir():
        pytest.skip(f"no corpora at {folder}; set LONGLINE_SHARED to a folder that has them")
    return folder


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples in the docstrings of tests only where there are some: few have any."""
    found = yield
    if file_path.suffix == ".py" and b">>>" not in file_path.read_bytes():
        return [each for each in found if type(each).__name__ != "DoctestModule"]
    return found


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the examples in a room's docstrings behind its tests.

    So one process runs both, and compiles once what both need: of what two compile at the same
    time, one has wasted it.
    """
    rooms: dict[tuple[str, ...], int] = {}

    def place(item: pytest.Item) -> int:
        parts = item.path.relative_to(ROOT).parts
        room = parts[2:3] if parts[0] == "src" else parts[1:2]
        return rooms.setdefault(room, len(rooms))

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """Look through what was collected no more: it stays, and takes the collector long."""
    gc.collect()
    gc.freeze()
