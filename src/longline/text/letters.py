"""Letters of every script, and word boundaries in scripts without spaces."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import pairwise

_UNSPACED = (
    ("\u0e01", "\u0eff"),  # Thai, Lao
    ("\u1000", "\u109f"),  # Burmese
    ("\u1780", "\u17ff"),  # Khmer
    ("\u3005", "\u3007"),  # Han: iteration and closing marks, zero
    ("\u3031", "\u3035"),  # kana repeat marks
    ("\u3041", "\u30ff"),  # Hiragana, Katakana with its length mark
    ("\u3105", "\u312f"),  # Bopomofo
    ("\u31a0", "\u31bf"),
    ("\u31f0", "\u31ff"),
    ("\u3400", "\u4dbf"),  # Han
    ("\u4e00", "\u9fff"),
    ("\uf900", "\ufaff"),
    ("\uff66", "\uff9f"),  # Katakana of half width
    ("\U0001aff0", "\U0001b16f"),
    ("\U00020000", "\U0003ffff"),
)
"""Blocks of scripts without spaces between words. Korean has spaces."""


@cache
def _parts() -> tuple[str, str]:
    """Return the contents of a character class for letters, and of one for combining marks."""
    # Python's \w includes "²", but not vowel signs and accents. Above U+FFFF, complete blocks of
    # letters are enough: single ranges there would slow down every match.
    plane = [chr(number) for number in range(0x10000)]
    letter = "".join(character for character in plane if character.isalpha())
    mark = "".join(character for character in plane if unicodedata.category(character)[0] == "M")
    letter += "\u3007\U00010000-\U0001cfff\U0001e000-\U0001efff\U00020000-\U0003ffff"
    return letter, mark


@cache
def letters() -> str:
    """Return the pattern of a run of letters of any script, with the marks that belong to them.

    Digits of every kind end a word. In scripts without spaces between words it matches complete
    clauses, which `pairs` splits.

    >>> re.findall(letters(), "Zażółć 4x4 हिन्दी km² don't")
    ['Zażółć', 'x', 'हिन्दी', 'km', 'don', 't']
    """
    letter, mark = _parts()
    return f"[{letter}][{letter}{mark}]*"


@cache
def run_of_letters() -> re.Pattern[str]:
    """Return `letters` compiled, which takes long."""
    return re.compile(letters())


@cache
def unspaced() -> re.Pattern[str]:
    """Return the pattern of a character of a script without spaces between words.

    >>> [bool(unspaced().search(text)) for text in ("深", "กา", "한국", "שלום", "naïve")]
    [True, True, False, False, False]
    """
    return re.compile(f"[{''.join(f'{low}-{high}' for low, high in _UNSPACED)}]")


@cache
def _stretch() -> re.Pattern[str]:
    """Return the pattern of the parts of a run: without spaces between words, or with."""
    without, marks = unspaced().pattern, f"[{_parts()[1]}]"
    with_ = f"[^{without[1:-1]}]"
    return re.compile(f"(?:{without}{marks}*)+|{with_}(?:{with_}|{marks})*")


@cache
def _character() -> re.Pattern[str]:
    return re.compile(f".[{_parts()[1]}]*")


@lru_cache(maxsize=1 << 14)
def pairs(run: str) -> tuple[str, ...]:
    """Split a run of letters as search engines do: words stay, clauses become character pairs.

    A character keeps its marks. A single character is a term of its own.

    Args:
        run: A match of `letters`.

    >>> pairs("深層web検索"), pairs("กินข้าว"), pairs("字"), pairs("übergröße")
    (('深層', 'web', '検索'), ('กิน', 'นข้', 'ข้า', 'าว'), ('字',), ('übergröße',))
    """
    return tuple(_pairs(run))


def _pairs(run: str) -> Iterator[str]:
    for stretch in _stretch().findall(run):
        if not unspaced().match(stretch):
            yield stretch
            continue
        single = _character().findall(stretch)
        if len(single) == 1:
            yield stretch
        yield from map("".join, pairwise(single))


def cut_up(runs: Iterable[str]) -> list[str]:
    """Split the runs of letters that are written without spaces; leave the others unchanged.

    >>> cut_up(["deep", "図書館"])
    ['deep', '図書', '書館']
    """
    has = unspaced().search
    return [term for run in runs for term in (pairs(run) if has(run) else (run,))]
