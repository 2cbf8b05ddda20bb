"""Parts of a link that a key may have to ignore: parameters, and segments of the path."""

import json
import re
from base64 import b64decode
from collections.abc import Sequence
from urllib.parse import quote_plus, unquote, unquote_plus, urlsplit

from longline.source.answer.links import without_parameters
from longline.text.url import with_ampersands

_ADDRESS = re.compile(r"https?://|/")
_OF_PATH = re.compile(r"[;.]([^;.=/]+)=([^;/]*)")


def parts_of(url: str) -> dict[str, str]:
    """Return the parts of a link, under the names that `key_ignores` uses.

    A parameter goes by its name as written, in the query or, after a semicolon, in the path; a path
    segment by its number after a slash. If the query is itself a path, its segments are numbered
    after those of the path.

    >>> parts_of("https://shop.example/s/ab12/doc;jsessionid=C3?id=7&hl=web")
    {'/1': 's', '/2': 'ab12', '/3': 'doc', 'jsessionid': 'C3', 'id': '7', 'hl': 'web'}
    >>> parts_of("https://shop.example/show.php?/7/search/ab12")
    {'/1': 'show.php', '/2': '7', '/3': 'search', '/4': 'ab12'}
    """
    address = urlsplit(url)
    path, query = _split(address.path, address.query)
    parts = {
        f"/{place}": unquote(_OF_PATH.sub("", segment))
        for place, segment in enumerate(path.split("/"))
        if place and segment
    }
    parts |= {name: unquote(value) for name, value in _OF_PATH.findall(address.path)}
    for pair in with_ampersands(query).split("&"):
        name, _, value = pair.partition("=")
        if name:
            parts[quote_plus(unquote_plus(name))] = unquote_plus(value)
    return parts


def _split(path: str, query: str) -> tuple[str, str]:
    """Return a URL's path and query; a query that is itself a path is added to the path."""
    is_path = query.startswith("/") and "=" not in query
    return (f"{path}{query}", "") if is_path else (path, query)


def without_parts(url: str, names: Sequence[str]) -> str:
    """Return a link without some of its parts.

    Args:
        url: The link.
        names: As in `key_ignores`: parameter names, and "/2" for the second segment of the path.

    >>> without_parts("https://shop.example/s/ab12/doc;jsessionid=C3?id=7", ["/2", "jsessionid"])
    'https://shop.example/s/doc?id=7'
    >>> without_parts("https://shop.example/show.php?/7/search/ab12", ["/4"])
    'https://shop.example/show.php?/7/search'
    """
    if not names:
        return url
    address = urlsplit(without_parameters(url, [name for name in names if name[:1] != "/"]))
    path = _OF_PATH.sub(lambda found: "" if found[1] in names else found[0], address.path)
    own = len(path.split("/"))
    segments, query = _split(path, address.query)
    kept = [
        (place, segment)
        for place, segment in enumerate(segments.split("/"))
        if not place or f"/{place}" not in names
    ]
    path = "/".join(segment for place, segment in kept if place < own)
    if not query:
        query = "".join(f"/{segment}" for place, segment in kept if place >= own)
    return address._replace(path=path, query=query).geturl()


def address_in(value: str) -> str:
    """Return the URL in a link's parameter, plain or in base64, or "" if there is none.

    In base64 it may be alone or a value in JSON; a signature may follow after two dashes.

    >>> address_in("https://shop.example/7"), address_in("7")
    ('https://shop.example/7', '')
    >>> address_in("eyJ1cmwiOiAiL2RvYy83IiwgInJhbmsiOiAxfQ==--5f2a")
    '/doc/7'
    """
    if _ADDRESS.match(value):
        return value
    packed = value.partition("--")[0].rstrip("=")
    try:
        held = b64decode(packed + "=" * (-len(packed) % 4), b"-_", validate=True).decode()
        said = json.loads(held) if held.startswith("{") else {"": held}
    except (ValueError, RecursionError):
        return ""
    texts = (each for each in said.values() if isinstance(each, str))
    return next(filter(_ADDRESS.match, texts), "")
