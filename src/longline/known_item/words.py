"""Words of a page, a label, an address and a query, all cut the same way."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from longline.pool import STOP_WORDS

_ACCENTS = re.compile("[\u0300-\u036f]+")
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
# Vowel signs are no letters to Python, but stand inside the words of India's scripts.
_WORD = re.compile(rf"[{_UNSPACED}]+|(?:(?![{_UNSPACED}_])[\w\u0900-\u0963\u0966-\u0dff])+")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_APOSTROPHE = re.compile(r"(?<=\w)['\u2019]s?\b")


def words(text: str, *, stop_words: frozenset[str] = STOP_WORDS) -> tuple[str, ...]:
    """Cut a text into words: lower case, without accents, plurals and stop words.

    Runs of a script that puts no space between words (Chinese, Japanese, Thai) become pairs of
    neighbouring characters.

    >>> words("The City's Libraries: Öffnungszeiten 2024")
    ('city', 'library', 'offnungszeiten', '2024')
    >>> words("図書館")
    ('図書', '書館')
    """
    folded = _ACCENTS.sub("", unicodedata.normalize("NFKD", text))
    folded = _APOSTROPHE.sub("", unicodedata.normalize("NFC", folded).casefold())
    found: list[str] = []
    for word in _WORD.findall(folded):
        if _IS_UNSPACED.match(word):
            found += [word[place : place + 2] for place in range(max(1, len(word) - 1))]
        elif word not in stop_words:
            found.append(singular(word))
    return tuple(found)


@lru_cache(maxsize=1 << 16)
def singular(word: str) -> str:
    """Take an English plural's ending off; of other words at most an "s", wherever they occur.

    Source: Harman 1991, "How effective is suffixing?", the S stemmer.

    >>> [singular(each) for each in ("libraries", "services", "buses", "gas", "class", "campus")]
    ['library', 'service', 'buse', 'gas', 'class', 'campus']
    """
    if len(word) < 4 or not word.endswith("s") or word.endswith(("us", "ss")):
        return word
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return f"{word[:-3]}y"
    return word[:-1]
