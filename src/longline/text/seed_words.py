"""Common English words to begin a harvest with, and a dictionary to draw words from."""

import lzma
from collections import Counter
from collections.abc import Sequence, Set
from functools import cache
from importlib.resources import files
from itertools import chain

import numpy as np

from longline.text.letters import cut_up

_WORDS = """
time year people way day thing world life hand part place case week company system program
question work government number night point home water room area money story fact month lot
right study book eye job word business issue side kind head house service friend power hour game
line end member law car city community name team minute idea body information back parent face
level office door health person art war history party result change morning reason research
moment air teacher force education new first last long great little own other old big high
different small large next early young important few public bad same able be have do say get
make go know take see come think look want give use find tell ask seem feel try leave call
return value list file data type set report group problem state order
"""

SEED_WORDS = tuple(_WORDS.split())


ENGLISH = 0.1
"""If more than this share of texts has a common English word, English words are used first."""

KEPT = 12


def own_words(texts: Sequence[Set[str]]) -> list[str]:
    """Return the most frequent words of a source, or [] if common English ones will do.

    Args:
        texts: The words of each text.

    >>> own_words([{"meer", "web"}, {"meer"}]), own_words([{"meer", "time"}])
    (['meer', 'web'], [])
    """
    if sum(not each.isdisjoint(SEED_WORDS) for each in texts) > ENGLISH * len(texts):
        return []
    return frequent(texts, KEPT)


def frequent(texts: Sequence[Set[str]], most: int) -> list[str]:
    """Return at most so many words: those that are in the most texts, the most frequent first.

    >>> frequent([{"meer", "web"}, {"meer"}], 1)
    ['meer']
    """
    counts = Counter(chain.from_iterable(texts))
    return sorted(counts, key=lambda word: (-counts[word], word))[:most]


def shuffled(words: Sequence[str], rng: np.random.Generator) -> list[str]:
    """Return the words in random order; words of scripts without spaces are split.

    >>> sorted(shuffled(["web", "deep", "図書館"], np.random.default_rng(0)))
    ['deep', 'web', '図書', '書館']
    """
    terms = list(dict.fromkeys(cut_up(words)))
    return [terms[place] for place in rng.permutation(len(terms))]


@cache
def english() -> tuple[str, ...]:
    """Return 84,725 single English words, sorted, in lower case.

    They are words of Webster's New International Dictionary, second edition (1934), whose list is
    in the public domain and part of every BSD as `web2`; only those that the GNU Collaborative
    International Dictionary of English also lists are kept.

    >>> len(english()), english()[:3]
    (84725, ('a', 'aa', 'aam'))
    """
    packed = (files("longline.text") / "english.txt.xz").read_bytes()
    return tuple(lzma.decompress(packed).decode("ascii").split("\n"))
