"""Kinds of sites from a further test set: guarded data, parts of pages, indexes, dates."""

import html
import json
from pathlib import Path
from urllib.parse import parse_qs, quote

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from tests.discovery.test_further_kinds import Answer, harvested
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, TEXTS, document, number, page, part, words

import longline
from longline.errors import InputError
from longline.model import Document
from longline.simulate import running_site

pytestmark = pytest.mark.slow

KEYS = list(DOCUMENTS)


def row(one: Document) -> dict[str, str]:
    """Return a row with all fields of a document."""
    return {"id": one.key, "name": one.title, "about": one.text}


def link(one: Document) -> str:
    """Return a link to a document."""
    return f'<a href="/doc/{one.key}">{html.escape(one.title)}</a>'


def guarded(request: Request) -> Response:
    """JSON after a line that prevents other sites from running it as a script."""
    at = number(request, "start", 0)
    rows = [row(d) for d in part(words(request.query_params.get("q", "")), at, 25).rows]
    return Response(")]}'\n" + json.dumps(rows), media_type="application/json")


def as_feed(request: Request) -> Response:
    """A search that answers with a feed, whose titles are marked as HTML."""
    typed = request.query_params.get("search_query", "").removeprefix("all:")
    found = part(words(typed), number(request, "start", 0))
    entries = "".join(
        f"<entry><id>tag:{d.key}</id><title>{html.escape(d.title)}</title>"
        f"<summary>{html.escape(d.text)}</summary></entry>"
        for d in found.rows
    )
    text = f'<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">{typed}</title>'
    text += f"<totalResults>{found.total}</totalResults>{entries}</feed>"
    return Response(text, media_type="application/atom+xml")


SEARCHES = {guarded: "?q=parser", as_feed: "?search_query=all:parser&start=0"}


@pytest.mark.parametrize("answer", SEARCHES, ids=lambda answer: answer.__name__)
def test_data_is_known_by_what_it_holds(answer: Answer, tmp_path: Path) -> None:
    """Data is recognised as such, even with a guard line, or with HTML in it."""
    _, documents = harvested([Route("/api", answer)], f"/api{SEARCHES[answer]}", tmp_path)
    assert len(documents) >= 0.95 * SIZE


def by_a_custom(request: Request) -> Response:
    """A list of fifty rows, without a hint of more rows or of how to request them."""
    if request.query_params.keys() - {"offset"}:
        return JSONResponse({"message": "no such column"}, 400)
    return JSONResponse([row(d) for d in part(TEXTS, number(request, "offset", 0), 50).rows])


def names_its_lists(request: Request) -> Response:
    """The root names a list by a template, and the list has all its rows on one page."""
    is_root = request.url.path == "/"
    return JSONResponse({"paper": "/paper{/id}"} if is_root else {"rows": [*map(row, TEXTS)]})


def for_its_scripts(request: Request) -> Response:
    """A page that a script draws, from a list inside the page."""
    del request
    rows = json.dumps([*map(row, TEXTS)]).replace("</", "<\\/")
    return HTMLResponse(f'<h1>Wiki</h1><script type="application/json">{rows}</script>')


def as_folder(request: Request) -> Response:
    """A folder whose links begin with a dot."""
    del request
    rows = "".join(f'<a href="./doc/{key}">{key}</a>\n' for key in KEYS)
    return HTMLResponse(f'<title>Index of /</title><pre><a href="../">../</a>{rows}</pre>')


def with_a_filter(request: Request) -> Response:
    """Folders and files below links that sort, beside a box that a script filters the names by."""
    here = request.path_params.get("folder", "")
    below = KEYS[: SIZE // 2] if here == "a" else KEYS[SIZE // 2 :]
    names = below if here else ["a/", "b/"]
    rows = "".join(f'<tr><td><a href="./{name}"> {name.strip("/")}</a><td>--' for name in names)
    head = f'<title>{here}</title><a href="">{here}</a><input id=filter onkeyup="filter()">'
    head += '<table><tr><th><a href="?sort=name">Name</a><th><a href="?sort=size">Size</a>'
    above = '<tr><td><a href="..">Go up</a>' if here else ""
    return HTMLResponse(f'{head}{above}{rows}</table>By <a href="https://x.example">Program</a>')


LISTS = (by_a_custom, names_its_lists, for_its_scripts, as_folder)


@pytest.mark.parametrize("answer", LISTS, ids=lambda answer: answer.__name__)
def test_a_list_is_read_to_its_end(answer: Answer, tmp_path: Path) -> None:
    """All documents of a list are held; the certificate says that others may be missing."""
    routes = [Route("/", answer), Route("/paper", answer), Route("/doc/{key}", document)]
    certificate, documents = harvested(routes, "/", tmp_path)
    assert len(documents) == SIZE
    assert certificate.outcome == "partial"
    assert "leaves out is not known" in certificate.stopped


def test_a_folder_is_known_by_its_links(tmp_path: Path) -> None:
    """A folder listing has a title of any kind, and its folders are read, too."""
    folder = Route("/{folder}/", with_a_filter)
    routes = [Route("/", with_a_filter), folder, Route("/{folder}/{key}", document)]
    certificate, documents = harvested(routes, "/", tmp_path)
    assert len(documents) == SIZE
    assert certificate.outcome == "partial"
    assert "leaves out is not known" in certificate.stopped


def parts_in_json(request: Request) -> Response:
    """A button names the URL of more hits: JSON with a part of a page in it."""
    typed, at = request.query_params.get("term", ""), number(request, "at", 0)
    found = part(words(typed), at, 12)
    rows = "".join(f"<div class=hit>{link(d)}</div>" for d in found.rows)
    if request.url.path == "/more":
        return JSONResponse({"rows": rows, "ok": True})
    onward = f'<button data-url="/more?term={quote(typed)}&amp;at=12">Load more</button>'
    return page((rows or "<p>Nothing matches.</p>") + (onward if found.more else ""))


def in_no_form(request: Request) -> Response:
    """A box with its own request, and a last row that loads the next ones when seen."""
    typed, at = request.query_params.get("term", ""), number(request, "page")
    if request.url.path == "/":
        box = '<input type=search name=term hx-get="/s" hx-trigger="keyup changed">'
        return HTMLResponse(f"<html lang=en><h1>Archive</h1>{box}<table></table>")
    found = part(words(typed), 20 * (at - 1), 20)
    more = f' hx-get="/s?term={quote(typed)}&amp;page={at + 1}" hx-trigger=revealed'
    rows = [f"<td>{link(d)}</td></tr>" for d in found.rows]
    lines = [f"<tr{more if found.more and n == 19 else ''}>{line}" for n, line in enumerate(rows)]
    return HTMLResponse("".join(lines) or "<tr><td>None</td></tr>")


CHOICES = {
    "list": "<select name=in><option value=titles>Titles<option value=text>Everywhere</select>"
    "<button>Search</button>",
    "buttons": "<button name=in value=titles>Titles</button>"
    "<button name=in value=text>Text</button>",
}


def titles_first(request: Request, choice: str) -> Response:
    """By default only titles are searched, so that the first words find little."""
    typed, at = request.query_params.get("term", ""), number(request, "page")
    where = request.query_params.get("in", "titles")
    found = [d for d in words(typed) if where == "text" or typed.lower() in d.title.lower()]
    rows = part(found, 20 * (at - 1), 20)
    form = f"<form action=/s><input name=term>{CHOICES[choice]}</form>"
    hits = "".join(f"<tr><td>{n}<td>{link(d)}</tr>" for n, d in enumerate(rows.rows))
    onward = f'<a rel=next href="/s?term={quote(typed)}&amp;in={where}&amp;page={at + 1}">Next</a>'
    shown = f"<p>{rows.total} found</p><table>{hits}</table>" + (onward if rows.more else "")
    nothing = "<p>Nothing matches.</p>" if typed else ""
    return HTMLResponse(f"<html lang=en>{form}{shown if hits else nothing}")


def titles_by_a_list(request: Request) -> Response:
    """Choose from a list."""
    return titles_first(request, "list")


def titles_by_a_button(request: Request) -> Response:
    """Choose by one of two buttons."""
    return titles_first(request, "buttons")


ASKED: dict[str, str] = {}


def led_by_a_query(request: Request) -> Response:
    """Each search redirects to a number, in a query that looks like a path, as in hit links."""
    typed = request.query_params.get("term")
    if typed is not None:
        return RedirectResponse(f"/index?/search/{ASKED.setdefault(typed, f'psk-{len(ASKED):06}')}")
    own, _, at = request.url.query.removeprefix("/search/").partition("/start-")
    found = part(words(next((w for w, n in ASKED.items() if n == own), "")), int(at or 0), 15)
    rows = "".join(
        f'<li class=hit><a href="/show?/{d.key}/search/{own}">{html.escape(d.title)}</a></li>'
        for d in found.rows
    )
    onward = f'<a rel=next href="/index?/search/{own}/start-{int(at or 0) + 15}">Next</a>'
    shown = (
        f"<ul>{rows}</ul><p class=said>{found.total} found</p>" if rows else "<p>None found.</p>"
    )
    return page(shown + (onward if found.more else ""))


def shown(request: Request) -> Response:
    """Show the document named by a query that looks like a path."""
    one = DOCUMENTS[request.url.query.split("/")[1]]
    return page(f"<article><h2>{html.escape(one.title)}</h2>{html.escape(one.text)}</article>")


BY_TITLE = (titles_by_a_list, titles_by_a_button)
SITES = (parts_in_json, in_no_form, led_by_a_query, *BY_TITLE)


@pytest.mark.parametrize("answer", SITES, ids=lambda answer: answer.__name__)
def test_a_site_comes_whole(answer: Answer, tmp_path: Path) -> None:
    """Nearly all documents are held, each once."""
    has_own = answer in (in_no_form, *BY_TITLE)
    routes = [
        Route("/", answer if has_own else lambda request: page("")),
        *(Route(path, answer) for path in ("/s", "/more", "/index")),
        Route("/show", shown),
        Route("/doc/{key}", document),
    ]
    _, documents = harvested(routes, "/", tmp_path)
    held = [each.title for each in documents]
    assert len(held) >= 0.95 * SIZE
    assert len({each.key for each in documents}) <= SIZE


def topics(request: Request) -> Response:
    """Eight subjects of five topics each, with texts beside all links."""
    names = request.path_params["names"]
    if not names:
        subjects = "".join(f'<li><a href="/in/{n}">Subject {n}</a> and more' for n in range(8))
        return HTMLResponse(f"<h1>Directory</h1><ul>{subjects}</ul>")
    subject, _, topic = names.partition("/")
    if not topic:
        rows = "".join(f'<dt><a href="/in/{subject}/{n}">No. {n}</a><dd>Text' for n in range(5))
        return HTMLResponse(f"<h1>Subject {subject}</h1><p>Choose a topic.</p><dl>{rows}</dl>")
    own = [d for n, d in enumerate(TEXTS) if (n % 8, n // 8 % 5) == (int(subject), int(topic))]
    rows = "".join(f"<div><h3>{link(d)}</h3>{html.escape(d.text[:99])}</div>" for d in own)
    return HTMLResponse(f"<h1>Topic {topic}</h1>{rows}")


def months(request: Request) -> Response:
    """Sixteen months with three orders each, side by side in a table."""
    month = request.path_params["names"].partition("/")[0]
    if not month:
        ways = ("thread", "author", "date")
        cells = (
            "".join(f'<a href="/in/{n}/{way}.html">[{way}]</a>' for way in ways) for n in KEYS[:16]
        )
        rows = "".join(f"<tr><td>Month<td>{cell}</tr>" for cell in cells)
        return HTMLResponse(f'<h1>Archives</h1><a href="/about">About</a><table>{rows}</table>')
    own = [DOCUMENTS[key] for key in KEYS if int(key) % 16 == int(month) % 16]
    rows = "".join(f"<li>{link(d)} <i>Somebody</i>" for d in own)
    return HTMLResponse(f"<h1>Archive</h1><p>Messages: {len(own)}</p><ul>{rows}</ul>")


def board(request: Request) -> Response:
    """Six forums of several pages; each post of a thread has a URL that redirects there."""
    kind, _, rest = request.path_params["names"].partition("/")
    if not kind:
        forums = "".join(f'<h3 class=node><a href="/in/f/{n}">Forum {n}</a></h3>' for n in range(6))
        return HTMLResponse(f"<h1>Board</h1>{forums}")
    if kind == "p":
        return RedirectResponse(f"/in/t/{rest.partition('/')[0]}#post")
    if kind == "t":
        parts = DOCUMENTS[rest].text.split(". ")
        posts = "".join(
            f'<article class=post id=p{n}><a href="/in/p/{rest}/{n}">#{n}</a>'
            f"<p>{html.escape(said)}.</p></article>"
            for n, said in enumerate(parts)
        )
        return HTMLResponse(f"<h1>{html.escape(DOCUMENTS[rest].title)}</h1>{posts}")
    own, at = TEXTS[int(rest) :: 6], number(request, "page")
    links = (f'<a href="/in/t/{d.key}">{html.escape(d.title)}</a>' for d in own)
    rows = "".join(f"<div class=thread>{each}</div>" for each in [*links][10 * at - 10 : 10 * at])
    for name, there in ("prev", at - 1), ("next", at + 1):
        if 0 < there <= -(-len(own) // 10):
            rows += f'<a class="jump jump-{name}" href="/in/f/{rest}?page={there}">{name}</a>'
    return HTMLResponse(f"<h1>Forum</h1>{rows}")


def handbook(request: Request) -> Response:
    """Five sections that are named in a sentence; each page has a text of many paragraphs."""
    at = request.path_params["names"]
    if not at:
        named = ", ".join(f'<a class=el href="/in/{n}">Section {n}</a>' for n in range(5))
        return HTMLResponse(f"<h1>Handbook</h1><div class=contents><p>See {named}.</p></div>")
    if at.startswith("d/"):
        d = DOCUMENTS[at[2:]]
        said = "".join(f"<p>{html.escape(each)}.</p>" for each in d.text.split(". "))
        later = TEXTS[(TEXTS.index(d) + 5) % SIZE].key
        head = f'<h1>{html.escape(d.title)}</h1><a href="/in/d/{later}">Next page</a>'
        return HTMLResponse(f"<div id=doc>{head}<div class=contents>{said}</div></div>")
    rows = "".join(
        f'<li><a class=el href="/in/d/{d.key}">{html.escape(d.title)}</a></li>'
        for d in TEXTS[int(at) :: 5]
    )
    return HTMLResponse(f"<h1>Section</h1><div class=contents><ul>{rows}</ul></div>")


@pytest.mark.parametrize(
    "answer", [topics, months, board, handbook], ids=lambda answer: answer.__name__
)
def test_an_index_is_read_to_its_documents(answer: Answer, tmp_path: Path) -> None:
    """Pages between the index and the documents are not documents."""
    routes = [Route("/in/{names:path}", answer), Route("/doc/{key}", document)]
    certificate, documents = harvested(routes, "/in/", tmp_path)
    assert len(documents) == SIZE
    assert certificate.outcome == "partial"
    assert "leaves out is not known" in certificate.stopped


def test_no_form_is_posted_while_lists_are_looked_for(tmp_path: Path) -> None:
    """A button "next" that sends a POST is not used without --post."""
    posted: list[str] = []

    def front(request: Request) -> Response:
        if request.method == "POST":
            posted.append(request.url.path)
            return HTMLResponse("<h1>Found</h1>" + "".join(f"<li>{link(d)}" for d in TEXTS[:9]))
        form = "<form method=post action=/in/find><input name=q><button>Next</button></form>"
        forums = "".join(f'<tr><td><a href="/in/f/{n}">Forum {n}</a></tr>' for n in range(6))
        return HTMLResponse(f"<h1>Board</h1>{form}<table>{forums}</table>")

    routes = [
        Route("/", front),
        Route("/in/find", front, methods=["POST"]),
        Route("/in/{names:path}", board),
    ]
    _, documents = harvested(routes, "/", tmp_path)
    assert posted == []
    assert len(documents) == SIZE


def notices(request: Request) -> Response:
    """Two dates are required, a year apart at most."""
    box = "<form action=/s><input type=date name=from required><input type=date name=to required>"
    form = f"<html lang=en><h1>Gazette</h1>{box}<button>Show</button></form>"
    first, last = (request.query_params.get(name, "") for name in ("from", "to"))
    if not first or first[:4] != last[:4]:
        return HTMLResponse(f"{form}<p>Give two dates of one year.</p>")
    dated = {f"{2020 + n % 7}-{n % 12 + 1:02}-01": [] for n in range(84)}  # type: dict[str, list[Document]]
    for n, one in enumerate(TEXTS):
        dated[[*dated][n % 84]].append(one)
    own = [d for day in sorted(dated) if first <= day <= last for d in dated[day]]
    at = number(request, "page")
    rows = "".join(f"<li class=notice>{link(d)}</li>" for d in own[10 * at - 10 : 10 * at])
    onward = f'<a rel=next href="/s?from={first}&amp;to={last}&amp;page={at + 1}">Next</a>'
    said = f"<p>{len(own)} notices</p><ul>{rows}</ul>" + (onward if own[10 * at :] else "")
    return HTMLResponse(form + (said if rows else "<p>None.</p>"))


def test_dates_are_asked_for_year_by_year(tmp_path: Path) -> None:
    """A form that accepts at most one year of dates is harvested completely."""
    routes = [Route("/", notices), Route("/s", notices), Route("/doc/{key}", document)]
    _, documents = harvested(routes, "/", tmp_path)
    assert len(documents) >= 0.95 * SIZE


FAMILIES = ["Smith", "Miller", "Garcia", "Lee", "Baker", "Cole", "Dunn", "Frost", "Gray", "Hart"]
CASES = [f"{one} v. {other}" for one in FAMILIES for other in FAMILIES]


def cases(request: Request) -> Response:
    """Only the parties' names are searched."""
    typed = request.query_params.get("who", "").lower().split()
    form = "<html lang=en><form action=/>Party name <input name=who><button>Search</button></form>"
    found = [c for c in CASES if typed and set(typed) <= set(c.lower().split())]
    rows = "".join(f"<tr><td>{CASES.index(c)}<td>{c}</tr>" for c in found)
    return HTMLResponse(form + (f"<table>{rows}</table>" if rows else "<p>No cases.</p>"))


def japanese(request: Request) -> Response:
    """A page whose language is shown only by its character encoding."""
    typed = parse_qs(request.url.query, encoding="shift_jis").get("who", [""])[0]
    texts = [
        f"これは{n}番の資料です。内容を確認{'する' if n % 3 else 'した'}こと" for n in range(60)
    ]
    form = "<h1>資料室</h1><form action=/><input name=who><button>検索</button></form>"
    rows = "".join(f"<li>{each}</li>" for each in texts if typed and typed in each)
    body = f"{form}<ul>{rows}</ul>" if rows else f"{form}<p>ありません。</p>"
    return Response(body.encode("shift_jis"), media_type="text/html; charset=shift_jis")


@pytest.mark.parametrize("answer", [cases, japanese], ids=lambda answer: answer.__name__)
def test_words_are_of_what_is_searched(answer: Answer) -> None:
    """Names for a register of people, and words in the language of a page, are used."""
    with running_site(Starlette(routes=[Route("/", answer)])) as url:
        found = longline.discover(f"{url}/", allow_private=True, browser=False)
    assert "{query}" in found.spec.ask.url


def in_parts(request: Request) -> Response:
    """Three hits of each kind are shown, with links to all of them."""
    typed = request.query_params.get("term", "")
    sorts = [[d for d in words(typed) if int(d.key) % 3 == n] for n in range(3)]
    said = "".join(
        f"<h2>Sort {n}</h2><ul class=hits>{''.join(f'<li>{link(d)}</li>' for d in own[:3])}</ul>"
        f'<a href="/sort/{n}?term={quote(typed)}">See all {len(own)}</a>'
        for n, own in enumerate(sorts)
        if own
    )
    return page(said or "<p>Nothing matches.</p>")


def test_parts_of_an_answer_are_named() -> None:
    """If an answer shows only the first of each kind, the finding names the complete lists."""
    routes = [Route("/", lambda request: page("")), Route("/s", in_parts)]
    with running_site(Starlette(routes=[*routes, Route("/doc/{key}", document)])) as url:
        found = longline.discover(f"{url}/", allow_private=True, browser=False)
    (named,) = (each for each in found.findings if each.name == "results.parts")
    assert "/sort/0?term=" in named.value
    assert any("by its own address" in each for each in found.review)


def begun(name: str) -> list[Route]:
    """An answer shows the first three, and links a list of all; each page has the box."""

    def boxed(typed: str, body: str) -> HTMLResponse:
        box = f'<input type=text name={name} value="{html.escape(typed)}">'
        return HTMLResponse(f"<form action=/s>{box}<button>Search</button></form>{body}")

    def few(request: Request) -> Response:
        typed = request.query_params.get(name, "")
        found = words(typed)
        rows = "".join(f"<li class=hit>{link(d)}</li>" for d in found[:3])
        whole = f'<a href="/all?{name}={quote(typed)}">See all {len(found)}</a>'
        return boxed(typed, f"<ul>{rows}</ul>{whole}" if found else "<p>Nothing matches.</p>")

    def all_of_them(request: Request) -> Response:
        typed, at = request.query_params.get(name, ""), number(request, "page")
        found = words(typed)
        rows = "".join(f"<tr><td>{link(d)}</tr>" for d in found[10 * at - 10 : 10 * at])
        pager = f"<form action=/all><input name=page value={at}></form>"
        onward = f'<a rel=next href="/all?{name}={quote(typed)}&amp;page={at + 1}">Next</a>'
        said = f"<p>{len(found)} found for {html.escape(typed)}</p><table>{rows}</table>{pager}"
        said += onward if found[10 * at :] else ""
        return boxed(typed, said if found else "<p>Nothing matches.</p>")

    return [
        Route("/", lambda request: boxed("", "<h1>Records</h1>")),
        Route("/s", few),
        Route("/all", all_of_them),
        Route("/doc/{key}", document),
    ]


@pytest.mark.parametrize("name", ["term", "fulltext"])
def test_the_list_that_an_answer_begins_is_learnt_in_its_place(name: str, tmp_path: Path) -> None:
    """If an answer shows three hits and links to all, the complete list is used, once."""
    certificate, documents = harvested(begun(name), "/", tmp_path)
    assert len(documents) >= 0.98 * SIZE
    assert f"/all?{name}={{query}}" in (tmp_path / "harvest" / "source.toml").read_text()
    assert certificate.discovery_requests <= 60


def test_a_form_without_a_box_is_refused_for_that() -> None:
    """If a form of dates finds nothing, the error names it, and what to write for it."""
    form = "<form action=/s><input type=date name=from><input type=date name=to></form>"
    routes = [
        Route(path, lambda request: HTMLResponse(f"<h1>Notices</h1>{form}")) for path in ("/", "/s")
    ]
    with running_site(Starlette(routes=routes)) as url, pytest.raises(InputError) as refused:
        longline.discover(f"{url}/", allow_private=True, browser=False)
    assert "has no box for words, and nothing came by from alone" in refused.value.message
    assert "[facets]" in (refused.value.advice or "")


def one_hit_first(request: Request) -> Response:
    """Only names are searched: each word of the front page finds a single document."""
    typed = request.query_params.get("term", "").lower()
    names = "".join(f"<li>{link(d)}</li>" for d in TEXTS[:12])
    form = "<form action=/s><input name=term><button>Search</button></form>"
    if request.url.path == "/":
        return HTMLResponse(f"<html lang=en>{form}<ul>{names}</ul>")
    found = [d for d in TEXTS if typed and typed in d.title.lower()]
    rows = "".join(f"<li class=hit>{link(d)}</li>" for d in found[:20])
    said = f"<h1>Results for '{html.escape(typed)}'</h1><p>Showing {len(found)} results</p>"
    return HTMLResponse(f"<html lang=en>{form}{said}<ul>{rows}</ul>")


def test_words_that_find_one_thing_are_followed_by_others() -> None:
    """If each word has only one hit, more words are tried before the search is given up."""
    routes = [Route("/", one_hit_first), Route("/s", one_hit_first)]
    with running_site(Starlette(routes=[*routes, Route("/doc/{key}", document)])) as url:
        found = longline.discover(f"{url}/", allow_private=True, browser=False)
    assert "term={query}" in found.spec.ask.url


def book(request: Request) -> Response:
    """An index of pages, each of which links the next; one has "find" in its name."""
    key = request.path_params.get("key", "")
    if not key:
        rows = "".join(f'<li><a href="/find-{k}">{d.title}</a>' for k, d in DOCUMENTS.items())
        return HTMLResponse(f"<h1>Index</h1><ul>{rows}</ul>")
    at = KEYS.index(key)
    one, after = TEXTS[at], KEYS[(at + 1) % SIZE]
    said = "".join(f"<p>{html.escape(each)}</p>" for each in one.text.split("\n\n"))
    return HTMLResponse(f'<a href="/find-{after}">Next</a><h1>{one.title}</h1><div>{said}</div>')


def test_pages_that_lead_on_are_documents(tmp_path: Path) -> None:
    """The index is read, and not the paragraphs of a page that links the next one."""
    certificate, documents = harvested(
        [Route("/", book), Route("/find-{key}", book)], "/", tmp_path
    )
    assert len(documents) == SIZE
    assert certificate.outcome == "partial"


def described(request: Request) -> Response:
    """A search named by a description, whose answers are Atom with full texts."""
    host = str(request.base_url)
    if request.url.path == "/":
        kind = "application/opensearchdescription+xml"
        return HTMLResponse(f'<link rel=search type="{kind}" href="/osd"><h1>Bookmarks</h1>')
    if request.url.path == "/osd":
        template = f"{host}feed?q={{searchTerms}}"
        text = "<OpenSearchDescription><ShortName>B</ShortName>"
        text += f'<Url type="application/atom+xml" template="{template}"/></OpenSearchDescription>'
        return Response(text, media_type="application/xml")
    entries = "".join(
        f'<entry><id>{d.key}</id><title>{html.escape(d.title)}</title><link href="/x/{d.key}"/>'
        f'<content type="html">{html.escape(d.text)}</content></entry>'
        for d in words(request.query_params.get("q", ""))[:50]
    )
    feed = f'<feed xmlns="http://www.w3.org/2005/Atom"><title>B</title>{entries}</feed>'
    return Response(feed, media_type="application/atom+xml")


def test_whole_texts_of_a_feed_are_kept(tmp_path: Path) -> None:
    """The content of an entry is the text of its document."""
    routes = [Route(path, described) for path in ("/", "/osd", "/feed")]
    _, documents = harvested(routes, "/", tmp_path)
    assert len(documents) >= 0.95 * SIZE
    assert all(each.text for each in documents)
