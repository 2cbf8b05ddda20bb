"""Documents as planners store and exchange them: their terms, not their texts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Protocol

from longline.events import DocumentReceived
from longline.model import Document
from longline.pool import Analyzer
from longline.ports import Policy

ANALYZER = Analyzer(stop_words=frozenset())
"""Stop words are kept as terms: if a source indexes them, they are its best roots, and if it does
not, that becomes visible."""


@dataclass(frozen=True)
class Snippet:
    """How a document was received, if only its snippet is known.

    Attributes:
        asked: Terms that the query required; the snippet is cut around them.
        titled: How many of the document's terms, the first ones, are in its title.
    """

    asked: tuple[str, ...]
    titled: int


@dataclass(frozen=True, slots=True)
class Arrival:
    """A received document.

    Attributes:
        key: Its key.
        terms: Its different terms; for a snippet, those of the title first.
        snippet: How it was received, if only a snippet is known; None if the full text is.
    """

    key: str
    terms: Collection[str]
    snippet: Snippet | None = None

    def without(self, terms: Collection[str]) -> Arrival:
        """Return a copy without the given terms."""
        if not terms:
            return self
        kept = dict.fromkeys(self.terms)
        for term in terms:
            kept.pop(term, None)
        return replace(self, terms=kept)

    def as_document(self) -> Document:
        """Return a document with these terms, for planners that tokenise texts themselves.

        >>> came = Arrival("a", ["deep", "web"], Snippet((), titled=1)).as_document()
        >>> came.title, came.text
        ('deep', 'web')
        """
        terms, titled = list(self.terms), self.snippet.titled if self.snippet else 0
        title, text = " ".join(terms[:titled]), " ".join(terms[titled:])
        return Document(self.key, title=title, text=text)


class Successor(Policy, Protocol):
    """A policy that can continue from documents that others found."""

    def take(self, arrival: Arrival) -> None:
        """Store a document that another policy found."""


def arrival(came: DocumentReceived) -> Arrival:
    """Return what a planner stores of a received document.

    If only the snippet of its hit is known, that was cut around the terms of the query; so it does
    not show how often other documents contain them.
    """
    document, hit = came.document, came.hit
    terms = ANALYZER.terms(f"{document.title}\n{document.text}")
    if hit is None or not hit.snippet or hit.snippet != document.text:
        return Arrival(document.key, terms)
    titled = len(ANALYZER.terms(document.title))
    return Arrival(document.key, terms, Snippet(came.query.required if came.query else (), titled))
