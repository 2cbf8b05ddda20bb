"""Stand-ins: documents shown when nothing matches, told apart from real hits."""

from longline.model import Hit, Page, Query, Total
from longline.source.trust.stand_ins import NONSENSE, StandIns


def page(*keys: str, title: str = "") -> Page:
    """Make a first page with these documents, by default with different titles."""
    return Page(tuple(Hit(key, title=title or f"no {key}") for key in keys), Total(len(keys)))


POPULAR = page(*"abcde")
DEEP, SEA = Query(("deep",)), Query(("sea",))


def test_documents_of_another_query_are_suspect() -> None:
    """The same documents for two different queries are suspect."""
    stand_ins = StandIns()
    assert not stand_ins.suspects(DEEP, POPULAR)
    assert not stand_ins.suspects(DEEP, POPULAR)
    assert not stand_ins.suspects(SEA, page(*"fghij"))
    assert stand_ins.suspects(SEA, POPULAR)


def test_hits_without_the_words_asked_for_are_suspect_where_others_have_them() -> None:
    """Hits without the query's words are suspect only if earlier hits showed theirs."""
    showing, hiding = StandIns(), StandIns()
    for number, query in enumerate((DEEP, SEA, Query(("web",)))):
        keys = [f"{number}{place}" for place in range(6)]
        assert not showing.suspects(query, page(*keys, title=query.required[0]))
        assert not hiding.suspects(query, page(*keys))
    assert showing.suspects(Query(("pilot",)), POPULAR)
    assert not hiding.suspects(Query(("pilot",)), POPULAR)


def test_few_hits_and_queries_without_words_are_not_suspect() -> None:
    """Up to four shared documents are not suspect, nor are queries without words."""
    stand_ins = StandIns()
    few = page(*"abcd")
    assert not any(stand_ins.suspects(query, few) for query in (DEEP, SEA, Query(())))
    assert not any(stand_ins.suspects(Query(()), POPULAR) for _ in range(2))


def test_few_hits_are_suspect_where_several_queries_have_the_very_same() -> None:
    """Two to four documents are suspect if several queries return exactly the same ones."""
    stand_ins, few = StandIns(), page(*"abcd")
    queries = [Query((word,)) for word in ("deep", "sea", "deep", "web")]
    assert [stand_ins.suspects(query, few) for query in queries] == [False, False, False, True]
    stand_ins.learn("abcd")
    assert stand_ins.unmasked(SEA, few).others == 4
    assert not StandIns().suspects(DEEP, page("a"))


def test_what_comes_for_nonsense_is_taken_for_nothing() -> None:
    """Exactly the documents returned for nonsense count as no result; their number is kept."""
    stand_ins = StandIns()
    stand_ins.learn("abcde")
    assert stand_ins.unmasked(SEA, page(*"edcba")) == Page(total=Total(0), others=5)
    assert stand_ins.unmasked(SEA, page(*"abcdef")) == page(*"abcdef")
    assert not stand_ins.suspects(SEA, page(*"abcdef"))


def test_nonsense_is_asked_for_once_where_it_brings_nothing() -> None:
    """If nonsense finds nothing, pages are no longer suspect and stay unchanged."""
    stand_ins = StandIns()
    assert not stand_ins.suspects(DEEP, POPULAR)
    assert stand_ins.suspects(SEA, POPULAR)
    stand_ins.learn(())
    assert not stand_ins.suspects(SEA, POPULAR)
    assert stand_ins.unmasked(SEA, POPULAR) == POPULAR
    assert NONSENSE.required
