"""Test the ledger: the record chart, every kind of cut, the certificate."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.errors import BudgetSpent
from longline.events import (
    Concluded,
    Discrepancy,
    DocumentFailed,
    DocumentReceived,
    PageFailed,
    PageReceived,
    QueryCut,
    RobotsRead,
    SameDocument,
    SizeEstimate,
    Stopped,
)
from longline.ledger import (
    Allowed,
    Budget,
    Certificate,
    Facts,
    Ledger,
    Used,
    certificate_of,
    certificate_schema,
    to_json,
)
from longline.model import Document, Hit, Page, Query, Request, Total

MORE = Request("http://x.org/?page=2")
Q = Query(("q",))


def page(keys: Iterable[str], total: Total | None = None, *, more: bool = False) -> Page:
    """Make a page of hits with these keys."""
    return Page(tuple(Hit(key) for key in keys), total, MORE if more else None)


def cuts_of(ledger: Ledger, *pages: Page) -> list[str]:
    """Record the pages of one query, and return the cuts that they reveal."""
    found = []
    for number, each in enumerate(pages, 1):
        found += [cut.cut for cut in ledger.tell(PageReceived(Q, number, each))]
    return found


def test_chart_of_the_thesis_example() -> None:
    """The two solutions of Fu's example have OR 1.25 and 1, and HR 1."""
    queries = {"q1": ["d2", "d3"], "q2": ["d1", "d3", "d4"], "q3": ["d1", "d4"]}
    for solution, overlapping in (("q1", "q2"), 1.25), (("q1", "q3"), 1.0):
        ledger = Ledger(size=4)
        for name in solution:
            ledger.tell(PageReceived(Query((name,)), 1, page(queries[name])))
        last = ledger.chart()[-1]
        assert (last.overlapping_rate, last.hit_rate) == (overlapping, 1.0)
        assert last.total_unique == 4


def test_chart_says_what_was_asked() -> None:
    """The chart and the cut show a query with its alternatives, as a person would type it."""
    ledger = Ledger(limit=2)
    query = Query(("deep",), ("dark",), ("web", "sea"))
    ledger.tell(PageReceived(query, 1, page("ab")))
    assert ledger.chart()[0].query == "deep (web OR sea) NOT dark"
    certificate = certificate_of(ledger)
    assert [each.query for each in certificate.truncations] == [str(query)]


def test_chart_row_counts_pages_of_one_query_together() -> None:
    """A query of two pages has one row, with its total, its new rows and its repeats."""
    ledger = Ledger()
    ledger.tell(PageReceived(Query(("first",)), 1, page("abc")))
    ledger.tell(PageReceived(Q, 1, page("cde", Total(5), more=True)))
    ledger.tell(PageReceived(Q, 2, page("fg", Total(5))))
    row = ledger.chart()[1]
    assert (row.reported, row.received, row.new, row.repeats) == (5, 5, 4, 1)
    assert (row.total_received, row.total_unique) == (8, 7)
    assert row.query_overlapping_rate == 5 / 4
    assert row.hit_rate is None
    assert row.result_pages == 2
    assert row.cuts == ()


def test_a_page_that_comes_again_before_others_is_a_loss() -> None:
    """A page was replaced by the one before it, and more follow."""
    ledger = Ledger()
    for number, keys in enumerate(["ab", "ab", "ef"], start=1):
        ledger.tell(PageReceived(Q, number, page(keys, Total(6), more=number < 3)))
    certificate = certificate_of(ledger)
    assert "repeated" in {each.cut for each in certificate.truncations}
    assert certificate.paging_losses[0].lost == 2


@pytest.mark.parametrize("relation", ["at least", "about"])
def test_a_rough_total_hides_no_page_that_comes_again(relation: str) -> None:
    """It is the limit if the total goes on, and else named as repeated."""
    for total, cut in ((4, "repeated"), (9, "capped")):
        ledger = Ledger()
        for number, keys in enumerate(["ab", "cd", "cd"], start=1):
            ledger.tell(PageReceived(Q, number, page(keys, Total(total, relation), more=True)))
        assert [each.cut for each in certificate_of(ledger).truncations] == [cut]


@pytest.mark.parametrize("total", [4, 5, 9])
def test_a_last_page_that_comes_again_is_the_limit(total: int) -> None:
    """Nothing is cut if all that is reported came; if the total ends there, rows are missing."""
    ledger = Ledger()
    for number, keys in enumerate(["ab", "cd", "cd"], start=1):
        ledger.tell(PageReceived(Q, number, page(keys, Total(total), more=True)))
    certificate = certificate_of(ledger)
    cuts = [(each.cut, each.received) for each in certificate.truncations]
    assert cuts == {4: [], 5: [("repeated", 4)], 9: [("capped", 4)]}[total]
    assert not certificate.paging_losses


@pytest.mark.parametrize(
    ("pages", "ledger", "expected"),
    [
        ([page("ab", Total(2))], Ledger(), []),
        ([page("ab", Total(5))], Ledger(), ["capped"]),
        ([page("ab", Total(5, "about"))], Ledger(page_size=2), ["capped"]),
        ([page("ab", Total(5, "about"))], Ledger(page_size=3), []),
        ([page("ab", Total(2, "at least"))], Ledger(limit=2), ["capped"]),
        ([page("ab")], Ledger(limit=2), ["capped"]),
        ([page("ab")], Ledger(limit=3), []),
        ([Page((Hit("a"), Hit("b")), most=2)], Ledger(), ["capped"]),
        ([Page((Hit("a"), Hit("b")), Total(2), most=2)], Ledger(), ["capped"]),
        ([Page((Hit("a"), Hit("b")), most=3)], Ledger(), []),
        (
            [msgspec.structs.replace(page("ab", more=True), most=4), page("cd")],
            Ledger(),
            ["capped"],
        ),
        ([page("ab", more=True), page("c")], Ledger(page_size=3), ["clamped"]),
        ([page("abc", more=True), page("d", more=True), page("efg")], Ledger(), ["short"]),
        ([page("abc", more=True), page("")], Ledger(), ["empty"]),
        ([page("abc", more=True), page("")], Ledger(counts_pages=True), []),
        ([page("abc", more=True), page("d", more=True)], Ledger(counts_pages=True), []),
        (
            [page("abc", Total(9, "about"), more=True), page("")],
            Ledger(counts_pages=True),
            ["empty"],
        ),
        ([page("")], Ledger(), []),
        ([page("abc", more=True), page("cd")], Ledger(), ["repeated"]),
        ([page("aa")], Ledger(), ["repeated"]),
        ([page("ab", more=True), page("ab", more=True), page("ab")], Ledger(), ["repeated"]),
        ([Page((Hit("a"),), torn=True)], Ledger(), ["torn"]),
    ],
)
def test_cuts_are_named(pages: list[Page], ledger: Ledger, expected: list[str]) -> None:
    """Each kind of cut in an answer is named once, and no other."""
    assert cuts_of(ledger, *pages) == expected
    assert ledger.chart()[0].cuts == tuple(expected)


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ([page("ab", Total(3), more=True), page("c", Total(3))], ()),
        ([page("ab", Total(3), more=True)], ("clamped",)),
        ([page("ab", Total(3), more=True), page("b", Total(3))], ("clamped", "repeated")),
        ([page("ab", Total(3, "about"), more=True), page("c", Total(3, "about"))], ("clamped",)),
    ],
)
def test_a_short_page_is_no_cut_where_all_came(
    pages: list[Page], expected: tuple[str, ...]
) -> None:
    """If the pages together contain every document of an exact total, nothing was lost."""
    ledger = Ledger(page_size=3)
    cuts_of(ledger, *pages)
    assert set(ledger.chart()[0].cuts) == set(expected)


def test_failed_page_is_a_cut_until_it_comes() -> None:
    """A failed page is a cut until it is received."""
    ledger = Ledger()
    assert [cut.cut for cut in ledger.tell(PageFailed(Q, 1, "status 500", 3))] == ["failed"]
    ledger.tell(PageReceived(Q, 1, page("a")))
    assert ledger.chart()[0].cuts == ()
    assert ledger.requests == 4


def test_certificate_sums_up() -> None:
    """The certificate contains what was recorded, and survives a JSON round trip."""
    ledger = Ledger(size=4, limit=2)
    ledger.tell(RobotsRead("http://x.org", 404, "", requests=1))
    ledger.tell(PageReceived(Q, 1, page("ab", Total(3)), requests=2))
    ledger.tell(DocumentReceived(Document("a"), requests=1))
    ledger.tell(DocumentFailed("b", "http://x.org/b", "status 500", requests=0))
    ledger.tell(Stopped("done", target_met=True))
    certificate = certificate_of(ledger, Facts(source="http://x.org/", strategy="ids", seed=7))
    assert (certificate.documents, certificate.size, certificate.hit_rate) == (1, 4, 0.25)
    assert (certificate.result_pages, certificate.document_pages) == (1, 1)
    assert (certificate.requests, certificate.other_requests) == (4, 2)
    assert certificate.failed_documents == ("b: status 500",)
    assert (certificate.truncated_queries, certificate.cuts) == (1, {"capped": 1})
    assert certificate.truncations[0].reported == 3
    assert certificate.target_met
    assert msgspec.json.decode(to_json(certificate), type=Certificate) == certificate


def test_certificate_of_nothing_is_json() -> None:
    """Before the first document no rate is known, and none is invented."""
    certificate = certificate_of(Ledger(), Facts(source="s", strategy="ids"))
    assert certificate.overlapping_rate is None
    assert certificate.hit_rate is None
    assert b"NaN" not in to_json(certificate)


def test_an_event_after_a_stop_reopens_the_ledger() -> None:
    """A harvest that was resumed and killed does not claim the reason of its earlier stop."""
    ledger = Ledger()
    ledger.tell(Stopped("the budget is spent", target_met=False))
    ledger.tell(PageReceived(Q, 1, page("a")))
    assert "killed" in ledger.stopped.reason


def test_replayed_cuts_are_not_counted_twice() -> None:
    """A ledger rebuilt from a journal, which holds the cuts too, equals the one of the harvest."""
    live, journal = Ledger(), []
    for number, each in enumerate([page("ab", Total(9), more=True), page("bc", Total(9))], 1):
        event = PageReceived(Q, number, each)
        journal += [event, *live.tell(event)]
    replayed = Ledger()
    for event in journal:
        assert not [cut for cut in replayed.tell(event) if isinstance(event, QueryCut)]
    assert replayed.chart() == live.chart()


@given(st.lists(st.lists(st.integers(0, 20).map(str), max_size=6), max_size=12))
def test_chart_adds_up(answers: list[list[str]]) -> None:
    """In each row, new + repeats = received, and the totals are the sums."""
    ledger = Ledger(size=21)
    for place, keys in enumerate(answers):
        ledger.tell(PageReceived(Query((str(place),)), 1, page(keys)))
    rows = ledger.chart()
    assert all(row.new + row.repeats == row.received for row in rows)
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


def received(ledger: Ledger, word: str, *pages: Page, probe: bool = False) -> None:
    """Record the pages of a one-word query."""
    for number, each in enumerate(pages, 1):
        ledger.tell(PageReceived(Query((word,)), number, each, probe=probe))


def test_probes_are_booked_apart() -> None:
    """Probes count as requests and their documents are held, but no chart, cut or rate has them."""
    ledger = Ledger(limit=2)
    received(ledger, "own", page("ab"))
    received(ledger, "probe", page("bc"), probe=True)
    ledger.tell(PageFailed(Query(("gone",)), 1, "status 500", 2, probe=True))
    for key in "abcd":  # "d" was saved before, or is on a list
        ledger.tell(DocumentReceived(Document(key)))
    found = certificate_of(ledger)
    assert [row.query for row in ledger.chart()] == ["own"]
    assert (found.queries, found.result_pages, found.rows_received) == (1, 1, 2)
    assert (found.probes, found.probe_pages, found.probe_rows) == (2, 1, 2)
    assert (found.documents, found.probe_documents, found.overlapping_rate) == (4, 1, 1.0)
    assert [each.query for each in found.truncations] == ["own"]
    assert (found.requests, found.other_requests) == (8, 2)
    assert ledger.queries_and_probes == 3


def test_probe_that_the_harvest_asks_too_becomes_its_own() -> None:
    """The same page again, for no request, moves the rows to the harvest's own."""
    ledger = Ledger()
    received(ledger, "word", page("ab"), probe=True)
    ledger.tell(DocumentReceived(Document("a")))
    ledger.tell(PageReceived(Query(("word",)), 1, page("ab"), requests=0))
    found = certificate_of(ledger)
    assert (found.queries, found.rows_received, found.result_pages) == (1, 2, 0)
    assert (found.probes, found.probe_documents, found.requests) == (1, 0, 2)
    assert ledger.queries_and_probes == 1


@pytest.mark.parametrize(
    ("rows", "limit"),
    [
        ([7] * 5 + [3, 6, 6], 7),
        ([7] * 5 + [8], None),
        ([7] * 4 + [3] * 9, None),
        ([4] * 9, None),
    ],
)
def test_limit_is_inferred_from_answers_that_end_alike(rows: list[int], limit: int | None) -> None:
    """Five queries that end at the same largest number of rows, 5 or more, reveal the limit."""
    ledger = Ledger()
    for number, count in enumerate(rows):
        received(ledger, f"q{number}", page(f"{number}.{row}" for row in range(count)))
    found = certificate_of(ledger)
    assert found.limit == limit
    assert [each.received for each in found.truncations] == [7] * 5 * (limit is not None)
    assert all(each.inferred and each.cut == "capped" for each in found.truncations)
    assert sum(row.cuts == ("capped",) for row in ledger.chart()) == len(found.truncations)
    assert found.truncated_queries == len(found.truncations)


def test_totals_and_known_limits_leave_nothing_to_infer() -> None:
    """Answers with totals, or with unread pages, reveal no limit; a known one is kept."""
    with_totals, unread, known = Ledger(), Ledger(), Ledger(limit=9)
    for number in range(6):
        keys = [f"{number}.{row}" for row in range(7)]
        received(with_totals, f"q{number}", page(keys, Total(7)))
        received(unread, f"q{number}", page(keys, more=True))
        received(known, f"q{number}", page(keys))
    assert certificate_of(with_totals).limit is None
    assert certificate_of(unread).limit is None
    assert certificate_of(known).limit_source == "the source spec"
    assert not certificate_of(known).truncations


def test_totals_above_equal_ends_give_the_limit_away() -> None:
    """Rows that a source does not show beyond its limit are cut, not lost between pages."""
    ledger = Ledger()
    for number in range(5):
        keys = [f"{number}.{row}" for row in range(7)]
        received(ledger, f"q{number}", page(keys, Total(40), more=True), page([], Total(40)))
    found = certificate_of(ledger)
    assert (found.limit, found.cuts, found.paging_losses) == (7, {"capped": 5}, ())
    received(ledger, "q5", page("abc", Total(9), more=True), page([], Total(9)))
    found = certificate_of(ledger)
    assert (found.limit, found.cuts) == (7, {"capped": 6, "empty": 1})
    assert [each.lost for each in found.paging_losses] == [4]


def test_paging_loss_is_found_and_what_repaired_it() -> None:
    """Rows lost by a repeated page are counted, and those that narrower queries recovered."""
    ledger = Ledger()
    received(ledger, "deep", page("abc", Total(6), more=True), page("bcd", Total(6)))
    for query, keys in (("deep", "web"), "xa"), (("deep", "sea"), "yz"), (("other",), "uvw"):
        ledger.tell(PageReceived(Query(query), 1, page(keys, Total(len(keys)))))
    (loss,) = certificate_of(ledger).paging_losses
    assert (loss.query, loss.lost, loss.repaired) == ("deep", 2, 2)
    ledger = Ledger()
    received(ledger, "deep", page("abc", more=True), page("abc", more=True), page("d"))
    ledger.tell(PageReceived(Query(("deep",), ("web",)), 1, page("e")))
    (loss,) = certificate_of(ledger).paging_losses
    assert (loss.lost, loss.repaired) == (3, 1)


def test_discrepancies_of_ledger_and_policy_are_named() -> None:
    """Totals that change or are too small are listed once each, with those the policy found."""
    ledger = Ledger()
    received(ledger, "low", page("abc", Total(2)))
    received(ledger, "moves", page("abc", Total(5), more=True), page("de", Total(6)))
    seen = Discrepancy(Query(("low",)), "count", 2, 3), Discrepancy(Q, "parts", 9, 8)
    ledger.tell(Concluded(discrepancies=seen))
    found = certificate_of(ledger).discrepancies
    assert [(each.query, each.kind, each.reported, each.found) for each in found] == [
        ("low", "count", 2, 3),
        ("moves", "total changed", 5, 6),
        ("q", "parts", 9, 8),
    ]


def test_newest_conclusion_gives_the_size() -> None:
    """The size is the newest estimate, but at least what is held or exact totals claim."""
    ledger = Ledger()
    for key in "abc":
        ledger.tell(DocumentReceived(Document(key)))
    early = SizeEstimate(documents=9.4, low=5.2, high=None, method="probes", probes=9, hits=4)
    later = SizeEstimate(documents=5.4, low=2.2, high=7.1, method="probes", probes=19, hits=8)
    ledger.tell(Concluded(early))
    assert (ledger.expected_size, certificate_of(ledger).size_high) == (9, None)
    ledger.tell(Concluded(later, at_least=4))
    found = certificate_of(ledger)
    assert (found.size, found.size_low, found.size_high) == (5, 4, 8)
    assert (found.hit_rate, found.hit_rate_low, found.hit_rate_high) == (3 / 5, 3 / 8, 3 / 4)
    assert "19 random words, 8 with results" in found.size_source
    assert [each.name for each in found.estimates] == ["probes", "cells"]
    given = Ledger(size=10)
    given.tell(Concluded(later))
    found = certificate_of(given)
    assert (found.size, found.size_low, found.size_high) == (10, 10, 10)
    assert found.estimates[0].documents == 5


def test_exact_totals_alone_give_a_lower_bound() -> None:
    """Without an estimate, the totals of disjoint queries give only a lower bound."""
    ledger = Ledger()
    ledger.tell(DocumentReceived(Document("a")))
    ledger.tell(Concluded(at_least=4))
    found = certificate_of(ledger)
    assert (found.size, found.size_low, found.size_high) == (None, 4, None)
    assert (found.hit_rate, found.hit_rate_low, found.hit_rate_high) == (None, None, 1 / 4)
    assert "own totals add up to 4" in found.size_source


def test_forbidden_documents_are_named() -> None:
    """Documents forbidden by robots.txt are listed apart from those that failed."""
    ledger = Ledger()
    ledger.tell(DocumentFailed("a", "", "robots.txt disallows it", forbidden=True))
    ledger.tell(DocumentFailed("b", "", "status 404"))
    found = certificate_of(ledger)
    assert found.robots_forbidden == ("a",)
    assert found.documents_failed == 2


def test_same_texts_are_counted() -> None:
    """A text under a second key is a duplicate; the same document again, or no text, is not."""
    ledger = Ledger()
    for key, text in (
        ("a", "deep"),
        ("b", "web"),
        ("c", "deep"),
        ("c", "deep"),
        ("d", ""),
        ("e", ""),
    ):
        ledger.tell(DocumentReceived(Document(key, text=text)))
    found = certificate_of(ledger)
    assert (found.documents, found.duplicate_documents) == (5, 1)


def test_schema_is_the_one_in_the_documentation() -> None:
    """The schema in docs/reference is what `certificate_schema` returns, and fits a certificate."""
    path = Path(__file__).parents[1] / "docs/reference/certificate.schema.json"
    assert path.read_bytes() == certificate_schema()
    schema = msgspec.json.decode(certificate_schema())
    fields = schema["$defs"]["Certificate"]
    written = msgspec.json.decode(to_json(certificate_of(Ledger())))
    assert set(fields["required"]) <= written.keys() <= fields["properties"].keys()


def test_bytes_and_seconds_are_looked_at_before_each_request() -> None:
    """No request starts once the bytes or the seconds of a budget are used up."""
    budget = Budget(Allowed(body_bytes=100), Used(body_bytes=40))
    budget.spend()
    budget.receive(75)
    assert budget.unrecorded_bytes() == 75
    assert budget.unrecorded_bytes() == 0
    with pytest.raises(BudgetSpent, match="115 bytes"):
        budget.spend()
    moments = iter([4.9, 5.0])
    budget = Budget(Allowed(seconds=5), clock=lambda: next(moments))
    budget.spend()
    with pytest.raises(BudgetSpent, match="5 s"):
        budget.spend()
    assert budget.used.requests == 1


@pytest.mark.parametrize(
    ("left", "says"),
    [
        (None, "how many more it takes is not known"),
        (1, "about 1 more are expected, the last of them on 2026-03-02"),
        (14, "about 14 more are expected, the last of them on 2026-03-03"),
        (15, "about 15 more are expected, the last of them on 2026-03-04"),
    ],
)
def test_day_that_is_over_says_when_the_harvest_is(left: int | None, says: str) -> None:
    """A spent day says how many requests are left, and when the last is sent at 7 a day."""
    budget = Budget(
        Allowed(requests_per_day=10, reserve=3),
        Used(requests_today=7),
        now=lambda: datetime(2026, 3, 1, 12, tzinfo=UTC),
        left=lambda: left,
    )
    with pytest.raises(BudgetSpent, match=says):
        budget.spend()


def test_day_has_a_reserve_and_ends_at_midnight() -> None:
    """The day's requests minus the reserve may be spent; after midnight there are new ones."""
    moment = datetime(2026, 3, 1, 23, 59, tzinfo=UTC)
    now = [moment]
    budget = Budget(
        Allowed(requests_per_day=10, reserve=3), Used(requests_today=5), now=lambda: now[0]
    )
    budget.spend()
    budget.spend()
    with pytest.raises(BudgetSpent, match=r"3 of them kept back.*from 2026-03-02 00:00 UTC on"):
        budget.spend()
    now[0] = moment + timedelta(minutes=2)
    for _ in range(7):
        budget.spend()
    with pytest.raises(BudgetSpent, match="2026-03-03"):
        budget.spend()


def test_joined_documents_of_a_list_change_no_rows() -> None:
    """A search with other keys is told anew to its planner; a list is read on."""
    listed, searched = Ledger(), Ledger()
    for ledger, words in (listed, ()), (searched, ("sea",)):
        ledger.tell(PageReceived(Query(words), 1, page("ab")))
        ledger.tell(SameDocument("a", "b"))
        assert (ledger.kept_as("a"), ledger.documents_seen) == ("b", 1)
    assert (listed.retold, searched.retold) == (0, 1)
