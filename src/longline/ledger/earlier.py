"""Read JSON of the previous version, so that its folders can be read, continued and exported.

It lists all names that have changed, by kind of object.
"""

from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

RENAMED = {
    "Truncation": {"claimed": "reported"},
    "Odd": {"claimed": "reported"},
    "Ended": {"error": "stopped"},
    "Standing": {
        "error": "stopped",
        "failed_documents": "documents_failed",
        "cut_searches": "truncated_queries",
    },
    "Part": {"url": "source"},
}
"""For each kind: the current name by the old name."""

LISTS = {
    "Certificate": {"truncations": "Truncation", "discrepancies": "Odd"},
    "Parts": {"parts": "Part"},
}
"""Kinds that contain lists of other kinds."""


def decode(content: bytes, kind: type[T]) -> T:
    """Decode JSON that this or the previous version wrote.

    Args:
        content: A JSON object.
        kind: Its type.

    Raises:
        msgspec.DecodeError: It is not valid.

    >>> class Part(msgspec.Struct):
    ...     source: str
    >>> decode(b'{"url": "https://a.example/"}', Part)
    Part(source='https://a.example/')
    """
    whole = msgspec.json.decode(content)
    _rename(whole, kind.__name__)
    return msgspec.convert(whole, kind)


def _rename(found: Any, kind: str) -> None:
    if not isinstance(found, dict):
        return
    for then, now in RENAMED.get(kind, {}).items():
        if then in found:
            found[now] = found.pop(then)
    for name, each_kind in LISTS.get(kind, {}).items():
        for each in found.get(name) or ():
            _rename(each, each_kind)
