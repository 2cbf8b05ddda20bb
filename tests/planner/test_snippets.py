"""Documents that are known only by their titles and snippets."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longline.events import DocumentReceived
from longline.model import Document, Hit, Page, Total
from longline.planner.adaptive.hidden_frequency import Reveal
from longline.planner.capabilities import Capabilities
from longline.planner.cells.cell import Cell
from longline.planner.cells.size import Size
from longline.planner.cells.snippet_shares import FEATURES, Shown, Unshown, features
from longline.planner.observed.arrivals import Snippet
from longline.planner.observed.documents import DocumentIndex
from longline.planner.observed.term_statistics import TermStatistics
from longline.planner.partition.source_model import SourceModel

WORDS = "abcdef"


def seen_of(documents: list[tuple[str, str]]) -> TermStatistics:
    seen = TermStatistics()
    for number, (title, text) in enumerate(documents):
        terms = list(dict.fromkeys(title + text))
        seen.add(str(number), terms, len(set(title)))
        seen.turn_page()
    return seen


texts = st.lists(
    st.tuples(st.text(WORDS, max_size=4), st.text(WORDS, min_size=1, max_size=6)),
    min_size=3,
    max_size=12,
)


@given(texts)
@settings(max_examples=40)
def test_titled_counts_the_titles_that_hold_a_term(documents: list[tuple[str, str]]) -> None:
    """For each term the number of titles that hold it is known."""
    seen = seen_of(documents)
    for term in seen.terms:
        expected = sum(term in title for title, _ in documents)
        assert seen.titled[seen.number(term)] == expected


@given(texts)
@settings(max_examples=40)
def test_titled_counts_forms_together(documents: list[tuple[str, str]]) -> None:
    """If forms are counted together, a title that holds two forms of a word counts once."""
    seen = seen_of(documents)
    seen.regroup(lambda terms: ["v" if term in "ae" else term for term in terms])
    seen.add("last", ["a", "e", "b"], titled=2)
    vowels = sum(bool({"a", "e"} & set(title)) for title, _ in documents) + 1
    assert seen.titled[seen.number("a")] == vowels


def test_what_titles_hold_is_not_hidden() -> None:
    """A term in titles is assumed to be hidden less than a term only in texts."""
    reveal = Reveal()
    text, title = np.zeros((2, 7))
    text[0] = title[0] = title[6] = 1.0
    for _ in range(20):
        reveal.learn(text, known=10, seen=40)
    assert reveal.ratio(title) < 0.6 * reveal.ratio(text)


def test_a_document_matches_what_it_is_implied_to_hold() -> None:
    """A document that a query found matches its terms, but is tallied by its visible text."""
    held = DocumentIndex()
    held.add("a", ["deep"])
    held.add("b", ["web"])
    held.imply(0, ("deep", "web"))
    assert held.matching(["web"]).tolist() == [0, 1]
    assert held.matching(["deep"], ["web"]).tolist() == []
    assert held.times(["deep", "web"]).tolist() == [2, 1]
    terms, counts = held.tally(np.array([0, 1], dtype=np.int32))
    assert dict(zip([held.terms[term] for term in terms], counts, strict=True)) == {
        "deep": 1,
        "web": 1,
    }


def test_a_cell_knows_what_its_query_found() -> None:
    """A document belongs to the cell whose query found it, whatever its snippet shows."""
    known = SourceModel(Capabilities(limit=100, page_size=50, negation=True))
    cell = known.universe.side("web", holds=True, held=known.held)
    hits = tuple(Hit(str(n), snippet=f"snippet {n}") for n in range(3))
    for hit in hits:
        known.hold(DocumentReceived(Document(hit.key, text=hit.snippet), hit=hit))
    known.receive(cell, Page(hits, Total(3)))
    assert not known.texts_are_whole
    assert cell.count(known.held) == 3
    assert known.universe.count(known.held) == 3


def test_whole_texts_are_told_from_snippets() -> None:
    """Texts that are longer than their snippets count as complete."""
    known = SourceModel(Capabilities())
    hit = Hit("a", snippet="deep")
    known.hold(DocumentReceived(Document("a", text="deep web"), hit=hit))
    known.hold(DocumentReceived(Document("b", text="deep")))
    assert known.texts_are_whole


def test_what_was_asked_for_is_not_tallied() -> None:
    """A snippet around a query word is not tallied for it, but its document holds the word."""
    held = DocumentIndex()
    held.add("a", ["deep", "web"], Snippet(("web",), titled=0))
    held.add("b", ["web"], Snippet((), titled=0))
    everyone = np.array([0, 1], dtype=np.int32)
    assert held.matching(["web"]).tolist() == [0, 1]
    terms, counts = held.tally(everyone)
    found = dict(zip([held.terms[term] for term in terms], counts, strict=True))
    assert found == {"deep": 1, "web": 1}


@given(texts, st.lists(st.sampled_from("aeiou"), max_size=2, unique=True), st.integers(0, 2))
@settings(max_examples=40)
def test_what_is_handed_on_is_held_as_it_was(
    documents: list[tuple[str, str]], asked: list[str], every: int
) -> None:
    """Documents that are handed over, snippets and texts, are held and tallied in the same way."""
    first, second = DocumentIndex(), DocumentIndex()
    for number, (title, text) in enumerate(documents):
        terms = list(dict.fromkeys(title + text))
        snippet = Snippet(tuple(asked), len(set(title)))
        first.add(str(number), terms, snippet if number % 3 <= every else None)
    for came in first.arrivals():
        second.add(came.key, came.terms, came.snippet)
    everyone = np.arange(len(first), dtype=np.int32)
    assert list(second.keys) == list(first.keys)
    assert list(second.terms) == list(first.terms)
    numbers = np.arange(len(first.terms), dtype=np.int32)
    assert np.array_equal(first.shown(numbers), second.shown(numbers))
    for one, other in zip(first.tally(everyone), second.tally(everyone), strict=True):
        assert np.array_equal(one, other)
    assert np.array_equal(first.holds(everyone, asked), second.holds(everyone, asked))
    assert list(first.arrivals()) == list(second.arrivals())


@given(texts, st.booleans())
@settings(max_examples=40)
def test_shown_counts_documents_and_titles(documents: list[tuple[str, str]], grouped: bool) -> None:
    """For each term the numbers of documents and titles that show it are known, forms or not."""
    held = DocumentIndex()
    spoken = {"a": "v", "e": "v"} if grouped else {}
    for number, (title, text) in enumerate(documents):
        terms = list(dict.fromkeys(title + text))
        held.add(str(number), terms, Snippet((), len(set(title))))
        if number == 1 and grouped:
            held = held.labelled(lambda terms: [spoken.get(term, term) for term in terms])
    for number, term in enumerate(held.terms):
        shown, titled = held.shown(np.array([number], dtype=np.int32))
        titles = [{spoken.get(each, each) for each in title} for title, _ in documents]
        both = [{spoken.get(each, each) for each in title + text} for title, text in documents]
        assert shown == sum(term in each for each in both)
        assert titled == sum(term in each for each in titles)


def test_features_tell_titles_from_texts() -> None:
    """Each term has its odds of being shown, here and above, and its share of titles."""
    held = DocumentIndex()
    universe = Cell((), (), Size(100), is_told=True)
    for number in range(8):
        terms = ["web", "deep"] if number < 4 else ["sea"]
        universe.place(held.add(str(number), terms, Snippet((), number % 2)), terms)
    root = universe.side("sea", holds=False, held=held)
    found = features(root, held, root.shares(held))
    assert found.shape == (3, len(FEATURES))
    assert found[:, 1] == pytest.approx(found[:, 2])  # the cell is its own root
    titles = dict(zip(held.terms, found[:, 3], strict=True))
    assert titles == pytest.approx({"web": 2 / 5, "deep": 0, "sea": 2 / 5})
    assert found[:, 5].tolist() == [1, 1, 1]


def test_what_is_unshown_is_learnt_for_each_term() -> None:
    """Each term keeps its own odds."""
    unshown = Unshown()
    rng = np.random.default_rng(0)
    own = {0: 1.0, 1: -0.5}
    x = np.array([1.0, -1.0, -1.0, 0.0, 2.0, 1.0, 0.0])
    for _ in range(100):
        term = int(rng.integers(2))
        odds = np.exp(own[term] + rng.normal(0, 0.1))
        unshown.learn(Shown(term, x, 0.1), odds / (1 + odds))
    expected = unshown.expected(np.array([0, 1, 2]), np.array([x, x, x]))
    assert expected[:2] == pytest.approx([1.0, -0.5], abs=0.2)
    assert expected[1] < expected[2] < expected[0]
    known, new = unshown.variances(np.array([0, 2]))
    assert known < new
    assert not len(unshown.expected(np.array([], dtype=np.int64), np.empty((0, len(x)))))
