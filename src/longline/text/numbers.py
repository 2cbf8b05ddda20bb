"""Numbers with their nouns, as people read them."""

from __future__ import annotations


def counted(count: int, one: str, many: str = "") -> str:
    """Return a number with what it counts: "1 search", "2,000 searches".

    Args:
        count: How many.
        one: What a single one is called, with its verb if one follows.
        many: The same for several; by the rules of English spelling where it is not given.

    >>> counted(1, "search"), counted(2000, "query"), counted(0, "result page")
    ('1 search', '2,000 queries', '0 result pages')
    >>> counted(1, "document is", "documents are")
    '1 document is'
    """
    return f"{count:,} {one if count == 1 else many or _plural(one)}"


def _plural(noun: str) -> str:
    if noun.endswith(("ch", "s", "sh", "x")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"
