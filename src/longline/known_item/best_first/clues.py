"""Where the words of a query occur: on a page, in the links to it, or around them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from longline.known_item.explorer import Link

Bits = int
"""A set of the query's words: bit n is the word n."""

LONGEST_LABEL = 12
"""A longer label is a teaser, not a name: it counts as context."""

MOST_EXTRA = 4

HUBS = frozenset(
    (
        *("all", "archive", "az", "browse", "catalog", "catalogue", "category", "content"),
        *("directory", "index", "list", "map", "overview", "plan", "sitemap", "toc"),
        *("inhalt", "inhaltsverzeichni", "ubersicht", "verzeichni", "sommaire", "plan", "indice"),
        *("mapa", "mappa", "oversikt", "oversigt", "innehall", "inhoud", "overzicht"),
    )
)
"""Names of pages that lead to very many others, in the languages of the larger webs."""


class Clues(NamedTuple):
    """The evidence about a page from the links to it.

    Attributes:
        label: The query's words in its links.
        url: Those in its URL, or inside a longer word of a link.
        context: Those near its links.
        matches: The most query words in one label.
        extra: The fewest other words in a label with that many.
        depth: The number of links from the start.
        is_hub: Whether its name is that of a list of pages.
    """

    label: Bits = 0
    url: Bits = 0
    context: Bits = 0
    matches: int = 0
    extra: int = MOST_EXTRA
    depth: int = 0
    is_hub: bool = False

    @property
    def name(self) -> Bits:
        """The query words in the page's name."""
        return self.label | self.url

    def joined(self, other: Clues) -> Clues:
        """Return the combined evidence about the same page.

        >>> Clues(label=1, depth=2).joined(Clues(url=2, depth=1))
        Clues(label=1, url=2, context=0, matches=0, extra=4, depth=1, is_hub=False)
        """
        matches, less_extra = max((self.matches, -self.extra), (other.matches, -other.extra))
        return Clues(
            self.label | other.label,
            self.url | other.url,
            self.context | other.context,
            matches,
            -less_extra,
            min(self.depth, other.depth),
            self.is_hub or other.is_hub,
        )


class QueryWords:
    """The words of a query, as bits.

    >>> query = QueryWords(["replace", "expression"])
    >>> query.within(["expression", "task"]), query.inside(["replacer", "irreplaceable"])
    (2, 1)
    """

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(dict.fromkeys(words))
        self._bits = {word: 1 << place for place, word in enumerate(self.words)}
        self._inside: dict[str, Bits] = {}

    def __len__(self) -> int:
        return len(self.words)

    def within(self, words: Iterable[str]) -> Bits:
        """Return which of the query's words are among other words."""
        found = 0
        for word in words:
            found |= self._bits.get(word, 0)
        return found

    def inside(self, words: Iterable[str]) -> Bits:
        """Return which of the query's words begin or end one of several longer words."""
        found = 0
        for word in words:
            if word not in self._inside:
                self._inside[word] = self._in_compound(word)
            found |= self._inside[word]
        return found

    def _in_compound(self, compound: str) -> Bits:
        found = 0
        for word, bit in self._bits.items():
            is_long = len(word) > 3 or (len(word) == 3 and len(compound) < 10)
            at_an_end = compound.startswith(word) or compound.endswith(word)
            if is_long and at_an_end and compound != word:
                found |= bit
        return found

    def counts(self, words: Iterable[str]) -> list[int]:
        """Return how often each of the query's words occurs."""
        counts = dict.fromkeys(self.words, 0)
        for word in words:
            if word in counts:
                counts[word] += 1
        return list(counts.values())

    def extra(self, words: Collection[str]) -> int:
        """Return the number of different words that are not in the query."""
        return sum(word not in self._bits for word in set(words))

    def clues(self, link: Link, depth: int) -> Clues:
        """Return the evidence of one link about the page that it leads to."""
        label, context = self.within(link.label), self.within(link.context)
        extra = MOST_EXTRA
        names = frozenset((*link.label, *link.url))
        if len(link.label) > LONGEST_LABEL:
            label, context = 0, label | context
        elif label:
            extra = min(self.extra(link.label), MOST_EXTRA)
        return Clues(
            label,
            self.within((*link.url, *link.path))
            | self.inside((*link.label, *link.url, *link.path)),
            context,
            label.bit_count(),
            extra,
            depth,
            len(link.label) < 5 and not HUBS.isdisjoint(names),
        )


def each_bit(bits: Bits) -> Iterator[int]:
    """Yield the numbers of the words in a set.

    >>> list(each_bit(0b101))
    [0, 2]
    """
    place = 0
    while bits:
        if bits & 1:
            yield place
        bits >>= 1
        place += 1
