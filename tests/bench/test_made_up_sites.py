"""Test that made-up sites know the truth about themselves, to judge discoveries."""

import pytest
from bench.discovery.data import DataSite, draw_data
from bench.discovery.made_up_sites import FIELDS, judge, main
from bench.discovery.make import draw
from bench.discovery.pages import Site
from starlette.testclient import TestClient


def test_same_seed_makes_the_same_site() -> None:
    """The same seed always makes the same site, and another seed another one."""
    assert draw(3) == draw(3) != draw(4)
    assert draw_data(3) == draw_data(3) != draw_data(4)
    assert Site(draw(3), None).texts == Site(draw(3), None).texts


@pytest.mark.parametrize("seed", range(12))
def test_pages_show_what_the_site_says_they_do(seed: int) -> None:
    """Each hit's address is on the page for a word of its title, and leads to its text."""
    site = Site(draw(seed), None)
    if site.make.method == "POST":
        return
    client = TestClient(site.app, base_url="http://127.0.0.1")
    word = max(site.engine.index, key=lambda word: (len(site.engine.index[word]) == 3, len(word)))
    sent = {site.make.field: word, "op": "list", "x_enc": "1"}
    shown = site.page_of(site.typed_engine(word, {}), 1, site.make.page_size)
    page = client.get(site.search_path(), params=sent).text
    assert all(row.key in page for row in shown.rows)
    row = shown.rows[0]
    address = site.link(row, word, 1)
    address = address if address.startswith(("/", "http")) else f"{site.doc_base}/{row.key}"
    assert (
        row.author in client.get(address).text or row.title.split()[0] in client.get(address).text
    )


def test_data_goes_on_to_its_end() -> None:
    """An interface shows each matching document once."""
    site = DataSite(draw_data(1), None)
    found = site.typed_engine("the", {})
    shown = site.page_of(found, 1, 5)
    assert len(shown.rows) == min(5, len(found))


def test_site_is_judged(capsys: pytest.CaptureFixture[str]) -> None:
    """A row lists the grades; the benchmark prints a table of rates by field."""
    row = judge(16, None, data=False, harvests=False)
    assert set(row["grades"]) <= set(FIELDS)
    assert row["grades"]["found"] is not None
    main(["--seeds", "16-16", "--no-harvest"])
    assert "percent" in capsys.readouterr().out
