"""Test what every store guarantees, whatever its backend."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.postgres import server

from longline.events import (
    Concluded,
    Discrepancy,
    DocumentFailed,
    DocumentReceived,
    DocumentWithdrawn,
    FormReceived,
    NonsenseAnswered,
    PageDisbelieved,
    PageFailed,
    PageReceived,
    QueryCut,
    RequestFailed,
    ResponseReceived,
    RobotsRead,
    SameDocument,
    SizeEstimate,
    SourceChecked,
    Stopped,
)
from longline.model import Attachment, Document, Hit, Page, Query, Request, Response, Total
from longline.ports import Store
from longline.store import MemoryStore, SqliteStore
from longline.store.postgres import PostgresStore

DEEP = Query(("deep", "web"), excluded=("surface",))
EITHER = Query(("deep",), any_of=("web", "sea"))
PAGE = Page(
    hits=(
        Hit("k1", "http://x.org/1", "One", "…snippet…", fields={"year": 1990, "by": ("A", "語")}),
        Hit("k2", text="whole text"),
    ),
    total=Total(12, "about"),
    next=Request("http://x.org/?p=2", "POST", (("A", "b"),), b"\x00\xff"),
)
ONE = Document(
    "k1",
    "http://x.org/1",
    "Öne",
    "text with \x00 and 語",
    "de",
    {"year": 1990, "price": 7.5, "by": ("Ä", "語"), "dotted.name": "2024-03-05"},
    (Attachment("1.pdf", "http://x.org/1.pdf", "application/pdf", 3, "ab" * 32),),
)
EVERY_EVENT = (
    RobotsRead("http://x.org", 200, "User-agent: *\n"),
    FormReceived(
        Response(url="http://x.org/s", status=200, headers=(("link", "<>"),), body=b"<form>\xff")
    ),
    NonsenseAnswered(("k1", "k2")),
    PageReceived(DEEP, 1, PAGE, requests=2),
    DocumentReceived(ONE, requests=1),
    DocumentFailed("k2", "http://x.org/2", "status 404"),
    PageFailed(DEEP, 2, "timed out", requests=3),
    SourceChecked(answers=False, requests=2),
    PageDisbelieved(DEEP, 2),
    DocumentWithdrawn("k5", "http://x.org/5", "comes for many", "Welcome"),
    SameDocument("k6", "k1"),
    PageReceived(EITHER, 1, PAGE),
    QueryCut(DEEP, "capped", 1, received=2, reported=12),
    ResponseReceived(Request("http://x.org/about"), Response(url="http://x.org/us", status=200)),
    RequestFailed(Request("http://x.org/gone"), "status 410", requests=1),
    PageReceived(DEEP, 3, PAGE, probe=True, body_bytes=123),
    DocumentReceived(Document("k7"), requests=0, body_bytes=45),
    Concluded(
        SizeEstimate(documents=9.5, low=7, high=None, method="probes", share=0.5),
        at_least=6,
        discrepancies=(Discrepancy(DEEP, "parts", 9, 8),),
    ),
    Stopped("the budget is spent", False, "partial", "budget"),
)

Opener = Callable[[], Store]


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    """Yield a function that opens the same store again and again."""
    opened: list[Store] = []
    memory = MemoryStore()
    if request.param == "postgres":
        url = server().database()
        beside = PostgresStore(url, PostgresStore.create(url, "another"))
        beside.record(*EVERY_EVENT)
        beside.close()
        harvest = PostgresStore.create(url, str(tmp_path))

    def opener() -> Store:
        if request.param == "postgres":
            store: Store = PostgresStore(url, harvest)
        else:
            store = memory if request.param == "memory" else SqliteStore(tmp_path / "harvest.db")
        opened.append(store)
        return store

    yield opener
    for store in opened:
        store.close()


@pytest.mark.slow
def test_journal_gives_back_every_event_in_order(open_store: Opener) -> None:
    """Every kind of event is read back equal to the recorded one, also after reopening."""
    store = open_store()
    store.record(*EVERY_EVENT[:3])
    store.record(*EVERY_EVENT[3:])
    assert tuple(store.events()) == EVERY_EVENT
    store.close()
    assert tuple(open_store().events()) == EVERY_EVENT


def test_response_is_found_by_its_request(open_store: Opener) -> None:
    """A response is found by its full request; the newest of two counts; failures do not."""
    store = open_store()
    get, post = Request("http://x.org/"), Request("http://x.org/", "POST", body=b"a=1")
    old, new = (
        ResponseReceived(get, Response(url="http://x.org/", status=200, body=body))
        for body in (b"\xffold", b"new")
    )
    store.record(old, RequestFailed(post, "status 405"))
    assert store.response(get) == old
    assert store.response(post) is None
    store.record(new)
    assert store.response(get) == new


def test_alternatives_make_another_query(open_store: Opener) -> None:
    """A page of a query with alternatives is found with them, and not without them."""
    store = open_store()
    store.record(PageReceived(EITHER, 1, PAGE))
    assert store.page(Query(("deep",), any_of=("web", "sea")), 1) == PageReceived(EITHER, 1, PAGE)
    assert store.page(Query(("deep",)), 1) is None


def test_page_is_found_by_query_and_number(open_store: Opener) -> None:
    """A page is found by its query and number; the newest of two counts."""
    store = open_store()
    first, second = PageReceived(DEEP, 1, PAGE), PageReceived(DEEP, 1, Page())
    store.record(first)
    assert store.page(DEEP, 1) == first
    assert store.page(DEEP, 2) is None
    assert store.page(Query(("deep", "web")), 1) is None
    store.record(second)
    assert store.page(DEEP, 1) == second


def test_failed_page_is_not_found(open_store: Opener) -> None:
    """A failed page is not held, so that it is requested again."""
    store = open_store()
    store.record(PageFailed(DEEP, 1, "status 500"))
    assert store.page(DEEP, 1) is None


def test_a_page_that_is_not_believed_is_not_found_until_it_comes_again(open_store: Opener) -> None:
    """It is discarded by query and number; the page received later counts."""
    store = open_store()
    first, again = PageReceived(DEEP, 1, Page()), PageReceived(DEEP, 1, PAGE)
    second, other = PageReceived(DEEP, 2, PAGE), PageReceived(EITHER, 1, PAGE)
    store.record(first, second, other, PageDisbelieved(DEEP, 1))
    assert [store.page(*asked) for asked in ((DEEP, 1), (DEEP, 2), (EITHER, 1))] == [
        None,
        second,
        other,
    ]
    store.record(again)
    assert store.page(DEEP, 1) == again
    store.record(PageDisbelieved(DEEP, 1))
    assert store.page(DEEP, 1) is None


def test_a_withdrawn_document_is_not_held_until_it_comes_again(open_store: Opener) -> None:
    """It is not found by key nor listed; the journal keeps both events."""
    store = open_store()
    two, again = Document("k2", text="two"), Document("k1", text="the real one")
    store.record(DocumentReceived(ONE), DocumentReceived(two))
    store.record(DocumentWithdrawn("k1", "", "comes for many", "Welcome"))
    assert store.document("k1") is None
    assert list(store.documents()) == [two]
    kinds = [DocumentReceived, DocumentReceived, DocumentWithdrawn]
    assert [type(event) for event in store.events()] == kinds
    store.record(DocumentReceived(again))
    assert store.document("k1") == again
    assert len(list(store.documents())) == 2


def test_one_document_of_two_keys_is_kept_under_one(open_store: Opener) -> None:
    """A document under the kept key stays; one held only under the other key moves."""
    store = open_store()
    two, moved = Document("k2", text="two"), Document("k3", text="moved")
    store.record(*map(DocumentReceived, (ONE, two, moved)))
    for key, kept in (("k2", "k1"), ("k3", "k4"), ("k5", "k1"), ("k6", "k7")):
        store.record(SameDocument(key, kept))
    assert {each.key: each.text for each in store.documents()} == {"k1": ONE.text, "k4": "moved"}
    assert store.document("k2") is None


def test_documents_are_kept_by_key_in_order_of_arrival(open_store: Opener) -> None:
    """A document received again keeps its place and gets the new content."""
    store = open_store()
    two, again = Document("k2", text="two"), Document("k1", text="newer")
    store.record(DocumentReceived(ONE), DocumentReceived(two))
    assert list(store.documents()) == [ONE, two]
    store.record(DocumentReceived(again))
    assert list(store.documents()) == [again, two]
    assert store.document("k1") == again
    assert store.document("k3") is None


def test_settings_are_kept(open_store: Opener) -> None:
    """A setting has the value that was set last."""
    store = open_store()
    store.set_setting("strategy", "ids")
    store.set_setting("strategy", "ts-ids")
    assert store.settings()["strategy"] == "ts-ids"


def test_reading_while_recording(open_store: Opener) -> None:
    """A reader in the middle of the journal does not prevent the store from recording."""
    store = open_store()
    store.record(*EVERY_EVENT)
    events = store.events()
    next(events)
    store.record(DocumentReceived(Document("k9")))
    assert len(list(events)) >= len(EVERY_EVENT) - 1
    assert store.document("k9") is not None
