"""Rows that are made alike, but for a class that every second one bears."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from longline.discover._shown import Link, Shown


def alternating(pages: Iterable[Shown]) -> dict[str, str]:
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


def _turns(page: Shown) -> Iterator[tuple[str, str]]:
    links = [link for link in page.links if "/" in link.place]
    by_tags: dict[str, list[Link]] = {}
    for link in links:
        by_tags.setdefault("/".join(_tags(link.place)), []).append(link)
    for alike in by_tags.values():
        for one, two, three in zip(alike, alike[1:], alike[2:], strict=False):
            if one.place == three.place != two.place and _are_rows((one, two, three)):
                yield max(one.place, two.place), min(one.place, two.place)


def _tags(place: str) -> list[str]:
    return [step.partition(".")[0] for step in place.split("/")]


def _are_rows(links: Sequence[Link]) -> bool:
    """Say whether links differ in one element above them alone, each in a row of one parent."""
    first, second = (link.place.split("/") for link in links[:2])
    depths = [n for n, (a, b) in enumerate(zip(first, second, strict=True)) if a != b]
    if len(depths) != 1:
        return False
    rows = [_above(link.element, len(first) - 1 - depths[0]) for link in links]
    parents = {row.getparent() for row in rows if row is not None}
    return None not in rows and len(set(rows)) == len(rows) and len(parents) == 1


def _above(element: Any, height: int) -> Any:
    for _ in range(height):
        element = element.getparent() if element is not None else None
    return element
