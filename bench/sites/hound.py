"""The hound: download the page with the most evidence from links, until one stands out.

The evidence for a page is summed over all links to it, each different label once; once it is read,
its text counts as well. From this follows the probability that the best page read is the wanted
one, compared with all pages read, all known from links only, and as many unknown pages.
"""

import heapq
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bench.sites.background import Background
from bench.sites.gist import Gist

from longline.known_item.course import Course, CourseExplorer, Downloads
from longline.known_item.explorer import Answer, Link, SitePage


@dataclass(frozen=True)
class Nose:
    """Parameters of the hound.

    Attributes:
        alpha: Probability that a word of a label is from its page's gist.
        mix: Probability that a word of the query is drawn from the page's text.
        by_links: Share of the links' evidence that counts once the text is read.
        sure: Probability at which to stop at once.
        patience: Stop at probability 0.5 after this many times the downloads that the best page
            needed, and at least 20.
    """

    alpha: float = 0.75
    mix: float = 0.75
    by_links: float = 0.5
    sure: float = 0.999
    patience: float = 3.0


_PATIENCE = 20
_MOST_LABELS = 6
"""Number of labels of one page that are read. The model lets a gist grow beyond its size, which
over hundreds of labels adds up to evidence against the target."""
_LEADING = 8
"""Pages with exact scores at every step; the others are updated when rates are renewed."""


@dataclass
class _Read:
    """A page that was read: count of each word, number of words, and score."""

    text: Counter[str]
    words: int
    score: float = 0.0


class _Trail:
    """The evidence from the links to one page."""

    __slots__ = ("evidence", "hits", "labels", "misses")

    def __init__(self) -> None:
        self.labels = 0
        self.hits: Counter[str] = Counter()
        self.misses: set[str] = set()
        self.evidence = 0.0


class _Frontier:
    """The pages known by their links, best first."""

    def __init__(self, gist: Gist, start: str) -> None:
        self._gist = gist
        self._trails = {start: _Trail()}
        self._waiting = {start: 0}
        self._heap = [(0.0, 0, start)]
        self._links: set[tuple[str, tuple[str, ...]]] = set()
        self._known: dict[tuple[frozenset[tuple[str, int]], int], float] = {}
        self._mass = 1.0
        self._lost: list[str] = []

    def evidence(self, key: str) -> float:
        """Return the evidence of the links to a page; 0 if there are none."""
        return self._trails[key].evidence if key in self._trails else 0.0

    def pop(self) -> str | None:
        """Remove and return the page with the most evidence; of equals, the one known longest."""
        while self._heap:
            negative, _, key = heapq.heappop(self._heap)
            if key in self._waiting and -negative == self._trails[key].evidence:
                self._leave(key)
                return key
        return None

    def _leave(self, key: str) -> None:
        del self._waiting[key]
        self._mass = max(self._mass - math.exp(self._trails[key].evidence), 0.0)

    def lose(self, key: str) -> None:
        """Record that a page cannot be loaded; it may still be the wanted one."""
        self._lost.append(key)

    @property
    def mass(self) -> float:
        """Sum of odds, e to the power of the evidence, of all pages not read.

        It includes pages that cannot be loaded, and one page without evidence for each known page.
        """
        lost = sum(math.exp(self.evidence(key)) for key in self._lost)
        return self._mass + lost + len(self._trails)

    def rename(self, key: str, new: str) -> None:
        """Record that the page that links call `key` is the page `new`."""
        if key == new:
            return
        if new in self._waiting:
            self._leave(new)
        trail = self._trails.setdefault(new, _Trail())
        trail.hits.update(self._trails[key].hits)
        trail.misses |= self._trails[key].misses
        self._weigh(trail)

    def new_among(self, links: Sequence[Link]) -> list[Link]:
        """Return the links not seen before; menus repeat theirs on every page."""
        fresh: list[Link] = []
        for link in links:
            if (same := (link.target, link.label)) not in self._links:
                self._links.add(same)
                fresh.append(link)
        return fresh

    def add(self, link: Link) -> None:
        """Add a link's words to the evidence for its target."""
        key = link.target
        if key not in self._trails:
            self._trails[key] = _Trail()
            self._waiting[key] = len(self._trails)
            self._mass += 1
        trail, before = self._trails[key], self._trails[key].evidence
        if trail.labels == _MOST_LABELS:
            return
        trail.labels += 1
        query = self._gist.words
        for word in (*link.label, *link.url):
            if word in query:
                trail.hits[word] += 1
            else:
                trail.misses.add(word)
        self._weigh(trail)
        if key in self._waiting:
            self._mass += math.exp(trail.evidence) - math.exp(before)
            heapq.heappush(self._heap, (-trail.evidence, self._waiting[key], key))

    def renew(self) -> None:
        """Compute the evidence of every page again."""
        self._known.clear()
        for trail in self._trails.values():
            self._weigh(trail)
        self._heap = [(-self.evidence(key), order, key) for key, order in self._waiting.items()]
        heapq.heapify(self._heap)
        self._mass = sum(math.exp(self.evidence(key)) for key in self._waiting)

    def _weigh(self, trail: _Trail) -> None:
        key = (frozenset(trail.hits.items()), len(trail.misses))
        if key not in self._known:
            self._known[key] = self._gist.label_evidence(trail.hits, len(trail.misses))
        trail.evidence = self._known[key]


class Hound(CourseExplorer):
    """Find a page by the evidence of labels and texts for a query: best-first, by likelihood.

    Its confidence is the posterior probability of the answer; on generated sites it is calibrated.
    A low one means "not found"; the best page is still named.

    Args:
        query: Words of the wanted page. Repeats count: they show which words are certain.
        start: Key of the first page.
        nose: Parameters of the hound.
        budget: Maximum number of downloaded pages.

    Source: longline; docs/research/decisions/0020.

    >>> from longline.known_item.explorer import explore
    >>> site = {
    ...     "home": SitePage(
    ...         "home", ("welcome",), (Link("mail", ("mail", "records")), Link("news", ("news",)))
    ...     ),
    ...     "mail": SitePage("mail", ("public", "mail", "records", "of", "the", "council")),
    ...     "news": SitePage("news", ("nothing", "new")),
    ... }
    >>> explore(Hound(["mail", "records"], "home"), site).key
    'mail'
    """

    def __init__(
        self,
        query: Sequence[str],
        start: str,
        nose: Nose | None = None,
        budget: int | None = None,
    ) -> None:
        self._nose = nose or Nose()
        self._background = Background()
        self._gist = Gist(query, self._background, self._nose.alpha)
        self._read: dict[str, _Read] = {}
        self._frontier = _Frontier(self._gist, start)
        super().__init__(self._search(Downloads(budget)))

    def _search(self, downloads: Downloads) -> Course:
        best, found_at, posterior = None, 0, 0.0
        renew_at = 1
        while (key := self._frontier.pop()) is not None and not downloads.is_spent:
            page = yield from downloads.get(key)
            if page is None:
                self._frontier.lose(key)
                continue
            self._learn(page, key)
            if downloads.count >= renew_at:
                renew_at = 2 * downloads.count
                self._renew()
            ranking = self._ranking()
            posterior = self._posterior(ranking[0][1])
            if ranking[0][0] != best:
                best, found_at = ranking[0][0], downloads.count
            if self._is_enough(posterior, downloads.count, found_at):
                break
        if best is None:
            return Answer(None, 0.0, downloads.count)
        others = tuple((key, self._posterior(score)) for key, score in self._ranking()[1:])
        return Answer(best, posterior, downloads.count, others)

    def _is_enough(self, posterior: float, count: int, found_at: int) -> bool:
        nose = self._nose
        return posterior > nose.sure or (
            posterior > 0.5 and count > nose.patience * found_at + _PATIENCE
        )

    def _learn(self, page: SitePage, key: str) -> None:
        """Process a page: its words, its links, and how well its text fits."""
        self._frontier.rename(key, page.key)
        fresh = self._frontier.new_among(page.links)
        self._background.add(page.words)
        for link in fresh:
            self._background.add(link.label)
        for link in fresh:
            self._frontier.add(link)
        if page.key not in self._read:
            self._read[page.key] = _Read(Counter(page.words), len(page.words))
            self._score(page.key)

    def _renew(self) -> None:
        """Judge everything again, after the background has learnt enough."""
        self._gist.renew()
        self._frontier.renew()
        for key in self._read:
            self._score(key)

    def _score(self, key: str) -> None:
        read = self._read[key]
        text = self._gist.text_evidence(read.text, read.words, self._nose.mix)
        read.score = text + self._nose.by_links * self._frontier.evidence(key)

    def _ranking(self) -> list[tuple[str, float]]:
        """Return the best pages read with their scores, best first, by the latest rates."""
        leading = heapq.nlargest(_LEADING, self._read, key=lambda key: self._read[key].score)
        for key in leading:
            self._score(key)
        ranked = sorted(leading, key=lambda key: -self._read[key].score)
        return [(key, self._read[key].score) for key in ranked]

    def _posterior(self, score: float) -> float:
        """Return the probability of a page read, given its score.

        Unread pages are assumed to fit the query as well as a page of a gist on average, `factor`.
        """
        factor = self._gist.factor
        odds = sum(math.exp(min(read.score - score, 700)) for read in self._read.values())
        return 1 / (odds + self._frontier.mass * math.exp(min(factor - score, 700)))
