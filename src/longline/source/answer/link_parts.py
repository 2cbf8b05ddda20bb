"""The parts of a link that a key may have to do without: parameters, and segments of the path."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote_plus, unquote, unquote_plus, urlsplit

from longline.source.answer.links import without_parameters

_OF_PATH = re.compile(r";([^;=/]+)=([^;/]*)")


def parts_of(url: str) -> dict[str, str]:
    """Return what a link is made of, under the names that `key_ignores` has for its parts.

    A parameter goes by its name as it is written, in the query or, after a semicolon, in the
    path; a segment of the path by its number after a slash.

    >>> parts_of("https://shop.example/s/ab12/doc;jsessionid=C3?id=7&hl=web")
    {'/1': 's', '/2': 'ab12', '/3': 'doc', 'jsessionid': 'C3', 'id': '7', 'hl': 'web'}
    """
    address = urlsplit(url)
    parts = {
        f"/{place}": unquote(_OF_PATH.sub("", segment))
        for place, segment in enumerate(address.path.split("/"))
        if place and segment
    }
    parts |= {name: unquote(value) for name, value in _OF_PATH.findall(address.path)}
    for pair in address.query.replace(";", "&").split("&"):
        name, _, value = pair.partition("=")
        if name:
            parts[quote_plus(unquote_plus(name))] = unquote_plus(value)
    return parts


def without_parts(url: str, names: Sequence[str]) -> str:
    """Return a link without some of its parts.

    Args:
        url: The link.
        names: As in `key_ignores`: of parameters, and "/2" for the second segment of the path.

    >>> without_parts("https://shop.example/s/ab12/doc;jsessionid=C3?id=7", ["/2", "jsessionid"])
    'https://shop.example/s/doc?id=7'
    """
    if not names:
        return url
    address = urlsplit(without_parameters(url, [name for name in names if name[:1] != "/"]))
    path = _OF_PATH.sub(lambda found: "" if found[1] in names else found[0], address.path)
    kept = [
        segment
        for place, segment in enumerate(path.split("/"))
        if not place or f"/{place}" not in names
    ]
    return address._replace(path="/".join(kept)).geturl()
