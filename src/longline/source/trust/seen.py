"""What is known of a site's answers when they are right; all that ask it share it. No I/O."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from longline.model import Query
from longline.source.trust.change_detector import ChangeDetector
from longline.source.trust.passing import PassingParts
from longline.source.trust.placeholders import Placeholders
from longline.source.trust.silence import Silence
from longline.source.trust.stand_ins import StandIns
from longline.source.trust.torn import PageEnds


@dataclass
class Seen:
    """What earlier answers of a site showed.

    Attributes:
        had_hits, has_hits: The first query that had hits, and the newest; asked again where it is
            not certain whether the site still answers. None before any had.
        watch: How its pages and documents look.
        stand_ins: What it shows where nothing matches.
        placeholders: What comes for several documents.
        silence: Answers without hits.
        ends: How its pages end.
        passing: What of its links changes from one look to the next.
    """

    had_hits: Query | None = None
    has_hits: Query | None = None
    first_keys: tuple[str, ...] = ()
    watch: ChangeDetector = field(default_factory=ChangeDetector)
    stand_ins: StandIns = field(default_factory=StandIns)
    placeholders: Placeholders = field(default_factory=Placeholders)
    silence: Silence = field(default_factory=Silence)
    ends: PageEnds = field(default_factory=PageEnds)
    passing: PassingParts = field(default_factory=PassingParts)

    def see_hits(self, query: Query, keys: tuple[str, ...] = ()) -> None:
        """Take note of a query that had hits, and of what its first page showed."""
        if self.had_hits is None:
            self.had_hits, self.first_keys = query, keys
        self.has_hits = query

    def learn_nonsense(self, keys: Sequence[str]) -> tuple[Query, ...]:
        """Be told which documents came for nonsense; return the queries that these came for.

        Those had no hits of their own, so they are not asked again.
        """
        taken = self.stand_ins.learn(keys)
        first, newest = self.had_hits, self.has_hits
        first, newest = (None if each in taken else each for each in (first, newest))
        self.first_keys = self.first_keys if first else ()
        self.had_hits, self.has_hits = first or newest, newest or first
        return taken
