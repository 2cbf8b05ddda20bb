"""Sites that describe their own content, and helpers to harvest them."""

import html
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles

import longline
from longline.api import Harvest
from longline.model import Document
from longline.simulate import read_corpus, running_site

SIZE = 40


def drawn(size: int = SIZE, seed: int = 5) -> list[Document]:
    """Return documents drawn at random from the embedded corpus."""
    corpus = [each for each in read_corpus("docstrings") if len(each.text) > 200]
    places = np.random.default_rng(seed).permutation(len(corpus))[:size].tolist()
    return [
        msgspec.structs.replace(corpus[place], key=f"d{n}", title=corpus[place].title or "-")
        for n, place in enumerate(places)
    ]


DOCUMENTS = drawn()
WANTED = {document.title for document in DOCUMENTS}


def matching(words: str | None) -> list[Document]:
    """Return the documents that hold every word; without words, all."""
    sought = (words or "").lower().split()
    return [d for d in DOCUMENTS if all(w in f"{d.title} {d.text}".lower() for w in sought)]


def as_page(document: Document) -> str:
    """Return a document's own page."""
    body = f"<main><h1>{html.escape(document.title)}</h1><p>{html.escape(document.text)}</p></main>"
    title = f"<title>{html.escape(document.title)} - Library</title>"
    return (
        f"<!doctype html><html lang=en>{title}<nav>Home About</nav>{body}<footer>Contact</footer>"
    )


Files = Mapping[str, str | bytes | Callable[[str], str | bytes]]


def site(files: Files, front: str = "", *, robots: str = "") -> Starlette:
    """Return a site with a front page, a page for each document, and some files.

    Args:
        files: By path; a file that needs the site's URL is a function of it.
        front: Content of the front page.
        robots: Content of its robots.txt.
    """
    pages = {f"/p/{document.key}.html": document for document in DOCUMENTS}

    def answer(request: Request) -> Response:
        path = request.url.path
        home = f"{request.url.scheme}://{request.url.netloc}"
        if path in files:
            made = files[path]
            body = made(home) if callable(made) else made
            kinds = {"json": "application/json", "xml": "application/xml", "js": "text/javascript"}
            kind = kinds.get(path.rpartition(".")[2], "application/octet-stream")
            return Response(body, media_type=kind)
        if path in pages:
            return HTMLResponse(as_page(pages[path]))
        if path == "/robots.txt" and robots:
            return Response(robots.replace("{home}", home), media_type="text/plain")
        if path == "/":
            return HTMLResponse(f"<html lang=en><title>Library</title>{front}<p>Welcome</p></html>")
        return Response("not found", status_code=404)

    return Starlette(routes=[Route("/{path:path}", answer)])


def folder_site(folder: Path) -> Starlette:
    """Return a site of files, as written by a generator."""
    app = Starlette()
    app.mount("/", StaticFiles(directory=folder, html=True))
    return app


def harvested(app: Any, folder: Path, path: str = "/", most: int = 400) -> Harvest:
    """Harvest a site, given only its URL, without a browser."""
    with running_site(app) as url:
        options: dict[str, Any] = {"allow_private": True, "max_requests": most}
        return longline.harvest(url + path, folder / "harvest", **options)


def titles(harvest: Harvest) -> set[str]:
    """Return the titles of the documents held."""
    return {document.title for document in harvest.documents}


def share_of_text(harvest: Harvest) -> float:
    """Return the mean share of each text's words that are held, by title."""
    held = {document.title: set(document.text.split()) for document in harvest.documents}
    shares = [
        len(held[d.title] & set(d.text.split())) / len(set(d.text.split()))
        for d in DOCUMENTS
        if d.title in held
    ]
    return sum(shares) / max(len(shares), 1)
