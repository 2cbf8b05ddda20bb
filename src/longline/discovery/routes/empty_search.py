"""Request the list a source returns for an empty query, and any page of it."""

import re
from urllib.parse import parse_qsl, quote_plus, urlencode, urlsplit

import msgspec

from longline.discovery.next_words import (
    is_size_name,
)
from longline.model import Page, Query, Request, Response
from longline.source import Source, Spec
from longline.source.spec import Dialect

MARK = "zqxjvkwq"
"""A placeholder word for the query, which is replaced later."""

_TOKEN = re.compile(r"cursor|token|after|scroll|continu|mark$", re.IGNORECASE)
"""Matches names of parameters with an opaque position, such as a cursor."""


class EmptySearch:
    """Requests as for a query, with another text in its place.

    Args:
        spec: How the source is queried.
        form: The page with its form, if the source has one.
        text: Text instead of a query: "", or one that matches everything, such as "*".

    Raises:
        PageError: The form differs from the spec.
    """

    def __init__(self, spec: Spec, form: Response | None, text: str) -> None:
        # Without quotation marks, which the spec may put around every term.
        plain = msgspec.structs.replace(
            spec, ask=msgspec.structs.replace(spec.ask, dialect=Dialect())
        )
        self._source = Source(plain) if form is None else Source(plain).with_form(form)
        self._text = text
        self._query = Query((MARK,))

    def first(self) -> Request:
        """Return the request for page 1.

        Raises:
            SpecError: The source's form is not known.
            PageError: The form differs from the spec.
        """
        return self._freed(self._source.search_request(self._query))

    def page(self, number: int, answer: Response) -> Page:
        """Read a page of the list; its `next` has the text instead of the placeholder.

        Raises:
            PageError: It is not a result page.
        """
        marked = self._source.search_request(self._query)
        page = self._source.page(self._query, number, marked, answer)
        return msgspec.structs.replace(page, next=page.next and self._freed(page.next))

    def jump(self, page: Page, number: int, rows: int) -> Request | None:
        """Return the request for a page far down, derived from those for pages 1 and 2, or None.

        Exactly one parameter may change from page 1 to page 2, by one or by the rows of a page. The
        page size is not a position, and a token cannot be computed.
        """
        if page.next is None:
            return None
        if number == 2:
            return page.next
        for name in ("url", "body"):
            before, after = _pairs(self.first(), name), _pairs(page.next, name)
            new = [pair for pair in after if pair not in before and not is_size_name(pair[0])]
            changed = [pair for pair in new if pair[1].isdigit()]
            if len(changed) != 1 or any(_TOKEN.search(key) for key, _ in set(new) - set(changed)):
                continue
            moved = _moved(int(changed[0][1]), number, rows)
            if moved is not None:
                pairs = [
                    (key, moved if (key, value) == changed[0] else value) for key, value in after
                ]
                return _with_pairs(page.next, name, pairs)
        return None

    def _freed(self, request: Request) -> Request:
        """Replace the placeholder by the text."""
        url = request.url.replace(MARK, quote_plus(self._text, safe="*"))
        body = request.body.replace(MARK.encode(), self._text.encode())
        browser = request.browser
        if browser is not None:
            typed = browser.words.replace(MARK, self._text)
            browser = msgspec.structs.replace(browser, words=typed)
        return msgspec.structs.replace(request, url=url, body=body, browser=browser)


def _moved(second: int, number: int, rows: int) -> str | None:
    """Return a parameter's value on page `number`, by its value on page 2, or None if unclear."""
    values = {
        2: number,
        1: number - 1,
        rows: (number - 1) * rows,
        rows + 1: (number - 1) * rows + 1,
    }
    found = values.get(second)
    return None if found is None else str(found)


def _pairs(request: Request, name: str) -> list[tuple[str, str]]:
    text = urlsplit(request.url).query if name == "url" else request.body.decode("utf-8", "replace")
    return parse_qsl(text, keep_blank_values=True)


def _with_pairs(request: Request, name: str, pairs: list[tuple[str, str]]) -> Request:
    written = urlencode(pairs, safe="*")
    if name == "body":
        return msgspec.structs.replace(request, body=written.encode())
    return msgspec.structs.replace(
        request, url=urlsplit(request.url)._replace(query=written).geturl()
    )
