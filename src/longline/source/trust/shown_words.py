"""How many words of a hit occur in a text. No I/O."""

from functools import lru_cache

from longline.pool import Analyzer

_ANALYZER = Analyzer()


@lru_cache(maxsize=64)  # title and snippet are searched in the page, and in the document's text
def terms_of(said: str) -> tuple[str, ...]:
    """Return the different terms of a text, the longest first."""
    return tuple(sorted(_ANALYZER.terms(said), key=len, reverse=True))


def shows(text: str, said: str, share: float) -> bool:
    """Return whether a text has at least a share of the terms of `said`; False if it has no terms.

    >>> shows("Of webs that are deep", "The deep web", 1 / 2)
    True
    >>> shows("Of webs that are deep", "The deep web", 1), shows("Deep", "The", 1 / 2)
    (False, False)
    """
    wanted = terms_of(said)
    if not wanted:
        return False
    if not text.isascii():
        return len(_ANALYZER.terms(text).keys() & set(wanted)) >= share * len(wanted)
    # In plain ASCII text it is faster to search the few terms than to tokenise the text.
    text, found = text.lower(), 0
    for term in wanted:
        found += _stands_in(term, text)
        if found >= share * len(wanted):
            return True
    return False


def _stands_in(term: str, text: str) -> bool:
    """Return whether a term occurs in a text without a letter before or after it."""
    place = text.find(term)
    while place >= 0:
        end = place + len(term)
        if not (text[place - 1 : place].isalpha() or text[end : end + 1].isalpha()):
            return True
        place = text.find(term, place + 1)
    return False
