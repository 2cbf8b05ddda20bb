"""Forms of a word: the planner notices which forms a source treats as one, and uses it."""

import asyncio
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longline.engine import Callbacks, Engine
from longline.errors import BudgetSpent, UnknownNameError
from longline.events import DocumentReceived, PageReceived
from longline.ledger import Ledger, certificate_of
from longline.model import Document, Hit, Page, Query, Request
from longline.planner.adaptive.planner import Adaptive
from longline.planner.auto import Auto
from longline.planner.capabilities import Capabilities
from longline.planner.measure import Aims, Measured
from longline.planner.observed.documents import DocumentIndex
from longline.planner.observed.term_statistics import TermStatistics
from longline.planner.observed.word_form_tests import Sample
from longline.planner.observed.word_forms import PAUSE, Forms
from longline.planner.partition.planner import Partition
from longline.planner.partition.source_model import SourceModel
from longline.ports import Policy
from longline.simulate import MemoryClient, Searcher, read_corpus
from longline.simulate.documents.words import reading
from longline.simulate.search.searcher import Ranking
from longline.store import MemoryStore
from longline.text.stems import Rule


@cache
def documents(accents: bool = False, share: int = 2) -> tuple[Document, ...]:
    """Return half of the embedded corpus; with accents, on a and e in every other document."""
    found = []
    for number, document in enumerate(read_corpus("docstrings")[::share]):
        text = document.text
        if accents and number % 2:
            text = text.replace("a", "á").replace("e", "è")
        found.append(Document(document.key, title="", text=text))
    return tuple(found)


@cache
def box(
    rule: str,
    ranking: Ranking = "static",
    accents: bool = False,
    boolean: bool = False,
    share: int = 2,
) -> Searcher:
    """Return a source that treats word forms as one by a rule."""
    of_documents, of_queries = reading(rule)
    return Searcher(
        documents(accents, share),
        ranking=ranking,
        snippets=False,
        boolean=boolean,
        analyzer=of_documents,
        query_analyzer=of_queries,
    )


class Paid(MemoryClient):
    """A client that returns no pages beyond its budget."""

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        """Return a page, or raise an error."""
        if self.requests >= 150:
            raise BudgetSpent("pages")
        page, _ = await super().search(query, number, request)
        return page, 1

    async def read(self, hit: Hit) -> tuple[Document, int]:
        """Return a document at no cost."""
        document = self.box.document(hit.key)
        assert document is not None
        return document, 0


@settings(max_examples=40)
@given(
    st.lists(st.sets(st.sampled_from("abcdef"), min_size=1), min_size=1, max_size=30),
    st.lists(st.lists(st.sampled_from("abcdefz"), max_size=3), min_size=1, max_size=3),
    st.data(),
)
def test_a_sample_says_who_holds_a_term(
    texts: list[set[str]], groups: list[list[str]], data: st.DataObject
) -> None:
    """A sample finds the documents of each group of terms, whatever its size when asked."""
    sample = Sample()
    for number, text in enumerate(texts):
        sample.add(str(number), sorted(text))
        before = data.draw(st.integers(0, len(sample)))
        wanted = [[any(term in t for term in group) for t in texts[:before]] for group in groups]
        assert sample.holding(groups, before).tolist() == wanted
    some = np.arange(0, len(texts), 3, dtype=np.int32)
    wanted = [[any(term in texts[n] for term in group) for n in some] for group in groups]
    assert sample.among(some, groups).tolist() == wanted
    often = dict(zip(sample.terms, sample.frequencies(), strict=True))
    assert often == {term: sum(term in text for text in texts) for term in often}


class Watched(Forms):
    """Forms that record what was believed when a query was answered."""

    def __init__(self, told: str = "") -> None:
        self.beliefs: list[tuple[str, str]] = []
        super().__init__(told)

    def see(self, query: Query, number: int, page: Page) -> None:
        """Record the belief, then process the page."""
        if number == 1:
            self.beliefs.append((query.required[0], self.name))
        super().see(query, number, page)


ABLE = Capabilities(limit=100, page_size=50, counts="exact", conjunction=False)


def harvest(source: Searcher, forms: Forms, seed: int = 0) -> MemoryStore:
    """Spend 150 pages with the adaptive planner."""
    planner = Adaptive(ABLE, np.random.default_rng(seed), forms=forms)
    return run(planner, source)[0]


@cache
def learnt(
    rule: str, ranking: Ranking = "static", accents: bool = False, share: int = 2
) -> tuple[Watched, MemoryStore]:
    """Return what a harvest of this source learnt about forms, and its store."""
    forms = Watched()
    return forms, harvest(box(rule, ranking, accents, share=share), forms)


def run(planner: Policy, source: Searcher) -> tuple[MemoryStore, Ledger]:
    """Spend 150 pages with a planner."""
    store, ledger = MemoryStore(), Ledger(size=len(source))
    conclude = getattr(planner, "conclude", lambda is_over: None)
    asyncio.run(
        Engine(planner, Paid(source), store, ledger, callbacks=Callbacks(conclude=conclude)).run()
    )
    return store, ledger


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "ranking", "accents"),
    [
        ("plural@index", "static", False),
        ("fold+english", "bm25", True),
        ("english", "static", False),
        ("fold", "static", True),
    ],
)
def test_the_rule_of_a_source_is_found(rule: str, ranking: Ranking, accents: bool) -> None:
    """Answers to ordinary queries show which rule a source has."""
    forms, _ = learnt(rule, ranking, accents)
    assert forms.name == rule.removesuffix("@index")


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "ranking"), [("english", "bm25"), ("plural", "static")])
def test_the_rule_of_a_large_source_is_found(rule: str, ranking: Ranking) -> None:
    """On the complete corpus, rules that differ in only a few words are distinguished."""
    forms, _ = learnt(rule, ranking, share=1)
    assert forms.name == rule


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "accents"), [("english", False), ("fold", True)])
def test_no_two_forms_are_asked_once_it_is_noticed(rule: str, accents: bool) -> None:
    """Once the rule is known, no word is sent if another form of it was sent before."""
    forms, _ = learnt(rule, accents=accents)
    noticed = [name for _, name in forms.beliefs].index(rule)
    asked = [word for word, _ in forms.beliefs]
    of = Rule(rule).key
    before, after = {of(word) for word in asked[:noticed]}, [of(word) for word in asked[noticed:]]
    odd = forms.odd
    free = [word for word, key in zip(asked[noticed:], after, strict=True) if key in before]
    assert set(free) <= odd
    assert len(after) > 30
    assert len(set(after)) >= len(after) - len(odd)


@pytest.mark.slow
def test_words_are_taken_as_written_where_the_source_does() -> None:
    """If the source neither folds nor stems, no rule is believed, and forms are sent separately."""
    forms = Watched()
    harvest(box("", accents=True), forms)
    assert (forms.name, forms.changes) == ("", 0)
    asked = [word for word, _ in forms.beliefs]
    assert len(set(Rule("fold+english").keys(asked))) < len(asked) - 5


@pytest.mark.slow
def test_a_rule_that_is_told_wrongly_is_given_up() -> None:
    """A wrong claim that a source stems is discovered, and words are used as written again."""
    forms = Watched("english")
    harvest(box(""), forms)
    assert forms.name == ""
    assert [name for _, name in forms.beliefs].count("english") < 30


@pytest.mark.slow
def test_telling_the_rule_saves_noticing_it() -> None:
    """A rule that is given and true is believed from the first query to the last."""
    forms = Watched("english")
    harvest(box("english"), forms)
    assert {name for _, name in forms.beliefs} == {"english"}


@pytest.mark.slow
def test_the_same_harvest_asks_the_same() -> None:
    """What is learnt about forms depends only on the answers."""
    first, second = (
        [event for event in store.events() if isinstance(event, PageReceived)]
        for store in (learnt("english")[1], harvest(box("english"), Forms()))
    )
    assert [event.query for event in first] == [event.query for event in second]


@pytest.mark.slow
def test_the_certificate_says_which_rule_a_source_has() -> None:
    """What the default strategy found out about forms is in the certificate at the end."""
    planner = Measured(Auto(ABLE, np.random.default_rng(0)), Aims(estimate=False), _rng())
    _, ledger = run(planner, box("english"))
    assert certificate_of(ledger).forms == "english"


def _rng() -> np.random.Generator:
    return np.random.default_rng(1)


@pytest.mark.slow
def test_cells_treat_forms_alike() -> None:
    """Once a source is known to stem, no query of a partition has two forms of one word."""
    able = Capabilities(limit=100, page_size=50, counts="exact", negation=True)
    forms = Watched()
    store, ledger = run(Partition(able, _rng(), forms=forms), box("english", boolean=True))
    assert ledger.documents > 0.97 * len(documents())
    queries = [e.query for e in store.events() if isinstance(e, PageReceived) and e.number == 1]
    noticed = [name for _, name in forms.beliefs].index("english")
    before = {term for query in queries[:noticed] for term in (*query.required, *query.excluded)}
    assert len(queries) > noticed + 20
    for query in queries[noticed:]:
        terms = [t for t in (*query.required, *query.excluded) if t not in before]
        assert len(set(Rule("english").keys(terms))) == len(terms)


@settings(max_examples=40)
@given(st.lists(st.sets(st.sampled_from(["aa", "ab", "ba", "bb", "c"])), max_size=8), st.data())
def test_labelled_documents_are_those_of_any_form(
    rows: list[set[str]], data: st.DataObject
) -> None:
    """Held documents match a word if they hold any of its forms, whichever form is asked."""
    held, labels = DocumentIndex(), {"aa": "ab", "bb": "ba"}
    before = data.draw(st.integers(0, len(rows)))
    for number, terms in enumerate(rows[:before]):
        held.add(str(number), sorted(terms))
    held = held.labelled(lambda terms: [labels.get(term, term) for term in terms])
    for number, terms in enumerate(rows[before:], before):
        held.add(str(number), sorted(terms))
    wanted, barred = (
        data.draw(st.sampled_from(["aa", "ab"])),
        data.draw(st.sampled_from(["bb", "c"])),
    )
    found = [
        number
        for number, terms in enumerate(rows)
        if wanted[0] in {term[0] for term in terms} and barred[0] not in {t[0] for t in terms}
    ]
    assert held.matching([wanted], [barred]).tolist() == found
    every = held.counts(np.arange(len(rows), dtype=np.int32))
    counts = dict(zip(held.terms, every.tolist(), strict=False))
    assert counts.get("ab", 0) == sum("a" in {term[0] for term in terms} for terms in rows)
    assert "aa" not in counts


def test_a_cell_finds_its_documents_anew_when_forms_become_one() -> None:
    """A cell of one form contains the documents of the other forms, held before and after."""
    known = SourceModel(Capabilities(), Forms())
    for number, text in enumerate(["ship sea", "ships sea", "sea"]):
        known.hold(DocumentReceived(Document(str(number), text=text)))
    side = known.universe.side("ships", holds=False, held=known.held)
    assert side.documents(known.held).tolist() == [0, 2]
    known.forms = Forms("plural")
    known.regroup()
    assert side.documents(known.held).tolist() == [2]
    known.hold(DocumentReceived(Document("3", text="ship")))
    known.hold(DocumentReceived(Document("4", text="boats")))
    assert side.documents(known.held).tolist() == [2, 4]
    known.forms = Forms()
    known.regroup()
    assert side.documents(known.held).tolist() == [0, 2, 3, 4]


def test_an_unknown_rule_is_refused() -> None:
    """An unknown rule raises an error that names the known ones."""
    with pytest.raises(UnknownNameError, match="english"):
        Forms("klingon")


def answer(forms: Forms, word: str, keys: list[str]) -> None:
    """Pass an answer with these documents to the forms."""
    forms.see(Query((word,)), 1, Page(tuple(Hit(key) for key in keys)))


def test_a_form_that_stays_away_is_a_word_of_its_own() -> None:
    """A form that queries for the other form never return is treated as a separate word."""
    forms = Forms("plural")
    for number in range(30):
        forms.hold(f"s{number}", ["ship", "ships"])
        forms.hold(f"n{number}", ["new"])
        forms.hold(f"p{number}", ["news"])
    for number in range(PAUSE):
        answer(forms, f"word{number}", [])
        answer(forms, "ship", [f"s{number}" for number in range(30)])
    answer(forms, "new", [f"n{number}" for number in range(30)])
    for number in range(PAUSE):
        answer(forms, f"other{number}", [])
    assert forms.name == "plural"
    assert len(set(forms.keys(["new", "news"]))) == 2
    assert len(set(forms.keys(["ship", "ships"]))) == 1


def test_a_form_that_brings_nothing_is_not_spoken_again() -> None:
    """If only documents are stemmed, the form that works is sent, whichever is frequent."""
    forms = Forms("plural")
    for number in range(3):
        forms.hold(f"a{number}", ["ships", "boats", "cars"])
    assert forms.spoken(["ship", "ships"], [1, 3]) == "ships"
    for word in ("ships", "boats", "cars"):
        answer(forms, word, [])
    assert forms.is_dead("ships")
    assert forms.spoken(["ship", "ships"], [1, 3]) == "ship"
    assert forms.spoken(["trains", "train"], [5, 1]) == "train"


# Counting forms together.

texts = st.lists(
    st.tuples(
        st.sets(st.sampled_from(["aa", "ab", "ac", "ba", "bb", "c"]), max_size=6),
        st.booleans(),
        st.booleans(),
    ),
    min_size=1,
    max_size=12,
)


def _first_letters(terms: object) -> list[str]:
    return [term[0] for term in terms]  # type: ignore[attr-defined]


def _seen(rows: list[tuple[set[str], bool, bool]], *, by_key: bool) -> TermStatistics:
    """Return statistics after these documents; by_key: each term as its first letter."""
    seen = TermStatistics()
    for number, (terms, again, turns) in enumerate(rows):
        found = sorted(terms)
        seen.add(str(number), list(dict.fromkeys(_first_letters(found))) if by_key else found)
        if turns:
            seen.turn_page()
        if again:
            seen.again(str(number))
    seen.turn_page()
    return seen


@settings(max_examples=40)
@given(texts)
def test_regrouping_counts_as_if_forms_had_been_one_word(
    rows: list[tuple[set[str], bool, bool]],
) -> None:
    """The counts of a word equal those of a single term in place of its forms."""
    seen, plain = _seen(rows, by_key=False), _seen(rows, by_key=True)
    seen.regroup(_first_letters)
    for letter in plain.terms:
        ours = [seen.number(term) for term in seen.terms if term[0] == letter]
        assert len(set(ours)) == 1
        for name in ("df", "pages", "densest"):
            assert getattr(seen, name)[ours[0]] == getattr(plain, name)[plain.number(letter)]
    assert seen.cell_count == plain.cell_count
    assert seen.df.sum() == plain.df.sum()


@settings(max_examples=40)
@given(texts, texts)
def test_ungrouping_gives_all_counts_back(
    rows: list[tuple[set[str], bool, bool]], more: list[tuple[set[str], bool, bool]]
) -> None:
    """After grouping and ungrouping, with documents in between, counts are as without grouping."""
    both = [*rows, *more]
    plain, seen = _seen(both, by_key=False), _seen(rows, by_key=False)
    seen.regroup(_first_letters)
    for number, (terms, again, turns) in enumerate(more, len(rows)):
        seen.add(str(number), sorted(terms))
        if turns:
            seen.turn_page()
        if again:
            seen.again(str(number))
    seen.regroup(None)
    assert seen.terms[: len(plain.terms)] == list(plain.terms)
    for name in ("df", "written"):
        assert getattr(seen, name).tolist() == getattr(plain, name).tolist()
    np.testing.assert_allclose(seen.once, plain.once, atol=1e-5)
    np.testing.assert_allclose(seen.lengths, plain.lengths, rtol=1e-5)
    assert seen.once_sum == pytest.approx(plain.once_sum, abs=1e-6)


def test_so_many_documents_are_kept_to_look_at_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of documents kept to compare with answers is bounded."""
    monkeypatch.setattr("longline.planner.observed.word_forms.MOST_KEPT", 5)
    forms = Forms()
    for number in range(9):
        forms.hold(str(number), ["deep", f"sea{number}"])
    assert len(forms._sample) == 5
