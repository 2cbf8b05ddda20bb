"""The language that a source or a page says a document is in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from longline.source.answer.answer import Answer
from longline.source.answer.article import ARTICLE
from longline.source.select import fold, read_select

if TYPE_CHECKING:
    from longline.source.spec import DocumentPage

_TAG = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]+)*", re.IGNORECASE)
_IS_LANG = "name()='lang' or name()='xml:lang'"
_NEAREST = f"ancestor-or-self::*[@*[{_IS_LANG}]][1]/@*[{_IS_LANG}]"
_META = "//meta[translate(@http-equiv, 'CLNTGUAE', 'clntguae')='content-language']/@content"
_NONE = frozenset({"mis", "mul", "und", "zxx"})


def language_of(said: str) -> str:
    """Return what a source's own field says: the language of a tag, else its words.

    >>> language_of("de-AT"), language_of(" English "), language_of("und"), language_of("")
    ('de', 'english', '', '')
    """
    return language_of_tag(said) if _TAG.fullmatch(said.strip()) else fold(said).casefold()


def language_of_tag(said: str) -> str:
    """Return the language of a language tag, "" for what is none or names no single language.

    >>> language_of_tag("pt_BR"), language_of_tag("de, en"), language_of_tag("x-default")
    ('pt', '', '')
    """
    found = _TAG.fullmatch(said.strip())
    language = found[1].lower() if found else ""
    return "" if language in _NONE else language


def document_language(page: DocumentPage, answer: Answer) -> str:
    """Return the language that stands on a document's page where the spec says; "" for none."""
    return language_of(
        read_select(page.language, page.kind).text(answer.root) if page.language else ""
    )


def page_language(page: DocumentPage, answer: Answer) -> str:
    """Return the language that a document's page declares for its text; "" where it does not.

    The attribute nearest to the text counts: around a German document a site may speak English.
    """
    return next(filter(None, map(language_of_tag, _declared(page, answer))), "")


def _declared(page: DocumentPage, answer: Answer) -> Iterator[str]:
    """Yield what a page says of its language, what is nearest to the text first."""
    if page.kind == "html":
        where = "css:html" if page.text == ARTICLE else page.text
        found = read_select(where, page.kind).first(answer.root)
        yield from [] if found is None else found.xpath(_NEAREST).getall()
        yield from answer.root.xpath(_META).getall()
    yield answer.header("content-language")
