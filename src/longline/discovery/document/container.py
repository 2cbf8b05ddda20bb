"""Find where the text is on documents' own pages."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any

from longline.discovery.answer import ParsedAnswer, classes, compiles, is_element, node
from longline.discovery.findings import Sureness
from longline.discovery.reading import changing_places
from longline.discovery.session import DiscoverySession
from longline.source.select import lines_of, read_select
from longline.source.trust import CONTAINERS

WHOLE = "css:body"
"""Selector of a whole page."""

LINKED_TEXTS = ("articleBody", "reviewBody", "text", "description")
LONGER = 2
"""A text in JSON-LD is used if it has this many times the characters that only its page shows."""

OWN_SHARE = 0.75
"""An element without a usual name is the text if it holds this share of what only its page has."""

ALL_OWN = 0.95
"""The same share for an element without any name, which is found by its position alone."""

BOXES = ("div", "section", "article", "main", "table", "tbody", "tr", "td", "center", "font")
"""Elements that may contain the complete text."""


def find_container(session: DiscoverySession, pages: list[ParsedAnswer]) -> tuple[str, float]:
    """Return the selector of the element with most of each page's own text, and its share."""
    lines = [set(lines_in(page.root)) for page in pages]
    common = set.intersection(*lines) if len(lines) > 1 else set()
    common |= {line for page in session.empty for line in lines_in(page.root)}
    for page in session.probes[:1]:
        # A list of hits may contain their complete texts.
        of_hits = {line for hit in session.elements(page) for line in lines_in(hit)}
        common |= {*lines_in(page.root)} - of_hits
    beside = set[str]().union(*(_beside_list(session, page) for page in pages))
    common |= beside
    # Parts that change from page to page, whatever is queried, do not belong to a document either.
    passing = changing_places(session.empty)
    common |= {link.text for page in pages for link in page.links if link.place in passing}
    # Nor does a menu of other documents, which may differ from part to part of a site.
    read = filter(None, map(session.read, session.probes))
    listed = {hit.url for shown in read for hit in shown.hits}
    common |= {link.text for page in pages for link in page.links if link.url in listed}
    own = [sum(len(line) for line in each - common) or 1 for each in lines]
    if linked := _in_linked_data(pages, own):
        return linked, 1.0
    for name in CONTAINERS:
        select = read_select(f"css:{name}")
        found = [select.all(page.answer.root) for page in pages]
        if any(len(each) != 1 for each in found):
            continue
        held = [_share(e[0].root, common, n, beside) for e, n in zip(found, own, strict=True)]
        # A page without this container may have one with an unusual name.
        if name != "body" and min(held) >= 0.6:
            return f"css:{name}", min(held)
    return _own_container(pages, common, own, beside)


def _beside_list(session: DiscoverySession, page: ParsedAnswer) -> set[str]:
    """Return the lines of other hits, where a document is shown beside the list."""
    read = session.read(page)
    found = zip(read.hits if read else (), session.elements(page), strict=False)
    rows = [lines_in(row) for hit, row in found if hit.url]
    outside = Counter(lines_in(page.root)) - Counter(chain.from_iterable(rows))
    others = [row for row in rows if 2 * sum(line in outside for line in row) < len(row)]
    return set(chain.from_iterable(others)) - outside.keys() if len(rows) > 1 else set()


def _in_linked_data(pages: list[ParsedAnswer], own: Sequence[int]) -> str:
    """Return a selector of texts in the pages' JSON-LD that are longer than on the pages, or "".

    Source of the names: schema.org.
    """
    for name in LINKED_TEXTS:
        select = read_select(f"ld:{name}")
        said = [select.texts(page.answer.root) for page in pages]
        if all(said) and len({*said}) == len(said) and sum(map(len, said)) > LONGER * sum(own):
            return f"ld:{name}"
    return ""


def how_sure(selector: str, pages: Sequence[ParsedAnswer]) -> tuple[Sureness, str]:
    """Return how sure a container on some pages is, and a warning about it or ""."""
    sure: Sureness = "likely" if len(pages) > 1 else "guess"
    if selector == WHOLE and any(page.links for page in pages):
        return sure, "the whole page is kept, navigation included"
    one = "seen on one document's page only: check that it is the text of others, too"
    return sure, "" if sure == "likely" else one


def _own_container(
    pages: list[ParsedAnswer], common: set[str], own: Sequence[int], beside: set[str]
) -> tuple[str, float]:
    """Return the innermost element with most of the text that only its page has, and its share."""
    best, share = WHOLE, 1.0
    element = next((each.root for each in pages[0].answer.root.css("body")), None)
    while element is not None:
        inner = (each for each in element.iterchildren() if is_element(each))
        element = next((e for e in inner if _share(e, common, own[0], beside) >= OWN_SHARE), None)
        names = [] if element is None else [(name, OWN_SHARE) for name in names_of(element)]
        if element is not None and element.tag in BOXES:
            names.append((_way_to(element), ALL_OWN))
        for name, least in names:
            found = [read_select(name).all(page.answer.root) for page in pages]
            if all(len(each) == 1 for each in found):
                held = [
                    _share(e[0].root, common, n, beside) for e, n in zip(found, own, strict=True)
                ]
                if min(held) >= least:
                    best, share = name, min(held)
                    break
    return best, share


def _share(element: Any, common: set[str], own: int, beside: set[str]) -> float:
    """Return the share of the characters found only on its page that an element holds.

    An element that holds more of other hits, which are listed beside the document, counts as 0.
    """
    lines = set(lines_in(element))
    held, others = (sum(map(len, each)) for each in (lines - common, lines & beside))
    return held / own if held >= others else 0.0


def names_of(element: Any) -> list[str]:
    """Return selectors of an element by its id and by its classes."""
    own_id = element.get("id") or ""
    names = [f"#{own_id}"] if re.fullmatch(r"[A-Za-z_][A-Za-z_-]*", own_id) else []
    names += [f"{element.tag}.{each}" for each in classes(element)]
    return list(filter(compiles, (f"css:{name}" for name in names)))


def _way_to(element: Any) -> str:
    """Return a selector of an element by its position alone, from the body down."""
    steps = []
    while element is not None and element.tag != "body":
        before = sum(1 for _ in element.itersiblings(element.tag, preceding=True))
        steps.append(f"{element.tag}:nth-of-type({before + 1})")
        element = element.getparent()
    return f"css:{' > '.join(['body', *reversed(steps)])}"


def lines_in(element: Any) -> list[str]:
    """Return the visible text of an element, one line for each block."""
    return lines_of(node(element)).split("\n")
