"""Books whose pages all have the same menu, and indexes whose parts look like documents."""

import html
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.test_further_kinds import harvested
from tests.discovery.test_ways_on import DOCUMENTS

import longline
from longline.model import Document
from longline.simulate import running_site

pytestmark = pytest.mark.slow

TEXTS = [d for d in DOCUMENTS.values() if "&" not in d.text][:120]
CHAPTERS = 6
PER_CHAPTER = len(TEXTS) // CHAPTERS


def come_once(documents: list[Document]) -> None:
    """Check that all are held, none twice, and each with its full text."""
    assert len(documents) == len(TEXTS)
    held = {" ".join(each.text.split()) for each in documents}
    own = [" ".join(d.text.split()) for d in TEXTS]
    assert all(any(text in each for each in held) for text in own)


def name_of(document: Document) -> str:
    """Return the page of a section."""
    return f"section-{document.key}.html"


def page_of_book(request: Request) -> Response:
    """A page of a book: chapters and their sections in the menu, and a way to the next page."""
    name = request.path_params.get("name", "index.html")
    menu, pages = "", []
    for n in range(CHAPTERS):
        sections = TEXTS[n * PER_CHAPTER : (n + 1) * PER_CHAPTER]
        first = f"chapter-{n}.html" if n else "index.html"
        pages += [first, *map(name_of, sections)]
        inner = "".join(
            f'<li class=chapter><a href="{name_of(d)}">{html.escape(d.title)}</a></li>'
            for d in sections
        )
        menu += f'<li class=chapter><a href="{first}">Chapter {n + 1}</a><ul>{inner}</ul></li>'
    if name not in pages:
        return Response(status_code=404)
    shown = next((d for d in TEXTS if name_of(d) == name), None)
    body = "<h1>A chapter</h1><p>It has the following notes.</p>"
    if shown is not None:
        body = f"<h1>{html.escape(shown.title)}</h1><p>{html.escape(shown.text)}</p>"
    following = pages[(pages.index(name) + 1) % len(pages)]
    return HTMLResponse(
        f"<html lang=en><title>Handbook</title><ul class=summary>{menu}</ul>"
        f"<div role=main>{body}</div><a class=next rel=next href='{following}'>Next</a>"
    )


def test_the_menu_of_a_book_is_read_once(tmp_path: Path) -> None:
    """Its pages lead on from one to the next, but they are documents, not pages of a list."""
    routes = [Route("/", page_of_book), Route("/{name}", page_of_book)]
    certificate, documents = harvested(routes, "/", tmp_path)
    come_once(documents)
    assert certificate.truncated_queries == 0


def test_rows_without_names_are_an_index(tmp_path: Path) -> None:
    """The index of a book's search holds every page, as its name, title and text."""
    rows = [[name_of(d), d.title, f" {d.title} {d.text}"] for d in TEXTS]
    routes = [
        Route("/", lambda _: HTMLResponse("<meta name=generator content='GitBook 2.6'><p>A book")),
        Route("/search_index.json", lambda _: JSONResponse(rows)),
        Route("/{name}", page_of_book),
    ]
    certificate, documents = harvested(routes, "/", tmp_path)
    assert {each.title for each in documents} == {d.title for d in TEXTS}
    assert certificate.outcome == "complete"


KINDS = {"classes": "section class=about", "functions": "div class=about", "types": "div class=t"}


def row(path: str, name: str) -> str:
    """Return a line of an index; those of modules and of their members look alike."""
    return f'<dt id="{name}"><a href="{path}">{html.escape(name)}</a></dt>'


def modules(request: Request) -> Response:
    """All modules of a library."""
    rows = "".join(row(f"modules/m{n}.html", f"module {n}") for n in range(CHAPTERS))
    return HTMLResponse(f"<html lang=en><h1>Library</h1><dl>{rows}</dl>")


def module(request: Request) -> Response:
    """The members of a module, in folders by their kinds."""
    n = int(request.path_params["n"])
    members = TEXTS[n * PER_CHAPTER : (n + 1) * PER_CHAPTER]
    kinds = sorted(KINDS) * len(members)
    rows = "".join(
        row(f"../{kind}/{d.key}.html", d.title) for kind, d in zip(kinds, members, strict=False)
    )
    return HTMLResponse(f"<html lang=en><h1>Module {n}</h1><dl>{rows}</dl>")


def member(request: Request) -> Response:
    """A page of its kind: other elements hold the text."""
    d, kind = DOCUMENTS[request.path_params["key"]], request.path_params["kind"]
    name = KINDS[kind]
    about = f"<{name}>{html.escape(d.text)}</{name.split()[0]}>"
    return HTMLResponse(
        f"<html lang=en><h1>{html.escape(d.title)}</h1><div class=content>{about}</div>"
    )


def test_an_index_whose_parts_look_like_documents_is_read(tmp_path: Path) -> None:
    """Its parts are no documents; documents of every kind have their texts."""
    routes = [
        Route("/", modules),
        Route("/modules/m{n}.html", module),
        Route("/{kind}/{key}.html", member),
    ]
    _, documents = harvested(routes, "/", tmp_path)
    come_once(documents)


def test_a_list_of_one_page_has_no_next_one() -> None:
    """What leads on from a page of links to a document is not followed as a list."""
    routes = [Route("/", page_of_book), Route("/{name}", page_of_book)]
    with running_site(Starlette(routes=routes)) as url:
        found = longline.discover(f"{url}/", allow_private=True, rate=1000)
    assert found.spec.ask.paging == "none"
