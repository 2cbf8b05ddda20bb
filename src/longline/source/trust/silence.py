"""Detect a source that has gone silent: it still answers, but always with "nothing found". No I/O.

A soft block looks like this: from some request on, every search has no hits, or the same ones. One
empty answer proves nothing. A run longer than chance explains is suspect, until a query that had
hits before is confirmed to have them still. If a source fails only now and then, some empty answers
have hits when they are requested again.
"""

from longline.model import Asked, Page, Query

RARE = 0.01
"""A run of empty answers with a probability below this is suspect."""

MEMORY = 0.95
"""Factor per page by which older answers lose weight: a series of probes is often empty."""

USUAL = 0.8
"""Upper bound of the expected share of empty answers."""

ALIKE = 3
"""This many queries in a row with the same first page are suspect."""

LEAST_ROWS = 2
"""Pages with fewer rows are not compared: several queries may have the same few hits."""


class Silence:
    """Watch a source's answers for a run of empty or identical ones.

    Attributes:
        unproven: Pages received since the source last answered correctly.
        empty: Every first page without hits that is trusted so far.
        is_flaky: An empty answer had hits when it was requested again.

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
        self._last: tuple[str, ...] = ()  # keys of the newest query with hits
        self._newest: Asked | None = None
        self._weights = [1.0, 1.0]  # of empty answers, and of others

    def suspects(self, query: Query, number: int, page: Page) -> bool:
        """Record a page; return whether it ends a run that is unlikely to be chance."""
        if number > 1:
            self._note(query, number, is_doubtful=not page.hits)
            return False
        keys = page.keys
        is_alike = len(keys) >= LEAST_ROWS and keys == self._last
        if is_alike and self._alike == 1 and self._newest:
            self.unproven.append(self._newest)
        self._alike = self._alike + 1 if is_alike else 1
        self._last, self._newest = (keys, (query, 1)) if keys else (self._last, self._newest)
        self._note(query, number, is_doubtful=not keys or is_alike)
        if not keys:
            self._chance *= min(USUAL, self._weights[0] / sum(self._weights))
            self.empty.append((query, number))
        elif not is_alike:
            self._chance = 1.0
        self._weights = [MEMORY * weight for weight in self._weights]
        self._weights[bool(keys)] += 1
        return self._chance < RARE or self._alike >= ALIKE

    def _note(self, query: Query, number: int, *, is_doubtful: bool) -> None:
        if is_doubtful:
            self.unproven.append((query, number))
        else:
            self.unproven.clear()

    def confirm(self) -> None:
        """Trust all pages so far: a query that had hits before still has them."""
        self.unproven.clear()
        self._chance, self._alike = 1.0, 1

    def disbelieve(self, query: Query, number: int) -> None:
        """Remove a page from the empty ones that are trusted."""
        self.empty = [asked for asked in self.empty if asked != (query, number)]

    def wants_second_look(self) -> bool:
        """Return whether to repeat the newest empty answer: the 2nd, 4th, 8th, 16th ...

        Every one, if the source fails now and then.
        """
        count = len(self.empty)
        return self.is_flaky or (count > 1 and count & (count - 1) == 0)

    def had_hits(self) -> list[Asked]:
        """Record that the newest empty answer was false; return those no longer trusted."""
        self.empty.pop()
        lost, self.empty = self.empty, []
        self.is_flaky = True
        return lost
