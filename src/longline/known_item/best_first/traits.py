"""What a page looks like, whatever it speaks of: some yes-or-no traits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from longline.known_item.explorer import SitePage

_PARTS = (
    ("words", (20, 60, 150, 400, 1000, 3000)),
    ("links", (5, 15, 40, 100, 300)),
    ("different", (15, 50, 120, 300, 800)),
)
_DENSITIES = (0.02, 0.08, 0.2, 0.4)
_NUMBERS = (0.01, 0.05, 0.15)


def traits(page: SitePage) -> frozenset[str]:
    """Return the traits of a page: how long, how full of links, of numbers, of forms it is.

    >>> sorted(traits(SitePage("a", ("call", "555", "0100"))))[:3]
    ['heading none', 'numbers 0.01', 'numbers 0.05']
    """
    return frozenset(_traits(page))


def _traits(page: SitePage) -> Iterator[str]:
    words, links = page.words, page.links
    sizes = {"words": len(words), "links": len(links), "different": len(set(words))}
    for name, limits in _PARTS:
        yield from (f"{name} {limit}" for limit in limits if sizes[name] > limit)
    labels = sum(len(link.label) for link in links)
    yield from _over("in links", labels / (len(words) + 1), _DENSITIES)
    digits = sum(word.isdigit() for word in words)
    yield from _over("numbers", digits / (len(words) + 1), _NUMBERS)
    yield from _over("years", sum(map(_is_year, words)) / math.sqrt(len(words) + 1), (0.1, 0.5, 2))
    yield from _over("repeats", len(words) / (len(set(words)) + 1), (1.5, 2.5, 4))
    yield f"heading {'some' if page.heading else 'none'}"
    # Pages read from HTML bring their forms; those of a generated site have none.
    forms: Sequence[Any] = getattr(page, "forms", ())
    if forms:
        yield "form"
    if any(form.is_private for form in forms):
        yield "private form"
    if any(form.text_inputs for form in forms):
        yield "text input"


def _over(name: str, value: float, limits: Sequence[float]) -> Iterator[str]:
    yield from (f"{name} {limit}" for limit in limits if value > limit)


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdigit() and word[:2] in ("19", "20")
