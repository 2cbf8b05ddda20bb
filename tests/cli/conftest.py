"""Fixtures that run the command line as a user does, and a corpus to run it on."""

import functools
import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.command_line import longline

from longline.fetch import Manners
from longline.simulate import Searcher, read_corpus, running_site

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs `longline` with arguments, in an empty folder and in this process."""
    return functools.partial(longline, tmp_path)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus file of 400 documents from the standard library."""
    documents = read_corpus("docstrings")
    chosen = np.random.default_rng(0).choice(len(documents), 400, replace=False)
    path = tmp_path_factory.mktemp("corpus") / "some.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for place in sorted(chosen):
            document = documents[place]
            fields = {"id": document.key, "title": document.title, "text": document.text}
            stream.write(json.dumps(fields) + "\n")
    return path


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shortens the fetcher's first wait from one second to 0.05 seconds."""
    monkeypatch.setattr(Manners, "wait_seconds", 0.05)


@pytest.fixture
def log() -> list[str]:
    """The paths requested from the site."""
    return []


@pytest.fixture
def site(corpus: Path, log: list[str]) -> Iterator[str]:
    """The address of a site that returns at most 50 of those documents per query, 10 per page."""
    searcher = Searcher(read_corpus(str(corpus)), limit=50, page_size=10)
    with running_site(searcher, log=log) as url:
        yield url
