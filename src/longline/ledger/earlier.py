"""Read JSON that the version before wrote: a folder of then is still read, continued and exported.

All names that were other ones then stand here, by the kind of what is read.
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
"""For each kind: the name of now by the name of then."""

LISTS = {
    "Certificate": {"truncations": "Truncation", "discrepancies": "Odd"},
    "Parts": {"parts": "Part"},
}
"""Kinds that hold lists of others."""


def decode(content: bytes, kind: type[T]) -> T:
    """Return what JSON says, whether this version wrote it or the one before.

    Args:
        content: An object.
        kind: Of what it is.

    Raises:
        msgspec.DecodeError: It is none.

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
