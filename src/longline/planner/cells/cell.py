"""Cells: disjoint sets of documents, each the answer of one query, in a tree of splits."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
import numpy.typing as npt

from longline.model import Query
from longline.planner.cells.size import Size
from longline.planner.observed import AnswerProgress, DocumentIndex, Numbers, evenly_spaced

Floats = npt.NDArray[np.float64]
Tally = tuple[Numbers, Floats]

NEIGHBOURS = 64.0
"""A cell's neighbours have at most the weight of this many documents when shares are estimated."""

SAMPLE = 1000
"""The most held documents in which shares are counted."""

NEARBY = 500
"""The most neighbours kept of a cell, and the most documents searched for them."""

FEW = 20
"""With fewer neighbours, documents that miss a cell by two terms are used too."""

TERMS = 3000
"""The number of most common terms by which a cell may be split."""

RARE = 2e-4
"""Terms with a smaller share do not split: their side is empty, or not worth a query."""

STALE = 2.0
"""Shares are counted again when the cell has this many times the documents."""

AGED = 1.25
"""Neighbours are searched again when this many times the documents are held in total."""


def _nothing() -> array[int]:
    return array("i")


@dataclass(frozen=True)
class Shares:
    """The terms of a cell's documents, estimated from the held ones.

    Attributes:
        terms: The numbers of the cell's most common terms.
        held: How many of the cell's held documents contain each.
        share: Expected share of the cell's other documents that contain each.
        documents: The held documents of the cell when this was counted.
    """

    terms: Numbers
    held: Floats
    share: Floats
    documents: int


@dataclass(eq=False, slots=True)
class Cell(AnswerProgress):
    """The documents that contain every required term and no excluded one.

    A cell in a tree is given each held document that belongs to it; any other cell, and a closed
    one, looks for them when needed.

    Attributes:
        size: How many there are, as far as known.
        parent: The cell that this is a side of; None for the complete source.
        open_sides: Sides of its split that are not fetched yet.
        is_told: Whether it is given every held document that belongs to it.
        tried: Terms that turned out not to split it.
    """

    required: tuple[str, ...]
    excluded: tuple[str, ...]
    size: Size
    parent: Cell | None = None
    open_sides: int = 0
    is_told: bool = False
    tried: frozenset[str] = frozenset()
    _documents: array[int] = field(default_factory=_nothing)
    _seen: int = 0
    _shares: Shares | None = None
    _near: Numbers | None = None
    _near_of: int = 0
    _below: dict[str, list[Cell]] = field(default_factory=dict)  # parts, by a required term
    _needed: tuple[str, ...] = ()
    _barred: tuple[str, ...] = ()

    @property
    def query(self) -> Query:
        """The query for this cell."""
        return Query(self.required, self.excluded)

    @property
    def length(self) -> int:
        """The number of terms in its query."""
        return len(self.required) + len(self.excluded)

    def side(self, term: str, *, holds: bool, held: DocumentIndex) -> Cell:
        """Return the part of documents with a term, or without it; the caller sets its size."""
        return self.adopt(
            Cell(
                (*self.required, term) if holds else self.required,
                self.excluded if holds else (*self.excluded, term),
                self.size,
            ),
            held,
        )

    def adopt(self, cell: Cell, held: DocumentIndex) -> Cell:
        """Make a cell a part of this one, so that it is given its documents; return it."""
        cell.parent = self
        self._fill(cell, held)
        cell.is_told = self.is_told
        self._below.setdefault(cell._first_needed, []).append(cell)
        return cell

    @property
    def _first_needed(self) -> str:
        """A term that its documents have and not all of its parent's; "" if there is none."""
        return self._needed[0] if self._needed else ""

    def _parts(self) -> Iterator[Cell]:
        return chain.from_iterable(self._below.values())

    def _fill(self, cell: Cell, held: DocumentIndex) -> None:
        """Find which of this cell's documents belong to a part, and prepare it for later ones."""
        cell._needed = tuple(held.labels(cell.required[len(self.required) :]))
        cell._barred = tuple(held.labels(cell.excluded[len(self.excluded) :]))
        documents = self.documents(held)
        if len(documents) == len(held):  # few of them contain a term: look up its list
            documents = held.matching(cell._needed, cell._barred)
        else:
            has = held.holds(documents, (*cell._needed, *cell._barred))
            needed = len(cell._needed)
            documents = documents[has[:, :needed].all(axis=1) & ~has[:, needed:].any(axis=1)]
        cell._documents = array("i", documents.tobytes())
        cell._seen = len(held)

    def renew(self, held: DocumentIndex) -> None:
        """Find again which documents belong to the parts, after terms were merged differently."""
        self._shares = self._near = None
        parts = list(self._parts())
        self._below.clear()
        for cell in parts:
            self._fill(cell, held)
            self._below.setdefault(cell._first_needed, []).append(cell)
            cell.renew(held)

    def undivided_by(self) -> set[str]:
        """Return the terms that turned out not to split it, or the cells it is part of."""
        if self.parent is None:
            return set(self.tried)
        return self.parent.undivided_by() | self.tried

    def divide(self) -> None:
        """Mark the cell as split: its two sides are fetched instead."""
        self.open_sides = 2
        self._shares = None

    def disown(self) -> None:
        """Forget the parts into which it should have been split."""
        self._below.clear()

    def place(self, document: int, terms: Collection[str]) -> None:
        """Pass a new document, which belongs to this cell, on to its parts."""
        reached = [self] if self.is_told else []
        for cell in reached:  # grows during the loop
            cell._documents.append(document)
            below = cell._below
            for term in below if len(below) < len(terms) else ("", *terms):
                reached += [part for part in below.get(term, ()) if part._takes(terms)]

    def _takes(self, terms: Collection[str]) -> bool:
        """Return whether a document of the parent belongs to this cell."""
        # Plain loops: most parts differ from the cell by one term, and `any` and `all` are slower.
        for term in self._needed:
            if term not in terms:
                return False
        for term in self._barred:  # noqa: SIM110
            if term in terms:
                return False
        return True

    def documents(self, held: DocumentIndex) -> Numbers:
        """Return the held documents that belong to this cell, ascending."""
        self._look_up(held)
        return np.array(self._documents, dtype=np.int32)

    def count(self, held: DocumentIndex) -> int:
        """Return how many held documents belong to this cell."""
        self._look_up(held)
        return len(self._documents)

    def _look_up(self, held: DocumentIndex) -> None:
        if not self.is_told and self._seen < len(held):
            new = held.matching(self.required, self.excluded, self._seen)
            self._documents.frombytes(new.tobytes())
            self._seen = len(held)

    @property
    def is_refused(self) -> bool:
        """Whether even its first page could not be loaded."""
        return self.failed and not self.rows

    def close(self) -> None:
        """Free memory once a cell, and so perhaps its parent, is fetched."""
        self._forget()
        self.keys = ()
        if self.parent is not None:
            self.parent._drop(self)
            self.parent.open_sides -= 1
            if self.parent.open_sides == 0:
                self.parent.close()

    def _drop(self, cell: Cell) -> None:
        """Remove a part, so that no more documents are passed to it."""
        parts = self._below.get(cell._first_needed, [])
        if cell in parts:
            parts.remove(cell)
            if not parts:
                del self._below[cell._first_needed]

    def _forget(self) -> None:
        for cell in self._parts():
            cell._forget()  # no documents reach it any more
        self._below.clear()
        self._documents, self._seen, self.is_told = _nothing(), 0, False
        self._shares = self._near = None

    def reconsider(self) -> None:
        """Count the shares again next time, because something was learned about them."""
        self._shares = None

    def near(self, held: DocumentIndex) -> Numbers:
        """Return held documents that miss this cell by one term of its query, or a sample of them.

        They are the parent's documents outside this cell, and those that miss the parent by one
        term and would otherwise be in this cell.
        """
        if self.parent is None:
            return np.empty(0, dtype=np.int32)
        if self._near is None or len(held) > AGED * self._near_of:
            self._near, self._near_of = self.parent._missing(self, held, most=1), len(held)
        return self._near

    def _missing(self, part: Cell, held: DocumentIndex, most: int) -> Numbers:
        """Return documents that miss a part of this cell by 1 to `most` of its query's terms."""
        inside, around = evenly_spaced(self.documents(held), NEARBY), self.near(held)
        needed = part.required[len(self.required) :]
        barred = part.excluded[len(self.excluded) :]
        found = np.concatenate([inside, around])
        has = held.holds(found, (*needed, *barred))
        misses = (~has[:, : len(needed)]).sum(axis=1) + has[:, len(needed) :].sum(axis=1)
        misses[len(inside) :] += 1
        return evenly_spaced(found[(misses > 0) & (misses <= most)], NEARBY)

    def _neighbours(self, held: DocumentIndex) -> Numbers:
        """Return the documents near this cell; if there are very few, also less near ones."""
        near = self.near(held)
        if len(near) < FEW and self.parent is not None:
            return self.parent._missing(self, held, most=2)
        return near

    def shares(self, held: DocumentIndex) -> Shares:
        """Estimate the share of the cell's documents that contain each of its common terms.

        The share in the cell's held documents is shrunk towards the share in its neighbours: the
        held documents came on few pages, and are alike; those that miss the cell by one term came
        on many. If terms that should have split the cell did not, its documents differ from its
        neighbours: each such failure halves the weight of the neighbours.
        """
        documents = self.count(held)
        old = self._shares
        if old is not None and documents <= STALE * old.documents:
            return old
        some = evenly_spaced(self.documents(held), SAMPLE)
        near = self._neighbours(held)
        weight = min(NEIGHBOURS, len(near)) * 0.5 ** len(self.tried)
        terms, counted, beside = _beside(held.tally(some), held.tally(near))
        share = (counted + weight * beside / max(1, len(near))) / max(len(some) + weight, 1.0)
        kept = _commonest(share)
        there = counted[kept] * documents / max(1, len(some))
        self._shares = Shares(terms[kept], there, share[kept], documents)
        return self._shares


def _beside(here: Tally, there: Tally) -> tuple[Numbers, Floats, Floats]:
    """Return the terms of both, ascending, and how often each was counted in either."""
    both = np.sort(np.concatenate([here[0], there[0]]))
    both = both[np.flatnonzero(np.diff(both, append=-1))]
    counted = np.zeros((2, len(both)))
    for row, (terms, found) in zip(counted, (here, there), strict=True):
        row[np.searchsorted(both, terms)] = found
    return both, counted[0], counted[1]


def _commonest(share: Floats) -> npt.NDArray[np.intp]:
    found = np.flatnonzero(share > RARE)
    if len(found) > TERMS:
        found = np.sort(found[np.argpartition(-share[found], TERMS)[:TERMS]])
    return found
