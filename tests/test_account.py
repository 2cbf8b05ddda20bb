"""The books: the record chart, every way of being cut, the certificate."""

from collections.abc import Iterable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.account import Account, Allowed, Budget, Certificate, Used, to_json
from longline.errors import BudgetSpent
from longline.events import (
    DocumentFailed,
    DocumentReceived,
    PageFailed,
    PageReceived,
    QueryCut,
    RobotsRead,
    Stopped,
)
from longline.model import Document, Hit, Page, Query, Request, Total

MORE = Request("http://x.org/?page=2")
Q = Query(("q",))


def page(keys: Iterable[str], total: Total | None = None, *, more: bool = False) -> Page:
    """Make a page of hits with these keys."""
    return Page(tuple(Hit(key) for key in keys), total, MORE if more else None)


def cuts_of(account: Account, *pages: Page) -> list[str]:
    """Tell the pages of one query, and return the cuts that they reveal."""
    found = []
    for number, each in enumerate(pages, 1):
        found += [cut.cut for cut in account.tell(PageReceived(Q, number, each))]
    return found


def test_chart_of_the_thesis_example() -> None:
    """The two solutions of Fu's example have OR 1.25 and 1, and HR 1."""
    queries = {"q1": ["d2", "d3"], "q2": ["d1", "d3", "d4"], "q3": ["d1", "d4"]}
    for solution, overlapping in (("q1", "q2"), 1.25), (("q1", "q3"), 1.0):
        account = Account(size=4)
        for name in solution:
            account.tell(PageReceived(Query((name,)), 1, page(queries[name])))
        last = account.chart()[-1]
        assert (last.overlapping_rate, last.hit_rate) == (overlapping, 1.0)
        assert last.total_unique == 4


def test_chart_says_what_was_asked() -> None:
    """A query's text has its alternatives, as a person would type them, and so has its cut."""
    account = Account(limit=2)
    query = Query(("deep",), ("dark",), ("web", "sea"))
    account.tell(PageReceived(query, 1, page("ab")))
    assert account.chart()[0].query == "deep (web OR sea) NOT dark"
    certificate = account.certificate(source="", strategy="", seed=0)
    assert [each.query for each in certificate.truncations] == [str(query)]


def test_chart_row_counts_pages_of_one_query_together() -> None:
    """A query of two pages has one row, with its claims, its new rows and its repeats."""
    account = Account()
    account.tell(PageReceived(Query(("first",)), 1, page("abc")))
    account.tell(PageReceived(Q, 1, page("cde", Total(5), more=True)))
    account.tell(PageReceived(Q, 2, page("fg", Total(5))))
    row = account.chart()[1]
    assert (row.claimed, row.received, row.new, row.duplicates) == (5, 5, 4, 1)
    assert (row.total_received, row.total_unique) == (8, 7)
    assert row.query_overlapping_rate == 5 / 4
    assert row.hit_rate is None
    assert row.result_pages == 2
    assert row.cuts == ()


@pytest.mark.parametrize(
    ("pages", "account", "expected"),
    [
        ([page("ab", Total(2))], Account(), []),
        ([page("ab", Total(5))], Account(), ["capped"]),
        ([page("ab", Total(5, "about"))], Account(page_size=2), ["capped"]),
        ([page("ab", Total(5, "about"))], Account(page_size=3), []),
        ([page("ab", Total(2, "at least"))], Account(limit=2), ["capped"]),
        ([page("ab")], Account(limit=2), ["capped"]),
        ([page("ab")], Account(limit=3), []),
        ([page("ab", more=True), page("c")], Account(page_size=3), ["clamped"]),
        ([page("abc", more=True), page("d", more=True), page("efg")], Account(), ["short"]),
        ([page("abc", more=True), page("")], Account(), ["empty"]),
        ([page("")], Account(), []),
        ([page("abc", more=True), page("cd")], Account(), ["repeated"]),
        ([page("aa")], Account(), ["repeated"]),
        ([page("ab", more=True), page("ab", more=True), page("ab")], Account(), ["repeated"]),
    ],
)
def test_cuts_are_named(pages: list[Page], account: Account, expected: list[str]) -> None:
    """Each way in which an answer falls short is named once, and nothing else is."""
    assert cuts_of(account, *pages) == expected
    assert account.chart()[0].cuts == tuple(expected)


def test_failed_page_is_a_cut_until_it_comes() -> None:
    """A page that failed is named, and no more once it came."""
    account = Account()
    assert [cut.cut for cut in account.tell(PageFailed(Q, 1, "status 500", 3))] == ["failed"]
    account.tell(PageReceived(Q, 1, page("a")))
    assert account.chart()[0].cuts == ()
    assert account.requests == 4


def test_certificate_sums_up() -> None:
    """The certificate holds what was told, and reads back from its JSON as it was."""
    account = Account(size=4, limit=2)
    account.tell(RobotsRead("http://x.org", 404, "", requests=1))
    account.tell(PageReceived(Q, 1, page("ab", Total(3)), requests=2))
    account.tell(DocumentReceived(Document("a"), requests=1))
    account.tell(DocumentFailed("b", "http://x.org/b", "status 500", requests=0))
    account.tell(Stopped("done", target_met=True))
    certificate = account.certificate(source="http://x.org/", strategy="ids", seed=7)
    assert (certificate.documents, certificate.size, certificate.hit_rate) == (1, 4, 0.25)
    assert (certificate.result_pages, certificate.document_pages) == (1, 1)
    assert (certificate.requests, certificate.other_requests) == (4, 2)
    assert certificate.failed_documents == ("b: status 500",)
    assert (certificate.truncated_queries, certificate.cuts) == (1, {"capped": 1})
    assert certificate.truncations[0].claimed == 3
    assert certificate.target_met
    assert msgspec.json.decode(to_json(certificate), type=Certificate) == certificate


def test_certificate_of_nothing_is_json() -> None:
    """Before the first document no rate is known, and none is made up."""
    certificate = Account().certificate(source="s", strategy="ids", seed=0)
    assert certificate.overlapping_rate is None
    assert certificate.hit_rate is None
    assert b"NaN" not in to_json(certificate)


def test_an_event_after_a_stop_reopens_the_books() -> None:
    """A harvest that was resumed and killed does not claim the reason of its earlier stop."""
    account = Account()
    account.tell(Stopped("the budget is spent", target_met=False))
    account.tell(PageReceived(Q, 1, page("a")))
    assert "killed" in account.stopped.reason


def test_replayed_cuts_are_not_counted_twice() -> None:
    """Books made from a journal, which holds the cuts too, equal the books of the harvest."""
    live, journal = Account(), []
    for number, each in enumerate([page("ab", Total(9), more=True), page("bc", Total(9))], 1):
        event = PageReceived(Q, number, each)
        journal += [event, *live.tell(event)]
    replayed = Account()
    for event in journal:
        assert not [cut for cut in replayed.tell(event) if isinstance(event, QueryCut)]
    assert replayed.chart() == live.chart()


@given(st.lists(st.lists(st.integers(0, 20).map(str), max_size=6), max_size=12))
def test_chart_adds_up(answers: list[list[str]]) -> None:
    """Row by row, new + duplicates = received, and the totals are the sums."""
    account = Account(size=21)
    for place, keys in enumerate(answers):
        account.tell(PageReceived(Query((str(place),)), 1, page(keys)))
    rows = account.chart()
    assert all(row.new + row.duplicates == row.received for row in rows)
    if rows:
        assert rows[-1].total_received == sum(row.received for row in rows)
        assert rows[-1].total_unique == len({key for keys in answers for key in keys})


def test_budget_is_never_exceeded_by_one() -> None:
    """The request after the last one allowed is refused before it is counted."""
    budget = Budget(Allowed(requests=3), Used(requests=1))
    budget.spend()
    budget.spend()
    with pytest.raises(BudgetSpent, match="3 requests"):
        budget.spend()
    assert budget.used.requests == 3
