from collections.abc import Callable

import httpx2
import pytest
from bench.faulty.lies import (
    ClampedTotals,
    EmptyPage,
    FaultySource,
    GrowingTotals,
    IgnoredNot,
    Lie,
    NotAsWord,
    OrForAnd,
    PageTotals,
    RandomStandIns,
    RepeatedPage,
    RoundedTotals,
    SamePageForEver,
    ScaledTotals,
    ShardDown,
    ShortPage,
    ShortWords,
    ShuffledPages,
    StopWords,
    TruncatedQuery,
    WithheldDocuments,
)
from parsel import Selector

from longline.model import Query, Total
from longline.simulate.search.searcher import Searcher
from longline.simulate.site.server import running_site

SHIP = Query(("ship",))


def keys(box: FaultySource | Searcher, number: int) -> list[str]:
    return [hit.key for hit in box.search(SHIP, number).hits]


def test_a_repeated_page_hides_its_own_rows(box: Searcher) -> None:
    """Page 2 repeats page 1 and leads to an honest page 3; pages past the end are honest."""
    liar = FaultySource(box, RepeatedPage(number=2, of=1))
    assert [keys(liar, n) for n in (1, 2, 3)] == [keys(box, 1), keys(box, 1), keys(box, 3)]
    assert liar.search(SHIP, 2).next == box.search(SHIP, 2).next
    few = Query(("ship", "harbour"), ("pilot",))
    assert liar.search(few, 2) == box.search(few, 2)


def test_an_empty_page_ends_the_list(box: Searcher) -> None:
    """The page has no rows and no next link, but the total of a query with more."""
    page = FaultySource(box, EmptyPage(number=2)).search(SHIP, 2)
    assert (page.hits, page.total, page.next) == ((), Total(60), None)


def test_a_short_page_lacks_its_last_rows(box: Searcher) -> None:
    """The missing rows are on no other page; none or all rows can be missing."""
    assert keys(FaultySource(box, ShortPage(number=1, missing=3)), 1) == keys(box, 1)[:7]
    assert keys(FaultySource(box, ShortPage(number=1, missing=3)), 2) == keys(box, 2)
    assert keys(FaultySource(box, ShortPage(missing=0)), 1) == keys(box, 1)
    assert keys(FaultySource(box, ShortPage(missing=99)), 1) == []


def test_withheld_documents_take_places(box: Searcher) -> None:
    """They are counted but on no page, and the other documents keep their places."""
    lie = WithheldDocuments(0.3)
    for number in (1, 2):
        page, honest = FaultySource(box, lie).search(SHIP, number), box.search(SHIP, number)
        assert page.total == honest.total
        assert [hit for hit in honest.hits if not lie.withholds(hit.key)] == list(page.hits)
    shown = sum(len(FaultySource(box, lie).search(SHIP, number).hits) for number in range(1, 7))
    assert 0.5 * 60 < shown < 0.9 * 60


def test_the_same_page_comes_for_ever(box: Searcher) -> None:
    """Every page shows the first one's rows and a next link."""
    liar = FaultySource(box, SamePageForEver())
    assert keys(liar, 7) == keys(box, 1)
    assert liar.search(SHIP, 7).next is not None


def test_shuffled_pages_show_rows_of_their_query_at_random(box: Searcher) -> None:
    """Pages overlap and miss rows of their query, show no other, and are repeatable."""
    liar = FaultySource(box, ShuffledPages())
    pages = [keys(liar, number) for number in range(1, 8)]
    honest = [key for number in range(1, 8) for key in keys(box, number)]
    rows = [key for page in pages for key in page]
    assert len(set(rows)) < len(rows) == len(honest)
    assert set(rows) < set(honest)
    assert keys(liar, 2) == pages[1]


def test_totals_are_scaled_alone(box: Searcher) -> None:
    """Ten times as many documents are reported; the rows do not change."""
    page, honest = FaultySource(box, ScaledTotals(10)).search(SHIP), box.search(SHIP)
    assert honest.total is not None
    assert page.total == Total(10 * honest.total.documents)
    assert page.hits == honest.hits


@pytest.mark.parametrize(
    ("lie", "claims"),
    [
        (ClampedTotals(5), lambda true, _rows, _before, _more: min(true, 5)),
        (PageTotals(), lambda _true, rows, _before, _more: rows),
        (GrowingTotals(1), lambda _true, rows, before, more: before + rows + more),
        (RoundedTotals(10), lambda true, _rows, _before, _more: 10 * round(true / 10)),
    ],
)
def test_totals_say_something_else(
    box: Searcher, lie: Lie, claims: Callable[[int, int, int, bool], int]
) -> None:
    """Totals are capped, per page, of the rows so far, or rounded; the rows do not change."""
    before = 0
    for number in range(1, 4):
        page, honest = FaultySource(box, lie).search(SHIP, number), box.search(SHIP, number)
        assert honest.total is not None
        rows, more = len(honest.hits), honest.next is not None
        assert page.total == Total(claims(honest.total.documents, rows, before, more))
        assert page.hits == honest.hits
        before += rows


def test_operators_are_misread(box: Searcher) -> None:
    """NOT is ignored or read as a word; OR replaces AND."""
    query = Query(("ship", "harbour"), ("pilot",))

    def total(box: FaultySource | Searcher, query: Query) -> Total | None:
        return box.search(query).total

    assert total(FaultySource(box, IgnoredNot()), query) == total(box, Query(query.required))
    assert total(FaultySource(box, NotAsWord()), query) == Total(0)
    either = Query((), any_of=("ship", "harbour"))
    assert total(FaultySource(box, OrForAnd()), Query(query.required)) == total(box, either)
    assert FaultySource(box, OrForAnd()).search(SHIP) == box.search(SHIP)


def test_long_queries_are_cut(box: Searcher) -> None:
    """Only the first two terms are read, required ones first."""
    liar = FaultySource(box, TruncatedQuery(2))
    assert liar.search(Query(("ship", "harbour"), ("pilot",))) == box.search(
        Query(("ship", "harbour"))
    )
    assert liar.search(Query(("ship",), ("pilot", "harbour"))) == box.search(
        Query(("ship",), ("pilot",))
    )
    either = Query((), ("ship",), ("pilot", "harbour", "log"))
    assert liar.search(either) == box.search(Query((), any_of=("pilot", "harbour")))


def test_short_words_are_passed_over(box: Searcher) -> None:
    """Required or excluded, they change nothing; alone they find nothing."""
    liar = FaultySource(box, ShortWords(5))
    query = Query(("harbour", "ship"), ("pilot", "sea"))
    assert liar.search(query) == box.search(Query(("harbour",), ("pilot",)))
    assert liar.search(SHIP).hits == ()


def test_some_words_are_passed_over(box: Searcher) -> None:
    """Required or excluded, they change nothing; alone they find nothing."""
    liar = FaultySource(box, StopWords(frozenset({"ship", "pilot"})))
    query = Query(("harbour", "ship"), ("pilot", "sea"))
    assert liar.search(query) == box.search(Query(("harbour",), ("sea",)))
    assert liar.search(SHIP).hits == ()


def test_lies_combine(box: Searcher) -> None:
    """The first lie changes pages that the other lies have already changed."""
    liar = FaultySource(box, RepeatedPage(number=3, of=1), ShortPage(number=1, missing=4))
    assert keys(liar, 3) == keys(liar, 1) == keys(box, 1)[:6]
    other = FaultySource(box, ShortPage(number=3, missing=4), RepeatedPage(number=3, of=1))
    assert keys(other, 3) == keys(box, 1)[:6]
    assert keys(other, 1) == keys(box, 1)


def test_the_web_site_lies_alike(box: Searcher) -> None:
    """HTML and JSON show the liar's pages, with status 200."""
    liar = FaultySource(box, ShortPage(number=1, missing=3), EmptyPage(number=2))
    with running_site(liar) as url, httpx2.Client(base_url=url) as client:
        for number, rows in ((1, 7), (2, 0), (3, 10)):
            page = client.get(f"/search?q=ship&page={number}")
            assert page.status_code == 200
            assert Selector(page.text).css(".results .key::text").getall() == keys(liar, number)
            answer = client.get(f"/api/search?q=ship&page={number}").json()
            assert [hit["id"] for hit in answer["hits"]] == keys(liar, number)
            assert len(answer["hits"]) == rows
            assert answer["total"] == 60


def test_random_stand_ins_are_others_for_each_query(box: Searcher) -> None:
    """Queries without matches show and count other documents; queries with matches do not."""
    shown = box.search(SHIP).hits
    liar = FaultySource(box, RandomStandIns(shown, rows=3))
    pages = [liar.search(Query((word,))) for word in ("zuvobi", "qepaxq", "zuvobi")]
    assert [len(page.hits) for page in pages] == [3, 3, 3]
    assert [page.total for page in pages] == [Total(3)] * 3
    assert pages[0] == pages[2]
    assert pages[0].keys != pages[1].keys
    assert not liar.search(Query(("zuvobi",)), 2).hits
    assert liar.search(SHIP, 2) == box.search(SHIP, 2)


def test_a_shard_that_is_down_is_another_for_each_query(box: Searcher) -> None:
    """Each query is always answered by the same one of the boxes, and each box is used."""
    parts = [Searcher(box.documents[begin::2], page_size=10) for begin in (0, 1)]
    liar = FaultySource(box, ShardDown(tuple(parts)))
    words = sorted(box.document_frequencies())[:20]
    queries = [Query((word,)) for word in words]
    answers = [liar.search(query) for query in queries]
    assert answers == [liar.search(query) for query in queries]
    turns = {
        number
        for query, answer in zip(queries, answers, strict=True)
        for number, part in enumerate(parts)
        if answer == part.search(query) and answer != parts[1 - number].search(query)
    }
    assert turns == {0, 1}
