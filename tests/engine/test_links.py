"""Documents that only links of saved pages show are saved, counted, and never taken for others."""

import html
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, words

import longline
from longline.api import Harvest
from longline.events import DocumentReceived, LinkDropped
from longline.ledger.held import Linked
from longline.ledger.verdict import verdict
from longline.model import Document, Finish
from longline.simulate import running_site

KEYS = list(DOCUMENTS)


def address(number: object) -> str:
    """Return the address of a document."""
    return f"https://x.example/doc/{number}"


def held(*numbers: int, links: tuple[object, ...] = ()) -> Linked:
    """Return what some documents link to."""
    linked = Linked()
    for number in numbers:
        document = Document(address(number), address(number))
        linked.tell(DocumentReceived(document, links=tuple(map(address, links))))
    return linked


def test_a_place_with_few_values_takes_no_others() -> None:
    """Documents have any number, but only two languages, of which no link may leave."""
    linked = Linked()
    for number in range(20):
        language = "de" if number % 2 else "en"
        linked.know(f"https://x.example/{language}/{number}", "", is_held=True)
    linked.link(
        [f"https://x.example/{way}" for way in ("en/40", "de/40", "fr/3", "en/about", "40")]
    )
    assert linked.not_held() == ["https://x.example/en/40", "https://x.example/de/40"]


def test_a_key_that_is_no_url_is_left_out() -> None:
    """It only begins like one, as an interface may name a document in any way."""
    linked = Linked()
    linked.know("http://[x/", "", is_held=True)
    assert linked.not_held() == []


def test_a_page_that_was_no_document_is_not_counted_again() -> None:
    """What is left is likely to hold as many documents as what was read."""
    linked = held(*range(10), links=(10, 11, 12, 13))
    linked.tell(LinkDropped(address(10), "it has no text"))
    linked.tell(DocumentReceived(Document(address(11), address(11)), is_linked=True))
    assert linked.not_held() == [address(12), address(13)]
    assert (linked.saved, linked.dropped, linked.likely) == (1, 1, 1.0)


def test_linked_documents_that_were_not_read_are_missing() -> None:
    """A harvest is complete only while these are few."""
    ledger = longline.ledger.Ledger(size=40)
    links = tuple(map(address, range(100)))
    for number in range(38):
        document = Document(address(number), address(number), text=str(number))
        ledger.tell(DocumentReceived(document, links=links))
    assert verdict(Finish("all"), ledger).outcome == "partial"
    for number in (38, 39):
        document = Document(address(number), address(number), text=str(number))
        ledger.tell(DocumentReceived(document, is_linked=True))
    reason = "saved pages link to about 60 more documents that no search showed"
    assert reason in verdict(Finish("all"), ledger).reason
    for number in range(40, 100):
        ledger.tell(LinkDropped(address(number), "404"))
    assert verdict(Finish("all"), ledger).outcome == "complete"


class Archive:
    """A search that shows some documents; each page links to others, by a way of its own.

    Attributes:
        shown: How many documents the search shows.
    """

    def __init__(self, shown: int) -> None:
        self.shown = shown

    def links(self, number: int) -> list[int]:
        """Return the numbers of the documents that a document's page links to."""
        return [(number + self.shown) % SIZE, (7 * number) % self.shown]

    def search(self, request: Request) -> Response:
        """Show ten rows a page."""
        typed, page = request.query_params.get("term", ""), int(request.query_params.get("p", "1"))
        found = [each for each in words(typed) if KEYS.index(each.key) < self.shown]
        rows = "".join(
            f"<li><a href='/doc/{KEYS.index(each.key)}'>{html.escape(each.title)}</a></li>"
            for each in found[page * 10 - 10 : page * 10]
        )
        onward = f"<a href='/s?term={typed}&p={page + 1}'>Next</a>" * (len(found) > page * 10)
        return HTMLResponse(f"<p>{len(found)} results</p><ul>{rows}</ul>{onward}")

    def document(self, request: Request) -> Response:
        """Show a document's text, and its links."""
        number = int(request.path_params["number"])
        if number >= SIZE:
            return HTMLResponse("<p>There is no such document.</p>", status_code=404)
        shown = DOCUMENTS[KEYS[number]]
        links = "".join(f"<a href='/doc/{each}'>See {each}</a> " for each in self.links(number))
        body = f"<h1>{html.escape(shown.title)}</h1><p>{html.escape(shown.text)}</p>{links}"
        return HTMLResponse(f"<html lang=en><main>{body}</main>")

    def harvested(self, folder: Path, **options: object) -> Harvest:
        """Return a harvest of it."""
        form = "<form action=/s><input name=term></form>"
        routes = [
            Route("/", lambda _: HTMLResponse(f"<html lang=en>{form}")),
            Route("/s", self.search),
            Route("/doc/{number:int}", self.document),
        ]
        with running_site(Starlette(routes=routes)) as url:
            return longline.harvest(f"{url}/", folder, allow_private=True, rate=1000, **options)


class Missing(Archive):
    """An archive whose pages link to pages that do not exist."""

    def links(self, number: int) -> list[int]:
        """Return the numbers of missing documents."""
        return [number + SIZE]


@pytest.mark.slow
def test_documents_that_only_links_show_are_saved(tmp_path: Path) -> None:
    """Three quarters of them are shown by no search; a second run asks for nothing again."""
    harvest = Archive(SIZE // 4).harvested(tmp_path / "first")
    found = harvest.certificate
    assert len(harvest.documents) == SIZE == found.documents
    assert found.linked is not None
    assert (found.linked.documents, found.linked.left) == (SIZE - SIZE // 4, 0)
    assert (found.outcome, found.size) == ("complete", SIZE)
    assert len({each.text for each in harvest.documents}) == len({*DOCUMENTS})


@pytest.mark.slow
def test_links_to_missing_pages_change_nothing(tmp_path: Path) -> None:
    """Ten of them are read; the harvest is complete, and lists the others."""
    found = Missing(SIZE).harvested(tmp_path / "first").certificate
    assert found.outcome == "complete"
    assert found.linked is not None
    assert (found.linked.documents, found.linked.dropped) == (0, 10)
    assert found.documents_failed == 0


@pytest.mark.slow
def test_a_share_that_is_enough_is_not_exceeded_by_links(tmp_path: Path) -> None:
    """Where a share of the documents is wanted, no link is followed."""
    found = Archive(SIZE // 4).harvested(tmp_path / "first", target_coverage=0.5).certificate
    assert found.documents <= SIZE // 4
