"""Test a rule for word forms: if its prediction differs from the letters, answers decide.

By a rule for plurals, a document with `ships` and without `ship` matches `ship`; by the letters it
does not. If such documents are returned as reliably as those with the exact word, the rule is
right; if they are missing, it is wrong.
"""

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain
from math import log

import numpy as np
import numpy.typing as npt

from longline.model import Query
from longline.planner.observed.documents import DocumentIndex
from longline.text.stems import Rule

Numbers = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

SURELY = 0.97
"""Probability that a document matching by a correct rule is returned, relative to those with the
exact word. All probabilities here are relative to those: return limits cut both."""

PERHAPS = 0.5
"""The same for a wrong rule: more than chance, as documents may be known only in part."""

WITNESSES = 3.0
"""All documents of one query count as at most this many: they are not independent."""

LEAST_SHOWN = 0.5
"""An answer must show at least this share of the held documents with the exact word."""

REMEMBERED = 64
"""The number of latest answers that new rules are tested with."""


class Sample(DocumentIndex):
    """Some of the held documents, with their terms as written.

    >>> sample = Sample()
    >>> sample.add("a", ["deep", "web"]), sample.add("b", ["web"])
    (0, 1)
    >>> sample.holding([["web"], ["deep", "sea"]], before=2).tolist()
    [[True, True], [True, False]]
    """

    def among(self, documents: Numbers, groups: Sequence[Collection[str]]) -> Bools:
        """Return which of the documents contain a term of each group; (groups, documents)."""
        has = self.holds(documents, list(chain.from_iterable(groups)))
        ends = np.cumsum([len(group) for group in groups])
        parts = zip([0, *ends.tolist()], ends.tolist(), strict=False)
        return np.array([has[:, begin:end].any(axis=1) for begin, end in parts])

    def holding(self, groups: Sequence[Collection[str]], before: int) -> Bools:
        """Return which of the first `before` documents contain a term of each group."""
        has = np.zeros((len(groups), before), dtype=np.bool_)
        for row, group in enumerate(groups):
            for number in self.term_numbers(group).tolist():
                found = self.showing(number)
                has[row, found[: np.searchsorted(found, before)]] = True
        return has


@dataclass(frozen=True)
class Answer:
    """Which of the documents held before a query it returned.

    Attributes:
        before: How many documents of the sample were held before.
        came: The numbers of the returned ones, ascending.
    """

    query: Query
    before: int
    came: Numbers


class Classes:
    """Words of a sample that a rule merges.

    Args:
        rule: The rule; None for words as written.
        sample: The sample; it may grow.
    """

    def __init__(self, rule: Rule | None, sample: Sample) -> None:
        self.rule = rule
        self._sample = sample
        self._read = 0
        self._members: dict[str, list[str]] = {}

    def forms(self, word: str) -> Sequence[str]:
        """Return the words of the sample that are forms of this one."""
        if self.rule is None:
            return (word,)
        new = self._sample.terms[self._read :]
        for term, key in zip(new, self.rule.keys(new), strict=True):
            self._members.setdefault(key, []).append(term)
        self._read += len(new)
        return self._members.get(self.rule.key(word), ())

    def matching(self, query: Query, before: int) -> Numbers:
        """Return which of the first `before` documents match a query by the rule."""
        has = self._sample.holding(self._groups(query), before)
        return np.flatnonzero(_matches(query, has)).astype(np.int32)

    def fits(self, query: Query, documents: Numbers) -> Bools:
        """Return for each document whether it matches a query by the rule."""
        return _matches(query, self._sample.among(documents, self._groups(query)))

    def _groups(self, query: Query) -> list[Sequence[str]]:
        return [self.forms(word) for word in (*query.required, *query.excluded)]


def _matches(query: Query, has: Bools) -> Bools:
    """Return which documents match, from the matches of each query word; (words, documents)."""
    required = len(query.required)
    return np.asarray(has[:required].all(axis=0) & ~has[required:].any(axis=0))


class Test:
    """The log odds of one rule, from every answer that is evidence about it.

    Attributes:
        score: Log of the odds that the rule is right, from even odds.
        recent: What each of the last answers added to it.
        unexplained: For each of the last answers, the part this rule does not explain, 0 to 1.
    """

    def __init__(self, classes: Classes, literal: Classes) -> None:
        self.classes = classes
        self._literal = literal
        self.score = 0.0
        self.best = 0.0
        self.recent: deque[float] = deque(maxlen=REMEMBERED)
        self.unexplained: deque[float] = deque(maxlen=REMEMBERED)

    @property
    def value(self) -> float:
        """The score of the last answers, less what the rule leaves unexplained."""
        return sum(self.recent) - sum(self.unexplained)

    def take(self, answer: Answer) -> None:
        """Compare an answer with the rule's prediction."""
        by_rule = self.classes.matching(answer.query, answer.before)
        by_letter = self._literal.matching(answer.query, answer.before)
        agreed = np.intersect1d(by_rule, by_letter, assume_unique=True)
        shown = among(agreed, answer.came)
        strange = np.setdiff1d(answer.came, np.union1d(by_rule, by_letter), assume_unique=True)
        self.unexplained.append(min(1.0, len(strange) / WITNESSES))
        if not shown or shown < LEAST_SHOWN * len(agreed):
            return
        share = (shown + 0.5) / (len(agreed) + 1)
        more = np.setdiff1d(by_rule, by_letter, assume_unique=True)
        fewer = np.setdiff1d(by_letter, by_rule, assume_unique=True)
        odds = _odds(share, len(more), among(more, answer.came), SURELY, PERHAPS)
        odds += _odds(share, len(fewer), among(fewer, answer.came), 1 - SURELY, PERHAPS)
        documents = len(more) + len(fewer)
        odds *= min(1.0, WITNESSES / max(documents, 1))
        self.recent.append(odds)
        self.score += odds
        self.best = max(self.best, self.score)


def _odds(share: float, documents: int, came: int, right: float, wrong: float) -> float:
    """Return the log likelihood ratio of `came` of the documents, for the two probabilities."""
    stayed = documents - came
    return came * log(right / wrong) + stayed * log((1 - right * share) / (1 - wrong * share))


def among(numbers: Numbers, came: Numbers) -> int:
    """Return how many of the documents were returned."""
    return len(np.intersect1d(numbers, came, assume_unique=True))
