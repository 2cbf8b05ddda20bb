"""Recognise answers in JSON that say themselves that they are incomplete. No I/O."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

_SAYS_PART = frozenset(
    {
        *("timedout", "terminatedearly", "partial", "ispartial", "partialresults"),
        *("incomplete", "isincomplete", "incompleteresults"),
    }
)
_MAY = re.compile(
    rb'"(?:[\w]*(?:artial|ncomplete|imed_?out|erminated_?early)[\w]*"\s*:\s*true'
    rb'|failed"\s*:\s*[1-9]|full"\s*:\s*false|errors"\s*:\s*[\[{])',
    re.IGNORECASE,
)
"""Matches an answer that may say so: only these are decoded."""

_WITHHELD = frozenset({"hidden", "withheld", "suppressed", "omitted", "notshown", "restricted"})
_OF_ANSWER = frozenset({"", "meta", "result", "results", "response", "data", "page", "pagination"})
"""Objects of an answer that describe the whole of it, unlike counts by the values of a field."""

_DEEP = 3
"""Objects within objects that are looked at: Vespa has root.coverage.full."""


def says_partial(body: bytes) -> bool:
    """Return whether an answer says that a part of the source did not answer, or not in time.

    Such as Elasticsearch (`timed_out`, `_shards.failed`), Solr (`partialResults`), Vespa
    (`coverage.full`), GitHub (`incomplete_results`), and data beside errors in GraphQL.

    Args:
        body: The answer's body.

    >>> says_partial(b'{"timed_out": true, "hits": {"total": 9}}')
    True
    >>> says_partial(b'{"_shards": {"total": 2, "failed": 1}, "hits": {"total": 9}}')
    True
    >>> says_partial(b'{"timed_out": false, "_shards": {"failed": 0}, "hits": []}')
    False
    """
    if body[:99].lstrip()[:1] != b"{" or not _MAY.search(body):
        return False
    try:
        root = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    if root.get("errors") and root.get("data"):
        return True
    return any(_is_sign(*each) for each in _values(root, _DEEP))


def _is_sign(within: str, name: str, value: object) -> bool:
    if within == "_shards" and name == "failed":
        return isinstance(value, int) and value > 0
    if within == "coverage" and name == "full":
        return value is False
    return value is True and name.replace("_", "").casefold() in _SAYS_PART


def _values(tree: dict[str, Any], depth: int, within: str = "") -> Iterator[tuple[str, str, Any]]:
    """Yield the name of the enclosing object, the name and the value of all entries."""
    for name, value in tree.items():
        if not isinstance(value, dict):
            yield within, name, value
        elif depth > 1:
            yield from _values(value, depth - 1, name)


def withheld_in(root: object) -> int:
    """Return how many results an answer in JSON says are hidden from this reader, or 0.

    Such as `"hidden": 46` beside the total, or what Drupal omits for lack of rights.

    >>> withheld_in({"total": 204, "hidden": 46}), withheld_in({"facets": {"hidden": 46}})
    (46, 0)
    >>> withheld_in({"meta": {"omitted": {"links": {"help": {}, "item--a": {}, "item--b": {}}}}})
    2
    """
    if not isinstance(root, dict):
        return 0
    for within in _OF_ANSWER:
        holder = root.get(within) if within else root
        for name, value in holder.items() if isinstance(holder, dict) else ():
            if re.sub(r"[\W_]|count$", "", name.casefold()) not in _WITHHELD:
                continue
            if isinstance(value, int) and not isinstance(value, bool) and value > 0:
                return value
            links = value.get("links") if isinstance(value, dict) else None
            if isinstance(links, dict):
                return len(links.keys() - {"help"})
    return 0
