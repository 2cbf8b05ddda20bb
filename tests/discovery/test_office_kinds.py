"""Kinds of offices and newspapers: files, paged articles, texts on tabs, dates only, terms."""

import html
from datetime import date, timedelta
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from tests.discovery.test_archive_kinds import Answer, page, row, texts_from
from tests.discovery.test_ways_on import DOCUMENTS, part, words

import longline
from longline.simulate import running_site

pytestmark = pytest.mark.slow

ROWS = 10
LONG = 60
"""Number of words on one page of an article."""


def files(request: Request) -> Response:
    """Hits lead to files."""
    found = words(request.query_params.get("q", ""))
    return page("".join(row(d, f"/get/{d.key}.txt") for d in found) or "<p>No files.</p>")


def file(request: Request) -> Response:
    """Answer with a text as a download, in an old encoding."""
    one = DOCUMENTS[request.path_params["name"].removesuffix(".txt")]
    headers = {"Content-Disposition": f"attachment; filename={one.key}.txt"}
    body = one.text.encode("latin-1", "replace")
    return Response(body, media_type="text/plain; charset=iso-8859-1", headers=headers)


def articles(request: Request) -> Response:
    """Hits lead to articles."""
    found = words(request.query_params.get("q", ""))
    return page("".join(row(d, f"/article/{d.key}") for d in found) or "<p>No articles.</p>")


def article(request: Request) -> Response:
    """Show one page of an article, and a link to the next one."""
    one = DOCUMENTS[request.path_params["key"]]
    said, at = one.text.split(), int(request.query_params.get("pagina", 1))
    shown = html.escape(" ".join(said[LONG * (at - 1) : LONG * at]))
    more = f"<a href='?pagina={at + 1}'>Read on</a>" if len(said) > LONG * at else ""
    return page(f"<article><h2>{html.escape(one.title)}</h2><p>{shown}</p></article>{more}")


def tabs(request: Request) -> Response:
    """Hits lead to records, whose texts are on a tab."""
    found = words(request.query_params.get("q", ""))
    return page("".join(row(d, f"/record/{d.key}") for d in found) or "<p>No records.</p>")


def record(request: Request) -> Response:
    """Show one tab of a record: its facts, its text, or its terms of use."""
    one, tab = DOCUMENTS[request.path_params["key"]], request.query_params.get("tab", "about")
    shown = {"about": f"Kept since: {1800 + int(one.key[-2:], 36)}", "text": html.escape(one.text)}
    names = ("about", "text", "use")
    links = "".join(f"<a href='/record/{one.key}?tab={name}'>{name}</a>" for name in names)
    said = shown.get(tab, "Ask the reading room.")
    return page(f"<article><h2>{html.escape(one.title)}</h2>{links}<p>{said}</p></article>")


KEPT: dict[str, str] = {}


def found_later(request: Request) -> Response:
    """Hits are listed at another URL with a number; no hits are reported at once."""
    typed = request.query_params.get("q", "")
    if not words(typed):
        return page("<p>Nothing was found.</p>")
    number = str(len(KEPT) + 1)
    KEPT[number] = typed
    return RedirectResponse(f"/list?id={number}&page=1")


def numbered(request: Request) -> Response:
    """Other pages have numbers as links, and the current one is a number without a link."""
    kept, at = request.query_params["id"], int(request.query_params["page"])
    found = part(words(KEPT[kept]), ROWS * (at - 1), ROWS)
    numbers = range(1, -(-found.total // ROWS) + 1)
    links = (
        f"<a href='/list?id={kept}&page={n}'>[{n}]</a>" if n != at else str(n) for n in numbers
    )
    rows = "".join(row(d, f"/doc/{d.key}?from={kept}") for d in found.rows)
    return page(f"{rows}<p>Pages: {' '.join(links)}</p>")


def sorted_(request: Request) -> Response:
    """A menu sorts, a single hit is opened directly, and the number is that of all documents."""
    sent = request.query_params
    found = words(sent.get("q", ""))
    if sent.get("order") == "date":
        found = sorted(found, key=lambda d: d.text)
    if len(found) == 1:
        return RedirectResponse(f"/doc/{found[0].key}")
    at = int(sent.get("at", 1))
    shown = found[ROWS * (at - 1) : ROWS * at]
    if not shown:
        return page("<p>Nothing was found.</p>")
    link = f"/s?q={sent['q']}&order={sent.get('order', '')}&at={at + 1}"
    more = f"<a href='{link}'>Next</a>" if len(found) > ROWS * at else ""
    return page(f"<p>{len(DOCUMENTS)} in all</p>" + "".join(map(row, shown)) + more)


def listed(request: Request) -> Response:
    """List all documents by links, on pages."""
    at = int(request.query_params.get("page", 1))
    found = part(list(DOCUMENTS.values()), 25 * (at - 1), 25)
    more = f"<li class=next><a href='/all?page={at + 1}'>Next</a></li>" if found.more else ""
    rows = "".join(
        f"<tr><td class=id><a href='/doc/{d.key}'>{d.key}</a></td></tr>" for d in found.rows
    )
    return page(f"<table>{rows}</table><ul class=pages><li>1</li>{more}</ul>")


def counted(request: Request) -> Response:
    """Hits lead to documents through a counter, which records the query and the hit."""
    typed = request.query_params.get("q", "")
    found = words(typed)
    rows = "".join(
        row(
            d,
            f"/go?set=all&amp;url={quote(f'{request.base_url}doc/{d.key}', safe='')}"
            f"&amp;auth=x{d.key[::-1]}&amp;rank={at}&amp;q={quote(typed)}",
        )
        for at, d in enumerate(found, start=1)
    )
    return page(rows or "<p>No pages.</p>")


def striped(request: Request) -> Response:
    """Rows alternate in two colours, and each has several links, of which one names the hit."""
    rows = "".join(
        f"<tr class={('dark', 'light')[at % 2]}><td><a class=subject href='/doc/{d.key}'>"
        f"{html.escape(d.title)}</a></td><td class=link><a href='/doc/{d.key}'>show</a> | "
        f"<a href='/compare/{d.key}'>compare</a> | <a href='/tree/{d.key}?base={d.key}'>tree</a>"
        "</td></tr>"
        for at, d in enumerate(words(request.query_params.get("q", "")))
    )
    return page(f"<table>{rows}</table>" if rows else "<p>No match.</p>")


FIRST = date(1987, 2, 1)
DAYS = {key: str(FIRST + timedelta(days=at)) for at, key in enumerate(DOCUMENTS)}


def dated(request: Request) -> Response:
    """Answer only two dates, with a number of hits."""
    low, high = (request.query_params.get(name, "") for name in ("dal", "al"))
    if not (low and high):
        return page("<p class=error>Both dates are needed.</p>")
    found = [d for d in DOCUMENTS.values() if low <= DAYS[d.key] <= high]
    rows = "".join(map(row, found[:40]))
    return page(f"<p class=found>Found: {len(found)}</p>{rows}" if found else "<p>None.</p>")


FORM = "<form action='/s'><input name=q>{}<button>Search</button></form>"
ORDER = "<select name=order><option value=best>Best<option value=date>By date</select>"
DATES = (
    "<form action='/s'>From <input type=date name=dal min=1987-01-01 max=1988-12-31> to "
    "<input type=date name=al min=1987-01-01 max=1988-12-31><button>Go</button></form>"
)
KINDS: dict[str, tuple[str, dict[str, Answer]]] = {
    "files": (FORM.format(""), {"/s": files, "/get/{name}": file}),
    "articles": (FORM.format(""), {"/s": articles, "/article/{key}": article}),
    "tabs": (FORM.format(""), {"/s": tabs, "/record/{key}": record}),
    "found later": (FORM.format(""), {"/s": found_later, "/list": numbered}),
    "sorted": (FORM.format(ORDER), {"/s": sorted_}),
    "listed": (
        FORM.format("") + "<a href='/all'>All</a>",
        {"/robots.txt": lambda _: PlainTextResponse("User-agent: *\nDisallow: /s"), "/all": listed},
    ),
    "dated": (DATES, {"/s": dated}),
    "counted": (
        FORM.format(""),
        {"/robots.txt": lambda _: PlainTextResponse("User-agent: *\nDisallow: /go"), "/s": counted},
    ),
    "striped": (FORM.format(""), {"/s": striped}),
}


@pytest.mark.parametrize(("front", "paths"), KINDS.values(), ids=KINDS)
def test_all_of_a_site_comes_from_its_front_page(
    front: str, paths: dict[str, Answer], tmp_path: Path
) -> None:
    """Nearly all documents are held, once, with their full texts."""
    ends = {" ".join(one.text.split())[-40:] for one in DOCUMENTS.values()}
    held = texts_from(front, paths, tmp_path / "harvest")
    assert sum(any(end in each for each in held) for end in ends) >= 0.95 * len(ends)
    assert len(held) <= len(DOCUMENTS)


@pytest.mark.parametrize(
    "asked_for",
    [
        "<button name=ok>Hyväksyn ehdot</button>",
        "<label><input type=checkbox name=ok> 약관에 동의합니다</label><button>확인</button>",
    ],
    ids=["button", "tick box"],
)
def test_terms_are_left_to_a_person(asked_for: str) -> None:
    """If a page requires consent first, the error says so and what to do; nothing is sent."""
    asked = []

    async def agreed(request: Request) -> Response:
        asked.append(request.method)
        return page("<p>Thank you.</p>")

    front = f"<form method=post action='/terms'>{asked_for}</form>"
    routes = [
        Route("/", lambda _: page(f"<p>Terms of use</p>{front}")),
        Route("/terms", agreed, methods=["POST"]),
    ]
    with (
        running_site(Starlette(routes=routes)) as url,
        pytest.raises(longline.LonglineError, match=r"wants one to agree first .*--cookies"),
    ):
        longline.discover(f"{url}/", allow_private=True, post=True, browser=False)
    assert asked == []
