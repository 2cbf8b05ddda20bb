"""Habits of randomly made-up sites."""

import json
from dataclasses import replace
from html import escape

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.engines import Engine, Rules
from tests.discovery.grade import discover, pages_by
from tests.discovery.test_later_habits import ENGINE, TEXTS, learnt
from tests.discovery.test_parts import page

from longline.discovery.answer import ParsedAnswer, without_words
from longline.discovery.document.container import _own_container
from longline.discovery.reading.hit_elements import find_records
from longline.discovery.reading.next_link import onwards
from longline.discovery.reading.request_slots import ask_of
from longline.discovery.reading.selectors import href_marks
from longline.discovery.reading.total_number import find_total
from longline.model import Query
from longline.model import Request as Asked
from longline.model import Response as Came
from longline.simulate import running_site
from longline.simulate.documents.words import words as words_of
from longline.source import parse, submit
from longline.source.request.dialect import write_query

WORDS = {"deep": 6, "web": 9, "sea": 4}
NOTHING = [page("<p>nothing found</p>", "xq"), page("<p>nothing found</p>", "zq")]


def answers(hit: str, around: str = "{hits}") -> list[ParsedAnswer]:
    """Return result pages whose hits follow a template."""
    pages = []
    for start, (words, count) in enumerate(WORDS.items()):
        rows = "".join(
            hit.format(key=100 * start + n, n=n, words=words, tag=f"{words}{n % 2}", who=n % 3)
            for n in range(count)
        )
        pages.append(page(around.replace("{hits}", rows).replace("{words}", words), words))
    return pages


@pytest.mark.parametrize(
    "hit",
    [
        "<p><a href=/doc/{key}>All of {words} {key}</a> <a href=/files/{key}.pdf>PDF</a>"
        " <a href=/who/{who}>A. Name {who}</a> <a href=/tag/{tag}>{tag}</a></p>",
        "<div><h3>All of {words} {key}</h3><a href=/tag/{tag}a>{tag}a</a> <a href=/tag/{tag}b>"
        "{tag}b</a> <a href=/tag/{tag}c>{tag}c</a> <a href=/doc/{key}>read more</a></div>",
        "<div><h3>All of {words} {key}</h3><a href=/who/{who}>Alan Name, Capital, No. {who}</a> "
        "<a href=/doc/{key}>read on</a></div>",
        "<dt><a href=/doc/{key}>All of {words} {key}</a></dt><dd>{words} <a href=/cache/{key}>"
        "Cached</a> <a href=/tag/{tag}>{tag}</a> <a href=/tag/{tag}x>{tag}x</a></dd>",
        "<a href=/doc/{key}>All of {words} {key}</a> said <a href=/tag/{tag}>{tag}</a> "
        "<a href=/tag/{tag}{n}>{tag}{n}</a><br>",
    ],
    ids=["one place", "after tags", "after names", "dt and dd", "no element around"],
)
def test_links_beside_the_hits(hit: str) -> None:
    """If each hit has several links, at fixed positions or not, that to the document is used."""
    found = find_records(answers(hit, "<div>{hits}</div>"), NOTHING)
    assert found is not None
    links = [link.get("href") for each in found.links.values() for link in each]
    assert len(links) == sum(WORDS.values())
    assert all(link.startswith("/doc/") for link in links), links
    assert found.f1 == 1


def test_other_searches_are_no_hits() -> None:
    """Suggested searches next to the hits are not hits."""
    more = "".join(f"<li><a href='/search?q={{words}}+{n}'>{{words}} {n}</a>" for n in range(4))
    around = f"<ul>{{hits}}</ul><h4>related</h4><ul>{more}</ul>"
    found = find_records(answers("<li><a href=/doc/{key}>On {words}, {key}</a>", around), NOTHING)
    assert found is not None
    assert {len(each) for each in found.elements.values()} == set(WORDS.values())


def test_hits_by_chance() -> None:
    """Rows that change from page to page independently of the query are not hits, even if many."""
    sides = {"deep": 1, "web": 2, "sea": 3, "xq": 4, "zq": 5}

    def side(words: str) -> str:
        links = (f"<li><a href=/doc/9{sides[words]}{n}>A popular one {n}</a>" for n in range(9))
        return f"<aside><ul>{''.join(links)}</ul></aside>"

    pages = answers("<li class=hit><a href=/doc/{key}>{words}</a>", "<ol>{hits}</ol>")
    beside = [page(each.response.body.decode() + side(each.words), each.words) for each in pages]
    empty = [page(f"<p>nothing</p>{side(words)}", words) for words in ("xq", "zq")]
    found = find_records(beside, empty)
    assert found is not None
    assert found.hit == "css:li.hit"


def test_list_that_shows_others_for_nothing() -> None:
    """If nonsense returns documents in the list of hits, the hits are still found."""
    hit = "<li class=hit><a href=/doc/{key}>{words} {key}</a>"
    few = "<ol><li class=hit><a href=/doc/901>A</a><li class=hit><a href=/doc/902>B</a></ol>"
    found = find_records(answers(hit, "<ol>{hits}</ol>"), [page(few, "xq"), page(few, "zq")])
    assert found is not None
    assert (found.hit, found.f1, found.stand_ins) == ("css:li.hit", 1, 2)


def test_marked_words_are_no_part_of_a_hit() -> None:
    """Marked words in all hits do not become part of the hit selector."""
    hit = "<div class=hit><a href=/doc/{key}>On <mark>{words}</mark> {key}</a></div>"
    few = "<div class=hit><a href=/doc/1>One</a></div><div class=hit><a href=/doc/2>Two</a></div>"
    found = find_records(answers(hit), [page(few, "xq"), page(few, "zq")])
    assert found is not None
    assert found.hit == "css:div.hit"


@pytest.mark.parametrize("name", ["", " class=count"])
def test_numbers_of_hits_are_no_total(name: str) -> None:
    """A number after each hit, on its own level, is not a total; one before the hits is."""
    totals = {"deep": 310, "web": 90, "sea": 12}
    pages = [
        page(
            (f"<p{name}>{n} found</p>" if name else "")
            + "".join(f"<h3>{words}</h3><p>no. {n * 37 + at}</p>" for at in range(3)),
            words,
        )
        for words, n in totals.items()
    ]
    found = find_total(pages, {each: each.root.findall(".//h3") for each in pages})
    assert (found is not None) == bool(name)
    if found is not None:
        assert [each.documents for each in found.values if each] == list(totals.values())


def test_rank_in_an_address() -> None:
    """A parameter that only counts the hits is not part of a key, even if it is the only one."""
    hit = "<li><a href='/doc/{key}?pos={n}'>{words} {key}</a>"
    found = find_records(answers(hit, "<ul>{hits}</ul>"), NOTHING)
    assert found is not None
    assert found.key_ignores == ["pos"]
    numbered = find_records(answers("<li><a href='/doc?id={key}'>{words} {key}</a>"), NOTHING)
    assert numbered is not None
    assert numbered.key_ignores == []


def test_words_in_letters_of_an_old_encoding() -> None:
    """The query is recognised in a URL that uses the page's own encoding."""
    url = "http://x.example/doc?hl=%E2%EE%E4%E0&id=3"
    assert without_words(url, "вода", "cp1251") == "http://x.example/doc?hl={Q}&id=3"
    assert href_marks(["../doc/3?x=1", "../doc/4?x=2"]) == ["/doc/", "x="]


def test_form_in_an_old_encoding() -> None:
    """A form's own fields are sent in the encoding of its page, as in a browser."""
    body = "<meta charset=windows-1251><form action=/s><input name=q value=вода><input type=submit>"
    came = Came(
        url="http://x.example/", status=200, content_type="text/html", body=body.encode("cp1251")
    )
    answer = parse(came, "html")
    assert submit(answer.root.css("form")[0].root, answer).url.endswith("/s?q=%E2%EE%E4%E0")


@pytest.mark.parametrize(
    ("options", "sent"),
    [
        ("<option value=0 selected>1<option value=1>2<option value=2>3", "at=1"),
        ("<option>1<option>2", "at=2"),
        ("<option value=1 selected>1<option value=11>2<option value=21>3", "at=11"),
        ("<option>1990<option>1991<option>1992", ""),
        ("<option value=10 selected>10<option value=20>20", ""),
        ("<option selected>1", ""),
        ("<option value=0 selected>Descending<option value=1>Ascending", ""),
    ],
)
def test_menu_of_pages(options: str, sent: str) -> None:
    """The entry after the selected one is the next page, if entries count pages or hits."""
    menu = f"<input type=hidden name=q value=web><select name=at>{options}</select>"
    form = f"<form action=/search>{menu}<button>Go</button></form>"
    found = [each.request.url.partition("&")[2] for each in onwards(page(form))]
    assert found == ([sent] if sent else [])


def test_container_without_a_name() -> None:
    """A text's box is found by its position if all of the text is in it, and not by a paragraph."""
    pages = [
        page(f"<div><p>Home</p></div><div><h1>On {n}</h1><p>{'x ' * 99}{n}</p><p>and {n}</p></div>")
        for n in ("one", "two")
    ]
    own = [
        sum(len(line) for line in (f"On {n}", "x " * 99 + n, f"and {n}")) for n in ("one", "two")
    ]
    assert _own_container(pages, {"Home"}, own, set())[0] == "css:body > div:nth-of-type(2)"


def lines(typed: str, start: int, size: int, token: int) -> str:
    found = ENGINE.search(typed)
    rows = "".join(
        f"<li><a href='/doc?id={t.key}&amp;token={token * 1000 + n}'>{escape(t.title)}</a>"
        for n, t in enumerate(found[start : start + size])
    )
    entries = "".join(
        f"<option value={at}{' selected' if at == start else ''}>{at // size + 1}"
        for at in range(0, max(len(found), 1), size)
    )
    pager = (
        f"<form action=/find><input type=hidden name=words value='{escape(typed)}'>"
        f"<select name=begin>{entries}</select><button>Go</button></form>"
    )
    count = f"<p class=count>{len(found)} results</p>" if found else "<p>No results were found</p>"
    return f"{count}<ul>{rows}</ul>{pager if found else ''}"


@pytest.mark.slow
def test_tokens_and_a_menu_of_pages() -> None:
    """A token that differs in each link is not part of a key; pages in a menu are followed."""
    asked = [0]

    def site(request: Request) -> Response:
        asked[0] += 1
        given = request.query_params
        form = "<form action=/find><input name=words><button>Search</button></form>"
        if request.url.path == "/doc":
            text = next(text for text in TEXTS if text.key == given["id"])
            return HTMLResponse(
                f"{form}<h1>{escape(text.title)}</h1><pre>{escape(text.body)}</pre>"
            )
        if typed := given.get("words", ""):
            start = int(given.get("begin", 0))
            return HTMLResponse(form + lines(typed, start, 10, asked[0]))
        return HTMLResponse(f"{form}<p>Notes on classes, strings and other objects of a library.")

    async def answer(request: Request) -> Response:
        return site(request)

    with running_site(Starlette(routes=[Route("/{path:path}", answer)])) as url:
        found = discover(f"{url}/")
        (came,) = pages_by(found, [("string",)], 30)
    assert found.spec is not None
    assert found.spec.results.key_ignores == ["token"]
    assert "begin={offset}" in found.spec.ask.url
    wanted = {text.key for text in ENGINE.search("string")}
    assert len({hit.key for each in came for hit in each.hits}) == len(wanted)


@pytest.mark.slow
def test_data_that_goes_on_by_p_and_suggests() -> None:
    """The page parameter p is found as a usual name; a list of suggestions is not hits."""

    def site(request: Request) -> Response:
        typed, number = request.query_params.get("q", ""), int(request.query_params.get("p", 1))
        found = ENGINE.search(typed)
        rows = [{"docno": t.key, "label": t.title, "year": t.date, "text": t.body} for t in found]
        near = [{"term": f"{typed}{end}"} for end in ("s", "er", "ing", "ed")]
        here = {"items": rows[10 * number - 10 : 10 * number], "found": len(rows), "near": near}
        return JSONResponse(here)

    found = learnt(site, "/api?q=class")
    assert found.spec is not None
    assert found.spec.results.hit == "jmes:items[*]"
    assert found.spec.results.key == "jmes:docno"
    assert "p={page}" in found.spec.ask.url


@pytest.mark.slow
@pytest.mark.parametrize("way", ["page", "page and per_page", "offset", "offset and limit"])
def test_data_whose_pages_differ_in_length(way: str) -> None:
    """Rows hidden from visitors leave pages short: only an empty page is the end."""

    def site(request: Request) -> Response:
        sent, (by, _, length) = request.query_params, way.partition(" and ")
        typed, size = sent.get("q", ""), min(int(sent.get(length, 10)), 100)
        begin = (
            int(sent.get("offset", 0)) if by == "offset" else size * int(sent.get("page", 1)) - size
        )
        rows = (ENGINE.search(typed) if typed else [])[begin : begin + size]
        seen = [t for t in rows if int(t.key, 16) % 7]
        items = [{"id": t.key, "name": t.title, "about": t.body[:150]} for t in seen]
        return JSONResponse({"items": items})

    async def answer(request: Request) -> Response:
        return site(request)

    with running_site(Starlette(routes=[Route("/{path:path}", answer)])) as url:
        found = discover(f"{url}/api?q=class")
        pages = pages_by(found, [("return",)], 99)[0]
    held = {t.key for t in ENGINE.search("return") if int(t.key, 16) % 7}
    assert {hit.key for each in pages for hit in each.hits} == held


@pytest.mark.slow
def test_data_asked_for_by_a_word_inside_a_parameter() -> None:
    """The word that most hits contain is the query, wherever it is in the URL."""

    def site(request: Request) -> Response:
        given = request.query_params.get("filter", "{}")
        try:
            typed = json.loads(given).get("where", {}).get("text", {}).get("like", "")
        except ValueError:
            return JSONResponse({"error": "no filter"}, status_code=400)
        rows = ENGINE.search(typed) if typed else []
        return JSONResponse([{"id": t.key, "title": t.title, "text": t.body} for t in rows])

    found = learnt(site, '/api?filter={"where":{"text":{"like":"class"}}}')
    assert found.spec is not None
    assert "%22like%22%3A%22{query}%22" in found.spec.ask.url


def test_a_body_that_is_no_json_is_sent_as_it_was() -> None:
    """It begins like JSON; the words stand in the path."""
    ask = ask_of(Asked("https://x.example/find/sea", method="POST", body=b"{odd"), "sea")
    assert ask is not None
    assert (ask.url, ask.body) == ("https://x.example/find/{query}", "{odd")


def test_data_whose_parameters_are_marked() -> None:
    """Unknown names filter everything out: the sent names show how the others are written."""

    def site(request: Request) -> Response:
        sent = dict(request.query_params)
        typed, begin = sent.pop("$search", ""), int(sent.pop("$skip", 0))
        size = min(int(sent.pop("$limit", 10)), 50)
        rows = ENGINE.search(typed) if typed and not sent else []
        shown = [{"id": t.key, "title": t.title, "text": t.body} for t in rows]
        here = {"total": len(rows), "skip": begin, "data": shown[begin : begin + size]}
        return JSONResponse(here)

    found = learnt(site, "/api?$search=class")
    assert found.spec is not None
    assert "$search={query}" in found.spec.ask.url
    assert "skip={offset}" in found.spec.ask.url


@pytest.mark.slow
def test_known_items_of_a_search_in_one_field() -> None:
    """If only texts are searched, words of titles find nothing: this is no fault of the spec."""
    letters = str.maketrans("0123456789", "qrstuvwxyz")

    def site(request: Request) -> Response:
        typed, number = request.query_params.get("q", ""), int(request.query_params.get("page", 1))
        wanted = set(words_of(typed))
        found = [t for t in TEXTS if wanted <= set(words_of(t.body)) and wanted]
        rows = [
            {"id": t.key, "title": f"labelofdocument{t.key.translate(letters)}", "text": t.body}
            for t in found[10 * number - 10 : 10 * number]
        ]
        return JSONResponse({"total": len(found), "items": rows})

    (known,) = [f for f in learnt(site, "/api?q=class").findings if f.name == "known_items"]
    assert known.sure == "sure"


@pytest.mark.parametrize("way", ["next", "page"])
def test_data_that_counts_the_rows_of_a_page(way: str) -> None:
    """A number that equals the page's own rows is not a total, and does not hide further pages."""

    def site(request: Request) -> Response:
        typed, number = request.query_params.get("q", ""), int(request.query_params.get("page", 1))
        found = ENGINE.search(typed) if typed else []
        rows = found[15 * number - 15 : 15 * number]
        items = [{"id": t.key, "name": t.title, "about": t.body[:200]} for t in rows]
        here: dict[str, object] = {"count": len(rows), "results": items}
        if way == "next" and len(found) > 15 * number:
            here["next"] = f"/api?q={typed}&page={number + 1}"
        return JSONResponse(here if way == "next" else {**here, "page": number})

    found = learnt(site, "/api?q=class")
    assert found.spec is not None
    assert "page={page}" in found.spec.ask.url
    assert found.spec.results.total == ""


def test_data_whose_first_answer_is_one_page_long() -> None:
    """If the first answer's second page is empty, paging is tried with another answer."""
    cut: list[str] = []

    def site(request: Request) -> Response:
        typed, number = request.query_params.get("q", ""), int(request.query_params.get("page", 1))
        if number > 1 and not cut:
            cut.append(typed)
        rows = ENGINE.search(typed) if typed else []
        rows = (rows[:10] if typed in cut else rows)[10 * number - 10 : 10 * number]
        return JSONResponse({"items": [{"id": t.key, "name": t.title} for t in rows]})

    found = learnt(site, "/api?q=class")
    assert found.spec is not None
    assert "page={page}" in found.spec.ask.url


def test_words_to_begin_with() -> None:
    """If English words would find nothing, the spec names some words of the source."""
    letters = str.maketrans("abcdefghijklmnopqrstuvwxyz", "αβψδεφγηιξκλμνοπχρστθωζχυς")
    greek = {text.key: text.title.lower().translate(letters) for text in TEXTS}

    def site(request: Request) -> Response:
        form = "<form action=/find><input name=q><button>Αναζήτηση</button></form>"
        if request.url.path.startswith("/doc/"):
            title = greek[request.url.path.removeprefix("/doc/")]
            return HTMLResponse(f"{form}<h1>{title}</h1><article>{title} {title}</article>")
        if not (typed := request.query_params.get("q", "")):
            some = ", ".join(sorted({t.split()[0] for t in greek.values()})[:60])
            return HTMLResponse(f"<html lang=el>{form}<p>{some}")
        held = [(k, t) for k, t in greek.items() if set(typed.split()) <= set(t.split())]
        if not held:
            return HTMLResponse(f"{form}<p>Δεν βρέθηκαν αποτελέσματα")
        rows = "".join(f"<li class=hit><a href=/doc/{k}>{t}</a>" for k, t in held)
        return HTMLResponse(f"{form}<h3>{len(held)} αποτελέσματα</h3><ul>{rows}</ul>")

    async def answer(request: Request) -> Response:
        return site(request)

    with running_site(Starlette(routes=[Route("/{path:path}", answer)])) as url:
        found = discover(f"{url}/")
    assert found.spec is not None
    words = found.spec.ask.words
    assert words
    assert all(any(word in title.split() for title in greek.values()) for word in words)


@pytest.mark.parametrize("language", ["nl", "de", "ja"])
def test_documents_in_another_language_than_the_page(language: str) -> None:
    """If labels and documents have different languages, other words are tried in time."""
    labels = {"nl": "Zoeken in deze verzameling", "de": "Diese Sammlung durchsuchen", "ja": "検索"}

    def site(request: Request) -> Response:
        said = f"<html lang={language}><h1>{labels[language]}</h1>"
        form = "<form action=/find><input name=q><button>OK</button></form>"
        if request.url.path.startswith("/doc/"):
            text = next(t for t in TEXTS if t.key == request.url.path.removeprefix("/doc/"))
            return HTMLResponse(f"{said}<h2>{escape(text.title)}</h2><p>{escape(text.body)}")
        typed = request.query_params.get("q", "")
        found = ENGINE.search(typed)[:30] if typed else []
        rows = "".join(f"<li><a href=/doc/{t.key}>{escape(t.title)}</a>" for t in found)
        return HTMLResponse(f"{said}{form}<ul>{rows}</ul>")

    found = learnt(site, "/")
    assert found.spec is not None
    assert found.spec.results.hit


def test_ends_of_names_are_no_kinds_of_page() -> None:
    """If some titles end with ".read", the hits are all links of the list, not only those."""
    names = {
        "deep": ["store.open", "blob.read", "page.read", "phone.Net", "text.read", "line.end"],
        "web": ["stack.size", "text.read", "turtle.set", "page.read", "shell.size", "file.cut"],
        "sea": ["blob.read", "blob.seek"],
    }
    pages = [
        page("".join(f"<li><b><a href=/doc/{n}>{n} of {w}</a></b>" for n in held), w)
        for w, held in names.items()
    ]
    found = find_records(pages, NOTHING)
    assert found is not None
    assert [len(found.elements[each]) for each in pages] == [6, 6, 2]


FEW = Engine(TEXTS[:76], Rules(nots=()))


def icons(request: Request) -> Response:
    """At most two pages per answer; an arrow leads back, and another one in the same place on."""
    typed, start = request.query_params.get("q", ""), int(request.query_params.get("from") or 0)
    size, found = 40, FEW.search(typed) if typed else []
    rows = "".join(
        f"<li class=hit><a href=/doc/{t.key}>{escape(t.title)}</a> {escape(t.body[:60])}"
        for t in found[start : start + size]
    )
    arrows = [("left", start - size)] * (start > 0)
    arrows += [("right", start + size)] * (start + size < len(found))
    turned = "".join(
        f"<a href='/?q={escape(typed)}&amp;from={at}'><i class='fa fa-{way}'></i></a>"
        for way, at in arrows
    )
    form = f"<form action=/><input type=search name=q value='{escape(typed)}'></form>"
    said = f"<p>{len(found)} records" if typed else "<p>A class, a module, a file."
    return HTMLResponse(f"{form}{said}<ul>{rows}</ul><div class=turn>{turned}</div>")


def test_arrow_that_leads_back_is_no_next_page() -> None:
    """On the second and last page the first arrow leads back: its icon shows this."""

    async def answer(request: Request) -> Response:
        return icons(request)

    with running_site(Starlette(routes=[Route("/{path:path}", answer)])) as url:
        found = discover(f"{url}/")
        assert found.spec is not None
        words = [word for word in ("a", "to", "is") if 40 < len(FEW.search(word)) <= 76]
        assert words
        for word, pages in zip(words, pages_by(found, [(word,) for word in words], 5), strict=True):
            assert [len(each.hits) for each in pages] == [40, len(FEW.search(word)) - 40]


@pytest.mark.parametrize(
    ("rules", "both"),
    [
        (Rules(default="OR", ands=("+",), quotes_break=True), ("+class", "+name")),
        (Rules(default="phrase", ands=()), ()),
    ],
    ids=["marks", "strings"],
)
def test_ways_to_ask_for_two_words(rules: Rules, both: tuple[str, ...]) -> None:
    """If quotation marks break queries, marks are used; the word "and" in texts is no operator."""
    said = [replace(text, body=f"{text.body} class and name") for text in TEXTS[:40]]
    engine = Engine((*said, *TEXTS[40:150]), rules)

    def site(request: Request) -> Response:
        typed = request.query_params.get("q", "")
        found = engine.search(typed) if typed else []
        rows = "".join(
            f"<li><a href=/doc/{t.key}>{escape(t.title)}</a><p>{escape(t.body)}</p>" for t in found
        )
        form = f"<form action=/><input type=search name=q value='{escape(typed)}'></form>"
        return HTMLResponse(f"{form}<p>A class and name.</p><ul>{rows}</ul>")

    async def answer(request: Request) -> Response:
        return site(request)

    with running_site(Starlette(routes=[Route("/{path:path}", answer)])) as url:
        spec = discover(f"{url}/").spec
    assert spec is not None
    if both:
        assert tuple(write_query(Query(("class", "name")), spec.ask.dialect).split()) == both
    else:
        assert spec.ask.dialect.max_terms == 1
