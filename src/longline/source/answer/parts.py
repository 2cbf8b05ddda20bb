"""Documents on several pages: what leads from one part of a text to the next."""

import re
from itertools import takewhile
from posixpath import splitext
from urllib.parse import parse_qsl, urlsplit

from longline.source.answer.answer import Answer
from longline.source.answer.links import absolute_urls

MOST_PARTS = 100
"""Pages of one document that are read."""

_NAMES = (
    r"(?:page|pg|p|paged|pageno|pagenum|page_?number|seite|pagina|strona|stranka|sivu|sida|side"
    r"|str|part|parte|partie|teil)"
)
_NAME = re.compile(_NAMES, re.IGNORECASE)
"""What addresses call the number of a page."""

_NEW = 0.5
"""Share of a part that the first has not: a page of comments repeats its document."""


def may_lead_on(body: bytes, number: int) -> bool:
    """Say whether an address in a page may be that of part `number`; few pages have one."""
    named = rf"(?:[=/]|[/_-]{_NAMES}[-_]){number}\b"
    return re.search(named.encode(), body, re.IGNORECASE) is not None


def next_part(answer: Answer, first: str, number: int) -> str:
    """Return where part `number` of a document is, as a link on its page says; "" for nowhere.

    That is the document's own address with the number: "?page=2", "/2", "/page/2" or "/page-2".

    Args:
        answer: The part before it.
        first: Address of the document.
        number: From 2.
    """
    own = urlsplit(first)
    known = set(parse_qsl(own.query, keep_blank_values=True))
    at = rf"(?:(?:/\w+)?/|[/_-]{_NAMES}[-_]){number}"
    whole = own.path.rstrip("/")
    stem, ending = map(re.escape, splitext(whole))
    path = re.compile(rf"(?:{re.escape(whole)}{at}|{stem}{at}{ending})/?", re.IGNORECASE)
    links = (link for link in answer.root.xpath("//a/@href").getall() if str(number) in link)
    for url in absolute_urls(links, answer):
        parts = urlsplit(url)
        if parts.netloc != own.netloc:
            continue
        values = set(parse_qsl(parts.query, keep_blank_values=True))
        added = values - known
        is_in_query = parts.path == own.path and known < values and len(added) == 1
        if is_in_query and all(_NAME.fullmatch(n) and v == str(number) for n, v in added):
            return url
        if own.path.strip("/") and values == known and path.fullmatch(parts.path):
            return url
    return ""


def new_text(text: str, earlier: str) -> str:
    """Return a part without the words around it that the first part has, too; "" for little left.

    >>> new_text("The Sea: It rained all night. (c) 2026", "The Sea: The ship left. (c) 2026")
    'It rained all night.'
    >>> new_text("The ship left the port. First!", "The ship left the port. A comment.")
    ''
    """
    words, known = text.split(), earlier.split()
    start = _alike(words, known)
    end = len(words) - _alike(words[start:][::-1], known[start:][::-1])
    new = " ".join(words[start:end])
    return new if len(new) >= _NEW * len(text) else ""


def _alike(words: list[str], others: list[str]) -> int:
    """Return how many words two texts begin with alike."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(words, others, strict=False))
    return sum(1 for _ in same)
