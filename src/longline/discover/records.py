"""Which elements of a result page are its hits: they change with the query, and go for nonsense.

Links are grouped by where they stand. The best group holds many links on every page, few of
them the same for two queries, none of them on a page for nonsense words, with long texts. A hit
is the highest element around such a link that holds no other of the group. Pages whose hits have
no links are read the same way by their blocks of text.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import log
from typing import Any
from urllib.parse import quote_plus

from longline.discover._rows import alternating
from longline.discover._selectors import find_selector, first_in
from longline.discover._shown import Link, Shown, node, parameters, place_of, text
from longline.source.select import read_select

LEAST_SCORE = 2.0
"""Of a group of links, to be taken for hits at all."""

GOOD_SCORE = 4.0
"""Below it, blocks of text are looked at too."""

FREQUENT = 0.6
"""A link on more than this share of the answers, with their words in it, is the site's own."""

SAME_BY_CHANCE = 0.5
"""Of two answers' first hits at most so many are the same, in the same order."""

_BLOCKS = ("tr", "li", "article", "section", "div", "p", "dd", "dt")


@dataclass(frozen=True, eq=False)
class Records:
    """The hits of the pages seen, and how to find them.

    Attributes:
        hit: Selector of a hit.
        link: Selector of its link inside it; "" where hits have none.
        score: Of the group of links, or of texts.
        f1: How well `hit` finds the hits on all pages, 1.0 for exactly.
        elements: The hits by page.
        key_ignores: Parameters of links that say nothing of the document.
        by_rank: Links name a hit by its place in the answer, so that they tell no document apart.
    """

    hit: str
    link: str
    score: float
    f1: float
    elements: dict[Shown, list[Any]] = field(repr=False)
    links: dict[Shown, list[Any]] = field(repr=False)
    key_ignores: list[str]
    by_rank: bool = False


@dataclass(frozen=True, eq=False)
class _Group:
    place: str
    score: float
    kept: dict[Shown, list[Link]]
    by_rank: bool


def find_records(pages: Sequence[Shown], empty: Sequence[Shown]) -> Records | None:
    """Find the hits on result pages; None where nothing looks like one.

    Args:
        pages: First pages of the answers to different words, with hits.
        empty: Answers to nonsense words.

    Source: ours; weights measured on result pages of seven makes.
    """
    found = _find_records(pages, empty)
    return found if found and found.hit else None


def _find_records(pages: Sequence[Shown], empty: Sequence[Shown]) -> Records | None:
    groups = _link_groups(pages, empty)
    best = groups[0] if groups else None
    if best is None or best.score < GOOD_SCORE:
        # A menu that lists documents makes these no part of the site's own.
        groups = [*groups, *_link_groups(pages, empty, menus=True)]
        best = max(groups, key=lambda group: group.score, default=None)
    if best is None or best.score < GOOD_SCORE:
        blocks = _block_records(pages, empty)
        if blocks is not None and (best is None or blocks.score > best.score):
            return blocks
    if best is None or best.score < LEAST_SCORE:
        return None
    return _records(best, pages, empty)


def _searched(pages: Sequence[Shown]) -> set[tuple[str, str]]:
    """Return the paths and parameters that words were sent to."""
    return {
        (place_of(page.request.url), name)
        for page in pages
        for name, value in _sent(page).items()
        if value == page.words
    }


def _sent(page: Shown) -> dict[str, str]:
    """Return what was sent, by the name of its field."""
    return parameters(page.request.url) | parameters(f"?{page.request.body.decode('latin-1')}")


def _chrome(pages: Sequence[Shown], empty: Sequence[Shown]) -> set[str]:
    """Return the links that are the site's own, not a hit's."""
    own = {link.url for page in empty for link in page.links}
    counts = Counter(url for page in pages for url in {link.url for link in page.links})
    searched = _searched(pages)
    frequent = {
        url
        for url, count in counts.items()
        if count > FREQUENT * len(pages) and _is_back(url, searched)
    }
    return own | frequent


def _link_groups(
    pages: Sequence[Shown], empty: Sequence[Shown], *, menus: bool = False
) -> list[_Group]:
    """Return groups of links, the likeliest hits first.

    Args:
        pages: As `find_records` has them; so is `empty`.
        empty: A link on these is the site's own.
        menus: Only where it stands in a place that they have, too: menus may list documents.
    """
    chrome = _chrome(pages, empty)
    places_of_empty = {link.place for page in empty for link in page.links}
    own = {link.url for page in empty for link in page.links} if menus else set()
    searched = _searched(pages)
    by_place: dict[str, dict[Shown, list[Link]]] = defaultdict(lambda: defaultdict(list))
    same = alternating(pages)
    for page in pages:
        for link in page.links:
            by_place[same.get(link.place, link.place)][page].append(link)
    groups = []
    for place, all_links in by_place.items():
        dropped = chrome if place in places_of_empty else chrome - own
        kept = {
            page: fresh
            for page, links in all_links.items()
            if (fresh := [link for link in links if link.url not in dropped])
        }
        by_rank = is_by_rank(list(kept.values()))
        distinct = {
            page: {link.text if by_rank else link.url for link in links}
            for page, links in kept.items()
        }
        many = [page for page, urls in distinct.items() if len(urls) >= 2]
        # One hit a page happens; but some page has to show a list.
        if not many or len(kept) * 2 < len(pages):
            continue
        score = _score(all_links, kept, distinct, len(pages))
        links = [link for each in kept.values() for link in each]
        if _leads_back(links, searched):
            score *= 0.15
        if place in places_of_empty:
            score *= 0.3
        groups.append(_Group(place, score, kept, by_rank))
    return sorted(groups, key=lambda group: -group.score)


def is_by_rank(lists: Sequence[Sequence[Link]]) -> bool:
    """Say whether links name hits by their place in the answer: the same, for other documents.

    A menu has the same links for any words as well, but they say the same.
    """
    longer = [links for links in lists if len(links) >= 2]
    if len(longer) < 2:
        return False
    first, *others = longer
    return all(
        all(one.url == other.url for one, other in zip(first, links, strict=False))
        and sum(one.text == other.text for one, other in zip(first, links, strict=False))
        <= SAME_BY_CHANCE * min(len(first), len(links))
        for links in others
    )


def _score(
    all_links: dict[Shown, list[Link]],
    kept: dict[Shown, list[Link]],
    distinct: dict[Shown, set[str]],
    pages: int,
) -> float:
    links = [link for each in kept.values() for link in each]
    a_page = sum(map(len, distinct.values())) / len(distinct)
    share = len(links) / sum(map(len, all_links.values()))
    different = len(set().union(*distinct.values())) / sum(map(len, distinct.values()))
    length = sum(3 if "://" in link.text else len(link.text) for link in links) / len(links)
    # Beyond a full page more links say nothing more.
    return min(a_page, 30) * share * len(kept) / pages * different * log(2 + min(length, 120))


def _leads_back(links: Sequence[Link], searched: set[tuple[str, str]]) -> bool:
    """Say whether links narrow or turn the search's pages, rather than lead to documents.

    A document's link may hold the query too, to mark its words, but hardly as the search does.
    """
    return sum(_is_back(link.url, searched) for link in links) > 0.5 * len(links)


def _is_back(url: str, searched: set[tuple[str, str]]) -> bool:
    path, held = place_of(url), parameters(url)
    return any((path, name) in searched for name, value in held.items() if "{Q}" in value)


def _records(group: _Group, pages: Sequence[Shown], empty: Sequence[Shown]) -> Records:
    height = _height(group)
    elements: dict[Shown, list[Any]] = {}
    anchors: dict[Shown, list[Any]] = {}
    for page, links in group.kept.items():
        found: dict[Any, Any] = {}
        for link in links:
            found.setdefault(_above(link.element, height), link.element)
        elements[page], anchors[page] = list(found), list(found.values())
    # Rows with a link that all queries share are hits as well.
    same = alternating(pages)
    for page, links in group.kept.items():
        known = set(anchors[page])
        places = [link for link in page.links if same.get(link.place, link.place) == group.place]
        for link in places:
            above = _above(link.element, height)
            if link.element not in known and above not in elements[page] and links:
                elements[page].append(above)
                anchors[page].append(link.element)
    flat = [element for each in elements.values() for element in each]
    targets = [anchor for each in anchors.values() for anchor in each]
    link_selector = first_in(flat, targets)
    inner = link_selector.removeprefix("css:")
    # A page without the group may show no hits by rights; it says nothing.
    hit, score = find_selector(list(elements.items()), empty, inner=inner)
    noise = [] if group.by_rank else _noise(group.kept)
    return Records(hit, link_selector, group.score, score, elements, anchors, noise, group.by_rank)


def _height(group: _Group) -> int:
    """Return how far up from its link a hit reaches: the commonest over pages with two or more."""
    heights: Counter[int] = Counter()
    for links in group.kept.values():
        if len({link.url for link in links}) < 2:
            continue
        urls = {link.element: link.url for link in links}
        holders: dict[Any, set[str]] = defaultdict(set)
        for element, url in urls.items():
            for above in element.iterancestors():
                holders[above].add(url)
        for element in urls:
            height = 0
            for above in element.iterancestors():
                if len(holders[above]) > 1 or above.tag in ("body", "html"):
                    break
                height += 1
            heights[height] += 1
    return heights.most_common(1)[0][0] if heights else 0


def _above(element: Any, height: int) -> Any:
    for _ in range(height):
        above = element.getparent()
        if above is None or above.tag == "body":
            break
        element = above
    return element


def _noise(kept: dict[Shown, list[Link]]) -> list[str]:
    """Return parameters of the links that hold the query, its page's own state, or the rank."""
    names = {name for links in kept.values() for link in links for name in parameters(link.url)}
    noise = []
    for name in sorted(names):
        values = [[parameters(link.url).get(name, "") for link in links] for links in kept.values()]
        lists = [page for page in values if len(page) > 1]
        given = [value for page in values for value in page if value]
        holds_query = bool(given) and all(value == "{Q}" for value in given)
        is_state = len(lists) > 1 and all(len(set(page)) == 1 for page in lists)
        is_state = is_state and len({page[0] for page in lists}) == len(lists)
        is_rank = bool(lists) and all(_counts_up(page) for page in lists)
        if holds_query or is_state or (is_rank and len(lists) > 1 and len(names) > 1):
            # A key is taken from an address as it is written.
            noise.append(quote_plus(name))
    return noise


def _counts_up(values: list[str]) -> bool:
    if not all(value.isdigit() for value in values):
        return False
    first = int(values[0])
    return [int(value) for value in values] == list(range(first, first + len(values)))


# Pages whose hits have no links.


def _block_records(pages: Sequence[Shown], empty: Sequence[Shown]) -> Records | None:
    own = set().union(*(page.said | page.lines for page in empty))
    by_place: dict[str, dict[Shown, list[Any]]] = defaultdict(lambda: defaultdict(list))
    every: Counter[str] = Counter()
    for page in pages:
        for element in page.root.iter(*_BLOCKS):
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
        return _block_with_links(best[0], links, empty)
    hit, score = find_selector(list(elements.items()), empty)
    return Records(hit, "", best[0], score, elements, {}, [])


def _links_in(
    elements: dict[Shown, list[Any]], empty: Sequence[Shown]
) -> dict[Shown, dict[Any, Link]]:
    """Return the first link of each block, if nearly all have one, and different ones."""
    own = {link.url for page in empty for link in page.links}
    found: dict[Shown, dict[Any, Link]] = {}
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


def _block_with_links(
    score: float, links: dict[Shown, dict[Any, Link]], empty: Sequence[Shown]
) -> Records:
    elements = {page: list(found) for page, found in links.items()}
    anchors = {page: [link.element for link in found.values()] for page, found in links.items()}
    flat = [element for each in elements.values() for element in each]
    selector = first_in(flat, [anchor for each in anchors.values() for anchor in each])
    inner = selector.removeprefix("css:")
    hit, f1 = find_selector(list(elements.items()), empty, inner=inner)
    kept = {page: list(found.values()) for page, found in links.items()}
    return Records(hit, selector, score, f1, elements, anchors, _noise(kept))


def hits_on(records: Records, pages: Iterable[Shown]) -> dict[Shown, list[Any]]:
    """Return the hits that the selector finds on any pages."""
    select = read_select(records.hit)
    return {page: [hit.root for hit in select.all(page.answer.root)] for page in pages}


def links_of(records: Records, elements: Iterable[Any]) -> list[Any]:
    """Return each hit's link element, None where one has none."""
    if not records.link:
        return [None for _ in elements]
    select = read_select(records.link)
    found = [select.first(node(element)) for element in elements]
    return [None if each is None else each.root for each in found]
