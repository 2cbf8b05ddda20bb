"""Whole harvests of a site that fails and lies: what is survived, and what the certificate says."""

import multiprocessing
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.types import ASGIApp

from longline.account import Certificate
from longline.errors import FolderError, InputError, PageError, UnknownNameError
from longline.harvest import Harvest, Limits, Settings, read_books
from longline.simulate import Searcher, read_corpus, running_site, website
from longline.simulate._spec import html_spec
from longline.simulate.faults import Faulty, Refuse
from longline.simulate.lies import EmptyPage, Liar, RepeatedPage, ShortPage
from longline.source import Spec, read_spec

DOCUMENTS = read_corpus("docstrings")[::20]
SEARCHER = Searcher(DOCUMENTS, limit=30, page_size=10)
SETTINGS = Settings(sample=40, words=("return", "value", "string"))
LIMITS = Limits(allow_private=True, size=len(DOCUMENTS))

Harvested = Callable[..., Certificate]


def spec_of(url: str) -> Spec:
    """Write a spec of a simulated site by hand."""
    return read_spec(f"""
        [source]
        name = "logs"
        url = "{url}/"
        [ask]
        url = "{url}/search?q={{query}}&page={{page}}"
        page_size = 10
        limit = 30
        [results]
        hit = "ol.results > li"
        link = "h2 > a"
        key = ".key"
        next = "a[rel=next]"
        total = "p.total"
        total_pattern = "of ([0-9,]+)"
        empty = "p.none"
        [document]
        text = "article"
        title = "h1"
    """)


@pytest.fixture
def harvest(tmp_path: Path) -> Harvested:
    """Harvests a site into a folder and returns the certificate."""

    def run(site: ASGIApp, *, limits: Limits = LIMITS) -> Certificate:
        with running_site(site) as url:
            return Harvest(tmp_path / "got", spec_of(url), SETTINGS, limits).run()

    return run


def test_honest_site_is_held_almost_whole(harvest: Harvested, tmp_path: Path) -> None:
    """Nothing fails, what was cut was capped, and the books on disk agree."""
    certificate = harvest(website(SEARCHER))
    assert certificate.target_met
    assert certificate.hit_rate is not None
    assert certificate.hit_rate > 0.85
    assert set(certificate.cuts) == {"capped"}
    assert certificate.documents_failed == 0
    account, again = read_books(tmp_path / "got")
    assert again == certificate
    assert len(account.chart()) == certificate.queries


def test_short_refusals_are_waited_out(harvest: Harvested) -> None:
    """A source that is busy now and then is harvested whole; its refusals are counted."""
    busy = Refuse(503, retry_after="0", target="^/(search|documents)", requests=range(5, 400, 10))
    certificate = harvest(Faulty(website(SEARCHER), busy))
    honest = certificate.result_pages + certificate.document_pages
    assert certificate.documents_failed == 0
    assert certificate.cuts.keys() == {"capped"}
    assert certificate.requests > honest + honest // 20
    assert certificate.requests - honest == certificate.other_requests


def test_missing_documents_are_named(harvest: Harvested) -> None:
    """A document whose page is gone is named with its status; all others come."""
    gone = Refuse(404, target=f"^/documents/{re.escape(DOCUMENTS[7].key)}$")
    certificate = harvest(Faulty(website(SEARCHER), gone))
    assert certificate.documents_failed == 1
    assert certificate.failed_documents[0].startswith(f"{DOCUMENTS[7].key}: ")
    assert "404" in certificate.failed_documents[0]
    assert certificate.documents > 0.8 * len(DOCUMENTS)


def test_lying_pages_are_named(harvest: Harvested) -> None:
    """Repeated and short pages are cuts of their own, and end no harvest."""
    liar = Liar(SEARCHER, RepeatedPage(number=3, of=2), ShortPage(number=2, missing=4))
    certificate = harvest(website(liar))
    assert {"repeated", "short"} <= certificate.cuts.keys()
    assert certificate.target_met
    assert all(cut.query for cut in certificate.truncations)


def test_announced_page_without_rows_is_named(harvest: Harvested) -> None:
    """An empty page with status 200, where rows were announced, does not pass for the end."""
    certificate = harvest(website(Liar(SEARCHER, EmptyPage(number=2))))
    assert "empty" in certificate.cuts
    assert certificate.documents > 40


def test_search_that_goes_away_stops_short(harvest: Harvested) -> None:
    """When the search itself is gone the harvest stops, names the pages, keeps what came."""
    site = Faulty(website(SEARCHER), Refuse(404, target="^/search", requests=range(6, 10_000)))
    certificate = harvest(site, limits=LIMITS)
    assert not certificate.target_met
    assert "in a row failed" in certificate.stopped
    assert certificate.cuts["failed"] >= 5
    assert certificate.documents > 0


def test_spec_that_finds_no_hit_where_documents_are_claimed(tmp_path: Path) -> None:
    """The very first page shows that the hit selector is wrong, and the error says so."""
    with running_site(SEARCHER) as url:
        spec = spec_of(url)
        text = (tmp_path / "wrong.toml").name
        wrong = read_spec(_rewritten(spec, hit="css:li.nothing"), where=text)
        with pytest.raises(PageError, match=r"li\.nothing"):
            Harvest(tmp_path / "got", wrong, SETTINGS, LIMITS).run()


def _rewritten(spec: Spec, **results: str) -> str:
    import msgspec

    from longline.source import write_spec

    changed = msgspec.structs.replace(spec.results, **results)
    return write_spec(msgspec.structs.replace(spec, results=changed))


def test_pace_is_kept(harvest: Harvested) -> None:
    """With a rate of 200 a second, 60 requests take at least the 59 pauses between them."""
    import time

    begun = time.monotonic()
    limits = Limits(allow_private=True, rate=200, max_requests=60)
    assert harvest(website(SEARCHER), limits=limits).requests == 60
    assert time.monotonic() - begun >= 59 / 200


def test_two_runs_cannot_share_a_folder(tmp_path: Path) -> None:
    """While one run holds the folder a second one is refused."""
    refused: list[str] = []
    with running_site(SEARCHER) as url:
        first = Harvest(tmp_path / "got", spec_of(url), SETTINGS, LIMITS)

        def try_second(*_: object) -> None:
            if not refused:
                process = multiprocessing.get_context("spawn").Process(
                    target=_second, args=(tmp_path, url)
                )
                process.start()
                process.join(60)
                refused.append(str(process.exitcode))

        first.run(try_second)
    assert refused == ["42"]


def _second(folder: Path, url: str) -> None:
    try:
        Harvest(folder / "got", spec_of(url), SETTINGS, LIMITS).run()
    except FolderError:
        raise SystemExit(42) from None


@pytest.mark.parametrize("limits", [Limits(max_requests=0), Limits(rate=-1), Limits(size=0)])
def test_limits_out_of_range_are_refused(tmp_path: Path, limits: Limits) -> None:
    """A limit that is not above zero is named."""
    with pytest.raises(InputError, match="above 0"):
        Harvest(tmp_path, spec_of("http://x.org"), SETTINGS, limits)


def test_wrong_names_are_refused_before_anything_is_made(tmp_path: Path) -> None:
    """An unknown strategy leaves no folder behind."""
    with pytest.raises(UnknownNameError):
        Harvest(tmp_path / "got", spec_of("http://x.org"), Settings(strategy="gredy"))
    assert not (tmp_path / "got").exists()


@pytest.mark.parametrize("boolean", [True, False])
def test_planners_are_told_what_the_spec_says(tmp_path: Path, boolean: bool) -> None:
    """NOT, OR, limit, page size and counts of the spec are the abilities planners know."""
    box = Searcher(DOCUMENTS, limit=25, page_size=10, counts="approximate", boolean=boolean)
    spec = read_spec(html_spec(box, "logs", "http://logs.example/"))
    able = Harvest(tmp_path / "got", spec, SETTINGS, LIMITS)._options().abilities
    assert (able.negation, able.disjunction) == (boolean, boolean)
    assert (able.limit, able.page_size, able.counts) == (25, 10, "about")
