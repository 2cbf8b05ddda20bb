"""What is known of documents beside the terms they show, where only snippets came."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from longline.planner.observed.term_ids import Numbers

Bools = npt.NDArray[np.bool_]

BRIEF = 0.85
"""Snippets shorter than so much of the usual length are all of their texts."""

TRUSTED = 0.9
"""Unless fewer of them show the terms that were asked for."""

LOOKED_AT = 2000
"""Snippets that the usual length is taken from, at most."""


@dataclass(frozen=True)
class Snippet:
    """How a document came of which the text is not known.

    Attributes:
        asked: Terms that the query required: the snippet is cut around them.
        titled: How many of the document's terms, the first ones, are in its title.
        width: Characters of the snippet.
    """

    asked: tuple[str, ...]
    titled: int
    width: int


class Snippets:
    """How long each document's snippet is, and how much of its text that is likely to be.

    >>> snippets = Snippets()
    >>> for width in (160, 155, 40, 158):
    ...     snippets.add(width, shows_all=True)
    >>> snippets.are_whole(np.arange(4, dtype=np.int32)).tolist()
    [False, False, True, False]
    """

    def __init__(self) -> None:
        self._widths = array("i")
        self._lacking = array("b")

    def add(self, width: int, *, shows_all: bool) -> None:
        """Take note of the next document: 0 characters where its text is no snippet."""
        self._widths.append(width)
        self._lacking.append(not shows_all)

    def __getitem__(self, document: int) -> tuple[int, bool]:
        """Return what was noted of a document: its snippet's characters, whether it shows all."""
        return self._widths[document], not self._lacking[document]

    def are_whole(self, documents: Numbers) -> Bools:
        """Say of which documents the snippet seems to be all of the text.

        Those are much shorter than most, since nothing was left to be shown. Where texts match
        that show less than was asked for, short snippets are no sign of short texts.
        """
        widths = np.frombuffer(self._widths, dtype=np.int32)
        some = widths[:: 1 + len(widths) // LOOKED_AT]
        if not some.any():
            return np.zeros(len(documents), dtype=np.bool_)
        bound = BRIEF * float(np.median(some[some > 0]))
        lacking = np.frombuffer(self._lacking, dtype=np.int8)
        is_brief = (widths > 0) & (widths < bound)
        if lacking[is_brief].sum() > (1 - TRUSTED) * is_brief.sum():
            return np.zeros(len(documents), dtype=np.bool_)
        return np.asarray((is_brief & (lacking == 0))[documents])
