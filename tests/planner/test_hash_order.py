"""The same seed sends the same queries, whatever order a process keeps its sets in."""

import asyncio
import os
import subprocess
import sys

import pytest
from tests.planner.test_planners import planner, word

from longline.engine import Engine
from longline.events import PageReceived
from longline.ledger import Ledger
from longline.model import Document
from longline.planner.capabilities import Capabilities
from longline.planner.strategies import STRATEGIES
from longline.simulate import MemoryClient, Searcher
from longline.store import MemoryStore

TIED = ["the", "sea", "of", "the", "web", "and", "a", "reef", "in", "the", "bay"]
"""Words of every document, so that they differ only in their order."""


def queries_by_strategy() -> dict[str, list[str]]:
    """Return the queries of each strategy on one corpus, in order."""
    documents = [
        Document(str(n), text=" ".join([*TIED, word(n % 19), word(n % 23)])) for n in range(100)
    ]
    asked = {}
    for name in STRATEGIES:
        able = Capabilities(limit=20, page_size=10, counts="exact")
        policy = planner(name, queries=("sea", "web"), words=("sea", "reef"), abilities=able)
        store = MemoryStore()
        box = Searcher(documents, limit=20, page_size=10, boolean=False)
        asyncio.run(Engine(policy, MemoryClient(box), store, Ledger()).run())
        events = (event for event in store.events() if isinstance(event, PageReceived))
        asked[name] = [str(event.query) for event in events]
    return asked


def printed(hash_seed: str) -> list[str]:
    """Return the lines that this file prints in a process with this hash seed."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.planner.test_hash_order"],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


@pytest.mark.slow
def test_every_strategy_asks_alike_under_another_hash_seed() -> None:
    """Python hashes strings differently in each process; the queries do not depend on it."""
    runs = [printed("1"), printed("3")]
    assert len(runs[0]) == len(STRATEGIES)
    for first, *others in zip(*runs, strict=True):
        assert all(other == first for other in others), first


if __name__ == "__main__":
    for name, queries in queries_by_strategy().items():
        print(name, queries)
