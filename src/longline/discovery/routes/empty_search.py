"""Ask a source for nothing in particular, and for any page of what it lists then."""

import re
from urllib.parse import parse_qsl, quote_plus, urlencode, urlsplit

import msgspec

from longline.discovery.reading import is_size_name
from longline.model import Page, Query, Request, Response
from longline.source import Source, Spec
from longline.source.spec import Dialect

MARK = "zqxjvkwq"
"""A word that stands where the query goes, until it is taken out again."""

_TOKEN = re.compile(r"cursor|token|after|scroll|continu|mark$", re.IGNORECASE)
"""Names of parameters that say where to go on, in words of the source's own."""


class EmptySearch:
    """Requests as for a query, with another text in its place.

    Args:
        spec: How the source is asked.
        form: The page with its form, where it is asked by one.
        text: Instead of a query: "" or what stands for everything, such as "*".

    Raises:
        PageError: The form is not as the spec says.
    """

    def __init__(self, spec: Spec, form: Response | None, text: str) -> None:
        # Without quotation marks, which the spec may want around every term.
        plain = msgspec.structs.replace(
            spec, ask=msgspec.structs.replace(spec.ask, dialect=Dialect())
        )
        self._source = Source(plain) if form is None else Source(plain).with_form(form)
        self._text = text
        self._query = Query((MARK,))

    def first(self) -> Request:
        """Return how to ask for page 1.

        Raises:
            SpecError: The source's form is not known.
            PageError: The form is not as the spec says.
        """
        return self._freed(self._source.search_request(self._query))

    def page(self, number: int, answer: Response) -> Page:
        """Read a page of the listing; its `next` has no mark in it.

        Raises:
            PageError: It is no result page.
        """
        marked = self._source.search_request(self._query)
        page = self._source.page(self._query, number, marked, answer)
        return msgspec.structs.replace(page, next=page.next and self._freed(page.next))

    def jump(self, page: Page, number: int, rows: int) -> Request | None:
        """Return how to ask for a page far down, by how page 1 asks for page 2; None: no way.

        Exactly one parameter may have changed from page 1 to page 2, by one or by a page's rows;
        how many hits a page has is no place, and a token cannot be reckoned.
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
        """Put the text where the mark is."""
        url = request.url.replace(MARK, quote_plus(self._text, safe="*"))
        body = request.body.replace(MARK.encode(), self._text.encode())
        browser = request.browser
        if browser is not None:
            typed = browser.words.replace(MARK, self._text)
            browser = msgspec.structs.replace(browser, words=typed)
        return msgspec.structs.replace(request, url=url, body=body, browser=browser)


def _moved(second: int, number: int, rows: int) -> str | None:
    """Return a parameter's value on page `number`, by its value on page 2."""
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
