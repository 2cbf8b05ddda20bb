import asyncio

import pytest

from longline.errors import RefusedError
from longline.model import Document, Hit, Query
from longline.ports import SourceClient
from longline.simulate.search.memory import MemoryClient
from longline.simulate.search.searcher import Searcher


def test_a_hand_searches_and_reads_for_one_request_each(box: Searcher) -> None:
    """Pages equal the box's own, documents are complete, and every request is counted."""

    async def harvest(client: SourceClient) -> tuple[list[int], Document]:
        first, cost = await client.search(Query(("ship",)), 1, None)
        second, more = await client.search(Query(("ship",)), 2, first.next)
        assert second == box.search(Query(("ship",)), 2)
        document, price = await client.read(second.hits[0])
        await client.close()
        return [cost, more, price], document

    client = MemoryClient(box)
    costs, document = asyncio.run(harvest(client))
    assert costs == [1, 1, 1]
    assert client.requests == 3
    assert document == box.document(document.key)


def test_a_document_that_is_not_there_is_refused(box: Searcher) -> None:
    """Reading an unknown key is refused, and does not crash."""
    with pytest.raises(RefusedError, match="'nowhere'"):
        asyncio.run(MemoryClient(box).read(Hit("nowhere")))
