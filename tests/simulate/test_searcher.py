import math
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longline.errors import CorpusError, InputError, UnknownNameError
from longline.model import Document, Page, Query, Total
from longline.simulate.documents.corpus import read_corpus
from longline.simulate.documents.words import SNIPPET_CHARACTERS, words
from longline.simulate.search.searcher import Searcher

VOCABULARY = ["ant", "bee", "cat", "dog", "elk", "fox"]
some_words = st.lists(st.sampled_from(VOCABULARY), max_size=8).map(" ".join)
corpora = st.lists(st.tuples(some_words, some_words), min_size=1, max_size=12).map(
    lambda rows: [Document(str(n), title=a, text=b) for n, (a, b) in enumerate(rows)]
)
# A term may be unknown, in capitals, or several words in one.
terms = st.sampled_from([*VOCABULARY, "gnu", "Cat", "dog-fox", "ant gnu"])
queries = st.builds(
    Query,
    st.lists(terms, min_size=1, max_size=3).map(tuple),
    st.lists(terms, max_size=2).map(tuple),
)
with_alternatives = st.builds(
    Query,
    st.lists(terms, max_size=2).map(tuple),
    st.lists(terms, max_size=2).map(tuple),
    st.lists(terms, max_size=3).map(tuple),
).filter(lambda query: query.wanted)


def holds(document: Document, term: str) -> bool:
    return set(re.split("[- ]", term.lower())) <= set(f"{document.title} {document.text}".split())


def obvious_matches(documents: list[Document], query: Query) -> list[int]:
    return [
        number
        for number, document in enumerate(documents)
        if all(holds(document, term) for term in query.required)
        and (not query.any_of or any(holds(document, term) for term in query.any_of))
        and not any(holds(document, term) for term in query.excluded)
    ]


def known_words(documents: list[Document], query: Query) -> list[str]:
    """Return required words, and the alternatives whose words all occur in documents."""
    texts = " ".join(f"{document.title} {document.text}" for document in documents)
    every = Document("", text=texts)
    return [*query.required, *(word for word in query.any_of if holds(every, word))]


def obvious_score(documents: list[Document], number: int, query: Query) -> float:
    """Return BM25 as in the textbook, for one document."""
    bags = [Counter(f"{document.title} {document.text}".split()) for document in documents]
    mean = sum(bag.total() for bag in bags) / len(bags)
    score = 0.0
    for term in set(re.split("[- ]", " ".join(known_words(documents, query)).lower())):
        df = sum(term in bag for bag in bags)
        tf = bags[number][term]
        idf = math.log(1 + (len(bags) - df + 0.5) / (df + 0.5))
        norm = 1.2 * (1 - 0.75 + 0.75 * bags[number].total() / mean)
        score += idf * tf * 2.2 / (tf + norm)
    return score


def all_pages(box: Searcher, query: Query) -> list[Page]:
    pages = [box.search(query)]
    while pages[-1].next:
        pages.append(box.search(query, len(pages) + 1))
    return pages


@pytest.mark.slow
@given(corpora, queries | with_alternatives, st.sampled_from(["bm25", "static"]))
@settings(max_examples=100)
def test_matches_are_the_obvious_ones(documents, query, ranking) -> None:
    """A match has all required terms, one alternative, no excluded term; paging shows them all."""
    box = Searcher(documents, ranking=ranking, limit=None, page_size=3, seed=5)
    expected = [str(number) for number in obvious_matches(documents, query)]
    shown = [hit.key for page in all_pages(box, query) for hit in page.hits]
    assert sorted(shown, key=int) == expected
    assert shown == box.keys(query) == box.keys(query, shown=False)
    assert box.matches(query) == len(expected)
    assert [str(number) for number in box.numbers(query)] == expected


@pytest.mark.slow
@given(corpora, queries | with_alternatives)
@settings(max_examples=100)
def test_bm25_puts_the_best_first(documents, query) -> None:
    """Textbook scores never rise down the list; ties keep the corpus order."""
    numbers = [int(key) for key in Searcher(documents, limit=None).keys(query)]
    scores = [obvious_score(documents, number, query) for number in numbers]
    for (a, first), (b, second) in zip(
        zip(scores, numbers, strict=True), zip(scores[1:], numbers[1:], strict=False), strict=False
    ):
        assert a > b - 1e-9
        bag_of = [
            sorted(f"{documents[n].title} {documents[n].text}".split()) for n in (first, second)
        ]
        assert bag_of[0] != bag_of[1] or first < second


@pytest.mark.slow
@given(corpora, queries, st.integers(1, 7), st.integers(1, 5), st.sampled_from(["bm25", "static"]))
@settings(max_examples=100)
def test_the_limit_cuts_the_same_ranking(documents, query, limit, page_size, ranking) -> None:
    """Pages show the first k of the unlimited ranking, in full pages; totals count all."""
    free = Searcher(documents, ranking=ranking, limit=None, seed=3)
    box = Searcher(documents, ranking=ranking, limit=limit, page_size=page_size, seed=3)
    pages = all_pages(box, query)
    assert [hit.key for page in pages for hit in page.hits] == free.keys(query)[:limit]
    assert all(len(page.hits) == page_size for page in pages[:-1])
    assert all(page.total == Total(free.matches(query)) for page in pages)
    assert len(pages) == max(1, math.ceil(min(limit, free.matches(query)) / page_size))


def test_static_ranking_is_one_order_for_every_query(ships: list[Document]) -> None:
    """Two queries list their common documents in the same order, which depends on the seed."""
    box = Searcher(ships, ranking="static", limit=None, seed=4)
    pilots = box.keys(Query(("pilot",)))
    both = box.keys(Query(("harbour", "pilot")))
    assert both == [key for key in pilots if key in set(both)]
    assert both != sorted(both)
    assert pilots == Searcher(ships, ranking="static", limit=None, seed=4).keys(Query(("pilot",)))
    assert pilots != Searcher(ships, ranking="static", limit=None, seed=5).keys(Query(("pilot",)))


def test_a_page_past_the_end_is_empty(box: Searcher) -> None:
    """It has no hits and no next page, and the total is unchanged."""
    assert len(box.search(Query(("ship",)), 4).hits) == 10
    assert box.search(Query(("ship",)), 4).next is None
    assert box.search(Query(("ship",)), 5) == Page(total=Total(60))
    assert box.search(Query(("ship",)), 10**12).hits == ()


@pytest.mark.parametrize("number", [0, -1])
def test_there_is_no_page_before_the_first(box: Searcher, number: int) -> None:
    """Pages are counted from 1."""
    with pytest.raises(InputError):
        box.search(Query(("ship",)), number)


def test_what_holds_no_term_matches_nothing(box: Searcher) -> None:
    """Excluded terms alone match nothing either; a number beside a word is ignored."""
    for query in (Query(()), Query(("42",)), Query((), ("ship",)), Query(("sub marine",))):
        assert box.search(query) == Page(total=Total(0))
    assert box.matches(Query(("ship", "42"))) == 60
    assert box.matches(Query(("ship",), ("42",))) == 60
    assert box.matches(Query(("ship",), ("pilot harbour",))) == 54


def test_alternatives_without_words_are_not_looked_for(box: Searcher) -> None:
    """A number among alternatives is ignored; unknown words alone match nothing."""
    assert box.matches(Query(("ship",), any_of=("42",))) == 60
    assert box.matches(Query(("ship",), any_of=("pilot", "42"))) == 30
    assert box.matches(Query(("ship",), any_of=("42", "submarine"))) == 0
    assert box.matches(Query((), any_of=("42",))) == 0
    assert box.matches(Query((), ("ship",), ("pilot", "harbour"))) == 0
    assert box.matches(Query((), any_of=("pilot", "harbour"))) == 36


def test_a_box_without_operators_says_so(ships: list[Document]) -> None:
    """It accepts required terms, and refuses excluded ones and alternatives."""
    box = Searcher(ships, boolean=False)
    assert box.matches(Query(("ship", "pilot"))) == 30
    with pytest.raises(InputError, match="no NOT"):
        box.search(Query(("ship",), ("pilot",)))
    with pytest.raises(InputError, match="no OR"):
        box.search(Query((), any_of=("ship", "pilot")))


def test_approximate_counts_are_wrong_alike(ships: list[Document]) -> None:
    """A query's total is the same on all pages and in all runs; zero stays zero."""
    box = Searcher(ships, counts="approximate", page_size=10, seed=1)
    again = Searcher(ships, counts="approximate", page_size=10, seed=1)
    totals = {box.search(Query(("ship",)), number).total for number in (1, 2, 3)}
    assert totals == {again.search(Query(("ship",))).total}
    assert all(total is not None and total.relation == "about" for total in totals)
    assert box.search(Query(("none",))).total == Total(0)


@pytest.mark.parametrize(("arguments", "sigma"), [({}, 0.3), ({"count_sigma": 1.0}, 1.0)])
def test_errors_of_counts_are_as_large_as_asked(arguments: dict, sigma: float) -> None:
    """The logarithms of approximate counts vary around the truth with count_sigma."""
    text = " ".join(f"w{'x' * n}" for n in range(200))
    documents = [Document(str(n), text=text) for n in range(100)]
    many = Searcher(documents, counts="approximate", snippets=False, **arguments)
    logs = [
        math.log(total.documents / 100)
        for n in range(200)
        if (total := many.search(Query((f"w{'x' * n}",))).total)
    ]
    assert abs(np.mean(logs)) < 0.3 * sigma
    assert 0.8 * sigma < np.std(logs) < 1.2 * sigma


def test_counts_can_be_left_out(ships: list[Document]) -> None:
    """A box without counts reports no total, with or without hits."""
    box = Searcher(ships, counts="none")
    assert box.search(Query(("ship",))).total is None
    assert box.search(Query(("none",))).total is None


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"ranking": "best"}, "bm25"),
        ({"counts": "some"}, "approximate"),
        ({"limit": 0}, "limit"),
        ({"page_size": 0}, "page_size"),
        ({"count_sigma": -1.0}, "count_sigma"),
    ],
)
def test_bad_arguments_are_named(ships: list[Document], arguments: dict, name: str) -> None:
    """The error names the argument, or lists the possible values."""
    with pytest.raises(InputError, match=name) as caught:
        Searcher(ships, **arguments)
    assert isinstance(caught.value, UnknownNameError) == isinstance(*arguments.values(), str)


def test_documents_need_keys_of_their_own(ships: list[Document]) -> None:
    """No document, and two documents with the same key, are refused."""
    for documents in ([], [*ships, ships[0]]):
        with pytest.raises(CorpusError):
            Searcher(documents)


def test_hits_are_rows_without_the_text(box: Searcher) -> None:
    """A hit has key, title, address and snippet; the text is on the document's page."""
    hit = box.search(Query(("harbour",))).hits[0]
    assert (hit.key, hit.title, hit.text) == ("log/05", "Log of ship f", None)
    assert hit.url == "memory:log%2F05"
    assert hit.snippet == "A ship in harbour. End."
    document = box.document(hit.key)
    assert document is not None
    assert document.text.endswith("End.")
    assert box.document("log") is None


@given(st.lists(st.sampled_from([*VOCABULARY, "cats", "\n", "gnu."]), max_size=150), st.booleans())
def test_a_snippet_shows_the_first_match(parts: list[str], is_upper: bool) -> None:
    """A snippet is one line of about 160 characters with the word, if the text has it."""
    text = " ".join(parts)
    text = text.upper() if is_upper else text
    box = Searcher([Document("a", title="cat", text=text), Document("b", text="cat")])
    snippet = next(h.snippet for h in box.search(Query(("cat",))).hits if h.key == "a")
    assert len(snippet) <= SNIPPET_CHARACTERS + 4
    assert ("cat" in words(snippet)) == ("cat" in words(text))
    assert snippet == " ".join(snippet.split())


def test_snippets_can_be_left_out(ships: list[Document]) -> None:
    """Without snippets the pages are otherwise the same."""
    with_them, without = Searcher(ships), Searcher(ships, snippets=False)
    query = Query(("pilot",))
    assert without.search(query).hits[0].snippet == ""
    assert [hit.key for hit in without.search(query).hits] == with_them.keys(query)[:50]


def test_an_analyser_of_ones_own_reads_documents_and_queries() -> None:
    """With an analyser that drops stop words and plurals, one form finds the other."""

    def stem(text: str) -> list[str]:
        return [word.rstrip("s") for word in words(text) if word != "the"]

    box = Searcher([Document("a", text="The ships"), Document("b", text="boats")], analyzer=stem)
    assert box.keys(Query(("the", "ship"))) == ["a"]
    assert box.keys(Query(("boat",))) == ["b"]
    assert box.document_frequencies() == {"ship": 1, "boat": 1}
    assert box.matches(Query(("the",))) == 0


@given(corpora)
@settings(max_examples=50)
def test_document_frequencies_are_what_queries_count(documents: list[Document]) -> None:
    """A term's df equals the matches of its query; unknown terms match nothing."""
    box = Searcher(documents)
    frequencies = box.document_frequencies()
    assert len(box) == len(documents)
    for term in VOCABULARY:
        assert box.matches(Query((term,))) == frequencies.get(term, 0)


def test_words_are_runs_of_letters() -> None:
    """Digits and underscores separate words, capitals do not; any alphabet works."""
    assert words("x86_64: Don't ÉTÉ straße Ελλάδα 東京") == [
        "x", "don", "t", "été", "straße", "ελλάδα", "東京",
    ]  # fmt: skip


@pytest.mark.slow
def test_real_documents_are_found_by_every_word(shared: Path) -> None:
    """On 19,043 stories the number of matches equals a count text by text."""
    documents = read_corpus(shared / "corpora" / "reuters.jsonl.gz")
    box = Searcher(documents, snippets=False, ranking="static")
    bags = [set(words(f"{document.title}\n{document.text}")) for document in documents]
    for query in (Query(("cocoa",)), Query(("oil", "trade"), ("opec",)), Query(("the",), ("of",))):
        assert box.matches(query) == sum(
            bag.issuperset(query.required) and bag.isdisjoint(query.excluded) for bag in bags
        )
