"""What stands in for nothing is told from hits, and costs no request where nothing is odd."""

from longline.model import Hit, Page, Query, Total
from longline.source.trust.stand_ins import NONSENSE, StandIns


def page(*keys: str, title: str = "") -> Page:
    """Make a first page of some documents with one title."""
    return Page(tuple(Hit(key, title=title or f"no {key}") for key in keys), Total(len(keys)))


POPULAR = page(*"abcde")
DEEP, SEA = Query(("deep",)), Query(("sea",))


def test_documents_of_another_query_are_suspect() -> None:
    """The same documents for two queries may be what is shown for any."""
    stand_ins = StandIns()
    assert not stand_ins.suspects(DEEP, POPULAR)
    assert not stand_ins.suspects(DEEP, POPULAR)
    assert not stand_ins.suspects(SEA, page(*"fghij"))
    assert stand_ins.suspects(SEA, POPULAR)


def test_hits_without_the_words_asked_for_are_suspect_where_others_have_them() -> None:
    """Listings that never show the words, and hits of which one does, say nothing."""
    showing, hiding = StandIns(), StandIns()
    for number, query in enumerate((DEEP, SEA, Query(("web",)))):
        keys = [f"{number}{place}" for place in range(6)]
        assert not showing.suspects(query, page(*keys, title=query.required[0]))
        assert not hiding.suspects(query, page(*keys))
    assert showing.suspects(Query(("pilot",)), POPULAR)
    assert not hiding.suspects(Query(("pilot",)), POPULAR)


def test_few_hits_and_queries_without_words_are_not_suspect() -> None:
    """Two queries may well share four documents; filters alone show no word."""
    stand_ins = StandIns()
    few = page(*"abcd")
    assert not any(stand_ins.suspects(query, few) for query in (DEEP, SEA, Query(())))
    assert not any(stand_ins.suspects(Query(()), POPULAR) for _ in range(2))


def test_few_hits_are_suspect_where_several_queries_have_the_very_same() -> None:
    """Two to four popular documents may stand in for nothing, too."""
    stand_ins, few = StandIns(), page(*"abcd")
    queries = [Query((word,)) for word in ("deep", "sea", "deep", "web")]
    assert [stand_ins.suspects(query, few) for query in queries] == [False, False, False, True]
    stand_ins.learn("abcd")
    assert stand_ins.unmasked(SEA, few).others == 4
    assert not StandIns().suspects(DEEP, page("a"))


def test_what_comes_for_nonsense_is_taken_for_nothing() -> None:
    """Only those very documents are; how many rows were shown is kept."""
    stand_ins = StandIns()
    stand_ins.learn("abcde")
    assert stand_ins.unmasked(SEA, page(*"edcba")) == Page(total=Total(0), others=5)
    assert stand_ins.unmasked(SEA, page(*"abcdef")) == page(*"abcdef")
    assert not stand_ins.suspects(SEA, page(*"abcdef"))


def test_nonsense_is_asked_for_once_where_it_brings_nothing() -> None:
    """An honest source is suspected once at most, and all its pages are its own."""
    stand_ins = StandIns()
    assert not stand_ins.suspects(DEEP, POPULAR)
    assert stand_ins.suspects(SEA, POPULAR)
    stand_ins.learn(())
    assert not stand_ins.suspects(SEA, POPULAR)
    assert stand_ins.unmasked(SEA, POPULAR) == POPULAR
    assert NONSENSE.required
