"""How documents come of which titles and snippets are all that is known."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Snippet:
    """How a document came of which the text is not known.

    Attributes:
        asked: Terms that the query required: the snippet is cut around them.
        titled: How many of the document's terms, the first ones, are in its title.
    """

    asked: tuple[str, ...]
    titled: int
