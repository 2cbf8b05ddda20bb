"""Likelihood of a query, labels and texts if they are about one page: the model of the hound.

A page has a gist, n different words of the site. Each word of its labels, and of the query for it,
is one of the gist's words with probability alpha, all equally likely, and otherwise any word of the
site. Only the query gives information about the target's gist: a label is likely if it repeats the
query's words, most of all those that the query itself repeats.
"""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from bench.sites.background import Background

Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


class Gist:
    """What a query says about the wanted page.

    Args:
        query: Its words, with repeats.
        background: How common words are; it may learn while this object is used.
        alpha: Probability that a word is from the gist.
        longest: Maximum number of words in a gist; 1 to this number are equally likely.
    """

    def __init__(
        self,
        query: Sequence[str],
        background: Background,
        alpha: float = 0.75,
        longest: int = 75,
    ) -> None:
        self.words = Counter(query)
        self._background = background
        self._alpha = alpha
        self._sizes = np.arange(1.0, longest + 1)
        self._infer()

    def renew(self) -> None:
        """Infer again, after the background has learnt."""
        self._infer()

    def _infer(self) -> None:
        """Compute P(n | query), and P(word in gist | query, n) for each word of the query.

        A gist of n words is drawn without replacement, so that m given words are in it with
        probability about rate_1 ... rate_m n (n - 1) ... (n - m + 1). Summed over all subsets of
        the query's words by the polynomial that expands "in or not in".
        """
        sizes = self._sizes
        odds = [self._odds(word, count) for word, count in self.words.items()]
        order = np.arange(len(odds))[:, None]
        with np.errstate(divide="ignore"):
            falling = np.cumsum(np.log(np.maximum(sizes - order, 0)), axis=0)
        falling = np.concatenate([np.zeros((1, len(sizes))), falling])
        total = _log_sum(_subsets(odds, len(sizes)) + falling)
        self.factor = float(_log_sum(total) - math.log(len(sizes))) + sum(
            count * math.log(1 - self._alpha) for count in self.words.values()
        )
        self._size_given_query = total - _log_sum(total)
        self._inclusion: dict[str, Floats] = {}
        known: dict[tuple[int, float], Floats] = {}
        for place, (word, count) in enumerate(self.words.items()):
            kind = (count, self._background.rate(word))
            if kind not in known:
                others = _subsets(odds[:place] + odds[place + 1 :], len(sizes))
                with np.errstate(invalid="ignore"):
                    known[kind] = np.exp(odds[place] + _log_sum(others + falling[1:]) - total)
            self._inclusion[word] = known[kind]
        included = sum(self._inclusion.values(), np.zeros(len(sizes)))
        left = np.maximum(sizes - included, 0) / sizes
        self._log_miss = np.log(self._alpha * left + 1 - self._alpha)
        self._hits: dict[tuple[str, int], tuple[Floats, Floats]] = {}

    def _odds(self, word: str, count: int) -> Floats:
        """Return log odds of `count` draws of a word: in the gist, with its draw, or not."""
        rate = self._background.rate(word)
        return np.asarray(
            count * (math.log(self._alpha / (1 - self._alpha) / rate) - np.log(self._sizes))
            + math.log(rate)
        )

    def label_evidence(self, hits: Mapping[str, int], misses: int) -> float:
        """Return log P(labels | they lead to the target) - log P(labels | they lead elsewhere).

        Args:
            hits: Words of the query in a page's labels, with their counts.
            misses: Number of different other words in them.
        """
        target = self._size_given_query + misses * self._log_miss
        elsewhere = np.full(len(self._sizes), -math.log(len(self._sizes)))
        for word, count in hits.items():
            here, there = self._hit(word, count)
            target = target + here
            elsewhere = elsewhere + there
        return float(_log_sum(target) - _log_sum(elsewhere))

    def _hit(self, word: str, count: int) -> tuple[Floats, Floats]:
        """Return log P(a word `count` times), in the target's labels and in those of others."""
        if (word, count) not in self._hits:
            rate, sizes = self._background.rate(word), self._sizes
            inside = count * (math.log(self._alpha) - np.log(sizes))
            outside = count * math.log((1 - self._alpha) * rate)
            self._hits[word, count] = (
                _either(self._inclusion[word], inside, outside),
                _either(sizes * rate, inside, outside),
            )
        return self._hits[word, count]

    def text_evidence(self, text: Mapping[str, int], words: int, mix: float) -> float:
        """Return log P(query | drawn from a text) - log P(query | words of the site).

        Args:
            text: How often each word occurs in it.
            words: Total number of its words.
            mix: Probability that a word of the query is drawn from the text.
        """
        if not words:
            return sum(self.words.values()) * math.log(1 - mix)
        return sum(
            count
            * math.log(1 - mix + mix * text.get(word, 0) / words / self._background.rate(word))
            for word, count in self.words.items()
        )


def _either(chance: Floats, inside: Floats, outside: float) -> Floats:
    """Return the log of chance e^inside + (1 - chance) e^outside, safe from underflow."""
    with np.errstate(divide="ignore"):
        within = np.log(np.clip(chance, 0, 1))
        without = np.log1p(-np.clip(chance, 0, 1))
    return np.asarray(np.logaddexp(within + inside, without + outside))


def _subsets(odds: Collection[Floats], sizes: int) -> Floats:
    """Return the log of the sum over all subsets of m odds of their product, (m, sizes)."""
    sums = np.full((len(odds) + 1, sizes), -np.inf)
    sums[0] = 0
    for each in odds:
        sums[1:] = np.logaddexp(sums[1:], sums[:-1] + each)
    return sums


def _log_sum(logs: Floats) -> Floats:
    """Return the log of the sum along the first axis."""
    return np.asarray(np.logaddexp.reduce(logs, axis=0))
