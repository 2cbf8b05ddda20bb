"""A small corpus whose answers are obvious."""

import pytest

from longline.model import Document
from longline.simulate.search.searcher import Searcher


def ship_documents(count: int = 60) -> list[Document]:
    """Make documents: all have "ship", every second "pilot", every fifth "harbour"."""
    return [
        Document(
            f"log/{n:02}",
            title=f"Log of ship {'abcdefghij'[n % 10]}",
            text=f"A ship{' with a pilot' * (n % 2 == 0)}{' in harbour' * (n % 5 == 0)}.\n\nEnd.",
        )
        for n in range(count)
    ]


@pytest.fixture
def ships() -> list[Document]:
    return ship_documents()


@pytest.fixture
def box(ships: list[Document]) -> Searcher:
    """Make a box over 60 documents that shows 40 per query, 10 a page."""
    return Searcher(ships, limit=40, page_size=10, seed=1)
