"""Test sites that answer only visitors who have opened their home page, or nobody."""

from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

import longline
from longline.errors import SourceError
from longline.simulate import running_site

SPEC = """
[source]
name = "court"
url = "{url}/"
[ask]
url = "{url}/find?q={{query}}"
[ask.dialect]
all = "*"
[results]
hit = "css:li"
link = "css:a"
title = "css:a"
text = "css:li"
total = "css:b"
total_relation = "exact"
"""


def front(request: Request) -> Response:
    """Give each visitor a cookie."""
    answer = HTMLResponse("<h1>Court</h1>")
    answer.set_cookie("visitor", "7")
    return answer


def find(request: Request) -> Response:
    """Answer visitors who have the cookie."""
    if request.cookies.get("visitor") != "7":
        return Response("forbidden", 403)
    return HTMLResponse("<b>1</b><li><a href=/case>Of tides</a> and the moon</li>")


def asked(
    home: Callable[[Request], Response], folder: Path, robots: str = ""
) -> tuple[list[str], int]:
    """Harvest the site; return the requests, and the number of documents."""
    log: list[str] = []
    routes = [Route("/", home), Route("/find", find)]
    routes.append(Route("/robots.txt", lambda _: PlainTextResponse(robots)))
    with running_site(Starlette(routes=routes), log=log) as url:
        (folder / "court.toml").write_text(SPEC.format(url=url))
        try:
            harvest = longline.harvest(
                folder / "court.toml", folder / "out", allow_private=True, max_requests=8
            )
        except SourceError:
            return log, 0
    return log, len(list(harvest.documents))


@pytest.mark.parametrize(
    ("home", "documents"), [(front, 1), (lambda _: HTMLResponse("<h1>Court</h1>"), 0)]
)
def test_the_first_page_is_shown_once_before_an_answer_is_refused_for_good(
    tmp_path: Path, home: Callable[[Request], Response], documents: int
) -> None:
    """The home page's cookie makes answers possible; without one, the site counts as blocked."""
    log, came = asked(home, tmp_path)
    assert came == documents
    assert log.count("/") == 1


def test_a_first_page_that_robots_txt_disallows_is_not_asked_for(tmp_path: Path) -> None:
    """The home page is not requested, and the refusal remains."""
    log, came = asked(front, tmp_path, "User-agent: *\nDisallow: /$\n")
    assert came == 0
    assert log.count("/") == 0
    assert any(each.startswith("/find") for each in log)
