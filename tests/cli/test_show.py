"""The progress line that is shown during a harvest."""

from longline.cli.run import Pace, retried, state
from longline.events import (
    Concluded,
    DocumentFailed,
    DocumentReceived,
    PageReceived,
    SizeEstimate,
)
from longline.ledger import Facts, Ledger, certificate_of
from longline.model import Document, Hit, Page, Query


def ledger_of(documents: int, *, size: int | None = None, failed: int = 0) -> Ledger:
    """Return a ledger with this many documents, all from one result page."""
    ledger = Ledger(size=size)
    hits = tuple(Hit(f"k{number}") for number in range(documents + failed))
    ledger.tell(PageReceived(Query(("word",)), 1, Page(hits)))
    for hit in hits[:documents]:
        ledger.tell(DocumentReceived(Document(hit.key)))
    for hit in hits[documents:]:
        ledger.tell(DocumentFailed(hit.key, "", "gone"))
    return ledger


def test_state_says_what_is_left_and_what_failed() -> None:
    """The line shows size, time left at this rate, a slow rate, and failures."""
    said = state(ledger_of(100, size=700, failed=3), Pace(50, 54, 100.0), most=2500)
    assert said.startswith("100 of 700 documents, 101 of 2,500 requests, at least 20 min left, ")
    assert "3 failed, 0.5/s, each 1.00 times" in said


def test_a_retry_tells_what_failed_before_and_after() -> None:
    """What failed is counted also where documents came that were not known before."""
    before, after = (
        certificate_of(ledger_of(documents, failed=failed), Facts(source="x"))
        for documents, failed in ((7, 3), (9, 5))
    )
    said = "tried again: 2 new documents came; documents that could not be read: 5, before 3"
    assert retried(before, after) == said
    assert retried(after, after).startswith("tried again: 0 new documents came; ")
    assert "nothing was tried again" in retried(certificate_of(Ledger(), Facts(source="x")), after)


def test_state_has_the_interval_as_it_narrows() -> None:
    """An estimated total is shown with its newest bounds."""
    ledger = ledger_of(100)
    for low, high in ((200, 900), (320, 380)):
        estimate = SizeEstimate(documents=350, low=low, high=high, method="probes")
        ledger.tell(Concluded(estimate))
        said = state(ledger, Pace(0, 1, 1.0))
        assert said.startswith(f"100 of about 350 documents ({low} to {high}), ")


def test_state_promises_nothing_that_is_not_known() -> None:
    """Without a size, or after few documents, no time left is shown."""
    assert "left" not in state(ledger_of(100), Pace(100, 104, 10.0))
    assert "left" not in state(ledger_of(100, size=200), Pace(5, 7, 10.0))
    assert state(Ledger(), Pace(0, 1, 1.0)) == "0 documents, 0 requests, 1.0/s"
