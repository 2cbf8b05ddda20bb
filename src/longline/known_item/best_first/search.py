"""Best-first search of real pages: it compares where the words of the query occur.

A page to find usually has the query's words in its name: title, heading, the links to it, its URL.
So each word of the query is one piece of evidence for a page: the best place where it occurs, with
the probability of that place for a page to find, compared with how many pages of the site have
the word in such a place. Pages known only by links are rated in the same way.
"""

import math
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from longline.known_item.best_first.best_first import BestFirst
from longline.known_item.best_first.clues import MOST_EXTRA, Bits, Clues, QueryWords, each_bit
from longline.known_item.best_first.sureness import REPORTED, Signs
from longline.known_item.explorer import Link, SitePage


@dataclass(frozen=True)
class Odds:
    """How likely each place of a query word is, for the page to find.

    Attributes:
        named_twice: In the title or a heading, and in a link or the URL.
        titled: Only in the title or a heading.
        linked: Only in a link or the URL.
        told: Only in the text.
        absent: Neither on the page nor in its links.
        by_label: For a page not read: in a link.
        by_url: Only in its URL, or inside a longer word.
        by_context: Only near a link.
        by_nothing: In none of these.
        exact: Log odds for a name of only the query's words.
        extra: Subtracted for each other word in it, up to 4.
        depth: Subtracted for each link from the start.
        hub: Added for a list of pages, not yet read.
        start: Subtracted for the page where the search began: it is known.
        unseen: Number of unknown pages, as pages with links that are no evidence.
        sure: Probability at which to stop at once.
        patience: How long to continue; see `BestFirstSearch`.
    """

    named_twice: float = 0.55
    titled: float = 0.2
    linked: float = 0.06
    told: float = 0.1
    absent: float = 0.03
    by_label: float = 0.6
    by_url: float = 0.15
    by_context: float = 0.15
    by_nothing: float = 0.13
    exact: float = 2.0
    extra: float = 0.8
    depth: float = 0.1
    hub: float = 0.7
    start: float = 2.0
    unseen: float = 20.0
    sure: float = 0.94
    patience: float = 0.45


PRIOR_PAGES = 40
"""The number of pages without query words with which each rate starts."""

LEAST_RATE = 1 / 2000
COMMON = 0.4
"""Words in more than this share of titles belong to the site, and do not count as extra."""

_MOST_BY_CONTEXT = 2.5
_MOST_BY_TEXT = 3.0
_LEAST_NAMED = -0.7
_LEAST_TOLD = -1.2
_ONLY_IN_LINKS = -1.5
"""Log odds of a word that occurs only in and near a page's links to others: those are about it."""


@dataclass(frozen=True)
class _Read:
    """A page that was read, reduced to what matters for the query."""

    title: frozenset[str]
    heading: frozenset[str]
    named: Bits
    counts: list[int]
    in_links: list[int]


class _Site:
    """The evidence from the site: clues to each page, and how common the query's words are."""

    def __init__(self, query: QueryWords) -> None:
        self.query = query
        self.clues: dict[str, Clues] = {}
        self.read: dict[str, _Read] = {}
        self.waiting: dict[Clues, dict[str, None]] = {}
        self.titles: Counter[str] = Counter()
        self._first_title: Bits = 0
        self._named = [0] * len(query)
        self._titled = [0] * len(query)
        self._told = [0] * len(query)
        self._by_context = [0] * len(query)

    def learn(self, page: SitePage) -> None:
        """Add a page."""
        title, heading = frozenset(page.title), frozenset(page.heading)
        named = self.query.within(title | heading)
        links = [link for link in page.links if link.target != page.key]
        beside = {link.context for link in links if link.context != link.label}
        in_links = self.query.counts(
            word for words in (*(link.label for link in links), *beside) for word in words
        )
        counts = self.query.counts(page.words)
        self.read[page.key] = _Read(title, heading, named, counts, in_links)
        self.titles.update(title | heading)
        if len(self.read) == 1:
            self._first_title = named
        _count(self._named, named & ~self.clues[page.key].name)
        _count(self._titled, named)
        for place, count in enumerate(counts):
            self._told[place] += count > 0
        depth = self.clues[page.key].depth + 1
        for link in links:
            self.hint(link, depth)

    def hint(self, link: Link, depth: int) -> None:
        """Use a link as evidence about the page that it leads to."""
        before = self.clues.get(link.target)
        told = self.query.clues(link, depth)
        self.update(link.target, told if before is None else before.joined(told))

    def update(self, key: str, clues: Clues) -> None:
        """Set the clues of a page; it waits unless it was read."""
        before = self.clues.get(key, Clues())
        if key in self.clues and before == clues:
            return
        read = self.read.get(key)
        _count(self._named, clues.name & ~before.name & ~(read.named if read else 0))
        _count(self._by_context, clues.context & ~before.context)
        is_waiting = key not in self.clues or key in self.waiting.get(before, ())
        self.leave(key)
        self.clues[key] = clues
        if is_waiting:
            self.waiting.setdefault(clues, {})[key] = None

    def leave(self, key: str) -> None:
        """Remove a page from those that wait."""
        clues = self.clues.get(key)
        group = self.waiting.get(clues) if clues is not None else None
        if clues is not None and group is not None and key in group:
            del group[key]
            if not group:
                del self.waiting[clues]

    def name_rate(self, place: int, own: Bits) -> float:
        """Return the share of the other pages with a word in their name."""
        others = self._named[place] - (own >> place & 1)
        return max((others + 0.5) / (len(self.clues) + PRIOR_PAGES), LEAST_RATE)

    def title_rate(self, place: int, own: Bits) -> float:
        """Return the share of the other pages read that have a word in the title.

        The first title counts twice: it usually contains the name of the site, as all titles do.
        """
        others = self._titled[place] - (own >> place & 1) + (self._first_title >> place & 1)
        return others / (len(self.read) + 1)

    def text_rate(self, place: int) -> float:
        """Return the share of the other pages read that have a word, for a page that has it."""
        return min((self._told[place] - 0.5) / (len(self.read) + 1.5), 0.9)

    def context_rate(self, place: int) -> float:
        """Return the share of pages that have a word near links to them."""
        return (self._by_context[place] + 0.5) / (len(self.clues) + PRIOR_PAGES)


class BestFirstSearch(BestFirst):
    """Find a page of a real site: best first, by where the words of the query occur.

    Its confidence is the probability of the answer, compared with all pages read, all known by
    links, and some unknown ones. It stops when it is certain, or after `patience` times as long
    as it took to find the best page so far; the less certain it is, the longer it continues.

    Args:
        query: Words of the page to find; repeats do not count.
        start: Key of the first page.
        budget: The most pages to download.

    Source: longline; docs/research/decisions/0022.

    >>> from longline.known_item.explorer import explore
    >>> site = {
    ...     "home": SitePage(
    ...         "home", ("welcome",), (Link("mail", ("mail", "records")), Link("news", ("news",)))
    ...     ),
    ...     "mail": SitePage("mail", ("public", "mail", "records"), title=("mail", "records")),
    ...     "news": SitePage("news", ("nothing", "new"), title=("news",)),
    ... }
    >>> answer = explore(BestFirstSearch(["mail", "records"], "home"), site)
    >>> answer.key, answer.confidence > 0.9, answer.downloads
    ('mail', True, 2)
    """

    _odds = Odds()

    def __init__(self, query: Collection[str], start: str, budget: int | None = None) -> None:
        self._query = QueryWords(query)
        self._site = _Site(self._query)
        self._site.update(start, Clues())
        super().__init__(budget)

    def _learn(self, page: SitePage, key: str) -> None:
        site = self._site
        if page.key != key:
            clues = site.clues[key]
            known = site.clues.get(page.key)
            site.update(page.key, clues if known is None else known.joined(clues))
        site.leave(page.key)
        if page.key not in site.read:
            site.learn(page)

    def _is_enough(self, chance: float, count: int, found_at: int) -> bool:
        odds = self._odds
        patience = odds.patience * (found_at + 3) * (1 - chance) / max(chance, 1e-9)
        return chance > odds.sure or count - found_at >= patience

    def _take_best(self) -> str | None:
        """Remove and return the page with the best clues; of equals, the one known longest."""
        scores = {clues: self._link_score(clues) for clues in self._site.waiting}
        best = max(scores, key=scores.__getitem__, default=None)
        if best is None:
            return None
        key = next(iter(self._site.waiting[best]))
        self._site.leave(key)
        return key

    def _ranking(self) -> list[tuple[str, float]]:
        """Return the pages read with the probability of each, best first."""
        scores = {key: self._page_score(key) for key in self._site.read}
        top = max(scores.values())
        waiting = self._site.waiting.items()
        unread = sum(len(keys) * math.exp(self._link_score(c) - top) for c, keys in waiting)
        # Even if all pages are read, the site may not have the page.
        unseen = self._odds.unseen * math.exp(-top)
        all_odds = sum(math.exp(score - top) for score in scores.values()) + unread + unseen
        ranked = sorted(scores, key=lambda key: -scores[key])
        return [(key, math.exp(scores[key] - top) / all_odds) for key in ranked]

    def signs(self, key: str, chance: float) -> Signs:
        """Return the features that predict how often such an answer is right.

        Args:
            key: Key of a page that was read.
            chance: Its probability, by the search's own odds.
        """
        read = self._site.read[key]
        named = read.named | self._site.clues[key].name
        odds = math.log(max(chance, 1e-9) / max(1 - chance, 1e-9))
        return Signs(odds, named.bit_count() < len(self._query), self._extra(read) > 0)

    def _confidence(self, key: str, chance: float) -> float:
        return REPORTED.confidence(self.signs(key, chance))

    def _link_score(self, clues: Clues) -> float:
        """Return the log odds of a page that is known by its links."""
        odds = self._odds
        score = sum(self._link_word(clues, place) for place in range(len(self._query)))
        if clues.name:
            score += 0.5 * (odds.exact - odds.extra * clues.extra)
        return score - odds.depth * clues.depth + odds.hub * clues.is_hub

    def _link_word(self, clues: Clues, place: int) -> float:
        odds, site, bit = self._odds, self._site, 1 << place
        rate = site.name_rate(place, clues.name)
        least = math.log(odds.by_nothing)
        if clues.label & bit:
            return math.log(odds.by_label / rate)
        if clues.url & bit:
            return max(math.log(odds.by_url / rate), least)
        if clues.context & bit:
            told = math.log(odds.by_context / site.context_rate(place))
            return min(max(told, least), _MOST_BY_CONTEXT)
        return math.log(odds.by_nothing / (1 - rate))

    def _page_score(self, key: str) -> float:
        """Return the log odds of a page that was read."""
        odds, read, clues = self._odds, self._site.read[key], self._site.clues[key]
        least = math.log(odds.absent)
        words = (self._page_word(read, clues, place) for place in range(len(self._query)))
        score = sum(max(word, least) for word in words)
        if read.named:
            score += odds.exact - odds.extra * self._extra(read)
        return score - (odds.depth * clues.depth if clues.depth else odds.start)

    def _page_word(self, read: _Read, clues: Clues, place: int) -> float:
        odds, site, bit = self._odds, self._site, 1 << place
        named = clues.name | read.named
        rate = site.name_rate(place, named)
        if read.named & bit:
            rate = max(rate, site.title_rate(place, read.named))
            # The start page has no link to it, so none is missing.
            is_twice = clues.name & bit or not clues.depth
            share = odds.named_twice if is_twice else odds.titled
            return max(math.log(share / rate), _LEAST_NAMED)
        if named & bit:
            is_told = bool(read.counts[place])
            return max(math.log(odds.linked / rate) - (not is_told), _LEAST_NAMED)
        if not read.counts[place]:
            return math.log(odds.absent)
        told = math.log(odds.told / site.text_rate(place))
        if read.counts[place] <= read.in_links[place]:
            return min(told, _ONLY_IN_LINKS)
        often = 0.3 * min(math.log(read.counts[place]), 2.0)
        return min(max(told, _LEAST_TOLD), _MOST_BY_TEXT) + often

    def _extra(self, read: _Read) -> int:
        """Return the fewest words in a name of the page besides the query's."""
        pages = len(self._site.read)
        common = max(1.0, COMMON * pages) if pages > 1 else math.inf
        counts = [
            sum(self._site.titles[word] <= common for word in name if not self._is_asked(word))
            for name in (read.title, read.heading)
            if any(map(self._is_asked, name))
        ]
        return min([*counts, MOST_EXTRA])

    def _is_asked(self, word: str) -> bool:
        return word in self._query.words


def _count(counts: list[int], bits: Bits) -> None:
    for place in each_bit(bits):
        counts[place] += 1
