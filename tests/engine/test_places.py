"""Test that a page with several documents is requested once, also if these are read together."""

import asyncio

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from tests.webs import web_fetcher

from longline.engine import SiteClient
from longline.model import Hit
from longline.simulate import running_site
from longline.source import Source, read_spec

SPEC = """
source = { name = "digest", url = "https://x.example/" }
ask = { url = "https://x.example/?q={query}" }
results = { hit = "css:li", link = "css:a", places = true }
document = { text = "css:body" }
"""
TEXTS = {"Sea": "Deep water.", "Land": "High hills.", "Air": "Thin winds.", "Fire": "Hot flames."}


def test_documents_read_together_share_the_request_for_their_page() -> None:
    """The first one pays for it."""
    sent: list[str] = []

    async def issue(request: Request) -> Response:
        sent.append(request.url.path)
        await asyncio.sleep(0.05)
        held = (f"<h2 id={title}>{title}</h2><p>{text}</p>" for title, text in TEXTS.items())
        return HTMLResponse("<html>" + "".join(held))

    async def read(url: str) -> list[tuple[str, int]]:
        client = SiteClient(Source(read_spec(SPEC)), web_fetcher(robots=False, rate=1000))
        hits = [Hit(f"{url}/issue#{title}", f"{url}/issue#{title}", title) for title in TEXTS]
        found = await asyncio.gather(*map(client.read, hits))
        await client.close()
        return [(document.text, requests) for document, requests in found]

    with running_site(Starlette(routes=[Route("/issue", issue)])) as url:
        found = asyncio.run(read(url))
    assert [text.split()[-1] for text, _ in found] == [text.split()[-1] for text in TEXTS.values()]
    assert [requests for _, requests in found] == [1, 0, 0, 0]
    assert sent == ["/issue"]
