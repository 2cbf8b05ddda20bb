"""Notice a source that has gone silent: it still answers, and says that nothing was found. No I/O.

A soft block looks like this: from some request on every search has no hits, or the same ones. One
such answer says nothing. A run of them that is longer than chance makes it is suspect, until a
query that had hits before is seen to have them still. And where a source lies only now and then,
some empty answers have hits when they are asked for again.
"""

from longline.model import Asked, Page, Query

RARE = 0.01
"""A run of empty answers that chance makes so rarely is suspect."""

MEMORY = 0.95
"""How much of what was seen counts still, a page later: a stretch of probes is often empty."""

USUAL = 0.8
"""However many answers were empty, no more of the next are expected to be."""

ALIKE = 3
"""So many queries in a row that show the very same first page are suspect."""

LEAST_ROWS = 2
"""Rows of a page below which several queries may well show the same."""


class Silence:
    """Watch the answers of a source for a run of empty ones, or of the same ones.

    Attributes:
        unproven: Pages that came since the source was last seen to answer as it should.
        empty: Every first page without hits that is believed so far.
        is_flaky: An empty answer had hits when it was asked for again.

    >>> from longline.model import Hit
    >>> silence, nothing = Silence(), Page()
    >>> seen = silence.suspects(Query(("web",)), 1, Page((Hit("a"), Hit("b"))))
    >>> suspected = [silence.suspects(Query((word,)), 1, nothing) for word in "abcdefghijklm"]
    >>> suspected[3], suspected[-1], len(silence.unproven)
    (False, True, 13)
    >>> silence.confirm()
    >>> len(silence.unproven), len(silence.empty)
    (0, 13)
    """

    def __init__(self) -> None:
        self.unproven: list[Asked] = []
        self.empty: list[Asked] = []
        self.is_flaky = False
        self._chance = 1.0  # of this run of empty answers
        self._alike = 0
        self._last: tuple[str, ...] = ()  # what the newest query with hits showed
        self._newest: Asked | None = None
        self._weights = [1.0, 1.0]  # of empty answers, and of others

    def suspects(self, query: Query, number: int, page: Page) -> bool:
        """Take note of a page; say whether it ends a run that chance hardly makes."""
        if number > 1:
            self._note(query, number, is_empty=not page.hits, is_alike=False)
            return False
        keys = page.keys
        is_alike = len(keys) >= LEAST_ROWS and keys == self._last
        if is_alike and self._alike == 1 and self._newest:
            self.unproven.append(self._newest)
        self._alike = self._alike + 1 if is_alike else 1
        self._last, self._newest = (keys, (query, 1)) if keys else (self._last, self._newest)
        self._note(query, number, is_empty=not keys, is_alike=is_alike)
        if not keys:
            self._chance *= min(USUAL, self._weights[0] / sum(self._weights))
            self.empty.append((query, number))
        elif not is_alike:
            self._chance = 1.0
        self._weights = [MEMORY * weight for weight in self._weights]
        self._weights[bool(keys)] += 1
        return self._chance < RARE or self._alike >= ALIKE

    def _note(self, query: Query, number: int, *, is_empty: bool, is_alike: bool) -> None:
        if is_empty or is_alike:
            self.unproven.append((query, number))
        else:
            self.unproven.clear()

    def confirm(self) -> None:
        """Believe all that came: a query that had hits before was seen to have them still."""
        self.unproven.clear()
        self._chance, self._alike = 1.0, 1

    def disbelieve(self, query: Query, number: int) -> None:
        """Count a page without hits no more among those that are believed."""
        self.empty = [asked for asked in self.empty if asked != (query, number)]

    def wants_second_look(self) -> bool:
        """Say whether to ask for the newest empty answer again: the 2nd, 4th, 8th, 16th ...

        Of a source that lies now and then, each.
        """
        count = len(self.empty)
        return self.is_flaky or (count > 1 and count & (count - 1) == 0)

    def had_hits(self) -> list[Asked]:
        """Take note that the newest empty answer was false; return those that count no more."""
        self.empty.pop()
        lost, self.empty = self.empty, []
        self.is_flaky = True
        return lost
