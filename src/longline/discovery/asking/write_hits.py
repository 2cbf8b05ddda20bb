"""Write down how to find hits on HTML pages, and their fields."""

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote_plus

import msgspec

from longline.discovery.answer import ParsedAnswer, node, text
from longline.discovery.asking.find_listing import reads_listing
from longline.discovery.findings import Sureness
from longline.discovery.reading import (
    ALL,
    Field,
    Records,
    find_records,
    find_snippet,
    find_title,
    first_in,
    hits_on,
)
from longline.discovery.session import DiscoverySession
from longline.source import canonical, without_parts
from longline.source.select import read_select
from longline.source.spec import Results
from longline.text.numbers import counted

_RANK = re.compile(r"\W*(\d{1,6})\b")
FEW_LINKS = 6
"""Hits with a score below this get a warning that few links change with the words."""

MANY = 20
"""With at least this many similar hits on one page, no second page is needed as evidence."""


def write_records(session: DiscoverySession, records: Records) -> None:
    """Write down how to find hits, and their fields."""
    session.records = records
    pairs = [
        (element, without_parts(_href(page, link), records.key_ignores))
        for page, elements in records.elements.items()
        for element, link in zip(
            elements, records.links.get(page) or [None] * len(elements), strict=True
        )
    ]
    unique = {href or id(element): element for element, href in pairs}
    hits = list(unique.values())
    if not records.link or records.by_rank:
        # Without links, hits of several answers cannot be deduplicated: use the longest page.
        hits = max(records.elements.values(), key=len)
    title = find_title(hits, records.link)
    snippet = find_snippet(hits, title, [element for element, _ in pairs], records.link)
    pages = len(records.elements)
    seen = f"on {pages} result pages, {len(hits)} different hits"
    key = "" if records.link and not records.by_rank else _key_of(records, title)
    if records.by_rank:
        key = _lasting(records, title) or key
    elif _of_search(records):
        key = _key_of(records, title)
    link = records.link if not records.by_rank or _asks_again(records) else ""
    session.results = Results(
        hit=records.hit,
        link=link,
        key=key,
        key_ignores=records.key_ignores,
        title=title.selector if title else "",
        snippet=snippet.selector if snippet else "",
        text="" if link else "xpath:.",
    )
    _note_records(session, records, title, seen)
    _note_fields(session, title, snippet, seen)
    mark = _empty_mark(session)
    if mark:
        session.results = msgspec.structs.replace(session.results, empty=f"text:{mark}")
        session.find(
            "results.empty", mark, "likely", "on every page for made-up words, on no other"
        )


def _asks_again(records: Records) -> bool:
    """Return whether rank-based links contain the query or its number, so that they stay valid."""
    pages = [_urls(records, page) for page in records.elements]
    urls = [url for each in pages for url in each]
    firsts = [each[0] for each in pages if each]
    return len({*firsts}) == len(firsts) > 1 or sum("{Q}" in url for url in urls) > 0.9 * len(urls)


def _urls(records: Records, page: ParsedAnswer) -> list[str]:
    by_element = {link.element: link.url for link in page.links}
    return [by_element.get(link, "") for link in records.links.get(page, [])]


def _lasting(records: Records, title: Field | None) -> str:
    """Return a selector of an address in hits that stays the same for each document, or ""."""
    if title is None:
        return ""
    held = [element for elements in records.elements.values() for element in elements]
    anchors = [[a for a in element.iter("a") if a.get("href")] for element in held]
    select = read_select(title.selector)
    titles = [select.text(node(element)) for element in held]
    if len(set(titles)) == len(titles):
        # No title occurs twice, so nothing shows that an address stays the same.
        return ""
    for place in range(min(map(len, anchors), default=0)):
        found = [each[place] for each in anchors]
        hrefs = [anchor.get("href") for anchor in found]
        if len(set(zip(titles, hrefs, strict=True))) == len(set(hrefs)) == len(set(titles)):
            selector = first_in(held, found)
            return f"{selector}::attr(href)" if selector else ""
    return ""


def _of_search(records: Records) -> bool:
    """Return whether all links contain the query words outside the ignored parts."""
    held = [
        bool(re.search(rf"(?<!\w){re.escape(page.words)}(?!\w)", unquote_plus(kept), re.IGNORECASE))
        for page, anchors in records.links.items()
        for kept in (without_parts(_href(page, anchor), records.key_ignores) for anchor in anchors)
    ]
    return bool(held) and all(held) and all(page.words for page in records.links)


def see_again(session: DiscoverySession) -> None:
    """Find the hits again when longer answers were received since the first time.

    With only few hits in the first answers, a pager's row or another part may look like a hit.
    """
    known = session.records
    later = [page for page in session.probes if known is not None and page not in known.elements]
    if known is None or not later or not session.empty:
        return
    found = find_records(session.probes, session.empty)
    if found is None or found.f1 < known.f1 or not found.link:
        return
    before, now = hits_on(known, later), hits_on(found, later)
    is_surer = bool(_hit_doubt(known)) and not _hit_doubt(found)
    if is_surer or any(set(before[page]) > set(now[page]) for page in later):
        write_records(session, found)


def _key_of(records: Records, title: Field | None) -> str:
    """Return a key for hits without a link: the title if it is unique, else the complete text."""
    if title and title.coverage == 1 and title.distinct >= 0.9 and not _shared(records, title):
        return title.selector
    return _beside_rank([*records.elements.values()]) or "xpath:."


def _beside_rank(lists: Sequence[Sequence[Any]]) -> str:
    """Return the selector of the longest cell of hits that begin with their rank; "" for others."""
    for hits in lists:
        found = [_RANK.match(text(hit)) for hit in hits]
        ranks = [int(each[1]) for each in found if each]
        if len(ranks) < len(hits) or ranks != list(range(ranks[0], ranks[0] + len(ranks))):
            return ""
    every = [hit for hits in lists for hit in hits]
    cells = range(min(map(len, every)))
    if len(cells) < 2 or len(every) == len(lists):
        return ""
    longest = max(cells, key=lambda at: sum(len(text(hit[at])) for hit in every))
    return f"xpath:./*[{longest + 1}]"


def _shared(records: Records, title: Field) -> bool:
    """Return whether two hits of one page have the same title but different texts."""
    select = read_select(title.selector)
    for hits in records.elements.values():
        said = {(select.text(node(hit)), text(hit)) for hit in hits}
        if len({name for name, _ in said}) < len(said):
            return True
    return False


def _key_doubt(key: str, title: Field | None) -> str:
    if key.endswith("(href)") or "/@" in key:
        return ""
    if key.startswith("xpath:"):
        return "a text that differs from search to search makes one document two"
    same = title is not None and title.distinct < 1
    return "documents of one title are taken for one" if same else ""


def _href(page: ParsedAnswer, link: Any) -> str:
    if link is None:
        return ""
    try:
        return canonical(link.get("href") or "", page.answer.base)
    except ValueError:
        return ""


def _hit_doubt(records: Records, *, is_listed: bool = False) -> str:
    """Return why the hits may be wrong, or ""; `is_listed` if a list without words has some."""
    if records.f1 < ALL:
        return f"finds {records.f1:.0%} of what looks like hits, or finds more"
    if is_listed:
        return ""
    if len(records.elements) < 2 and max(map(len, records.elements.values())) < MANY:
        return "seen on one page only: check that these are the hits"
    few = "few links change with the words: check that these are the hits"
    return few if records.score < FEW_LINKS else ""


def _note_records(
    session: DiscoverySession, records: Records, title: Field | None, seen: str
) -> None:
    results = session.results
    assert results is not None
    is_exact = records.f1 >= ALL and len(records.elements) >= 2
    sure: Sureness = "sure" if is_exact else "likely"
    takes_words = session.ask is not None and session.ask.takes_words
    said = "changes with the words, and is gone for made-up words"
    said = f"{said if takes_words else 'alike, one after the other'}; {seen}"
    if records.stand_ins:
        said += (
            f"; made-up words bring {counted(records.stand_ins, 'document')} or more in its place"
        )
        session.find("stand_ins", records.stand_ins, "sure", "documents that made-up words bring")
    doubt = _hit_doubt(records, is_listed=reads_listing(session))
    session.find("results.hit", records.hit, sure, said, doubt)
    if results.link:
        session.find("results.link", results.link, sure, f"leads elsewhere from each hit; {seen}")
    else:
        session.find("results.text", "xpath:.", "likely", "hits have no page of their own")
    if results.key:
        why = "links name hits by their place" if records.by_rank else "hits have no link"
        why = "links hold what was asked for" if results.link and not records.by_rank else why
        said = f"{why}: this tells them apart; {seen}"
        session.find("results.key", results.key, "likely", said, _key_doubt(results.key, title))
    if records.key_ignores:
        said = "changes with the words or the place in the list, not with the document"
        session.find("results.key_ignores", ", ".join(records.key_ignores), "likely", said)


def _note_fields(
    session: DiscoverySession, title: Field | None, snippet: Field | None, seen: str
) -> None:
    doubt = session.findings["results.hit"].warning and "only as good as results.hit"
    for name, found in (("title", title), ("snippet", snippet)):
        if found is None:
            sure: Sureness = "unknown" if name == "title" else "likely"
            session.find(f"results.{name}", "", sure, f"no part of a hit looks like one; {seen}")
            continue
        said = f"in {found.coverage:.0%} of the hits, {found.distinct:.0%} different, e.g. "
        said += f"{next(filter(None, found.texts), '')[:60]!r}; {seen}"
        is_shared = found.coverage <= 0.95 or found.distinct <= 0.8
        shared = "many hits have no such title, or share it"
        warning = shared if name == "title" and is_shared else doubt
        session.find(f"results.{name}", found.selector, "likely", said, warning)


def _empty_mark(session: DiscoverySession) -> str:
    """Return a text that is on every page for nonsense and on no page with hits, or ""."""
    if len(session.empty) < 2:
        return ""
    texts = [_texts(shown) for shown in session.empty]
    marks = set.intersection(*texts)
    visible = [shown.answer.visible().casefold() for shown in session.probes]
    fitting = [
        mark
        for mark in marks
        if 8 <= len(mark) <= 80
        and not re.search(r"\d", mark)
        and not any(mark.casefold() in page for page in visible)
    ]
    return min(fitting, key=lambda mark: (-_says_nothing(mark), len(mark), mark), default="")


_SAID = "//body//text()[not(parent::script|parent::style|ancestor::a|ancestor::form)]"


def _texts(shown: ParsedAnswer) -> set[str]:
    found = set()
    # Links and forms are left out: their texts do not say whether anything was found.
    for piece in shown.answer.root.xpath(_SAID):
        line = " ".join(str(piece.root).split())
        if shown.words not in line:
            found.add(line.strip(" .,:;\"'\u201e\u201c\u201d"))
    return found


def _says_nothing(mark: str) -> bool:
    return bool(
        re.search(
            r"\b(no|not|nothing|sorry|kein\w*|nicht\w*|aucun\w*|pas|ning[uú]n\w*|nessun\w*|geen|ingen|inga"
            r"|nenhum\w*|brak|nie|nic|ничего|нет|не|δεν|κανέν\w*|لا|لم|0)\b|没有|見つ|ありません",
            mark,
            re.IGNORECASE,
        )
    )
