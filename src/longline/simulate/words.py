"""Words in texts: how the search box reads them, and how it shows where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable

SNIPPET_CHARACTERS = 160

_WORD = re.compile(r"[^\W\d_]+")


def words(text: str) -> list[str]:
    """Cut a text into its runs of letters, in lower case: the terms of the papers.

    >>> words("The Web's 3 DEEP_ends, naïve?")
    ['the', 'web', 's', 'deep', 'ends', 'naïve']
    """
    return _WORD.findall(text.lower())


def marks_of(terms: Iterable[str]) -> re.Pattern[str] | None:
    """Make the pattern that finds any word of the terms where it stands alone, in either case.

    Returns:
        None where the terms hold no word.

    >>> marks_of(["deep-web"]).findall("Webs, the DEEP and the web")
    ['DEEP', 'web']
    """
    found = sorted({word for term in terms for word in words(term)})
    alone = rf"(?<![^\W\d_])(?:{'|'.join(found)})(?![^\W\d_])"
    return re.compile(alone, re.IGNORECASE) if found else None


def snippet(text: str, marks: re.Pattern[str] | None) -> str:
    """Cut about 160 characters around the first match, or from the start without one.

    >>> cut = snippet("before " * 40 + "the pilot came" + " after" * 40, re.compile("pilot"))
    >>> cut[:8], cut[65:87], cut[-8:]
    ('… before', 'before the pilot came ', ' after …')
    """
    match = marks.search(text) if marks else None
    start = max(0, match.start() - SNIPPET_CHARACTERS // 2) if match else 0
    end = start + SNIPPET_CHARACTERS
    if start:
        start = text.find(" ", start, start + 20) + 1 or start
    if end < len(text):
        end = max(text.rfind(" ", end - 20, end), 0) or end
    cut = " ".join(text[start:end].split())
    return f"{'… ' if start else ''}{cut}{' …' if end < len(text) else ''}"
