"""Sites and interfaces of further kinds are harvested from their URL only."""

import csv
import html
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, document, number, page, part, words

import longline
from longline.ledger import Certificate
from longline.model import Document
from longline.simulate import running_site

pytestmark = pytest.mark.slow

Answer = Callable[[Request], Response]
WORD = "parser"


def found_by(request: Request) -> list[Document]:
    """Return the documents for the words in the URL."""
    return words(request.query_params.get("q", ""))


def in_xml(request: Request) -> Response:
    """A custom XML interface: hits are attributes and elements, `from` counts them."""
    first = number(request, "from")
    found = part(found_by(request), first - 1, 25)
    rows = "".join(
        f'<hit ref="{d.key}"><name>{html.escape(d.title)}</name>'
        f"<about>{html.escape(d.text)}</about></hit>"
        for d in found.rows
    )
    text = f'<?xml version="1.0"?><hits count="{found.total}" from="{first}">{rows}</hits>'
    return Response(text, media_type="application/xml")


def in_csv(request: Request) -> Response:
    """A table with a header row."""
    found = part(found_by(request), number(request, "offset", 0), 25)
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(["id", "name", "about"])
    writer.writerows([d.key, d.title, d.text] for d in found.rows)
    return Response(stream.getvalue(), media_type="text/csv")


def in_lines(request: Request) -> Response:
    """One row of JSON per line, and no line if nothing is found."""
    found = part(found_by(request), number(request, "offset", 0), 25)
    rows = [{"id": d.key, "name": d.title, "about": d.text} for d in found.rows]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    return Response(lines, media_type="application/x-ndjson")


def in_rows(request: Request) -> Response:
    """Rows of which many share a name; only a number with an unusual name is unique."""
    found = part(found_by(request), number(request, "offset", 0), 40)
    rows = [{"permit": d.key, "name": d.title.split(".")[0], "about": d.text} for d in found.rows]
    return JSONResponse(rows)


def in_a_value(request: Request) -> Response:
    """The words are inside a filter; the maximum page size is given beside the total."""
    typed = re.fullmatch(r'text ~ "(.*)"', request.query_params.get("filter", ""))
    if typed is None:
        return JSONResponse({"error": "syntax"}, 400)
    start = number(request, "startAt", 0)
    found = part(words(typed[1]), start, 50)
    rows = [{"id": d.key, "name": d.title, "about": d.text} for d in found.rows]
    return JSONResponse({"startAt": start, "maxResults": 50, "total": found.total, "rows": rows})


def in_a_path(request: Request) -> Response:
    """Words and page number are segments of the path."""
    at = int(request.path_params["page"])
    found = part(words(request.path_params["words"]), 20 * (at - 1), 20)
    rows = [{"id": d.key, "name": d.title, "about": d.text} for d in found.rows]
    return JSONResponse({"count": found.total, "rows": rows})


def in_a_range(request: Request) -> Response:
    """The numbers of the first and the last row are sent, in a list."""
    first, last = json.loads(request.query_params.get("range", "[0, 19]"))
    found = part(found_by(request), first, last - first + 1)
    return JSONResponse([{"id": d.key, "name": d.title, "about": d.text} for d in found.rows])


def in_rows_up_to(request: Request) -> Response:
    """The numbers of the first row and of the row after the last one are sent."""
    first, end = number(request, "_start", 0), number(request, "_end", 20)
    found = part(found_by(request), first, end - first)
    return JSONResponse([{"id": d.key, "name": d.title, "about": d.text} for d in found.rows])


DATA = {
    in_rows: ("/api", f"/api?q={WORD}"),
    in_xml: ("/api", f"/api?q={WORD}"),
    in_csv: ("/api", f"/api?q={WORD}"),
    in_lines: ("/api", f"/api?q={WORD}"),
    in_a_value: ("/api", f"/api?filter=text ~ %22{WORD}%22"),
    in_a_path: ("/api/{words}/page/{page}", f"/api/{WORD}/page/1"),
}


def shows(request: Request, link: str, rows: int, none: str = "Nothing matches.") -> str:
    """Return a page of hits, one line each."""
    typed, start = request.query_params.get("term", ""), number(request, "skip", 0)
    found = part(words(typed), start, rows).rows
    link = link.replace("{words}", quote(typed))
    lines = (
        f'<p class=hit><a href="{link.replace("{key}", d.key)}">{html.escape(d.title)}</a></p>'
        for d in found
    )
    return "".join(lines) or f"<p>{none}</p>"


def with_a_limit(request: Request) -> Response:
    """No answer has more than 30 hits or a second page; longer ones say so."""
    found = words(request.query_params.get("term", ""))
    said = "Only the first 30 are shown." if len(found) > 30 else f"{len(found)} found."
    return page(f"<p class=said>{said}</p>" + shows(request, "/doc/{key}", 30))


def with_words_in_links(request: Request) -> Response:
    """Links contain the index and the query; a single hit redirects to its document."""
    typed = request.query_params.get("term", "")
    found = words(typed)
    if len(found) == 1:
        return RedirectResponse(f"/doc/{found[0].key}?q={quote('kw: ' + typed)}")
    start = number(request, "skip", 0)
    onward = f'<a href="/s?term={quote(typed)}&amp;skip={start + 20}">next</a>'
    more = onward if len(found) > start + 20 else ""
    return page(shows(request, "/doc/{key}?q=kw%3A%20{words}", 20) + more)


def seen_further_down(request: Request) -> Response:
    """An empty element names the next part to load when it is seen; there is no total."""
    typed, start = request.query_params.get("term", ""), number(request, "skip", 0)
    onward = f"/s?term={quote(typed)}&amp;skip={start + 12}"
    more = f'<div class=end data-next-url="{onward}"></div>'
    rows = shows(request, "/doc/{key}", 12) + (more if len(words(typed)) > start + 12 else "")
    return HTMLResponse(rows) if start else page(rows)


PAGES = (with_a_limit, with_words_in_links, seen_further_down)


def harvested(
    routes: list[Route], start: str, folder: Path, most: int = 1200
) -> tuple[Certificate, list[Document]]:
    """Harvest a site; return its certificate and the documents."""
    with running_site(Starlette(routes=routes)) as url:
        harvest = longline.harvest(
            url + start, folder / "harvest", allow_private=True, rate=1000, max_requests=most
        )
    return harvest.certificate, list(harvest.documents)


def in_languages(request: Request) -> Response:
    """Names and texts stand under their language; every seventh is in German."""
    found = part(found_by(request), number(request, "offset", 0), 25)
    rows = [
        {"id": d.key, "name": {code: d.title}, "about": {code: d.text}}
        for d in found.rows
        for code in ["de" if int(d.key) % 7 == 0 else "en"]
    ]
    return JSONResponse({"rows": rows, "total": found.total})


def test_texts_of_all_languages_are_held(tmp_path: Path) -> None:
    """Not only those in the language of most rows."""
    routes = [Route("/api", in_languages)]
    _, documents = harvested(routes, f"/api?q={WORD}", tmp_path)
    assert len(documents) >= 0.95 * SIZE
    texts = {each.key: (each.text or "").split() for each in documents}
    whole = [key for key in texts if texts[key] == DOCUMENTS[key].text.split()]
    assert len(whole) >= 0.98 * len(texts)  # one names characters as HTML does


def leading_away(request: Request) -> Response:
    """A list without words: rows link to the web site, which is away, and to their texts."""
    start = number(request, "offset", 0)
    links = {"web": "http://web.invalid/about/{}", "body": str(request.base_url) + "doc/{}"}
    rows = [
        {
            "number": d.key,
            "title": d.title,
            "links": [{"rel": rel, "href": url.format(d.key)} for rel, url in links.items()],
        }
        for d in list(DOCUMENTS.values())[start : start + 50]
    ]
    return JSONResponse(rows)


def bracketed(request: Request) -> Response:
    """A list whose page is sent under the name that the answer has for its place."""
    page = number(request, "pagination[page]", 1)
    rows = [{"id": d.key, "title": d.title, "body": d.text} for d in DOCUMENTS.values()]
    said = {"page": page, "pageSize": 25, "pageCount": -(-SIZE // 25), "total": SIZE}
    return JSONResponse({"data": rows[25 * page - 25 : 25 * page], "meta": {"pagination": said}})


def test_a_page_is_sent_under_its_place_in_the_answer(tmp_path: Path) -> None:
    """`meta.pagination.page` of an answer is sent as `pagination[page]`."""
    certificate, documents = harvested([Route("/api", bracketed)], "/api", tmp_path)
    assert len(documents) == SIZE
    assert certificate.outcome == "complete"


def test_texts_are_read_where_they_can_be(tmp_path: Path) -> None:
    """A link of the source's own host is read if the likelier one leads to a host that is away."""
    routes = [Route("/api", leading_away), Route("/doc/{key}", document)]
    _, documents = harvested(routes, "/api", tmp_path)
    assert len(documents) == SIZE
    assert all(DOCUMENTS[each.key].text.split()[0] in each.text for each in documents)


@pytest.mark.parametrize(
    ("answer", "sent", "learnt"),
    [
        (in_a_range, "range=[0,19]", "range=%5B{offset}%2C+{last}%5D"),
        (in_rows_up_to, "_start=0&_end=20", "_start={offset}&_end={end}"),
    ],
)
def test_both_ends_of_a_page_are_sent(answer: Answer, sent: str, learnt: str) -> None:
    """The second page begins after the last row of the first one, however long it is."""
    with running_site(Starlette(routes=[Route("/api", answer)])) as url:
        found = longline.discover(f"{url}/api?q={WORD}&{sent}", allow_private=True, rate=1000)
    assert found.spec.ask.url == f"{url}/api?q={{query}}&{learnt}"
    assert (found.spec.ask.page_size or 0) > 20  # longer pages are asked for


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(each, marks=[pytest.mark.slow] * (each in (in_csv, in_lines, in_a_value)))
        for each in DATA
    ],
    ids=lambda answer: answer.__name__,
)
def test_an_interface_comes_whole(answer: Answer, tmp_path: Path) -> None:
    """Nearly all rows are held, and the interval contains the truth."""
    path, start = DATA[answer]
    certificate, documents = harvested([Route(path, answer)], start, tmp_path)
    assert {each.key for each in documents} <= DOCUMENTS.keys()
    assert len(documents) >= 0.95 * SIZE
    assert certificate.size_low is not None
    assert certificate.size_low <= SIZE <= (certificate.size_high or SIZE)


@pytest.mark.parametrize("answer", PAGES, ids=lambda answer: answer.__name__)
def test_a_site_comes_whole(answer: Answer, tmp_path: Path) -> None:
    """Nearly all documents are held, each once."""
    routes = [
        Route("/", lambda request: page("")),
        Route("/s", answer),
        Route("/doc/{key}", document),
    ]
    certificate, documents = harvested(routes, "/", tmp_path)
    held = [each.url.partition("?")[0].rpartition("/")[2] for each in documents]
    assert len(held) == len(set(held))
    assert len(held) >= 0.95 * SIZE
    assert certificate.size_low is not None
    assert certificate.size_low <= SIZE <= (certificate.size_high or SIZE)


FIRST = ["Anna", "Boris", "Clara", "David", "Elena", "Felix", "Greta", "Maria", "Olga", "Peter"]
LAST = ["Abel", "Berg", "Cohn", "Dorn", "Eder", "Funk", "Graf", "Hahn", "Jung", "Kern", "Lang"]
TOWNS = ["Bremen", "Emden", "Kiel", "Rostock"]
PEOPLE = {
    f"L{100 + n}": (f"{last}, {first}", TOWNS[n % 4], str(1970 + n % 50))
    for n, (last, first) in enumerate(
        (last, first) for last in LAST for first in FIRST for _ in range(1 + (last < "C"))
    )
}


def register(request: Request) -> Response:
    """Table rows without their own pages; words match beginnings of names, and need 3 letters."""
    typed = request.query_params.get("who", "").lower()
    form = "<form action=/><input name=who minlength=3><button>Search</button></form>"
    if len(typed) < 3:
        return HTMLResponse(f"<h1>Register</h1>{form}<p>Give three letters or more.</p>")
    known = {k: re.findall(r"\w+", " ".join((k, *v)).lower()) for k, v in PEOPLE.items()}
    found = [
        key
        for key, said in known.items()
        if all(any(each.startswith(word) for each in said) for word in typed.split())
    ]
    start = number(request, "skip", 0)
    rows = "".join(
        f"<tr><td>{key}</td><td>{'</td><td>'.join(PEOPLE[key])}</td></tr>"
        for key in found[start : start + 20]
    )
    onward = f'<a href="/?who={quote(typed)}&amp;skip={start + 20}">Next</a>'
    more = onward if len(found) > start + 20 else ""
    head = "<tr><th>No.</th><th>Name</th><th>Town</th><th>Since</th></tr>"
    table = f"<table>{head}{rows}</table>{more}" if rows else "<p>No entries.</p>"
    return HTMLResponse(f"<h1>Register</h1>{form}{table}")


def test_a_register_of_people_comes_whole(tmp_path: Path) -> None:
    """Names are used as first words, and two people with the same name are two documents."""
    certificate, documents = harvested([Route("/", register)], "/", tmp_path)
    assert len(documents) == len({each.text for each in documents})
    assert len(documents) >= 0.95 * len(PEOPLE)
    assert certificate.size_low is not None
    assert certificate.size_low <= len(PEOPLE) <= (certificate.size_high or len(PEOPLE))


LETTERS: dict[str, list[Document]] = {}
for one in DOCUMENTS.values():
    LETTERS.setdefault(one.title.rpartition(".")[2][:1].upper(), []).append(one)


def by_letter(request: Request) -> Response:
    """The parts of an index, and the pages of each part."""
    letter, at = request.path_params["letter"], number(request, "part")
    menu = "".join(f'<a class=letter href="/index/{quote(each)}">{each}</a>' for each in LETTERS)
    if not letter:
        return HTMLResponse(f"<h1>Names</h1><p>{menu}")
    rows = part(LETTERS[letter], 15 * (at - 1), 15)
    more = f'<a href="/index/{quote(letter)}?part={at + 1}">next</a>' if rows.more else ""
    hits = "".join(f'<li><a href="/doc/{d.key}">{html.escape(d.title)}</a></li>' for d in rows.rows)
    return HTMLResponse(f"<h1>Names</h1><p>{menu}<h2>{letter}</h2><ul>{hits}</ul>{more}")


def as_folder(request: Request) -> Response:
    """A folder listing of a web server, with three folders in it."""
    place = request.path_params["place"]
    if place.endswith(".txt"):
        one = DOCUMENTS[place.rpartition("/")[2].removesuffix(".txt")]
        return Response(f"{one.title}\n{one.text}", media_type="text/plain")
    keys = list(DOCUMENTS)
    inner = [f"{key}.txt" for key in keys[int(place[0]) :: 3]] if place else ["0/", "1/", "2/"]
    rows = "".join(f'<a href="{name}">{name}</a>\n' for name in ["?C=M;O=A", "../", *inner])
    return HTMLResponse(f"<title>Index of /pub/{place}</title><pre>{rows}</pre>")


def leads_there(request: Request) -> Response:
    """A page written by the owner, with a link to the folder."""
    del request
    return HTMLResponse("<h1>Documents</h1><ul><li><a href=/pub/>/pub/</a>, all of them</ul>")


@pytest.mark.parametrize(
    ("answer", "start"), [(by_letter, "/index/"), (as_folder, "/pub/"), (as_folder, "/")]
)
def test_an_index_is_read_with_all_its_parts(answer: Answer, start: str, tmp_path: Path) -> None:
    """Every document in the parts is held; the certificate says that there may be others."""
    path = "/index/{letter:path}" if answer is by_letter else "/pub/{place:path}"
    routes = [Route(path, answer), Route("/doc/{key}", document), Route("/", leads_there)]
    certificate, documents = harvested(routes, start, tmp_path)
    assert len(documents) == SIZE
    assert certificate.outcome == "partial"
    assert not certificate.cuts
    assert "leaves out is not known" in certificate.stopped


RUSSIAN = ["время", "дом", "город", "вода", "книга", "письмо", "школа", "поезд", "лес", "хлеб"]
TEXTS = {
    str(n): " ".join(RUSSIAN[(n * k + k * k) % len(RUSSIAN)] for k in range(1, 7))
    for n in range(1, 61)
}


def russian(request: Request) -> Response:
    """A page that does not state its language."""
    typed = request.query_params.get("slovo", "").lower().split()
    form = '<h1>Архив статей</h1><form action="/"><input name=slovo><button>Искать</button></form>'
    found = [n for n, text in TEXTS.items() if typed and set(typed) <= set(text.split())]
    start = number(request, "skip", 0)
    rows = "".join(f'<li><a href="/{n}">{TEXTS[n][:12]} {n}</a>' for n in found[start : start + 10])
    onward = f'<a href="/?slovo={quote(" ".join(typed))}&amp;skip={start + 10}">Следующая</a>'
    more = onward if len(found) > start + 10 else ""
    return HTMLResponse(form + (f"<ul>{rows}</ul>{more}" if rows else "<p>Пусто."))


def test_letters_tell_the_language_of_a_page() -> None:
    """A site in Russian is queried with Russian words, whatever language it states."""
    text = Route("/{n:int}", lambda request: HTMLResponse(TEXTS[str(request.path_params["n"])]))
    with running_site(Starlette(routes=[Route("/", russian), text])) as url:
        found = longline.discover(f"{url}/", allow_private=True)
    assert found.spec.results.hit == "css:li"
    assert found.spec.ask.words
