"""Test what a run passes on to the next: trusted answers, what was seen, and what to retry."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import longline
from longline.engine import Engine
from longline.errors import FolderError, PageError
from longline.events import (
    AnyEvent,
    DocumentFailed,
    DocumentReceived,
    DocumentWithdrawn,
    FormReceived,
    NonsenseAnswered,
    PageDisbelieved,
    PageFailed,
    PageReceived,
    RobotsRead,
    SourceChecked,
    Stopped,
)
from longline.harvester.journal import replay, to_retry, write_skipped
from longline.ledger import LEFT_OUT, Ledger
from longline.model import Document, Finish, Hit, Page, Query, Request, Response, Search, Total
from longline.simulate import Searcher
from longline.simulate.search.memory import MemoryClient
from longline.source import read_spec
from longline.source.spec import DocumentPage
from longline.store import SqliteStore

SPEC = read_spec("""
    [source]
    name = "x"
    url = "http://x.example/"
    [ask]
    url = "http://x.example/find?q={query}"
    limit = 30
    [results]
    hit = "li"
    link = "a"
""")
WEB, SEA, ICE = (Query((word,)) for word in ("web", "sea", "ice"))
WELCOME = "Welcome. Please accept our terms to go on."


def page(*keys: str, title: str = "The deep sea") -> Page:
    """Make a page of hits."""
    hits = (Hit(key, f"http://x.example/{key}", f"{title} {key}") for key in keys)
    return Page(tuple(hits), Total(len(keys)))


def document(key: str, text: str = "") -> DocumentReceived:
    """Make a document that was read from its own page."""
    return DocumentReceived(
        Document(key, f"http://x.example/{key}", "", text or f"In the deep sea {key}")
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """Open an empty store on disk."""
    opened = SqliteStore(tmp_path / "harvest.db")
    yield opened
    opened.close()


def taken_back(store: SqliteStore, *events: AnyEvent) -> list[str]:
    """Return the queries whose pages are discarded if a run stopped after these events."""
    store.record(*events)
    ledger = replay(SPEC, store).ledger
    told = {str(query) for query, _ in ledger.failures.to_ask_again}
    found = [str(each.query) for each in store.events() if isinstance(each, PageDisbelieved)]
    assert told == set(found)
    return found


EMPTY = PageReceived(SEA, 1, page()), PageReceived(ICE, 1, page())


def test_empty_answers_at_the_end_of_a_killed_run_are_not_believed(store: SqliteStore) -> None:
    """The source may have been silent by then; empty answers before hits keep their trust."""
    early = PageReceived(Query(("early",)), 1, page())
    assert taken_back(store, early, PageReceived(WEB, 1, page("a")), *EMPTY) == ["sea", "ice"]
    assert store.page(SEA, 1) is None
    assert store.page(early.query, 1) is not None


@pytest.mark.parametrize(
    "end",
    [
        PageReceived(WEB, 2, page("b")),
        SourceChecked(answers=True),
        Stopped("done", True, "complete"),
        Stopped("cut", False, "partial", "cut"),
    ],
)
def test_empty_answers_that_were_proven_are_believed(store: SqliteStore, end: AnyEvent) -> None:
    """Hits after them, a check, or an end that follows a check prove empty answers."""
    assert taken_back(store, PageReceived(WEB, 1, page("a")), *EMPTY, end) == []
    assert store.page(SEA, 1) is not None


@pytest.mark.parametrize(
    "end",
    [
        Stopped("the budget is spent", False, "partial", "budget"),
        Stopped("interrupted", False, "partial", "interrupted"),
        Stopped("no answer", False, "unreachable"),
    ],
)
def test_empty_answers_before_a_stop_are_not_believed(store: SqliteStore, end: AnyEvent) -> None:
    """Empty answers stay unproven where a run was stopped before its own end."""
    assert taken_back(store, PageReceived(WEB, 1, page("a")), *EMPTY, end) == ["sea", "ice"]


def test_nothing_is_unproven_when_a_run_goes_on(store: SqliteStore) -> None:
    """Unproven answers of an earlier run were discarded or checked."""
    store.record(PageReceived(WEB, 1, page("a")), *EMPTY)
    assert replay(SPEC, store).site.seen.silence.unproven == []


def test_a_page_that_was_asked_twice_is_taken_back_once(store: SqliteStore) -> None:
    """A page is discarded once, however often it was received without hits."""
    assert taken_back(store, EMPTY[0], EMPTY[0]) == ["sea"]


class Words:
    """A policy that queries three words."""

    def __init__(self) -> None:
        self.left = [Search(WEB), Search(SEA), Search(ICE)]

    def next(self) -> Search | Request | Finish:
        return self.left.pop(0) if self.left else Finish("asked")

    def tell(self, event: AnyEvent) -> None: ...


def test_false_empty_answers_of_a_killed_run_are_asked_again(store: SqliteStore) -> None:
    """The resumed run gets the documents that false answers hid, and repeats no other request."""
    documents = [Document(word, f"http://x.example/{word}", text=word) for word in ("sea", "web")]
    client = MemoryClient(Searcher(documents, limit=9, page_size=9))
    store.record(
        PageReceived(WEB, 1, page("web")),
        DocumentReceived(documents[1]),
        PageReceived(SEA, 1, page()),
    )
    ledger = replay(SPEC, store).ledger
    asyncio.run(Engine(Words(), client, store, ledger).run())
    assert [each.key for each in store.documents()] == ["web", "sea"]
    assert client.requests == 3  # sea, ice, and the document
    assert ledger.stopped.outcome == "complete"


def test_a_run_that_goes_on_knows_the_first_and_the_newest_query_with_hits(
    store: SqliteStore,
) -> None:
    """Only first pages count, and probes count like other queries."""
    store.record(
        PageReceived(Query(("none",)), 1, page()),
        PageReceived(WEB, 1, page("a")),
        PageReceived(SEA, 1, page("b"), probe=True),
        PageReceived(ICE, 2, page("c")),
    )
    seen = replay(SPEC, store).site.seen
    assert (seen.had_hits, seen.has_hits) == (WEB, SEA)


def test_a_run_that_goes_on_knows_a_good_document(store: SqliteStore) -> None:
    """A good document comes from its own page, not from a listing, and has words of its hit."""
    listed = DocumentReceived(document("a").document, requests=0)
    store.record(PageReceived(WEB, 1, page("a", "b", "c")), listed, document("b", "Else"))
    assert replay(SPEC, store).site.seen.watch.good is None
    store.record(document("c"))
    good = replay(SPEC, store).site.seen.watch.good
    assert good is not None
    assert good.key == "c"


@pytest.mark.parametrize(("text", "is_one"), [(WELCOME, True), ("Of the deep sea.", False)])
def test_placeholders_of_earlier_runs_are_known(
    store: SqliteStore, text: str, is_one: bool
) -> None:
    """A page received for two earlier documents is a placeholder at the third."""
    store.record(PageReceived(WEB, 1, page("a", "b", "c")), document("a", text))
    store.record(document("b", text))
    seen = replay(SPEC, store).site.seen
    hit = page("c").hits[0]
    found = seen.placeholders.see(hit, Document("c", hit.url, "", text), hit.url)
    assert found == ((("a", "b"), False) if is_one else None)


def test_withdrawn_documents_have_no_text_to_go_by(store: SqliteStore) -> None:
    """A journal with withdrawn documents can be read, and they are not held."""
    store.record(PageReceived(WEB, 1, page("a", "b", "c")))
    store.record(*(document(key, WELCOME) for key in "ab"))
    store.record(*(DocumentWithdrawn(key, "", "why", "Welcome") for key in "ab"))
    ledger = replay(SPEC, store).ledger
    assert (ledger.documents, ledger.documents_failed) == (0, 2)


def test_what_may_be_retried_is_all_that_failed_but_what_is_forbidden(store: SqliteStore) -> None:
    """Failed pages are listed by query and number, documents by the newest hit that listed them."""
    store.record(
        PageReceived(WEB, 1, page("a", "b", "c", "d", "e", title="Old")),
        PageReceived(SEA, 1, page("a", title="New")),
        PageFailed(SEA, 2, "status 500"),
        PageFailed(ICE, 1, "status 500"),
        PageReceived(ICE, 1, page("e")),
        DocumentFailed("a", "", "no answer"),
        DocumentFailed("b", "", "status 404", status=404, passing=False),
        DocumentFailed("c", "", "robots.txt", forbidden=True, passing=False),
        document("d"),
        DocumentWithdrawn("d", "", "why", "Welcome"),
        document("e"),
    )
    searches, hits = to_retry(store, replay(SPEC, store).ledger)
    assert searches == [Search(SEA, 2)]
    assert [(hit.key, hit.title) for hit in hits] == [
        ("a", "New a"),
        ("b", "Old b"),
        ("d", "Old d"),
    ]


def test_what_was_seen_before_a_spec_was_learnt_anew_is_not_its_own(store: SqliteStore) -> None:
    """After relearning, the form and stand-ins are forgotten; robots.txt and the ledger are not."""
    popular = page(*"abcde")
    store.record(
        FormReceived(Response(url="http://x.example/", status=200)),
        RobotsRead("http://x.example", 200, ""),
        NonsenseAnswered(popular.keys),
        PageReceived(WEB, 1, popular),
    )
    site = replay(SPEC, store).site
    assert site.form is not None
    assert site.seen.stand_ins.unmasked(WEB, popular).hits == ()
    store.set_setting("relearned_at", "4")
    ledger, site = replay(SPEC, store)
    assert site.form is None
    assert site.seen.stand_ins.unmasked(WEB, popular) == popular
    assert list(site.robots) == ["http://x.example"]
    assert (ledger.queries, ledger.limit) == (1, 30)


def test_other_words_may_be_given_while_nothing_came(tmp_path: Path) -> None:
    """Words that brought nothing do not bind a folder; those that brought documents do."""
    folder = tmp_path / "harvest"
    with longline.demo_site() as url:
        with pytest.raises(PageError, match="by words of its texts"):
            longline.harvest(url, folder, words=["zzqq"], allow_private=True, max_requests=60)
        some = longline.harvest(folder, words=["file"], allow_private=True, max_requests=60)
        assert some.certificate.documents > 0
        with pytest.raises(FolderError, match=r"words file \(now sea\)"):
            longline.harvest(folder, words=["sea"], allow_private=True, max_requests=60)


def test_another_key_in_the_spec_of_saved_documents_is_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """What a run saves a second time is said once, and only where something is saved."""
    folder = tmp_path / "harvest"
    with longline.demo_site() as url:
        longline.harvest(url, folder, words=["file"], allow_private=True, max_requests=60)
        longline.harvest(folder, allow_private=True, max_requests=3)
        assert "saved a second time" not in caplog.text
        spec = folder / "source.toml"
        written = spec.read_text()
        spec.write_text(re.sub("^key = .*$", 'key = "css:a"', written, flags=re.MULTILINE))
        for times in (1, 1):
            longline.harvest(folder, allow_private=True, max_requests=3)
            said = [each.getMessage() for each in caplog.records]
            told = [each for each in said if "saved a second time" in each]
            assert len(told) == times
            assert "(now 'css:a')" in told[0]


@pytest.mark.parametrize("left", [None, b""])
def test_a_folder_that_lost_its_documents_is_left_alone(tmp_path: Path, left: bytes | None) -> None:
    """Its certificate says what was saved; a new harvest would write over it."""
    folder = tmp_path / "harvest"
    with longline.demo_site() as url:
        longline.harvest(url, folder, allow_private=True, max_requests=60)
        before = (folder / "certificate.json").read_bytes()
        (folder / "harvest.db").unlink()
        if left is not None:
            (folder / "harvest.db").write_bytes(left)
        for again in (longline.open, lambda path: longline.harvest(path, allow_private=True)):
            with pytest.raises(FolderError, match=r"lost its documents.*harvest\.db"):
                again(folder)
        assert (folder / "certificate.json").read_bytes() == before


def test_documents_that_an_update_keeps_have_whole_texts(store: SqliteStore) -> None:
    """They cost no request; only a record that has no page of its own is held in part."""
    results = msgspec.structs.replace(SPEC.results, snippet="css:p")
    spec = msgspec.structs.replace(SPEC, results=results, document=DocumentPage("css:main"))
    store.record(DocumentReceived(Document("a", "http://x.example/a", "A", "of the sea"), 0))
    assert replay(spec, store).ledger.cut_texts == 0
    store.record(DocumentReceived(Document("b", "", "B", "of the moon"), 0))
    assert replay(spec, store).ledger.cut_texts == 1


def test_a_list_that_has_become_empty_is_removed(tmp_path: Path) -> None:
    """A run that leaves nothing out leaves no list of an earlier run."""
    ledger = Ledger()
    ledger.left_out = ("http://x.example/other",)
    write_skipped(tmp_path, ledger)
    assert (tmp_path / LEFT_OUT).read_text().split() == ["url", *ledger.left_out]
    ledger.left_out = ()
    write_skipped(tmp_path, ledger)
    assert not (tmp_path / LEFT_OUT).exists()
