"""Parse media types from Content-Type headers.

Source: RFC 9110, 8.3, read as leniently as MIME Sniffing (WHATWG) reads it.
"""

import re

_PARAMETER = re.compile(r';[ \t\r\n]*([^;="\s]+)=(?:"((?:\\.|[^"\\])*)"?[^;]*|([^;]*))', re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def media_type(content_type: str) -> str:
    """Return the type itself, in lower case, without parameters, or "" if there is none.

    >>> media_type("Text/HTML; charset=x"), media_type("application/ld+json ;q=1"), media_type("x")
    ('text/html', 'application/ld+json', '')
    """
    named = content_type.partition(";")[0].strip().lower()
    return named if "/" in named else ""


def is_xml(named: str) -> bool:
    """Return whether a media type, as returned by `media_type`, is XML but not a page.

    >>> is_xml("application/rss+xml"), is_xml("application/xhtml+xml")
    (True, False)
    """
    return named.endswith("xml") and "html" not in named


def parameter(content_type: str, name: str) -> str:
    """Return a parameter of a media type, or ""; the first one with the name counts.

    >>> parameter('text/html;a="x;charset=y"; CharSet="utf-8"', "charset")
    'utf-8'
    """
    for found in _PARAMETER.finditer(content_type):
        if found[1].lower() == name:
            quoted = _ESCAPE.sub(r"\1", found[2] or "")
            return quoted or (found[3] or "").strip()
    return ""
