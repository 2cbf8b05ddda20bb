"""Habits of servers that were met later: menus of documents, lists without words, "more"."""

import json
from collections.abc import Callable
from html import escape

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.engines import Engine, Rules, Text, corpus
from tests.discovery.grade import discover, pages_by
from tests.discovery.test_parts import page

from longline.discovery import Discoverer
from longline.discovery.reading.hit_elements import find_records
from longline.discovery.reading.title_snippet import find_snippet, find_title
from longline.simulate import running_site

TEXTS = corpus("docs")
ENGINE = Engine(TEXTS, Rules(nots=()))
SIZE = 20


def learnt(read: Callable[[Request], Response], given: str) -> Discoverer:
    """Learn a site with one page for every path."""

    async def answer(request: Request) -> Response:
        return read(request)

    with running_site(Starlette(routes=[Route("/{path:path}", answer)])) as url:
        discoverer = discover(f"{url}{given}")
        assert discoverer.spec is not None, discoverer.problem
        assert not discoverer.review
        assert discoverer.requests <= 40
        shown = {hit.key for hits in pages_by(discoverer, [("class",)], 60) for hit in hits[0].hits}
        assert shown
        return discoverer


def matching(typed: str) -> list[Text]:
    """Return the texts that contain the typed string; all without one."""
    return [text for text in TEXTS if typed.lower() in text.whole.lower()]


def string_table(request: Request) -> Response:
    """Table rows, found by one string, with a title that starts with the name."""
    if not request.url.path.startswith("/list"):
        return HTMLResponse(f"<h1>{escape(request.url.path)}</h1><p>Nothing to search here.")
    typed, number = request.query_params.get("txt"), int(request.query_params.get("pg") or 1)
    form = f"<form action=/list><input name=txt value='{escape(typed or '')}'><button>Go</button>"
    if typed is None:
        welcome = (
            "<p>Welcome to our catalogue of functions, classes and modules for any purpose.</p>"
        )
        return HTMLResponse(f"{welcome}{form}</form>")
    found = matching(typed)
    rows = "".join(
        f"<tr><td><a href='/show?id={t.key}'>{escape(t.title)}</a></td>"
        f"<td>{escape(t.title)}: {escape(t.body[:60])}</td></tr>"
        for t in found[(number - 1) * 15 : number * 15]
    )
    last = (len(found) + 14) // 15
    onward = "".join(
        f"<b>{n}</b> "
        if n == number
        else f"<a href='/list?txt={escape(typed)}&amp;pg={n}'>{n}</a> "
        for n in range(max(1, number - 4), min(last, number + 5) + 1)
    )
    shown = f"<table>{rows}</table><p>Page: {onward}</p>" if found else ""
    return HTMLResponse(f"{form}</form><p><b>{len(found)}</b> records found</p>{shown}")


def test_a_table_that_is_searched_for_one_string() -> None:
    """Single terms are sent, the longer column is the snippet, no words list everything."""
    found = learnt(string_table, "/list")
    assert found.spec is not None
    assert found.spec.ask.dialect.max_terms == 1
    assert found.spec.ask.dialect.all == ""
    assert found.spec.results.snippet == "css:td:nth-child(2)"


def interface(request: Request) -> Response:
    """JSON with pages, for the parameter `search`; others are ignored. Its root has the URLs."""
    at = str(request.base_url)
    if request.url.path == "/api/":
        return JSONResponse({"people": f"{at}api/people/", "texts": f"{at}api/texts/"})
    if request.url.path == "/api/people/":
        return JSONResponse({"count": 1, "results": [{"id": 1, "name": "nobody"}]})
    typed, number = request.query_params.get("search", ""), int(request.query_params.get("page", 1))
    found = ENGINE.search(typed) if typed else list(TEXTS)
    items = [
        {"id": text.key, "name": text.title, "text": text.body}
        for text in found[(number - 1) * SIZE : number * SIZE]
    ]
    onward = f"{at}api/texts/?page={number + 1}&search={typed}"
    onward = onward if number * SIZE < len(found) else None  # type: ignore[assignment]
    return JSONResponse({"count": len(found), "next": onward, "results": items})


@pytest.mark.parametrize("given", ["/api/texts/", "/api/", "/api/texts/?format=json"])
def test_a_parameter_that_nothing_names(given: str) -> None:
    """Several names sent at once show which one is read; without it, all is listed."""
    found = learnt(interface, given)
    assert found.spec is not None
    assert "search={query}" in found.spec.ask.url
    assert "page={page}" in found.spec.ask.url
    assert found.spec.ask.dialect.all == ""
    said = next(each for each in found.findings if each.name == "ask.dialect.all")
    assert "900 hits" in said.evidence


def newest(request: Request) -> Response:
    """JSON that shows the newest five if there are no words."""
    answer = interface(request)
    if request.query_params.get("search"):
        return answer
    held = json.loads(bytes(answer.body))
    return JSONResponse({"count": 5, "next": None, "results": held["results"][:5]})


def test_the_newest_are_not_everything() -> None:
    """A list without words that counts fewer than one word does not list everything."""
    found = learnt(newest, "/api/texts/?search=class")
    assert found.spec is not None
    assert found.spec.ask.dialect.all is None


def changes(request: Request) -> Response:
    """Ten hits, with links to fewer and to more, whose parameter also appears in hit links."""
    typed, count = (
        request.query_params.get("rev", ""),
        int(request.query_params.get("revcount", 10)),
    )
    found = ENGINE.search(typed) if typed else []
    carried = f"?revcount={count}" if "revcount" in request.query_params else ""
    rows = "".join(
        f"<tr><td>{t.date}<td><a href='/rev/{t.key}{carried}'>{escape(t.title)}</a>"
        for t in found[:count]
    )
    links = "".join(
        f"<a href='/log?rev={escape(typed)}&amp;revcount={number}'>{name}</a> "
        for name, number in (("less", count // 2), ("more", count * 2))
    )
    form = f"<form action=/log class=search><input name=rev value='{escape(typed)}'></form>"
    if request.url.path.startswith("/rev/"):
        key = request.url.path.removeprefix("/rev/")
        text = next(text for text in TEXTS if text.key == key)
        return HTMLResponse(f"{form}<h1>{escape(text.title)}</h1><pre>{escape(text.body)}</pre>")
    return HTMLResponse(f"{form}{links}<div class=main><table>{rows}</table></div>{links}")


def test_longer_answers_where_no_page_follows() -> None:
    """A parameter for the number of hits is set to more, and is not part of a key."""
    found = learnt(changes, "/log?rev=class")
    assert found.spec is not None
    assert found.spec.ask.page_size == 1000
    assert found.spec.ask.limit is None
    assert "revcount={size}" in found.spec.ask.url
    assert found.spec.results.key_ignores == ["revcount"]


def tracker(request: Request) -> Response:
    """25 rows per page, with the pager as a row of their table; words of a text are unusual."""
    typed, start = request.query_params.get("words"), int(request.query_params.get("at") or 0)
    form = "<form action=/list><input name=words><input type=submit value=Search></form>"
    if request.url.path.startswith("/text"):
        key = request.url.path.removeprefix("/text")
        text = next(text for text in TEXTS if text.key == key)
        said = f"<h1>{escape(text.title)}</h1><main>{escape(text.body)}</main>"
        return HTMLResponse(f"{form}{said}")
    found = ENGINE.search(typed) if typed else []
    rows = "".join(
        f"<tr><td>{n}</td><td><a href='/text{t.key}'>{escape(t.title)}</a></td></tr>"
        for n, t in enumerate(found[start : start + 25])
    )
    onward = f"<a href='/list?at={start + 25}&amp;words={escape(typed or '')}'>next &gt;&gt;</a>"
    if start + 25 < len(found):
        rows += f"<tr><th colspan=2><table><tr><th>{onward}</th></tr></table></th></tr>"
    rare = "<p>Moonrise Postscript Bytearray Hexadecimal Bezeichner Terminal Octal Tarball</p>"
    return HTMLResponse(f"{form}{rare}<table class=list>{rows}</table>")


def test_a_pagers_row_is_no_hit() -> None:
    """If the first words have few hits, others show how answers continue, and what a hit is."""
    found = learnt(tracker, "/list")
    assert found.spec is not None
    assert "at={offset}" in found.spec.ask.url or found.spec.results.next
    said = {finding.name: finding.value for finding in found.findings}
    assert said["ask.page_size"] == "25"


def test_what_a_menu_lists_may_be_a_hit() -> None:
    """Links in a menu on every page do not prevent the same documents from being hits."""
    names = [f"{word} {n}" for word in ("deep", "web", "sea") for n in range(6)]
    menu = "".join(f"<li class=nav><a href='/t/{name}'>{name}</a>" for name in names)

    def answer(word: str) -> str:
        hits = "".join(
            f"<li class=hit><a href='/t/{name}'>The {name} itself</a><i><a href='/all'>all</a></i>"
            for name in names
            if name.startswith(word)
        )
        return f"<ul class=menu>{menu}</ul><ol class=hits>{hits}</ol>"

    pages = [page(answer(word), word) for word in ("deep", "web", "sea")]
    found = find_records(pages, [page(answer("xq"), "xq")])
    assert found is not None
    assert (found.hit, found.link) == ("css:li.hit", "css:a")


def test_views_behind_a_hash_are_documents_and_no_places_in_an_answer() -> None:
    """Links of two answers that differ only after the hash lead to different documents."""

    def answer(word: str) -> str:
        rows = "".join(
            f"<li class=hit><a href='#/doc/{word}{n}'>{word} {n * n}</a></li>" for n in range(9)
        )
        return f"<ul>{rows}</ul>"

    pages = [page(answer(word), word) for word in ("deep", "web", "sea")]
    found = find_records(pages, [page("<p>Nothing.</p>", "xq")])
    assert found is not None
    assert not found.by_rank


def test_a_number_that_leads_to_a_hit_is_no_title() -> None:
    """The title is a text in words, although one document is in several answers."""
    titles = ["Maps of the coast", "On herring", "Letters home", "The deep web", "A short history"]
    records = []
    for word in ("deep", "web"):
        rows = "".join(
            f"<tr><td><a href='/set/{word}/{n}'>{n}</a><td>19{n}0<td>{title}"
            for n, title in enumerate(titles[len(word) - 3 :], 1)
        )
        records += page(f"<table>{rows}</table>", word).root.findall(".//tr")
    found = find_title(records, "css:a")
    assert found is not None
    assert found.selector == "css:td:nth-child(3)"


def test_a_snippet_that_begins_with_the_title() -> None:
    """The snippet starts with the title if it is next to it, and does not contain the title."""
    rows = "".join(
        f"<tr><td><a href='/{n}'>deep {n}</a></td><td>deep {n}: what is said at length {n * n}"
        for n in range(9)
    )
    records = page(f"<table>{rows}</table>").root.findall(".//tr")
    found = find_snippet(records, find_title(records, "css:a"))
    assert found is not None
    assert found.selector == "css:td:nth-child(2)"
    cells = "".join(
        f"<li><div class=box><a href='/{n}'>deep {n}</a> added {n * 7} days ago by somebody</div>"
        for n in range(9)
    )
    records = page(f"<ul>{cells}</ul>").root.findall(".//li")
    assert find_snippet(records, find_title(records, "css:a")) is None


def test_the_next_hit_is_no_part_of_a_hit() -> None:
    """A row that was left out because an earlier answer had it is still a hit."""
    rows = "".join(f"<tr><td><a href='/{n}'>deep and deeper {n}</a>" for n in range(12))
    every = page(f"<table>{rows}</table>").root.findall(".//tr")
    records = every[::2]
    assert find_snippet(records, find_title(records, "css:a"), every) is None


def striped(n: int) -> str:
    """Return a row with several links, with a class that alternates."""
    name = "dark" if n % 2 else "light"
    return (
        f"<tr class={name}><td class=author><a class=list href='/by?n={n % 3}'>Ann {n % 3}</a>"
        f"<td><a class='list subject' href='/doc;n={n}'>what is deep and deeper {n}</a>"
        f" some lines of it, {n * n}"
        f"<td class=link><a href='/doc;n={n}'>doc</a> <a href='/diff;n={n}'>diff</a></tr>"
    )


def test_every_row_of_a_striped_table_is_a_hit() -> None:
    """Rows may have several kinds of links, and two alternating classes."""

    def answer(first: int) -> str:
        rows = "".join(map(striped, range(first, first + 12))) if first else "Nothing found"
        return f"<table class=menu><tr><td><a href=/all>all</a></table><table>{rows}</table>"

    pages = [page(answer(n), word) for n, word in ((20, "deep"), (45, "web"), (70, "sea"))]
    found = find_records(pages, [page(answer(0), "xq")])
    assert found is not None
    assert [len(hits) for hits in found.elements.values()] == [12, 12, 12]
    assert found.link == "css:a.subject"
    assert found.f1 == 1


def test_a_row_with_a_hit_of_its_own_is_no_snippet() -> None:
    """If every second row has the same kind of link, it is a missed hit and not a snippet."""
    every = page(f"<table>{''.join(map(striped, range(12)))}</table>").root.findall(".//tr")
    for link in ("css:a.subject", "css:td:nth-child(2) > a"):
        found = find_snippet(every[::2], find_title(every[::2], link), link=link)
        assert found is None or "sibling" not in found.selector


def test_a_row_below_a_hit_may_be_its_snippet() -> None:
    """The row below has links of another kind, or a link to the hit's own document."""
    rows = "".join(
        f"<tr><td><h3><a href='/{n}'>deep {n}</a></h3><tr><td>what is said of it at length {n * n}"
        f" <a href='/{n if n % 2 else 'all'}'>more</a>"
        for n in range(12)
    )
    every = page(f"<table>{rows}</table>").root.findall(".//tr")
    found = find_snippet(every[::2], find_title(every[::2], "css:a"), link="css:a")
    assert found is not None
    assert found.selector == "xpath:following-sibling::*[1][self::tr]"


KINDS = "article", "article", "book", "chapter", "chapter", "report", "article", "book"


def rows_of_kinds(first: int, last: int) -> str:
    """Return a list whose rows hold their kind as a class of an element inside."""
    rows = "".join(
        f'<li class=item><div class=box><div class="entry {KINDS[n % 8]}"><h3><a href="/doc/{n}">'
        f"A study of {n * n} things</a></h3></div></div></li>"
        for n in range(first, last)
    )
    return f"<ul>{rows}</ul>" if rows else "<p>Nothing found"


def test_rows_of_several_kinds_are_one_list() -> None:
    """Also kinds that never stand between two rows of one other kind."""
    pages = [
        page(rows_of_kinds(*ends), word) for ends, word in (((0, 8), "sea"), ((16, 32), "web"))
    ]
    found = find_records(pages, [page(rows_of_kinds(0, 0), "xq")])
    assert found is not None
    assert [len(hits) for hits in found.elements.values()] == [8, 16]
    assert found.f1 == 1
