"""Test the forecast of what further requests bring, made from a ledger."""

import numpy as np
import pytest

from longline.events import Concluded, DocumentReceived, PageReceived, SizeEstimate, Stopped
from longline.ledger import BudgetLine, Facts, Ledger, certificate_of, further, in_words
from longline.ledger.held import MOST_POINTS, Grown
from longline.model import Document, Hit, Page, Query

SIZE = 2000
DRAWN = 20


def draw(ledger: Ledger, pages: range, seed: int = 1, *, own_pages: bool = False) -> None:
    """Record pages of random documents, each page for a query of its own."""
    for number in pages:
        rng = np.random.default_rng([seed, number])
        keys = [str(key) for key in rng.choice(SIZE, DRAWN, replace=False)]
        ledger.tell(PageReceived(Query((f"w{number}",)), 1, Page(tuple(map(Hit, keys)))))
        for key in keys:
            if key not in ledger.held:
                ledger.tell(DocumentReceived(Document(key=key), requests=int(own_pages)))


def concluded() -> Concluded:
    """Return a conclusion with a size from test searches."""
    size = SizeEstimate(documents=SIZE, low=SIZE - 100, high=SIZE + 100, method="probes", probes=9)
    return Concluded(size=size)


@pytest.mark.parametrize("is_sized", [True, False])
@pytest.mark.parametrize("ahead", [20, 100, 300])
def test_random_draws(ahead: int, is_sized: bool) -> None:
    """The documents of random pages are within the interval, with and without a known size."""
    ledger = Ledger()
    draw(ledger, range(100))
    if is_sized:
        ledger.tell(concluded())
    found, before = further(ledger, ahead), ledger.documents
    draw(ledger, range(100, 100 + ahead))
    assert found is not None
    assert found.low <= ledger.documents - before <= found.high


def test_documents_that_cost_a_request() -> None:
    """If documents have their own pages, each request brings at most one document."""
    ledger = Ledger()
    draw(ledger, range(40), own_pages=True)
    found = further(ledger, 100)
    assert found is not None
    assert 50 < found.documents < 100
    assert found.high <= 100


def test_to_the_end_of_the_budget() -> None:
    """The forecast covers the rest of the budget, in requests and in seconds, and says so."""
    ledger = Ledger()
    draw(ledger, range(100))
    ledger.tell(concluded())
    ledger.tell(Stopped("spent", False, "partial", "budget"))
    budget = {"requests": BudgetLine(150, 100), "seconds": BudgetLine(100, 90)}
    by_seconds = certificate_of(ledger, Facts(budget=budget, pace=2.0))
    assert by_seconds.forecast is not None
    assert (by_seconds.forecast.requests, by_seconds.forecast.seconds) == (20, 10)
    assert by_seconds.forecast.low >= ledger.documents
    assert "after 20 more requests, about 10 s, at the end of the budget" in in_words(by_seconds)
    by_requests = certificate_of(ledger, Facts(budget=budget))
    assert by_requests.forecast is not None
    assert (by_requests.forecast.requests, by_requests.forecast.seconds) == (50, None)
    without = certificate_of(ledger)
    assert without.forecast is not None
    assert (without.forecast.requests, without.forecast.is_to_the_end) == (100, False)


@pytest.mark.parametrize(("outcome", "cause"), [("complete", ""), ("partial", "cut")])
def test_nothing_more_to_ask_for(outcome: str, cause: str) -> None:
    """For a finished harvest there is no forecast."""
    ledger = Ledger()
    draw(ledger, range(100))
    ledger.tell(Stopped("done", outcome == "complete", outcome, cause))  # type: ignore[arg-type]
    assert certificate_of(ledger).forecast is None


def test_growth_is_bounded() -> None:
    """A harvest of any length keeps some hundred points of its growth, the last one exactly."""
    grown = Grown()
    for requests in range(100_000):
        grown.see(requests, requests // 2)
    growth = grown.growth(100_000, 50_000)
    assert growth is not None
    assert len(grown._points) < MOST_POINTS
    assert growth.held == 50_000
    assert growth.at(50_000.0) == pytest.approx(25_000, rel=0.01)
