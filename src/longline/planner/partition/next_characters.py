"""Predict the next character of names, from the names received so far.

The probability of a character after a prefix is its share among the names with that prefix, mixed
with its probability after ever shorter contexts, each weighted by how well it is known (Witten and
Bell's smoothing). So a prefix that was seen often, always with the same next character, hardly
predicts another; one that was seen twice may.

Source: Witten & Bell 1991, "The zero-frequency problem", method C.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Literal

Matching = Literal["start", "word", "anywhere"]
"""Where the typed text may occur in a name: at its start, at the start of a word, anywhere."""

CONTEXT = 5
"""The most characters of context before the next one, besides the complete prefix."""

END = "\0"
"""Marks the end of a name."""

ALPHABET = 64
"""The assumed number of possible next characters, while none is known."""

HIDDEN = 2.0
"""A full answer is taken to represent this many times its known names."""

LONGEST = 20
"""How many characters of a beginning are learnt if a name may match anywhere; more are rare."""

_WORD_STARTS = re.compile(r"(?<!\w)\w")


class NextCharacters:
    """The distribution of the next character after each prefix of names.

    Args:
        matching: Where in a name the typed text may occur.

    Attributes:
        is_ordered: Whether answers show the first names in alphabetical order.

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
        """The characters that occur in names after the first one."""
        return [each for each in self._after.times[""] if each != END]

    def take_fresh(self) -> list[str]:
        """Return the characters that are new since the last call."""
        fresh, self._fresh = self._fresh, []
        return fresh

    def add(self, name: str) -> None:
        """Learn from a name."""
        for at in range(1, len(name) + 1):
            character = name[at] if at < len(name) else END
            if character != END and character not in self._after.times[""]:
                self._fresh.append(character)
            for length in range(min(CONTEXT, at) + 1):
                self._after.add(name[at - length : at], character)
        for part in self._parts(name):
            most = LONGEST if self.matching == "anywhere" else len(part)
            for at in range(1, min(most, len(part)) + 1):
                self._begun.add(part[:at], part[at : at + 1] or END)

    def _parts(self, name: str) -> Iterator[str]:
        """Yield the parts of a name that a prefix can match."""
        if self.matching == "start":
            yield name
        elif self.matching == "word":
            yield from (name[found.start() :] for found in _WORD_STARTS.finditer(name))
        else:
            yield from (name[at:] for at in range(len(name)))

    def expected(self, typed: str, most: int) -> float:
        """Return the expected new names for `typed`, if the prefix one shorter had a full answer.

        Args:
            typed: Two or more characters; for one, a full answer is expected.
            most: The number of names in a full answer.
        """
        if len(typed) < 2:
            return float(most)
        above, character = typed[:-1], typed[-1]
        chance = 1 / ALPHABET
        for length in range(min(CONTEXT, len(above)) + 1):
            chance = self._after.mixed(above[len(above) - length :], character, chance)
        if not self.is_ordered:
            # In an ordered answer, the first names say nothing about later ones.
            chance = self._begun.mixed(above, character, chance)
        there = HIDDEN * max(self._begun.totals[above], most) * chance
        return min(max(there - self._begun.totals[typed], 0.2 * chance), float(most))


class _Following:
    """How often each character follows a context."""

    def __init__(self) -> None:
        self.times: dict[str, Counter[str]] = defaultdict(Counter)
        self.totals: Counter[str] = Counter()

    def add(self, context: str, character: str) -> None:
        self.times[context][character] += 1
        self.totals[context] += 1

    def mixed(self, context: str, character: str, chance: float) -> float:
        """Return a character's probability after a context; `chance` is without this context."""
        if context not in self.totals:
            return chance
        after = self.times[context]
        kinds = len(after)
        return (after[character] + kinds * chance) / (self.totals[context] + kinds)


def matching_of(typed: str, names: Iterable[str]) -> Matching:
    """Return where in names the typed text occurs; "start" if it occurs in none.

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
