"""Read the URI templates that an API gives at its root: RFC 6570, as in HAL and JSON home."""

import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urljoin, urlsplit

from longline.discovery.described.operations import PATH_WORDS, Operation, Parameter

_EXPRESSION = re.compile(r"\{([?&/#.;+]?)([\w.%*:,\[\]$-]+)\}")
_MODIFIER = re.compile(r"[*]|:\d+$")
_CALLED_SEARCH = re.compile(r"search|find|query", re.IGNORECASE)
DEPTH = 6


def templates_in(data: Any, url: str) -> Iterator[Operation]:
    """Yield the operations that the templates in an answer describe.

    Args:
        data: The answer.
        url: Its address.

    Source: RFC 6570, section 3.2.

    >>> root = {"_links": {"search": {"href": "/search{?q,page}", "templated": True}}}
    >>> [found] = templates_in(root, "https://x.example/")
    >>> found.ask().url
    'https://x.example/search?q={query}'
    """
    for names, template in texts_in(data):
        if not _EXPRESSION.search(template) or " " in template:
            continue
        operation = operation_of(template, url, " ".join(names))
        if operation is not None:
            yield operation


def texts_in(data: Any, names: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the texts in an answer, each after the names and places that lead to it.

    >>> [*texts_in({"search": [{"example": "/maps?q=sea"}], "size": 7})]
    [(('search', '0', 'example'), '/maps?q=sea')]
    """
    if isinstance(data, str):
        yield names, data
    elif len(names) < DEPTH:
        pairs: Iterable[tuple[Any, Any]] = data.items() if isinstance(data, dict) else ()
        pairs = enumerate(data[:50]) if isinstance(data, list) else pairs
        for name, value in pairs:
            yield from texts_in(value, (*names, str(name)))


def operation_of(template: str, url: str, said: str) -> Operation | None:
    """Return the operation that a template describes; None if its path cannot be filled in.

    >>> operation_of("/search/{query}{?page}", "https://x.example/docs", "").ask().url
    'https://x.example/search/{query}'
    """
    address, parameters = template, []
    for found in _EXPRESSION.finditer(template):
        names = [_MODIFIER.sub("", name) for name in found[2].split(",")]
        if found[1] in ("?", "&"):
            parameters += [Parameter(name) for name in names]
            address = address.replace(found[0], "")
            continue
        if not found[1] and template[found.start() - 1] == "/" and Parameter(names[0]).takes_words:
            address = address.replace(found[0], PATH_WORDS)
            continue
        before = re.search(r"[?&]([^=&?{}]+)=$", template[: found.start()])
        if before is None or found[1] or len(names) > 1:
            if found[1] not in ("#", "."):  # a piece of the path that is needed
                return None
            address = address.replace(found[0], "")
            continue
        # "?q={searchTerms}": the name of the parameter or of its placeholder may say what it takes.
        called = Parameter(before[1])
        is_words = called.takes_words or Parameter(names[0]).takes_words
        parameters.append(called._replace(is_needed=True, said="search text" if is_words else ""))
        address = address.replace(f"{before[0][1:]}{found[0]}", "")
    try:
        address = urljoin(url, re.sub(r"[?&]+$", "", address.replace("?&", "?")))
    except ValueError:
        return None
    if urlsplit(address).netloc != urlsplit(url).netloc:
        return None
    if len(parameters) == 1 and _CALLED_SEARCH.search(said) and not parameters[0].role:
        parameters[0] = parameters[0]._replace(said="search text")
    return Operation(address, tuple(parameters), f"{said} {template}", f"a template of {url}")
