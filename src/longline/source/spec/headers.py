"""Values in an answer's headers instead of its body: a total, the next page."""

import re

from longline.errors import SpecError

HEADER = "header:"
"""Prefix used instead of a selector: the name of the header with the value follows."""

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_LINK = re.compile(
    r"""<([^<>]*)>((?:\s*;\s*[\w!#$&+.^`|~*-]+\s*(?:=\s*(?:"[^"]*"|[^\s",;]*))?)*)"""
)
_REL = re.compile(r""";\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]*))""", re.IGNORECASE)


def header_name(selector: str) -> str:
    """Return the header that a selector names, or "" if it selects in the body.

    Raises:
        SpecError: The name is not a valid header name.

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
    """Return the URL of the next page from a Link header, or "" if it has none.

    Source: RFC 8288, sections 3 and 3.3; of several values of `rel` each counts.

    >>> next_of_links('</p?n=1>; rel="prev", </p?n=3,4>; title="a, b"; rel="last next"')
    '/p?n=3,4'
    """
    for found in _LINK.finditer(link):
        rel = _REL.search(found[2])
        if rel and "next" in (rel[1] or rel[2] or "").lower().split():
            return found[1].strip()
    return ""
