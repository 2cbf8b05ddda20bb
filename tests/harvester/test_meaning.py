"""Test a source that searches by meaning, from its address to the certificate."""

from pathlib import Path
from typing import Any

import pytest

import longline
from longline.ledger import in_words, verdict_in_sentences
from longline.simulate import read_corpus

DOCUMENTS = read_corpus("docstrings")[::25]
BOX: dict[str, Any] = {"ranking": "meaning", "limit": 10, "page_size": 10}


@pytest.mark.slow
def test_without_totals_nothing_is_made_up(tmp_path: Path) -> None:
    """The end is partial with cause "unknown", nothing counts as cut, and it can resume."""
    with longline.demo_site(DOCUMENTS, counts="none", **BOX) as url:
        certificate = longline.harvest(url, tmp_path / "a", allow_private=True).certificate
        part = longline.harvest(url, tmp_path / "b", allow_private=True, max_requests=60)
        assert part.certificate.cause == "budget"
        again = longline.harvest(url, tmp_path / "b", allow_private=True, max_requests=9999)
    assert again.certificate.documents == certificate.documents >= 0.95 * len(DOCUMENTS)
    assert again.certificate.queries == certificate.queries
    assert (certificate.outcome, certificate.cause) == ("partial", "unknown")
    assert (certificate.size, certificate.cuts, certificate.probes) == (None, {}, 0)
    said = in_words(certificate)
    assert "total      not known: every search shows the documents nearest to it" in said
    assert "capped" not in said
    assert any("because every search" in each.answer for each in verdict_in_sentences(certificate))


@pytest.mark.slow
def test_a_total_of_all_is_the_size(tmp_path: Path) -> None:
    """If every answer gives the number of documents, the coverage is known."""
    with longline.demo_site(DOCUMENTS, **{**BOX, "limit": 20, "page_size": 20}) as url:
        certificate = longline.harvest(url, tmp_path / "saved", allow_private=True).certificate
    assert certificate.size == certificate.size_low == certificate.size_high == len(DOCUMENTS)
    assert certificate.documents >= len(DOCUMENTS) - 2, in_words(certificate)
    is_whole = certificate.documents == len(DOCUMENTS)
    assert (certificate.outcome == "complete") == is_whole, in_words(certificate)
    assert certificate.cuts == {}
    assert "said by the source with every search" in in_words(certificate)


def test_a_size_that_is_given_counts(tmp_path: Path) -> None:
    """With a size and a target share the harvest ends at that share."""
    with longline.demo_site(DOCUMENTS, counts="shown", **BOX) as url:
        certificate = longline.harvest(
            url,
            tmp_path / "saved",
            allow_private=True,
            size=len(DOCUMENTS),
            target_coverage=0.5,
        ).certificate
    assert certificate.target_met
    assert 0.5 <= (certificate.hit_rate or 0) < 0.7


@pytest.mark.parametrize(("counts", "size"), [("none", None), ("exact", len(DOCUMENTS))])
def test_a_plan_names_the_way(counts: str, size: int | None) -> None:
    """The plan states the search by meaning and its cost, for a few requests."""
    with longline.demo_site(DOCUMENTS, counts=counts, **BOX) as url:
        plan = longline.plan(url, allow_private=True)
    assert plan.ranking == "meaning"
    assert plan.size.documents == size
    assert "nearest" in [route.route for route in plan.routes]
    assert plan.requests <= 40
    assert not plan.doubts
