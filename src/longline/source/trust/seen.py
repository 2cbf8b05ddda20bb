"""What is known of a site's correct answers, shared by all who query it. No I/O."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from longline.model import Query, Response
from longline.source.trust.change_detector import ChangeDetector
from longline.source.trust.new_links import NewLinks
from longline.source.trust.passing import PassingParts
from longline.source.trust.placeholders import Placeholders
from longline.source.trust.silence import Silence
from longline.source.trust.stand_ins import StandIns
from longline.source.trust.unread import Unread
from longline.text.hashes import Hashes

TAIL_BYTES = 4096
"""End tags are searched in this many bytes at the end: comments and scripts may follow them."""

HEAD_BYTES = 1024
"""The <html> tag of a complete page is within this many bytes of its start."""

ENDING_BYTES = 24
"""So many bytes at the end of a page tell whether another one ends in the same way."""

SAME_ENDS = 2
"""If so many pages end in the same way, also when they are requested again, none is truncated."""

_BRACKETS = {b"{": b"}", b"[": b"]"}


class PageEnds:
    """Decide by its end whether a page is complete.

    JSON ends with its closing bracket. HTML may leave out its end tag: a page without one counts as
    truncated only if the site usually writes it.

    >>> ends, whole = PageEnds(), Response(url="", status=200, body=b"<html>Web</html>")
    >>> ends.is_torn(whole), ends.is_torn(Response(url="", status=200, body=b"<html>We"))
    (False, True)
    """

    def __init__(self) -> None:
        self._whole = 0
        self._others = 0
        self._endings = defaultdict[bytes, Counter[str]](Counter)

    def is_torn(self, response: Response, *, again: bool = False) -> bool:
        """Return whether a page is truncated; record it, unless it was requested again.

        An end that several pages have each time they are requested is how the site writes them.
        """
        body = response.body.strip()
        if closing := _BRACKETS.get(body[:1]):
            return not body.endswith(closing)
        if not body.startswith(b"<") or b"<html" not in body[:HEAD_BYTES].lower():
            return False  # a page fragment, which a script inserts, has no end tag
        is_whole = b"</html" in body[-TAIL_BYTES:].lower()
        if not again:
            self._whole += is_whole
            self._others += not is_whole
        if is_whole or self._whole < self._others:
            return False
        times = self._endings[body[-ENDING_BYTES:]]
        if not _recurs(times):  # what is known is counted no further
            times[response.url] += 1
        return not _recurs(times)


def _recurs(times: Counter[str]) -> bool:
    """Return whether several pages ended so more than once."""
    return sum(count > 1 for count in times.values()) >= SAME_ENDS


@dataclass
class Seen:
    """What earlier answers of a site showed.

    Attributes:
        had_hits, has_hits: The first and the newest query with hits, repeated to check if the site
            still answers. None before any.
        watch: The layout of its pages and documents.
        stand_ins: Documents it shows if nothing matches.
        placeholders: Pages returned for several documents.
        silence: Answers without hits.
        unread: Answers without hits before any had some.
        ends: How its pages end.
        listed: The documents that a list without words names.
        moved_to: Keys of new documents, by address: that of an earlier one may lead there.
        passing: Parts of its links that change between requests.
        links: What documents' pages link to.
    """

    had_hits: Query | None = None
    has_hits: Query | None = None
    first_keys: tuple[str, ...] = ()
    watch: ChangeDetector = field(default_factory=ChangeDetector)
    stand_ins: StandIns = field(default_factory=StandIns)
    placeholders: Placeholders = field(default_factory=Placeholders)
    silence: Silence = field(default_factory=Silence)
    unread: Unread = field(default_factory=Unread)
    ends: PageEnds = field(default_factory=PageEnds)
    passing: PassingParts = field(default_factory=PassingParts)
    listed: Hashes = field(default_factory=Hashes)
    moved_to: dict[str, str] = field(default_factory=dict)
    links: NewLinks = field(default_factory=NewLinks)

    def see_hits(self, query: Query, keys: tuple[str, ...]) -> None:
        """Record a query that had hits, and the keys on its first page."""
        if self.had_hits is None:
            self.had_hits, self.first_keys = query, keys
        self.has_hits = query

    def see_listed(self, keys: tuple[str, ...]) -> None:
        """Record the documents on a page of a list."""
        for key in keys:
            self.listed.number(key)

    def learn_nonsense(self, keys: Sequence[str]) -> tuple[Query, ...]:
        """Record the documents returned for nonsense; return the queries that had the same ones.

        These had no hits of their own, so they are not queried again.
        """
        taken = self.stand_ins.learn(keys)
        first, newest = self.had_hits, self.has_hits
        first, newest = (None if each in taken else each for each in (first, newest))
        self.first_keys = self.first_keys if first else ()
        self.had_hits, self.has_hits = first or newest, newest or first
        return taken
