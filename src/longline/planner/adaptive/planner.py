"""Adaptive: after every query, send the term that promises the most new documents for its cost.

There is no sample and no pool: every document changes the value of its terms, and every answer
corrects the model. The number of unseen documents with a term is estimated from the documents
seen exactly once, from how evenly the term is spread over the received pages, and from the length
of its documents. How many of those an answer cut at the return limit shows is learned too, so
static and relevance rankings need no separate treatment. See `candidates` for the choice,
`yield_model` for the model, docs/research/decisions/0010-adaptive.md for figures.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from math import exp, log

import numpy as np

from longline.events import AnyEvent, DocumentReceived, PageFailed, PageReceived
from longline.model import Document, Finish, Hit, Page, Query, Search, Total
from longline.planner.adaptive.candidates import ROW_COST, Candidates, Promise
from longline.planner.adaptive.common_words import CommonWords, least_common
from longline.planner.adaptive.yield_model import EXACT, USEFUL_COUNT, Forecast, Yields, next_page
from longline.planner.capabilities import Capabilities
from longline.planner.observed import (
    Arrival,
    DocumentIndex,
    Forms,
    RankingDetector,
    RecentPages,
    ReturnLimit,
    TermStatistics,
    arrival,
)
from longline.planner.reports import Reports
from longline.planner.sequential import SequentialPlanner
from longline.pool import STOP_WORDS, Analyzer
from longline.text.seed_words import SEED_WORDS, shuffled

HELD = 3
"""If this many seen documents contain a word that finds nothing, the source ignores that word."""

HIDDEN_ERROR = 0.25
"""Error variance of the log of the matching seen documents, if only snippets are known."""

PASSED_OVER = 100
"""At most this many answers to ignored words are left out of the statistics."""

EVERY_WORD = Analyzer(stop_words=frozenset())

PATIENCE = 3
"""This many pages of one query together must bring as much as one page of another promises."""


@dataclass
class _Asked:
    """The current query, and what its pages brought so far."""

    query: Query
    yields: Yields
    forecast: Forecast | None = None
    keys: set[str] = field(default_factory=set)
    seen: int = 0
    known: int = 0
    new: int = 0
    new_by_page: list[int] = field(default_factory=list)
    total: Total | None = None
    is_telling: bool = True


class Adaptive(SequentialPlanner, Reports):
    """Send the term that promises most, and learn from the answers, until they bring little.

    Args:
        abilities: What the source can do; unknown limits are learned.
        rng: Orders the first words.
        words: Words to begin with, and to continue with when no term is left.
        forms: What is known of the word forms that the source merges.

    >>> planner = Adaptive(Capabilities(), np.random.default_rng(0), words=["web"])
    >>> planner.next()
    Search(query=Query(required=('web',)), number=1)
    >>> planner.next()
    Finish(reason='no word brought a document')
    """

    def __init__(
        self,
        abilities: Capabilities,
        rng: np.random.Generator,
        words: Sequence[str] = SEED_WORDS,
        forms: Forms | None = None,
    ) -> None:
        super().__init__()
        self._analyzer = Analyzer()
        self._forms = forms or Forms(abilities.forms)
        self._grouped = 0, ""  # the state of the word forms at the last grouping
        self._words = shuffled(words, rng)
        self._bounds = ReturnLimit(abilities.limit, abilities.page_size)
        self._seen = TermStatistics()
        self._order = RankingDetector()
        self._yields = Yields(self._order)
        self._candidates = Candidates(
            self._seen, self._yields, self._bounds, self._forms, self.sent
        )
        self._awaited: set[str] = set()  # listed documents that were not received yet
        self._asked: _Asked | None = None
        self._recent = RecentPages()
        self._passed_over = 0
        self._common = CommonWords()

    def choose(self) -> Search | Finish:
        """Return the query for the most valuable term, or the end."""
        self._seen.count()
        self._settle()
        self._seen.turn_page()
        self._regroup()
        if (finish := self._recent.ending()) is not None:
            return finish
        may_be_cut = self._bounds.most_rows < np.inf and not self._candidates.has_counts
        common = None if may_be_cut else self._common.next(len(self._seen), self.sent)
        if common is not None:
            return self._pursue(self._candidates.take_word(common))
        best = self._candidates.best()
        if best is not None:
            return self._pursue(self._candidates.take(best))
        while self._words:
            word = self._words.pop()
            is_read = len(word) >= self._candidates.least_length.letters
            if is_read and Query((word,)) not in self.sent:
                return self._pursue(self._candidates.take_word(word))
        if not len(self._seen):
            return Finish("no word brought a document")
        return Finish("every word that was found was searched for, except those with digits")

    def _pursue(self, promise: Promise) -> Search:
        self._asked = _Asked(*promise)
        return Search(promise.query)

    def _regroup(self) -> None:
        """Group terms again if more was learned about word forms since the last query."""
        was, self._grouped = self._grouped, (self._forms.changes, self._forms.name)
        if was == self._grouped:
            return
        if was[1] != self._forms.name:  # the old model no longer applies
            self._yields = Yields(self._order)
            self._candidates.believe(self._yields)
        self._seen.regroup(self._forms.keys if self._forms.rule else None)
        self._candidates.regroup()

    @property
    def held(self) -> DocumentIndex:
        """The documents that came."""
        return self._seen.held

    def believed_forms(self) -> str:
        """Return the rule by which the source merges word forms, or "" if it merges none."""
        return self._forms.name

    # Answers.

    def tell(self, event: AnyEvent) -> None:
        """Process an event; a failed page makes the current answer useless for learning."""
        is_lost = isinstance(event, PageReceived) and event.page.is_lost
        if (is_lost or isinstance(event, PageFailed)) and self._asked is not None:
            self._asked.is_telling = False
        super().tell(event)

    def see(self, query: Query, number: int, page: Page) -> None:
        """Count new and repeated documents on a result page."""
        asked = self._asked
        if asked is None:
            return
        self._seen.count()
        self._seen.turn_page()
        self._forms.see(query, number, page)
        self._bounds.see_page(len(page.hits), more=page.next is not None)
        if query.required == (self._common.word,) and number == 1:
            is_long = page.next is not None and not page.total
            found = page.total.documents if page.total else len(page.hits)
            self._common.see(np.inf if is_long else found, len(self._seen))
        if page.hits:
            self._candidates.least_length.see_read(query.required[0])
        hits = {hit.key: hit for hit in page.hits if hit.key not in asked.keys}
        new, required = 0, list(map(self._seen.number, query.required))
        for key, hit in hits.items():
            if key in self._seen:
                asked.seen += 1
                is_known = self._is_known(required, key)
                asked.known += is_known
                self._seen.again(key)
                if hit.snippet and not is_known:
                    self._widen(query, hit)
            elif key not in self._awaited:
                self._awaited.add(key)
                new += 1
        if self._yields.reveal.is_partial:
            self._order.see(*self._seen.places(hits))
        asked.keys.update(hits)
        asked.new += new
        asked.new_by_page.append(new)
        asked.total = page.total or asked.total
        if not page.hits and number == 1 and self._is_passed_over(query):
            asked.is_telling = False
            self._see_passed_over(query.required[0])
        elif len(self._seen) or new:  # the first words may well bring nothing
            self._recent.note(new)

    def _see_passed_over(self, word: str) -> None:
        """Learn from a word that the source does not search: it is too short, or a stop word."""
        self._passed_over += 1
        if word not in STOP_WORDS:
            self._candidates.least_length.see_passed_over(word)
        else:
            self._candidates.leave_out(sorted(STOP_WORDS))

    def _is_passed_over(self, query: Query) -> bool:
        """Return whether the source ignored a query's words, so its empty answer says nothing."""
        seen = self._seen
        is_held = all(seen.df[seen.number(term)] >= HELD for term in query.required)
        return bool(query.required) and is_held and self._passed_over < PASSED_OVER

    def _are_words(self, query: Query) -> bool:
        """Return whether most results for a letter have it as a word of their own."""
        self._seen.count()
        came = [key for key in self._asked.keys if key in self._seen] if self._asked else []
        required = list(map(self._seen.number, query.required))
        return sum(self._is_known(required, key) for key in came) * 2 > len(came)

    def _is_known(self, required: Sequence[int], key: str) -> bool:
        """Return whether the known text of a seen document contains all required terms."""
        terms = self._seen.terms_of(key)
        return all(number in terms for number in required)

    def _widen(self, query: Query, hit: Hit) -> None:
        """Add a snippet's terms to a document if only its snippets are known."""
        terms = self._analyzer.terms(hit.snippet)
        self._seen.widen(hit.key, list(dict.fromkeys([*terms, *query.required])))

    def learn(self, document: Document) -> None:
        """Count a document's terms."""
        every = EVERY_WORD.terms(f"{document.title}\n{document.text}")
        self._hold(document.key, every, len(EVERY_WORD.terms(document.title)))

    def take(self, arrival: Arrival) -> None:
        """Count the terms of a document that another planner found."""
        titled = 0 if arrival.snippet is None else arrival.snippet.titled
        self._hold(arrival.key, arrival.terms, titled)

    def take_all(self, held: DocumentIndex) -> None:
        """Count the terms of all documents found by others before this planner began."""
        if not held.texts_are_known:
            for came in held.arrivals():
                self.take(came)
            return
        self._seen.take_all(held)
        counts = held.frequencies()
        often = np.flatnonzero(counts >= least_common(len(held))).tolist()
        self._common.take({held.terms[number]: int(counts[number]) for number in often})

    def go_on(self, found: Sequence[DocumentReceived]) -> bool:
        """Continue with terms of documents that others found; return False if none exist."""
        for came in found:
            self.take(arrival(came))
        self._recent = RecentPages()
        return bool(found)

    def _hold(self, key: str, every: Collection[str], titled: int) -> None:
        """Count a document's terms; the first `titled` of them are in its title."""
        self._awaited.discard(key)
        if key in self._seen:
            return
        self._common.count(every)
        self._seen.hold(key, every, titled)
        self._forms.hold(key, [term for term in every if term not in STOP_WORDS])

    # Whether to request the next page.

    def wants_page(self, query: Query, number: int) -> bool:
        """Return True unless another query promises more for its cost than the next page."""
        asked, rate = self._asked, self._candidates.rate
        if asked is None:
            return True
        brought = sum(asked.new_by_page[-PATIENCE:])
        if number > PATIENCE and max(brought, self._least_new(asked)) < max(rate, 1):
            return False
        if asked.forecast is None:
            is_letter = query.required == (self._common.letter,)
            if is_letter and self._are_words(query):
                return False
            is_common = is_letter or query.required == (self._common.word,)
            is_cut = asked.total and asked.total.documents > self._bounds.most_rows
            return not (is_common and is_cut)
        rows = len(asked.keys)
        total = asked.total
        error = self._yields.count_error(total.relation) if total else float("inf")
        page = next_page(asked.forecast, total, error, asked.new, rows, self._bounds)
        return page.is_cut or page.new >= rate * (1 + ROW_COST * page.rows)

    def _least_new(self, asked: _Asked) -> float:
        """Return how many new documents each further page must bring, as the total is larger."""
        total = asked.total
        if total is None or self._yields.count_error(total.relation) >= EXACT:
            return 0.0
        left = min(total.documents, self._bounds.most_rows) - len(asked.keys)
        held = len(self._seen) - asked.seen
        return max(left - held, 0) / max(left / self._bounds.full_page, 1)

    # Learning from answers.

    def _settle(self) -> None:
        """Learn from the query that ended."""
        asked, self._asked = self._asked, None
        if asked is not None and self._forms.is_dead(asked.query.required[0]):
            self._candidates.look_whether_sent(asked.query.required[0])
        if asked is None or not asked.is_telling or not asked.new_by_page:
            return
        rows, total = len(asked.keys), asked.total
        error = self._yields.count_error(total.relation) if total else float("inf")
        reported = total.documents if total and error < EXACT else None
        is_whole = not self._more
        if is_whole and asked.forecast is not None:
            self._bounds.see_end(rows, reported)
            # An answer whose last page is not full was not cut at a limit, whatever its total says.
            is_cut = bool(reported and reported > rows and rows % self._bounds.full_page == 0)
            is_whole = rows < self._bounds.most_rows and not is_cut
            if is_whole and total:
                self._yields.check_count(total.relation, total.documents, rows)
        self._candidates.has_counts = reported is not None
        if asked.forecast is not None:
            self._learn_size(asked, asked.forecast, is_whole, error)

    def _learn_size(self, asked: _Asked, forecast: Forecast, is_whole: bool, error: float) -> None:
        rows, limit = len(asked.keys), self._bounds.most_rows
        new = int(min(asked.new, limit))  # can be more if the order changes between pages
        total = asked.total.documents if asked.total and error < USEFUL_COUNT else None
        guess = forecast.known + exp(min(forecast.mean, 30.0))
        matching = guess if total is None else float(total)
        cut = 0.0 if is_whole else log(max(matching / max(rows, 1), 1.0))
        asked.yields.learn_hidden(forecast, asked.known, asked.seen, cut)
        if is_whole:
            asked.yields.learn(forecast, asked.new)
            return
        known = max(forecast.df * asked.yields.reveal.ratio(forecast.x), float(asked.seen))
        error = error if error > EXACT else 0.0
        if total is not None:
            unseen = max(total - known, 0.0)
            hidden = HIDDEN_ERROR if asked.yields.reveal.is_partial else 0.0
            variance = error * (unseen + known) ** 2 + hidden * known**2
            variance /= (unseen + 0.5) ** 2
            asked.yields.learn(forecast, unseen, variance)
            if limit < np.inf:
                answer = known, unseen, float(rows), forecast.documents
                asked.yields.learn_overflow(*answer, new=new, variance=variance)
        else:
            asked.yields.learn_at_least(forecast, max(rows - known, asked.new))
            if rows >= limit:
                asked.yields.learn_from_rows(forecast, known, limit, new)
