"""Test that sites with random behaviour follow it, and are harvested from their address."""

from dataclasses import replace

import pytest
from bench.discovery.drawn_habits import Site, draw, harvested
from starlette.testclient import TestClient

CORPORA = ["docstrings"]


def test_habits_change_what_is_found() -> None:
    """The same words find different documents for each way of reading them."""
    habits = replace(draw(7, CORPORA), documents=150, nothing="none")
    assert habits == replace(draw(7, CORPORA), documents=150, nothing="none")
    whole, parts, any_ = (
        Site(replace(habits, words=words), 7) for words in ("all", "parts", "any")
    )
    for typed in ("return value", "list", "sort of"):
        assert set(whole.found(typed)) <= set(parts.found(typed))
        assert set(whole.found(typed)) <= set(any_.found(typed))
    assert len(parts.found("ist")) > len(whole.found("ist"))


def test_pages_keep_to_the_limit_and_say_what_is_drawn() -> None:
    """Pages show the hits up to the limit, and the total of all."""
    drawn = replace(
        draw(7, CORPORA), limit=50, size=20, is_json=True, total="exact", words="string"
    )
    client = TestClient(Site(drawn, 7).app, base_url="http://127.0.0.1")
    pages = [client.get(f"/search?q=a&page={at}").json() for at in (1, 2, 3, 4)]
    assert [len(page["results"]) for page in pages] == [20, 20, 10, 0]
    assert pages[0]["count"] == drawn.documents
    assert ["next" in page for page in pages] == [True, True, False, False]


@pytest.mark.slow
def test_a_site_of_drawn_habits_comes() -> None:
    """One site is harvested completely, and the printed line says so."""
    is_whole, line = harvested(7, CORPORA)
    assert is_whole, line
    assert "complete" in line
