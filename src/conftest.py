"""What the examples in docstrings may use beside what they import."""

from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def _folder(doctest_namespace: dict[str, Any], tmp_path: Path) -> None:
    """`folder` is empty, and of this example alone."""
    doctest_namespace["folder"] = tmp_path
