"""A document's text and title on its own page: where selectors say, or the page's main text."""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, Any

from longline.errors import PageError, SpecError
from longline.source.answer.answer import Answer
from longline.source.answer.file import ENDINGS, TEXT, leads_to_file
from longline.source.answer.links import absolute_urls, href
from longline.source.select import fold, read_select

if TYPE_CHECKING:
    from longline.source.spec import DocumentPage

ARTICLE = "article:"
"""Instead of a selector: the main text of the page, without menus and footers."""


def main_text_reader() -> Any:
    """Return the library that finds a page's main text.

    Raises:
        SpecError: It is not installed.
    """
    try:
        return import_module("trafilatura")
    except ImportError as error:
        raise SpecError(
            f"document.text {ARTICLE!r} needs trafilatura, which cannot be imported: {error}",
            advice="pip install 'longline[article]', or give a selector",
        ) from None


_MAY_LEAD_TO_FILE = re.compile(
    rf"^\s*(?:[?#]|$)|(?:{'|'.join(map(re.escape, (*ENDINGS, TEXT)))})\s*(?:[?#]|$)", re.IGNORECASE
)
"""Links whose absolute URL may name a file: without a path they have that of their page."""


def read_document(page: DocumentPage, answer: Answer) -> tuple[str, str]:
    """Read text and title of a document's page; "" for what it does not have.

    Raises:
        SpecError: A library that the spec needs is not installed.
    """
    title = read_select(page.title, page.kind).text(answer.root) if page.title else ""
    if page.text != ARTICLE:
        return read_select(page.text, page.kind).texts(answer.root), title
    found = main_text_reader().bare_extraction(
        answer.text, url=answer.url, include_comments=False, favor_recall=True, with_metadata=True
    )
    if found is None:
        return "", title
    return (found.text or "").strip(), title or fold(found.title or "")


def linked_files(page: DocumentPage, answer: Answer) -> list[str]:
    """Return the addresses of a document's files, but for pictures.

    Those that its text links, and those that `attachments` finds.

    >>> from longline.model import Response
    >>> from longline.source import parse
    >>> from longline.source.spec import DocumentPage
    >>> body = b"<main><a href=/7/words.txt?seq=1>Words</a> <a href=/more>More</a></main>"
    >>> answer = parse(Response(url="https://x.example/7", status=200, body=body), "html")
    >>> linked_files(DocumentPage("css:main"), answer)
    ['https://x.example/7/words.txt?seq=1']
    """
    if page.kind != "html":
        return []
    where = "css:html" if page.text == ARTICLE else page.text
    found = [each for each in read_select(where).all(answer.root) if not isinstance(each.root, str)]
    links = [link for each in found for link in each.root.xpath(".//a/@href")]
    if page.attachments:
        links += filter(None, map(href, read_select(page.attachments).all(answer.root)))
    # A page has many links: the absolute URL of each would take longer than the text.
    urls = absolute_urls(filter(_MAY_LEAD_TO_FILE.search, links), answer)
    return [url for url in dict.fromkeys(urls) if leads_to_file(url, pictures=False, texts=True)]


def no_text(page: DocumentPage, answer: Answer) -> PageError:
    """Return what to raise for a document's page where no text is found."""
    if page.text == ARTICLE:
        return PageError(
            f"{answer.url}, titled {answer.title()!r}, has no main text",
            advice="open the URL, and put a selector into document.text",
        )
    return PageError(
        f"the selector document.text {page.text!r} finds no text on {answer.url}",
        advice="open the URL, and correct the selector",
    )
