"""Documents as planners hold them, and hand them to one another: their terms, not their texts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from longline.model import Document, Hit
from longline.planner.observed.snippets import Snippet
from longline.pool import Analyzer
from longline.ports import Thinker


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

    def as_document(self) -> Document:
        """Return a document of these terms, for those who cut texts into terms themselves.

        >>> came = Arrival("a", ["deep", "web"], Snippet((), titled=1)).as_document()
        >>> came.title, came.text
        ('deep', 'web')
        """
        terms, titled = list(self.terms), self.snippet.titled if self.snippet else 0
        title, text = " ".join(terms[:titled]), " ".join(terms[titled:])
        return Document(self.key, title=title, text=text)


class Successor(Thinker, Protocol):
    """A thinker that can go on from what others found."""

    def take(self, arrival: Arrival) -> None:
        """Hold a document that it did not ask for."""


def arrival(
    document: Document, hit: Hit | None, asked: Sequence[str], analyzer: Analyzer
) -> Arrival:
    """Return what is to be held of a document.

    Args:
        document: As it came.
        hit: That it came with, if that is known. Where its snippet is all that is known of the
            text, that tells.
        asked: Terms that the query required: a snippet is cut around them, and so says nothing
            of how often others show them.
        analyzer: Cuts texts into terms.
    """
    terms = analyzer.terms(f"{document.title}\n{document.text}")
    if hit is None or not hit.snippet or hit.snippet != document.text:
        return Arrival(document.key, terms)
    titled = len(analyzer.terms(document.title))
    return Arrival(document.key, terms, Snippet(tuple(asked), titled))
