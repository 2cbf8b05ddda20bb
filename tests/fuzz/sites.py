"""Pages of a site, as read by `longline find`, by discovery and by the checks of a harvest."""

from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec
from tests.fuzz import seeds
from tests.fuzz.mutate import Mutator
from tests.fuzz.pages import QUERY, TYPES, WORDS
from tests.fuzz.target import Target

from longline.discovery.answer import ParsedAnswer
from longline.discovery.reading.total_number import find_total
from longline.errors import PageError, StrangerError
from longline.known_item.pages.reading import HtmlPage, Reader
from longline.known_item.pages.urls import Site
from longline.model import Document, Hit, Page, Request, Response
from longline.source import parse
from longline.source.trust.seen import Seen

URL = "https://x.example/s?q=deep+web"
HIT = Hit("1", URL, "The deep web", "deep sea")


class Came(NamedTuple):
    """Responses with two pages of one site."""

    responses: list[Response]


def make(rng: Random, _vectors: Path | None) -> Came:
    """Draw two pages."""
    mutator = Mutator(rng, seeds.pages(), WORDS)
    types = [rng.choice(TYPES).removesuffix("; charset=") for _ in range(2)]
    return Came([Response(url=URL, status=200, content_type=t, body=mutator.case()) for t in types])


def check(came: Came) -> None:
    """Any page is read without an error, and a total is found or None."""
    reader = Reader(Site("https://x.example/"), ("deep",))
    seen, shown = Seen(), []
    for response in came.responses:
        page = reader.read(response, URL)
        assert page is None or msgspec.json.decode(msgspec.json.encode(page), type=HtmlPage) == page
        _doubt(seen, response)
        with suppress(PageError):
            answer = parse(response, "html")
            shown.append(ParsedAnswer("deep web", Request(URL), response, answer))
    found = find_total(shown, {page: page.root.xpath("//li")[:3] for page in shown})
    assert found is None or found.values


def _doubt(seen: Seen, response: Response) -> None:
    """Run all checks for unexpected pages on a response."""
    seen.ends.is_torn(response)
    with suppress(StrangerError):
        seen.watch.suspects(Page(), response)
        seen.watch.suspects_hits(QUERY, response)
        seen.watch.suspects_document(HIT, Request(URL), response)
    seen.watch.accept(response)
    seen.watch.is_as_before(response)
    text = response.body.decode("utf-8", "replace")
    seen.placeholders.see(HIT, Document("1", URL, "T", text), response.url)


TARGET = Target("sites", make, check)
