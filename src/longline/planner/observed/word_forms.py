"""Learn whether a source merges forms of a word, such as ships and ship, or cafe and café.

Where a rule and the letters of a text differ about a held document, the answer to a query decides:
by the rule, a document with `ships` and without `ship` matches `ship`; by the letters it does not.
Many rules are tested so. A rule is adopted when its documents are returned as reliably as those
with the exact word, and dropped when they are missing. A form that is missing while others are
returned is treated as a word of its own.

No extra queries are sent. A document counts only after it was held before the query: a page of new
documents shows what a query matches, but not what it does not match.
"""

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from math import log

import numpy as np

from longline.model import Page, Query
from longline.planner.observed.word_form_tests import (
    REMEMBERED,
    SURELY,
    Answer,
    Classes,
    Sample,
    Test,
    among,
)
from longline.text.stems import Rule, fold, rule_names

FALSE_ALARMS = 0.02
"""Probability that any wrong rule is adopted, if documents are independent."""

DOUBT = log(1e-9)
"""A rule is dropped when its log odds are this far below their best: three contradictions in a row.
One or two may be exceptions to the rule."""

MARGIN = 4.0
"""Another rule replaces the adopted one if its log odds are better by this."""

NEARLY_ALL = 0.9
"""An answer is evidence on other forms only if it shows this share of the held documents with the
queried word: a ranking may prefer the exact word."""

NOMINEES = 4
"""Rules under test at a time: those that explain most hits without the queried words."""

EXAMINED = 3
"""The most such hits of one answer that are examined."""

PAUSE = 32
"""Number of answers between two updates of the forms that are words of their own."""

WHOLE_SAMPLE, EVERY, MOST_KEPT = 4000, 16, 20_000
"""The first 4000 documents are sampled, then one in 16, and at most 20,000 in all."""

START = 2
"""Forms of one word share this many first letters, ignoring accents."""

ODD = 0.05
"""A form is a word of its own if the probability of its documents missing is below this."""


@dataclass
class _Open:
    """A query whose answer is still incomplete."""

    query: Query
    before: int
    keys: set[str] = field(default_factory=set)


class Forms:
    """Learn from a harvest's answers which word forms its source merges.

    Args:
        told: The rule as given by the user or the spec, "" if unknown; it is used until answers
            contradict it.

    Attributes:
        rule: The adopted rule; None for words as written.
        changes: How often the rule changed, or a form turned out to be a word of its own.

    Raises:
        UnknownNameError: No rule has the name `told`.

    >>> forms = Forms("english")
    >>> forms.keys(["ships", "shipping"])
    ['ship', 'ship']
    """

    def __init__(self, told: str = "") -> None:
        self.changes = 0
        self._sample = Sample()
        self._offered = 0
        self._literal = Classes(None, self._sample)
        self._open: _Open | None = None
        self._answers: deque[Answer] = deque(maxlen=REMEMBERED)
        self._nominated: Counter[str] = Counter()
        self._tests: dict[str, Test] = {}
        self._believed = ""
        self._odd: set[str] = set()
        self._odd_to_be: set[str] = set()
        self._ended = 0
        self._dead: set[str] = set()
        if told:
            self._believe(told)

    @property
    def rule(self) -> Rule | None:
        """The adopted rule; None for words as written."""
        return self._tests[self._believed].classes.rule if self._believed else None

    @property
    def name(self) -> str:
        """Name of the adopted rule, "" for words as written."""
        return self._believed

    @property
    def odd(self) -> frozenset[str]:
        """Forms that the rule merges with others, and the source does not."""
        return frozenset(self._odd)

    def keys(self, terms: Iterable[str]) -> list[str]:
        """Return a key for each term; terms with the same key are forms of one word."""
        found = list(terms)
        if self.rule is None:
            return found
        keys = self.rule.keys(found)
        if not self._odd:
            return keys
        # The mark separates an odd form from others whose key may be its own letters.
        return [f"={t}" if t in self._odd else k for t, k in zip(found, keys, strict=True)]

    def labels(self) -> Callable[[Iterable[str]], list[str]]:
        """Return a function that gives each term's label: the form of its word to query.

        For words that come later, the first form seen is the label.
        """
        terms = list(self._sample.terms)
        classes: dict[str, list[tuple[str, int]]] = {}
        for form, key, often in zip(
            terms, self.keys(terms), self._sample.frequencies(), strict=True
        ):
            classes.setdefault(key, []).append((form, often))
        label_of = {
            key: self.spoken(*map(list, zip(*forms, strict=True))) for key, forms in classes.items()
        }
        known: dict[str, str] = {}

        def labels(terms: Iterable[str]) -> list[str]:
            found = list(terms)
            new = [term for term in found if term not in known]
            for term, key in zip(new, self.keys(new), strict=True):
                known[term] = label_of.setdefault(key, term)
            return [known[term] for term in found]

        return labels

    def is_dead(self, form: str) -> bool:
        """Return whether a form found nothing, although documents contain it as written."""
        return form in self._dead

    def spoken(self, forms: Collection[str], frequency: Sequence[int]) -> str:
        """Return the form to query: one that may work, and of those the most frequent as written.

        If a source reduces only documents to keys and not queries, forms other than the key find
        nothing; once several did not, keys come first.
        """
        dead = [form for form in self._dead if self.rule and self.rule.key(form) != form]
        prefers_keys = len(dead) >= 3
        keys = self.keys(forms) if prefers_keys else [""] * len(forms)
        ranked = [
            (form in self._dead, prefers_keys and form != key, -often, form)
            for form, key, often in zip(forms, keys, frequency, strict=True)
        ]
        return min(ranked)[-1]

    # Answers.

    def hold(self, key: str, terms: Collection[str]) -> None:
        """Add a document's terms, as written, to the sample; known documents are ignored."""
        if key in self._sample.keys or len(self._sample) == MOST_KEPT:
            return
        self._offered += 1
        if self._offered <= WHOLE_SAMPLE or self._offered % EVERY == 0:
            self._sample.add(key, terms)

    def see(self, query: Query, number: int, page: Page) -> None:
        """Process a result page; call this before its documents are held."""
        if number == 1:
            self._end()
            self._open = _Open(query, len(self._sample))
        if self._open is None or self._open.query != query:
            return
        self._open.keys.update(hit.key for hit in page.hits)
        if page.next is None or not page.hits:
            self._end()

    def _end(self) -> None:
        """Learn from an answer that has ended."""
        over, self._open = self._open, None
        is_plain = over is not None and not (over.query.any_of or over.query.filters)
        if over is None or not is_plain or not over.query.required:
            return
        known = sorted(n for n in self._sample.numbers(over.keys) if n < over.before)
        answer = Answer(over.query, over.before, np.array(known, dtype=np.int32))
        self._ended += 1
        self._nominate(answer)
        self._note_forms(answer, brought=len(over.keys))
        self._part_odd_forms()
        if not (self._nominated or self._believed):
            return
        self._answers.append(answer)
        for test in self._tests.values():
            test.take(answer)
        self._set_tests()
        self._judge()

    def _nominate(self, answer: Answer) -> None:
        """Count rules that explain hits which neither the letters nor the adopted rule explain."""
        strange = answer.came[~self._literal.fits(answer.query, answer.came)]
        if self._believed:
            believed = self._tests[self._believed].classes
            strange = strange[~believed.fits(answer.query, strange)]
        for document in strange[:EXAMINED].tolist():
            texts = self._sample.text(document)
            self._nominated.update(_explaining(answer.query.required, texts))

    def _note_forms(self, answer: Answer, brought: int) -> None:
        """Note forms that find nothing, and forms that are missing from an answer."""
        if answer.query.excluded or len(answer.query.required) > 1:
            return
        word = answer.query.required[0]
        if brought and (not self._believed or word in self._odd):
            return
        by_letter = self._literal.matching(answer.query, answer.before)
        if not brought and len(by_letter) >= 2:
            self._dead.add(word)
            return
        if not self._believed or word in self._odd:
            return
        shown = among(by_letter, answer.came)
        if not shown or shown < NEARLY_ALL * len(by_letter):
            return
        share = (shown + 0.5) / (len(by_letter) + 1)
        forms = self._tests[self._believed].classes.forms(word)
        groups = [[form] for form in forms]
        for form, has in zip(forms, self._sample.holding(groups, answer.before), strict=True):
            others = np.setdiff1d(np.flatnonzero(has), by_letter, assume_unique=True)
            stays_away = len(others) and not among(others, answer.came)
            if stays_away and (1 - SURELY * share) ** len(others) < ODD:
                self._odd_to_be.add(form)

    def _part_odd_forms(self) -> None:
        if self._ended % PAUSE == 0 and not self._odd_to_be <= self._odd:
            self._odd |= self._odd_to_be
            self.changes += 1

    # Choosing a rule.

    def _set_tests(self) -> None:
        """Test the rules that explain most; drop the others, except the adopted one."""
        order = {name: place for place, name in enumerate(rule_names())}
        ranked = sorted(self._nominated, key=lambda name: (-self._nominated[name], order[name]))
        wanted = {*ranked[:NOMINEES], *([self._believed] if self._believed else [])}
        for name in self._tests.keys() - wanted:
            del self._tests[name]
        for name in (name for name in ranked[:NOMINEES] if name not in self._tests):
            test = self._tests[name] = Test(Classes(Rule(name), self._sample), self._literal)
            for answer in self._answers:
                test.take(answer)

    def _judge(self) -> None:
        """Adopt a rule, drop it, or replace it with a better one."""
        enough = log(len(rule_names()) / FALSE_ALARMS)
        old = self._tests.get(self._believed)
        if old is not None and old.score < old.best + DOUBT:
            del self._tests[self._believed]
            self._nominated.pop(self._believed, None)
            self._believe("")
            old = None
        able = [name for name in rule_names() if name in self._tests]
        able = [name for name in able if self._tests[name].score >= enough]
        if not able:
            return
        best = max(able, key=lambda name: self._tests[name].value)
        if old is None or self._tests[best].value > old.value + MARGIN:
            self._believe(best)

    def _believe(self, name: str) -> None:
        self._believed = name
        self._odd.clear()
        self._odd_to_be.clear()
        self.changes += 1
        if name and name not in self._tests:
            self._tests[name] = Test(Classes(Rule(name), self._sample), self._literal)


@cache
def _rules() -> tuple[Rule, ...]:
    return tuple(map(Rule, rule_names()))


def _explaining(required: Iterable[str], text: Iterable[str]) -> set[str]:
    """Return the rules by which a text contains every required word."""
    words = list(required)
    starts = {word: fold(word)[:START] for word in words}
    near = {word: [term for term in text if fold(term).startswith(starts[word])] for word in words}
    every = list(dict.fromkeys(chain(words, *near.values())))
    found = set()
    for rule in _rules():
        key = dict(zip(every, rule.keys(every), strict=True))
        if all(any(key[term] == key[word] for term in near[word]) for word in words):
            found.add(rule.name)
    return found
