"""A fault that a search site can have: what it does, and what can be had under it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from tests.honesty.lies import MakeLie
from tests.honesty.stage import FOREVER, Kind, ReadLie, Stage
from tests.honesty.wire import Wire

from longline.model import Document

Keys = Callable[[Stage], frozenset[str]]
Documents = tuple[Document, ...]

WHOLE = frozenset({"complete"})
FINE = frozenset({"complete", "partial"})
SILENT = frozenset({"blocked", "changed"})
NO_DOCUMENTS = frozenset({"blocked", "changed", "partial", "empty", "failed"})
BLOCKED = frozenset({"blocked"})
GONE = frozenset({"unreachable"})
BROKEN = frozenset({"blocked", "unreachable", "failed", "changed", "partial"})


def none(stage: Stage) -> frozenset[str]:
    """Choose no document."""
    return frozenset()


def every(stage: Stage) -> frozenset[str]:
    """Choose all documents."""
    return frozenset(document.key for document in stage.documents)


def as_it_is(documents: Documents) -> Documents:
    """Change no document."""
    return documents


@dataclass(frozen=True)
class some:  # noqa: N801 - reads as the function that it is
    """Choose one document in so many, one at least, at random and the same each time."""

    name: str
    one_in: float

    def __call__(self, stage: Stage) -> frozenset[str]:
        """Return their keys."""
        return stage.choose(self.name, max(1, round(len(stage.documents) / self.one_in)))


@dataclass(frozen=True, kw_only=True)
class Switch:
    """A fault, and the truth under it.

    Attributes:
        name: Short, for a table.
        does: What goes wrong, from which request on, or for what share.
        lies: About result pages.
        reads: About documents.
        wires: On the way.
        corpus: Changes the documents themselves.
        robots: Text of robots.txt; None for one that allows all.
        session: Method of the form of a site that pages by its session; "" for other sites.
        host: Name of the site; "" for its address.
        group: A site has one fault of a group at most; "" for none.
        only: The form of site that can have it; "" for any.
        kind: Of the site that has it alone.
        gone: Keys whose text is not to be had by anybody; they are no part of what a complete
            harvest holds.
        lost: Keys whose text exists, but cannot be had within four runs.
        bound: Nor can what was not "shown", or not "served", before the fault struck for good.
        runs: It is lifted after so many runs.
        outcomes: That are true of a run with it. `complete` is always allowed where the
            documents held bear it out.
    """

    name: str
    does: str
    outcomes: frozenset[str] = FINE
    lies: tuple[MakeLie, ...] = ()
    reads: tuple[ReadLie, ...] = ()
    wires: tuple[Wire, ...] = ()
    corpus: Callable[[Documents], Documents] = as_it_is
    robots: Callable[[Stage], str] | None = None
    session: str = ""
    host: str = ""
    group: Literal["", "robots", "session", "host", "gzip"] = ""
    only: Literal["", "html", "json"] = ""
    kind: Kind = field(default_factory=Kind)
    gone: Keys = none
    lost: Keys = none
    bound: Literal["", "shown", "served"] = ""
    runs: int = FOREVER

    def words(self, run: int) -> frozenset[str]:
        """Return the outcomes that are true of a run, beside `complete`."""
        return self.outcomes if run <= self.runs else FINE

    def goes_with(self, other: Switch) -> bool:
        """Say whether a site can have both faults."""
        is_same = self.stem == other.stem or (self.group == other.group != "")
        return not is_same and (not self.only or not other.only or self.only == other.only)

    @property
    def stem(self) -> str:
        """Its name, whether it is lifted or not."""
        return self.name.removesuffix("-lifted")


def lifted(make: Callable[[int], Switch]) -> tuple[Switch, Switch]:
    """Return a fault that stays for ever, and the same lifted after the first run."""
    forever, once = make(FOREVER), make(1)
    return forever, replace(once, name=f"{once.name}-lifted", bound="", runs=1)
