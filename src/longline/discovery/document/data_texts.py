"""Read the values in a document's own JSON answer, with the texts of its parts."""

from collections.abc import Iterator
from typing import Any

from longline.discovery.reading import leaves_of, leaves_of_answer, lists_in, named

INNER = 8
"""Maximum number of names in the path of a text in nested lists."""


def leaves_of_document(data: Any) -> Iterator[tuple[str, Any]]:
    """Yield the values in a document's own answer, with the texts of its parts, by path.

    >>> dict(leaves_of_document({"title": "A", "posts": [{"text": "deep"}, {"text": "web"}]}))
    {'title': 'A', 'posts[*].text': 'deep web'}
    >>> dict(leaves_of_document({"body": [{"parts": [{"text": "deep"}]}, {"parts": []}]}))
    {'body[].parts[].text': 'deep'}
    """
    yield from leaves_of_answer(data)
    inner: dict[str, list[str]] = {}
    for name, text in _in_lists_of_lists(data):
        inner.setdefault(name, []).append(text)
    yield from ((name, " ".join(values)) for name, values in inner.items())
    for path, items in lists_in(data):
        said: dict[str, list[str]] = {}
        for name, value in (leaf for item in items for leaf in leaves_of(item)):
            if isinstance(value, str):
                said.setdefault(f"{path}.{name}", []).append(value)
        yield from ((name, " ".join(values)) for name, values in said.items())


def _in_lists_of_lists(data: Any, path: str = "", lists: int = 0) -> Iterator[tuple[str, str]]:
    """Yield the texts in nested lists, by path."""
    if isinstance(data, dict) and path.count(".") < INNER:
        for name, value in data.items():
            at = f"{path}.{named(name)}" if path else named(name)
            yield from _in_lists_of_lists(value, at, lists)
    elif isinstance(data, list):
        for item in data:
            yield from _in_lists_of_lists(item, f"{path}[]", lists + 1)
    elif isinstance(data, str) and lists > 1:
        yield path, data
