"""An answer, decoded and parsed, so that selectors can look into it."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import parsel
from w3lib.encoding import html_to_unicode
from w3lib.html import get_base_url

from longline.errors import PageError
from longline.model import Response
from longline.source.select import Kind, fold, text_of

_NO_PAGE = ("image/", "audio/", "video/", "font/", "application/pdf", "application/zip")


class Answer(msgspec.Struct, frozen=True):
    """A parsed answer.

    Attributes:
        url: Where it came from.
        base: What its links are relative to.
        charset: What it was decoded from; links and forms are encoded in it, as browsers do.
        response: As it came.
    """

    url: str
    base: str
    charset: str
    text: str
    root: Any
    response: Response

    def header(self, name: str) -> str:
        """Return a header's value, "" where there is none."""
        return self.response.header(name)

    def visible(self) -> str:
        """Return what a reader sees of an HTML or XML page, text boxes' contents included."""
        boxes = "//input[not(@type) or @type='text' or @type='search']/@value"
        body = next(iter(self.root.xpath("//body")), self.root)
        return " ".join([text_of(body), *self.root.xpath(boxes).getall()]).strip()

    def title(self) -> str:
        """Return an HTML page's title, "" where it has none."""
        return fold(self.root.xpath("string(//title)").get(""))


def parse(response: Response, kind: Kind) -> Answer:
    """Decode and parse an answer.

    Raises:
        PageError: It is empty, no page at all, or not of the kind that the spec says.
    """
    media_type = response.content_type.partition(";")[0].strip().lower()
    if media_type.startswith(_NO_PAGE):
        raise PageError(
            f"{media_type} came from {response.url}, but {kind} was expected",
            advice="narrow the selector of the links, or leave such documents out",
        )
    if not response.body.strip():
        raise PageError(f"an empty answer came from {response.url}", advice="try again later")
    charset, text = html_to_unicode(response.content_type or None, response.body)
    if kind == "json":
        node = parsel.Selector(root=_load(text, response.url), type="json")
        return Answer(response.url, response.url, charset, text, node, response)
    root = parsel.Selector(text, type=kind, base_url=response.url)
    if kind == "xml":
        root.remove_namespaces()
        return Answer(response.url, response.url, charset, text, root, response)
    base = get_base_url(text, response.url, charset)
    return Answer(response.url, base, charset, text, root, response)


def _load(text: str, url: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        looks_like_html = text.lstrip()[:1] == "<"
        title = (
            parsel.Selector(text, type="html").css("title::text").get("") if looks_like_html else ""
        )
        what = f"an HTML page titled {fold(title)!r}" if looks_like_html else f"no JSON ({error})"
        raise PageError(
            f"{what} came from {url}, where JSON was expected",
            advice="open the URL in a browser: it may want a login, or ask.url may be wrong",
        ) from None
