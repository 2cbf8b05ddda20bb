"""Test the policy that turns an explorer's requests into HTTP requests."""

from collections.abc import Mapping

import pytest

from longline.events import RequestFailed, ResponseReceived
from longline.known_item.best_first.search import BestFirstSearch
from longline.known_item.explorer import Answer, SitePage
from longline.known_item.finder import Finder
from longline.model import Finish, Request, Response

START = "https://port.example/"
SITE = {
    START: "<title>Port</title><a href='/log'>Log</a><a href='/tides'>Tide tables</a>"
    "<p>Welcome to the port of Example, its quays and its sheds</p>",
    f"{START}log": "<title>Log</title><p>Ships that left and ships that came, day after day</p>",
    f"{START}tides": "<title>Tide tables</title><p>High water and low water at the quay</p>",
}


class Breadth:
    """An explorer that requests every page in order of discovery and answers with the last."""

    def __init__(self, start: str) -> None:
        self.waiting = [start]
        self.told: list[str] = []
        self.failed: list[str] = []
        self.asked = 0

    def next(self) -> str | Answer:
        if self.asked == len(self.waiting):
            return Answer(self.told[-1] if self.told else None, 1.0, self.asked)
        return self.waiting[self.asked]

    def tell(self, page: SitePage) -> None:
        self.asked += 1
        self.told.append(page.key)
        self.waiting += [each.target for each in page.links if each.target not in self.waiting]

    def fail(self, key: str) -> None:
        self.asked += 1
        self.failed.append(key)


def answer(request: Request, site: Mapping[str, str]) -> ResponseReceived | RequestFailed:
    """Answer as a server with these pages would; a page that is an address is a redirect."""
    url = request.url
    html = site.get(url)
    if html is not None and html.startswith("https:"):
        url, html = html, site.get(html)
    if html is None:
        return RequestFailed(request, "404 Not Found", 1)
    response = Response(url=url, status=200, content_type="text/html", body=html.encode())
    return ResponseReceived(request, response)


def run(finder: Finder, site: Mapping[str, str] = SITE) -> list[str]:
    """Let a finder search a site; return the addresses that it requested."""
    asked = []
    while not isinstance(wanted := finder.next(), Finish):
        asked.append(wanted.url)
        finder.tell(answer(wanted, site))
    return asked


def test_wishes_become_requests() -> None:
    """Each page that the explorer names is requested once, by its address."""
    explorer = Breadth(START)
    finder = Finder(START, lambda start: explorer)
    assert run(finder) == list(SITE)
    assert finder.answer == Answer(f"{START}tides", 1.0, 3)
    assert finder.url(f"{START}tides") == f"{START}tides"


def test_search_ends_at_the_page() -> None:
    """With best-first search, the page named by the words is found."""
    finder = Finder(START, lambda start: BestFirstSearch(("tide", "table"), start, budget=10))
    assert run(finder)[:2] == [START, f"{START}tides"]
    assert finder.answer is not None
    assert finder.answer.key == f"{START}tides"


def test_failure_is_told() -> None:
    """A failed page is reported to the explorer, and the search continues."""
    explorer = Breadth(START)
    finder = Finder(START, lambda start: explorer)
    run(finder, {key: html for key, html in SITE.items() if "log" not in key})
    assert explorer.failed == [f"{START}log"]
    assert finder.answer is not None
    assert finder.answer.key == f"{START}tides"


def test_redirected_page_is_not_asked_for_again() -> None:
    """A page reached by a redirect is passed on without another request."""
    site = {
        START: "<a href='/old'>Old log</a><a href='/log'>New log</a>",
        f"{START}old": f"{START}log",
        f"{START}log": SITE[f"{START}log"],
    }
    explorer = Breadth(START)
    assert run(Finder(START, lambda start: explorer), site) == [START, f"{START}old"]
    assert explorer.told == [START, f"{START}log", f"{START}log"]


def test_site_may_live_on_another_host() -> None:
    """If the start page redirects to another host, that host is the site."""
    site = {
        "https://short.example/": START,
        START: SITE[START],
        f"{START}tides": SITE[f"{START}tides"],
    }
    finder = Finder(
        "https://short.example/", lambda start: BestFirstSearch(("tide", "table"), start, budget=5)
    )
    run(finder, site)
    assert finder.answer is not None
    assert finder.answer.key == f"{START}tides"


def test_page_that_redirects_to_another_site_fails() -> None:
    """A page of another host is not a page of the site."""
    away = "https://away.example/"
    site = {START: "<a href='/out'>Out</a>", f"{START}out": away, away: SITE[START]}
    explorer = Breadth(START)
    run(Finder(START, lambda start: explorer), site)
    assert explorer.failed == [f"{START}out"]


@pytest.mark.parametrize(
    ("html", "said"),
    [("", "empty"), ("<p>Alone</p>", "no link"), ("<a href='#top'>Up</a>", "no link"),
     ("{}", "no HTML"), ("<a href='https://away.example/'>Away</a>", "no link")],
)  # fmt: skip
def test_start_page_without_a_site(html: str, said: str) -> None:
    """A start page that is empty, not HTML, or without links ends the search, with the reason."""
    kind = "application/json" if html == "{}" else "text/html"
    finder = Finder(START, Breadth)
    request = finder.next()
    assert isinstance(request, Request)
    response = Response(url=START, status=200, content_type=kind, body=html.encode())
    finder.tell(ResponseReceived(request, response))
    assert isinstance(finder.next(), Finish)
    assert said in str(finder.trouble)


def test_giving_up_answers_with_what_is_known() -> None:
    """A search that is broken off returns the best page so far."""
    finder = Finder(START, lambda start: BestFirstSearch(("port",), start, budget=10))
    request = finder.next()
    assert isinstance(request, Request)
    finder.tell(answer(request, SITE))
    assert finder.give_up().key == START
