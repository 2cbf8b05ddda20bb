"""Test how documents are held, listed, read, postponed and withdrawn."""

import asyncio
from collections.abc import Mapping

import pytest

from longline.engine import Engine
from longline.engine.documents import Documents
from longline.engine.settings import MOST_FAILURES, Callbacks, RunLimits
from longline.errors import (
    BudgetSpent,
    NoTextError,
    PageError,
    PlaceholderError,
    PrivateAddressError,
    RefusedError,
    RobotsError,
    SourceError,
    StoppedShort,
    StrangerError,
    UnreachableError,
)
from longline.events import (
    AnyEvent,
    DocumentFailed,
    DocumentReceived,
    DocumentWithdrawn,
    PageReceived,
    SameDocument,
)
from longline.ledger import Ledger
from longline.model import Document, Finish, Hit, Page, Query, Request, Search
from longline.outcomes import Ending
from longline.simulate import Searcher
from longline.simulate.search.memory import MemoryClient
from longline.store import MemoryStore

DOCUMENTS = [Document(f"d{n}", f"http://x.example/{n}", f"Day {n}", "deep web") for n in range(40)]
SEARCHER = Searcher(DOCUMENTS, limit=40, page_size=40)
WEB = Query(("web",))


def hits(*numbers: int) -> list[Hit]:
    """Make hits for the documents with these numbers."""
    return [Hit(d.key, d.url, d.title, "of the day") for d in (DOCUMENTS[n] for n in numbers)]


def status(number: int) -> RefusedError:
    """Make a refusal with this status."""
    return RefusedError(f"status {number}", status=number)


def placeholder(*earlier: str) -> PlaceholderError:
    """Make the error for a page that was already received for other documents."""
    return PlaceholderError(
        "the page comes for others",
        page="Welcome",
        earlier=earlier,
        ending=Ending("blocked", "silence"),
    )


class Troubled(MemoryClient):
    """A source that raises an error for some documents.

    Attributes:
        asked: Keys of the requested documents, in order.
        most: Largest number of documents read at the same time.
    """

    def __init__(self, troubles: Mapping[str, Exception] | None = None) -> None:
        super().__init__(SEARCHER)
        self.troubles = dict(troubles or {})
        self.asked: list[str] = []
        self.most = self._now = 0
        self.is_right = True

    async def read(self, hit: Hit) -> tuple[Document, int]:
        self.asked.append(hit.key)
        self._now += 1
        self.most = max(self.most, self._now)
        await asyncio.sleep(0)
        self._now -= 1
        if hit.key in self.troubles:
            raise self.troubles[hit.key]
        return await super().read(hit)

    async def check(self, *, documents: bool = False) -> bool:
        return self.is_right


class Desk:
    """Documents with their ledger and their journal.

    Args:
        earlier: Events that an earlier run left in the journal.
    """

    def __init__(
        self,
        client: Troubled,
        *earlier: AnyEvent,
        listing_only: bool = False,
        retries_all: bool = False,
        connections: int = 4,
    ) -> None:
        self.client, self.store, self.ledger = client, MemoryStore(), Ledger()
        for event in earlier:
            self.enter(event)
        self.documents = Documents(
            client,
            self.store,
            self.ledger,
            self.enter,
            RunLimits(listing_only=listing_only, retries_all=retries_all, concurrency=connections),
            Callbacks(identify=lambda text: "en" if text else ""),
        )

    def enter(self, event: AnyEvent) -> None:
        self.ledger.tell(event)
        self.store.record(event)

    def get(self, *numbers: int, again: bool = False) -> list[object]:
        return list(asyncio.run(self.documents.get(hits(*numbers), again=again)))

    def failed(self, key: str) -> DocumentFailed:
        return self.ledger.failures.documents[key]

    @property
    def skipped(self) -> list[str]:
        return list(self.documents.skipped)


def test_a_held_document_costs_nothing() -> None:
    """It is returned from the store, in the order of the hits, and recorded once."""
    desk = Desk(Troubled())
    desk.get(1)
    found = desk.get(2, 1, 3)
    assert desk.client.asked == ["d1", "d2", "d3"]
    assert [each.document.key for each in found if isinstance(each, DocumentReceived)] == [
        "d2",
        "d1",
        "d3",
    ]
    assert [each.requests for each in found if isinstance(each, DocumentReceived)] == [1, 0, 1]
    assert sum(isinstance(event, DocumentReceived) for event in desk.store.events()) == 3


def test_a_text_that_is_listed_is_the_document() -> None:
    """A document whose text is listed, or of which only a listing is wanted, is not requested."""
    desk = Desk(Troubled())
    whole = Hit("w", "http://x.example/w", "Whole", "short", text="deep web")
    asyncio.run(desk.documents.get([whole]))
    listing = Desk(Troubled(), listing_only=True)
    listing.get(1)
    assert desk.client.asked == listing.client.asked == []
    assert list(desk.store.documents()) == [
        Document("w", "http://x.example/w", "Whole", "deep web", "en")
    ]
    assert [each.text for each in listing.store.documents()] == ["of the day"]


@pytest.mark.parametrize("connections", [1, 3])
def test_so_many_are_read_at_the_same_time(connections: int) -> None:
    """At most this many documents are read at the same time."""
    desk = Desk(Troubled(), connections=connections)
    desk.get(*range(12))
    assert desk.client.most == connections


@pytest.mark.parametrize(
    ("error", "passing"),
    [
        (status(500), True),
        (status(503), True),
        (status(403), True),
        (status(408), True),
        (status(425), True),
        (status(429), True),
        (RefusedError("too many redirects"), True),
        (UnreachableError("no answer"), True),
        (StrangerError("a login"), True),
        (status(404), False),
        (status(410), False),
        (status(400), False),
        (PageError("no text on it"), False),
        (RobotsError("robots.txt disallows it"), False),
        (PrivateAddressError("intra", "10.0.0.1"), False),
    ],
)
def test_only_what_may_pass_is_tried_again(error: Exception, passing: bool) -> None:
    """A passing failure is postponed to the end of the run; a permanent one is not retried."""
    desk = Desk(Troubled({"d1": error}))
    desk.get(1, 2)
    assert desk.failed("d1").passing is passing
    assert desk.skipped == (["d1"] if passing else [])
    assert desk.store.document("d2") is not None


def of_other_layout(number: int) -> NoTextError:
    """Make the error for a page with its text where the spec does not expect it."""
    return NoTextError("no text on it", document=DOCUMENTS[number])


def test_a_page_of_another_layout_counts_once_the_spec_has_proved_right() -> None:
    """Before, it is postponed to the end of the run."""
    desk = Desk(Troubled({"d1": of_other_layout(1), "d3": of_other_layout(3)}))
    desk.get(1)
    assert (desk.skipped, desk.ledger.documents) == (["d1"], 0)
    desk.get(2, 3)
    assert {each.key for each in desk.store.documents()} == {"d2", "d3"}
    desk.get(1, again=True)
    assert (desk.ledger.documents, desk.ledger.texts.other_layouts) == (3, 2)
    asked = len(desk.client.asked)
    later = Desk(desk.client, *desk.store.events())
    later.get(1, 3)
    assert (len(desk.client.asked), later.ledger.texts.other_layouts) == (asked, 2)


def test_a_site_that_was_redesigned_is_not_read_as_one_of_other_layouts() -> None:
    """After some in a row, a page that was right is read again; if it is not, the run ends."""
    client = Troubled({f"d{n}": of_other_layout(n) for n in range(5, 40)})
    desk = Desk(client, connections=1)
    desk.get(1)
    client.is_right = False
    ends = desk.get(*range(5, 40))
    assert desk.ledger.texts.other_layouts == MOST_FAILURES
    assert isinstance(ends[-1], SourceError)


def test_what_failed_is_not_asked_for_again_by_the_way() -> None:
    """Another query that lists it gets the failure at no cost; only the end retries it."""
    desk = Desk(Troubled({"d1": status(500)}))
    desk.get(1)
    assert desk.get(1) == [desk.failed("d1")]
    assert desk.client.asked == ["d1"]
    desk.client.troubles.clear()
    desk.get(1, again=True)
    assert desk.client.asked == ["d1", "d1"]
    assert desk.store.document("d1") is not None
    assert not desk.ledger.failures.documents


def test_what_an_earlier_run_did_not_get_is_tried_once_in_the_next() -> None:
    """Even a page without text is retried once; documents that are gone are not."""
    earlier = (
        DocumentFailed("d1", "", "no text", passing=False),
        DocumentFailed("d2", "", "status 404", status=404, passing=False),
        DocumentFailed("d3", "", "no answer"),
    )
    troubles = {"d1": PageError("no text"), "d3": status(500)}
    desk = Desk(Troubled(troubles), *earlier)
    desk.get(1, 2, 3)
    assert desk.client.asked == []
    assert desk.skipped == ["d1", "d3"]
    desk.documents.skipped.clear()
    desk.get(1, 3, again=True)
    assert desk.skipped == ["d3"]


def test_all_are_tried_where_that_is_asked_for() -> None:
    """Documents that are gone are retried too, but none that robots.txt forbids."""
    robots = RobotsError("robots.txt disallows it")
    desk = Desk(
        Troubled({"d2": PageError("no text"), "d3": robots}),
        DocumentFailed("d1", "", "status 404", status=404, passing=False),
        retries_all=True,
    )
    for _ in range(2):
        desk.get(1, 2, 3)
    assert desk.skipped == ["d1", "d2"]
    assert desk.client.asked == ["d2", "d3"]


def test_a_failure_says_what_is_known_of_it() -> None:
    """The failure has status, cost and reason, and says whether robots.txt forbids it."""
    refused, robots = status(404), RobotsError("robots.txt disallows it")
    refused.requests = 3
    desk = Desk(Troubled({"d1": refused, "d2": robots}))
    desk.get(1, 2)
    assert desk.failed("d1") == DocumentFailed(
        "d1", DOCUMENTS[1].url, "status 404", 3, status=404, passing=False
    )
    assert desk.failed("d2").forbidden
    assert desk.ledger.requests == 3


def test_nothing_more_is_asked_once_a_run_has_to_stop() -> None:
    """Documents that wait for their turn get the same stop as the one that hit it."""
    spent = StoppedShort("the budget is spent", advice="raise it")
    desk = Desk(Troubled({"d1": spent}), connections=1)
    assert desk.get(1, 2, 3) == [spent, spent, spent]
    assert desk.client.asked == ["d1"]


def test_placeholders_are_withdrawn_when_they_are_known() -> None:
    """Documents saved before are removed from store and ledger, and named by their page."""
    desk = Desk(Troubled())
    desk.get(1, 2)
    desk.client.troubles["d3"] = placeholder("d1", "d2", "d9")
    desk.get(3)
    assert list(desk.store.documents()) == []
    assert desk.ledger.documents == 0
    withdrawn = [each for each in desk.store.events() if isinstance(each, DocumentWithdrawn)]
    assert [(each.key, each.url) for each in withdrawn] == [
        ("d1", DOCUMENTS[1].url),
        ("d2", DOCUMENTS[2].url),
    ]
    assert desk.ledger.failures.placeholders() == {"Welcome": 3}


def test_a_hit_under_another_key_is_not_read_again() -> None:
    """A hit whose key was merged gets the document that was saved under the other key."""
    desk = Desk(Troubled(), SameDocument("d2", "d1"))
    (one,), (other,) = desk.get(1), desk.get(2)
    assert isinstance(one, DocumentReceived)
    assert other == DocumentReceived(one.document, requests=0)
    assert desk.client.asked == ["d1"]


def test_a_placeholder_is_not_tried_again_in_the_same_run() -> None:
    """It would be the same page; the next run that lists the document requests it once more."""
    desk = Desk(Troubled({"d1": placeholder()}))
    desk.get(1)
    assert desk.skipped == []
    later = Desk(Troubled(), *desk.store.events())
    later.get(1)
    assert later.skipped == ["d1"]


def test_a_stop_says_what_it_cost() -> None:
    """A budget that ends during a document's retries counts them in the ledger, and is returned."""
    spent = BudgetSpent("no more requests")
    spent.requests = 2
    desk = Desk(Troubled({"d1": spent, "d2": BudgetSpent("none at all")}))
    assert desk.get(1, 2) == [spent, desk.client.troubles["d2"]]
    assert desk.ledger.requests == 2
    assert not desk.ledger.failures.documents  # no answer says that it cannot be read


def test_documents_that_all_fail_end_it_in_the_end() -> None:
    """This many failures end the harvest if no document was ever read, or once none is any more."""
    desk = Desk(Troubled({d.key: PageError("no text") for d in DOCUMENTS}), connections=1)
    desk.client.is_right = False
    found = desk.get(*range(MOST_FAILURES + 1))
    ends = [place for place, each in enumerate(found) if isinstance(each, SourceError)]
    assert ends == [MOST_FAILURES - 1, MOST_FAILURES]


def test_pages_that_all_lack_a_text_end_it_though_the_source_is_as_before() -> None:
    """If no document is held, the spec may be wrong: a page that is still the same excuses none."""
    desk = Desk(Troubled({d.key: PageError("no text") for d in DOCUMENTS[:40]}), connections=1)
    found = desk.get(*range(40))
    assert next(place for place, each in enumerate(found) if isinstance(each, SourceError)) == 23
    later = Desk(Troubled({d.key: PageError("no text") for d in DOCUMENTS[1:40]}), connections=1)
    assert not any(isinstance(each, SourceError) for each in later.get(*range(40)))


class Asks:
    """A policy that requests the same page and nothing more."""

    def __init__(self) -> None:
        self.left = [Search(WEB)]

    def next(self) -> Search | Request | Finish:
        return self.left.pop() if self.left else Finish("asked")

    def tell(self, event: AnyEvent) -> None: ...


def run(client: Troubled, store: MemoryStore) -> Ledger:
    """Run a harvest that continues from the store."""
    ledger = Ledger()
    for event in store.events():
        ledger.tell(event)
    asyncio.run(Engine(Asks(), client, store, ledger).run())
    return ledger


def test_documents_are_tried_once_more_at_the_end_of_each_run() -> None:
    """It is tried twice in the run that lists it, once in each later run, and not once received."""
    store, client = MemoryStore(), Troubled({"d7": status(503)})
    asked = []
    for _ in range(3):
        run(client, store)
        asked.append(client.asked.count("d7"))
    assert asked == [2, 3, 4]
    client.troubles.clear()
    ledger = run(client, store)
    assert (client.asked.count("d7"), ledger.documents_failed, ledger.documents) == (5, 0, 40)
    run(client, store)
    assert len(client.asked) == 39 + 5


def test_what_is_gone_is_asked_for_once_in_all_runs() -> None:
    """A document that the source reports as gone is not requested again."""
    store, client = MemoryStore(), Troubled({"d7": status(404)})
    for _ in range(3):
        ledger = run(client, store)
    assert client.asked.count("d7") == 1
    assert (ledger.failures.gone, ledger.documents) == (1, 39)


def test_retry_asks_for_what_failed_and_for_nothing_else() -> None:
    """Retry requests the given pages and documents that are not held, and keeps the earlier end."""
    store, client = MemoryStore(), Troubled({"d7": status(404)})
    ledger = run(client, store)
    asked, before = len(client.asked), ledger.stopped
    client.troubles.clear()
    engine = Engine(Asks(), client, store, ledger)
    stopped = asyncio.run(engine.retry([], hits(7, 8)))
    assert client.asked[asked:] == ["d7"]
    assert stopped == before
    assert (ledger.documents, ledger.documents_failed) == (40, 0)


def test_retry_asks_for_a_later_page_as_the_page_before_announced_it() -> None:
    """The request is the one in the journal; the documents of the page are read, too."""
    given: list[Request | None] = []

    class Paged(Troubled):
        async def search(
            self, query: Query, number: int, request: Request | None
        ) -> tuple[Page, int]:
            given.append(request)
            return Page(tuple(hits(number))), 1

    more, store, client = Request("http://x.example/?page=2"), MemoryStore(), Paged()
    ledger = Ledger()
    first = PageReceived(WEB, 1, Page(tuple(hits(1)), next=more))
    store.record(first)
    ledger.tell(first)
    engine = Engine(Asks(), client, store, ledger)
    asyncio.run(engine.retry([Search(WEB, 2)], []))
    assert given == [more]
    assert client.asked == ["d2"]
