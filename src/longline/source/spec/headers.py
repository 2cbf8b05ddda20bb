"""What stands in an answer's headers rather than in its body: a total, the way to the next page."""

import re

from longline.errors import SpecError

HEADER = "header:"
"""Instead of a selector: the name of the header that holds the value."""

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_LINK = re.compile(
    r"""<([^<>]*)>((?:\s*;\s*[\w!#$&+.^`|~*-]+\s*(?:=\s*(?:"[^"]*"|[^\s",;]*))?)*)"""
)
_REL = re.compile(r""";\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]*))""", re.IGNORECASE)


def header_name(selector: str) -> str:
    """Return which header a selector names; "" where it is a selector into the body.

    Raises:
        SpecError: It names none that there can be.

    >>> header_name("header:X-WP-Total"), header_name("css:p.count")
    ('X-WP-Total', '')
    """
    if not selector.startswith(HEADER):
        return ""
    name = selector.removeprefix(HEADER).strip()
    if not _NAME.fullmatch(name):
        raise SpecError(
            f"the selector {selector!r} names no header", advice="write e.g. header:X-Total"
        )
    return name


def next_of_links(link: str) -> str:
    """Return where a Link header says that the next page is; "" where it does not.

    Source: RFC 8288, sections 3 and 3.3; of several values of `rel` each counts.

    >>> next_of_links('</p?n=1>; rel="prev", </p?n=3,4>; title="a, b"; rel="last next"')
    '/p?n=3,4'
    """
    for found in _LINK.finditer(link):
        rel = _REL.search(found[2])
        if rel and "next" in (rel[1] or rel[2] or "").lower().split():
            return found[1].strip()
    return ""
