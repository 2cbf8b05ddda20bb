"""Find out in about twenty queries what a source can do and how many documents it holds.

First come the trials of `auto`: page size, totals, order, AND, NOT, the longest query. Then the
size, by the best method that works (`size_queries`).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from math import inf

import numpy as np

from longline.events import AnyEvent, DocumentReceived, PageReceived
from longline.model import Finish, Page, Search
from longline.planner.capabilities import Capabilities
from longline.planner.cells import UNKNOWN, Cell
from longline.planner.probe.capability_trials import CapabilityTrials, Findings
from longline.planner.probe.searched_field import SearchedField
from longline.planner.probe.size_estimates import SizeRange, by_listing, by_seen
from longline.planner.probe.size_queries import Sounder
from longline.planner.probe.term_shares import Answers, Vocabulary, most_shown, vocabulary
from longline.pool import DROPPED_WORDS
from longline.ports import Asking, GeneratorPolicy
from longline.text.seed_words import SEED_WORDS, shuffled

TELLING = 5
"""The most words from texts that test whether texts are searched, if all hits match by title."""

COMMON_WORDS = 2
"""The number of words that many sources ignore, to test if there are no totals."""


class SourceSurvey(GeneratorPolicy[Search, Page]):
    """Probe a source: what it can do, and how many documents it holds.

    Args:
        abilities: What the source is said to do; trusted until answers contradict it.
        rng: Orders the first words.
        words: Words to begin with, until some bring documents.
        scope: Learns which part of documents is searched, from a `FieldAware` around this; a few
            words are sent to help it. None if that is not to be found out.
        left: Returns how many queries may still be sent; with few left, the survey does less.

    Attributes:
        findings: What the source can do; None until found out.
        sounding: How many documents it holds; None until found out.
        queries: The number of queries sent so far.
        answers: The answers so far.

    >>> scout = SourceSurvey(Capabilities(negation=True), np.random.default_rng(0), ["deep"])
    >>> str(scout.next().query)
    'deep'
    >>> scout.next()
    Finish(reason='no word brought a document', target_met=False)
    """

    def __init__(
        self,
        abilities: Capabilities,
        rng: np.random.Generator,
        words: Sequence[str] = SEED_WORDS,
        *,
        scope: SearchedField | None = None,
        left: Callable[[], float] = lambda: inf,
    ) -> None:
        super().__init__(self._planned())
        self._abilities = abilities
        self._trials = CapabilityTrials(abilities, shuffled(words, rng))
        self._known = self._trials.known
        self._scope = scope
        self._left = left
        self.findings: Findings | None = None
        self.sounding: SizeRange | None = None
        self.queries = 0
        self.answers = Answers()

    def next(self) -> Search | Finish:
        """Return the next page to request, or the end."""
        action = super().next()
        self.queries += isinstance(action, Search)
        return action

    def tell(self, event: AnyEvent) -> None:
        """Process a result page or a document."""
        match event:
            case PageReceived(query, 1, page):
                self.came = page
                self.answers.see(query, page)
            case DocumentReceived():
                self._trials.hold(event)

    @property
    def seen(self) -> int:
        """The number of different documents on the received pages."""
        return self.answers.seen

    @property
    def vocabulary(self) -> Vocabulary:
        """The source's most common words and the words that it ignores, as far as known."""
        return vocabulary(self._known, self.answers.pages)

    @property
    def widest(self) -> str:
        """The single word with the largest total; "" if there is none."""
        totals = self.answers.totals
        return max(totals, key=lambda word: (totals[word], word), default="")

    def so_far(self) -> SizeRange:
        """Return the size estimate, or a lower bound if the survey was stopped before."""
        if self.sounding is not None:
            return self.sounding
        is_reliable = self._known.trust.counts == "exact"
        return by_seen(self.seen, (self.answers.largest or 0) if is_reliable else 0)

    # The plan.

    def _planned(self) -> Asking[Finish]:
        yield from self._trials.begin()
        if self._abilities.by_meaning:
            return self._seen_nearest()
        yield from self._ask_which_part()
        findings = yield from self._trials.plan()
        if not len(self._known.held):
            return Finish("no word brought a document", target_met=False)
        able = findings.abilities
        if able.counts in (None, "none"):
            yield from self._ask_common_words()
        self.findings = replace(findings, doubts=(*self._doubts(), *findings.doubts))
        sounder = Sounder(self._known, self._trials.words, self.answers, self._left)
        self.sounding = (yield from sounder.sound(able)) or self.so_far()
        self.findings = replace(findings, doubts=(*self._doubts(), *findings.doubts))
        return Finish(f"the size was estimated, by {self.sounding.method}")

    def _seen_nearest(self) -> Finish:
        """End at once: AND and NOT mean nothing; totals count all documents, or only hits."""
        able = replace(self._abilities, conjunction=False, negation=False)
        self.findings = Findings(abilities=able, ranking="meaning", queries=self.queries)
        totals = set(self.answers.totals.values())
        longest = max((len(keys) for _, keys in self.answers.pages), default=0)
        if len(totals) == 1 and max(totals) > longest:
            self.sounding = by_listing(max(totals), self.seen)
            return Finish("every answer says how many documents there are")
        self.sounding = by_seen(self.seen, 0)
        return Finish("answers by meaning do not show how many documents there are")

    def _doubts(self) -> list[str]:
        """Return doubts that the trials do not look for."""
        doubts = []
        if self._scope is not None and self._scope.part == "title":
            doubts.append("it searches only titles")
        if unread := self.vocabulary.passed_over:
            some = " and ".join(map(repr, unread[:2]))
            doubts.append(f"it ignores words such as {some}")
        return doubts

    def _ask_which_part(self) -> Asking[None]:
        """Send words from texts, as long as all hits match by title."""
        for _ in range(TELLING):
            word = None if self._scope is None else self._scope.telling()
            if word is None:
                return
            yield from self._read(Cell((word,), (), UNKNOWN))

    def _ask_common_words(self) -> Asking[None]:
        """Send common words that many sources ignore; with totals, the roots already test these."""
        words = (term for term in most_shown(self._known.held) if term in DROPPED_WORDS)
        for term in islice(words, COMMON_WORDS):
            yield from self._read(Cell((term,), (), UNKNOWN))

    def _read(self, cell: Cell) -> Asking[Page | None]:
        page = yield Search(cell.query, 1)
        self._known.receive(cell, page)
        return page
