"""Test a site that is replaced by something different during a harvest, with status 200."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from starlette.responses import HTMLResponse, RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from tests.harvests import Harvest

from longline.harvester import Limits, Settings
from longline.harvester.folder import open_store
from longline.ledger import Certificate
from longline.simulate import Searcher, read_corpus, running_site, website
from longline.simulate.site.server import sent_target
from longline.simulate.site.spec import html_spec
from longline.source import Spec, read_spec

DOCUMENTS = read_corpus("docstrings")[::20]
SEARCHER = Searcher(DOCUMENTS, limit=30, page_size=10, counts="none")
LIMITS = Limits(allow_private=True, size=len(DOCUMENTS))
SETTINGS = Settings(strategy="adaptive", words=("return", "value", "string"))
NAV = '<ul><li><a href="/">Home</a></li><li><a href="/help">Help</a></li></ul>'


def page(title: str, body: str) -> str:
    return f"<html><head><title>{title}</title></head><body>{NAV}{body}</body></html>"


LOGIN = page("Log in - Library", "<form action=/in><input name=u><input type=password></form>")
PLAIN_LOGIN = page("Welcome", "<main><article><p>Members only. Use your card.</p></article></main>")
CAPTCHA = page("Library", '<p>Are you a robot?</p><div class="g-captcha"></div>')
WORDS = page("Sind Sie ein Mensch? Zugriff verweigert", "<article><p>Stop.</p></article>")
REDESIGN = page(
    "The New Library", '<section class="finds"><a class="card" href="/new/1">One</a></section>'
)


@dataclass
class Turning:
    """ASGI middleware: answer every page from request `begin` to `end` with a different one."""

    app: ASGIApp
    body: str
    begin: int
    end: int = 10**9
    target: str = "^/(search|documents|login)"
    moves: bool = False
    seen: int = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        target = sent_target(scope) if scope["type"] == "http" else ""
        if re.search(self.target, target):
            self.seen += not target.startswith("/login")
            if self.begin <= self.seen < self.end:
                away = self.moves and not target.startswith("/login")
                answer = RedirectResponse("/login") if away else HTMLResponse(self.body)
                await answer(scope, receive, send)
                return
        await self.app(scope, receive, send)


def spec_of(url: str, *, empty: bool, **document: str) -> Spec:
    """Return the site's spec, optionally without the marker of an empty page."""
    spec = read_spec(html_spec(SEARCHER, "logs", f"{url}/"))
    if not empty:
        results = msgspec.structs.replace(spec.results, empty="")
        spec = msgspec.structs.replace(spec, results=results)
    if document:
        changed = msgspec.structs.replace(spec.document, **document)
        spec = msgspec.structs.replace(spec, document=changed)
    return spec


Run = Callable[..., Certificate]


def check_what_is_held(folder: Path) -> None:
    """Check that every saved document belongs to the corpus and has its own text."""
    texts = {document.key: document.text.split() for document in DOCUMENTS}
    store = open_store(folder)
    try:
        for document in store.documents():
            assert document.key in texts
            assert document.text.split()[-5:] == texts[document.key][-5:]
    finally:
        store.close()


@pytest.fixture(scope="module")
def straight(tmp_path_factory: pytest.TempPathFactory) -> int:
    """Return how many documents a harvest of the unchanged site saves."""
    with running_site(SEARCHER) as url:
        spec = spec_of(url, empty=True)
        folder = tmp_path_factory.mktemp("honest") / "got"
        return Harvest(folder, spec, SETTINGS, LIMITS).run().documents


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "empty", "moves"),
    [
        (LOGIN, False, True),
        (PLAIN_LOGIN, True, True),
        (CAPTCHA, False, False),
        (WORDS, False, True),
        (PLAIN_LOGIN, False, False),
        (REDESIGN, True, False),
        (REDESIGN, False, False),
    ],
)
def test_nothing_of_another_site_is_kept(
    tmp_path: Path, straight: int, body: str, *, empty: bool, moves: bool
) -> None:
    """The harvest stops early and reports what it saw; once the site is back it is completed."""
    folder = tmp_path / "got"
    turning = Turning(website(SEARCHER), body, begin=60, moves=moves)
    with running_site(turning) as url:
        spec = spec_of(url, empty=empty)
        found = Harvest(folder, spec, SETTINGS, LIMITS).run()
        assert not found.target_met
        assert "longline discover --relearn" in found.stopped
        assert turning.seen < 60 + 15
        held = found.documents
        assert 0 < held < 60
        check_what_is_held(folder)
        # A second run while the site is replaced saves nothing either.
        away = Harvest(folder, None, None, LIMITS).run()
        assert not away.target_met
        assert away.documents == held
        turning.begin = 10**9
        whole = Harvest(folder, None, None, LIMITS).run()
    assert whole.outcome in ("complete", "partial")
    assert whole.documents_failed == 0
    assert whole.documents >= 0.97 * straight
    check_what_is_held(folder)


@pytest.mark.parametrize("body", [LOGIN, CAPTCHA, WORDS, REDESIGN])
def test_documents_that_are_walled_off_are_not_kept(tmp_path: Path, body: str) -> None:
    """Where the text may be anywhere on a page, foreign pages are still no documents."""
    turning = Turning(website(SEARCHER), body, begin=41, target="^/documents")
    with running_site(turning) as url:
        spec = spec_of(url, empty=True, text="css:body", title="css:title")
        found = Harvest(tmp_path / "got", spec, SETTINGS, LIMITS).run()
    assert not found.target_met
    assert found.documents <= 40
    assert found.documents_failed >= 1


@pytest.mark.parametrize("body", [LOGIN, PLAIN_LOGIN, CAPTCHA, REDESIGN])
def test_links_of_another_page_are_no_hits(tmp_path: Path, body: str) -> None:
    """A loose selector finds hits on any page, but a page without the query has no results."""
    turning = Turning(website(SEARCHER), body, begin=10, target="^/search")
    with running_site(turning) as url:
        spec = spec_of(url, empty=False)
        ask = msgspec.structs.replace(spec.ask, form=None, url=f"{url}/search?q={{query}}")
        loose = msgspec.structs.replace(spec.results, hit="css:li", link="css:a", key="", title="")
        spec = msgspec.structs.replace(spec, ask=ask, results=loose)
        found = Harvest(tmp_path / "got", spec, SETTINGS, LIMITS).run()
        assert not found.target_met
        assert "longline discover --relearn" in found.stopped
        assert turning.seen <= 10 + 6
    assert found.rows_received > 0


@pytest.mark.slow
def test_odd_document_of_an_honest_site_is_kept(tmp_path: Path) -> None:
    """A document without any word of its hit costs one more request and is saved as it is."""
    odd = DOCUMENTS[7].key
    body = page("Plate VII", "<article><p>Unspeakable.</p></article>")
    turning = Turning(website(SEARCHER), body, begin=1, target=f"^/documents/{re.escape(odd)}$")
    log: list[str] = []
    with running_site(turning, log=log) as url:
        Harvest(tmp_path / "got", spec_of(url, empty=True), SETTINGS, LIMITS).run()
    store = open_store(tmp_path / "got")
    held = store.document(odd)
    store.close()
    assert held is not None
    assert held.text == "Unspeakable."
    asked = [target for target in log if target.startswith("/documents/")]
    assert len(asked) - len(set(asked)) <= 4  # at most as many as are read at once


@pytest.mark.slow
def test_budget_that_ends_while_asking_again_counts_both(tmp_path: Path) -> None:
    """The ledger counts every request, even where the budget forbids the request for a check."""
    turning = Turning(website(SEARCHER), REDESIGN, begin=60, target="^/search")
    log: list[str] = []
    with running_site(turning, log=log) as url:
        spec = spec_of(url, empty=False)
        found = Harvest(tmp_path / "a", spec, SETTINGS, LIMITS).run()
        sent = len(log)
        assert found.requests == sent
        turning.seen = 0
        limits = msgspec.structs.replace(LIMITS, max_requests=sent - 1)
        short = Harvest(tmp_path / "b", spec, SETTINGS, limits).run()
        assert len(log) - sent == short.requests == sent - 1
        assert "requests of the budget" in short.stopped


def test_empty_answers_of_an_honest_site_cost_three_requests_more(tmp_path: Path) -> None:
    """A query that had hits is requested twice more, and one of the empty answers once more."""
    log: list[str] = []
    words = ("return", "qqqa", "qqqb", "qqqc", "value")
    settings = Settings(strategy="random-dictionary", words=words)
    with running_site(SEARCHER, log=log) as url:
        spec = spec_of(url, empty=False)
        found = Harvest(tmp_path / "got", spec, settings, LIMITS).run()
    asked = [target for target in log if target.startswith("/search?")]
    assert len(asked) - len(set(asked)) <= 3
    assert found.requests == len(log)
