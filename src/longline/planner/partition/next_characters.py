"""How names go on, character by character, as far as those that came show.

The chance of a character after a beginning is that of the names that begin so, mixed with that of
ever shorter contexts, each as far as it is known (Witten and Bell's smoothing). So what has begun
often, and always went on in one way, hardly goes on in another; what was seen twice may.

Source: Witten & Bell 1991, "The zero-frequency problem", method C.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Literal

Matching = Literal["start", "word", "anywhere"]
"""Where in a name what is typed may stand: at its start, at that of a word, anywhere."""

CONTEXT = 5
"""Characters before the next one that are looked at, beside the whole beginning."""

END = "\0"
"""Stands for the end of a name."""

ALPHABET = 64
"""Characters that a name may go on with, while none is known."""

HIDDEN = 2.0
"""A full answer is taken to stand for so many times the names that are known of it."""

_WORD_STARTS = re.compile(r"(?<!\w)\w")


class NextCharacters:
    """What names that begin in some way go on with.

    Args:
        matching: Where in a name what is typed may stand.

    Attributes:
        is_ordered: Answers show the first names in the order of the alphabet.

    >>> known = NextCharacters()
    >>> known.add("sea"), known.add("seal"), known.add("ship")
    (None, None, None)
    >>> known.expected("se", 10) > known.expected("sx", 10)
    True
    """

    def __init__(self, matching: Matching = "start") -> None:
        self.matching: Matching = matching
        self.is_ordered = False
        self._after = _Following()  # by context
        self._begun = _Following()  # by the whole beginning
        self._fresh: list[str] = []

    @property
    def characters(self) -> list[str]:
        """Those that names have after their first."""
        return [each for each in self._after.times[""] if each != END]

    def take_fresh(self) -> list[str]:
        """Return the characters that are new since this was asked."""
        fresh, self._fresh = self._fresh, []
        return fresh

    def add(self, name: str) -> None:
        """Take note of a name."""
        for at in range(1, len(name) + 1):
            character = name[at] if at < len(name) else END
            if character != END and character not in self._after.times[""]:
                self._fresh.append(character)
            for length in range(min(CONTEXT, at) + 1):
                self._after.add(name[at - length : at], character)
        for part in self._parts(name):
            for at in range(1, len(part) + 1):
                self._begun.add(part[:at], part[at : at + 1] or END)

    def _parts(self, name: str) -> Iterator[str]:
        """Yield what of a name may be found by how it begins."""
        if self.matching == "start":
            yield name
        elif self.matching == "word":
            yield from (name[found.start() :] for found in _WORD_STARTS.finditer(name))
        else:
            yield from (name[at:] for at in range(len(name)))

    def expected(self, typed: str, most: int) -> float:
        """Return how many new names what is typed will bring, if what is above it was full.

        Args:
            typed: Of two characters or more; of one, a full answer is expected.
            most: Names of a full answer.
        """
        if len(typed) < 2:
            return float(most)
        above, character = typed[:-1], typed[-1]
        chance = 1 / ALPHABET
        for length in range(min(CONTEXT, len(above)) + 1):
            chance = self._after.mixed(above[len(above) - length :], character, chance)
        if not self.is_ordered:
            # The first names of an order say nothing of what comes after them.
            chance = self._begun.mixed(above, character, chance)
        there = HIDDEN * max(self._begun.totals[above], most) * chance
        return min(max(there - self._begun.totals[typed], 0.2 * chance), float(most))


class _Following:
    """Which characters follow a context, and how often."""

    def __init__(self) -> None:
        self.times: dict[str, Counter[str]] = defaultdict(Counter)
        self.totals: Counter[str] = Counter()

    def add(self, context: str, character: str) -> None:
        self.times[context][character] += 1
        self.totals[context] += 1

    def mixed(self, context: str, character: str, chance: float) -> float:
        """Return the chance of a character, where `chance` is that without this context."""
        if context not in self.totals:
            return chance
        after = self.times[context]
        kinds = len(after)
        return (after[character] + kinds * chance) / (self.totals[context] + kinds)


def matching_of(typed: str, names: Iterable[str]) -> Matching:
    """Say where in names what is typed stands; "start" where it stands nowhere in them.

    >>> [matching_of("se", [name]) for name in ("sea", "deep sea", "use")]
    ['start', 'word', 'anywhere']
    """
    found: Matching = "start"
    for name in names:
        if name.startswith(typed) or typed not in name:
            continue
        if not re.search(rf"(?<!\w){re.escape(typed)}", name):
            return "anywhere"
        found = "word"
    return found
