"""A source that changes between harvests, at one address."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import msgspec
import numpy as np

from longline.model import Document
from longline.simulate import Searcher, read_corpus, website

Scope = MutableMapping[str, Any]


class Changing:
    """An ASGI application whose content may be replaced while it is served.

    Attributes:
        inside: The current application.
        paths: Paths requested since `paths` was cleared.
    """

    def __init__(self, inside: Any) -> None:
        self.inside = inside
        self.paths: list[str] = []

    async def __call__(
        self, scope: Scope, receive: Callable[[], Awaitable[Any]], send: Callable[..., Any]
    ) -> None:
        """Pass the request to the current application."""
        if scope["type"] == "http":
            self.paths.append(scope["path"])
        await self.inside(scope, receive, send)


def documents(count: int, seed: int = 0) -> list[Document]:
    """Return this many random docstrings of the standard library."""
    corpus = read_corpus("docstrings")
    places = np.random.default_rng(seed).choice(len(corpus), count, replace=False)
    return [corpus[place] for place in places.tolist()]


def amended(document: Document) -> Document:
    """Return a document with a new title and text."""
    return msgspec.structs.replace(
        document, title=f"{document.title} (second edition)", text=f"{document.text} amended"
    )


def site_of(held: list[Document], **kind: Any) -> Any:
    """Return a web site over documents, with at most 50 per query by default."""
    return website(Searcher(held, **{"limit": 50, "page_size": 10, **kind}))
