"""A dictionary to draw words from."""

from __future__ import annotations

from functools import cache


@cache
def english() -> tuple[str, ...]:
    """Return the single words of the GNU Collaborative International Dictionary of English.

    They are sorted.

    >>> len(english()) > 100_000
    True
    """
    from english_words import get_english_words_set

    words: set[str] = get_english_words_set(["gcide"], lower=True)
    return tuple(sorted(word for word in words if word.isalpha()))
