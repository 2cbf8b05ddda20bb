"""Test what failed, what was discarded, and what a later event cancels."""

import pytest

from longline.events import (
    AnyEvent,
    DocumentFailed,
    DocumentReceived,
    DocumentWithdrawn,
    PageDisbelieved,
    PageFailed,
    PageReceived,
    SameDocument,
    SourceChecked,
    Stopped,
)
from longline.ledger import Ledger, certificate_of
from longline.ledger._failures import Failures
from longline.ledger.verdict import verdict
from longline.model import Document, Finish, Hit, Page, Query, Request, Total

WEB, SEA = Query(("web",)), Query(("sea",))
HITS = Page((Hit("a"), Hit("b")))


def failures(*events: AnyEvent) -> Failures:
    """Record some events."""
    found = Failures()
    for event in events:
        found.tell(event)
    return found


def test_a_page_that_failed_is_wanted_until_it_comes() -> None:
    """The newest failure counts; another page of the query changes nothing."""
    late = PageFailed(WEB, 2, "late")
    found = failures(PageFailed(WEB, 2, "early"), late, PageReceived(WEB, 1, HITS))
    assert found.pages == {(WEB, 2): late}
    found.tell(PageReceived(WEB, 2, HITS))
    assert not found.pages


def test_a_query_of_excluded_words_alone_may_be_refused() -> None:
    """Other searches take its place; but a later page of such a query is missed."""
    rest = Query((), excluded=("web",))
    refused, missed = PageFailed(rest, 1, "status 400"), PageFailed(rest, 2, "status 500")
    for event, count in ((refused, 0), (missed, 1)):
        ledger = Ledger()
        ledger.tell(event)
        assert len(ledger.failures.searches()) == count
        assert len(ledger.query_ledgers) == count


def test_a_page_that_is_not_believed_is_asked_again_until_it_comes() -> None:
    """The page is identified by query and number."""
    found = failures(PageDisbelieved(WEB, 1), PageDisbelieved(SEA, 1), PageReceived(WEB, 2, HITS))
    assert found.to_ask_again == {(WEB, 1), (SEA, 1)}
    found.tell(PageReceived(WEB, 1, Page()))
    assert found.to_ask_again == {(SEA, 1)}


def test_a_document_that_failed_is_missing_until_it_comes() -> None:
    """The newest failure gives the reason."""
    late = DocumentFailed("a", "", "status 500", status=500)
    found = failures(DocumentFailed("a", "", "no answer"), late, DocumentReceived(Document("b")))
    assert found.documents == {"a": late}
    found.tell(DocumentReceived(Document("a")))
    assert not found.documents


def test_a_withdrawn_document_is_one_that_failed() -> None:
    """It can be retried, and is named by the page that replaced it."""
    found = failures(DocumentWithdrawn("a", "http://x.example/a", "why", "Welcome"))
    assert found.documents["a"].passing
    assert found.documents["a"].reason == "why"
    assert found.placeholders() == {"Welcome": 1}
    found.tell(DocumentReceived(Document("a")))
    assert found.placeholders() == {}


def test_withdrawn_documents_are_held_no_more() -> None:
    """The ledger counts each as failed once, and as held again when it is received."""
    ledger = Ledger()
    for key in "abc":
        ledger.tell(DocumentReceived(Document(key, text="Welcome")))
    for key in "ab":
        ledger.tell(DocumentWithdrawn(key, "", "", "Welcome"))
    assert (ledger.documents, ledger.documents_failed) == (1, 2)
    ledger.tell(DocumentReceived(Document("a", text="Deep web")))
    assert (ledger.documents, ledger.documents_failed) == (2, 1)


def test_two_keys_of_one_document_count_once() -> None:
    """It is held and seen once, and a held key cancels the failure of the other one."""
    ledger = Ledger()
    ledger.tell(PageReceived(WEB, 1, Page((Hit("a1"), Hit("b1")))))
    ledger.tell(PageReceived(SEA, 1, Page((Hit("a2"), Hit("b2")))))
    for key in ("a1", "a2", "b2"):
        ledger.tell(DocumentReceived(Document(key)))
    ledger.tell(DocumentFailed("c2", "", "timed out"))
    for name in "abc":
        ledger.tell(SameDocument(f"{name}2", f"{name}1"))
    assert (ledger.documents, ledger.documents_seen, ledger.documents_failed) == (2, 2, 0)
    assert [ledger.kept_as(key) for key in ("a1", "a2", "d")] == ["a1", "a1", "d"]


def test_pages_without_hits_are_unproven_until_hits_come() -> None:
    """Each that cost a request is listed in order; one without a request was proven before."""
    found = failures(
        PageReceived(WEB, 1, Page()),
        PageReceived(SEA, 1, Page(total=Total(0)), probe=True),
        PageReceived(WEB, 2, Page(), requests=0),
    )
    assert found.unproven == [(WEB, 1), (SEA, 1)]
    found.tell(PageReceived(WEB, 3, HITS))
    assert not found.unproven


@pytest.mark.parametrize("doubted", [0, 1])
def test_an_end_says_whether_anything_is_to_be_asked_again(doubted: int) -> None:
    """Discarded pages that were requested again or are no longer wanted do not count."""
    stopped = Stopped("", False, "partial", "cut", doubted)
    assert len(failures(PageDisbelieved(WEB, 1), stopped).to_ask_again) == doubted


def test_the_certificate_counts_the_answers_that_made_its_end_partial() -> None:
    """The number in the reason is also in the certificate's figures."""
    ledger = Ledger(size=0)
    ledger.tell(PageReceived(WEB, 1, Page()))
    ledger.tell(PageDisbelieved(WEB, 1))
    ledger.tell(verdict(Finish("all was asked"), ledger))
    found = certificate_of(ledger)
    assert "1 answers are doubtful" in found.stopped
    assert found.disbelieved_pages == 1


@pytest.mark.parametrize(
    ("event", "proves"),
    [
        (SourceChecked(answers=True), True),
        (SourceChecked(answers=False), False),
        (Stopped("", True, "complete"), True),
        (Stopped("", False, "partial", "cut"), True),
        (Stopped("", False, "partial", "budget"), False),
        (Stopped("", False, "partial", "interrupted"), False),
        (Stopped("", False, "blocked", "silence"), False),
        (Stopped("", False, "unreachable"), False),
        (Stopped("", False, "empty"), False),
        (Stopped("", True), False),
        (PageFailed(SEA, 1, ""), False),
        (DocumentReceived(Document("a")), False),
    ],
)
def test_what_proves_that_the_source_still_answered(event: AnyEvent, proves: bool) -> None:
    """Only a passed check, or an end that follows one, proves it."""
    assert failures(PageReceived(WEB, 1, Page()), event).unproven == ([] if proves else [(WEB, 1)])


def test_the_sum_says_what_of_it_is_gone_forbidden_and_in_whose_place() -> None:
    """Each document is counted once, by its newest failure."""
    found = failures(
        DocumentFailed("a", "", "404", status=404),
        DocumentFailed("b", "", "410", status=410),
        DocumentFailed("c", "", "robots.txt", forbidden=True),
        DocumentFailed("d", "", "odd", placeholder="Log in"),
        DocumentFailed("e", "", "odd", placeholder="Welcome"),
        DocumentFailed("f", "", "odd", placeholder="Welcome"),
        DocumentFailed("g", "", "a file", media_type="application/pdf"),
        PageDisbelieved(WEB, 1),
    )
    assert found.summed_up() == {
        "documents_failed": 7,
        "documents_gone": 2,
        "failed_documents": (
            *("a: 404", "b: 410", "c: robots.txt"),
            *("d: odd", "e: odd", "f: odd", "g: a file"),
        ),
        "placeholders": {"Welcome": 2, "Log in": 1},
        "files_left": {"application/pdf": 1},
        "disbelieved_pages": 1,
        "robots_forbidden": ("c",),
    }
    assert list(found.placeholders()) == ["Welcome", "Log in"]


def test_a_disbelieved_answer_is_taken_out_of_the_ledger() -> None:
    """Its query is removed from the chart; the received rows stay counted."""
    ledger = Ledger()
    ledger.tell(PageReceived(WEB, 1, HITS))
    ledger.tell(PageReceived(SEA, 1, HITS))
    ledger.tell(PageDisbelieved(SEA, 1))
    assert [row.query for row in ledger.chart()] == ["web"]
    assert (ledger.queries, ledger.rows_received, ledger.requests) == (1, 4, 2)
    ledger.tell(PageReceived(SEA, 1, Page((Hit("c"),))))
    assert [(row.query, row.new) for row in ledger.chart()] == [("web", 2), ("sea", 1)]


def test_a_disbelieved_later_page_leaves_its_query_unfinished() -> None:
    """Its cut is removed, earlier pages stay, and the query is cut until the page is received."""
    ledger, more = Ledger(), Request("http://x.example/?page=2")
    ledger.tell(PageReceived(WEB, 1, Page((Hit("a"), Hit("b")), next=more)))
    assert [cut.cut for cut in ledger.tell(PageReceived(WEB, 2, Page()))] == ["empty"]
    ledger.tell(PageDisbelieved(WEB, 2))
    assert ledger.chart()[0].cuts == ()
    assert ledger.cut_queries == 1
    ledger.tell(PageReceived(WEB, 2, Page((Hit("c"),))))
    assert (ledger.cut_queries, ledger.chart()[0].result_pages) == (0, 2)


def test_disbelief_of_a_page_that_the_ledger_does_not_have_changes_nothing() -> None:
    """A probe's page is not in the chart."""
    ledger = Ledger()
    ledger.tell(PageReceived(WEB, 1, Page(), probe=True))
    ledger.tell(PageDisbelieved(WEB, 1))
    assert (ledger.queries, ledger.probes, ledger.chart()) == (0, 1, [])
