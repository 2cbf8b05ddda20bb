"""Test the main loop on sources in memory that answer, fail and break off."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest

from longline.engine import QUERIES_WITHOUT_A_HIT, Callbacks, Engine, RunLimits
from longline.errors import (
    BudgetSpent,
    PageError,
    PrivateAddressError,
    RefusedError,
    RobotsError,
    SourceError,
    StorageError,
    UnreachableError,
)
from longline.events import (
    AnyEvent,
    DocumentFailed,
    DocumentReceived,
    PageFailed,
    PageReceived,
    RequestFailed,
    ResponseReceived,
)
from longline.ledger import Allowed, Budget, Ledger, certificate_of
from longline.model import Document, Finish, Hit, Page, Query, Request, Response, Search
from longline.planner.strategies import Options, make_planner
from longline.ports import Policy, SourceClient
from longline.simulate import Searcher
from longline.simulate.search.memory import MemoryClient
from longline.store import MemoryStore


def word(kind: str, number: int) -> str:
    """Make a word that has only letters, e.g. "rarebc" for 28."""
    return f"{kind}{chr(97 + number // 26)}{chr(97 + number % 26)}"


TEXTS = [
    f"{word('common', n % 7)} {word('rare', n)} {word('middle', n % 40)} deep web"
    for n in range(200)
]
DOCUMENTS = [Document(str(n), f"http://x.org/{n}", f"Title {n}", t) for n, t in enumerate(TEXTS)]


@dataclass
class Script:
    """A policy that runs a list of searches and records the events it receives."""

    searches: list[Search | Request]
    told: list[AnyEvent] = field(default_factory=list)

    def next(self) -> Search | Request | Finish:
        return self.searches.pop(0) if self.searches else Finish("script done")

    def tell(self, event: AnyEvent) -> None:
        self.told.append(event)


@dataclass
class Flaky:
    """A client that calls `trouble`, which may raise, before it passes each call on."""

    client: SourceClient
    trouble: Callable[[str], None]
    asked: list[str] = field(default_factory=list)
    is_proven: bool = True

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        self._before(f"{query} {number}")
        return await self.client.search(query, number, request)

    async def read(self, hit: Hit) -> tuple[Document, int]:
        self._before(hit.key)
        return await self.client.read(hit)

    async def check(self, *, documents: bool = False) -> bool:
        return await self.client.check(documents=documents)

    async def fetch(self, request: Request) -> Response:
        self._before(request.url)
        return Response(url=request.url, status=200)

    def _before(self, what: str) -> None:
        self.trouble(what)
        self.asked.append(what)

    async def close(self) -> None: ...


def client(**options: object) -> MemoryClient:
    """Make a source of 200 documents that shows 20 per query, on pages of 10."""
    return MemoryClient(Searcher(DOCUMENTS, limit=20, page_size=10, **options))  # type: ignore[arg-type]


def searches(*words: str) -> list[Search]:
    """Make a search for the first page of each word."""
    return [Search(Query((word,))) for word in words]


def fail(error: Exception, *times: str) -> Callable[[str], None]:
    """Raise an error whenever one of these is requested."""

    def trouble(what: str) -> None:
        if what in times:
            raise error

    return trouble


def run(engine: Engine) -> str:
    """Run an engine to its end and return why it stopped."""
    return asyncio.run(engine.run()).reason


def test_policy_is_told_page_then_its_documents_in_order() -> None:
    """The policy receives each page, then its new documents once each, in the order of the hits."""
    script = Script([*searches("commonab"), Search(Query(("commonab",)), 2), *searches("commonab")])
    store = MemoryStore()
    assert run(Engine(script, client(), store, Ledger())) == "script done"
    pages = [event for event in script.told if isinstance(event, PageReceived)]
    documents = [event for event in script.told if isinstance(event, DocumentReceived)]
    keys = [hit.key for page in pages[:2] for hit in page.page.hits]
    assert [event.document.key for event in documents] == keys
    assert [document.text for document in store.documents()] == [TEXTS[int(key)] for key in keys]


def test_finished_harvest_asks_nothing_again() -> None:
    """The same policy over a full journal costs no request, and gets the same events."""
    words = ("commonab", "rareah", "middlead")
    store, ledger = MemoryStore(), Ledger()
    first = Script(searches(*words))
    run(Engine(first, client(), store, ledger))
    again, idle = Script(searches(*words)), Flaky(client(), lambda what: None)
    run(Engine(again, idle, store, ledger))
    assert idle.asked == []
    kept = (PageReceived, DocumentReceived)
    assert [type(e) for e in again.told if isinstance(e, kept)] == [
        type(e) for e in first.told if isinstance(e, kept)
    ]


@pytest.mark.parametrize("share", [0.01, 0.02, 0.1, 0.5, 0.97])
def test_broken_off_harvest_ends_like_an_undisturbed_one(share: float) -> None:
    """A harvest that is interrupted and resumed sends the same requests and ends the same."""

    def harvest(source: SourceClient, store: MemoryStore) -> tuple[Ledger, Policy]:
        ledger = Ledger(size=len(DOCUMENTS))
        for event in store.events():
            ledger.tell(event)
        options = Options(sample=60, cost="df+5", words=("deep",))
        planner = make_planner("ts-ids", options, np.random.default_rng(3))
        asyncio.run(Engine(planner, source, store, ledger, RunLimits(concurrency=1)).run())
        return ledger, planner

    whole, undisturbed = MemoryStore(), Flaky(client(), lambda what: None)
    expected, _ = harvest(undisturbed, whole)

    cut_after = int(share * len(undisturbed.asked)) + 1

    class PulledPlug(BaseException): ...

    def pull_plug(what: str) -> None:
        if len(broken.asked) == cut_after:
            raise PulledPlug

    store, broken = MemoryStore(), Flaky(client(), pull_plug)
    with pytest.raises(PulledPlug):
        harvest(broken, store)
    rest = Flaky(client(), lambda what: None)
    ledger, _ = harvest(rest, store)
    assert broken.asked + rest.asked == undisturbed.asked
    assert ledger.chart() == expected.chart()
    assert list(store.documents()) == list(whole.documents())


def test_failed_pages_and_documents_are_recorded_and_survived() -> None:
    """A single failure is reported, journaled and retried at the end, and ends no harvest."""
    trouble = fail(RefusedError("status 500"), "rareah 1", "3")
    script, store, ledger = (
        Script(searches("middlead", "rareah", "raread")),
        MemoryStore(),
        Ledger(),
    )
    assert run(Engine(script, Flaky(client(), trouble), store, ledger)) == "script done"
    kinds = [type(event) for event in store.events()]
    assert kinds.count(PageFailed) == 2
    assert kinds.count(DocumentFailed) == 2
    assert certificate_of(ledger).documents_failed == 1
    assert [type(event) for event in script.told].count(PageFailed) == 2


@pytest.mark.parametrize(
    "forbidden", [RobotsError("robots.txt disallows it"), PrivateAddressError("intra", "10.0.0.1")]
)
def test_forbidden_document_is_named_and_the_harvest_goes_on(forbidden: Exception) -> None:
    """A document that robots.txt or the network guard forbids is recorded with the reason."""
    script, store, ledger = Script(searches("middlead", "raread")), MemoryStore(), Ledger()
    trouble = fail(forbidden, "3")
    assert (
        run(Engine(script, Flaky(client(), trouble), store, ledger, RunLimits(patience=1)))
        == "script done"
    )
    certificate = certificate_of(ledger)
    assert certificate.failed_documents == (f"3: {forbidden}",)


def test_source_that_is_gone_stops_the_harvest_short() -> None:
    """After several failures in a row the harvest stops and reports the last one."""

    def trouble(what: str) -> None:
        if what.startswith("rare"):
            raise RefusedError("status 503")

    script = Script(searches("middlead", *(word("rare", n) for n in range(20))))
    ledger = Ledger()
    engine = Engine(script, Flaky(client(), trouble), MemoryStore(), ledger, RunLimits(patience=4))
    assert "4 requests in a row failed, the last with: status 503" in run(engine)
    assert not ledger.stopped.target_met
    assert len(script.searches) == 16


def test_host_that_never_answers_is_an_error_at_once() -> None:
    """If nothing was ever received, the failure itself is raised."""
    trouble = fail(UnreachableError("nobody listens at x.org:80"), "rareah 1")
    engine = Engine(Script(searches("rareah")), Flaky(client(), trouble), MemoryStore(), Ledger())
    with pytest.raises(UnreachableError, match=r"x\.org:80"):
        run(engine)


def test_host_that_goes_away_stops_the_harvest_short() -> None:
    """A host that twice in a row does not answer ends the harvest: the fetcher has retried."""
    trouble = fail(UnreachableError("nobody listens"), "rareah 1", "rareai 1")
    script = Script(searches("middlead", "rareah", "rareai", "rareaj"))
    ledger = Ledger()
    stopped = run(Engine(script, Flaky(client(), trouble), MemoryStore(), ledger))
    assert "2 requests in a row failed, the last with: nobody listens" in stopped
    assert ledger.stopped.outcome == "unreachable"
    assert len(script.searches) == 1


def test_queries_without_any_hit_are_an_error() -> None:
    """Many queries without a single hit mean a wrong spec; the error says where to look."""
    words = [f"nothing{n}" for n in range(2 * QUERIES_WITHOUT_A_HIT)]
    with pytest.raises(PageError, match=r"matched nothing.*source.toml"):
        run(Engine(Script(searches(*words)), client(), MemoryStore(), Ledger()))


def test_policy_that_ends_without_any_hit_is_an_error() -> None:
    """A harvest without any document is not a success, however early its policy gave up."""
    with pytest.raises(PageError, match="2 searches matched nothing"):
        run(Engine(Script(searches("nothing", "nowhere")), client(), MemoryStore(), Ledger()))


def test_policy_that_could_not_do_its_work_stops_short() -> None:
    """A finish that misses its target is recorded as an early stop, with its reason."""

    class Thwarted(Script):
        def next(self) -> Search | Finish:
            return self.searches.pop(0) if self.searches else Finish("no NOT", target_met=False)

    ledger = Ledger()
    assert run(Engine(Thwarted(searches("raread")), client(), MemoryStore(), ledger)) == "no NOT"
    assert not ledger.stopped.target_met


def test_spent_budget_stops_short_and_keeps_what_came() -> None:
    """When the budget ends in the middle of a page, the documents already received are saved."""
    budget = Budget(Allowed(requests=5))

    def trouble(what: str) -> None:
        budget.spend()

    ledger, store = Ledger(), MemoryStore()
    engine = Engine(Script(searches("commonab")), Flaky(client(), trouble), store, ledger)
    assert "all 5 requests" in run(engine)
    assert ledger.requests == 5
    assert len(list(store.documents())) == 4


def test_max_documents_is_kept_to_the_document() -> None:
    """No more documents than allowed are saved, and a higher limit continues the harvest."""
    store, ledger = MemoryStore(), Ledger()
    words = searches("commonab", "commonac")
    reason = run(Engine(Script(list(words)), client(), store, ledger, RunLimits(max_documents=13)))
    assert "documents are saved" in reason
    assert len(list(store.documents())) == 13
    script = Script(list(words))
    assert (
        run(Engine(script, client(), store, ledger, RunLimits(max_documents=1000))) == "script done"
    )
    assert len(list(store.documents())) == 20


def test_listing_only_reads_no_document_page() -> None:
    """With listing_only, snippets become the documents, and only result pages cost requests."""
    store, ledger = MemoryStore(), Ledger()
    run(Engine(Script(searches("commonab")), client(), store, ledger, RunLimits(listing_only=True)))
    assert (ledger.result_pages, ledger.document_pages, ledger.requests) == (1, 0, 1)
    assert all(document.text for document in store.documents())


def test_an_interrupt_of_what_was_done_changes_nothing() -> None:
    """A finished harvest that is run again, and interrupted before any request, stays finished."""
    store, ledger = MemoryStore(), Ledger()
    run(Engine(Script(searches("raread")), client(), store, ledger))
    before = list(store.events())
    again = Ledger()
    for event in before:
        again.tell(event)
    engine = Engine(Script(searches("raread")), client(), store, again)
    engine.interrupt()
    assert run(engine) == "script done"
    assert list(store.events()) == before


def test_interrupt_stops_after_the_page_at_hand() -> None:
    """An interrupted engine completes the page with its documents, then stops early."""
    script = Script(searches("commonab", "commonac"))
    engine = Engine(
        script,
        client(),
        MemoryStore(),
        ledger := Ledger(),
        callbacks=Callbacks(observe=lambda event: engine.interrupt()),
    )
    assert "interrupted" in run(engine)
    assert ledger.documents == 10
    assert len(script.searches) == 1


def test_full_disk_is_raised() -> None:
    """A store that cannot record raises its error and is not reported as a stop."""

    class Full(MemoryStore):
        def record(self, *events: AnyEvent) -> None:
            raise StorageError("the disk is full")

    with pytest.raises(StorageError):
        run(Engine(Script(searches("commonab")), client(), Full(), Ledger()))


def test_source_error_is_no_budget_error() -> None:
    """The error families are separate: one is the source's fault, the other the user's limit."""
    assert not issubclass(BudgetSpent, SourceError)


def test_pages_that_a_policy_wants_are_asked_once_and_told_again_on_resume() -> None:
    """The policy gets a response once, and a new engine on the store does not request it."""
    store, page = MemoryStore(), Request("http://x.org/")
    for expected in (["http://x.org/"], []):
        site, script = Flaky(client(), lambda what: None), Script([page])
        stopped = asyncio.run(Engine(script, site, store, Ledger()).run())
        assert stopped.target_met
        assert site.asked == expected
        assert [type(event) for event in script.told] == [ResponseReceived]


def test_refused_page_is_told_and_the_policy_goes_on() -> None:
    """A page refused after the first one, also by robots.txt, is reported as failed."""

    def trouble(what: str) -> None:
        if what == "gone":
            raise RefusedError("status 410")
        if what == "private":
            raise RobotsError("robots.txt disallows it")

    script = Script([Request(url) for url in ("home", "gone", "private", "last")])
    asyncio.run(Engine(script, Flaky(client(), trouble), MemoryStore(), Ledger()).run())
    assert [type(event) for event in script.told] == [
        ResponseReceived,
        RequestFailed,
        RequestFailed,
        ResponseReceived,
    ]


def test_first_page_that_does_not_come_is_an_error() -> None:
    """If nothing was received at all the error is raised: the user gave a wrong address."""

    def trouble(what: str) -> None:
        raise UnreachableError("refused", host="x.org")

    engine = Engine(Script([Request("home")]), Flaky(client(), trouble), MemoryStore(), Ledger())
    with pytest.raises(UnreachableError):
        asyncio.run(engine.run())
