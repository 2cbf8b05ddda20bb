"""Odds for a rule of forms: wherever it and the letters differ, an answer says who is right.

A document with `ships` and without `ship` belongs to what `ship` matches by a rule that takes
plurals, and not by the letters. Where such documents come as surely as those that hold the very
word, the rule is right; where they stay away it is not.
"""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
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
"""Chance that a document comes which a rule says matches, where a rule is right and those with
the very word come. All chances here are relative to theirs: return limits leave out both."""

PERHAPS = 0.5
"""The same where it is wrong: more than chance, for documents of which only a part is known."""

WITNESSES = 3.0
"""All documents of one query count as so many at most: what makes one come makes all come."""

LEAST_SHOWN = 0.5
"""Share of the held documents with the very word that an answer has to show to say anything."""

REMEMBERED = 64
"""Answers that a rule which comes later is tested by."""


class Sample:
    """Some of the held documents: their terms as they are written, and who holds a term.

    >>> sample = Sample()
    >>> sample.add("a", ["deep", "web"]), sample.add("b", ["web"])
    (None, None)
    >>> sample.holding([["web"], ["deep", "sea"]], before=2).tolist()
    [[True, True], [True, False]]
    """

    def __init__(self) -> None:
        self._held = DocumentIndex()

    def __len__(self) -> int:
        """Return how many documents there are."""
        return len(self._held)

    def __contains__(self, key: str) -> bool:
        """Say whether a document is among them."""
        return key in self._held.number

    @property
    def terms(self) -> Sequence[str]:
        """Every term of the documents, in the order of their first appearance."""
        return self._held.terms

    def numbers(self, keys: Iterable[str]) -> Iterator[int]:
        """Yield the numbers of those among some documents that are in the sample."""
        found = (self._held.number.get(key) for key in keys)
        return (number for number in found if number is not None)

    def add(self, key: str, terms: Collection[str]) -> None:
        """Take in a document; its terms are all different."""
        self._held.add(key, terms)

    def text(self, document: int) -> list[str]:
        """Return a document's terms."""
        return self._held.text(document)

    def frequencies(self) -> list[int]:
        """Return how many documents hold each term as it is written."""
        return [int(often) for often in self._held.frequencies()]

    def among(self, documents: Numbers, groups: Sequence[Collection[str]]) -> Bools:
        """Say which of some documents hold a term of each group; (groups, documents)."""
        has = self._held.holds(documents, list(chain.from_iterable(groups)))
        ends = np.cumsum([len(group) for group in groups])
        parts = zip([0, *ends.tolist()], ends.tolist(), strict=False)
        return np.array([has[:, begin:end].any(axis=1) for begin, end in parts])

    def holding(self, groups: Sequence[Collection[str]], before: int) -> Bools:
        """Say which documents of a lower number hold a term of each group; (groups, before)."""
        has = np.zeros((len(groups), before), dtype=np.bool_)
        for row, group in enumerate(groups):
            for number in self._held.term_numbers(group).tolist():
                found = self._held.showing(number)
                has[row, found[: np.searchsorted(found, before)]] = True
        return has


@dataclass(frozen=True)
class Answer:
    """What a query brought of the documents that were held before.

    Attributes:
        before: How many those are, of the sample.
        came: Their numbers, ascending.
    """

    query: Query
    before: int
    came: Numbers


class Classes:
    """Words that a rule takes for one another, among those of a sample.

    Args:
        rule: None for words as they are written.
        sample: It may grow.
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
        """Return the documents of a lower number that match a query, by the rule."""
        has = self._sample.holding(self._groups(query), before)
        return np.flatnonzero(_matches(query, has)).astype(np.int32)

    def fits(self, query: Query, documents: Numbers) -> Bools:
        """Say of each of some documents whether it matches a query, by the rule."""
        return _matches(query, self._sample.among(documents, self._groups(query)))

    def _groups(self, query: Query) -> list[Sequence[str]]:
        return [self.forms(word) for word in (*query.required, *query.excluded)]


def _matches(query: Query, has: Bools) -> Bools:
    """Say which documents match, by what each word of the query finds; (words, documents)."""
    required = len(query.required)
    return np.asarray(has[:required].all(axis=0) & ~has[required:].any(axis=0))


class Test:
    """Odds for one rule, from every answer that says something about it.

    Attributes:
        score: Log of the odds against a rule that is right as often as not.
        recent: What each of the last answers added to it.
        unexplained: Of the last answers, how much of each this rule does not explain, 0 to 1.
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
        """How well the rule does in the last answers, what it leaves unexplained included."""
        return sum(self.recent) - sum(self.unexplained)

    def take(self, answer: Answer) -> None:
        """Hold an answer against the rule."""
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
    """Return the log of the odds that documents come by one chance and not by the other."""
    stayed = documents - came
    return came * log(right / wrong) + stayed * log((1 - right * share) / (1 - wrong * share))


def among(numbers: Numbers, came: Numbers) -> int:
    """Return how many of some documents are among those that came."""
    return len(np.intersect1d(numbers, came, assume_unique=True))
