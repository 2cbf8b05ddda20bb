"""Test vectors of other projects, which are not part of this one: docs/research/conformance.md."""

from pathlib import Path

import pytest
from tests.fetch.conftest import fetch, reply, run, site

__all__ = ["fetch", "reply", "run", "site", "vectors"]


@pytest.fixture(scope="session")
def vectors(shared: Path) -> Path:
    """Return the folder with the vectors."""
    folder = shared / "conformance"
    if not folder.is_dir():
        pytest.skip(f"no test vectors at {folder}")
    return folder
