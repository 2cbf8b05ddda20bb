"""Other documents for the sites that are made up, on request.

`LONGLINE_DRAW=2 pytest tests/discovery` draws them anew, in an order of that number: what holds for
a kind of site holds whatever stands on it.
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
