"""Fixtures that every room's tests may use."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of corpora and instances that do not travel with the project."""
    folder = Path(os.environ.get("LONGLINE_SHARED", Path(__file__).parents[2] / "shared"))
    if not (folder / "corpora").is_dir():
        pytest.skip(f"no corpora at {folder}; set LONGLINE_SHARED to a folder that has them")
    return folder
