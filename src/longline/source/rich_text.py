"""Rich text in JSON: a tree of nodes, each with its kind, with the words at its leaves.

ProseMirror, Slate, Lexical, Contentful, Sanity's Portable Text, Strapi and Editor.js write it, and
interfaces that turn XML documents into JSON.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

_KINDS = ("type", "nodeType", "_type", "tag")
_TEXTS = frozenset({"text", "value", "content", "children", "data"})
"""Names that hold words in such trees."""

DEPTH = 60
LEAST_WORDS = 3


def is_rich_text(item: Any) -> bool:
    """Return whether a value is a tree of nodes with words: each node has a kind or a text.

    >>> is_rich_text([{"type": "p", "children": [{"text": "Tides of the sea"}]}])
    True
    >>> is_rich_text({"type": "item", "by": {"creator": [{"value": "Ada of the sea"}]}})
    False
    >>> is_rich_text([{"type": "person", "name": "Ada of the sea"}])
    False
    """
    nodes = item if isinstance(item, list) else [item]
    if not nodes or not all(isinstance(each, dict) and _kind(each) for each in nodes):
        return False
    inner = [value for each in nodes for value in each.values()]
    is_list = isinstance(item, list)
    if not any(_are_nodes(each) or (is_list and isinstance(each, list | dict)) for each in inner):
        return False
    return any(len(text.split()) >= LEAST_WORDS for _, text in _said(item))


def rich_text(item: Any) -> str:
    r"""Return the words of a tree of nodes, one line for each node that directly contains some.

    >>> rich_text({"nodeType": "document", "content": [
    ...     {"nodeType": "paragraph", "content": [
    ...         {"nodeType": "text", "value": "Tides "}, {"nodeType": "text", "value": "turn"}]},
    ...     {"nodeType": "paragraph", "content": [{"nodeType": "text", "value": "twice"}]}]})
    'Tides turn\ntwice'
    """
    letters: Counter[str] = Counter()
    for name, text in _said(item):
        letters[name] += len(text) * (" " in text.strip())
    if not letters:
        return ""
    lines = _lines(item, max(letters, key=lambda name: letters[name]))
    return "\n".join(line for line in map(str.strip, lines) if line)


def _kind(node: dict[str, Any]) -> bool:
    return any(isinstance(node.get(name), str) for name in _KINDS)


def _are_nodes(value: Any) -> bool:
    """Return whether a value is a list of objects, each with a kind or a text."""
    items = value if isinstance(value, list) else []
    typed = [each for each in items if isinstance(each, dict)]
    is_each = len(typed) == len(items) > 0
    return is_each and all(_kind(each) or not _TEXTS.isdisjoint(each) for each in typed)


def _said(item: Any, name: str = "", depth: int = DEPTH) -> Iterator[tuple[str, str]]:
    """Yield the texts of a tree with their names; those in a list have the list's name."""
    if isinstance(item, str) and name in _TEXTS:
        yield name, item
    elif isinstance(item, dict) and depth:
        for inner, value in item.items():
            yield from _said(value, inner, depth - 1)
    elif isinstance(item, list) and depth:
        for value in item:
            yield from _said(value, name, depth - 1)


def _lines(item: Any, name: str, within: str = "", depth: int = DEPTH) -> list[str]:
    """Return the lines of a node; neighbouring leaf nodes share one line."""
    if isinstance(item, str):
        return [item] if within == name else []
    if not depth or not isinstance(item, list | dict):
        return []
    if isinstance(item, dict):
        return [
            line for inner, value in item.items() for line in _lines(value, name, inner, depth - 1)
        ]
    lines: list[str] = []
    is_open = False
    for value in item:
        found = _lines(value, name, within, depth - 1)
        is_leaf = isinstance(value.get(name) if isinstance(value, dict) else value, str)
        if is_leaf and is_open and found and lines:
            lines[-1] += "".join(found)
        else:
            lines += found
        is_open = is_leaf
    return lines
