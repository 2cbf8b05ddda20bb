"""Test the short output of results in a notebook, and a message when learning is stopped."""

from pathlib import Path

import pytest
from bench.faulty.faults import Faulty, Refuse

import longline
from longline.outcomes import Ending
from longline.simulate import Searcher, read_corpus, running_site, website

SITE = website(Searcher(read_corpus("docstrings")[:90], limit=20, page_size=10))


def test_results_show_themselves_in_a_few_lines(tmp_path: Path) -> None:
    """Plan, Found and Certificate show their source and their main figures."""
    with running_site(SITE) as url:
        found = longline.discover(url, allow_private=True)
        plan = longline.plan(url, allow_private=True)
        harvest = longline.harvest(found.spec, tmp_path, allow_private=True, max_requests=30)
    for shown in map(repr, (found, plan, harvest.certificate)):
        assert 3 <= len(shown.splitlines()) <= 8
        assert url in shown
        assert len(shown) < 600
    assert repr(found).startswith(f"<Found {url}")
    assert f"recommended: {plan.recommended}" in repr(plan)
    assert f" {plan.routes[0].route}: {plan.routes[0].requests['0.95']:,} requests" in repr(plan)
    assert "partial (budget)\n" in repr(harvest.certificate)
    assert f"documents={len(harvest.documents)}, size=" in repr(harvest.certificate)


def test_a_site_that_asks_for_an_hour_while_it_is_learnt_is_told_of(tmp_path: Path) -> None:
    """The error states the wait, and no partial source spec is left."""
    wait = Refuse(429, retry_after="3600", requests=range(9, 10**6))
    folder = tmp_path / "got"
    with (
        running_site(Faulty(SITE, wait, Refuse(404, target="source.toml"))) as url,
        pytest.raises(longline.StoppedShort, match=r"not learnt yet: .* asked to wait") as caught,
    ):
        longline.harvest(url, folder, allow_private=True)
    assert caught.value.ending == Ending("blocked", "refused")
    assert "run it again from" in str(caught.value)
    assert not folder.exists()
