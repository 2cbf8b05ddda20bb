"""From the options of a simulated source to its search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from longline.cli._options import Simulated
    from longline.model import Document
    from longline.simulate import Searcher


def searcher_of(documents: Sequence[Document], simulated: Simulated, seed: int = 0) -> Searcher:
    """Return a search of these documents that can do what the options say.

    Raises:
        UnknownNameError: No rule of word forms has this name.
    """
    from longline.simulate import Searcher
    from longline.simulate.documents import reading

    of_documents, of_queries = reading(simulated.forms)
    return Searcher(
        documents,
        ranking=simulated.ranking.value,
        limit=simulated.limit,
        page_size=simulated.page_size,
        counts=simulated.counts(),
        boolean=simulated.boolean,
        seed=seed,
        analyzer=of_documents,
        query_analyzer=of_queries,
    )
