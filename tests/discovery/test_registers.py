"""Registers of names in JSON, and a site that has the words of a search in its path."""

import re
from collections import Counter
from pathlib import Path
from urllib.parse import quote

import numpy as np
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

import longline
from longline.simulate import read_corpus, running_site

COUNT = 400
WORDS = sorted(
    {
        word
        for document in read_corpus("docstrings")[:600]
        for word in re.findall(r"[a-z]{4,12}", document.text.lower())
    }
)
FORMS = ("AS", "ASA", "DA", "ENK")


def names() -> list[str]:
    """Return different names of companies; each ends with its legal form."""
    rng = np.random.default_rng(5)
    found = dict.fromkeys(
        f"{' '.join(rng.choice(WORDS[:500], 2))} {'ASMT'[rng.integers(4)]} "
        f"{FORMS[rng.integers(4)]}".upper()
        for _ in range(2 * COUNT)
    )
    return list(found)[:COUNT]


NAMES = names()


def company(number: int, base: str) -> dict[str, object]:
    """Return a record; what it says of its trade is said of each."""
    return {
        "number": str(900_000 + number),
        "name": NAMES[number],
        "form": {"code": NAMES[number].split()[-1], "text": "Private limited company"},
        "trade": {"code": "68.2", "text": "Letting of own real estate"},
        "address": {"street": f"Storgata {number % 40}", "place": "OSLO"},
        "_links": {"self": {"href": f"{base}api/companies/{900_000 + number}"}},
    }


def search(request: Request) -> Response:
    """Answer with names that have all words, 20 at a time, as HAL does."""
    words, base = request.query_params.get("name"), str(request.base_url)
    if words is not None and not words.strip():
        return JSONResponse({"status": 400, "message": "name must not be empty"}, 400)
    held = [set(name.lower().split()) for name in NAMES]
    wanted = set(re.findall(r"\w+", (words or "").lower()))
    found = [n for n in range(COUNT) if wanted <= held[n]]
    page = int(request.query_params.get("page", 0))
    shown = found[20 * page : 20 * page + 20]
    answer: dict[str, object] = {
        "_embedded": {"companies": [company(n, base) for n in shown]},
        "_links": {"self": {"href": str(request.url)}},
        "page": {"size": 20, "totalElements": len(found), "totalPages": -(-len(found) // 20)},
    }
    if not shown:
        del answer["_embedded"]
    if len(found) > 20 * page + 20:
        more = f"{base}api/companies?name={quote(words or '')}&page={page + 1}"
        answer["_links"] = {"next": {"href": more}}
    return JSONResponse(answer)


def record(request: Request) -> Response:
    """Answer with one record, which is its row again."""
    number = request.path_params["number"] - 900_000
    return JSONResponse(company(number, str(request.base_url)))


def test_a_register_of_names_is_read_from_its_rows(tmp_path: Path) -> None:
    """A search for whole words is no completion, and records that are rows are not asked for."""
    routes = [Route("/api/companies", search), Route("/api/companies/{number:int}", record)]
    with running_site(Starlette(routes=routes)) as url:
        word = NAMES[0].split()[0].lower()
        found = longline.harvest(
            f"{url}/api/companies?name={word}", tmp_path, allow_private=True, rate=1000
        )
    certificate = found.certificate
    assert {each.title for each in found.documents} == set(NAMES)
    assert certificate.document_pages == 0
    assert certificate.requests < COUNT
    assert found.spec.ask.matches != "prefix"


DOCUMENTS = read_corpus("docstrings")[:300]


def words_of(text: str) -> list[str]:
    """Return the words of a text, in small letters."""
    return re.findall(r"[a-z]\w+", text.lower())


def preprints(request: Request) -> Response:
    """The form sends its words by POST, which leads to /search/WORDS."""
    form = "<form method=post action=/><input name=keywords><button>Search</button></form>"
    if request.method == "POST":
        return RedirectResponse("/search/x", 302)
    return HTMLResponse(f"<title>Preprints</title>{form}<p>The server for preprints.</p>")


def found_by_path(request: Request) -> Response:
    """Show ten results of the words in the path, and the link to more."""
    words = request.path_params["words"]
    wanted = set(words_of(words))
    rows = [each for each in DOCUMENTS if wanted <= set(words_of(f"{each.title} {each.text}"))]
    page = int(request.query_params.get("page", 0))
    shown = "".join(
        f"<li class=result><a href='/content/{DOCUMENTS.index(each)}'>{each.title}</a></li>"
        for each in rows[10 * page : 10 * page + 10]
    )
    more = f"<a class=next href='/search/{quote(words)}?page={page + 1}'>Next</a>"
    form = "<form method=post action=/><input name=keywords><button>Search</button></form>"
    body = f"<ul>{shown}</ul>" if shown else "<p>No results were found.</p>"
    next_page = more if len(rows) > 10 * page + 10 else ""
    return HTMLResponse(f"<title>Search</title>{form}<h1>{len(rows)} Results</h1>{body}{next_page}")


def content(request: Request) -> Response:
    """Show one document."""
    each = DOCUMENTS[request.path_params["number"]]
    return HTMLResponse(f"<title>{each.title}</title><h1>{each.title}</h1><p>{each.text}</p>")


def test_words_in_the_path_of_the_given_address_are_replaced(tmp_path: Path) -> None:
    """Where the form is sent by POST, an example of what it leads to shows how to search."""
    routes = [
        Route("/", preprints, methods=["GET", "POST"]),
        Route("/search/{words}", found_by_path),
        Route("/content/{number:int}", content),
    ]
    with running_site(Starlette(routes=routes)) as url:
        named = Counter(word for each in DOCUMENTS for word in set(words_of(each.title)))
        given = max(named, key=lambda word: (named[word], word))
        found = longline.discover(f"{url}/search/{given}", allow_private=True, browser=False)
    assert found.spec.ask.url == f"{url}/search/{{query}}"
    assert found.spec.results.next
