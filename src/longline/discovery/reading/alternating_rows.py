"""Rows that are made alike, but for a class that every second one bears."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from longline.discovery.answer import Link, ParsedAnswer


def alternating(pages: Iterable[ParsedAnswer]) -> dict[str, str]:
    """Return places of links that take turns with another one, and that other one.

    A stripe is a class that tells a row from its neighbours and says nothing of what it is. So
    three links in a row, of which the first and the last stand in the same place and the one
    between differs in the classes of one element above it, are of one list.
    """
    same: dict[str, str] = {}
    for page in pages:
        for place, other in _turns(page):
            if same.get(other) != place:
                same.setdefault(place, other)
    return same


def _turns(page: ParsedAnswer) -> Iterator[tuple[str, str]]:
    # Rows may hold links of several sorts: each sort is looked at by itself.
    but_for_one: dict[tuple[int, str], list[Link]] = defaultdict(list)
    for link in page.links:
        steps = link.place.split("/")
        for depth, step in enumerate(steps):
            alike = [*steps[:depth], step.partition(".")[0], *steps[depth + 1 :]]
            but_for_one[depth, "/".join(alike)].append(link)
    for (depth, _), links in but_for_one.items():
        for one, two, three in zip(links, links[1:], links[2:], strict=False):
            if one.place == three.place != two.place and _are_rows((one, two, three), depth):
                yield max(one.place, two.place), min(one.place, two.place)


def _are_rows(links: Sequence[Link], depth: int) -> bool:
    """Say whether links stand in different elements of one parent, so many steps down."""
    rows = [_above(link.element, link.place.count("/") - depth) for link in links]
    parents = {row.getparent() for row in rows if row is not None}
    return None not in rows and len(set(rows)) == len(rows) and len(parents) == 1


def _above(element: Any, height: int) -> Any:
    for _ in range(height):
        element = element.getparent() if element is not None else None
    return element
