import asyncio

import pytest

from longline.errors import RefusedError
from longline.model import Document, Hit, Query
from longline.ports import Hand
from longline.simulate.search.memory import MemoryHand
from longline.simulate.search.searcher import Searcher


def test_a_hand_searches_and_reads_for_one_request_each(box: Searcher) -> None:
    """Pages are the box's own, documents are whole, and everything is counted."""

    async def harvest(hand: Hand) -> tuple[list[int], Document]:
        first, cost = await hand.search(Query(("ship",)), 1, None)
        second, more = await hand.search(Query(("ship",)), 2, first.next)
        assert second == box.search(Query(("ship",)), 2)
        document, price = await hand.read(second.hits[0])
        await hand.close()
        return [cost, more, price], document

    hand = MemoryHand(box)
    costs, document = asyncio.run(harvest(hand))
    assert costs == [1, 1, 1]
    assert hand.requests == 3
    assert document == box.document(document.key)


def test_a_document_that_is_not_there_is_refused(box: Searcher) -> None:
    """Reading an unknown key is an answer of the source, not a crash."""
    with pytest.raises(RefusedError, match="'nowhere'"):
        asyncio.run(MemoryHand(box).read(Hit("nowhere")))
