"""Sites whose search only works with scripts: from the home page to a finished harvest."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route
from tests.discovery.engines import Text
from tests.discovery.scripted import SIZE, Scripted
from tests.harvests import Harvest
from tests.webs import needs_browser, web_fetcher

from longline.engine.site_client import SiteClient
from longline.errors import InputError, LonglineError
from longline.fetch import BrowserFetcher, Manners
from longline.harvester.settings import Limits, Settings
from longline.learn import Found, Learner, LearnOptions
from longline.model import Document, Page, Query
from longline.simulate import running_site
from longline.source import Source, Spec, read_spec

pytestmark = needs_browser

WORDS = ("class", "path", "library")


def learnt_of(url: str, manners: Manners, *options: LearnOptions) -> Found:
    """Learn the search of a site."""
    return asyncio.run(Learner(url, manners).learn(*options))


def answers(spec: Spec, words: tuple[str, ...], pages: int) -> tuple[list[list[Page]], Document]:
    """Return some pages of each word by a spec, and the first hit's document."""

    async def run() -> tuple[list[list[Page]], Document]:
        web = web_fetcher(robots=False)
        client = SiteClient(Source(spec), BrowserFetcher(web))
        found: list[list[Page]] = []
        try:
            for word in words:
                of_word, request = [], None
                for number in range(1, pages + 1):
                    page, _ = await client.search(Query((word,)), number, request)
                    of_word.append(page)
                    request = page.next
                    if request is None:
                        break
                found.append(of_word)
            hit = found[0][0].hits[0]
            if hit.text is not None:
                return found, Document(hit.key, hit.url, hit.title, hit.text)
            return found, (await client.read(hit))[0]
        finally:
            await client.close()

    return asyncio.run(run())


def expected_of(site: Scripted, word: str) -> list[Text]:
    """Return a site's hits, in its order: a filter inside a page does not rank."""
    found = site.api.found(word)
    if site.kind != "typed":
        return found
    keys = {text.key for text in found}
    return [text for text in site.api.texts if text.key in keys]


def check(site: Scripted, spec: Spec) -> None:
    """Compare hits, titles, texts, totals and pages with the truth about the site."""
    found, document = answers(spec, WORDS, 2)
    size = spec.ask.page_size or SIZE
    for word, pages in zip(WORDS, found, strict=True):
        truth = expected_of(site, word)
        hits = [hit for page in pages for hit in page.hits]
        expected = truth if site.kind == "typed" else truth[: 2 * size]
        assert [hit.key.rpartition("/")[2] for hit in hits] == [text.key for text in expected]
        assert [hit.title.split() for hit in hits] == [text.title.split() for text in expected]
        total = pages[0].total
        is_said = site.api.make.total and site.kind != "typed"
        assert (total.documents if total else None) == (len(truth) if is_said else None)
    first = expected_of(site, WORDS[0])[0]
    assert document.text.split()[-20:] == first.body.split()[-20:]
    assert document.title.split() == first.title.split()


def harvested(spec: Spec, folder: Path, **settings: Any) -> int:
    """Harvest with a spec; return the number of documents held."""
    limits = Limits(allow_private=True)
    return Harvest(folder, spec, Settings(**settings), limits).run().documents


EXPECTED = {
    # kind: format of result pages, their URL, whether a browser is needed for them
    "routed": ("json", "/api/search?q={query}&page={page}", False),
    "posting": ("json", "/api/search", False),
    "sending": ("html", "/find?term={query}", False),
    "parts": ("html", "/part?term={query}", False),
    "scrolled": ("json", "/api/search?q={query}&start={offset}", False),
    "cursor": ("json", "/api/search?q={query}&cursor={next}", False),
}


@pytest.mark.slow
@pytest.mark.seldom
def test_what_a_page_sends_is_asked_plainly() -> None:
    """A few requests are enough to find the source of a script page's hits."""
    with running_site(Scripted("routed").app) as url:
        spec = learnt_of(f"{url}/", Manners(allow_private=True), LearnOptions(max_requests=20)).spec
    assert spec is not None
    assert spec.source.kind == "json"
    assert spec.ask.url.startswith(f"{url}/api/search?q={{query}}&page=")
    assert (spec.results.hit, spec.results.key) == ("jmes:results[*]", "jmes:id")
    assert not spec.ask.browser


@pytest.mark.slow
def test_a_result_page_that_a_script_draws_is_tried_plainly_once() -> None:
    """It is the same for all words; the browser's view leads to the interface again."""
    site = Scripted("drawn")
    with running_site(site.app) as url:
        spec = learnt_of(f"{url}/", Manners(allow_private=True)).spec
        assert spec is not None
        assert spec.ask.url == f"{url}/api/search?q={{query}}&page={{page}}"
        check(site, spec)
    assert site.shown.count("/search") <= 12


@pytest.mark.slow
def test_a_reference_names_a_document_though_its_address_writes_it_otherwise() -> None:
    """As in /doc/ip_20_7 for IP/20/7; a time in the URL does not make another document."""
    site = Scripted("referred")
    with running_site(site.app) as url:
        spec = learnt_of(f"{url}/", Manners(allow_private=True)).spec
        assert spec is not None
        assert spec.results.link == "jmes:ref"
        assert spec.results.link_template.startswith(f"{url}/api/document?")
        found, document = answers(spec, WORDS[:1], 1)
    assert document.title in {hit.title for hit in found[0][0].hits}
    assert any(document.text.split()[-9:] == each.body.split()[-9:] for each in site.api.texts)


@pytest.mark.slow
@pytest.mark.seldom
@pytest.mark.parametrize("kind", EXPECTED)
def test_search_is_learnt_so_that_no_browser_is_needed(kind: str, tmp_path: Path) -> None:
    """The page's own request is learnt, with all fields; without a browser, 97 of 100 are held."""
    site = Scripted(kind, documents=400)
    with running_site(site.app) as url:
        learnt = learnt_of(
            f"{url}/", Manners(allow_private=True), LearnOptions(post=kind == "posting")
        )
        spec = learnt.spec
        assert spec is not None
        assert (spec.source.kind, spec.ask.url, spec.ask.browser) == (
            EXPECTED[kind][0],
            url + EXPECTED[kind][1],
            EXPECTED[kind][2],
        )
        assert spec.document is None or not spec.document.browser
        assert not learnt.review
        assert learnt.requests <= 80
        assert read_spec(learnt.toml) == spec
        check(site, spec)
        assert harvested(spec, tmp_path / "h") >= 0.97 * 400
    assert site.trap == []


@pytest.mark.slow
@pytest.mark.seldom
def test_documents_are_asked_for_plainly_before_a_browser(tmp_path: Path) -> None:
    """If a script's list links pages without scripts, each costs one plain request."""
    site = Scripted("linked", documents=200)
    with running_site(site.app) as url:
        learnt = learnt_of(f"{url}/", Manners(allow_private=True))
        spec = learnt.spec
        assert spec is not None
        assert spec.results.link_template == f"{url}/text/{{link}}"
        assert spec.document is not None
        assert not spec.document.browser
        check(site, spec)
        certificate = Harvest(tmp_path / "h", spec, Settings(), Limits(allow_private=True)).run()
    assert certificate.documents >= 0.97 * 200
    assert certificate.document_pages == certificate.documents


@pytest.mark.slow
@pytest.mark.seldom
@pytest.mark.timeout(600)
def test_views_that_only_a_script_shows_are_harvested_in_a_browser(tmp_path: Path) -> None:
    """With fragments as URLs and data that nothing else reads, a browser shows every page."""
    site = Scripted("hashed", documents=200)
    with running_site(site.app) as url:
        learnt = learnt_of(f"{url}/", Manners(allow_private=True))
        spec = learnt.spec
        assert spec is not None
        assert spec.ask.url == f"{url}/#/search?q={{query}}"
        assert spec.ask.browser
        assert spec.document is not None
        assert spec.document.browser
        assert not learnt.review
        check(site, spec)
        assert harvested(spec, tmp_path / "h") >= 0.97 * 200
    assert site.trap == []


@pytest.mark.slow
@pytest.mark.seldom
@pytest.mark.timeout(600)
def test_box_whose_words_stand_in_no_address_is_typed_into(tmp_path: Path) -> None:
    """A search inside the page is harvested by typing; plain documents need no browser."""
    site = Scripted("typed", documents=200)
    with running_site(site.app) as url:
        learnt = learnt_of(f"{url}/", Manners(allow_private=True))
        spec = learnt.spec
        assert spec is not None
        assert spec.ask.form is not None
        assert spec.ask.form.selector == "css:#box"
        assert spec.document is not None
        assert not spec.document.browser
        check(site, spec)
        assert harvested(spec, tmp_path / "h") >= 0.97 * 200
    assert site.trap == []


def test_without_a_browser_the_script_is_named() -> None:
    """The error says that the page is empty without scripts, and suggests a browser."""
    site = Scripted("routed", documents=50)
    with running_site(site.app) as url, pytest.raises(InputError) as caught:
        learnt_of(f"{url}/", Manners(allow_private=True), LearnOptions(browser=False))
    assert "nearly empty without its scripts" in str(caught.value)
    assert "browser=False" in str(caught.value)


@pytest.mark.slow
@pytest.mark.seldom
def test_words_are_not_sent_by_post_unasked() -> None:
    """Nothing is sent by POST without permission, and the error names the option."""
    site = Scripted("posting", documents=50)
    with running_site(site.app) as url, pytest.raises(InputError, match="post=True"):
        learnt_of(f"{url}/", Manners(allow_private=True))
    assert site.api.log == []


@pytest.mark.slow
@pytest.mark.seldom
def test_login_made_by_a_script_is_never_typed_into() -> None:
    """Boxes beside a password are not used, in a form or not."""
    sent: list[str] = []
    login = """<div id=app></div><script>
    app.innerHTML = '<div><p><input name=search placeholder=Search></p>' +
      '<p><input type=password></p><button>Go</button></div>';
    onkeydown = e => fetch('/sent?w=' + e.target.value);</script>"""

    async def home(request: Any) -> HTMLResponse:
        return HTMLResponse(login)

    async def note(request: Any) -> HTMLResponse:
        sent.append(str(request.url))
        return HTMLResponse("")

    app = Starlette(routes=[Route("/", home), Route("/sent", note)])
    with running_site(app) as url, pytest.raises(LonglineError, match="no search box"):
        learnt_of(f"{url}/", Manners(allow_private=True))
    assert sent == []
