"""Planners, fed with events: what they send, in which order, and when they end."""

import asyncio
from functools import cache
from itertools import islice

import numpy as np
import pytest

from longline.engine import Engine, RunLimits
from longline.errors import InputError, UnknownNameError
from longline.events import DocumentReceived, PageFailed, PageReceived
from longline.ledger import Ledger, certificate_of
from longline.model import Document, Finish, Hit, Page, Query, Request, Search, Total
from longline.planner.capabilities import Capabilities
from longline.planner.published.sample_and_cover import SampledCover, Selection
from longline.planner.published.word_lists import IDLE_QUERIES, RandomDictionary
from longline.planner.strategies import STRATEGIES, Options, make_planner
from longline.ports import Policy
from longline.simulate import MemoryClient, Searcher
from longline.store import MemoryStore

MORE = Request("http://x.org/?page=2")
FEW = 20
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def word(number: int) -> str:
    """Return a word of letters only."""
    return "w" + LETTERS[number // 26 % 26] + LETTERS[number % 26]


def corpus(documents: int = 300, terms: int = 500) -> list[Document]:
    """Return documents of 12 terms each, drawn by Zipf's law."""
    rng = np.random.default_rng(1)
    shares = 1 / np.arange(1, terms + 1)
    shares /= shares.sum()
    return [
        Document(f"d{n}", text=" ".join(word(t) for t in rng.choice(terms, 12, p=shares)))
        for n in range(documents)
    ]


CORPUS = corpus()


def harvest(
    planner: Policy, max_queries: int | None = None, **source: object
) -> tuple[Ledger, list[Query]]:
    """Harvest the corpus in memory with a planner; return the ledger and the queries in order."""
    box = Searcher(CORPUS, **{"limit": 40, "page_size": 10, **source})  # type: ignore[arg-type]
    ledger, store = Ledger(size=len(CORPUS)), MemoryStore()
    limits = RunLimits(max_queries=max_queries)
    asyncio.run(Engine(planner, MemoryClient(box), store, ledger, limits).run())
    asked = [event.query for event in store.events() if isinstance(event, PageReceived)]
    return ledger, list(dict.fromkeys(asked))


def planner(name: str, seed: int = 0, **options: object) -> Policy:
    """Return a planner that knows two words to start with, and the source's abilities."""
    able = Capabilities(limit=40, page_size=10, negation=True, disjunction=True)
    defaults = {"sample": 60, "words": (word(0), word(5)), "abilities": able}
    return make_planner(
        name,
        Options(**{**defaults, **options}),  # type: ignore[arg-type]
        np.random.default_rng(seed),
    )


def knowing(name: str, seed: int) -> Policy:
    """Return a planner that knows more words."""
    return planner(name, seed, words=tuple(word(n) for n in range(0, 500, 7)))


@cache
def whole(name: str) -> tuple[Ledger, list[Query]]:
    """Return the harvest of this planner, which several tests use."""
    return harvest(knowing(name, 4))


def tell_page(policy: Policy, search: Search | Finish, keys: str, *, more: bool = False) -> None:
    """Pass a page with these keys to a planner."""
    assert isinstance(search, Search)
    page = Page(tuple(Hit(key) for key in keys), Total(99), MORE if more else None)
    policy.tell(PageReceived(search.query, search.number, page))


def test_query_is_followed_to_its_last_page() -> None:
    """As long as there is a next page it is requested; then another query follows."""
    policy = RandomDictionary(["one", "two"], np.random.default_rng(0))
    first = policy.next()
    assert isinstance(first, Search)
    tell_page(policy, first, "ab", more=True)
    second = policy.next()
    assert second == Search(first.query, 2)
    tell_page(policy, second, "cd")
    third = policy.next()
    assert isinstance(third, Search)
    assert (third.number, third.query != first.query) == (1, True)


@pytest.mark.parametrize("keys", ["", "ab"])
def test_page_that_is_empty_or_repeated_ends_its_query(keys: str) -> None:
    """A source that announces pages for ever is not followed for ever."""
    policy = RandomDictionary(["one", "two"], np.random.default_rng(0))
    first = policy.next()
    tell_page(policy, first, "ab", more=True)
    tell_page(policy, policy.next(), keys, more=True)
    following = policy.next()
    assert isinstance(following, Search)
    assert following.number == 1


def test_failed_page_ends_its_query() -> None:
    """After a failure the planner continues with another query."""
    policy = RandomDictionary(["one", "two"], np.random.default_rng(0))
    first = policy.next()
    assert isinstance(first, Search)
    policy.tell(PageFailed(first.query, 1, "status 500"))
    following = policy.next()
    assert isinstance(following, Search)
    assert following.query != first.query


def test_random_dictionary_sends_every_word_once() -> None:
    """Every word is sent once, even if the dictionary repeats it; then the planner ends."""
    policy = RandomDictionary(["b", "a", "c", "a"], np.random.default_rng(0))
    asked = []
    while isinstance(search := policy.next(), Search):
        asked.append(search.query.required[0])
        tell_page(policy, search, "")
    assert sorted(asked) == ["a", "b", "c"]
    assert "every word" in search.reason


def test_random_dictionary_ends_when_nothing_new_comes() -> None:
    """Many consecutive queries without a new document end it, with that reason."""
    words = [f"{word(n)}{word(n // 676)}" for n in range(3 * IDLE_QUERIES)]
    policy = RandomDictionary(words, np.random.default_rng(0))
    asked = 0
    while isinstance(search := policy.next(), Search):
        asked += 1
        tell_page(policy, search, "a")
    assert asked == IDLE_QUERIES + 1
    assert "nothing new" in search.reason


def test_sample_is_built_by_first_pages_alone() -> None:
    """Until the sample is complete, each query gives one page, even if there are more."""
    policy = SampledCover(Selection(sample=50), np.random.default_rng(0), words=("one",))
    documents = iter(CORPUS)
    asked = []
    for _ in range(5):
        search = policy.next()
        assert isinstance(search, Search)
        asked.append(search)
        some = list(islice(documents, 10))
        page = Page(tuple(Hit(document.key) for document in some), next=MORE)
        policy.tell(PageReceived(search.query, search.number, page))
        for document in some:
            policy.tell(DocumentReceived(document))
    assert [search.number for search in asked] == [1] * 5
    assert asked[0].query == Query(("one",))
    terms = {term for document in CORPUS[:50] for term in document.text.split()}
    assert all(search.query.required[0] in terms for search in asked[1:])


@pytest.mark.parametrize("name", ["greedy", "ids", "ts-ids", "genetic"])
def test_one_round_without_limit_covers_the_sample(name: str) -> None:
    """If nothing is cut, all that the queries match is held, and much more than the sample."""
    policy = planner(name, rounds=1)
    ledger, queries = harvest(policy, limit=None, page_size=1000)
    matched = {
        document.key
        for document in CORPUS
        for query in queries
        if query.required[0] in document.text.split()
    }
    assert ledger.documents == len(matched) >= 60
    assert ledger.hit_rate is not None
    assert ledger.hit_rate > 0.5


@pytest.mark.parametrize(
    "name",
    [
        *sorted(STRATEGIES.keys() - {"list", "ntoulas-generic", "nearest"}),
        pytest.param("nearest", marks=pytest.mark.slow),
    ],
)
def test_same_seed_asks_the_same(name: str) -> None:
    """The same seed gives the same queries, and another seed gives others."""
    first = whole(name)[1]
    assert first == harvest(knowing(name, 4))[1]
    assert first[:FEW] != harvest(knowing(name, 5), max_queries=FEW)[1]


def test_list_is_asked_in_its_order_whatever_the_seed() -> None:
    """Each query of a list is sent once; the words of a query are all required."""
    queries = [f"{word(3)} {word(0)}", word(7), word(7), word(1)]
    sent = [harvest(planner("list", seed, queries=queries))[1] for seed in (1, 2)]
    assert sent[0] == [Query((word(3), word(0))), Query((word(7),)), Query((word(1),))]
    assert sent[0] == sent[1]


def test_list_needs_queries() -> None:
    """Without queries, an error is raised at once."""
    with pytest.raises(InputError, match="no queries"):
        planner("list", queries=(" ",))


@pytest.mark.parametrize("name", sorted(STRATEGIES.keys() - {"list"}))
def test_no_page_is_asked_twice(name: str) -> None:
    """No query of the chart has more pages than the return limit allows."""
    ledger, _ = whole(name)
    assert max(row.result_pages for row in ledger.chart()) <= 4
    assert not certificate_of(ledger).cuts.get("repeated")


def test_rounds_reach_further_than_one() -> None:
    """Selecting again from the results holds more than the published single round."""
    once, _ = harvest(planner("ts-ids", rounds=1), limit=20)
    again, _ = harvest(planner("ts-ids"), limit=20)
    assert again.documents > once.documents


def test_pool_of_a_relative_size_is_smaller() -> None:
    """A random pool sends other queries than the full one."""
    _, full = harvest(planner("ts-ids", rounds=1, cost="df"))
    _, drawn = harvest(planner("ts-ids", rounds=1, cost="df", pool_relative_size=3))
    assert full != drawn


def test_source_without_documents_ends_in_order() -> None:
    """If no word returns anything, the planner ends and does not select from nothing."""
    policy = planner("ts-ids", words=("submarine", "whale"))
    for _ in range(2):
        tell_page(policy, policy.next(), "")
    assert isinstance(policy.next(), Finish)


def test_wrong_names_are_refused_at_once() -> None:
    """An unknown strategy or cost fails when the planner is made."""
    with pytest.raises(UnknownNameError, match="ts-ids"):
        planner("tsids")
    with pytest.raises(InputError, match="dff"):
        planner("ts-ids", cost="dff")
