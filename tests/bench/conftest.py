"""What the tests of benchmarks share: benchmarks by name, and small corpora."""

import importlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from longline.model import Document

Import = Callable[[str], Any]


@pytest.fixture(scope="session")
def bench() -> Import:
    """Return a function that imports a benchmark, which is not part of the package."""
    return lambda name: importlib.import_module(f"bench.{name}")


def write_corpus(path: Path, documents: Iterable[Document]) -> None:
    """Write documents to a corpus file."""
    with path.open("w", encoding="utf-8") as stream:
        for document in documents:
            stream.write(json.dumps({"title": document.title, "text": document.text}) + "\n")
