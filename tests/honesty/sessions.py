"""Search pages with a session cookie, where "next" depends on the session."""

from secrets import token_hex

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route

from longline.model import Page
from longline.simulate import website
from longline.simulate.search.dialect import read_query
from longline.simulate.search.searcher import Box
from longline.simulate.site import html as _html

NAME = "The Library of Sessions"


class SessionSite:
    """A site whose "next" link continues the session's last query.

    Args:
        box: The search box that answers.
        method: "get" or "post" of the form; a "post" form includes a token of the session.
    """

    def __init__(self, box: Box, method: str) -> None:
        self.box = box
        self.method = method
        self._last: dict[str, tuple[str, int]] = {}  # by session: words and number of the last page

    def app(self, robots: str) -> Starlette:
        """Return the site, where everything except the search is as usual."""
        routes = [
            Route("/search", self.search, methods=["GET", "POST"]),
            Route("/more", self.more),
            Mount("/", website(self.box, name=NAME, robots=robots)),
        ]
        return Starlette(routes=routes)

    async def search(self, request: Request) -> Response:
        """Show the form, or the first result page of the submitted words."""
        session = request.cookies.get("session", "")
        asked = await request.form() if request.method == "POST" else request.query_params
        if self.method == "post" and request.method == "GET":
            asked = {}
        words = str(asked.get("q", "")).strip()
        if not words:
            return self._answer(session or token_hex(8), "")
        if self.method == "post" and asked.get("csrf") != session:
            raise HTTPException(403, "This form has expired")
        return self._show(session or token_hex(8), words, 1)

    async def more(self, request: Request) -> Response:
        """Show the page after the last one of this session."""
        session = request.cookies.get("session", "")
        if session not in self._last:
            return self._answer(token_hex(8), '<p class="none">Your session has expired.</p>')
        words, number = self._last[session]
        return self._show(session, words, number + 1)

    def _show(self, session: str, words: str, number: int) -> Response:
        self._last[session] = words, number
        page = self.box.search(read_query(words, boolean=self.box.boolean), number)
        return self._answer(session, _results(words, number, page, self.box))

    def _answer(self, session: str, results: str) -> Response:
        token = f'<input type="hidden" name="csrf" value="{session}">'
        form = _html.search_form().replace('method="get"', f'method="{self.method}"')
        form = form.replace("</form>", f"{token}</form>")
        answer = HTMLResponse(_html.layout(NAME, "Search", form + results))
        answer.set_cookie("session", session)
        return answer


def _results(words: str, number: int, page: Page, box: Box) -> str:
    """Return a standard result page without its form and with a session's next link."""
    whole = _html.results(words, number, page, of=box)
    body = whole.partition("</form>\n")[2].partition('<nav class="pages"')[0]
    return body + (
        '<nav class="pages"><a rel="next" href="/more">Next</a></nav>' if page.next else ""
    )
