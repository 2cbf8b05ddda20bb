"""The words of generated sites."""

import re
from typing import Any

import msgspec
import numpy as np

from longline.errors import CorpusError
from longline.text.seed_words import english

ENGLISH_WORDS = 2000
"""About the number of Norwegian names in Los."""

_WORD = re.compile(r"[^\W\d_]+")


def los_words(text: bytes, language: str = "nb") -> list[str]:
    """Return the different words of all names in Los, the vocabulary of Norwegian government.

    They are not stemmed: texts drawn from them have no inflected forms to merge.

    Args:
        text: Los as JSON: a list of concepts, each with the names "pref", "alt" and "hidden".
        language: "nb", "nn" or "en".

    Raises:
        CorpusError: `text` is something else.

    Source: Los, Norwegian Agency for Public Management and eGovernment.

    >>> los_words(b'[{"pref": {"nb": "Bot"}, "alt": {}, "hidden": {"nb": ["Mulkt", "en bot"]}}]')
    ['bot', 'en', 'mulkt']
    """
    try:
        names = [
            name
            for concept in msgspec.json.decode(text, type=list[dict[str, Any]])
            for kind in ("pref", "alt", "hidden")
            for name in _listed(concept[kind].get(language, []))
        ]
    except (msgspec.MsgspecError, KeyError, AttributeError, TypeError) as error:
        raise CorpusError(
            f"not the vocabulary Los: {error}", advice="give its concepts as a JSON list"
        ) from error
    return sorted({word for name in names for word in _WORD.findall(name.lower())})


def _listed(names: str | list[str]) -> list[str]:
    return [names] if isinstance(names, str) else names


def english_words(rng: np.random.Generator, words: int = ENGLISH_WORDS) -> list[str]:
    """Draw different English words, for use without Los.

    >>> len(english_words(np.random.default_rng(0), 100))
    100
    """
    known = english()
    return [known[place] for place in rng.choice(len(known), words, replace=False)]
