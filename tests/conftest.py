"""Fixtures that every room's tests may use."""

import gc
import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# Before anything imports numpy: threads of its algebra that wait for each other, on cores that run
# other tests, take ten times as long as one.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A shell starts what it runs in the background deaf to Ctrl-C, and what that starts is deaf, too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples on every run: what a change is judged by is the change. For others,
# `pytest --hypothesis-profile explore`.
settings.register_profile("repeat", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile("repeat")

# No test depends on what is set for the person who runs it.
for variable in [name for name in os.environ if name.startswith("LONGLINE_")]:
    if variable.removeprefix("LONGLINE_") not in ("SHARED", "PAIRS", "DEBIAN", "CHROMIUM", "DRAW"):
        del os.environ[variable]
os.environ["LONGLINE_SETTINGS"] = ""
os.environ["LONGLINE_LEARNT"] = ""


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of corpora and instances that do not travel with the project."""
    folder = Path(os.environ.get("LONGLINE_SHARED", Path(__file__).parents[2] / "shared"))
    if not (folder / "corpora").is_dir():
        pytest.skip(f"no corpora at {folder}; set LONGLINE_SHARED to a folder that has them")
    return folder


def pytest_collection_finish() -> None:
    """Look through what was collected no more: it stays, and takes the collector long."""
    gc.collect()
    gc.freeze()
