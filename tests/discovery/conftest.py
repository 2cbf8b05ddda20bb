"""Optionally use other documents for the made-up sites.

`LONGLINE_DRAW=2 pytest tests/discovery` draws them again, in an order that depends on the number:
results for a kind of site must not depend on its documents.
"""

import os
from functools import cache

import numpy as np

from longline.model import Document
from longline.simulate.documents import corpus

plain = corpus.docstrings


@cache
def drawn() -> tuple[Document, ...]:
    """Return the embedded corpus in another order."""
    documents = plain()
    order = np.random.default_rng(int(os.environ["LONGLINE_DRAW"])).permutation(len(documents))
    return tuple(documents[place] for place in order)


if os.environ.get("LONGLINE_DRAW"):
    corpus.docstrings = drawn
