"""Harvest sites whose habits are drawn at random, given only their address.

Drawn are: the documents, how words are matched, what totals count, the return limit, the page size,
HTML or JSON, and what is shown for no words, for `*` and for no hits. A site is harvested if 95 %
of its documents are held. A harvest that is called complete with less is marked.

    python -m bench.discovery.drawn_habits --seeds 0 30
"""

import argparse
import html
import random
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

import longline
from longline.errors import LonglineError
from longline.pool import STOP_WORDS
from longline.simulate import read_corpus, running_site

ENOUGH = 0.95
"""Share of a site's documents that must be held."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Habits:
    """How a site behaves.

    Attributes:
        corpus: The source of its documents: the name of a corpus or of a file.
        documents: Number of documents.
        words: How words are matched: all, any, parts of words, a string, a phrase, titles only;
            without stop words, without words of one or two letters, the first two only.
        total: What the total counts.
        limit: Maximum number of hits that a search shows; 0 for all.
        size: Hits per page.
        nothing: What is shown if nothing is found.
        is_json: Whether answers are JSON.
        empty: What a search without words shows.
        star: How `*` is read.
    """

    corpus: str
    documents: int
    words: str
    total: str
    limit: int
    size: int
    nothing: str
    is_json: bool
    empty: str
    star: str

    def __str__(self) -> str:
        return " ".join(f"{each.name}={getattr(self, each.name)}" for each in fields(self))


def draw(seed: int, corpora: list[str]) -> Habits:
    """Return habits; the same seed gives the same habits."""
    rng = random.Random(seed)
    ways = ("all", "any", "parts", "string", "phrase", "titles", "no stop words", "long", "two")
    return Habits(
        corpus=rng.choice(corpora),
        documents=rng.choice((150, 300, 600)),
        words=rng.choice(ways),
        total=rng.choice(("exact", "none", "rounded", "shown")),
        limit=rng.choice((0, 0, 50, 100)),
        size=rng.choice((10, 20, 25)),
        nothing=rng.choice(("none", "none", "none", "all", "popular")),
        is_json=rng.random() < 1 / 3,
        empty=rng.choice(("form", "form", "all", "latest", "error")),
        star=rng.choice(("word", "word", "all")),
    )


class Site:
    """A site with these habits."""

    def __init__(self, habits: Habits, seed: int) -> None:
        self.habits = habits
        rng = random.Random(f"documents {seed}")
        every = [each for each in read_corpus(habits.corpus) if each.text and each.title]
        # Answers list documents in this order.
        self.documents = rng.sample(every, min(habits.documents, len(every)))
        self.said = [f"{each.title} {each.text}".lower() for each in self.documents]
        self.phrases = [f" {' '.join(_WORD.findall(said))} " for said in self.said]
        shown = [
            each.title.lower() if habits.words == "titles" else None for each in self.documents
        ]
        self.words = [
            set(_WORD.findall(said if title is None else title))
            for said, title in zip(self.said, shown, strict=True)
        ]
        routes = [
            Route("/", self.home),
            Route("/search", self.search),
            Route("/doc/{n:int}", self.page),
        ]
        self.app = Starlette(routes=routes)

    def found(self, typed: str) -> list[int]:
        """Return the numbers of the documents that a search finds."""
        everything, typed = list(range(len(self.documents))), typed.lower().strip()
        if not typed:
            return {"all": everything, "latest": everything[:20]}.get(self.habits.empty, [])
        if typed == "*" and self.habits.star == "all":
            return everything
        hits = list(filter(self._reader(typed), everything))
        if self.habits.words == "any":
            asked = set(_WORD.findall(typed))
            hits.sort(key=lambda number: -len(asked & self.words[number]))
        instead = {"all": everything, "popular": everything[:15]}
        return hits or instead.get(self.habits.nothing, [])

    def _reader(self, typed: str) -> Callable[[int], bool]:
        """Return a function that tests whether a document is a hit."""
        words, how = _WORD.findall(typed), self.habits.words
        if how == "string":
            return lambda number: typed in self.said[number]
        if how == "phrase":
            return lambda number: bool(words) and f" {' '.join(words)} " in self.phrases[number]
        kept = {
            "no stop words": lambda word: word not in STOP_WORDS,
            "long": lambda word: len(word) > 2,
        }
        words = list(filter(kept.get(how), words)) if how in kept else words
        words = words[:2] if how == "two" else words
        if how == "parts":
            return lambda number: bool(words) and all(word in self.said[number] for word in words)
        if how == "any":
            return lambda number: any(word in self.words[number] for word in words)
        return lambda number: bool(words) and self.words[number].issuperset(words)

    def home(self, request: Request) -> Response:
        """Show the form."""
        return HTMLResponse(f"<html lang=en><title>Archive</title>{_form('')}")

    def search(self, request: Request) -> Response:
        """Show a result page."""
        habits, typed = self.habits, request.query_params.get("q", "")
        if not typed.strip() and habits.empty == "error":
            return HTMLResponse("<p>Say what to look for", 400)
        found, at = self.found(typed), int(request.query_params.get("page", 1))
        reachable = found[: habits.limit] if habits.limit else found
        hits = reachable[habits.size * (at - 1) : habits.size * at]
        onward = f"/search?q={quote(typed)}&page={at + 1}" if reachable[habits.size * at :] else ""
        rounded = (len(found) + 5) // 10 * 10
        total = {"exact": len(found), "rounded": rounded, "shown": len(reachable)}.get(habits.total)
        if habits.is_json:
            return JSONResponse(self._rows(hits) | _known(count=total, next=onward or None))
        rows = "".join(
            f'<li><a href="/doc/{number}">{html.escape(self.documents[number].title)}</a>'
            f"<p>{html.escape(self.documents[number].text[:200])}</p></li>"
            for number in hits
        )
        about = "about " if habits.total == "rounded" else ""
        count = "" if total is None else f"<p>{about}{total} results</p>"
        more = f'<a rel="next" href="{html.escape(onward)}">Next</a>' if onward else ""
        body = f"{_form(typed)}{count}<ol>{rows}</ol>{more}"
        return HTMLResponse(f"<html lang=en><title>Search</title>{body}")

    def _rows(self, hits: list[int]) -> dict[str, Any]:
        shown = [(number, self.documents[number]) for number in hits]
        return {
            "results": [
                {"id": n, "title": each.title, "url": f"/doc/{n}", "summary": each.text[:150]}
                for n, each in shown
            ]
        }

    def page(self, request: Request) -> Response:
        """Show a document."""
        number = request.path_params["n"]
        if number >= len(self.documents):
            return HTMLResponse("<p>There is no such document", 404)
        each = self.documents[number]
        title = html.escape(each.title)
        body = f"<h1>{title}</h1><article><p>{html.escape(each.text)}</p></article>"
        return HTMLResponse(f"<html lang=en><title>{title}</title>{body}")


def _form(typed: str) -> str:
    value = html.escape(typed)
    return f'<form action="/search"><input name="q" value="{value}"><button>Search</button></form>'


def _known(**values: object) -> dict[str, object]:
    return {name: value for name, value in values.items() if value is not None}


def harvested(seed: int, corpora: list[str]) -> tuple[bool, str]:
    """Harvest a site; return whether it succeeded, and a line about the result."""
    habits = draw(seed, corpora)
    site = Site(habits, seed)
    size = len(site.documents)
    with tempfile.TemporaryDirectory() as folder, running_site(site.app) as url:
        address = f"{url}/search?q=time" if habits.is_json else f"{url}/"
        try:
            harvest = longline.harvest(
                address, Path(folder) / "harvest", allow_private=True, max_requests=8 * size + 600
            )
        except LonglineError as error:
            return False, f"{seed} refused: {error} | {habits}"
        certificate = harvest.certificate
    is_whole = certificate.documents >= ENOUGH * size
    lied = "" if is_whole or certificate.outcome != "complete" else " WRONGLY"
    ended = f"{certificate.documents} of {size}, {certificate.outcome}{lied}"
    return is_whole, f"{seed} {ended}, {certificate.requests} requests | {habits}"


def main() -> None:
    """Print a line for each site, and how many were harvested."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 30), metavar=("FROM", "TO"))
    parser.add_argument("--corpus", nargs="*", default=["docstrings"], help="names or files")
    asked = parser.parse_args()
    came = 0
    for seed in range(*asked.seeds):
        is_whole, line = harvested(seed, asked.corpus)
        came += is_whole
        print(line, flush=True)
    print(f"{came} of {asked.seeds[1] - asked.seeds[0]} sites came")


if __name__ == "__main__":
    main()
