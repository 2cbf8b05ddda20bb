"""Tokenise pages, labels, URLs and queries in the same way; and find pages with equal text."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain

from longline.pool import STOP_WORDS

_ACCENTS = re.compile("[\u0300-\u036f]+")
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
# Vowel signs are no letters to Python, but occur inside words of India's scripts.
_WORD = re.compile(rf"[{_UNSPACED}]+|(?:(?![{_UNSPACED}_])[\w\u0900-\u0963\u0966-\u0dff])+")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[A-Z])(?=[A-Z][a-z])")
_APOSTROPHE = re.compile(r"(?<=\w)['\u2019][sS]?\b")


def words(text: str, *, parts: bool = True) -> tuple[str, ...]:
    """Split a text into words: lower case, without accents, plurals and stop words.

    Args:
        text: Any text.
        parts: Whether to add the parts of a word like "StopOutput" after it.

    Runs of a script without spaces between words (Chinese, Japanese, Thai) become pairs of
    neighbouring characters.

    >>> words("The City's Libraries: Öffnungszeiten 2024")
    ('city', 'library', 'offnungszeiten', '2024')
    >>> words("図書館")
    ('図書', '書館')
    >>> words("StopOutput"), words("StopOutput", parts=False)
    (('stopoutput', 'stop', 'output'), ('stopoutput',))
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", text)))
    found: list[str] = []
    for word in _WORD.findall(_APOSTROPHE.sub("", text)):
        found += _terms(word, parts)
    return tuple(found)


@lru_cache(maxsize=1 << 16)
def _terms(word: str, parts: bool) -> tuple[str, ...]:
    if _IS_UNSPACED.match(word):
        return tuple(word[place : place + 2] for place in range(max(1, len(word) - 1)))
    humps = _HUMP.sub(" ", word).split() if parts and not word.islower() else [word]
    whole = [word, *humps] if len(humps) > 1 else [word]
    folded = (each.casefold() for each in whole)
    return tuple(singular(each) for each in folded if each not in STOP_WORDS)


@lru_cache(maxsize=1 << 16)
def singular(word: str) -> str:
    """Remove an English plural's ending; of words in other languages at most an "s".

    Source: Harman 1991, "How effective is suffixing?", the S stemmer.

    >>> [singular(each) for each in ("libraries", "services", "buses", "gas", "class", "campus")]
    ['library', 'service', 'buse', 'gas', 'class', 'campus']
    """
    if len(word) < 4 or not word.endswith("s") or word.endswith(("us", "ss")):
        return word
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return f"{word[:-3]}y"
    return word[:-1]


SHINGLE = 3
"""The number of words in a shingle."""

ALIKE = 0.8
"""Two texts are nearly the same if they share this part of the shingles in either."""

COMMON = 0.5
"""Shingles in more than this share of the pages belong to the site: menus, footers."""

LEAST_SHINGLES = 20
"""Texts with fewer shingles of their own are too short to compare."""


def same_text(pages: Mapping[str, Sequence[str]], key: str) -> list[str]:
    """Return the keys of the pages with nearly the same text as a given one.

    Shingles in most pages are left out, to distinguish short texts between long menus.

    Args:
        pages: Words of each page, in order.
        key: Key of the page with which the others are compared.

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
    # Few pages say nothing about the site: two copies would be what most of them have.
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
