"""JSON that comes as a call of a script's function, which the request names (JSONP)."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlsplit

_CALL = re.compile(
    rb"\s*(?:/\*\*/\s*)?(?:typeof\s[^&]{1,99}&&\s*)?([A-Za-z_$][\w$.]{0,99})\(\s*[\[{]"
)


def is_called_back(body: bytes, url: str) -> bool:
    """Say whether an answer calls a function with data, by a name that its address has.

    >>> is_called_back(b'show({"total": 7})', "https://x.example/find?q=deep&callback=show")
    True
    >>> is_called_back(b'show({"total": 7})', "https://x.example/show.js")
    False
    """
    found = _CALL.match(body)
    if found is None:
        return False
    name = found[1].decode()
    return any(value == name for _, value in parse_qsl(urlsplit(url).query))
