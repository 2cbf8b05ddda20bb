"""Format numbers with their nouns, shares, and times for people."""


def counted(count: float, one: str, many: str = "") -> str:
    """Return a number with its noun: "1 search", "2,000 searches".

    Args:
        count: The number.
        one: The noun in the singular, with its verb if one follows.
        many: The same in the plural; by default by the rules of English spelling.

    >>> counted(1, "search"), counted(2000, "query"), counted(0, "result page")
    ('1 search', '2,000 queries', '0 result pages')
    >>> counted(1, "document is", "documents are"), counted(0.5, "request")
    ('1 document is', '0.5 requests')
    """
    return f"{count:,.15g} {one if count == 1 else many or _plural(one)}"


def all_of(count: int, one: str, many: str = "") -> str:
    """Return a complete number of things: "the 1 search", "all 2,000 searches".

    >>> all_of(1, "request is", "requests are"), all_of(3, "request is", "requests are")
    ('the 1 request is', 'all 3 requests are')
    """
    return f"{'the' if count == 1 else 'all'} {counted(count, one, many)}"


def percent(share: float | None, unknown: str = "?") -> str:
    """Return a share of 0 to 1 in percent; 100.0% only if nothing is missing.

    >>> percent(0.5), percent(2800 / 2801), percent(1), percent(None)
    ('50.0%', '99.9%', '100.0%', '?')
    """
    if share is None:
        return unknown
    return f"{share if share >= 1 else min(share, 0.999):.1%}"


def span(seconds: float) -> str:
    """Return a time in the unit that suits it.

    >>> span(90), span(3000), span(9000), span(600_000)
    ('90 s', '50 min', '2.5 h', '6.9 days')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h" if seconds < 172_800 else f"{seconds / 86_400:.1f} days"


def _plural(noun: str) -> str:
    if noun.endswith(("ch", "s", "sh", "x")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"
