"""Find the elements of a result page that are hits: they change with the query, not for nonsense.

A hit is the highest element around a hit's link (see `hit_links`) without another one of the group.
If hits have no links, they are found in the same way by blocks of text.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import log
from typing import Any

from longline.discovery.answer import TOKEN, Link, ParsedAnswer, folded, text
from longline.discovery.reading.hit_links import GOOD_SCORE, LEAST_SCORE, hit_links
from longline.discovery.reading.link_group import Group, above_by, are_by_rank
from longline.discovery.reading.selectors import ALL, find_selector, first_in
from longline.source import parts_of, without_parts
from longline.source.select import read_select

MOST = 0.8
"""Share of a page's URLs that must stay unique without a parameter for it to be ignored."""

SHARING = 5
"""If this many links of a page share a value, pages with a single link count as evidence, too."""

_NUMBER = re.compile(r"(\d+)(?:[;:,.]\d*)?")
"""Matches a rank, which may be followed by another number."""

_BLOCKS = ("tr", "li", "article", "section", "div", "p", "dd", "dt")


@dataclass(frozen=True, eq=False)
class Records:
    """The hits of the pages seen, and how to find them.

    Attributes:
        hit: Selector of a hit.
        link: Selector of its link inside it; "" if hits have none.
        score: Score of the group of links or texts.
        f1: How well `hit` finds the hits on all pages; 1.0 is exact.
        elements: The hits by page.
        key_ignores: Parameters of links that do not identify the document.
        by_rank: Links name hits by their rank in the answer, so they do not identify documents.
        stand_ins: Number of elements that match `hit` on every answer to nonsense.
    """

    hit: str
    link: str
    score: float
    f1: float
    elements: dict[ParsedAnswer, list[Any]] = field(repr=False)
    links: dict[ParsedAnswer, list[Any]] = field(repr=False)
    key_ignores: list[str]
    by_rank: bool = False
    stand_ins: int = 0


def find_records(pages: Sequence[ParsedAnswer], empty: Sequence[ParsedAnswer]) -> Records | None:
    """Find the hits on result pages, or return None if there are none.

    Args:
        pages: First pages of the answers to different words, with hits.
        empty: Answers to nonsense words.

    Source: ours; weights measured on result pages of seven makes.
    """
    best = hit_links(pages, empty)
    blocks = _block_records(pages, empty) if best is None or best.score < GOOD_SCORE else None
    found: Records | None = None
    if blocks is not None and (best is None or blocks.score > best.score):
        found = blocks
    elif best is not None and best.score >= LEAST_SCORE:
        found = _records(best, empty)
    return found if found and found.hit else None


def _records(group: Group, empty: Sequence[ParsedAnswer]) -> Records:
    elements: dict[ParsedAnswer, list[Any]] = {}
    anchors: dict[ParsedAnswer, list[Any]] = {}
    for page, found in group.records.items():
        elements[page], anchors[page] = list(found), list(found.values())
    # Rows with a link that all queries share are hits, too.
    for page, links in group.every.items():
        known = set(anchors.get(page, ()))
        for link in links if known else ():
            above = above_by(link.element, group.height)
            if link.element not in known and above not in elements[page]:
                elements[page].append(above)
                anchors[page].append(link.element)
    # A page without the group is ignored, as it may have no hits.
    return _linked(group.score, elements, anchors, group.kept, group.by_rank, empty)


def _linked(
    score: float,
    elements: dict[ParsedAnswer, list[Any]],
    anchors: dict[ParsedAnswer, list[Any]],
    kept: dict[ParsedAnswer, list[Link]],
    by_rank: bool,
    empty: Sequence[ParsedAnswer],
) -> Records:
    """Return hits with a link each, with their selectors."""
    targets = [anchor for each in anchors.values() for anchor in each]
    link = first_in([element for each in elements.values() for element in each], targets)
    hit, f1, stand_ins = _selector_of(elements, empty, link.removeprefix("css:"), targets)
    noise = [] if by_rank else _noise(kept)
    return Records(hit, link, score, f1, elements, anchors, noise, by_rank, stand_ins)


def _selector_of(
    elements: dict[ParsedAnswer, list[Any]],
    empty: Sequence[ParsedAnswer],
    inner: str,
    anchors: Sequence[Any],
) -> tuple[str, float, int]:
    """Return the selector of hits, its F1, and how many matches all answers to nonsense have."""
    wanted = list(elements.items())
    hit, score = find_selector(wanted, empty, inner=inner, anchors=anchors)
    if score >= ALL:
        return hit, score, 0
    other, alone = find_selector(wanted, (), inner=inner, anchors=anchors)
    shown = [len(read_select(other).all(page.answer.root)) for page in empty] if other else []
    if alone >= ALL and min(shown, default=0) >= 2:
        # If nothing is found, the same list shows something different.
        return other, alone, min(shown)
    return hit, score, 0


def _noise(kept: dict[ParsedAnswer, list[Link]]) -> list[str]:
    """Return the parts of links that hold the query, the page's state, or the rank."""
    held = {page: [parts_of(link.url) for link in links] for page, links in kept.items()}
    names = {name for links in held.values() for parts in links for name in parts}
    noise = []
    for name in sorted(names):
        values = {page: [parts.get(name, "") for parts in links] for page, links in held.items()}
        is_rank = _is_rank([*values.values()])
        is_noise = is_rank or _holds_query(name, values) or _is_state(name, [*values.values()])
        # Documents may be in folders or numbered: links must stay different without these parts.
        is_doubtful = is_rank or name.startswith("/")
        if is_noise and (not is_doubtful or _tells_nothing(name, kept)):
            noise.append(name)
    return noise


def _holds_query(name: str, values: dict[ParsedAnswer, list[str]]) -> bool:
    is_segment = name.startswith("/")
    given = [(value, page.words) for page, each in values.items() for value in each if value]
    # The query may be beside a constant value, such as the name of the index.
    values_ = {value for value, _ in given}
    if len(values_) == 1 and "{Q}" in next(iter(values_)):
        return True
    return bool(given) and all(
        value == "{Q}" or (is_segment and folded(value) == folded(words)) for value, words in given
    )


def _is_state(name: str, values: list[list[str]]) -> bool:
    """Return whether all values on a page are the same, and each page has its own value."""
    given = [list(filter(None, page)) for page in values]
    lists = [page for page in given if len(page) > 1]
    if any(len(page) >= SHARING for page in lists):
        lists = [page for page in given if page]
    of_pages = {page[0] for page in lists if len(set(page)) == 1}
    is_like_one = not name.startswith("/") or all(map(TOKEN.fullmatch, of_pages))
    return len(lists) > 1 and len(of_pages) == len(lists) and is_like_one


def _is_rank(values: list[list[str]]) -> bool:
    """Return whether values count up, from the same number on each answer's first page."""
    given = sum(bool(value) for page in values for value in page)
    is_long = len(values) > 1 and given > 3 and any(len(page) > 1 for page in values)
    return is_long and len({page[0] for page in values}) == 1 and all(map(_counts_up, values))


def _tells_nothing(name: str, kept: dict[ParsedAnswer, list[Link]]) -> bool:
    """Return whether links on each page are nearly as different without a part as with it.

    A page may show one document twice.
    """
    written = {page: {link.url for link in links} for page, links in kept.items()}
    return all(
        len({without_parts(url, [name]) for url in urls}) >= MOST * len(urls)
        for urls in written.values()
    )


def _counts_up(values: list[str]) -> bool:
    found = [_NUMBER.fullmatch(value) for value in values]
    numbers = [int(each[1]) for each in found if each]
    steps = {later - number for number, later in pairwise(numbers)}
    is_even = not steps or (len(steps) == 1 and min(steps) > 0)
    return len(numbers) == len(values) and is_even


# Pages whose hits have no links.


def _block_records(pages: Sequence[ParsedAnswer], empty: Sequence[ParsedAnswer]) -> Records | None:
    own = set().union(*(page.said | page.lines for page in empty))
    by_place: dict[str, dict[ParsedAnswer, list[Any]]] = defaultdict(lambda: defaultdict(list))
    every: Counter[str] = Counter()
    for page in pages:
        for element in page.root.iter(*_BLOCKS):
            if element.find("th") is not None and element.find("td") is None:
                continue  # a table's head row
            line = text(element)
            place = page.places[element]
            every[place] += 1
            if len(line) >= 3 and line not in own and page.without(line) not in own:
                by_place[place][page].append(element)
    best: tuple[float, str] = (0.0, "")
    for place, kept in by_place.items():
        lists = [elements for elements in kept.values() if len(elements) >= 2]
        if not lists or len(kept) * 2 < len(pages):
            continue
        texts = [text(element) for elements in kept.values() for element in elements]
        a_page = len(texts) / len(kept)
        share = len(texts) / every[place]
        length = min(sum(map(len, texts)) / len(texts), 400)
        different = len(set(texts)) / len(texts)
        score = min(a_page, 30) * share * len(kept) / len(pages) * different * log(2 + length)
        best = max(best, (score, place))
    if best[0] < GOOD_SCORE:
        return None
    elements = {page: list(found) for page, found in by_place[best[1]].items()}
    links = _links_in(elements, empty)
    if links:
        blocks = {page: list(each) for page, each in links.items()}
        anchors = {page: [one.element for one in each.values()] for page, each in links.items()}
        kept = {page: list(each.values()) for page, each in links.items()}
        return _linked(best[0], blocks, anchors, kept, are_by_rank(kept), empty)
    hit, score = find_selector(list(elements.items()), empty)
    return Records(hit, "", best[0], score, elements, {}, [])


def _links_in(
    elements: dict[ParsedAnswer, list[Any]], empty: Sequence[ParsedAnswer]
) -> dict[ParsedAnswer, dict[Any, Link]]:
    """Return the first link of each block, or {} unless nearly all have one and most differ."""
    own = {link.url for page in empty for link in page.links}
    found: dict[ParsedAnswer, dict[Any, Link]] = {}
    for page, blocks in elements.items():
        holders = set(blocks)
        found[page] = {}
        for link in page.links:
            above = next((e for e in link.element.iterancestors() if e in holders), None)
            if above is not None and link.url not in own:
                found[page].setdefault(above, link)
    blocks_ = sum(map(len, elements.values()))
    urls = [link.url for each in found.values() for link in each.values()]
    different = sum(len({link.url for link in each.values()}) for each in found.values())
    return found if len(urls) > 0.8 * blocks_ and different > 0.9 * len(urls) else {}


def hits_on(records: Records, pages: Iterable[ParsedAnswer]) -> dict[ParsedAnswer, list[Any]]:
    """Return the hits that the selector finds on each page."""
    select = read_select(records.hit)
    return {page: [hit.root for hit in select.all(page.answer.root)] for page in pages}
