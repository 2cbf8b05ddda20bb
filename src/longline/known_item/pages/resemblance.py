"""Pages of nearly the same text: a text under two addresses, or in two versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

SHINGLE = 3
"""Words in a row that are compared."""

ALIKE = 0.8
"""Shingles that two texts share, of all that either has, to be nearly the same."""

COMMON = 0.5
"""Shingles that so large a part of the pages has are the site's: menus, footers."""

LEAST_SHINGLES = 20
"""Texts with fewer of their own say too little to be compared."""


def same_text(pages: Mapping[str, Sequence[str]], key: str) -> list[str]:
    """Return the keys of the pages whose text is nearly that of one of them.

    What most pages share is left out, so that short texts between long menus are told apart.

    Args:
        pages: Words of each page, in order.
        key: Of the page that the others are compared with.

    Source: Broder 1997, "On the resemblance and containment of documents": the share of common
    shingles.

    >>> text = [f"word{number}" for number in range(60)]
    >>> other = [f"other{number}" for number in range(60)]
    >>> pages = {"a": text, "copy": [*text, "printed"], "other": other}
    >>> same_text(pages, "a")
    ['copy']
    """
    shingles = {each: _shingles(words) for each, words in pages.items()}
    counts = Counter(chain.from_iterable(shingles.values()))
    # Of few pages nothing can be told of the site: two copies would be what most have.
    most = max(COMMON * len(pages), 3)
    own = {
        each: {shingle for shingle in found if counts[shingle] <= most}
        for each, found in shingles.items()
    }
    if len(own[key]) < LEAST_SHINGLES:
        return []
    return [each for each in pages if each != key and _resemblance(own[each], own[key]) >= ALIKE]


def _shingles(words: Sequence[str]) -> set[tuple[str, ...]]:
    return set(zip(*(words[first:] for first in range(SHINGLE)), strict=False))


def _resemblance(one: set[tuple[str, ...]], other: set[tuple[str, ...]]) -> float:
    both = len(one & other)
    return both / (len(one) + len(other) - both)
