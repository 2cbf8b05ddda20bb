"""Documents as planners hold them, and hand them to one another: their terms, not their texts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Protocol

from longline.events import DocumentReceived
from longline.model import Document
from longline.pool import Analyzer
from longline.ports import Policy

ANALYZER = Analyzer(stop_words=frozenset())
"""Stop words are terms like others: where a source indexes them they are its best roots, and where
it does not, that shows."""


@dataclass(frozen=True)
class Snippet:
    """How a document came of which the text is not known.

    Attributes:
        asked: Terms that the query required: the snippet is cut around them.
        titled: How many of the document's terms, the first ones, are in its title.
    """

    asked: tuple[str, ...]
    titled: int


@dataclass(frozen=True, slots=True)
class Arrival:
    """A document that came.

    Attributes:
        key: Its own.
        terms: All different; of a snippet those of the title first.
        snippet: How it came, where its text is not known; None where it is.
    """

    key: str
    terms: Collection[str]
    snippet: Snippet | None = None

    def without(self, terms: Collection[str]) -> Arrival:
        """Return the same without some terms."""
        if not terms:
            return self
        kept = dict.fromkeys(self.terms)
        for term in terms:
            kept.pop(term, None)
        return replace(self, terms=kept)

    def as_document(self) -> Document:
        """Return a document of these terms, for those who cut texts into terms themselves.

        >>> came = Arrival("a", ["deep", "web"], Snippet((), titled=1)).as_document()
        >>> came.title, came.text
        ('deep', 'web')
        """
        terms, titled = list(self.terms), self.snippet.titled if self.snippet else 0
        title, text = " ".join(terms[:titled]), " ".join(terms[titled:])
        return Document(self.key, title=title, text=text)


class Successor(Policy, Protocol):
    """A policy that can go on from what others found."""

    def take(self, arrival: Arrival) -> None:
        """Hold a document that it did not ask for."""


def arrival(came: DocumentReceived) -> Arrival:
    """Return what is to be held of a document that came.

    Where the snippet of its hit is all that is known of its text, that is cut around the terms
    that the query required, and so says nothing of how often others show them.
    """
    document, hit = came.document, came.hit
    terms = ANALYZER.terms(f"{document.title}\n{document.text}")
    if hit is None or not hit.snippet or hit.snippet != document.text:
        return Arrival(document.key, terms)
    titled = len(ANALYZER.terms(document.title))
    return Arrival(document.key, terms, Snippet(came.query.required if came.query else (), titled))
