"""A site that requires a key in the URL and a token in a header, and repeats both."""

from html import escape
from urllib.parse import quote_plus

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

KEY = "k3y+7f9a&c2"
TOKEN = "t0k3n-5d1e8"
PAGE = 5
WORDS = ["river", "stone", "cloud", "ember", "violet", "harbour", "lantern", "meadow", "time"]


def _own_words(number: int) -> str:
    """Return words that no other document has."""
    return " ".join("".join(chr(97 + (number * s + i) % 26) for i in range(5)) for s in (3, 7, 11))


DOCUMENTS = [
    " ".join(WORDS[(number * step) % len(WORDS)] for step in (1, 2, 3)) + f" {_own_words(number)}"
    for number in range(40)
]


def guarded() -> Starlette:
    """Return the site; a document is found by any of its words."""
    return Starlette(routes=[Route("/search", _search), Route("/doc/{number:int}", _document)])


def _is_let_in(request: Request) -> bool:
    has_key = request.query_params.get("api_key") == KEY
    return has_key and request.headers.get("x-auth-token") == f"Bearer {TOKEN}"


def _refusal(request: Request) -> Response:
    return PlainTextResponse(f"not let in: {request.url}", 403)


async def _search(request: Request) -> Response:
    if not _is_let_in(request):
        return _refusal(request)
    words = request.query_params["q"].split()
    if "violet" in words:  # an error that repeats the request
        return HTMLResponse(f"<p>{request.url} {request.headers['x-auth-token']}", 400)
    found = [n for n, text in enumerate(DOCUMENTS) if set(words) <= set(text.split())]
    start = int(request.query_params.get("start", 0))
    key = quote_plus(KEY)
    rows = "".join(
        f'<li><a href="/doc/{n}?api_key={key}">{DOCUMENTS[n]}</a>'
        for n in found[start : start + PAGE]
    )
    more = f"?q={quote_plus(' '.join(words))}&amp;start={start + PAGE}&amp;api_key={key}"
    link = f'<a class="next" href="{more}">next</a>' if start + PAGE < len(found) else ""
    total = (
        f'<p class="total">{len(found) + 7 * bool(found)} documents for {escape(KEY)}, {TOKEN}</p>'
    )
    return HTMLResponse(f"<ul>{rows}</ul>{link}{total}")


async def _document(request: Request) -> Response:
    if not _is_let_in(request):
        return _refusal(request)
    text = DOCUMENTS[request.path_params["number"]]
    return HTMLResponse(f"<article>{text}, read by {escape(KEY)} and {TOKEN}</article>")
