"""A dictionary to draw words from."""

from __future__ import annotations


def english() -> list[str]:
    """Return the single words of the GNU Collaborative International Dictionary of English.

    >>> len(english()) > 100_000
    True
    """
    from english_words import get_english_words_set

    words: set[str] = get_english_words_set(["gcide"], lower=True)
    return sorted(word for word in words if word.isalpha())
