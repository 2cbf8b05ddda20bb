"""A document's text, title and language from its own page: by selectors, or the main text."""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from longline.errors import NoTextError, SpecError
from longline.model import Document
from longline.source.answer.answer import Answer
from longline.source.answer.file import ENDINGS, TEXT, leads_to_file
from longline.source.answer.links import absolute_urls, href
from longline.source.select import fold, read_select
from longline.source.spec import DocumentPage

ARTICLE = "article:"
"""Value that is given instead of a selector: the page's main text, without menus and footers."""


def main_text_reader() -> Any:
    """Return the library that extracts a page's main text.

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
"""Links whose absolute URL may name a file: links without a path take the path of their page."""

BESIDE = "linked beside the text"
"""Why a file was not requested yet that may belong to the document, or to the whole site."""

_IN_MENU = (
    "self::nav or ancestor::nav or (ancestor::header or ancestor::footer or ancestor::aside)"
    " and not(ancestor::main or ancestor::article)"
)


def read_document(page: DocumentPage, answer: Answer) -> tuple[str, str]:
    """Read the text and title of a document's page; each is "" if missing.

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


def linked_files(page: DocumentPage, answer: Answer) -> dict[str, bool]:
    """Return the URLs of a document's files, without pictures, and whether each is its own.

    Files linked in its text and those that `attachments` finds are its own. Without that selector,
    files linked elsewhere on its page may be its own or the site's; menus are left out.

    >>> from longline.model import Response
    >>> from longline.source import parse
    >>> from longline.source.spec import DocumentPage
    >>> body = b"<main><a href=/7/words.txt?seq=1>Words</a> <a href=/more>More</a></main>"
    >>> answer = parse(Response(url="https://x.example/7", status=200, body=body), "html")
    >>> linked_files(DocumentPage("css:main"), answer), linked_files(DocumentPage("css:p"), answer)
    ({'https://x.example/7/words.txt?seq=1': True}, {'https://x.example/7/words.txt?seq=1': False})
    """
    if page.kind != "html":
        return {}
    where = "css:html" if page.text == ARTICLE else page.text
    inside = {each.root for each in read_select(where).all(answer.root)}
    urls: dict[str, bool] = {}
    for link in filter(_MAY_LEAD_TO_FILE.search, answer.root.root.xpath("//a/@href")):
        # Making all links absolute would take longer than reading the text.
        element = link.getparent()
        is_own = not inside.isdisjoint(element.iterancestors())
        if is_own or not (page.attachments or element.xpath(_IN_MENU)):
            urls |= {url: is_own or urls.get(url, False) for url in absolute_urls([link], answer)}
    if page.attachments:
        named = filter(None, map(href, read_select(page.attachments).all(answer.root)))
        urls |= dict.fromkeys(absolute_urls(filter(_MAY_LEAD_TO_FILE.search, named), answer), True)
    return {
        url: is_own
        for url, is_own in urls.items()
        if leads_to_file(url, pictures=False, texts=True)
    }


def no_text(page: DocumentPage, answer: Answer, document: Document | None) -> NoTextError:
    """Return the error for a document's page without text where the spec expects it."""
    if page.text == ARTICLE:
        return NoTextError(
            f"{answer.url}, titled {answer.title()!r}, has no main text",
            advice="open the URL, and put a selector into document.text",
            document=document,
        )
    return NoTextError(
        f"the selector document.text {page.text!r} finds no text on {answer.url}",
        advice="open the URL, and correct the selector",
        document=document,
    )


_TAG = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]+)*", re.IGNORECASE)
_IS_LANG = "name()='lang' or name()='xml:lang'"
_NEAREST = f"ancestor-or-self::*[@*[{_IS_LANG}]][1]/@*[{_IS_LANG}]"
_META = "//meta[translate(@http-equiv, 'CLNTGUAE', 'clntguae')='content-language']/@content"
_NONE = frozenset({"mis", "mul", "und", "zxx"})


def language_of(said: str) -> str:
    """Return the language in a source's own field: from a language tag, or else the words as given.

    >>> language_of("de-AT"), language_of(" English "), language_of("und"), language_of("")
    ('de', 'english', '', '')
    """
    return language_of_tag(said) if _TAG.fullmatch(said.strip()) else fold(said).casefold()


def language_of_tag(said: str) -> str:
    """Return the language of a language tag, or "" if it is no tag or names no single language.

    >>> language_of_tag("pt_BR"), language_of_tag("de, en"), language_of_tag("x-default")
    ('pt', '', '')
    """
    found = _TAG.fullmatch(said.strip())
    language = found[1].lower() if found else ""
    return "" if language in _NONE else language


def document_language(page: DocumentPage, answer: Answer) -> str:
    """Return the language that the spec's selector finds on a document's page, or "" if none."""
    return language_of(
        read_select(page.language, page.kind).text(answer.root) if page.language else ""
    )


def page_language(page: DocumentPage, answer: Answer) -> str:
    """Return the language that a document's page declares for its text, or "" if none.

    The attribute nearest to the text wins: a German document may be in an English site.
    """
    return next(filter(None, map(language_of_tag, _declared(page, answer))), "")


def _declared(page: DocumentPage, answer: Answer) -> Iterator[str]:
    """Yield the languages a page declares, those nearest to the text first."""
    if page.kind == "html":
        where = "css:html" if page.text == ARTICLE else page.text
        found = read_select(where, page.kind).first(answer.root)
        yield from [] if found is None else found.xpath(_NEAREST).getall()
        yield from answer.root.xpath(_META).getall()
    yield answer.header("content-language")
