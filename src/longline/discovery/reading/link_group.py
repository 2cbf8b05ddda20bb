"""Links in one place of result pages, their records, and rows with alternating classes."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from posixpath import commonprefix
from typing import Any
from urllib.parse import urldefrag

from longline.discovery.answer import Link, ParsedAnswer, place_of
from longline.source import parts_of

SAME_BY_CHANCE = 0.5
"""Up to this share of links may have the same texts by chance in answers to different words."""

MOST_OF_A_HIT, MOST_ABOVE = 4, 4
"""How many links of a hit may be in one place, and how far above a link its hit is searched."""

ALIKE = 0.8
"""Minimum share of hits with equally many links; below this share of URLs, links are repeated."""


@dataclass(frozen=True, eq=False)
class Group:
    """Links in one place of result pages.

    Attributes:
        score: Higher means more likely to be the hits.
        kept: Links that change with the query, by page.
        every: All links in that place, by page.
    """

    score: float
    kept: dict[ParsedAnswer, list[Link]]
    every: dict[ParsedAnswer, list[Link]]

    @cached_property
    def height(self) -> int:
        """Levels between links and records: the most frequent number on pages with two or more."""
        heights: Counter[int] = Counter()
        for links in self.kept.values():
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

    @cached_property
    def records(self) -> dict[ParsedAnswer, dict[Any, Any]]:
        """The elements around the links, by page, each with its first link."""
        found: dict[ParsedAnswer, dict[Any, Any]] = {}
        for page, links in self.kept.items():
            found[page] = {}
            for link in links:
                found[page].setdefault(above_by(link.element, self.height), link.element)
        return found

    @cached_property
    def by_rank(self) -> bool:
        """Whether the links identify hits by their rank in the answer."""
        return are_by_rank(self.kept)

    @property
    def links(self) -> list[Link]:
        """The links that change with the query."""
        return [link for links in self.kept.values() for link in links]

    @cached_property
    def repeated(self) -> float:
        """The share of links whose address others on their page have, too, such as an image's."""
        links = repeats = 0
        for page, own in self.kept.items():
            counts = Counter(urldefrag(link.url).url for link in page.links)
            repeats += sum(counts[urldefrag(link.url).url] > 1 for link in own)
            links += len(own)
        return repeats / links

    def holders(self) -> set[Any]:
        """Return the records of all pages."""
        return {record for records in self.records.values() for record in records}


def are_by_rank(kept: Mapping[ParsedAnswer, Sequence[Link]]) -> bool:
    """Return whether links identify hits by rank: the same URLs for different documents.

    Parts that all links of an answer share, such as the number of the search, are ignored. A menu
    also has the same links for any words, but with the same texts. Lists in folders of their own,
    such as those of an archive's months, may each count their documents.
    """
    folders = {place_of(links[0].url).rpartition("/")[0] for links in kept.values() if links}
    if len(folders) > 1 and not any(page.words for page in kept):
        return False
    first, *others = sorted(kept.values(), key=len, reverse=True)
    pairs = [pair for links in others for pair in zip(first, links, strict=False)]
    if len(first) < 2 or len(pairs) < 2:
        return False
    if sum(one.text == other.text for one, other in pairs) > SAME_BY_CHANCE * len(pairs):
        return False
    urls = {link.url for links in (first, *others) for link in links}
    held = {url: parts_of(url) | {"#": urldefrag(url).fragment} for url in urls}
    names = {name for parts in held.values() for name in parts}
    lists = [[held[link.url] for link in links] for links in (first, *others)]
    own = {n for n in names if any(len({parts.get(n) for parts in each}) > 1 for each in lists)}
    places = [({n: held[link.url].get(n) for n in own} for link in pair) for pair in pairs]
    return all(one == other for one, other in places)


def above_by(element: Any, height: int) -> Any:
    """Return the ancestor the given number of levels above an element, inside the body."""
    for _ in range(height):
        above = element.getparent()
        if above is None or above.tag == "body":
            break
        element = above
    return element


def alternating(pages: Iterable[ParsedAnswer]) -> dict[str, str]:
    """Return places of links that alternate with others, mapped to one place for all of these.

    Alternating rows, or rows of several kinds, may differ in the classes of one element. So links
    of one parent belong to one list if one place comes again after the other, and the two differ
    only in the classes of one element.
    """
    same: dict[str, str] = {}
    for page in pages:
        for places in _turns(page):
            known = {same.get(place, place) for place in places}
            least = min(known)
            same |= dict.fromkeys([*places, *known], least)
            same |= {place: least for place, other in same.items() if other in known}
    return same


def _turns(page: ParsedAnswer) -> Iterator[set[str]]:
    """Yield places between two links of another place, with that place."""
    # Rows may contain several kinds of links: each kind is examined separately.
    but_for_one: dict[tuple[int, str], list[Link]] = defaultdict(list)
    for link in page.links:
        steps = link.place.split("/")
        for depth, step in enumerate(steps):
            alike = [*steps[:depth], step.partition(".")[0], *steps[depth + 1 :]]
            but_for_one[depth, "/".join(alike)].append(link)
    for (depth, _), alike_links in but_for_one.items():
        # If a row has several, use the first.
        places_of = {_at(link, depth): link.place for link in reversed(alike_links)}
        holds = Counter(above for row in places_of for above in row.iterancestors())
        rows = {_alone(row, holds): place for row, place in places_of.items()}
        lists: dict[Any, list[str]] = defaultdict(list)
        for row, place in reversed(rows.items()):
            lists[row.getparent()].append(place)
        for places in lists.values():
            for outer in set(places) if len(set(places)) > 1 else ():
                end = len(places) - places[::-1].index(outer)
                if len(between := set(places[places.index(outer) : end])) > 1:
                    yield between


def _at(link: Link, depth: int) -> Any:
    """Return the element around a link at the given depth."""
    return above_by(link.element, link.place.count("/") - depth)


def _alone(row: Any, holds: Mapping[Any, int]) -> Any:
    """Return the outermost element around a row that holds no other one."""
    while (above := row.getparent()) is not None and holds[above] == 1 and above.tag != "body":
        row = above
    return row


def said_around(texts: Collection[str]) -> int:
    """Return how many letters the texts share at their beginnings and ends together.

    >>> said_around({"Save Tides to favourites", "Save Deep sea to favourites"})
    19
    """
    both = [list(texts), [text[::-1] for text in texts]]
    return sum(len(commonprefix(each)) for each in both)


def by_turn(every: dict[ParsedAnswer, list[Link]]) -> list[dict[ParsedAnswer, list[Link]]]:
    """Separate links of one place that each hit has several of, by position; [] if none are.

    Owner and project are side by side. Number and author may be in rows of a record: authors
    are repeated, but columns of a grid are not.
    """
    for height in range(1, MOST_ABOVE + 1):
        rows: dict[tuple[ParsedAnswer, Any], list[Link]] = defaultdict(list)
        for page, links in every.items():
            for link in links:
                rows[page, above_by(link.element, height)].append(link)
        wide, count = Counter(map(len, rows.values())).most_common(1)[0]
        if wide == 1:
            continue
        if wide > MOST_OF_A_HIT or count < ALIKE * len(rows) or len(rows) <= len(every):
            return []
        found: list[dict[ParsedAnswer, list[Link]]] = [defaultdict(list) for _ in range(wide)]
        for (page, _), links in rows.items():
            for place, link in enumerate(links[:wide]):
                found[place][page].append(link)
        return found if height == 1 or any(map(_returns, found)) else []
    return []


def _returns(column: dict[ParsedAnswer, list[Link]]) -> bool:
    """Return whether the same links are in several hits of a page."""
    urls = [[link.url for link in links] for links in column.values()]
    return sum(len(set(each)) for each in urls) < ALIKE * sum(map(len, urls))
