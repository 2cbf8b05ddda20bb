"""Unpack packed content: compressed files, JSON inside a script, flat lists, CBOR."""

import html
import json
import re
import zlib
from typing import Any

MOST_BYTES = 100_000_000
"""Maximum bytes of an unpacked file; a sitemap has at most 50 MB, by its protocol."""

_GZIP = b"\x1f\x8b"
_PAGEFIND = b"pagefind_dcd"
_BEGINNING = re.compile(
    r"(?:\A\)\]\}',?|\A(?:while ?\(1\)|for ?\(;;\));?|[=:]|\((?:\s*[\w$.]+\s*,)*"
    r"|\bdefault|\breturn)\s*(?=[\[{])"
)
"""What precedes data in a script, or keeps other sites from running the data as a script."""

_QUOTED = re.compile(
    r"JSON\.parse\(\s*(['\"`])(.*)\1\s*\)|=\s*(['\"`])(\{\".*\})\3\s*[;,]", re.DOTALL
)
_STRING_OR_NAME = re.compile(r'("(?:\\.|[^"\\])*+")|([{,]\s*)([A-Za-z_$][\w$]*)(\s*:)')
_ESCAPED = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
_SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script", re.DOTALL | re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""=(?:"([\[{](?:&quot;|&#34;|[\[{])[^"]*)"|'([\[{]["\[{][^']*)')""")
"""An attribute that hands data to a script."""

_LEAST_ROWS = 2
"""Minimum number of objects in a list of a script's data; shorter lists are settings."""

_DEEP = 6
"""How many levels of a script's data are searched for rows."""

_DEEPEST = 50
"""How deep the values of a flat list may stand in one another; deeper ones refer to themselves."""

_MARKUP = re.compile(r"<\w+[^<>]*>")
TRIES = 4
"""How many places in a script are tried as the start of data, and how many scripts of a page."""


def unpacked(body: bytes) -> bytes:
    """Return a file decompressed; unchanged if it is not compressed, or damaged.

    >>> import gzip
    >>> unpacked(gzip.compress(b"<urlset/>")), unpacked(b"<urlset/>")
    (b'<urlset/>', b'<urlset/>')
    """
    if not body.startswith(_GZIP):
        return body
    try:
        return zlib.decompressobj(wbits=31).decompress(body, MOST_BYTES).removeprefix(_PAGEFIND)
    except zlib.error:
        return body


def is_piece(body: bytes) -> bool:
    """Return whether a file is a part of Pagefind's index: data, whatever its media type.

    >>> import gzip
    >>> is_piece(gzip.compress(b'pagefind_dcd{"url": "/"}')), is_piece(gzip.compress(b"{}"))
    (True, False)
    """
    if not body.startswith(_GZIP):
        return False
    try:
        return zlib.decompressobj(wbits=31).decompress(body, len(_PAGEFIND)) == _PAGEFIND
    except zlib.error:
        return False


def is_binary_index(body: bytes) -> bool:
    """Return whether an unpacked file is a CBOR list of 4 to 8 items, as Pagefind's index has."""
    return body[:1] in (b"\x84", b"\x85", b"\x86", b"\x87", b"\x88")


def from_cbor(body: bytes) -> Any:
    """Read CBOR.

    Raises:
        ValueError: It is not valid CBOR.
    """
    import cbor2

    try:
        return cbor2.loads(body)
    except cbor2.CBORError as error:
        raise ValueError(str(error)) from None


def from_script(text: str) -> Any:
    r"""Read the data that a script sets: `x = {...}`, `f({...})`, `JSON.parse('...')`.

    A prefix that keeps JSON from being run as a script is skipped.

    Raises:
        ValueError: There is no data.

    >>> from_script('var idx = {docs: [{"url": "a:b"}]};')
    {'docs': [{'url': 'a:b'}]}
    >>> from_script("window.s = Object.assign(window.s, JSON.parse('{}'))".format('[7]'))
    [7]
    >>> from_script("const e='{\"a\":[7]}';export{e as default};")
    {'a': [7]}
    >>> from_script('search.begin(lunr, {"a": [7]})')
    {'a': [7]}
    >>> from_script(")]}'\n" + '[{"subject": "=[1]"}]')
    [{'subject': '=[1]'}]
    """
    if quoted := _QUOTED.search(text):
        return json.loads(_ESCAPED.sub(_meant, quoted[2] or quoted[4]))
    for place, found in enumerate(_BEGINNING.finditer(text)):
        if place == TRIES:
            break
        for written in (text[found.end() :], _STRING_OR_NAME.sub(_in_quotes, text[found.end() :])):
            try:
                value, _ = json.JSONDecoder().raw_decode(written)
            except (ValueError, RecursionError):
                continue
            if value:
                return value
    raise ValueError("no data stands in this script")


def data_in(page: str) -> Any:
    """Return the longest data that a page hands to its scripts, or None if there is none.

    It stands in a script or in an attribute. A list of rows is preferred to an object that contains
    lists of rows, and that to other data.

    >>> data_in('<p>Wiki</p><script type="application/json">[{"title": "One"}]</script>')
    [{'title': 'One'}]
    >>> data_in('<script>lib = {"books": [{"title": "One"}, {"title": "Two"}]}</script>')
    {'books': [{'title': 'One'}, {'title': 'Two'}]}
    >>> data_in('<div data-books="[{&quot;title&quot;: &quot;One&quot;}]"></div>')
    [{'title': 'One'}]
    >>> data_in('<script type="application/ld+json">[{"@type": "Book"}]</script>')
    """
    if page.lstrip()[:1] != "<":
        return None
    # Linked data describes the page for search engines.
    scripts = [
        ("json" in attributes, text)
        for attributes, text in _SCRIPT.findall(page)
        if "ld+json" not in attributes.lower()
    ]
    values = [(True, html.unescape(one or other)) for one, other in _ATTRIBUTE.findall(page)]
    longest = sorted((*scripts, *values), key=lambda each: -len(each[1]))[:TRIES]
    handed = [(_read(text, is_json), is_json) for is_json, text in longest]
    held = [each for each in handed if each[0]]
    return max(held, key=lambda each: _rank(*each), default=(None, False))[0]


def _read(text: str, is_json: bool) -> Any:
    try:
        return json.loads(text) if is_json else from_script(text)
    except (ValueError, RecursionError):
        return None


def _rank(value: Any, is_json: bool) -> int:
    """Return 2 for a list of rows, 1 for an object that contains one, and 0 for other data."""
    level, least = [value], 1 if is_json and isinstance(value, list) else _LEAST_ROWS
    for _ in range(_DEEP):
        lists = [each for each in level if isinstance(each, list)]
        if any(sum(isinstance(row, dict) for row in rows) >= least for rows in lists):
            return 2 if isinstance(value, list) else 1
        level = [inner for each in level if isinstance(each, dict) for inner in each.values()]
    return 0


def unquoted(value: Any, depth: int = 3) -> Any:
    """Return data in which strings that hold JSON are read, as in {"d": "[…]"} of ASP.NET.

    Only an answer's own properties are read so, and those of its first levels: never rows.

    >>> unquoted({"status": "ok", "data": '[{"id": 1}]', "note": "[sic]", "tags": "[1]"})
    {'status': 'ok', 'data': [{'id': 1}], 'note': '[sic]', 'tags': '[1]'}
    """
    if isinstance(value, dict) and depth:
        return {name: unquoted(each, depth - 1) for name, each in value.items()}
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        held = json.loads(value)
    except (ValueError, RecursionError):
        return value
    are_rows = isinstance(held, list) and all(isinstance(each, (dict, list)) for each in held)
    return unquoted(held, depth - 1) if are_rows or isinstance(held, dict) else value


def unflattened(value: Any) -> Any:
    """Return data with every value in its place; SvelteKit and Nuxt send them in one flat list.

    In such a list, which devalue writes, objects and lists hold positions of their values. A list
    that begins with a name is a value of a type: a date, a set, a map, a reference.

    >>> unflattened([{"rows": 1, "at": 5}, [2], {"name": 3, "no": 4}, "Sea", 7, ["Date", "1987"]])
    {'rows': [{'name': 'Sea', 'no': 7}], 'at': '1987'}
    >>> unflattened({"nodes": [{"data": [{"name": 1}, "Sea"]}]})
    {'nodes': [{'data': {'name': 'Sea'}}]}
    >>> unflattened([{"name": 1}, {"name": 2}])
    [{'name': 1}, {'name': 2}]
    """
    if isinstance(value, dict) and isinstance(value.get("nodes"), list):
        nodes = [
            each | {"data": unflattened(each["data"])}
            if isinstance(each, dict) and "data" in each
            else each
            for each in value["nodes"]
        ]
        return value | {"nodes": nodes}
    return _at(value, 0, 0) if _is_flat(value) else value


def _is_flat(value: Any) -> bool:
    """Return whether data is a flat list: it holds texts, and its objects hold positions alone."""
    if not isinstance(value, list) or not value or not isinstance(value[0], (dict, list)):
        return False
    if not any(isinstance(each, str) for each in value):
        return False
    held = [inner for each in value if isinstance(each, dict) for inner in each.values()]
    return bool(held) and all(type(at) is int and at < len(value) for at in held)


def _at(values: list[Any], place: Any, depth: int) -> Any:
    """Return the value at a place of a flat list; None for one that JSON does not have."""
    if type(place) is not int or not 0 <= place < len(values) or depth > _DEEPEST:
        return None
    value = values[place]
    if isinstance(value, dict):
        return {name: _at(values, at, depth + 1) for name, at in value.items()}
    if not isinstance(value, list):
        return value
    if not value or not isinstance(value[0], str):
        return [_at(values, at, depth + 1) for at in value]
    name, *held = value
    if name in ("Set", "Map"):
        return [_at(values, at, depth + 1) for at in held]
    inner = held[0] if held else None
    return _at(values, inner, depth + 1) if type(inner) is int else inner


def markup_in(text: str) -> str:
    """Return the markup inside JSON, sent as a part of a page that a script inserts; "" if none.

    >>> markup_in('{"html": "<li>One</li>", "total": 7}'), markup_in("<li>One</li>")
    ('<li>One</li>', '')
    """
    if text.lstrip()[:1] not in ("{", "["):
        return ""
    try:
        level = [json.loads(text)]
    except (ValueError, RecursionError):
        return ""
    pieces: list[str] = []
    while level:
        pieces += [each for each in level if isinstance(each, str) and _MARKUP.search(each)]
        lists = [each for each in level if isinstance(each, list)]
        dicts = [each.values() for each in level if isinstance(each, dict)]
        level = [inner for outer in (*lists, *dicts) for inner in outer]
    return "".join(pieces)


def _meant(escaped: re.Match[str]) -> str:
    """Return the character that an escape in a script's string means."""
    letter = escaped[1]
    if letter[0] in "ux" and len(letter) > 1:
        return chr(int(letter[1:], 16))
    return _ESCAPES.get(letter, letter)


def _in_quotes(found: re.Match[str]) -> str:
    """Quote a property name of a script's object; strings stay unchanged."""
    return found[1] or f'{found[2]}"{found[3]}"{found[4]}'
