"""A site whose menu logs in and out, deletes and leads through an endless calendar."""

from pathlib import Path

import numpy as np
import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from tests.discovery.test_further_kinds import harvested

pytestmark = pytest.mark.slow

SIZE = 100
RNG = np.random.default_rng(7)
SYLLABLES = [f"{one}{two}" for one in "bdfglmnprst" for two in "aeiou"]
WORDS = ["".join(RNG.choice(SYLLABLES, 3)) for _ in range(300)]
TEXTS = [
    " ".join(["the", *RNG.choice(WORDS, 5), "of", *RNG.choice(WORDS, 35)]) for _ in range(SIZE)
]


def page(request: Request, body: str) -> Response:
    """A page with the menu."""
    asked = request.query_params
    year, month = int(asked.get("y", 2026)), int(asked.get("m", 1))
    menu = (
        f'<nav><a href="/calendar?y={year + month // 12}&m={month % 12 + 1}">next month</a>'
        f'<a href="/calendar?y={year - 1}&m={month}">last year</a><a href=/logout>Log out</a>'
        '<a href="/delete?id=1">Delete</a><a href=/login>Log in</a></nav>'
    )
    form = "<form action=/search><input type=search name=q><button>Search</button></form>"
    return HTMLResponse(f"<html lang=en><title>Council</title>{menu}{form}{body}</html>")


def front(request: Request) -> Response:
    """The menu and the form."""
    return page(request, "")


def calendar(request: Request) -> Response:
    """A month with two events."""
    at = request.url.query
    return page(
        request, f'<li><a href="/event?{at}&d=3">One</a><li><a href="/event?{at}&d=9">Two</a>'
    )


def search(request: Request) -> Response:
    """The texts that contain every word; none for no words."""
    typed, at = request.query_params.get("q", "").lower(), int(request.query_params.get("page", 1))
    said = [n for n, text in enumerate(TEXTS) if typed and set(typed.split()) <= set(text.split())]
    shown = said[10 * at - 10 : 10 * at]
    rows = "".join(
        f"<li class=hit><a href=/text/{n}>{' '.join(TEXTS[n].split()[1:5])}</a>" for n in shown
    )
    onward = f'<a href="?q={typed}&page={at + 1}">Next</a>' if 10 * at < len(said) else ""
    return page(request, f"<p>{len(said)} results</p><ol>{rows}</ol>{onward}")


def document(request: Request) -> Response:
    """A text."""
    return page(request, f"<main>{TEXTS[request.path_params['n']]}</main>")


def test_menus_that_act_are_left_alone_and_searches_by_common_words_found(tmp_path: Path) -> None:
    """No word that is usually tried is in the texts, but words that most texts contain."""
    acted: list[str] = []

    def act(request: Request) -> Response:
        acted.append(request.url.path)
        return page(request, "Done.")

    routes = [
        Route("/", front),
        Route("/calendar", calendar),
        Route("/event", front),
        Route("/search", search),
        Route("/text/{n:int}", document),
        *(Route(path, act) for path in ("/logout", "/delete", "/login")),
    ]
    _, documents = harvested(routes, "/", tmp_path)
    assert len(documents) == SIZE
    assert not acted
