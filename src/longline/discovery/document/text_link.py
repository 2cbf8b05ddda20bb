"""Find texts of documents in a frame of their page, or behind a link on it."""

import html
import re
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from longline.discovery.answer import ParsedAnswer, is_element, node, show, text
from longline.discovery.document.container import find_container
from longline.discovery.document.own_page import (
    KNOWN,
    OwnPage,
    announces_whole,
    lacks_words,
    own_host,
    own_request,
)
from longline.discovery.document.tab import is_longer, missing, text_tab
from longline.discovery.hopeless import BY_ROBOTS
from longline.discovery.reading import first_in
from longline.discovery.session import Asking, DiscoverySession
from longline.discovery.words import terms
from longline.source import absolute_urls, file_text, is_file, scripted
from longline.source.select import read_select
from longline.text.url import is_action

FRAMES = {"iframe": "src", "frame": "src", "object": "data", "embed": "src"}
"""Elements that show another page inside their own, and the attribute with its address."""

PDF = "citation_pdf_url"
"""Name of the meta element with the address of a document's text. Source: Google Scholar."""

_FRAME = "\0"
"""Names of frames begin with this character, which no link text contains."""

_Led = tuple[Any, str]
"""An element that links to another page, and the address."""

LINKS_TRIED = 3
"""Maximum number of frames and links of a document's page to follow."""

ENTRIES, BESIDE = 3, 0.2
"""A table of contents has at least so many links, and at most this share of its words in none."""


class Whole(NamedTuple):
    """Where documents' whole texts are.

    Attributes:
        suffix: Added to a document's address; "" if nothing is.
        link: A selector of the link to the text on the document's page; "" if it is there.
        pages: The documents' pages.
        texts: The pages with the texts: the same without a link.
    """

    suffix: str
    link: str
    pages: list[OwnPage]
    texts: list[OwnPage]


def whole_texts(session: DiscoverySession, pages: list[OwnPage]) -> Asking[Whole]:
    """Look for whole texts on further tabs of documents, in frames, and behind links."""
    suffix, tabs = yield from text_tab(session, pages)
    if suffix:
        where = "the words that found documents stand there, or more of its own than on first pages"
        session.find("document.suffix", suffix, "likely", where)
        return Whole(suffix, "", tabs, tabs)
    link, texts = yield from find_text_link(session, tabs)
    if link:
        where = f"it leads to the text, such as {texts[0][1].response.url}"
        session.find("document.text_link", link, "likely", where)
    return Whole("", link, tabs, texts)


def find_text_link(
    session: DiscoverySession, pages: list[OwnPage]
) -> Asking[tuple[str, list[OwnPage]]]:
    """Look in frames and behind links, first those that announce the text, for a longer text.

    Links whose addresses name the document are followed, too, and others if its page lacks words
    that are known: those that found documents, those in the list of hits, and those of a table
    of contents, if a page holds little else. The linked page must have these, and many more words
    of its own than the first page.

    Returns:
        A selector of the frame or link, and the pages behind it; else "" and the given pages.
    """
    sought = missing(session, pages)
    contents = _contents(session, pages)
    told = {hit.key: contents.get(hit.key) or set(terms(hit.snippet)) for hit, _ in pages}
    is_sought = bool(sought or contents) or not any(_tells(p, told[hit.key]) for hit, p in pages)
    known = {
        hit.url for shown in session.probes if (read := session.read(shown)) for hit in read.hits
    }
    led = [_leading(session, shown) for _, shown in pages]
    first, others = led[0], led[1:]
    named = _named_so(pages, first)
    names = [
        name
        for name, (_, url) in first.items()
        if (is_sought or _is_told(name) or name in named)
        and url not in known
        and all(name in other and other[name][1] != url for other in others)
    ]
    for name in sorted(names, key=lambda name: not _is_told(name))[:LINKS_TRIED]:
        texts: list[OwnPage] = []
        for (hit, _), links in zip(pages, led, strict=True):
            shown = yield from _behind(session, links[name][1])
            if shown is None:
                if name.startswith(_FRAME) and "/robots.txt" in session.reason:
                    seen = f"what documents' pages frame: {session.reason.partition('; ')[0]}"
                    session.find("document.text_link", "", "unknown", seen, BY_ROBOTS)
                break
            texts.append((hit, shown))
        if len(texts) < len(pages) or not is_longer(texts, pages):
            continue
        said = {hit.key: text(shown.root) for hit, shown in texts}
        lacks = any(lacks_words(words, said[key]) for key, words in sought)
        # Rows may show words that are on neither page, such as a kind; the query words are enough.
        is_framed = name.startswith(_FRAME) and bool(sought)
        if lacks or not (is_framed or all(_tells(shown, told[hit.key]) for hit, shown in texts)):
            continue
        roots, wanted = [shown.root for _, shown in pages], [links[name][0] for links in led]
        selector = first_in(roots, wanted)
        firsts = [read_select(selector).first(node(root)) for root in roots]
        if all(f is not None and f.root is w for f, w in zip(firsts, wanted, strict=True)):
            return selector, texts
    if contents:
        seen = "documents' pages hold little but links, and none of those tried led to a text"
        session.find("document.text_link", "", "unknown", seen, "only these links would be saved")
    return "", pages


def _is_told(name: str) -> bool:
    """Return whether a link is a frame, or announces the complete text."""
    return name.startswith(_FRAME) or announces_whole(name)


def _named_so(pages: list[OwnPage], first: dict[str, _Led]) -> list[str]:
    """Return links of the first document's page with all that names it in its own address.

    What other documents' addresses lack names it. Links that robots are not to follow are left out.
    """
    url, others = pages[0][0].url, [hit.url for hit, _ in pages[1:]]
    own = _names_in(url).difference(*map(_names_in, others)) if others else set()
    return [
        name
        for name, (element, led) in first.items()
        if set() < own <= _names_in(led)
        and led != url
        and not is_action(led)
        and "nofollow" not in (element.get("rel") or "")
    ]


def _names_in(url: str) -> set[str]:
    return set(re.findall(r"\w+", url.lower()))


def _behind(session: DiscoverySession, url: str) -> Asking[ParsedAnswer | None]:
    """Return the page at an address, or a file's text as a harvest extracts it; None if neither."""
    request = own_request(session, url)
    shown = yield from session.get(request)
    if shown is not None and not is_file(shown.response):
        return None if shown.is_data else shown
    answer = session.came
    said = file_text(answer).text if answer is not None and is_file(answer) else ""
    if answer is None or not said:
        return None
    body = f"<body><pre>{html.escape(said)}</pre>".encode()
    page = msgspec.structs.replace(answer, content_type="text/html", headers=(), body=body)
    return show("", request, page)


def _contents(session: DiscoverySession, pages: list[OwnPage]) -> dict[str, set[str]]:
    """Return the words of documents' tables of contents, by key; {} if a page holds more than one.

    Nearly all of a table of contents is links to parts of its document.
    """
    select = read_select(find_container(session, [shown for _, shown in pages])[0])
    found: dict[str, set[str]] = {}
    for hit, shown in pages:
        roots = (each.root for each in select.all(shown.answer.root))
        held = [root for root in roots if not isinstance(root, str)]
        said = [set(terms(text(each))) for each in held]
        linked = [set(terms(text(link))) for each in held for link in each.iter("a")]
        words = set().union(*said) - set(terms(hit.title))
        if len(linked) < ENTRIES or len(words - set().union(*linked)) > BESIDE * len(words):
            return {}
        found[hit.key] = words
    return found


def _tells(shown: ParsedAnswer, words: set[str]) -> bool:
    """Return whether a page contains most of some words of its document."""
    said = text(shown.root).lower()
    return sum(word in said for word in words) >= KNOWN * len(words)


def _leading(session: DiscoverySession, shown: ParsedAnswer) -> dict[str, _Led]:
    """Return the links and frames of a page to its own host, by name: frames by their order."""
    host = own_host(session) or urlsplit(shown.response.url).hostname
    found: dict[str, _Led] = {}
    for tag, attribute in FRAMES.items():
        for rank, element in enumerate(shown.root.iter(tag)):
            for url in absolute_urls([element.get(attribute) or ""], shown.answer):
                found[f"{_FRAME}{tag} {rank}"] = element, url
    for element in filter(is_element, shown.root.iter()):
        name, asked = scripted(element) if element.tag != "a" else ("", "")
        for url in absolute_urls([asked] if asked else [], shown.answer):
            found.setdefault(f"{_FRAME}{name}", (element, url))
    told = shown.answer.root.xpath(f"//meta[@name='{PDF}']/@content").getall()
    files = set(absolute_urls(told, shown.answer))
    for link in shown.links:
        name = f"{_FRAME}{PDF}" if link.url in files else re.sub(r"\d+", "", link.text)
        found.setdefault(name, (link.element, link.url))
    return {name: led for name, led in found.items() if urlsplit(led[1]).hostname == host}
