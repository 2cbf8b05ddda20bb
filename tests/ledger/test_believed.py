"""Test the size in the certificate: its bounds, and the effect of contradicting evidence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.estimate import raised, with_cells
from longline.events import (
    Concluded,
    Discrepancy,
    DocumentReceived,
    PageDisbelieved,
    PageReceived,
    SizeEstimate,
)
from longline.ledger import Ledger
from longline.ledger._size import Believed, believed
from longline.model import Document, Hit, Page, Query, Total

USER = "given by the user"
KINDS = ("count", "parts", "term", "rows repeated", "page lost")


def probes(documents: float, low: float, high: float | None) -> SizeEstimate:
    """Make an estimate from probes."""
    return SizeEstimate(
        documents=documents, low=low, high=high, method="probes", probes=90, hits=70
    )


def concluded(size: SizeEstimate | None, at_least: int = 0, kind: str = "") -> Concluded:
    """Make a conclusion, optionally with a discrepancy."""
    odd = (Discrepancy(Query(("web",)), kind, 5, 4),) if kind else ()
    return Concluded(size, at_least, odd)


def interval(found: Believed) -> tuple[int | None, int | None, int | None]:
    """Return low, size and high."""
    return found.low, found.size, found.high


@pytest.mark.parametrize(("held", "size"), [(9, 10), (10, 10)])
def test_a_size_that_is_given_is_a_point_up_to_what_is_held(held: int, size: int) -> None:
    """A given size is used while it is not exceeded, whatever the conclusion says."""
    found = believed(10, USER, concluded(probes(30, 20, 40), 25), held)
    assert found == Believed(size, size, size, USER)


def test_a_given_size_below_what_is_held_counts_for_nothing() -> None:
    """Probes replace it; without any, the number of held documents is the lower bound."""
    conclusion = concluded(probes(30, 20, 40))
    assert interval(believed(10, USER, conclusion, 11)) == (20, 30, 40)
    for found in (believed(10, USER, None, 11), believed(10, USER, concluded(None, 25), 11)):
        assert interval(found) == (11, None, None)
        assert found.source == "not known: 10, given by the user, are too few"


def test_nothing_concluded_is_nothing_known() -> None:
    """Neither no conclusion nor one without counts gives a size."""
    assert believed(None, USER, None, 7) == Believed()
    assert believed(None, USER, concluded(None), 7) == Believed()


def test_a_list_of_all_is_the_size_up_to_what_is_held() -> None:
    """The length of the source's own list is the size, unless more are held."""
    found = believed(None, USER, Concluded(listed=9), 7)
    assert (interval(found), found.source) == ((9, 9, 9), "the source's own list of all")
    assert believed(None, USER, Concluded(listed=9), 10).size is None


@pytest.mark.parametrize(("held", "low"), [(7, 9), (9, 9), (11, 11)])
def test_exact_totals_alone_bound_from_below(held: int, low: int) -> None:
    """The size is at least the total, or the number of held documents."""
    found = believed(None, USER, concluded(None, 9), held)
    assert interval(found) == (low, None, None)
    assert found.source == "not known; the source's own totals add up to 9"


@pytest.mark.parametrize("kind", KINDS)
def test_doubted_totals_alone_bound_nothing(kind: str) -> None:
    """If other totals were wrong, only the number of held documents is a lower bound."""
    found = believed(None, USER, concluded(None, 9, kind), 7)
    assert interval(found) == (7, None, None)
    assert "other totals were wrong" in found.source


def test_probes_alone_are_rounded_outwards() -> None:
    """The interval is rounded outwards; a missing upper end stays None."""
    assert interval(believed(None, USER, concluded(probes(30.6, 20.9, 40.1)), 5)) == (20, 31, 41)
    assert interval(believed(None, USER, concluded(probes(30.4, 20.0, None)), 5)) == (20, 30, None)


@pytest.mark.parametrize(
    ("at_least", "expected"),
    [
        (0, (20, 30, 40)),
        (20, (20, 30, 40)),
        (21, (21, 30, 40)),
        (30, (30, 30, 40)),
        (35, (35, 35, 47)),
        (40, (40, 40, 54)),
        (41, (20, 40, 55)),
        (60, (20, 40, 80)),
    ],
)
def test_exact_totals_narrow_what_they_agree_with_and_widen_the_rest(
    at_least: int, expected: tuple[int, int, int]
) -> None:
    """Within the interval they are a lower bound; above it the interval is widened to hold both."""
    found = believed(None, USER, concluded(probes(30, 20, 40), at_least), 5)
    assert interval(found) == expected
    assert ("own totals add up" in found.source) == (at_least >= 20)
    assert ("not certain" in found.source) == (at_least > 40)


@pytest.mark.parametrize("kind", KINDS)
def test_doubted_totals_never_narrow(kind: str) -> None:
    """With a discrepancy, totals are no lower bound and move no estimate."""
    conclusion = concluded(probes(30, 20, 40), 35, kind)
    found = believed(None, USER, conclusion, 5)
    assert interval(found) == (20, 30, 40)
    assert found.source.endswith("own totals add up to 35, which is not certain")
    assert interval(believed(None, USER, concluded(probes(30, 20, 40), 60, kind), 5)) == (
        20,
        30,
        80,
    )


@pytest.mark.parametrize("kind", ["hidden", "page failed", "total"])
def test_what_the_limit_hides_puts_no_total_in_doubt(kind: str) -> None:
    """Documents beyond the limit are no sign that a total is wrong."""
    found = believed(None, USER, concluded(probes(30, 20, 40), 35, kind), 5)
    assert interval(found) == (35, 35, 47)


@pytest.mark.parametrize(
    ("held", "expected"),
    [(20, (20, 30, 40)), (25, (25, 30, 40)), (40, (40, 40, 54)), (50, (50, 50, 67))],
)
def test_what_is_held_is_a_hard_bound(held: int, expected: tuple[int, int, int]) -> None:
    """The size is never below it; a raised estimate keeps its upward uncertainty."""
    assert interval(believed(None, USER, concluded(probes(30, 20, 40)), held)) == expected


def test_what_is_held_bounds_what_is_doubted_too() -> None:
    """If more are held than probes and totals allow, the interval starts there."""
    found = believed(None, USER, concluded(probes(30, 20, 40), 35, "parts"), 60)
    assert interval(found) == (60, 60, 80)


@given(
    st.floats(1, 1e6),
    st.floats(1, 3),
    st.floats(1.01, 3),
    st.integers(0, 10**6),
    st.booleans(),
    st.floats(0, 1e6),
)
def test_evidence_that_contradicts_widens(
    documents: float, below: float, above: float, at_least: int, doubted: bool, known: float
) -> None:
    """Ends stay in order and hold both claims; a total above the interval never makes a point."""
    before = probes(documents, documents / below, documents * above)
    after = with_cells(before, at_least, is_doubted=doubted)
    assert before.high is not None
    assert after.high is not None
    assert after.low <= after.documents <= after.high
    assert after.high >= max(before.high, at_least)
    if at_least > before.high or doubted:
        assert after.low == before.low
    up = raised(after, known)
    assert up.high is not None
    assert known <= up.low <= up.documents <= up.high * (1 + 1e-9)
    if known > after.high:
        assert up.high > up.low or after.high == after.documents


def test_the_ledger_holds_documents_against_the_conclusion() -> None:
    """Received documents raise the size, whether the harvest or a probe requested them."""
    ledger = Ledger()
    for number in range(50):
        ledger.tell(DocumentReceived(Document(str(number))))
    ledger.tell(concluded(probes(30, 20, 40), 35, "parts"))
    assert interval(ledger.believed()) == (50, 50, 67)


def test_the_largest_total_of_a_search_is_a_bound() -> None:
    """Approximate totals and discarded pages do not count, nor any where totals were wrong."""
    ledger = Ledger()
    for word, total in ("sea", Total(40)), ("fish", Total(700, "about")), ("bay", Total(90)):
        ledger.tell(PageReceived(Query((word,)), 1, Page((Hit(word),), total)))
    assert (ledger.believed().size, ledger.believed().low) == (None, 90)
    ledger.tell(PageDisbelieved(Query(("bay",)), 1))
    assert ledger.believed().low == 40
    ledger.tell(PageReceived(Query(("sea",)), 2, Page((Hit("other"),), Total(30))))
    assert ledger.believed().low == 30
    ledger.tell(Concluded(None))
    assert ledger.believed().low == 30
    odd = Discrepancy(Query(("sea",)), "count", 30, 2)
    ledger.tell(Concluded(None, discrepancies=(odd,)))
    assert ledger.believed().low is None


def test_a_page_is_looked_up_only_where_the_journal_may_have_it() -> None:
    """These are pages up to the last received one, and all pages of probes and discarded ones."""
    ledger, sea, bay, ice = Ledger(), Query(("sea",)), Query(("bay",)), Query(("ice",))
    assert not ledger.may_have_page(sea, 1)
    for number in 1, 3:  # the second one failed
        ledger.tell(PageReceived(sea, number, Page((Hit(str(number)),))))
    assert [ledger.may_have_page(sea, number) for number in range(1, 5)] == [*[True] * 3, False]
    ledger.tell(PageReceived(bay, 1, Page((Hit("4"),)), probe=True))
    ledger.tell(PageReceived(ice, 1, Page((Hit("5"),))))
    ledger.tell(PageDisbelieved(ice, 1))
    assert ledger.may_have_page(bay, 2)
    assert ledger.may_have_page(ice, 2)
