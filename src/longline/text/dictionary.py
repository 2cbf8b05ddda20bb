"""A dictionary to draw words from."""

from __future__ import annotations

import lzma
from functools import cache
from importlib.resources import files


@cache
def english() -> tuple[str, ...]:
    """Return 84,725 single English words, sorted, in lower case.

    They are words of Webster's New International Dictionary, second edition (1934), whose list is
    in the public domain and comes with every BSD as `web2`; of them those that the GNU
    Collaborative International Dictionary of English lists too.

    >>> len(english()), english()[:3]
    (84725, ('a', 'aa', 'aam'))
    """
    packed = (files("longline.text") / "english.txt.xz").read_bytes()
    return tuple(lzma.decompress(packed).decode("ascii").split("\n"))
