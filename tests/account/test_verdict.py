"""When a harvest is complete: each thing that speaks against it, and where each begins."""

from collections.abc import Iterable

import pytest

from longline.account import Account
from longline.account.verdict import ENOUGH, shortfall, verdict
from longline.events import (
    Concluded,
    DocumentFailed,
    DocumentReceived,
    PageDisbelieved,
    PageReceived,
    SizeEstimate,
)
from longline.model import Document, Finish, Hit, Page, Query, Total
from longline.outcomes import Ending

DONE = Finish("all was asked")
CUT = Finish("the return limit hides some", target_met=False)


def account_of(documents: int, size: int | None = None, **options: int) -> Account:
    """Return books that hold so many documents."""
    account = Account(size=size, **options)
    for number in range(documents):
        account.tell(DocumentReceived(Document(str(number))))
    return account


def estimated(documents: int, size: float, low: float, high: float | None) -> Account:
    """Return books that hold so many documents, of an estimated number."""
    account = account_of(documents)
    found = SizeEstimate(documents=size, low=low, high=high, method="probes", probes=200, hits=100)
    account.tell(Concluded(found))
    return account


def ending(finish: Finish, account: Account, target: float | None = None) -> Ending:
    """Return the outcome with its cause; only a complete one has its target met without one."""
    stopped = verdict(finish, account, target)
    if target is None:
        assert stopped.target_met == (stopped.outcome == "complete")
    return stopped.ending


def missing(account: Account, finish: Finish = DONE) -> str:
    """Return why a harvest is partial whose thinker is done; nothing else is said then."""
    stopped = verdict(finish, account)
    assert stopped.ending == Ending("partial", "cut")
    reason, _, found = stopped.reason.partition("; ")
    assert reason == finish.reason
    assert found == shortfall(account)
    return found


def test_all_that_there_is_is_complete() -> None:
    """With every document held of a size that was given, and nothing odd, nothing is missing."""
    account = account_of(4, size=4)
    assert verdict(DONE, account).reason == "all was asked"
    assert ending(DONE, account) == Ending("complete")


def test_a_thinker_that_was_thwarted_is_never_complete() -> None:
    """Whatever the books say, and its reason stands as it is."""
    account = account_of(4, size=4)
    assert ending(CUT, account) == Ending("partial", "cut")
    assert verdict(CUT, account).reason == CUT.reason


def test_a_size_that_is_given_is_to_be_held_to_the_last_document() -> None:
    """A share of it is not enough: its interval is a point."""
    assert missing(account_of(99, size=100)) == "about 1 document is missing"
    assert ending(DONE, account_of(100, size=100)) == Ending("complete")


def test_of_an_estimated_size_enough_is_to_be_held() -> None:
    """From the share on that counts as enough, and not one document before."""
    enough = round(1000 * ENOUGH)
    assert ending(DONE, estimated(enough, 1000, 900, 1100)) == Ending("complete")
    assert missing(estimated(enough - 1, 1000, 900, 1100)) == "about 31 documents are missing"


def test_less_than_the_interval_allows_is_too_little() -> None:
    """Where more are there for certain, a large share alone is no completeness."""
    assert missing(estimated(989, 1000, 990, 1100)) == "about 11 documents are missing"
    assert ending(DONE, estimated(990, 1000, 990, 1100)) == Ending("complete")
    assert ending(DONE, estimated(990, 1000, 990, None)) == Ending("complete")


def test_documents_that_are_gone_are_not_missing() -> None:
    """They count as had, since the source itself says that they are not there."""
    account = account_of(3, size=5)
    for key, status in (("x", 404), ("y", 410)):
        account.tell(DocumentFailed(key, "", "", status=status))
    assert ending(DONE, account) == Ending("complete")
    assert account.documents == 3


@pytest.mark.parametrize("status", [None, 403, 500])
def test_documents_that_could_not_be_read_are_missing(status: int | None) -> None:
    """However few, whatever the size, and the way to try them again is named."""
    account = account_of(1000, size=1000)
    account.tell(DocumentFailed("x", "", "", status=status))
    account.tell(DocumentFailed("gone", "", "", status=404))
    found = missing(account)
    assert found.startswith("1 documents that the source lists could not be read")
    assert "longline retry DIR" in found
    account.tell(DocumentReceived(Document("x")))
    assert ending(DONE, account) == Ending("complete")


def test_empty_answers_that_are_not_believed_may_hide_documents() -> None:
    """Until each came again."""
    account, query = account_of(4, size=4), Query(("web",))
    account.tell(PageDisbelieved(query, 1))
    account.tell(PageDisbelieved(Query(("sea",)), 1))
    assert missing(account).startswith("2 empty answers are doubtful")
    for word in ("web", "sea"):
        account.tell(PageReceived(Query((word,)), 1, Page()))
    assert ending(DONE, account) == Ending("complete")


def asked(account: Account, rows: Iterable[int], *, limit_hit: bool) -> None:
    """Tell a query for each of so many rows, with a total that says whether it was cut."""
    for number, count in enumerate(rows):
        hits = tuple(Hit(f"{number}.{row}") for row in range(count))
        page = Page(hits, Total(count + limit_hit))
        account.tell(PageReceived(Query((f"q{number}",)), 1, page))


def test_without_a_size_a_cut_answer_hides_nobody_knows_how_much() -> None:
    """One is enough; answers that came whole leave nothing to say."""
    account = account_of(4)
    asked(account, [2, 2], limit_hit=False)
    assert ending(DONE, account) == Ending("complete")
    asked(account, [3], limit_hit=True)
    assert missing(account).startswith("1 searches showed only a part of their results")


def test_without_a_size_exact_totals_say_how_many_at_least() -> None:
    """Fewer held than disjoint queries claim are too few."""
    account = account_of(4)
    account.tell(Concluded(at_least=5))
    assert missing(account) == "at least 1 documents are missing"
    account.tell(DocumentReceived(Document("last")))
    assert ending(DONE, account) == Ending("complete")


def test_a_cut_answer_hides_nothing_where_the_size_says_that_all_is_held() -> None:
    """What one query was cut of, others brought."""
    account = account_of(4, size=4)
    asked(account, [3], limit_hit=True)
    assert ending(DONE, account) == Ending("complete")


@pytest.mark.parametrize(
    ("held", "met"),
    [(880, True), (879, False)],
)
def test_a_target_is_met_where_the_interval_shows_it(held: int, met: bool) -> None:
    """The share of what there is at most counts, not that of the estimate."""
    stopped = verdict(DONE, estimated(held, 1000, 850, 1100), target=0.8)
    assert stopped.target_met is met
    assert stopped.ending == Ending("partial", "budget" if met else "cut")


def test_a_target_that_is_met_by_all_there_is_is_complete() -> None:
    """Only where nothing else is missing, and the thinker was not thwarted."""
    assert ending(DONE, account_of(4, size=4), 0.9) == Ending("complete")
    assert ending(CUT, account_of(4, size=4), 0.9) == Ending("partial", "budget")
    account = account_of(4, size=4)
    account.tell(PageDisbelieved(Query(("web",)), 1))
    stopped = verdict(DONE, account, 0.9)
    assert (stopped.ending, stopped.target_met) == (Ending("partial", "budget"), True)


def test_a_target_that_is_not_met_says_what_is_held_and_what_of_it_is_sure() -> None:
    """Both shares are of the size; without an upper end nothing is sure, without a size unknown."""
    found = verdict(DONE, estimated(500, 1000, 850, 2000), target=0.8)
    assert found.reason == (
        "50.0% of the documents are saved, at least 25.0% for sure; the target is 80.0%; "
        "all was asked"
    )
    found = verdict(DONE, estimated(500, 1000, 850, None), target=0.4)
    assert found.reason == "50.0% of the documents are saved; the target is 40.0%; all was asked"
    assert not found.target_met
    found = verdict(CUT, account_of(5), target=0.1)
    assert found.reason.startswith("the coverage is not known; the target is 10.0%")
    assert (found.ending, found.target_met) == (Ending("partial", "cut"), False)
    assert verdict(DONE, account_of(5), target=0.1).ending == Ending("complete")


def test_what_robots_txt_keeps_out_altogether_is_blocked() -> None:
    """Where it forbids every document; where some came, those that it forbids are missing."""
    account = account_of(0, size=2)
    for key in "xy":
        account.tell(DocumentFailed(key, "", "robots.txt disallows it", forbidden=True))
    assert ending(DONE, account) == Ending("blocked", "robots")
    account.tell(DocumentReceived(Document("x")))
    assert ending(DONE, account) == Ending("partial", "cut")
