"""Searches that were cut are narrowed by further words, where a source has AND and no NOT."""

import asyncio

import numpy as np
import pytest
from tests.planner.test_planners import word

from longline.engine import Engine
from longline.events import DocumentReceived, PageReceived
from longline.ledger import Ledger
from longline.model import Document, Finish, Hit, Page, Query, Request, Search, Total
from longline.planner.auto import Auto
from longline.planner.capabilities import Capabilities
from longline.planner.narrowing import Narrowing
from longline.planner.observed import DocumentIndex
from longline.planner.strategies import Options, make_planner
from longline.simulate import MemoryClient, Searcher
from longline.store import MemoryStore


def of_few_words(documents: int = 300, terms: int = 40) -> list[Document]:
    """Return documents of which each holds many of the same few words."""
    rng = np.random.default_rng(2)
    lengths = rng.integers(8, 40, documents)
    texts = [" ".join(map(word, rng.choice(terms, length).tolist())) for length in lengths]
    return [Document(f"d{n}", text=text) for n, text in enumerate(texts)]


@pytest.mark.parametrize("ranking", ["static", "bm25"])
def test_a_source_whose_every_word_is_cut_comes_nearly_whole(ranking: str) -> None:
    """Every word matches about half of the documents, and 60 of them are shown."""
    documents = of_few_words()
    source = Searcher(documents, ranking=ranking, limit=60, page_size=10, boolean=False)  # type: ignore[arg-type]
    whole = Searcher(documents, limit=None, boolean=False)
    ledger = Ledger(size=len(documents))
    words = tuple(word(term) for term in range(10))
    planner = make_planner("auto", Options(words=words), np.random.default_rng(0))
    stopped = asyncio.run(Engine(planner, MemoryClient(source), MemoryStore(), ledger).run())
    assert ledger.documents >= 0.97 * len(documents)
    assert isinstance(planner, Auto)
    spent = planner.split()
    assert spent or ranking == "bm25"  # there little is left to narrow
    for query in spent:  # all that match have come
        assert all(hit.key in ledger.held for hit in whole.search(query).hits)
    assert ledger.result_pages <= 12 * len(documents) / 10
    assert "narrowing" in stopped.reason


def begun(total: int, *texts: str) -> Narrowing:
    """Return a planner that holds some texts; "sea" was cut at 10."""
    index = DocumentIndex()
    for number, text in enumerate(texts):
        index.add(f"held-{number}", text.split())
    return Narrowing(Capabilities(limit=10, page_size=10), {Query(("sea",)): total}, index)


def answer(planner: Narrowing, total: int, *texts: str, more: bool = False) -> None:
    """Let a planner choose, and answer it with new documents."""
    search = planner.next()
    assert isinstance(search, Search)
    hits = tuple(Hit(f"{search.query}-{n}", f"https://x.example/{n}") for n in range(len(texts)))
    onward = Request("https://x.example/2") if more else None
    planner.tell(PageReceived(search.query, 1, Page(hits, Total(total), onward)))
    for hit, text in zip(hits, texts, strict=True):
        planner.tell(DocumentReceived(Document(hit.key, text=text), hit=hit, query=search.query))


def test_the_word_that_promises_most_is_added() -> None:
    """A word in half of the held documents leaves 10 of 20; one in all of them leaves 20."""
    planner = begun(20, "sea coral blue", "sea coral blue", "sea moon blue", "sea tide blue")
    assert planner.next() == Search(Query(("coral", "sea")))


def test_nothing_is_narrowed_if_everything_is_held() -> None:
    """A total that equals what is held hides nothing."""
    planner = begun(11, *["sea coral"] * 11)
    assert planner.next() == Finish("no search that was cut can be narrowed")


def test_an_answer_of_which_all_is_held_is_not_read_on() -> None:
    """The first page gives its total, and documents that came since are counted."""
    planner = begun(20, "sea coral", "sea moon")
    answer(planner, 3, "sea coral", "sea coral", more=True)
    assert isinstance(search := planner.next(), Search)
    assert search.number == 1


def test_an_answer_that_is_cut_again_is_narrowed_again() -> None:
    """Its total says what it hides."""
    planner = begun(1000, *["sea coral blue"] * 4, *["sea moon blue"] * 4)
    answer(planner, 500, *["sea coral blue tide", "sea coral blue"] * 5)
    assert isinstance(search := planner.next(), Search)
    assert len(search.query.required) == 3


@pytest.mark.parametrize("more", [0, 1])
def test_searches_are_spent_only_if_texts_show_what_matches(more: int) -> None:
    """With `more`, each total counts a document whose text does not show the word."""
    planner = begun(50, *[f"sea {word(number)}" for number in range(50)])
    for number in range(12):
        query = Query((word(number), "sea"))
        rows = (Hit(f"held-{number}", ""), *(Hit(f"other-{number}", "") for _ in range(more)))
        planner.tell(PageReceived(query, 1, Page(rows, Total(1 + more))))
    spent = planner.split()
    assert (Query(("sea",)) in spent) == (more == 0)
