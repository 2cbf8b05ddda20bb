"""Habits of further servers: headers with other names, links by rank, menus with the words."""

from collections.abc import Callable, Sequence
from html import escape

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.engines import Engine, Rules, Text, corpus
from tests.discovery.grade import discover, pages_by
from tests.discovery.test_parts import page

from longline.discovery import Discoverer
from longline.discovery.answer_pages import PagingState
from longline.discovery.dialect.stemming import learn_stems
from longline.discovery.dialect.word_pairs import Answer as Compared
from longline.discovery.presets.opensearch import described, is_description
from longline.discovery.routes.empty_search import EmptySearch
from longline.discovery.session import Asking, DiscoverySession
from longline.model import Page
from longline.model import Request as AskedFor
from longline.model import Response as Answer
from longline.simulate import running_site
from longline.source import read_spec

TEXTS = corpus("docs")
ENGINE = Engine(TEXTS, Rules(nots=()))
SIZE = 20

Read = Callable[[Request], Response]


def learnt(read: Read, given: str, *, well: bool = True, words: Sequence[str] = ()) -> Discoverer:
    """Learn a site with one page for every path; with `well`, it must be ready to harvest."""

    async def answer(request: Request) -> Response:
        return read(request)

    with running_site(Starlette(routes=[Route("/{path:path}", answer)])) as url:
        found = discover(f"{url}{given}", words=words)
        if well:
            assert found.spec is not None, found.problem
            assert not found.review
            assert found.requests <= 40
            [pages] = pages_by(found, [("class",)], 60)
            keys = {hit.key for page in pages for hit in page.hits}
            assert len(keys) == len(ENGINE.search("class"))
        return found


def listed(found: list[Text]) -> list[dict[str, str]]:
    return [{"id": text.key, "name": text.title, "description": text.body} for text in found]


@pytest.mark.parametrize(
    ("following", "last"),
    [
        ("/items?q=&_limit=20&_token=eyJv", None),
        ("/items?q=&_limit=20", None),
        ("/items?q=&_limit=20&offset=20", "/items?q=&_limit=20&offset=180"),
        ("/items?q=&page=2&sort=best", "/items?q=&page=10&sort=best"),
    ],
)
def test_only_a_place_tells_how_deep_a_list_goes(following: str, last: str | None) -> None:
    """A page length next to a token is not an offset, although it is a number."""
    home = "https://data.example"
    spec = read_spec(
        f'[source]\nname = "data"\nurl = "{home}/"\nkind = "json"\n'
        f'[ask]\nurl = "{home}/items?q={{query}}"\n[results]\nhit = "data[*]"\nkey = "id"\n'
    )
    page = Page((), next=AskedFor(home + following))
    request = EmptySearch(spec, None, "").jump(page, 10, 20)
    assert (request and request.url) == (last and home + last)


def by_rank(request: Request, *, asks: bool, lasting: bool) -> Response:
    """Links name a hit by its rank in the answer; another link that cannot be opened is its own."""
    typed, number = request.query_params.get("q", ""), int(request.query_params.get("page") or 1)
    found = ENGINE.search(typed) if typed else []
    if request.url.path.startswith("/download/"):
        place = int(request.url.path.rpartition("/")[2])
        if place >= len(found):
            return HTMLResponse("no such result", status_code=404)
        text = found[place]
        return HTMLResponse(f"<h1>{escape(text.title)}</h1><main>{escape(text.body)}</main>")
    start = (number - 1) * SIZE
    tail = f"?q={escape(typed)}" if asks else ""
    own = "<a href='file:///store/{key}'>{folder}</a>" if lasting else ""
    hits = "".join(
        f"<div class=hit><h3><a href='/download/{place}{tail}'>{escape(text.title)}</a></h3>"
        f"{own.format(key=text.key, folder='store')}"
        f"<p>{escape(text.body[:200])}</p></div>"
        for place, text in enumerate(found[start : start + SIZE], start)
    )
    onward = f"<a rel=next href='/?q={escape(typed)}&amp;page={number + 1}'>Next</a>"
    onward = onward if len(found) > start + SIZE else ""
    form = (
        f"<form action=/><input type=search name=q value='{escape(typed)}'><button>Search</button>"
    )
    said = f"<p class=found>{len(found)} results</p>" if typed else "<p>A class, a module, a file."
    return HTMLResponse(f"{form}</form>{said}{hits}{onward}")


@pytest.mark.parametrize("asks", [True, False])
@pytest.mark.parametrize("lasting", [True, False])
def test_links_by_rank_tell_no_documents_apart(asks: bool, lasting: bool) -> None:
    """A link such as "download/0" is another document for other words: the title is the key."""
    found = learnt(lambda request: by_rank(request, asks=asks, lasting=lasting), "/")
    assert found.spec is not None
    results = found.spec.results
    assert bool(results.link) is asks
    assert results.key
    assert not results.key_ignores
    assert results.key.endswith("::attr(href)") is lasting


def unchanged(request: Request) -> Response:
    """A page with every title in its menu, whose answers are shown only by a script."""
    menu = "".join(f"<li><a href='/{t.key}'>{escape(t.title)}</a></li>" for t in TEXTS[:200])
    form = "<form role=search action=/search><input name=q><button>Search</button></form>"
    return HTMLResponse(f"{form}<div id=results></div><ul class=menu>{menu}</ul>")


@pytest.mark.slow
def test_a_menu_that_holds_the_words_is_no_answer() -> None:
    """Rows of a menu do not depend on the query, although those with its words seem to."""
    found = learnt(unchanged, "/", well=False)
    assert found.spec is None
    assert "brought what made-up words" in found.problem


def by_parts(word: str) -> frozenset[str]:
    """Find a word also inside other words."""
    return frozenset(text.key for text in TEXTS if word in text.whole.lower())


def by_stems(word: str) -> frozenset[str]:
    """Find words that differ by an s."""
    wanted = word.rstrip("s")
    said = {text.key: {term.rstrip("s") for term in text.whole.lower().split()} for text in TEXTS}
    return frozenset(key for key, terms in said.items() if wanted in terms)


@pytest.mark.parametrize(("finds", "stems"), [(by_parts, False), (by_stems, True)])
def test_parts_of_words_are_no_stems(
    monkeypatch: pytest.MonkeyPatch, finds: Callable[[str], frozenset[str]], stems: bool
) -> None:
    """A plural without its s is found in all plurals, where parts of words are searched."""

    def answer(
        session: DiscoverySession, pages: PagingState, words: str, most: int = 1
    ) -> Asking[Compared]:
        yield from ()
        return Compared(words, finds(words), True)

    monkeypatch.setattr("longline.discovery.dialect.stemming.answer", answer)
    monkeypatch.setattr("longline.discovery.dialect.stemming.more_pages", lambda pages: 1)
    session = DiscoverySession("https://site.example/", np.random.default_rng(0))
    word = next(w for text in TEXTS for w in text.body.lower().split() if is_plural(w, finds))
    shown = page("<p>web</p>")
    plan = learn_stems(
        session, PagingState(session, shown), Compared(word, finds(word), True), "AND"
    )
    with pytest.raises(StopIteration) as ended:
        next(plan)
    assert ended.value.value is stems


def test_two_words_of_which_any_is_enough_show_no_stems() -> None:
    """With OR, a form that nothing holds changes nothing, so it shows no stemming."""
    session = DiscoverySession("https://site.example/", np.random.default_rng(0))
    shown = page("<p>web</p>")
    a = Compared("deep web", frozenset("abc"), True)
    assert not list(learn_stems(session, PagingState(session, shown), a, "OR"))


def is_plural(word: str, finds: Callable[[str], frozenset[str]]) -> bool:
    return word.isalpha() and len(word) > 7 and word[-1] == "s" and finds(word) == finds(word[:-1])


def grouped(request: Request) -> Response:
    """Ten rows per page, of which some are parts of one document, which is shown once."""
    typed, number = request.query_params.get("q", ""), int(request.query_params.get("page") or 1)
    found = ENGINE.search(typed) if typed else []
    rows = [text for text in found for _ in range(1 + (int(text.key, 16) % 8 == 0))]
    last = max(1, -(-len(rows) // 10))
    number = min(number, last)
    hits = "".join(
        f"<dt><a href='/doc/{text.key}'>{escape(text.title)}</a></dt>"
        f"<dd>{escape(text.body[:90])}</dd>"
        for text in dict.fromkeys(rows[(number - 1) * 10 : number * 10])
    )
    form = (
        f"<form action=/><input type=search name=q value='{escape(typed)}'><button>Search</button>"
    )
    onward = f"<li class=next><a href='/?q={escape(typed)}&amp;page={number + 1}'>Next</a></li>"
    turned = "".join(
        f"<li><a href='/?q={escape(typed)}&amp;page={n}'>{n}</a></li>" for n in range(1, last + 1)
    )
    pager = f"<ul class=pager>{turned}{onward if number < last else ''}</ul>" if last > 1 else ""
    said = "" if typed else "<p>A class, a module, a file."
    return HTMLResponse(f"{form}</form>{said}<dl class=hits>{hits}</dl>{pager}")


def test_a_short_page_is_no_end_where_pages_differ_in_length() -> None:
    """Pages that merge rows are short but have a next link: it is followed, nothing is counted."""
    found = learnt(grouped, "/")
    assert found.spec is not None
    assert found.spec.results.next
    assert "{page}" not in found.spec.ask.url


def shelf(request: Request) -> Response:
    """All hits on one page; each document contains the site's own name."""
    typed = request.query_params.get("q")
    form = (
        f"<form action=/><input name=q value='{escape(typed or '')}'><button>Search</button></form>"
    )
    if typed is None:
        return HTMLResponse(f"{form}<p>The shelfmark of a module, a class and more files.</p>")
    found = list(TEXTS) if typed in ("", "shelfmark") else ENGINE.search(typed)
    rows = "".join(
        f"<tr><td><a href='/doc/{text.key}'>{escape(text.title)}</a></td></tr>" for text in found
    )
    return HTMLResponse(f"{form}<table class=found>{rows}</table>")


@pytest.mark.slow
def test_a_word_that_every_document_holds_hides_no_others() -> None:
    """Shorter answers differ from the complete one; a search without words returns as many."""
    spec = learnt(shelf, "/", words=("shelfmark", "class", "module", "file", "name")).spec
    assert spec is not None
    assert spec.ask.dialect.all == ""
    assert spec.results.hit


def estimated(request: Request) -> Response:
    """The total of a long answer is some percent below what its pages show."""
    typed, number = request.query_params.get("q", ""), int(request.query_params.get("page") or 1)
    found = ENGINE.search(typed) if typed else []
    start, size = (number - 1) * 10, 10
    said = len(found) if len(found) < 40 else round(len(found) * 0.97)
    hits = "".join(
        f"<div class=hit><a href='/doc/{text.key}'>{escape(text.title)}</a></div>"
        for text in found[start : start + size]
    )
    onward = f"<a rel=next href='/?q={escape(typed)}&amp;page={number + 1}'>Next</a>"
    onward = onward if len(found) > start + size else ""
    form = (
        f"<form action=/><input type=search name=q value='{escape(typed)}'><button>Search</button>"
    )
    count = f"<p class=found>Found {said} results</p>" if typed else "<p>A class, a module, a file."
    return HTMLResponse(f"{form}</form>{count}{hits}{onward}")


@pytest.mark.slow
def test_more_than_an_estimate_says_needs_no_review() -> None:
    """Pages that hold a little more than the total are no problem: the total is "about"."""
    found = learnt(estimated, "/")
    assert found.spec is not None
    assert found.spec.results.total_relation == "about"


def limited(request: Request) -> Response:
    """JSON rows without a total, as many as requested."""
    given = request.query_params
    size, number = int(given.get("limit") or SIZE), int(given.get("page") or 1)
    found = ENGINE.search(given.get("q", ""))
    return JSONResponse({"data": listed(found[(number - 1) * size : number * size])})


@pytest.mark.slow
def test_an_answer_that_ends_is_no_clamp() -> None:
    """A page shorter than requested does not show a maximum size if no page follows it."""
    found = learnt(limited, "/items?q=module")
    assert found.spec is not None
    assert (found.spec.ask.page_size or 0) >= 50


def osd(template: str) -> Answer:
    escaped = template.replace("&", "&amp;")
    text = (
        "<?xml version='1.0'?><!-- made by hand --><OpenSearchDescription><ShortName>Maps"
        f"</ShortName><Url type='application/atom+xml' template='{escaped}'/>"
        "</OpenSearchDescription>"
    )
    return Answer(url="https://maps.example/osd", status=200, body=text.encode())


@pytest.mark.parametrize(
    ("template", "asked"),
    [
        ("/?q={searchTerms}&time={time:start?}/{time:end?}&n={count?}", "/?q={query}"),
        ("/?q={searchTerms?}&from={startIndex?}&box={geo:box}", "/?q={query}&from={offset}&box="),
        ("/find/{searchTerms?}/{startPage?}", "/find/{query}/{page}"),
        ("/{language?}/find?q={searchTerms}", "//find?q={query}"),
        ("/?mode=atom&q={searchTerms}", "/?mode=atom&q={query}"),
    ],
)
def test_what_may_be_left_out_of_a_description_is(template: str, asked: str) -> None:
    """Parameters of maps and times that nobody fills would be sent empty, or as "/"."""
    response = osd(f"https://maps.example{template}")
    assert is_description(response)
    spec = described(response)
    assert spec is not None
    assert spec.ask.url == f"https://maps.example{asked}"


@pytest.mark.parametrize("body", [b"", b"<html>OpenSearchDescription</html>", b"<feed/>", b"{}"])
def test_other_answers_are_no_descriptions(body: bytes) -> None:
    """Only the root element shows what a document is."""
    assert not is_description(Answer(url="https://maps.example/", status=200, body=body))
