"""Odds for a rule of forms: wherever it and the letters differ, an answer says who is right.

A document with `ships` and without `ship` belongs to what `ship` matches by a rule that takes
plurals, and not by the letters. Where such documents come as surely as those that hold the very
word, the rule is right; where they stay away it is not.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt

from longline._stems import Rule
from longline.model import Query

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
    >>> sample.holders("web", before=2).tolist()
    [0, 1]
    """

    def __init__(self) -> None:
        self.number: dict[str, int] = {}
        self.terms: list[str] = []
        self._term: dict[str, int] = {}
        self._holders: list[array[int]] = []
        self._texts: list[array[int]] = []

    def __len__(self) -> int:
        """Return how many documents there are."""
        return len(self._texts)

    def add(self, key: str, terms: Iterable[str]) -> None:
        """Take in a document; its terms are all different."""
        document = self.number[key] = len(self)
        text = array("i")
        for term in terms:
            number = self._term.setdefault(term, len(self.terms))
            if number == len(self.terms):
                self.terms.append(term)
                self._holders.append(array("i"))
            self._holders[number].append(document)
            text.append(number)
        self._texts.append(text)

    def text(self, document: int) -> list[str]:
        """Return a document's terms."""
        return [self.terms[number] for number in self._texts[document]]

    def frequency(self, term: str) -> int:
        """Return how many documents hold a term as it is written."""
        number = self._term.get(term)
        return 0 if number is None else len(self._holders[number])

    def holders(self, term: str, before: int) -> Numbers:
        """Return the documents of a lower number that hold a term, ascending."""
        number = self._term.get(term)
        found = np.array(() if number is None else self._holders[number], dtype=np.int32)
        return found[: np.searchsorted(found, before)]


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
        found = np.ones(before, dtype=np.bool_)
        for word in query.required:
            found &= self._holding(word, before)
        for word in query.excluded:
            found &= ~self._holding(word, before)
        return np.flatnonzero(found).astype(np.int32)

    def _holding(self, word: str, before: int) -> Bools:
        mask = np.zeros(before, dtype=np.bool_)
        for form in self.forms(word):
            mask[self._sample.holders(form, before)] = True
        return mask


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
