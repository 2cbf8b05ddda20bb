"""Find the page of a kind on an unknown site.

This is the same search as by words, best first by likelihood, with a learned kind instead of a
query. How common a word is, is learned from the site while it is read.
"""

import math
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from longline.known_item.best_first.best_first import BestFirst
from longline.known_item.best_first.kind import Kind, Rates, traits
from longline.known_item.explorer import Link, SitePage


@dataclass(frozen=True)
class Trust:
    """The parameters of the search.

    Attributes:
        anchor: Probability that a link's words name the kind, if it leads to it.
        url: The same for a URL, and `title` for a title with its heading.
        body: Weight of the words of the text, which are not independent; `look` of the traits.
        sure: Probability at which to stop at once.
        patience: If not certain, stop when the downloads exceed this times the downloads at which
            the best page was found, plus `grace`; if its probability is at least `some`.
    """

    anchor: float = 0.85
    url: float = 0.6
    title: float = 0.8
    body: float = 0.08
    look: float = 0.15
    sure: float = 0.9
    some: float = 0.1
    patience: float = 2.0
    grace: int = 15


_PRIOR_PAGES = 60
_UNSEEN = 0.05
_EXTRA = 0.4
_EXTRA_TITLE = 0.2
_MOST_EXTRA = 6
_COMMON = 0.3
_DEEPEST = 4
_START = -3.0


class KindExplorer(BestFirst):
    """Find the page of a kind: best first, by the names of such pages on other sites.

    Its confidence is a posterior probability; 0.9 and above is right in most cases; below 0.3 means
    "not sure".

    Args:
        kind: The learned kind, from `kind.train`.
        start: Key of the first page.
        trust: The parameters of the search.
        budget: The most pages to download.

    Source: longline; docs/research/decisions/0021.
    """

    def __init__(
        self, kind: Kind, start: str, trust: Trust | None = None, budget: int | None = None
    ) -> None:
        self._trust = trust or Trust()
        self._start = start
        self._names = {
            field: _Name(rates, _EXTRA_TITLE if field == "title" else _EXTRA)
            for field, rates in kind.names.items()
        }
        self._body = {word: _log_odds(rate) for word, rate in kind.body.items()}
        self._traits = {trait: _log_odds(rate) for trait, rate in kind.traits.items()}
        self._depth = {start: 0}
        self._labels: dict[str, set[tuple[str, ...]]] = {start: set()}
        self._urls: dict[str, tuple[str, ...]] = {}
        self._waiting = {start: None}
        self._read: dict[str, SitePage] = {}
        self._texts: dict[str, float] = {}
        super().__init__(budget)

    def _take_best(self) -> str | None:
        if not self._waiting:
            return None
        key = max(sorted(self._waiting, key=self._depth.__getitem__), key=self._link_score)
        del self._waiting[key]
        return key

    def _is_enough(self, chance: float, count: int, found_at: int) -> bool:
        trust = self._trust
        return chance > trust.sure or (
            chance > trust.some and count > trust.patience * found_at + trust.grace
        )

    def _learn(self, page: SitePage, key: str) -> None:
        """Process a page, and its links."""
        self._waiting.pop(page.key, None)
        depth = self._depth.setdefault(page.key, self._depth[key])
        if page.key != key:
            self._labels.setdefault(page.key, set()).update(self._labels[key])
            self._urls.setdefault(page.key, self._urls.get(key, ()))
        if page.key in self._read:
            return
        self._read[page.key] = page
        body = self._trust.body * _evidence(self._body, frozenset(page.words))
        look = self._trust.look * _evidence(self._traits, traits(page))
        self._texts[page.key] = _clipped(body, 3, 5) + _clipped(look, 2, 3)
        self._names["title"].see({*page.title, *page.heading})
        for link in page.links:
            self._follow(link, depth + 1)

    def _follow(self, link: Link, depth: int) -> None:
        key = link.target
        if key not in self._labels:
            self._labels[key] = set()
            self._depth[key] = depth
            self._waiting[key] = None
        self._depth[key] = min(self._depth[key], depth)
        if link.label and link.label not in self._labels[key]:
            self._labels[key].add(link.label)
            self._names["anchor"].see(link.label)
        if link.url and key not in self._urls:
            self._urls[key] = link.url
            self._names["url"].see(link.url)

    def _link_score(self, key: str) -> float:
        """Return the log odds of a page by its links, URL and depth."""
        trust, names = self._trust, self._names
        anchor = max(
            (names["anchor"].score(label, trust.anchor) for label in self._labels[key]),
            default=0.0,
        )
        url = names["url"].score(self._urls[key], trust.url) if key in self._urls else 0.0
        depth = _START if key == self._start else -min(_DEEPEST, self._depth[key] - 1)
        return max(anchor, url) + 0.5 * min(anchor, url) + depth

    def _page_score(self, key: str) -> float:
        """Return the log odds of a page that was read, with its title, text and look."""
        page = self._read[key]
        title = self._names["title"].score((*page.title, *page.heading), self._trust.title)
        return self._link_score(key) + title + self._texts[key]

    def _ranking(self) -> list[tuple[str, float]]:
        """Return the pages read with their posterior probability, best first."""
        scores = {key: self._page_score(key) for key in self._read}
        unread = sum(math.exp(self._link_score(key)) for key in self._waiting)
        unread += _UNSEEN * len(self._waiting)
        total = unread + sum(math.exp(score) for score in scores.values())
        ranked = sorted(scores, key=lambda key: -scores[key])
        return [(key, math.exp(scores[key]) / total) for key in ranked]


class _Name:
    """The words that name the kind in one field, compared with how common they are on the site."""

    def __init__(self, rates: Mapping[str, Rates], extra: float) -> None:
        self._rates = rates
        self._extra = extra
        self._seen: Counter[str] = Counter()
        self._total = 0
        self._known: dict[tuple[str, ...], float] = {}
        full = sum(rate.kind for rate in rates.values())
        self._share = {word: rate.kind / max(1, full / 0.9) for word, rate in rates.items()}
        self._none = max(0.02, 1 - sum(self._share.values()))

    def see(self, words: Collection[str]) -> None:
        """Count the words of one name on the site."""
        self._seen.update(set(words))
        self._total += 1
        self._known.clear()

    def score(self, words: Collection[str], trust: float) -> float:
        """Return log P(words | names a page of the kind) - log P(words | names any page)."""
        key = tuple(words)
        if key not in self._known:
            self._known[key] = math.log(trust * math.exp(self._bare(set(words))) + 1 - trust)
        return self._known[key]

    def _bare(self, words: set[str]) -> float:
        named = [word for word in self._share if word in words]
        odds = sum(self._share[word] / self._usual(word) for word in named) + self._none
        others = words - self._share.keys()
        extra = sum(self._seen[word] <= _COMMON * self._total for word in others)
        return math.log(odds) - self._extra * min(extra, _MOST_EXTRA)

    def _usual(self, word: str) -> float:
        """Return the rate of a word on this site, mixed with its rate on any site."""
        prior = _PRIOR_PAGES * self._rates[word].any
        return (self._seen[word] + prior) / (self._total + _PRIOR_PAGES)


def _log_odds(rate: Rates) -> tuple[float, float]:
    """Return the log odds for the absence of a trait, and for its presence."""
    return math.log((1 - rate.kind) / (1 - rate.any)), math.log(rate.kind / rate.any)


def _evidence(odds: Mapping[str, tuple[float, float]], seen: frozenset[str]) -> float:
    return sum(each[trait in seen] for trait, each in odds.items())


def _clipped(value: float, low: float, high: float) -> float:
    return min(max(value, -low), high)
