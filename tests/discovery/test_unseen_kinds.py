"""Kinds of well-known software: settings that leave documents out, lists, refusals."""

import html
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from tests.discovery.test_further_kinds import Answer, harvested
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, document, number, page, part, words

import longline
from longline.errors import InputError
from longline.model import Document
from longline.simulate import running_site

pytestmark = pytest.mark.slow

Allowed = Callable[[Request, Document], bool]
KEYS = list(DOCUMENTS)


def is_recent(request: Request, one: Document) -> bool:
    """The last month, unless any time is chosen."""
    return request.query_params.get("when", "30") == "all" or int(one.key) % 4 == 0


def is_ticked(request: Request, one: Document) -> bool:
    """One of three sections, unless others are checked."""
    return "abc"[int(one.key) % 3] in (request.query_params.getlist("in") or "abc")


def is_in_years(request: Request, one: Document) -> bool:
    """The last years, unless others are chosen."""
    low = int(request.query_params.get("from", "2006") or 0)
    high = int(request.query_params.get("to", "2024") or 9999)
    return low <= 2000 + int(one.key) % 25 <= high


def is_not_similar(request: Request, one: Document) -> bool:
    """Without similar documents, unless they are requested."""
    return "filter" in request.query_params or int(one.key) % 3 > 0


SETTINGS: dict[Allowed, str] = {
    is_recent: "<select name=when><option value=30>Last month<option value=all>Any time</select>",
    is_ticked: "".join(
        f"<input type=checkbox name=in value={each} {'checked' if each == 'a' else ''}>"
        for each in "abc"
    ),
    is_in_years: "<input type=number name=from value=2006><input type=number name=to value=2024>",
    is_not_similar: "",
}


def narrowed(allowed: Allowed) -> Answer:
    """Return a search whose form is set to a part of the documents."""

    def answer(request: Request) -> Response:
        typed, at = request.query_params.get("q", ""), number(request, "page")
        found = part([d for d in words(typed) if allowed(request, d)], 10 * (at - 1))
        form = f"<form action=/s><input name=q>{SETTINGS[allowed]}<button>Search</button></form>"
        rows = "".join(
            f'<li class=hit><a href="/doc/{d.key}">{html.escape(d.title)}</a></li>'
            for d in found.rows
        )
        said = f"<p class=said>{found.total} found</p>" if allowed is not is_not_similar else ""
        asked = "&".join(f"{n}={quote(v)}" for n, v in request.query_params.multi_items())
        asked = asked.partition("&page=")[0]
        onward = f'<a class=next href="/s?{html.escape(asked)}&amp;page={at + 1}">Next</a>'
        whole = (
            f'<a class=whole href="/s?q={quote(typed)}&amp;filter=0">Show all, similar included</a>'
        )
        shown = f"{said}<ul>{rows}</ul>" + (onward if found.more else whole)
        return HTMLResponse(form + (shown if found.rows else "<p>Nothing matches.</p>"))

    return answer


@pytest.mark.parametrize("allowed", SETTINGS, ids=lambda allowed: allowed.__name__)
def test_a_form_that_is_set_to_a_part_is_set_to_the_whole(allowed: Allowed, tmp_path: Path) -> None:
    """Documents that the form leaves out by default are held, too."""
    answer = narrowed(allowed)
    routes = [Route("/", answer), Route("/s", answer), Route("/doc/{key}", document)]
    _, documents = harvested(routes, "/", tmp_path)
    assert len(documents) >= 0.95 * SIZE


def of_a_catalogue(request: Request, one: Document) -> bool:
    """Each of three catalogues has its own documents."""
    return request.query_params.get("in", "0") == str(int(one.key) % 3)


def by_a_field(request: Request, one: Document) -> bool:
    """One of two fields is searched: both find the same documents."""
    typed = request.query_params.get("q", "").lower().split()
    begins = request.query_params.get("in", "0") == "0"
    said = f"{one.title} {one.text[:200]}" if begins else one.text[200:]
    return any(word in said.lower() for word in typed)


CHOICE = "<select name=in><option value=0>A<option value=1>B<option value=2>C</select>"


@pytest.mark.parametrize("allowed", [of_a_catalogue, by_a_field], ids=lambda each: each.__name__)
def test_a_setting_without_all_is_told_from_a_field(
    allowed: Allowed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only where no setting brings the documents together are words sent with each of them."""
    monkeypatch.setitem(SETTINGS, allowed, CHOICE)
    answer = narrowed(allowed)
    routes = [Route("/", answer), Route("/s", answer), Route("/doc/{key}", document)]
    with running_site(Starlette(routes=routes)) as url:
        found = longline.discover(f"{url}/", allow_private=True, browser=False)
    assert [each.required for each in found.spec.facets.values()] == [True] * (
        allowed is of_a_catalogue
    )
    assert "ask.setting" not in found.toml


def in_catalogues(request: Request) -> Response:
    """Three catalogues with their own documents, each of which lists all without words."""
    typed, at = request.query_params.get("q", ""), number(request, "page")
    every = words(typed) if typed.strip() else list(DOCUMENTS.values())
    found = part([d for d in every if of_a_catalogue(request, d)], 10 * (at - 1))
    rows = "".join(
        f'<li class=hit><a href="/doc/{d.key}">{html.escape(d.title)}</a></li>' for d in found.rows
    )
    own = f"q={quote(typed)}&amp;in={request.query_params.get('in', '0')}"
    onward = f'<a class=next href="/s?{own}&amp;page={at + 1}">Next</a>' if found.more else ""
    said = f"<p class=said>{found.total} found</p>"
    form = f"<form action=/s><input name=q>{CHOICE}<button>Search</button></form>"
    shown = f"{said}<ul>{rows}</ul>{onward}" if found.rows else "<p>Nothing matches.</p>"
    return HTMLResponse(f"{form}{shown}" if "q" in request.query_params else form)


def test_each_of_the_settings_is_harvested_if_it_lists_all(tmp_path: Path) -> None:
    """No setting brings all, but each lists its own documents without words."""
    routes = [Route("/", in_catalogues), Route("/s", in_catalogues), Route("/doc/{key}", document)]
    certificate, documents = harvested(routes, "/", tmp_path)
    assert len(documents) >= 0.95 * SIZE
    assert certificate.outcome == "complete"


def as_pages(request: Request) -> Response:
    """A list page by page, with a part of the documents, and no total."""
    at = number(request, "page")
    rows = part(list(DOCUMENTS.values())[:93], 20 * (at - 1), 20)
    hits = "".join(f'<li><a href="/doc/{d.key}">{html.escape(d.title)}</a></li>' for d in rows.rows)
    more = f'<a rel=next href="/?page={at + 1}">Older</a>' if rows.more else ""
    return HTMLResponse(f"<h1>News</h1><ul>{hits}</ul>{more}")


def as_data(request: Request) -> Response:
    """The same in JSON, sent as plain text."""
    at = number(request, "page")
    found = part(list(DOCUMENTS.values())[:93], 20 * (at - 1), 20)
    rows = [{"id": d.key, "name": d.title, "text": d.text} for d in found.rows]
    body = JSONResponse({"rows": rows, "next": f"/?page={at + 1}" if found.more else None}).body
    return Response(body, media_type="text/plain")


def as_links(request: Request) -> Response:
    """All on one page, as links among other words."""
    del request
    hits = "".join(
        f'<li>No. {n}: <a href="/doc/{key}">{html.escape(DOCUMENTS[key].title)}</a></li>'
        for n, key in enumerate(KEYS[:93])
    )
    return HTMLResponse(f"<a href=/about>About</a><h1>Papers</h1><ul>{hits}</ul>")


@pytest.mark.parametrize("answer", [as_pages, as_data, as_links], ids=lambda one: one.__name__)
def test_a_list_that_counts_nothing_is_never_called_complete(
    answer: Answer, tmp_path: Path
) -> None:
    """All listed documents are held; the certificate says that others may be missing."""
    routes = [Route("/", answer), Route("/doc/{key}", document)]
    certificate, documents = harvested(routes, "/", tmp_path)
    assert len(documents) == 93
    assert certificate.outcome == "partial"
    assert "leaves out is not known" in certificate.stopped


def owner_and_project(request: Request) -> Response:
    """Two similar links in each hit: the second leads to the document."""
    typed, at = request.query_params.get("term", ""), number(request, "page")
    found = part(words(typed), 20 * (at - 1), 20)
    rows = "".join(
        f'<div class=row><div class=title><a class=name href="/user{int(d.key) % 23}">'
        f'user{int(d.key) % 23}</a>/<a class=name href="/user{int(d.key) % 23}/{d.key}">'
        f"{html.escape(d.title)}</a></div><p>{html.escape(d.text[:100])}</p></div>"
        for d in found.rows
    )
    onward = f'<a class=next href="/s?term={quote(typed)}&amp;page={at + 1}">Next</a>'
    return page((rows or "<p>Nothing matches.</p>") + (onward if found.more else ""))


STORED: dict[str, str] = {}


def keeps_what_is_asked(request: Request) -> Response:
    """A search is stored under a number, which replaces the words in its answer's URL."""
    typed = request.query_params.get("term", "")
    number_ = STORED.setdefault(typed, str(700 + len(STORED)))
    return RedirectResponse(f"/results/{number_}")


def kept(request: Request) -> Response:
    """Show the search stored under a number."""
    asked = {number_: typed for typed, number_ in STORED.items()}
    own, at = request.path_params["number"], number(request, "page")
    found = part(words(asked.get(own, "")), 10 * (at - 1))
    rows = "".join(
        f'<li class=hit><a href="/doc/{d.key}">{html.escape(d.title)}</a>'
        f"<p>{html.escape(d.text[:100])}</p></li>"
        for d in found.rows
    )
    onward = f'<a class=next href="/results/{own}?page={at + 1}">Next</a>' if found.more else ""
    return page(f"<p class=said>{found.total} found</p><ol>{rows}</ol>{onward}")


@pytest.mark.parametrize("answer", [owner_and_project, keeps_what_is_asked])
def test_a_site_comes_whole(answer: Answer, tmp_path: Path) -> None:
    """Nearly all documents are held, each once."""
    routes = [
        Route("/", lambda request: page("")),
        Route("/s", answer),
        Route("/results/{number}", kept),
        Route("/doc/{key}", document),
        Route("/user{n:int}/{key}", document),
        Route("/user{n:int}", lambda request: page("a user")),
    ]
    _, documents = harvested(routes, "/", tmp_path)
    held = [each.url.rpartition("/")[2] for each in documents]
    assert len(held) == len(set(held))
    assert len(held) >= 0.95 * SIZE


def as_names_and_values(request: Request) -> Response:
    """A row is a list of names and values; so are the links of an answer."""
    typed, at = request.query_params.get("q", ""), number(request, "at", 0)
    found = part(words(typed), at, 20)
    shown = [{"Id": d.key, "Title": d.title, "Text": d.text} for d in found.rows]
    rows = [{"cells": [{"Key": k, "Value": v} for k, v in row.items()]} for row in shown]
    onward = {"relation": "next", "url": f"/api?q={quote(typed)}&at={at + 20}"}
    links = [{"relation": "self", "url": str(request.url)}, *([onward] if found.more else [])]
    return JSONResponse({"count": found.total, "link": links, "rows": rows})


def deep_down(request: Request) -> Response:
    """Names and values again, nested seven levels deep, like lists in OData 2."""
    typed, at = request.query_params.get("q", ""), number(request, "at", 0)
    found = part(words(typed), at, 20)
    rows: list[object] = []
    for d in found.rows:
        said = {"DocId": d.key, "Title": d.title, "Body": d.text, "Letters": str(len(d.text))}
        pairs = [{"Key": k, "Value": v, "ValueType": "Edm.String"} for k, v in said.items()]
        rows.append({"Cells": {"results": pairs}})
    answer = {"TotalRows": found.total, "Table": {"Rows": {"results": rows}}}
    return JSONResponse({"d": {"query": {"Primary": {"Relevant": answer}}}})


@pytest.mark.parametrize("answer", [as_names_and_values, deep_down])
def test_names_and_values_are_read(answer: Answer, tmp_path: Path) -> None:
    """Each row's names are read from its list, and the next page is one of several links."""
    routes = [Route("/api", answer)]
    at = "&at=0" if answer is deep_down else ""
    _, documents = harvested(routes, f"/api?q=parser{at}", tmp_path)
    assert {each.key for each in documents} <= DOCUMENTS.keys()
    assert len(documents) >= 0.95 * SIZE
    if answer is deep_down:
        letters = {key: len(d.text) for key, d in DOCUMENTS.items()}
        assert all(each.fields == {"Letters": letters[each.key]} for each in documents)


def with_a_pager_like_hits(request: Request) -> Response:
    """Hits and page numbers share a class; only long answers have a pager."""
    typed, at = request.query_params.get("q", ""), number(request, "p")
    found = part(words(typed), 12 * (at - 1), 12)
    rows = "".join(
        f'<li class="item hit"><strong class=name><a href="/doc/{d.key}">{html.escape(d.title)}</a>'
        f"</strong><div class=about>{html.escape(d.text[:90])}</div></li>"
        for d in found.rows
    )
    link = f'<a href="/s?q={quote(typed)}&amp;p={{}}">{{}}</a>'
    pager = "".join(
        f"<li class=item>{link.format(n, n)}</li>" for n in range(1, -(-found.total // 12) + 1)
    )
    pager += f'<li class="item next">{link.format(at + 1, "Next")}</li>' if found.more else ""
    form = "<form action=/s><input name=q><button>Search</button></form>"
    shown = f"<ol>{rows}</ol>" + (f"<ul>{pager}</ul>" if found.total > 12 else "")
    return HTMLResponse(f"<html lang=en>{form}{shown if rows else '<p>Nothing matches.</p>'}")


def says_whether_more(request: Request) -> Response:
    """Forty hits per page, which few words have; a flag says whether there is a next page."""
    at, found = number(request, "pageIndex", 0), words(request.query_params.get("q", ""))
    rows = [
        {"uid": d.key, "title": d.title, "about": d.text} for d in found[40 * at : 40 * at + 40]
    ]
    goes_on = len(found) > 40 * at + 40
    return JSONResponse({"pageIndex": at, "isNextPageAvailable": goes_on, "entries": rows})


def rounded(request: Request) -> Response:
    """Totals are rounded to ten, and answers name the next page only if there is one."""
    typed, at = request.query_params.get("q", ""), number(request, "page")
    found = words(typed)
    rows = [{"id": d.key, "title": d.title, "about": d.text} for d in found[25 * at - 25 : 25 * at]]
    onward = {"next": f"/api?q={quote(typed)}&page={at + 1}"} if found[25 * at :] else {}
    return JSONResponse({"rows": rows, "count": (len(found) + 5) // 10 * 10, **onward})


def all_for_nothing(request: Request) -> Response:
    """If nothing is found, everything is shown."""
    typed, at = request.query_params.get("q", ""), number(request, "page", 1)
    found = words(typed) or (list(DOCUMENTS.values()) if typed else [])
    rows = [{"id": d.key, "title": d.title, "about": d.text} for d in found[10 * at - 10 : 10 * at]]
    return JSONResponse({"rows": rows, "count": len(found)})


def a_part_for_a_star(request: Request) -> Response:
    """No search shows or counts more than 50 hits; `*` finds everything."""
    typed, at = request.query_params.get("q", ""), number(request, "page", 1)
    found = (list(DOCUMENTS.values()) if typed == "*" else words(typed))[:50]
    rows = [{"id": d.key, "title": d.title, "about": d.text} for d in found[25 * at - 25 : 25 * at]]
    return JSONResponse({"rows": rows, "count": len(found)})


SHOWN = (with_a_pager_like_hits, says_whether_more, rounded, all_for_nothing, a_part_for_a_star)


@pytest.mark.parametrize("answer", SHOWN, ids=lambda answer: answer.__name__)
def test_what_few_answers_show_is_seen(answer: Answer, tmp_path: Path) -> None:
    """Only long answers show how they continue; a list of everything is read, a part is not."""
    is_page = answer is with_a_pager_like_hits
    path, start = ("/s", "/") if is_page else ("/api", "/api?q=parser")
    routes = [Route("/", answer), Route(path, answer), Route("/doc/{key}", document)]
    certificate, documents = harvested(routes, start, tmp_path)
    assert len(documents) >= 0.95 * SIZE
    assert certificate.size_low is not None
    assert certificate.size_low <= SIZE <= (certificate.size_high or SIZE)


REFUSED = {
    "captcha": (
        "<input name=q>",
        "<h1>Verify you are human</h1><div class=g-recaptcha></div>",
        "CAPTCHA",
        "ask the site's owner",
    ),
    "login": (
        "<input name=q>",
        "<h1>Members</h1><form method=post><input name=u><input type=password name=p></form>",
        "ask for a password",
        "ask the site's owner",
    ),
    "two fields": (
        "<input name=last required><input name=first required>",
        "<p>Fill in both.</p>",
        "it needs all of last, first",
        "describe the search in a source.toml",
    ),
}


@pytest.mark.parametrize("why", REFUSED)
def test_a_refusal_says_why_and_what_to_do(why: str) -> None:
    """The error names the obstacle, and the advice helps against it."""
    fields, answer, reason, advice = REFUSED[why]
    form = f"<h1>Records</h1><form action=/s>{fields}<button>Search</button></form>"
    routes = [
        Route("/", lambda request: HTMLResponse(form)),
        Route("/s", lambda request: HTMLResponse(answer)),
    ]
    with running_site(Starlette(routes=routes)) as url, pytest.raises(InputError) as refused:
        longline.discover(f"{url}/", allow_private=True, browser=False)
    assert reason in refused.value.message
    assert (refused.value.advice or "").startswith(("give the address", "search once"))
    assert advice in (refused.value.advice or "")
