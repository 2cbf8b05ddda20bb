"""The adaptive planner: which queries it sends, what it learns, and that it always ends."""

import asyncio
from collections.abc import Sequence
from functools import cache
from random import Random

import numpy as np
import pytest
from bench.faulty.lies import EmptyPage, FaultySource, RepeatedPage, ShortWords, StopWords
from hypothesis import given, settings
from hypothesis import strategies as st

from longline.engine import Engine, RunLimits
from longline.errors import BudgetSpent
from longline.events import DocumentReceived, PageFailed, PageReceived
from longline.ledger import Ledger
from longline.model import Document, Hit, Page, Query, Request, Search, Total
from longline.planner.adaptive.gains import FEATURES, fresh
from longline.planner.adaptive.hidden_frequency import Reveal
from longline.planner.adaptive.planner import Adaptive
from longline.planner.adaptive.yield_model import Yields
from longline.planner.capabilities import Capabilities
from longline.planner.observed.recent_pages import LEAST_WINDOW
from longline.planner.observed.term_statistics import TermStatistics
from longline.planner.strategies import Options, make_planner
from longline.pool import STOP_WORDS
from longline.ports import Policy
from longline.simulate import MemoryClient, Searcher, read_corpus
from longline.simulate.search.searcher import Box
from longline.store import MemoryStore

MORE = Request("http://x.org/?page=2")
DOCUMENTS = read_corpus("docstrings")[::2]
FEW = DOCUMENTS[::2]


@cache
def box(few: bool = False, **settings: object) -> Searcher:
    """Return a simulated source with half of the embedded corpus, or a quarter."""
    return Searcher(
        FEW if few else DOCUMENTS,
        **{"limit": 100, "page_size": 50, "snippets": False, **settings},  # type: ignore[arg-type]
    )


def size() -> int:
    """Return the number of documents in that source."""
    return len(box())


class Paid(MemoryClient):
    """A client that returns no pages beyond its budget."""

    def __init__(self, source: Box, pages: float) -> None:
        super().__init__(source)
        self.pages = pages

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        """Return a page, or raise an error."""
        if self.requests >= self.pages:
            raise BudgetSpent("pages")
        return await super().search(query, number, request)


def harvest(
    policy: Policy, source: Box, pages: float = 1e9, *, listing_only: bool = False
) -> tuple[Ledger, MemoryStore]:
    """Harvest with a planner and a budget of pages; documents cost nothing."""
    ledger, store = Ledger(size=size()), MemoryStore()
    client = Paid(source, pages)
    client.read = _free(source)  # type: ignore[method-assign]
    asyncio.run(Engine(policy, client, store, ledger, RunLimits(listing_only=listing_only)).run())
    return ledger, store


def _free(source: Box):  # type: ignore[no-untyped-def]
    async def read(hit: Hit) -> tuple[Document, int]:
        document = source.document(hit.key)
        assert document is not None
        return document, 0

    return read


def planner(name: str = "adaptive", seed: int = 0, abilities: Capabilities | None = None) -> Policy:
    """Return a planner that knows the source's limit and page size."""
    abilities = abilities or Capabilities(limit=100, page_size=50, counts="exact")
    options = Options(abilities=abilities, sample=300)
    return make_planner(name, options, np.random.default_rng(seed))


def asked(store: MemoryStore) -> list[tuple[Query, int]]:
    """Return the requested pages, in order."""
    return [(e.query, e.number) for e in store.events() if isinstance(e, PageReceived)]


@pytest.mark.parametrize("ranking", ["static", "bm25"])
def test_beats_random_words_and_ts_ids(ranking: str) -> None:
    """With one and two times the minimum of pages it holds more than earlier strategies."""
    source = box(ranking=ranking)
    for factor in (1, 2):
        pages = factor * size() / 50
        ours, dictionary, sampled = (
            harvest(planner(name), source, pages)[0].documents
            for name in ("adaptive", "random-dictionary", "ts-ids")
        )
        assert ours > max(dictionary, sampled)


def test_reaches_half_with_the_fewest_pages_that_could_hold_all() -> None:
    """With as many pages as could hold the source, it holds half, with nothing known beforehand."""
    for ranking in ("static", "bm25"):
        source = box(ranking=ranking, counts="none")
        ledger, _ = harvest(planner(abilities=Capabilities()), source, size() / 50)
        assert ledger.hit_rate is not None
        assert ledger.hit_rate > 0.44


@pytest.mark.slow
def test_snippets_alone_lose_little() -> None:
    """With titles and snippets it holds nearly as much as with full texts."""
    source = box(snippets=True)
    whole, _ = harvest(planner(), source, 2 * size() / 50)
    listed, _ = harvest(planner(), source, 2 * size() / 50, listing_only=True)
    assert listed.documents > 0.9 * whole.documents


def test_reveal_learns_what_snippets_hide() -> None:
    """Rows seen before and known to match teach the hidden share, feature by feature."""
    rng = np.random.default_rng(0)
    reveal, truth = Reveal(), np.array([1.0, 0.2, 0.0, 0.5, 0.0, 0.0, 0.0])
    draws = rng.normal(0, 0.5, (300, FEATURES))
    draws[:, 0] = 1
    for x in draws:
        seen = 60
        known = rng.binomial(seen, np.exp(-max(truth @ x, 0)))
        reveal.learn(x, int(known), seen)
    for x in draws[:20]:
        assert reveal.ratio(x) == pytest.approx(max(1.0, np.exp(truth @ x)), rel=0.25)


def test_reveal_of_whole_texts_is_one() -> None:
    """If every row was known to match, nothing is assumed to be hidden."""
    reveal = Reveal()
    for x in np.random.default_rng(0).normal(0, 1, (50, FEATURES)):
        reveal.learn(x, 20, 20)
        assert reveal.ratio(x) == 1


@pytest.mark.slow
def test_same_seed_asks_the_same() -> None:
    """The same seed gives the same queries."""
    first, second, other = (asked(harvest(planner(seed=seed), box(), 60)[1]) for seed in (3, 3, 4))
    assert first == second != other


@pytest.mark.slow
def test_no_page_is_asked_twice() -> None:
    """No page of a query is requested twice."""
    pages = asked(harvest(planner(), box(), 150)[1])
    assert len(pages) == len(set(pages)) == 150


@pytest.mark.slow
def test_goes_on_after_a_break_as_if_there_was_none() -> None:
    """A new planner that replays the journal requests the rest in the same order."""
    through = asked(harvest(planner(), box(), 100)[1])
    ledger, store = harvest(planner(), box(), 40)
    client = Paid(box(), 60)
    client.read = _free(box())  # type: ignore[method-assign]
    asyncio.run(Engine(planner(), client, store, ledger).run())
    assert asked(store) == through


@pytest.mark.slow
def test_ends_when_little_comes() -> None:
    """It ends by itself, gives the reason, and then holds nearly everything."""
    ledger, store = harvest(planner(), box(ranking="bm25"))
    assert ledger.stopped.target_met
    assert "brought" in ledger.stopped.reason or "every term" in ledger.stopped.reason
    assert ledger.hit_rate is not None
    assert ledger.hit_rate > 0.95
    assert len(asked(store)) < 12 * size() / 50


class Shuffled(Searcher):
    """A source with a random ranking, a new one for every page."""

    def search(self, query: Query, number: int = 1) -> Page:
        """Return the page's rows in random order, with its total."""
        page = super().search(query, number)
        rng = np.random.default_rng(abs(hash((query, number))) % 2**32)
        rows = [page.hits[place] for place in rng.permutation(len(page.hits))]
        return Page(tuple(rows), page.total, page.next)


class Reordered(Searcher):
    """A source without totals that shows random rows of an answer on every page, without end."""

    calls = 0

    def search(self, query: Query, number: int = 1) -> Page:
        """Return rows drawn from the complete answer, different ones each time."""
        self.calls += 1
        every = self.numbers(query).tolist()
        drawn = Random(self.calls).sample(every, min(20, len(every)))
        return Page(tuple(Hit(self.documents[each].key) for each in drawn), next=MORE)


class Miscounting(Searcher):
    """A source whose totals are ten times too high or too low."""

    def search(self, query: Query, number: int = 1) -> Page:
        """Return a page with a wrong total."""
        page = super().search(query, number)
        assert page.total is not None
        wrong = page.total.documents * 10 if len(str(query)) % 2 else page.total.documents // 10
        return Page(page.hits, Total(wrong), page.next)


class Endless(Searcher):
    """A source that always announces a next page, with rows shown before."""

    def search(self, query: Query, number: int = 1) -> Page:
        """Return ten rows, different ones on each page."""
        first = number * 7 % 900
        hits = tuple(Hit(d.key) for d in self.documents[first : first + 10])
        return Page(hits, Total(10**6, "about"), MORE)


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        FaultySource(Searcher(FEW, snippets=False), EmptyPage(number=1)),
        FaultySource(Searcher(FEW, snippets=False), EmptyPage(number=2)),
        FaultySource(Searcher(FEW, snippets=False), RepeatedPage()),
        Shuffled(FEW, snippets=False),
        Miscounting(FEW, snippets=False),
        Endless(FEW, snippets=False),
    ],
    ids=[
        "empty",
        "empty second page",
        "repeated",
        "shuffled",
        "miscounting",
        "endless",
    ],
)
def test_survives_sources_that_lie(source: Box) -> None:
    """Harvests end despite empty, repeated, shuffled and endless answers and wrong totals."""
    assert pages_of(source, Capabilities()) < 5000


@pytest.mark.slow
def test_survives_more_rows_than_the_limit_that_it_was_told() -> None:
    """An endless answer in changing order may have more new rows than the given limit."""
    source = Reordered(FEW, snippets=False)
    assert pages_of(source, Capabilities(limit=20)) < 5000


def pages_of(source: Box, abilities: Capabilities) -> int:
    """Return the pages that `adaptive` needs to harvest a source, at most 5000."""
    policy = planner(abilities=abilities)
    pages = 0
    while isinstance(search := policy.next(), Search) and pages < 5000:
        page = source.search(search.query, search.number)
        policy.tell(PageReceived(search.query, search.number, page))
        for hit in page.hits:
            document = source.document(hit.key)
            assert document is not None
            policy.tell(DocumentReceived(document, requests=0))
        pages += 1
    return pages


def test_wrong_counts_are_noticed() -> None:
    """Totals wrong by a factor of ten cost next to nothing, compared with no totals."""
    pages = 2 * size() / 50
    silent, _ = harvest(planner(), box(ranking="bm25", counts="none"), pages)
    misled, _ = harvest(planner(), Miscounting(DOCUMENTS, snippets=False, page_size=50), pages)
    assert misled.documents > 0.95 * silent.documents


def test_failed_page_is_no_answer() -> None:
    """After a failed page it continues with another query, and learns nothing from the failure."""
    policy = Adaptive(Capabilities(), np.random.default_rng(0), words=["one", "two"])
    first = policy.next()
    assert isinstance(first, Search)
    policy.tell(PageFailed(first.query, 1, "status 500"))
    second = policy.next()
    assert isinstance(second, Search)
    assert second.query != first.query


def test_pages_that_bring_nothing_end_it() -> None:
    """A window of pages without new documents ends the harvest although terms are left."""
    words = [f"w{letter}{other}" for letter in "abcdefgh" for other in "abcdefghijklmnopqrst"]
    policy = Adaptive(Capabilities(limit=10), np.random.default_rng(0), words=["one"])
    document = Document("d", text=" ".join(words))
    asked_pages = 0
    while isinstance(search := policy.next(), Search):
        asked_pages += 1
        policy.tell(PageReceived(search.query, search.number, Page((Hit("d"),))))
        if asked_pages == 1:
            policy.tell(DocumentReceived(document))
    assert asked_pages == LEAST_WINDOW + 1
    assert search.reason == f"the last {LEAST_WINDOW} pages brought no new document"


def test_small_source_is_soon_left() -> None:
    """A source that fits on a dozen pages is not followed by a hundred useless pages."""
    documents = read_corpus("docstrings")[:60]
    small = Searcher(documents, limit=100, page_size=50, snippets=False)
    ledger, _ = harvest(planner(), small, 500)
    assert ledger.documents == 60
    assert ledger.result_pages <= 60


def test_seen_documents_agree_with_a_slow_count() -> None:
    """Counts that are updated step by step equal counts over all documents."""
    rng = np.random.default_rng(0)
    seen, texts, times = TermStatistics(), {}, {}
    for number in range(300):
        terms = [f"t{t}" for t in np.flatnonzero(rng.random(40) < 0.2)]
        key = f"d{number}"
        texts[key], times[key] = terms, int(rng.integers(1, 4))
        seen.add(key, list(terms))
        for _ in range(times[key] - 1):
            seen.again(key)
        seen.turn_page()
    for number, term in enumerate(seen.terms):
        holders = [key for key, terms in texts.items() if term in terms]
        assert seen.df[number] == seen.pages[number] == len(holders)
        once = sum(len(texts[key]) ** -0.5 for key in holders if times[key] == 1)
        assert seen.once[number] == pytest.approx(once, abs=1e-4)
    assert seen.once_sum == pytest.approx(float(seen.once.sum()), rel=1e-4)


def seen_by_chance(chances: Sequence[float]) -> TermStatistics:
    """Return 200 seen documents, each from its own page, that hold each term by chance."""
    rng, seen = np.random.default_rng(0), TermStatistics()
    for number in range(200):
        terms = [f"t{t}" for t, chance in enumerate(chances) if rng.random() < chance]
        seen.add(f"d{number}", terms)
        seen.turn_page()
    return seen


def test_regression_finds_what_terms_bring() -> None:
    """The prediction approaches the truth from answers only, including cut ones."""
    seen, yields = seen_by_chance([0.05 + t / 40 for t in range(30)]), Yields()
    for _ in range(5):
        for term in range(len(seen.terms)):
            forecast = yields.foresee(seen, term)
            unseen = 3.0 * forecast.df
            if unseen > 300:
                yields.learn_at_least(forecast, 300.0)
            else:
                yields.learn(forecast, unseen)
    for term in range(len(seen.terms)):
        forecast = yields.foresee(seen, term)
        if 3 * forecast.df <= 300:
            assert np.exp(forecast.mean) == pytest.approx(3 * forecast.df, rel=0.15)
        else:
            assert np.exp(forecast.mean) > 240


def _holds(documents: int) -> TermStatistics:
    """Return seen documents; half of them hold "sea"."""
    seen = TermStatistics()
    for number in range(documents):
        seen.add(f"d{number}", ["sea", "web"] if number % 2 else ["web"])
        seen.turn_page()
    return seen


def test_outlier_teaches_little() -> None:
    """One term without unseen documents hardly changes the forecasts of all others."""
    seen, yields = _holds(60), Yields()
    forecast = yields.foresee(seen, seen.number("sea"))
    for _ in range(20):
        yields.learn(forecast, 90.0)
    before = yields.foresee(seen, seen.number("sea"))
    yields.learn(before, 0.0)
    after = yields.foresee(seen, seen.number("sea"))
    assert before.mean - 0.2 < after.mean < before.mean


def test_promises_shrink_as_more_is_seen() -> None:
    """The same share of four times the documents forecasts as many unseen ones, not four times."""
    few, many, yields = _holds(60), _holds(240), Yields()
    promised = [yields.foresee(seen, seen.number("sea")) for seen in (few, many)]
    means_of_u = [np.exp(forecast.mean + forecast.noise / 2) for forecast in promised]
    assert means_of_u[1] == pytest.approx(means_of_u[0], rel=0.1)


def new_of(yields: Yields, df: float, total: float, limit: float, documents: float) -> float:
    """Return the expected new documents of a query for a term that `total` documents contain."""
    return float(fresh(df, total - df, limit, documents, yields.odds))


def test_cut_answers_tell_rankings_apart() -> None:
    """If seen documents are ranked first, less is expected of large answers, else their share."""
    static, random = Yields(), Yields()
    for _ in range(30):
        static.learn_overflow(40.0, 360.0, 100.0, 1000.0, new=60)
        random.learn_overflow(40.0, 360.0, 100.0, 1000.0, new=90)
    assert new_of(static, 40.0, 400.0, 100.0, 1000.0) == pytest.approx(60, abs=5)
    assert new_of(random, 40.0, 400.0, 100.0, 1000.0) == pytest.approx(90, abs=3)
    far = 80.0, 1600.0, 100.0, 1000.0
    assert new_of(static, *far) < new_of(random, *far) - 10


def test_terms_of_all_documents_say_nothing_of_rarer_ones() -> None:
    """An answer with the rows of another is no evidence that cut answers show seen documents."""
    yields = Yields()
    before = new_of(yields, 20.0, 200.0, 100.0, 300.0), new_of(yields, 290.0, 5500.0, 100.0, 300.0)
    for _ in range(3):
        yields.learn_overflow(290.0, 5260.0, 100.0, 300.0, new=4)
    after = new_of(yields, 20.0, 200.0, 100.0, 300.0), new_of(yields, 290.0, 5500.0, 100.0, 300.0)
    assert before[0] - 5 < after[0] <= before[0]
    assert after[1] < 15 < 90 < before[1]


@settings(max_examples=100)
@given(
    df=st.integers(1, 5000),
    unseen=st.floats(0.01, 5000.0),
    limit=st.integers(1, 1000),
    level=st.floats(-1.0, 1.0),
    slope=st.floats(-1.0, 1.0),
)
def test_new_documents_stay_within_what_there_is(
    df: int, unseen: float, limit: int, level: float, slope: float
) -> None:
    """An answer has at most as many new documents as match or fit on its pages."""
    odds = np.array([level, slope, slope, -slope, 0.0, 0.0, 0.0])
    new = fresh(float(df), unseen, float(limit), 2.0 * df, odds)
    assert max(0, min(limit - df, unseen)) - 1e-9 <= new <= min(unseen, limit) + 1e-9


def test_large_answers_are_asked_for_while_the_order_is_unknown() -> None:
    """Unknown order is treated with optimism: less is expected once cut answers are learnt."""
    unknown, known = Yields(), Yields()
    for _ in range(30):  # new documents in proportion to their share, 80 of 100
        known.learn_overflow(1000.0, 4000.0, 100.0, 5000.0, new=80)
    assert new_of(known, 1000.0, 5000.0, 100.0, 5000.0) == pytest.approx(80, abs=5)
    assert new_of(unknown, 1000.0, 5000.0, 100.0, 5000.0) > new_of(
        known, 1000.0, 5000.0, 100.0, 5000.0
    )


def test_terms_of_few_documents_are_less_sure() -> None:
    """The fewer documents hold a term, the less certain is its forecast."""
    seen, yields = TermStatistics(), Yields()
    for number in range(64):
        seen.add(f"d{number}", [f"t{t}" for t in range(7) if number % 2**t == 0])
        seen.turn_page()
    forecasts = [yields.foresee(seen, seen.number(f"t{t}")) for t in range(7)]
    noises = [forecast.noise for forecast in forecasts]
    assert noises == sorted(noises)
    assert noises[0] < 0.2 < noises[-1]


def test_cut_answer_without_a_count_tells_its_size() -> None:
    """If 10 of 30 seen documents are among 100 rows, many more match than the rows show."""
    seen, few, many = _holds(60), Yields(), Yields()
    forecast = few.foresee(seen, seen.number("sea"))
    for _ in range(10):
        few.learn_from_rows(forecast, 30.0, 100.0, new=70)
        many.learn_from_rows(forecast, 30.0, 100.0, new=95)
    later = [y.foresee(seen, seen.number("sea")).mean for y in (few, many)]
    assert later[0] < later[1] - 0.5


def test_every_query_is_one_term() -> None:
    """Queries have one term, also if most answers are cut at a small limit."""
    abilities = Capabilities(limit=10, page_size=10)
    _, store = harvest(planner(abilities=abilities), box(few=True, limit=10, page_size=10), 200)
    assert {len(query.required) for query, _ in asked(store)} == {1}


@pytest.mark.parametrize("counts", ["none", "exact"])
def test_a_word_of_most_documents_is_read_to_its_end_where_no_answer_is_cut(counts: str) -> None:
    """If nearly all texts hold one word, that word returns them all, each once."""
    texts = [f"the {word} of {number}" for number, word in enumerate(["sea", "web", "reef"] * 300)]
    documents = [Document(str(n), text=text) for n, text in enumerate(texts)]
    source = Searcher(documents, limit=None, page_size=20, counts=counts, boolean=False)
    able = Capabilities(page_size=20, counts=counts)
    words = Adaptive(able, np.random.default_rng(0), words=["sea"])
    ledger, _ = harvest(words, source)
    assert ledger.documents == len(documents)
    assert ledger.overlapping_rate < 1.5
    asked = [row.query for row in ledger.chart()]
    assert "the" in asked[:3] or "of" in asked[:3]


def titles(count: int) -> list[Document]:
    """Return titles that share only stop words, each stop word in few titles."""
    rng, stops = np.random.default_rng(0), sorted(STOP_WORDS)[:15]
    drawn = [rng.choice(stops, 3, replace=False) for _ in range(count)]
    return [
        Document(str(n), text=f"first{n} {' '.join(each)} last{n}") for n, each in enumerate(drawn)
    ]


def test_stop_words_lead_to_titles_that_share_no_other_word() -> None:
    """If few documents hold a stop word, as in titles, it is queried like any other word."""
    documents = titles(300)
    words = Adaptive(Capabilities(), np.random.default_rng(0), words=["first7"])
    ledger, _ = harvest(words, Searcher(documents, limit=100, page_size=20, boolean=False))
    assert ledger.documents > 0.97 * len(documents)


def test_where_one_stop_word_is_passed_over_no_other_is_asked_for() -> None:
    """A source that ignores stop words costs one page."""
    documents = [
        Document(each.key, text=f"{each.text} sea{int(each.key) % 9}") for each in titles(300)
    ]
    source = FaultySource(
        Searcher(documents, limit=100, page_size=20, boolean=False), StopWords(STOP_WORDS)
    )
    words = Adaptive(Capabilities(), np.random.default_rng(0), words=["sea0"])
    ledger, _ = harvest(words, source, pages=60)
    assert sum(row.query in STOP_WORDS for row in ledger.chart()) == 1


def test_a_common_word_that_is_cut_is_left_after_a_page() -> None:
    """If its total is above the return limit, a word shows no more than other words do."""
    documents = [Document(str(n), text=f"the sea of {n % 40} web") for n in range(400)]
    source = Searcher(documents, limit=40, page_size=20, boolean=False)
    able = Capabilities(limit=40, page_size=20, counts="exact")
    words = Adaptive(able, np.random.default_rng(0), words=["sea"])
    ledger, _ = harvest(words, source, pages=6)
    pages = {row.query: row.result_pages for row in ledger.chart()}
    tried = {word: pages[word] for word in ("the", "of") if word in pages}
    assert tried
    assert set(tried.values()) == {1}


def test_a_word_is_read_past_what_is_held_if_its_total_is_larger() -> None:
    """A list of the newest documents and a common word begin with the same rows."""
    documents = [Document(str(n), text=f"the sea{n} of web{n % 97}") for n in range(600)]
    source = Searcher(documents, limit=None, page_size=15, counts="exact", boolean=False)
    able = Capabilities(page_size=15, counts="exact")
    _, newest = harvest(Adaptive(able, np.random.default_rng(0), words=["the"]), source, pages=4)
    words = Adaptive(able, np.random.default_rng(0), words=["of"])
    words.go_on([DocumentReceived(each) for each in newest.documents()])
    ledger, _ = harvest(words, source)
    assert ledger.documents == len(documents)
    assert ledger.result_pages < 1.5 * len(documents) / 15


@pytest.mark.parametrize("seed", [0, 1, 4])
def test_answers_that_are_left_early_tell_how_rows_are_ordered(seed: int) -> None:
    """If all common words show the same first documents, it switches to rare words in time."""
    rng = Random(seed)
    common = [f"common{a}{b}" for a in "abcde" for b in "stuvwxyz"]
    documents = [
        Document(
            str(n),
            text=" ".join(
                [w for w in common if rng.random() < 0.8]
                + [f"rare{chr(97 + n // 5 % 26)}{chr(97 + n // 130)}"]
            ),
        )
        for n in range(300)
    ]
    source = Searcher(documents, limit=100, page_size=10, boolean=False, seed=seed)
    abilities = Capabilities(limit=100, page_size=10, counts="exact", max_terms=1)
    policy = Adaptive(abilities, np.random.default_rng(seed), words=common[:1])
    ledger, _ = harvest(policy, source)
    assert ledger.documents_seen > 220


def test_words_that_are_too_short_for_the_source_are_not_sent() -> None:
    """After a few short words without hits, no more are sent, and almost as much is held."""
    source = FaultySource(box(few=True), ShortWords(5))
    _, store = harvest(planner(), source)
    sent = [query.required[0] for query, number in asked(store) if number == 1]
    short = [place for place, word in enumerate(sent) if len(word) < 5]
    assert 3 <= len(short) <= 15
    assert max(short) < len(sent) / 2
    assert len(list(store.documents())) >= 0.9 * len(FEW)


class Labelled(Searcher):
    """A source whose documents show labels around their texts, which it does not search."""

    def document(self, key: str) -> Document | None:
        """Return a document as its page shows it."""
        found = super().document(key)
        text = "" if found is None else f"Category Place Accession Number {found.text}"
        return found and Document(key, title=found.title, text=text)


def test_labels_on_every_page_are_not_taken_for_common_words() -> None:
    """They find few documents; the texts' own common word finds most, and is read to its end."""
    source = Labelled(DOCUMENTS, limit=None, page_size=20, counts="exact", boolean=False)
    able = Capabilities(page_size=20, counts="exact")
    ledger, _ = harvest(Adaptive(able, np.random.default_rng(0)), source, pages=150)
    assert max(row.result_pages for row in ledger.chart()[:15]) > len(DOCUMENTS) / 2 / 20
