"""Answers show which part of documents is searched, and strategies use that part."""

import asyncio

import numpy as np
import pytest
from bench.faulty.by_title import ByTitle

from longline.engine import Callbacks, Engine
from longline.events import Concluded, PageReceived
from longline.ledger import Ledger
from longline.model import Document, Hit, Page, Query, Total
from longline.planner.capabilities import Capabilities
from longline.planner.measure import Aims, Measured
from longline.planner.probe.searched_field import FieldAware, SearchedField
from longline.planner.strategies import Options, make_planner
from longline.simulate import MemoryClient, Searcher
from longline.store import MemoryStore

LETTERS = "abcdefghijklmnopqrstuvwxyz"
ABLE = Capabilities(limit=40, page_size=20, negation=True, counts="exact")
WORDS = tuple(f"w{LETTERS[n // 26]}{LETTERS[n % 26]}" for n in range(500))


def records(documents: int = 800) -> list[Document]:
    """Return documents with a title of six words, and a text with other common words."""
    rng = np.random.default_rng(1)
    shares = 1 / np.arange(3, len(WORDS) + 3)
    shares /= shares.sum()

    def words(count: int, shift: int) -> str:
        return " ".join(rng.choice(WORDS, count, p=np.roll(shares, shift)))

    return [Document(f"d{n}", title=words(6, 0), text=words(40, 250)) for n in range(documents)]


RECORDS = records()


def by_title() -> ByTitle:
    """Return a box that searches titles, and shows complete documents."""
    return ByTitle(RECORDS, limit=40, page_size=20, ranking="static")


def measured(strategy: str = "auto", *, estimate: bool = False) -> Measured:
    """Return a new strategy, always the same."""
    options = Options(abilities=ABLE, words=WORDS[:40])
    planner = make_planner(strategy, options, np.random.default_rng(0))
    aims = Aims(estimate=estimate, limit=40, page_size=20)
    return Measured(planner, aims, np.random.default_rng(1), dictionary=lambda: WORDS)


class Done:
    """A harvest in memory."""

    def __init__(
        self,
        policy: FieldAware[Measured] | Measured,
        box: Searcher,
        store: MemoryStore | None = None,
    ) -> None:
        self.store, self.ledger = store or MemoryStore(), Ledger()
        for event in self.store.events():
            self.ledger.tell(event)
        self.client = Counting(box)

        def conclude(is_over: bool) -> Concluded | None:
            if isinstance(policy, FieldAware):
                return policy.opened(policy.policy.conclude(is_over))
            return policy.conclude(is_over)

        engine = Engine(
            policy, self.client, self.store, self.ledger, callbacks=Callbacks(conclude=conclude)
        )
        stopped = asyncio.run(engine.run())
        self.reason, self.target_met = stopped.reason, stopped.target_met
        pages = [event for event in self.store.events() if isinstance(event, PageReceived)]
        self.asked = [(page.query, page.number) for page in pages]
        keys = [hit.key for page in pages[:80] for hit in page.page.hits]
        self.early = len(set(keys))


class Counting(MemoryClient):
    """A client that counts searches."""

    searches = 0

    async def search(self, *asked: object) -> tuple[Page, int]:
        """Count, and search."""
        self.searches += 1
        return await super().search(*asked)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "adaptive"])
def test_source_that_searches_titles_is_asked_by_titles(strategy: str) -> None:
    """Terms of titles return much more than terms of texts, and the reason says so."""
    box = by_title()
    scoped = Done(FieldAware(lambda: measured(strategy), SearchedField(40)), box)
    plain = Done(measured(strategy), box)
    assert "the site searches only titles: those that share no word" in scoped.reason
    assert not scoped.target_met
    assert scoped.early >= 1.15 * plain.early
    assert scoped.ledger.documents >= 0.95 * len(RECORDS)


@pytest.mark.slow
def test_source_that_searches_texts_is_asked_as_ever() -> None:
    """No query changes, and nothing is recorded."""
    box = Searcher(RECORDS, limit=40, page_size=20, ranking="static")
    policy = FieldAware(measured, SearchedField(40))
    assert Done(policy, box).asked == Done(measured(), box).asked
    assert not policy._told


def test_size_is_that_of_what_titles_reach() -> None:
    """The size is near the truth, without an upper limit: unrelated titles are not found."""
    box = by_title()
    found = Done(
        FieldAware(lambda: measured(estimate=True), SearchedField(40)), box
    ).ledger.believed()
    assert found.low is not None
    assert found.size is not None
    assert found.low <= len(RECORDS)
    assert abs(found.size - len(RECORDS)) <= 0.1 * len(RECORDS)
    assert found.high is None


def test_replay_asks_nothing_again() -> None:
    """A finished harvest, with its restart, is replayed from its journal without requests."""
    box = by_title()
    first = Done(FieldAware(measured, SearchedField(40)), box)
    again = Done(FieldAware(measured, SearchedField(40)), box, first.store)
    assert "only titles" in again.reason
    assert again.reason == first.reason
    assert again.client.searches == 0


def documents(count: int, *, text: str, begin: int = 0) -> list[Document]:
    """Return documents titled "deep"."""
    return [Document(f"{n}", title="deep", text=text) for n in range(begin, begin + count)]


def page_of(found: list[Document]) -> Page:
    """Return a complete answer."""
    return Page(tuple(Hit(each.key) for each in found), Total(len(found)))


def test_one_page_of_hits_by_their_texts_settles_it() -> None:
    """One page of hits that match only in their texts shows that texts are searched."""
    scope, found = SearchedField(None), documents(10, text="the web")
    scope.see(Query(("web",)), page_of(found), {each.key for each in found}, found)
    assert scope.part == "text"


@pytest.mark.parametrize(("queries", "part"), [(2, None), (3, "title")])
def test_three_words_of_texts_that_bring_nothing_settle_it(queries: int, part: str | None) -> None:
    """Titles are searched if hits match in titles, and three words of texts find nothing."""
    scope, found = SearchedField(40), documents(20, text="web sea shore")
    scope.see(Query(("deep",)), page_of(found), {each.key for each in found}, found)
    for word in ("web", "sea", "shore")[:queries]:
        scope.see(Query((word,)), page_of([]), set(), [])
    assert scope.part == part


def test_what_stands_beside_every_text_says_nothing() -> None:
    """Text beside the document, such as recommended titles, is no evidence."""
    scope = SearchedField(40)
    found = [
        Document(str(n), title=f"deep {n}", text=f"text {n}\nweb sea shore") for n in range(20)
    ]
    scope.see(Query(("deep",)), page_of(found), {each.key for each in found}, found)
    for word in ("web", "sea", "shore"):
        scope.see(Query((word,)), page_of([]), set(), [])
    assert scope.part is None


def test_answers_that_may_be_cut_say_nothing_of_what_stays_away() -> None:
    """If answers may be cut, missing documents are no evidence."""
    scope, found = SearchedField(20), documents(20, text="web sea shore")
    keys = {each.key for each in found}
    scope.see(Query(("deep",)), page_of(found), keys, found)
    for word in ("web", "sea", "shore"):
        more = documents(20, text=word, begin=20)
        page = Page(tuple(Hit(each.key, title=word) for each in more), Total(90))
        scope.see(Query((word,)), page, {each.key for each in more}, [])
    assert scope.part is None
