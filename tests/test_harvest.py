"""Test complete harvests of a site that fails and lies, and their certificates."""

import json
import multiprocessing
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from bench.faulty.faults import Faulty, Refuse
from bench.faulty.lies import EmptyPage, FaultySource, RepeatedPage, ShortPage, StandIns
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp
from tests.harvests import Harvest

import longline
from longline.errors import FolderError, InputError, PageError, UnknownNameError
from longline.harvester import read_documents, read_ledger
from longline.harvester.folder import is_harvest
from longline.harvester.settings import Limits, Settings, options_of
from longline.ledger import Certificate
from longline.ledger import in_words as summary
from longline.model import Query
from longline.simulate import Searcher, read_corpus, running_site, website
from longline.simulate.site.spec import html_spec
from longline.source import Spec, read_spec
from longline.source.trust.stand_ins import NONSENSE

DOCUMENTS = read_corpus("docstrings")[::20]
SEARCHER = Searcher(DOCUMENTS, limit=30, page_size=10)
SETTINGS = Settings(words=("return", "value", "string"))
LIMITS = Limits(allow_private=True, size=len(DOCUMENTS))

Harvested = Callable[..., Certificate]


class StoodIn(NamedTuple):
    """A running site, its requests since a complete harvest, and that harvest's certificate."""

    spec: Spec
    log: list[str]
    certificate: Certificate


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
    """Harvest a site into a folder and return the certificate."""

    def run(site: ASGIApp, *, limits: Limits = LIMITS) -> Certificate:
        with running_site(site) as url:
            return Harvest(tmp_path / "got", spec_of(url), SETTINGS, limits).run()

    return run


def test_honest_site_is_held_almost_whole(harvest: Harvested, tmp_path: Path) -> None:
    """Nothing fails, every cut is at the limit, and the ledger on disk agrees."""
    certificate = harvest(website(SEARCHER))
    assert certificate.hit_rate is not None
    assert certificate.hit_rate > 0.85
    missing = len(DOCUMENTS) - certificate.documents
    ended = certificate.outcome, certificate.cause, certificate.target_met
    assert ended == (("partial", "cut", False) if missing else ("complete", "", True))
    said = f"about {missing} document{'s are' if missing > 1 else ' is'} missing"
    assert (said in certificate.stopped) == bool(missing)
    assert set(certificate.cuts) == {"capped"}
    assert certificate.documents_failed == 0
    ledger, again = read_ledger(tmp_path / "got")
    assert again == certificate
    assert len(ledger.chart()) == certificate.queries


@pytest.mark.slow
def test_short_refusals_are_waited_out(harvest: Harvested) -> None:
    """A source that is sometimes busy is harvested completely; its refusals are counted."""
    busy = Refuse(503, retry_after="0", target="^/(search|documents)", requests=range(5, 400, 10))
    certificate = harvest(Faulty(website(SEARCHER), busy))
    honest = certificate.result_pages + certificate.document_pages
    assert certificate.documents_failed == 0
    assert certificate.cuts.keys() == {"capped"}
    assert certificate.requests > honest + honest // 20
    assert certificate.requests - honest == certificate.other_requests


def test_missing_documents_are_named(harvest: Harvested) -> None:
    """A missing document page is reported with its status; all other documents are saved."""
    gone = Refuse(404, target=f"^/documents/{re.escape(DOCUMENTS[8].key)}$")
    certificate = harvest(Faulty(website(SEARCHER), gone))
    assert certificate.documents_failed == 1
    assert certificate.failed_documents[0].startswith(f"{DOCUMENTS[8].key}: ")
    assert "404" in certificate.failed_documents[0]
    assert certificate.documents > 0.8 * len(DOCUMENTS)


@pytest.fixture(scope="module")
def of_lying_pages(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """Return the certificate of a site that repeats third pages and shortens second ones."""
    liar = FaultySource(SEARCHER, RepeatedPage(number=3, of=2), ShortPage(number=2, missing=4))
    with running_site(website(liar)) as url:
        folder = tmp_path_factory.mktemp("lying") / "got"
        return Harvest(folder, spec_of(url), SETTINGS, LIMITS).run()


@pytest.mark.slow
def test_lying_pages_are_named(of_lying_pages: Certificate) -> None:
    """Repeated and short pages are reported as separate cuts, and end no harvest."""
    assert {"repeated", "short"} <= of_lying_pages.cuts.keys()
    assert all(cut.query for cut in of_lying_pages.truncations)


@pytest.mark.slow
def test_announced_page_without_rows_is_named(harvest: Harvested) -> None:
    """An empty page with status 200 where rows were announced is not taken as the end."""
    certificate = harvest(website(FaultySource(SEARCHER, EmptyPage(number=2))))
    assert "empty" in certificate.cuts
    assert certificate.documents > 40


@pytest.fixture(scope="module")
def where_others_stand_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoodIn]:
    """Harvest a site completely where "nothing found" shows other documents, with a total."""
    log: list[str] = []
    with running_site(FaultySource(SEARCHER, StandIns(Query(("string",)))), log=log) as url:
        spec = read_spec(html_spec(SEARCHER, "logs", f"{url}/"))
        folder = tmp_path_factory.mktemp("stood-in") / "got"
        certificate = Harvest(folder, spec, SETTINGS, Limits(allow_private=True)).run()
        assert sum(NONSENSE.required[0] in asked for asked in log) == 1
        log.clear()
        yield StoodIn(spec, log, certificate)


@pytest.mark.slow
def test_what_stands_in_for_nothing_is_no_part_of_the_source(
    where_others_stand_in: StoodIn, tmp_path: Path
) -> None:
    """Where "nothing found" shows other documents, with a total, they form no cell."""
    others = where_others_stand_in.certificate
    with running_site(SEARCHER) as url:
        spec = read_spec(html_spec(SEARCHER, "logs", f"{url}/"))
        honest = Harvest(tmp_path, spec, SETTINGS, Limits(allow_private=True)).run()
    odd = [each for each in others.discrepancies if each.kind == "stand-ins"]
    assert odd
    assert all((each.reported, each.found) == (10, 0) for each in odd)
    assert others.documents >= honest.documents - 1
    assert others.size is not None
    assert others.size <= 1.02 * len(DOCUMENTS)
    assert others.requests <= 1.3 * honest.requests


@pytest.mark.slow
def test_what_stands_in_for_nothing_is_known_to_a_run_that_goes_on(
    where_others_stand_in: StoodIn, tmp_path: Path
) -> None:
    """Two runs send the nonsense query once, and reach what one run does for few more requests."""
    spec, log, one = where_others_stand_in
    for most in (30, None):
        limits = Limits(allow_private=True, max_queries=most)
        two = Harvest(tmp_path, spec, SETTINGS, limits).run()
    assert sum(NONSENSE.required[0] in asked for asked in log) == 1
    assert one.outcome == two.outcome == "complete"
    assert min(one.documents, two.documents) >= 0.93 * len(DOCUMENTS)
    assert all(any(odd.kind == "stand-ins" for odd in each.discrepancies) for each in (one, two))
    assert one.requests <= two.requests <= 1.15 * one.requests


@pytest.mark.slow
def test_site_that_refuses_some_words_is_harvested_without_them(tmp_path: Path) -> None:
    """If a query that had hits still has them, refusals in a row concern those queries alone."""
    short = r"[?&]q=([^&]*[+ -])?\w{1,2}([+ -]|&|$)"
    with running_site(Faulty(website(SEARCHER), Refuse(400, target=short))) as url:
        spec = read_spec(html_spec(SEARCHER, "logs", f"{url}/"))
        found = Harvest(tmp_path / "got", spec, SETTINGS, LIMITS).run()
    assert found.documents > 0.95 * len(DOCUMENTS)
    assert 0 < found.cuts["failed"] < 20


def test_links_that_nobody_can_follow_cost_their_documents_alone(tmp_path: Path) -> None:
    """A hit and a next page with invalid addresses are reported; all other documents are saved."""

    async def answer(request: Request) -> Response:
        rows = DOCUMENTS[:9] if request.query_params["q"] in ("all", "value") else []
        links = "".join(f"<p><a href='/doc/{d.key}'>{d.title}</a></p>" for d in rows)
        wrong = "<p><a href='http://,/'>Wrong</a></p><a rel=next href='http://,/next'>Next</a>"
        return HTMLResponse(f"<main>{links}{wrong if rows else 'Nothing.'}</main>")

    async def document(request: Request) -> Response:
        one = next(d for d in DOCUMENTS if d.key == request.path_params["key"])
        return HTMLResponse(f"<h1>{one.title}</h1><article>{one.text}</article>")

    routes = [Route("/s", answer), Route("/doc/{key:path}", document)]
    with running_site(Starlette(routes=routes)) as url:
        spec = read_spec(
            f'[source]\nname = "links"\nurl = "{url}/"\nkind = "html"\n'
            f'[ask]\nurl = "{url}/s?q={{query}}"\n[ask.dialect]\nall = "all"\n'
            '[results]\nhit = "css:p"\nlink = "css:a"\nnext = "css:a[rel=next]"\n'
            'empty = "text:Nothing"\n[document]\ntext = "css:article"\n'
        )
        found = Harvest(tmp_path / "got", spec, Settings(strategy="auto"), LIMITS).run()
    assert found.documents == 9
    assert found.outcome == "partial"
    assert "'http://,/' is not an http or https URL" in json.dumps(found.failed_documents)


@pytest.mark.slow
@pytest.mark.parametrize("status", [404, 410])
def test_a_page_after_the_last_may_not_be_there(tmp_path: Path, status: int) -> None:
    """Where pages are numbered and no total is given, a missing page marks the end of an answer."""

    async def answer(request: Request) -> Response:
        word, number = request.query_params["q"], int(request.query_params.get("page", 1))
        rows = [d for d in DOCUMENTS[:40] if word == "all"][10 * number - 10 : 10 * number]
        if number > 1 and not rows:
            return JSONResponse({"detail": "Invalid page."}, status)
        return JSONResponse([{"id": d.key, "title": d.title, "text": d.text} for d in rows])

    with running_site(Starlette(routes=[Route("/api", answer)])) as url:
        spec = read_spec(
            f'[source]\nname = "api"\nurl = "{url}/"\nkind = "json"\n'
            f'[ask]\nurl = "{url}/api?q={{query}}&page={{page}}"\npage_size = 10\n'
            '[ask.dialect]\nall = "all"\n'
            '[results]\nhit = "[*]"\nkey = "id"\ntitle = "title"\ntext = "text"\n'
        )
        found = Harvest(tmp_path / "got", spec, Settings(strategy="auto"), LIMITS).run()
    assert found.documents == 40
    assert not any(found.cuts.values())


def test_search_that_goes_away_stops_short(harvest: Harvested) -> None:
    """When the search stops working the harvest stops and keeps its documents."""
    site = Faulty(website(SEARCHER), Refuse(404, target="^/search", requests=range(6, 10_000)))
    certificate = harvest(site, limits=LIMITS)
    assert not certificate.target_met
    assert "in a row failed" in certificate.stopped
    assert certificate.cuts["failed"] >= 3
    assert certificate.documents > 0


def test_spec_that_finds_no_hit_where_documents_are_claimed(tmp_path: Path) -> None:
    """The first pages show that the hit selector is wrong, and the error says so."""
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
    """At 200 requests per second, 60 requests take at least the 59 pauses between them."""
    import time

    begun = time.monotonic()
    limits = Limits(allow_private=True, rate=200, max_requests=60)
    assert harvest(website(SEARCHER), limits=limits).requests == 60
    assert time.monotonic() - begun >= 59 / 200


@pytest.mark.slow
def test_two_runs_cannot_share_a_folder(tmp_path: Path) -> None:
    """While one run holds the folder, a second one is refused."""
    refused: list[str] = []
    with running_site(SEARCHER) as url:
        limits = replace(LIMITS, max_requests=20)
        first = Harvest(tmp_path / "got", spec_of(url), SETTINGS, limits)

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
    """The error names a limit that is not above zero."""
    with pytest.raises(InputError, match="above 0"):
        Harvest(tmp_path, spec_of("http://x.org"), SETTINGS, limits)


def test_wrong_names_are_refused_before_anything_is_made(tmp_path: Path) -> None:
    """An unknown strategy leaves no folder behind."""
    with pytest.raises(UnknownNameError):
        Harvest(tmp_path / "got", spec_of("http://x.org"), Settings(strategy="gredy"))
    assert not (tmp_path / "got").exists()


def test_a_harvest_that_was_begun_with_an_option_without_effect_goes_on(tmp_path: Path) -> None:
    """Given now, the option is refused."""
    with running_site(website(SEARCHER)) as url:
        spec = read_spec(html_spec(SEARCHER, "logs", f"{url}/"))
        begun = Settings(strategy="auto", words=SETTINGS.words, sample=50)
        few = Limits(allow_private=True, max_requests=5)
        assert Harvest(tmp_path / "got", spec, begun, few).run().outcome == "partial"
        with pytest.raises(InputError, match="sample does not apply to auto"):
            longline.harvest(tmp_path / "got", sample=50, allow_private=True)
        went_on = longline.harvest(tmp_path / "got", max_requests=10, allow_private=True)
    assert went_on.certificate.requests > 5


@pytest.mark.parametrize("boolean", [True, False])
def test_planners_are_told_what_the_spec_says(boolean: bool) -> None:
    """Planners receive NOT, OR, limit, page size and counts as the spec states them."""
    box = Searcher(DOCUMENTS, limit=25, page_size=10, counts="approximate", boolean=boolean)
    spec = read_spec(html_spec(box, "logs", "http://logs.example/"))
    able = options_of(SETTINGS, spec).abilities
    assert (able.negation, able.disjunction) == (boolean, boolean)
    assert (able.limit, able.page_size, able.counts) == (25, 10, "about")


@pytest.mark.slow
def test_no_budget_is_exceeded_by_a_single_request(tmp_path: Path) -> None:
    """With retries, robots.txt and probes, the site never gets one request more than allowed."""
    busy = Refuse(503, retry_after="0", target="^/(search|documents)", requests=range(5, 400, 7))
    log: list[str] = []
    with running_site(Faulty(website(SEARCHER), busy), log=log) as url:
        for most in (1, 40, 41, 130):
            limits = Limits(allow_private=True, max_requests=most)
            found = Harvest(tmp_path / "got", spec_of(url), SETTINGS, limits).run()
            assert len(log) == most
            assert not found.target_met
            spent = "the 1 request of" if most == 1 else f"all {most} requests of"
            assert spent in found.stopped
            assert found.budget["requests"].used == found.requests <= most


def test_queries_and_documents_have_budgets_too(tmp_path: Path) -> None:
    """No more different queries are sent, and no more documents saved, than allowed."""
    log: list[str] = []
    with running_site(SEARCHER, log=log) as url:
        limits = Limits(allow_private=True, max_queries=7, max_documents=1000)
        found = Harvest(tmp_path / "got", spec_of(url), SETTINGS, limits).run()
    asked = {path.split("&")[0] for path in log if path.startswith("/search?")}
    assert len(asked) == found.queries + found.probes == 7
    assert "all 7 searches" in found.stopped
    assert found.budget["documents"].used == found.documents


def test_bytes_are_exceeded_by_the_answers_at_hand_alone(tmp_path: Path) -> None:
    """Once the allowed bytes were received nothing more is requested, in a second run neither."""
    log: list[str] = []
    with running_site(SEARCHER, log=log) as url:
        limits = Limits(allow_private=True, max_bytes=60_000)
        found = Harvest(tmp_path / "got", spec_of(url), SETTINGS, limits).run()
        asked = len(log)
        largest = 12_000
        assert 60_000 <= found.body_bytes <= 60_000 + 4 * largest
        again = Harvest(tmp_path / "got", None, None, limits).run()
    assert "bytes were received" in found.stopped
    assert len(log) == asked
    assert again.body_bytes == found.body_bytes


def test_day_is_over_when_its_requests_are_spent(tmp_path: Path) -> None:
    """The day's requests minus the reserve are sent; the stop says when to continue."""
    log: list[str] = []
    with running_site(SEARCHER, log=log) as url:
        for per_day, reserve, sent in (20, 8, 12), (20, 8, 12), (30, 0, 30):
            limits = Limits(allow_private=True, max_requests_per_day=per_day, daily_reserve=reserve)
            found = Harvest(tmp_path / "got", spec_of(url), SETTINGS, limits).run()
            assert len(log) == sent
            assert "00:00 UTC on" in found.stopped


def test_spent_day_says_how_long_the_rest_takes(tmp_path: Path) -> None:
    """With a size the certificate says how many requests are left, and until when."""
    with running_site(SEARCHER) as url:
        limits = Limits(allow_private=True, max_requests_per_day=60)
        unknown = Harvest(tmp_path / "a", spec_of(url), SETTINGS, limits).run()
        limits = Limits(allow_private=True, max_requests_per_day=60, size=len(DOCUMENTS))
        known = Harvest(tmp_path / "b", spec_of(url), SETTINGS, limits).run()
    assert "how many more it takes is not known" in unknown.stopped
    # Up to four responses that are in transit when the day is spent may or may not be counted.
    lefts = {
        ceil((len(DOCUMENTS) - held) * requests / held)
        for held in range(known.documents - 4, known.documents + 1)
        for requests in range(56, 61)
    }
    today = datetime.now(UTC).date()
    said = [
        f"about {left} more are expected, the last of them on "
        f"{today + timedelta(days=ceil(left / 60))}"
        for left in lefts
    ]
    assert any(each in known.stopped for each in said)
    certificate = read_ledger(tmp_path / "b")[1]
    assert certificate.stopped == known.stopped


def test_no_request_is_begun_when_the_time_is_over(tmp_path: Path) -> None:
    """A run whose time is over sends no request, and says why."""
    log: list[str] = []
    with running_site(SEARCHER, log=log) as url:
        limits = Limits(allow_private=True, max_time=1e-9)
        found = Harvest(tmp_path / "got", spec_of(url), SETTINGS, limits).run()
    assert log == []
    assert "time of the budget is over" in found.stopped
    assert not found.target_met
    assert "time of the budget is over" in (tmp_path / "got/certificate.json").read_text()
    (tmp_path / "got/source.toml").write_bytes('name = "é"'.encode("latin-1"))
    with pytest.raises(FolderError, match="not in UTF-8: byte 0xe9 at 8"):
        read_ledger(tmp_path / "got")


@pytest.mark.slow
def test_size_is_estimated_without_being_told(tmp_path: Path) -> None:
    """A harvest without a given size estimates it with an interval that contains the true size."""
    with running_site(SEARCHER) as url:
        limits = Limits(allow_private=True)
        found = Harvest(tmp_path / "got", spec_of(url), SETTINGS, limits).run()
    assert found.probes > 0
    assert found.size_low is not None
    assert found.size_high is not None
    assert found.size is not None
    assert found.size_low <= found.size <= found.size_high
    assert found.size_low <= len(DOCUMENTS) <= found.size_high
    assert found.probe_pages <= 0.26 * (found.result_pages + found.document_pages)
    ledger, again = read_ledger(tmp_path / "got")
    assert again == found
    assert ledger.chart()[-1].hit_rate is not None


@pytest.mark.slow
def test_estimate_can_be_left_out_for_good(tmp_path: Path) -> None:
    """With estimate=False no probe is sent, and later runs keep the setting."""
    with running_site(SEARCHER) as url:
        for limits in (
            Limits(allow_private=True, estimate=False, max_requests=50),
            Limits(allow_private=True),
        ):
            found = Harvest(tmp_path / "got", spec_of(url), SETTINGS, limits).run()
    assert found.outcome == "partial"  # queries were cut, and the size is unknown
    assert (found.probes, found.size, found.size_source) == (0, None, "not known")


@pytest.mark.slow
def test_listings_alone_are_not_estimated_from(tmp_path: Path) -> None:
    """With listings alone, probes and a target share need an explicit estimate=True."""
    listed = Settings(words=SETTINGS.words, listing_only=True)
    with running_site(SEARCHER) as url:
        spec = read_spec(html_spec(SEARCHER, "logs", f"{url}/"))
        plain = Limits(allow_private=True)
        found = Harvest(tmp_path / "got", spec, listed, plain).run()
        assert (found.probes, found.size, found.document_pages) == (0, None, 0)
        aim = Limits(allow_private=True, target_coverage=0.5)
        with pytest.raises(InputError, match="estimate=True"):
            Harvest(tmp_path / "aim", spec, listed, aim).run()
        told = Limits(allow_private=True, estimate=True)
        found = Harvest(tmp_path / "told", spec, listed, told).run()
        assert found.size is not None


def test_share_that_is_aimed_at_ends_the_harvest(tmp_path: Path) -> None:
    """A target share of a given size ends the harvest early; without a size it is refused."""
    with running_site(SEARCHER) as url:
        aim = Limits(allow_private=True, size=len(DOCUMENTS), target_coverage=0.5)
        found = Harvest(tmp_path / "got", spec_of(url), SETTINGS, aim).run()
        assert 0.5 <= (found.hit_rate or 0) < 0.75
        assert found.target_met
        assert found.target_coverage == 0.5
        blind = Limits(allow_private=True, estimate=False, target_coverage=0.5)
        with pytest.raises(InputError, match="number of documents"):
            Harvest(tmp_path / "blind", spec_of(url), SETTINGS, blind).run()


def test_what_pages_lose_is_said(of_lying_pages: Certificate) -> None:
    """Rows that pages repeat or leave out are counted for each query."""
    found = of_lying_pages
    assert found.paging_losses
    cut = {each.query for each in found.truncations if each.cut in ("short", "empty", "repeated")}
    assert {each.query for each in found.paging_losses} <= cut
    assert all(0 <= each.repaired <= each.lost for each in found.paging_losses)


@pytest.mark.slow
def test_what_robots_keep_out_is_named(harvest: Harvested) -> None:
    """Documents that robots.txt forbids are reported as such, and the harvest continues."""
    key = DOCUMENTS[8].key
    rules = f"User-agent: *\nDisallow: /documents/{key}$\n"
    found = harvest(website(SEARCHER, robots=rules))
    assert found.robots_forbidden == (key,)
    assert found.robots_obeyed
    assert found.documents > 0.8 * len(DOCUMENTS)
    assert list(found.robots.values()) == [200]


@pytest.mark.slow
def test_partition_names_what_does_not_add_up(tmp_path: Path) -> None:
    """Wrong totals that claim to be exact are discrepancies; journal and result agree."""
    box = Searcher(DOCUMENTS, limit=30, page_size=10, counts="approximate")
    with running_site(box) as url:
        spec = read_spec(html_spec(SEARCHER, "logs", f"{url}/"))
        settings = Settings(strategy="partition", words=SETTINGS.words)
        folder = tmp_path / "got"
        found = Harvest(folder, spec, settings, Limits(allow_private=True)).run()
    assert found.discrepancies
    assert {each.kind for each in found.discrepancies} & {"count", "parts", "total changed"}
    assert read_ledger(folder)[1] == found


@pytest.mark.parametrize(
    "limits",
    [
        Limits(target_coverage=1.5),
        Limits(target_coverage=0),
        Limits(max_requests_per_day=5, daily_reserve=5),
        Limits(daily_reserve=1),
        Limits(max_time=0),
        Limits(min_return=-1),
    ],
)
def test_aims_out_of_range_are_refused(tmp_path: Path, limits: Limits) -> None:
    """A share above 1, a reserve above the day's requests, and a time of 0 are refused."""
    with pytest.raises(InputError):
        Harvest(tmp_path, spec_of("http://x.org"), SETTINGS, limits)


def test_run_that_was_killed_before_it_began_is_no_harvest(tmp_path: Path) -> None:
    """An empty store and an unfinished one do not prevent a harvest."""
    (tmp_path / "harvest.db").touch()
    (tmp_path / ".harvest.db.new").write_text("half of it")
    assert not is_harvest(tmp_path)
    with running_site(website(SEARCHER)) as url:
        harvest = Harvest(tmp_path, spec_of(url), SETTINGS, replace(LIMITS, max_requests=20))
        assert harvest.run().requests == 20
    assert sorted(path.name for path in tmp_path.glob("*harvest.db*")) == ["harvest.db"]


def test_form_that_was_changed_by_hand_is_fetched_anew(tmp_path: Path) -> None:
    """A resumed harvest uses the form that its spec names now, not the one in its journal."""
    log: list[str] = []
    limits = replace(LIMITS, max_requests=20)
    with running_site(website(SEARCHER)) as url, running_site(website(SEARCHER), log=log) as other:
        spec = read_spec(html_spec(SEARCHER, "logs", f"{url}/"))
        Harvest(tmp_path, spec, SETTINGS, limits).run()
        path = tmp_path / "source.toml"
        path.write_text(path.read_text().replace(url, other))
        Harvest(tmp_path, limits=replace(limits, max_requests=30)).run()
    assert "/search" in log
    assert any("q=" in target for target in log)


def test_size_that_is_less_than_what_is_held_counts_for_nothing(tmp_path: Path) -> None:
    """A given size that is smaller than the number of saved documents is not used for a share."""
    with running_site(website(SEARCHER)) as url:
        limits = replace(LIMITS, size=10, max_documents=20)
        certificate = Harvest(tmp_path, spec_of(url), SETTINGS, limits).run()
    assert (certificate.size, certificate.size_low, certificate.hit_rate) == (None, 20, None)
    assert "10, given by the user, are too few" in certificate.size_source
    assert "are too few" in summary(certificate)


def test_python_interface(tmp_path: Path) -> None:
    """A folder may be a string, its documents can be read, and errors name wrong settings."""
    with running_site(website(SEARCHER)) as url:
        folder, limits = str(tmp_path / "got"), replace(LIMITS, max_documents=7)
        certificate = Harvest(folder, spec_of(url), SETTINGS, limits).run()
        assert len(list(read_documents(folder))) == certificate.documents == 7
        for wrong in ({"sample": "x"}, {"sample": 0}, {"rounds": -1}, {"seed": 1.5}):
            with pytest.raises(longline.LonglineError, match=next(iter(wrong))):
                Harvest(tmp_path / "other", spec_of(url), wrong)
    with pytest.raises(longline.LonglineError, match="not a harvest folder"):
        list(read_documents(tmp_path))


@pytest.mark.slow
def test_what_did_not_come_is_named_with_its_reason(tmp_path: Path) -> None:
    """`skipped.jsonl` has one line per failed document, and is empty if none failed."""
    inside, lost = website(SEARCHER), f"/documents/{DOCUMENTS[7].key}"

    async def broken(scope: Any, receive: Any, send: Any) -> None:
        is_lost = scope["path"] == lost
        await (PlainTextResponse("oops", 500) if is_lost else inside)(scope, receive, send)

    with running_site(broken) as url:
        longline.harvest(url, tmp_path / "some", allow_private=True, retries=0, wait_seconds=0.01)
        lines = (tmp_path / "some" / "skipped.jsonl").read_text().splitlines()
    (skipped,) = map(json.loads, lines)
    assert skipped["url"] == url + lost
    assert "500" in skipped["reason"]
    assert skipped["status"] == 500
    with running_site(inside) as url:
        longline.harvest(url, tmp_path / "all", allow_private=True)
    assert (tmp_path / "all" / "skipped.jsonl").read_bytes() == b""
