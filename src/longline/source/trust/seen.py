"""What is known of a site's answers when they are right; all that ask it share it. No I/O."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from longline.model import Query, Response
from longline.source.trust.change_detector import ChangeDetector
from longline.source.trust.passing import PassingParts
from longline.source.trust.placeholders import Placeholders
from longline.source.trust.silence import Silence
from longline.source.trust.stand_ins import StandIns

TAIL_BYTES = 4096
"""What ends a page stands within so many bytes of its end: comments and scripts may follow."""

HEAD_BYTES = 1024
"""Within so many bytes a whole page of HTML says that it is one."""

_BRACKETS = {b"{": b"}", b"[": b"]"}


class PageEnds:
    """Know by its end whether a page is whole.

    JSON ends with the bracket that closes it. HTML may leave its end tag out, so that only a page
    without one is torn whose site mostly writes it.

    >>> ends, whole = PageEnds(), Response(url="", status=200, body=b"<html>Web</html>")
    >>> ends.is_torn(whole), ends.is_torn(Response(url="", status=200, body=b"<html>We"))
    (False, True)
    """

    def __init__(self) -> None:
        self._whole = 0
        self._others = 0

    def is_torn(self, response: Response, *, again: bool = False) -> bool:
        """Take note of a page, unless it was asked for again; say whether some of it is missing."""
        body = response.body.strip()
        if closing := _BRACKETS.get(body[:1]):
            return not body.endswith(closing)
        if not body.startswith(b"<") or b"<html" not in body[:HEAD_BYTES].lower():
            return False  # a part of a page, for a script to put in, has no end tag
        is_whole = b"</html" in body[-TAIL_BYTES:].lower()
        if not again:
            self._whole += is_whole
            self._others += not is_whole
        return not is_whole and self._whole >= self._others


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
