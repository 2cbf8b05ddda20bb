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
from longline.planner.observed import AnswerProgress, DocumentIndex, Numbers, spread

Floats = npt.NDArray[np.float64]
Tally = tuple[Numbers, Floats]

NEIGHBOURS = 64.0
"""A cell's neighbours count for so many documents in the estimate of its shares, at most."""

SAMPLE = 1000
"""Held documents that shares are counted in, at most."""

NEARBY = 500
"""Neighbours that are kept of a cell, and documents that they are looked for in, at most."""

FEW = 20
"""With fewer neighbours, documents that miss a cell by two terms are taken for such."""

TERMS = 3000
"""Terms that a cell may be split by: the commonest in it."""

RARE = 2e-4
"""Terms of a smaller share split nothing: their side is empty, or not worth a query."""

STALE = 2.0
"""Shares are counted anew when a cell holds so many times the documents."""

AGED = 1.25
"""Neighbours are looked for anew when so many times the documents are held in all."""


def _nothing() -> array[int]:
    return array("i")


@dataclass(frozen=True)
class Shares:
    """Which terms a cell's documents hold, as far as the held ones tell.

    Attributes:
        terms: Numbers of the cell's commonest terms.
        held: How many of the cell's held documents have each.
        share: Of the cell's other documents, expected to have each.
        documents: Held documents of the cell when this was counted.
    """

    terms: Numbers
    held: Floats
    share: Floats
    documents: int


@dataclass(eq=False, slots=True)
class Cell(AnswerProgress):
    """The documents that hold every required term and no excluded one.

    A cell that is part of a tree is told of every held document that sinks into it; any other,
    and one that was closed, looks for them when it is asked.

    Attributes:
        size: How many there are, as far as is known.
        parent: What this is a side of; None for the whole source.
        open_sides: Sides of its split that are not fetched yet.
        is_told: Whether every held document that belongs here is placed here as it comes.
        tried: Terms that turned out not to split it.
    """

    required: tuple[str, ...]
    excluded: tuple[str, ...]
    size: Size
    parent: Cell | None = None
    open_sides: int = 0
    is_told: bool = False
    tried: set[str] = field(default_factory=set)
    _documents: array[int] = field(default_factory=_nothing)
    _seen: int = 0
    _shares: Shares | None = None
    _near: Numbers | None = None
    _near_of: int = 0
    _below: dict[str, list[Cell]] = field(default_factory=dict)  # its parts, by a term they need
    _needed: tuple[str, ...] = ()
    _barred: tuple[str, ...] = ()

    @property
    def query(self) -> Query:
        """What asks for it."""
        return Query(self.required, self.excluded)

    @property
    def length(self) -> int:
        """Terms in its query."""
        return len(self.required) + len(self.excluded)

    def side(self, term: str, *, holds: bool, held: DocumentIndex) -> Cell:
        """Return the part whose documents hold a term, or do not; its size is to be set."""
        return self.adopt(
            Cell(
                (*self.required, term) if holds else self.required,
                self.excluded if holds else (*self.excluded, term),
                self.size,
            ),
            held,
        )

    def adopt(self, cell: Cell, held: DocumentIndex) -> Cell:
        """Take a cell as a part of this one, from now on told of what sinks into both."""
        cell.parent = self
        self._fill(cell, held)
        cell.is_told = self.is_told
        self._below.setdefault(cell._first_needed, []).append(cell)
        return cell

    @property
    def _first_needed(self) -> str:
        """A term that its documents have and not all of its parent's; "" where there is none."""
        return self._needed[0] if self._needed else ""

    def _parts(self) -> Iterator[Cell]:
        return chain.from_iterable(self._below.values())

    def _fill(self, cell: Cell, held: DocumentIndex) -> None:
        """Find what of this cell's documents belongs to a part of it, and what will."""
        cell._needed = tuple(held.labels(cell.required[len(self.required) :]))
        cell._barred = tuple(held.labels(cell.excluded[len(self.excluded) :]))
        documents = self.documents(held)
        if len(documents) == len(held):  # few of all hold a term: they are found first
            documents = held.matching(cell._needed, cell._barred)
        else:
            has = held.holds(documents, (*cell._needed, *cell._barred))
            needed = len(cell._needed)
            documents = documents[has[:, :needed].all(axis=1) & ~has[:, needed:].any(axis=1)]
        cell._documents = array("i", documents.tobytes())
        cell._seen = len(held)

    def renew(self, held: DocumentIndex) -> None:
        """Find anew what belongs to the parts of this cell: other terms are one to the source."""
        self._shares = self._near = None
        parts = list(self._parts())
        self._below.clear()
        for cell in parts:
            self._fill(cell, held)
            self._below.setdefault(cell._first_needed, []).append(cell)
            cell.renew(held)

    def undivided_by(self) -> set[str]:
        """Return the terms that turned out not to split it, or what it is part of."""
        if self.parent is None:
            return set(self.tried)
        return self.parent.undivided_by() | self.tried

    def divide(self) -> None:
        """Note that its two sides are to be fetched in its place."""
        self.open_sides = 2
        self._shares = None

    def disown(self) -> None:
        """Forget the parts that it was to be split into."""
        self._below.clear()

    def place(self, document: int, terms: Collection[str]) -> None:
        """Let a newly held document, which belongs here, sink into the parts of this cell."""
        reached = [self] if self.is_told else []
        for cell in reached:  # grows while it is gone through
            cell._documents.append(document)
            below = cell._below
            for term in below if len(below) < len(terms) else ("", *terms):
                reached += [part for part in below.get(term, ()) if part._takes(terms)]

    def _takes(self, terms: Collection[str]) -> bool:
        """Say whether a document of the parent belongs here."""
        # Plain loops: most parts differ from the cell by one term, and `any` and `all` cost more.
        for term in self._needed:
            if term not in terms:
                return False
        for term in self._barred:  # noqa: SIM110
            if term in terms:
                return False
        return True

    def documents(self, held: DocumentIndex) -> Numbers:
        """Return the held documents that belong here, ascending."""
        self._look_up(held)
        return np.array(self._documents, dtype=np.int32)

    def count(self, held: DocumentIndex) -> int:
        """Return how many held documents belong here."""
        self._look_up(held)
        return len(self._documents)

    def _look_up(self, held: DocumentIndex) -> None:
        if not self.is_told and self._seen < len(held):
            new = held.matching(self.required, self.excluded, self._seen)
            self._documents.frombytes(new.tobytes())
            self._seen = len(held)

    @property
    def is_refused(self) -> bool:
        """Whether not even its first page came."""
        return self.failed and not self.rows

    def close(self) -> None:
        """Let go of what is not needed once a cell, and so perhaps its parent, is fetched."""
        self._forget()
        self.keys = ()
        if self.parent is not None:
            self.parent._drop(self)
            self.parent.open_sides -= 1
            if self.parent.open_sides == 0:
                self.parent.close()

    def _drop(self, cell: Cell) -> None:
        """Place nothing more in a part."""
        parts = self._below.get(cell._first_needed, [])
        if cell in parts:
            parts.remove(cell)
            if not parts:
                del self._below[cell._first_needed]

    def _forget(self) -> None:
        for cell in self._parts():
            cell._forget()  # nothing reaches it any more
        self._below.clear()
        self._documents, self._seen, self.is_told = _nothing(), 0, False
        self._shares = self._near = None

    def reconsider(self) -> None:
        """Count the shares anew next time: something was learnt about them."""
        self._shares = None

    def near(self, held: DocumentIndex) -> Numbers:
        """Return held documents that miss this cell by one term of its query, or a sample of them.

        Those of its parent that are not in it, and those that miss its parent by one term and
        would be in it otherwise.
        """
        if self.parent is None:
            return np.empty(0, dtype=np.int32)
        if self._near is None or len(held) > AGED * self._near_of:
            self._near, self._near_of = self.parent._missing(self, held, most=1), len(held)
        return self._near

    def _missing(self, part: Cell, held: DocumentIndex, most: int) -> Numbers:
        """Return what misses a part of this cell by 1 to so many terms of the part's query."""
        inside, around = spread(self.documents(held), NEARBY), self.near(held)
        needed = part.required[len(self.required) :]
        barred = part.excluded[len(self.excluded) :]
        found = np.concatenate([inside, around])
        has = held.holds(found, (*needed, *barred))
        misses = (~has[:, : len(needed)]).sum(axis=1) + has[:, len(needed) :].sum(axis=1)
        misses[len(inside) :] += 1
        return spread(found[(misses > 0) & (misses <= most)], NEARBY)

    def _neighbours(self, held: DocumentIndex) -> Numbers:
        """Return what is near this cell; where that is next to nothing, what is not far from it."""
        near = self.near(held)
        if len(near) < FEW and self.parent is not None:
            return self.parent._missing(self, held, most=2)
        return near

    def shares(self, held: DocumentIndex) -> Shares:
        """Estimate which terms the cell's documents hold.

        The share in the cell's held documents, shrunk towards that in its neighbours: what is
        held of the cell came on few pages, and is like itself; what misses it by one term
        came on many. Where terms that should have split the cell did not, its documents
        are unlike its neighbours: each such failure halves the weight of these.
        """
        documents = self.count(held)
        old = self._shares
        if old is not None and documents <= STALE * old.documents:
            return old
        some = spread(self.documents(held), SAMPLE)
        near = self._neighbours(held)
        weight = min(NEIGHBOURS, len(near)) * 0.5 ** len(self.tried)
        terms, counted, beside = _beside(held.tally(some), held.tally(near))
        share = (counted + weight * beside / max(1, len(near))) / max(len(some) + weight, 1.0)
        kept = _commonest(share)
        there = counted[kept] * documents / max(1, len(some))
        self._shares = Shares(terms[kept], there, share[kept], documents)
        return self._shares


def _beside(here: Tally, there: Tally) -> tuple[Numbers, Floats, Floats]:
    """Return the terms of both, ascending, and how often they were counted in either."""
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
