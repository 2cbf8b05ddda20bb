"""Importing this reads and compiles everything that a first harvest needs.

Processes forked from one that imported it (see `forks`) start to harvest at once.
"""

import asyncio
import contextlib
import io

import anyio._backends._asyncio  # noqa: F401 - a harvest imports it, and what follows, late
import numpy as np
import rich.progress  # noqa: F401
from tests.honesty.child import command

from longline.engine import Callbacks, Engine
from longline.ledger import Ledger
from longline.model import Document
from longline.planner.capabilities import Capabilities
from longline.planner.measure import Aims, Measured
from longline.planner.strategies import Options, make_planner
from longline.simulate import MemoryClient, Searcher
from longline.store import MemoryStore
from longline.text.seed_words import english


def _harvest() -> None:
    """Harvest in memory with strategies that use all compiled kernels."""
    able = Capabilities(limit=20, page_size=10, negation=True, counts="exact")
    rng = np.random.default_rng(0)
    words = rng.choice(english(), 300).tolist()
    texts = [Document(str(n), text=" ".join(rng.choice(words, 20))) for n in range(100)]
    source = Searcher(texts, limit=20, page_size=10)
    for strategy in ("auto", "adaptive"):
        planner = make_planner(
            strategy, Options(abilities=able, words=words[:20]), np.random.default_rng(0)
        )
        policy = Measured(planner, Aims(), np.random.default_rng(0))
        engine = Engine(
            policy,
            MemoryClient(source),
            MemoryStore(),
            Ledger(),
            callbacks=Callbacks(conclude=policy.conclude),
        )
        asyncio.run(engine.run())


with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    command("harvest", "--help")
_harvest()
