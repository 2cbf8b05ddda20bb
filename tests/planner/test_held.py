"""Held documents, the numbers of their terms, and cells that receive them one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longline.planner.capabilities import Capabilities
from longline.planner.cells.cell import Cell
from longline.planner.cells.size import UNKNOWN
from longline.planner.observed.documents import DocumentIndex
from longline.planner.observed.term_runs import BLOCK
from longline.planner.observed.term_statistics import TermStatistics
from longline.planner.partition.source_model import SourceModel
from longline.text.term_ids import FIRST_ROOM, TermIds, Words

LETTERS = "abcdefgh"
TEXTS = st.lists(st.sets(st.sampled_from(LETTERS)), min_size=1, max_size=40)


@settings(max_examples=50)
@given(st.lists(st.lists(st.text("abc", max_size=4), max_size=30), max_size=8))
def test_numbers_are_those_of_a_dict(pages: list[list[str]]) -> None:
    """Words get the same numbers as in a dict that grows by one for each new word."""
    numbering, oracle = TermIds(), dict[str, int]()
    for page in pages:
        wanted = [oracle.setdefault(word, len(oracle)) for word in page]
        assert numbering.numbers(page).tolist() == wanted
    assert list(numbering.words) == list(oracle)
    assert numbering.look_up(["abcabc", *oracle]).tolist() == [-1, *oracle.values()]


@settings(max_examples=50)
@given(st.lists(st.text(max_size=5), max_size=12), st.slices(12))
def test_words_are_those_of_a_list(words: list[str], some: slice) -> None:
    """Words are returned by number, by slice and in order, even with half a character in them."""
    kept = Words()
    kept.extend(words)
    assert list(kept) == words
    assert kept[some] == words[some]
    assert [kept[place] for place in range(-len(words), len(words))] == 2 * words
    kept.extend(["\ud800"])
    assert kept[len(words)] == "\ud800"


def test_numbers_stay_when_the_table_grows() -> None:
    """Words keep their numbers when the table grows many times."""
    numbering = TermIds()
    words = [f"word{number}" for number in range(9 * FIRST_ROOM)]
    for begin in range(0, len(words), 1000):
        numbering.numbers(words[begin : begin + 1000])
    assert numbering.look_up(words).tolist() == list(range(len(words)))
    assert numbering.look_up(["word"]).tolist() == [-1]


@settings(max_examples=60)
@given(TEXTS, st.lists(st.sampled_from(LETTERS + "z"), max_size=4, unique=True))
def test_what_documents_hold_is_what_their_texts_say(
    texts: list[set[str]], asked: list[str]
) -> None:
    """Each way to ask what documents hold agrees with a check of every text."""
    held = DocumentIndex()
    for number, text in enumerate(texts):
        held.add(str(number), sorted(text))
    some = np.arange(0, len(texts), 2, dtype=np.int32)
    wanted = [[term in text for term in asked] for text in texts]
    assert held.holds(some, asked).tolist() == wanted[::2]
    assert held.times(asked).tolist() == [sum(row) for row in wanted]
    assert [held.text(number) for number in some.tolist()] == [sorted(text) for text in texts[::2]]
    for term, number in zip(asked, held.term_numbers(asked).tolist(), strict=True):
        assert held.showing(number).tolist() == [n for n, text in enumerate(texts) if term in text]
    often = [sum(term in text for text in texts) for term in held.terms]
    assert held.frequencies().tolist() == often
    terms, counts = held.tally(some)
    assert dict(zip((held.terms[term] for term in terms), counts, strict=True)) == {
        term: sum(term in text for text in texts[::2])
        for term in held.terms
        if any(term in text for text in texts[::2])
    }


@pytest.mark.slow
def test_many_documents_hold_what_their_texts_say() -> None:
    """Lists of documents agree with the texts, in blocks and in none yet."""
    rng = np.random.default_rng(3)
    held, texts, implied = DocumentIndex(), list[set[str]](), list[int]()
    for documents in (9 * BLOCK + 3, BLOCK, BLOCK - 2, 5):
        shows = rng.random((documents, len(LETTERS))) < np.geomspace(0.9, 0.001, len(LETTERS))
        for row in shows:
            texts.append({term for term, shown in zip(LETTERS, row, strict=True) if shown})
            held.add(str(len(held)), sorted(texts[-1]))
        implied.append(len(held) - 2)
        held.imply(implied[-1], ["z"])
        truth = {term: np.array([term in text for text in texts]) for term in (*LETTERS, "z")}
        truth["z"][implied] = True
        for term, number in zip(LETTERS, held.term_numbers(LETTERS).tolist(), strict=True):
            found = np.flatnonzero(truth[term])
            for since in (0, 9 * BLOCK - 5, len(held) - 9):
                assert held.showing(number, since).tolist() == found[found >= since].tolist()
        some = np.arange(1, len(held), 3, dtype=np.int32)
        for asked in ((LETTERS[-1], "z"), tuple(LETTERS)):
            told = np.array([truth[term] for term in asked]).T
            assert np.array_equal(held.holds(some, asked), told[some])
            assert np.array_equal(held.times(asked), told.sum(axis=1))
            assert np.array_equal(held.times(asked, len(held) - 9), told[-9:].sum(axis=1))
        assert held.matching(["z"]).tolist() == implied


@pytest.mark.slow
@settings(max_examples=60)
@given(TEXTS)
def test_what_is_taken_over_counts_as_if_it_had_come(texts: list[set[str]]) -> None:
    """Counts taken over from another index, even as it grows, agree with the texts."""
    held, told, handed = DocumentIndex(), TermStatistics(), TermStatistics()
    for number, text in enumerate(texts):
        held.add(str(number), sorted(text))
        told.hold(str(number), sorted(text))
    told.count()
    told.turn_page()
    handed.take_all(held)
    _check_alike(handed, told)
    for each in (handed, told):  # both continue alike
        each.again("0")
    held.add("new", ["z", *sorted(texts[0])])
    handed.hold("newer", ["y", *sorted(texts[0])])
    for name in ("new", "newer"):
        told.add(name, ["z" if name == "new" else "y", *sorted(texts[0])])
    assert "new" not in handed
    assert len(held) == len(texts) + 2
    handed.count()
    for each in (handed, told):
        each.turn_page()
    _check_alike(handed, told)


def _check_alike(handed: TermStatistics, told: TermStatistics) -> None:
    assert {*handed.terms} == {*told.terms}
    pairs = [(handed.number(term), told.number(term)) for term in told.terms]
    places = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    assert (np.diff(places[:, 0]) > 0).all()  # in the same order
    for name in ("df", "written", "once", "lengths", "pages", "densest", "titled"):
        of_handed, of_told = getattr(handed, name)[places[:, 0]], getattr(told, name)[places[:, 1]]
        assert np.allclose(of_handed, of_told, rtol=1e-5, atol=1e-5), name
    sums = [(each.cell_count, each.once_sum, each.length_sum) for each in (handed, told)]
    assert np.allclose(*sums)


@pytest.mark.slow
@settings(max_examples=60)
@given(TEXTS, st.permutations(LETTERS))
def test_neighbours_miss_a_cell_by_one_term(texts: list[set[str]], terms: list[str]) -> None:
    """Neighbours of a cell miss its query by one term, however deep in the tree it is."""
    known = SourceModel(Capabilities())
    held, (root, other, first, second, *_) = known.held, terms
    for text in texts:
        names = dict.fromkeys(sorted(text))
        known.universe.place(held.add(str(len(held)), names), names)
    cells = [
        known.universe.adopt(Cell((root,), (), UNKNOWN), held),
        known.universe.adopt(Cell((other,), (root,), UNKNOWN), held),
    ]
    for term in (first, second):
        cells += [cells[-1].side(term, holds=holds, held=held) for holds in (True, False)]
    for cell in cells:
        misses = [len({*cell.required} - text) + len({*cell.excluded} & text) for text in texts]
        near = [number for number, times in enumerate(misses) if times == 1]
        assert sorted(cell.near(held).tolist()) == near
    assert not len(known.universe.near(held))


@pytest.mark.slow
@settings(max_examples=60)
@given(TEXTS, TEXTS, st.permutations(LETTERS))
def test_cells_are_told_of_what_they_would_find(
    before: list[set[str]], after: list[set[str]], terms: list[str]
) -> None:
    """A cell contains the documents that match it, whenever they arrived, also when closed."""
    known = SourceModel(Capabilities())
    root, other, first, second, third, *_ = terms
    held = known.held

    def hold(texts: list[set[str]]) -> None:
        for text in texts:
            names = dict.fromkeys(sorted(text))
            known.universe.place(held.add(str(len(held)), names), names)

    hold(before)
    cells = [
        known.universe.adopt(Cell((root,), (), UNKNOWN), held),
        known.universe.adopt(Cell((other,), (root,), UNKNOWN), held),
    ]
    for term in (first, second):
        cells += [cells[-1].side(term, holds=holds, held=held) for holds in (True, False)]
    cells.append(cells[0].side(third, holds=True, held=held))
    cells[0].disown()
    cells.pop()
    hold(after)

    def check() -> None:
        for cell in (known.universe, *cells):
            matching = held.matching(cell.required, cell.excluded)
            assert cell.documents(held).tolist() == matching.tolist()
            assert cell.count(held) == len(matching)

    check()
    cells[2].close()
    cells[1].close()
    hold(before)
    check()


@pytest.mark.slow
@settings(max_examples=60)
@given(st.lists(st.tuples(TEXTS, st.sampled_from(LETTERS), st.booleans()), max_size=6))
def test_times_are_counted_on(steps: list[tuple[list[set[str]], str, bool]]) -> None:
    """Counting incrementally gives the same as counting again, whatever arrived in between."""
    held, asked = DocumentIndex(), list[str]()
    for texts, term, begins_anew in steps:
        for text in texts:
            held.add(str(len(held)), sorted(text))
        asked = [term] if begins_anew else [*asked, term]
        if len(held):
            held.imply(len(held) - 1, [term])
            assert held.may_hold(term) >= held.times([term]).sum()
        assert held.times_so_far(asked).tolist() == held.times(asked).tolist()
