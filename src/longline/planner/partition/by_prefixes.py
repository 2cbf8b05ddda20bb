"""Partition a source that completes typed text: by prefixes of names.

Such a source shows the first k names that begin with the query. A full answer is split: each
possible next character is appended, with a request each. The possible characters are learned from
the received names. The prefix with the most expected new names is queried first; when all remaining
ones promise hardly any, the harvest ends, and reports how many prefixes were not queried.

Names of a full answer usually share more characters than were typed. Then their common prefix is
split, and other continuations before its end are queried too. If answers are in alphabetical
order, a full one has all names up to its last, and only later ones are queried. An answer that is
full of one name cannot be split: it stays cut.
"""

from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from string import ascii_lowercase, ascii_uppercase, digits

from longline.events import AnyEvent, PageReceived
from longline.model import Finish, Hit, Page, Query, Search
from longline.planner.capabilities import Capabilities
from longline.planner.observed import AnswerProgress, Arrival
from longline.planner.partition.next_characters import Matching, NextCharacters, matching_of
from longline.planner.reports import Reports
from longline.ports import Asking, GeneratorPolicy
from longline.text.stems import fold

BEGINNINGS = ascii_lowercase + digits
"""Characters that names are assumed to begin with, before any name is known."""

OTHERS = "\"'([.-_#éαабאا가あ中"
"""Marks that a name may begin with, and a character of each of several scripts."""

LONGEST = 60
"""The most characters of a prefix; names that share more than that are not separated."""

HARDLY = 0.01
"""If recent requests brought fewer new names than this each, the rest is not queried."""

MEMORY = 0.995
"""The weight of earlier requests decreases by this factor with each request."""

ORDERED = 3
"""This many full answers in alphabetical order, and none out of order, are needed to rely on it."""


@dataclass(eq=False)
class _Beginning(AnswerProgress):
    """A prefix of names, and the answer to it.

    Attributes:
        typed: The query.
        names: The received names, each from where the query occurs in it.
        is_split: Whether its continuations were added to the list.
    """

    typed: str = ""
    names: list[str] = field(default_factory=list)
    is_split: bool = False


class PrefixPartition(GeneratorPolicy[Search, Page], Reports):
    """Query prefixes of names, and longer ones if an answer is full.

    Args:
        abilities: What the source can do, with the return limit if known.

    >>> planner = PrefixPartition(Capabilities(limit=10))
    >>> str(planner.next().query)
    'a'
    """

    def __init__(self, abilities: Capabilities) -> None:
        super().__init__(self._planned())
        self._limit = abilities.limit
        self._names: dict[str, str] = {}  # as the source writes them, by key
        self._next = NextCharacters()
        self._ways: list[tuple[str, _Beginning, str]] = []  # where full answers can be continued
        self._ignores_case = self._ignores_accents = False
        self._strips = False  # the source removes a space at the end
        self._open: list[tuple[float, str]] = []
        self._asked: dict[str, _Beginning] = {}
        self._known: set[str] = set()  # prefixes that wait or were queried
        self._shown: list[str] = []  # left out because a full ordered answer shows them
        self._in_order = self._out_of_order = 0
        self._most = 0
        self._lately = 1.0  # recent average of new names per request

    def tell(self, event: AnyEvent) -> None:
        """Process a result page."""
        if isinstance(event, PageReceived):
            self.came = event.page

    def take(self, arrival: Arrival) -> None:
        """Ignore a document that others found: its name counts when a search brings it."""

    def split(self) -> tuple[Query, ...]:
        """Return the prefixes with full answers that were replaced by longer ones."""
        return tuple(Query((each.typed,)) for each in self._asked.values() if each.is_split)

    # The plan.

    def _planned(self) -> Asking[Finish]:
        for typed in BEGINNINGS:
            yield from self._ask(typed)
        for typed in OTHERS if self._ignores_case else ascii_uppercase + OTHERS:
            yield from self._ask(typed)
        for name in list(self._names.values()):
            self._add(self._plain(name)[:1])
        reckoned_at = len(self._asked)
        while True:
            if len(self._asked) >= 2 * reckoned_at:
                self._reckon()
                reckoned_at = len(self._asked)
            best = self._best()
            if best is not None:
                yield from self._ask(best)
            elif not self._takes_back():
                return self._finished()

    def _best(self) -> str | None:
        """Return the most promising prefix left, or None if recent requests brought too little."""
        while self._open and self._lately >= HARDLY:
            before, typed = heappop(self._open)
            if typed in self._asked:
                continue
            promise = self._next.expected(typed, self._most)
            if self._open and promise < 0.9 * -before and promise < -self._open[0][0]:
                heappush(self._open, (-promise, typed))
            else:
                return typed
        return None

    def _finished(self) -> Finish:
        full = [each for each in self._asked.values() if self._is_full(each) and not each.is_split]
        left = len({typed for _, typed in self._open} - self._asked.keys())
        reason = f"{len(self._asked):,} beginnings of names were asked for"
        if left:
            reason += f"; the last ones brought hardly any, and {left:,} others were not asked for"
        if full:
            some = ", ".join(repr(each.typed) for each in full[:3])
            reason += f"; {len(full)} that show only a part cannot be split, such as {some}"
        return Finish(reason, target_met=not (left or full))

    def _add(self, typed: str) -> None:
        if typed not in self._known and len(typed) <= LONGEST:
            self._known.add(typed)
            heappush(self._open, (-self._next.expected(typed, self._most), typed))

    def _reckon(self) -> None:
        left = {self._plain(typed) for _, typed in self._open} - self._asked.keys()
        # Sorted, because a set's order differs between runs.
        self._open = [(-self._next.expected(each, self._most), each) for each in sorted(left)]
        heapify(self._open)

    # Queries.

    def _ask(self, typed: str) -> Asking[None]:
        """Read all pages of a prefix, and split it if its answer is full."""
        self._known.add(typed)
        beginning = self._asked[typed] = _Beginning(typed=typed)
        came: dict[str, str] = {}
        while not beginning.ended:
            page = yield Search(Query((typed,)), beginning.pages + 1)
            beginning.receive(page)
            came |= {hit.key: _name(hit) for hit in page.hits} if page is not None else {}
        fresh = {key: name for key, name in came.items() if key not in self._names}
        self._names |= fresh
        self._lately = MEMORY * self._lately + (1 - MEMORY) * len(fresh)
        self._see_matching(typed, list(came.values()))
        for name in fresh.values():
            self._next.add(self._plain(name))
        plain = [self._plain(name) for name in came.values()]
        beginning.names = [found for name in plain if (found := self._from(name, typed))]
        self._most = max(self._most, beginning.rows)
        if self._is_full(beginning):
            self._see_order(beginning, plain)
        self._split()

    def _see_matching(self, typed: str, names: list[str]) -> None:
        """Learn whether case, accents, or the text before a match are ignored."""
        before = self._ignores_case, self._ignores_accents, self._next.matching
        bare = [name.casefold() for name in names]
        both = list(zip(names, bare, strict=True))
        self._ignores_case |= any(typed not in name and typed in low for name, low in both)
        all_so = bool(names) and all(low.startswith(typed.casefold()) for low in bare)
        self._ignores_case |= all_so and any(not name.startswith(typed) for name in names)
        self._ignores_accents |= any(typed not in low and typed in fold(low) for low in bare)
        self._strips |= typed.endswith(" ") and any(typed not in fold(low) for low in bare)
        widest = (self._next.matching, matching_of(self._plain(typed), map(self._plain, names)))
        order: list[Matching] = ["start", "word", "anywhere"]
        matching = max(widest, key=order.index)
        if before != (self._ignores_case, self._ignores_accents, matching):
            self._next = NextCharacters(matching)
            for name in self._names.values():
                self._next.add(self._plain(name))
            self._reckon()

    def _plain(self, name: str) -> str:
        """Return a name as the source compares it."""
        name = name.casefold() if self._ignores_case else name
        return fold(name) if self._ignores_accents else name

    def _from(self, name: str, typed: str) -> str:
        """Return a name from where the typed text occurs in it, or ""."""
        at = name.find(typed)
        return "" if at < 0 else name[at:]

    # Splitting.

    def _is_full(self, beginning: _Beginning) -> bool:
        """Return whether more names match a prefix than were received."""
        reported = None if beginning.at_least else beginning.reported
        if reported is not None and reported != beginning.rows:
            return reported > beginning.rows
        most = self._most if self._limit is None else min(self._limit, self._most)
        return 0 < most <= beginning.rows

    def _split(self) -> None:
        """Add the possible continuations of full answers to the list."""
        newest = next(reversed(self._asked.values()))
        if self._is_full(newest) and not self._is_one_name(newest):
            newest.is_split = True
            common = _common(newest.names)
            if any(name == common for name in newest.names):
                common = common[:-1]
            for at in range(len(newest.typed), max(len(common), len(newest.typed)) + 1):
                begun = common[:at] or newest.typed
                self._ways.append((begun, newest, common))
                for character in self._next.characters:
                    self._go_on(begun, newest, common, character)
        for character in self._next.take_fresh():
            for begun, beginning, common in self._ways:
                self._go_on(begun, beginning, common, character)

    def _is_one_name(self, beginning: _Beginning) -> bool:
        names = beginning.names
        return bool(names) and all(name == beginning.typed for name in names)

    def _go_on(self, begun: str, beginning: _Beginning, common: str, character: str) -> None:
        typed = begun + character
        if common.startswith(typed) or "  " in typed:
            return
        if self._is_shown(beginning, len(begun), character):
            self._shown.append(typed)
        elif character == " " and self._strips:
            for following in self._next.characters:
                self._add(typed + following)
        else:
            self._add(typed)

    # Alphabetical order.

    @property
    def _is_ordered(self) -> bool:
        return self._in_order >= ORDERED and not self._out_of_order

    def _is_shown(self, beginning: _Beginning, at: int, character: str) -> bool:
        """Return whether a full ordered answer shows all names that continue with a character."""
        if not self._is_ordered or not beginning.names:
            return False
        following = [name[at : at + 1] for name in beginning.names]
        last = following[-1]
        is_letter = character in ascii_lowercase and last in ascii_lowercase
        is_past = bool(last) and is_letter and character < last
        return is_past or (character in following and character != last)

    def _see_order(self, beginning: _Beginning, names: list[str]) -> None:
        """Learn whether a full answer is in alphabetical order."""
        if any(not name.startswith(beginning.typed) for name in names):
            self._out_of_order += 1
            return
        letters = [name.casefold() for name in names if name.isascii() and name.isalpha()]
        if len(set(letters)) > 1:
            is_ordered = letters == sorted(letters)
            self._in_order += is_ordered
            self._out_of_order += not is_ordered
        self._next.is_ordered = self._is_ordered

    def _takes_back(self) -> bool:
        """Add the prefixes that were left out, if answers turned out to be unordered."""
        shown, self._shown = (self._shown, []) if self._out_of_order else ([], self._shown)
        for typed in shown:
            self._add(typed)
        return bool(shown)


def _common(names: list[str]) -> str:
    """Return the common prefix of all names."""
    least, greatest = min(names, default=""), max(names, default="")
    pairs = enumerate(zip(least, greatest, strict=False))
    return least[: next((at for at, (a, b) in pairs if a != b), len(least))]


def _name(hit: Hit) -> str:
    return hit.title or hit.text or hit.key
