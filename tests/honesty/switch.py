"""A fault that a search site can have: its effect, and what remains available."""

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
    """Return no keys."""
    return frozenset()


def every(stage: Stage) -> frozenset[str]:
    """Return the keys of all documents."""
    return frozenset(document.key for document in stage.documents)


def as_it_is(documents: Documents) -> Documents:
    """Return the documents unchanged."""
    return documents


@dataclass(frozen=True)
class some:  # noqa: N801 - reads as the function that it is
    """Choose one in `one_in` documents at random, at least one, and the same on every call."""

    name: str
    one_in: float

    def __call__(self, stage: Stage) -> frozenset[str]:
        """Return the chosen keys."""
        return stage.choose(self.name, max(1, round(len(stage.documents) / self.one_in)))


@dataclass(frozen=True, kw_only=True)
class Switch:
    """A fault, and the truth about a site that has it.

    Attributes:
        name: Short name for a table.
        does: The effect, and when or how often it occurs.
        lies: Changes of result pages.
        reads: Changes of documents when read.
        wires: Changes of the transfer.
        corpus: Changes the documents themselves.
        robots: Text of robots.txt; None to allow everything.
        session: Form method of a site that pages by session; "" for other sites.
        host: Host name of the site; "" for its IP address.
        group: A site can have only one fault of a group; "" for no group.
        only: The only form of site that can have it; "" for any.
        kind: Kind of site when the fault is judged alone.
        gone: Keys of documents whose text nobody can get; a complete harvest does not need them.
        lost: Keys of documents whose text exists, but cannot be had within four runs.
        bound: "shown" or "served": only documents that were so before are within reach.
        runs: Number of runs after which the fault is lifted.
        outcomes: Outcomes that are right for a run with it. `complete` is always allowed if
            enough documents are held.
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
        """Return the outcomes that are right for a run, besides `complete`."""
        return self.outcomes if run <= self.runs else FINE

    def goes_with(self, other: Switch) -> bool:
        """Return whether a site can have both faults."""
        is_same = self.stem == other.stem or (self.group == other.group != "")
        return not is_same and (not self.only or not other.only or self.only == other.only)

    @property
    def stem(self) -> str:
        """The name without "-lifted"."""
        return self.name.removesuffix("-lifted")


def lifted(make: Callable[[int], Switch]) -> tuple[Switch, Switch]:
    """Return a permanent fault, and the same fault lifted after the first run."""
    forever, once = make(FOREVER), make(1)
    return forever, replace(once, name=f"{once.name}-lifted", bound="", runs=1)
