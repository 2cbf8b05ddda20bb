"""Rules by which search engines merge word forms: folded accents, plurals, stems.

A rule maps a word in lower case to a key; words with the same key are forms of one word.
"""

import unicodedata
from collections.abc import Callable, Iterable
from functools import cache, lru_cache

from longline.errors import UnknownNameError

FOLD, PLURAL = "fold", "plural"

_SPECIAL = str.maketrans(
    {
        "ß": "ss",
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "đ": "d",
        "ł": "l",
        "\u0131": "i",
        "ð": "d",
        "þ": "th",
    }
)
_FOLDED_SCRIPTS = ("LATIN", "GREEK")


@lru_cache(maxsize=1 << 16)
def fold(word: str) -> str:
    """Remove accents from Latin and Greek letters, and expand their ligatures.

    In other scripts, marks are letters or vowels, and are kept.

    >>> fold("café"), fold("straße"), fold("Ελλάδα"), fold("हिन्दी")
    ('cafe', 'strasse', 'Ελλαδα', 'हिन्दी')
    """
    return fold_text(word)


def fold_text(text: str) -> str:
    """Do the same with a text, which is not worth remembering.

    >>> fold_text("Le café de la forêt")
    'Le cafe de la foret'
    """
    if text.isascii():
        return text
    return "".join(map(_folded, unicodedata.normalize("NFC", text))).translate(_SPECIAL)


@cache
def _folded(character: str) -> str:
    if not unicodedata.name(character, "").startswith(_FOLDED_SCRIPTS):
        return character
    parts = unicodedata.normalize("NFD", character)
    return "".join(part for part in parts if not unicodedata.combining(part))


def singular(word: str) -> str:
    """Remove the plural s from an English word, if it probably is one.

    Source: Harman 1991, How effective is suffixing?, the S stemmer, as Lucene reads it.

    >>> [singular(word) for word in ("queries", "ships", "houses", "glass", "bus", "shoes")]
    ['query', 'ship', 'house', 'glass', 'bus', 'shoes']
    """
    if len(word) < 3 or not word.endswith("s") or word.endswith(("us", "ss")):
        return word
    if len(word) > 3 and word.endswith("ies") and not word.endswith(("aies", "eies")):
        return f"{word[:-3]}y"
    return word if word.endswith(("ies", "aes", "oes", "ees")) else word[:-1]


class Rule:
    """A rule for merging word forms, named by one or more rules joined by "+".

    Args:
        name: "fold", "plural", or a language that Snowball stems ("english"; "porter" is the
            older rule for English); "fold+english" folds first.

    Raises:
        UnknownNameError: No rule has this name.

    >>> rule = Rule("fold+english")
    >>> rule.key("ships"), rule.key("shipping"), rule.key("cafés")
    ('ship', 'ship', 'cafe')
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._steps = [_step(part) for part in name.split("+")]

    def keys(self, words: Iterable[str]) -> list[str]:
        """Return the key of each word; words with the same key are forms of one word."""
        found = list(words)
        for step in self._steps:
            found = step(found)
        return found

    def key(self, word: str) -> str:
        """Return a word's key."""
        return self.keys([word])[0]


Step = Callable[[list[str]], list[str]]


@cache
def _step(name: str) -> Step:
    if name == FOLD:
        return lambda words: [fold(word) for word in words]
    if name == PLURAL:
        return lambda words: [singular(word) for word in words]
    known = _languages()
    if name not in known:
        raise UnknownNameError("rule for forms of words", name, (FOLD, PLURAL, *known))
    from Stemmer import Stemmer

    stems: Step = Stemmer(name).stemWords
    return stems


@cache
def _languages() -> tuple[str, ...]:
    from Stemmer import algorithms

    return tuple(algorithms())


@cache
def rule_names() -> tuple[str, ...]:
    """Return all rules that a source is compared with, those that merge fewest forms first."""
    # English comes first: of rules that explain the same, the first one is used.
    languages = dict.fromkeys(["english", "porter", *_languages()])
    single = (PLURAL, *languages)
    return (FOLD, *single, *(f"{FOLD}+{name}" for name in single))
