"""Fixtures shared by all tests."""

import gc
import os
import signal
import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# Set before anything imports numpy: OpenBLAS threads that wait for each other on busy cores make
# the tests ten times slower than one thread does.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A shell starts background jobs with Ctrl-C ignored, and their child processes inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parents[1]

# Use the same examples on every run, so that only a code change changes a result. For other
# examples run `pytest --hypothesis-profile explore`.
settings.register_profile("repeat", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile("repeat")

# No test depends on the environment variables of the user who runs it.
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
    """Forget the planners that a test or a doctest registered in this process."""
    yield
    if plugins := sys.modules.get("longline.plugins"):
        plugins._added.clear()


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of corpora and instances that are not part of the repository."""
    folder = Path(os.environ.get("LONGLINE_SHARED", Path(__file__).parents[2] / "shared"))
    if not (folder / "corpora").is_dir():
        pytest.skip(f"no corpora at {folder}; set LONGLINE_SHARED to a folder that has them")
    return folder


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Collect doctests only from test files that contain examples; few do."""
    found = yield
    if file_path.suffix == ".py" and b">>>" not in file_path.read_bytes():
        return [each for each in found if type(each).__name__ != "DoctestModule"]
    return found


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the doctests of a package folder right after its tests.

    One process then runs both and compiles their shared numba functions once; two processes would
    compile them twice.
    """
    rooms: dict[tuple[str, ...], int] = {}

    def place(item: pytest.Item) -> int:
        parts = item.path.relative_to(ROOT).parts
        room = parts[2:3] if parts[0] == "src" else parts[1:2]
        return rooms.setdefault(room, len(rooms))

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """Exclude the collected items from garbage collection: they stay alive and slow it down."""
    gc.collect()
    gc.freeze()
