"""The probes of one harvest: which words to send, how far to read them, and their results."""

from collections.abc import Callable, Collection, Sequence
from itertools import product
from math import prod

import numpy as np

from longline.estimate import ENOUGH_HITS, ProbeEstimator, closer
from longline.events import AnyEvent, DocumentReceived, PageFailed, PageReceived, SizeEstimate
from longline.model import Document, Facet, Filter, Page, Probe, Query, Total
from longline.planner.observed import ReturnLimit, is_complete
from longline.pool import Analyzer
from longline.text.hashes import Hashes


class Reading:
    """The answer to one word, page by page.

    Args:
        word: The word to query.
        limit: Rows after which the answer counts as cut; None reads to the end.
        counts: Only the source's total is wanted: one page, and no document pages.
        believes: Whether totals are trusted.
        filters: Values of the facets that every search needs.

    Attributes:
        failed: A page could not be loaded: then nothing is known about this word.
    """

    def __init__(
        self,
        word: str,
        limit: int | None,
        *,
        counts: bool = False,
        believes: bool = True,
        filters: tuple[Filter, ...] = (),
    ) -> None:
        self.word = word
        self._query = Query((word,), filters=filters)
        self.counts = counts
        self._believes = believes
        self._limit = 0 if counts else limit
        self._number = 0
        self._rows = 0
        self._last: Page | None = None
        self.failed = False
        self._breaks_off = False  # a page after the first brought nothing new
        self._hits: set[str] = set()
        self._documents: dict[str, Document] = {}

    def next(self) -> Probe | None:
        """Return the next page to request; None if no more is needed."""
        if self._number and not self._goes_on():
            return None
        self._number += 1
        return Probe(self._query, self._number, reads=not self.counts)

    def _goes_on(self) -> bool:
        page, total = self._last, self._total
        if self.failed or page is None or page.next is None:
            return False
        is_too_long = self._limit is not None and (
            self._rows >= self._limit or (total is not None and total.documents > self._limit)
        )
        return not is_too_long

    @property
    def _total(self) -> Total | None:
        return self._last.total if self._last is not None and self._believes else None

    def tell(self, event: AnyEvent) -> None:
        """Process an event of this probe."""
        match event:
            case PageReceived(_, _, page):
                is_new = not self._hits.issuperset(page.keys)
                self._breaks_off = self._number > 1 and not is_new
                # A source that offers a next page without new hits would do so for ever.
                self._last = page if is_new else Page(page.hits, page.total)
                self._rows += len(page.hits)
                self._hits.update(page.keys)
            case PageFailed():
                self.failed = True
            case DocumentReceived(document):
                self._documents[document.key] = document

    def count(self) -> int | None:
        """Return the exact total of matches, or None."""
        return None if self._last is None else self._last.exact_total

    @property
    def _has_ended(self) -> bool:
        return self._last is not None and self._last.next is None

    def bears_out(self) -> bool | None:
        """Return whether an exact total equals the received rows; None if that is unknown.

        Pages that repeat rows, or bring nothing new, lose others: they say nothing about the total.
        """
        count = self.count()
        is_cut = self._limit is not None and self._rows >= self._limit
        if not self._has_ended or is_cut or self._breaks_off or count is None or not self._rows:
            return None
        return count in (len(self._hits), self._rows)

    def texts(self) -> dict[str, str] | None:
        """Return the text of every received match, by key; None if the answer was cut.

        A title and a snippet are no text: with so few words, a document would get too much weight.
        """
        rows, different = self._rows, len(self._hits)
        if not (self._has_ended and is_complete(rows, different, self._total, self._limit)):
            return None
        return {key: f"{each.title}\n{each.text}" for key, each in self._documents.items()}


class Readings:
    """The answers to one word, with one value after another of the lists that a search needs.

    Args:
        each: The answers; their matches are those of the word.
    """

    def __init__(self, each: Sequence[Reading]) -> None:
        self.word, self.counts = each[0].word, each[0].counts
        self._each = each
        self._current = each[0]

    def next(self) -> Probe | None:
        """Return the next page to request; None if no more is needed."""
        for reading in self._each[self._each.index(self._current) :]:
            self._current = reading
            if (probe := reading.next()) is not None:
                return probe
        return None

    def tell(self, event: AnyEvent) -> None:
        """Process an event of this probe."""
        self._current.tell(event)

    @property
    def failed(self) -> bool:
        """Whether a page could not be loaded: then nothing is known about this word."""
        return any(each.failed for each in self._each)

    def count(self) -> int | None:
        """Return the exact total of matches, or None."""
        counts = [each.count() for each in self._each]
        return None if None in counts else sum(filter(None, counts))

    def bears_out(self) -> bool | None:
        """Return whether exact totals equal the received rows; None if that is unknown."""
        known = [found for each in self._each if (found := each.bears_out()) is not None]
        return all(known) if known else None

    def texts(self) -> dict[str, str] | None:
        """Return the text of every received match, by key; None if an answer was cut."""
        found: dict[str, str] = {}
        for texts in (each.texts() for each in self._each):
            if texts is None:
                return None
            found |= texts
        return found


ASKED_TOGETHER = 3
"""With more values of the lists that a search needs, a test search draws one of them."""

MOST_HITS = 400
"""The target is one hit per 100 requests, between `ENOUGH_HITS` and this number."""

ROWS = 100
"""A probe is read up to this many rows, or two pages if that is more."""

LIES, LYING = 3, 0.1
"""With this many totals that differ from the received rows, and more than this share of those that
agree, none is trusted. A total of one or two documents is often right by rounding."""

FITS = 0.5
"""The share of received words that a dictionary must have to fit the source's language."""


class Probing:
    """Choose and read probes, and estimate the size from them.

    Args:
        bounds: The source's limits as learned so far; may be updated later.
        rng: Draws the probes.
        dictionary: Returns a dictionary of the source's language; if it does not fit the received
            texts, the words of the documents held at the first probe are used.
        needed: The lists of which every search needs a value.
        held: The keys of the documents of the harvest's own queries, added before `hold`.

    Attributes:
        together: How many searches one word takes.
        pages: Pages requested for probes, since they were last drawn again.
        are_counted: Whether some answer had an exact total.
    """

    def __init__(
        self,
        bounds: ReturnLimit,
        rng: np.random.Generator,
        dictionary: Callable[[], Sequence[str]],
        needed: Sequence[Facet],
        held: Hashes,
    ) -> None:
        self._lists = [[Filter(each.name, value) for value in each.values] for each in needed]
        self._choices = prod(map(len, self._lists))
        self.together = self._choices if self._choices <= ASKED_TOGETHER else 1
        self.pages = 0
        self.are_counted = False
        self._bounds = bounds
        self._held = held
        self._rng = rng
        self._dictionary = dictionary
        self._analyzer = Analyzer()
        self._texts: list[tuple[str, Collection[str]]] = []  # until the estimator exists
        self._failed: list[str] = []  # also until then
        self._answers: dict[str, bool] = {}
        self._counts: dict[str, int] = {}  # of single words, if the source counts exactly
        self._estimator: ProbeEstimator | None = None
        self._reading: Readings | None = None
        self._before: SizeEstimate | None = None  # by probes that were given to the planner
        self._totals = [0, 0]  # that differed from the received rows, and that agreed

    @property
    def believes_totals(self) -> bool:
        """Whether exact totals are trusted."""
        wrong, right = self._totals
        return wrong < LIES or wrong <= LYING * right

    @property
    def has_begun(self) -> bool:
        """Whether probing has begun."""
        return self._estimator is not None

    # Results of the harvest.

    def answered(self, word: str, *, is_complete: bool) -> None:
        """Record that the harvest queried a single word, and whether it received every match."""
        if self._choices > 1:
            return  # only matches with one value of a list
        self._answers[word] = is_complete
        if self._estimator is not None:
            self._estimator.answered(word, is_complete=is_complete)

    def counted(self, word: str, documents: int) -> None:
        """Record the exact total of a single word."""
        if self._choices == 1:
            self._count(word, documents)

    def _count(self, word: str, documents: int) -> None:
        self._counts[word] = documents
        if self._estimator is not None:
            self._estimator.counted(word, documents)

    def hold(self, document: Document) -> None:
        """Record a document that the harvest's own queries found."""
        words = self._words(f"{document.title}\n{document.text}")
        if self._estimator is None:
            self._texts.append((document.key, words))
        else:
            self._estimator.hold(document.key, words)

    def fail(self, key: str) -> None:
        """Record a document that the harvest's own queries listed and that could not be loaded."""
        if self._estimator is None:
            self._failed.append(key)
        else:
            self._estimator.fail(key)

    # Probes.

    def next(self, requests: int, *, may_begin: Callable[[], bool]) -> Probe | None:
        """Return the next page of a probe; None when the checkpoint has enough.

        Args:
            requests: Requests of the harvest so far.
            may_begin: Called before each further word; returns whether it may be sent.
        """
        while True:
            if self._reading is not None:
                probe = self._reading.next()
                if probe is not None:
                    return probe
                self._end(self._reading)
            self._reading = self._begun(requests, may_begin)
            if self._reading is None:
                return None

    def tell(self, event: AnyEvent) -> None:
        """Process an event of the current probe."""
        assert self._reading is not None
        self.pages += isinstance(event, PageReceived)
        self._reading.tell(event)

    def estimate(self) -> SizeEstimate | None:
        """Return an estimate from the data so far; None while there is too little."""
        if self._estimator is None:
            return None
        found = self._estimator.estimate(believes_counts=self.believes_totals)
        return found if self._before is None else closer(self._before, found, self._estimator.known)

    def draw_afresh(self) -> None:
        """Start again with other probes, because the planner now uses the results of these."""
        if self._estimator is not None:
            self._before, self.pages = self.estimate(), 0
            self._estimator.draw_afresh()

    def _begun(self, requests: int, may_begin: Callable[[], bool]) -> Readings | None:
        if self._estimator is None:
            self._estimator = self._made()
        estimator = self._estimator
        if estimator is None or not may_begin():
            return None
        may_count = self.are_counted and self.believes_totals and self.together == self._choices
        word = estimator.next_to_count() if may_count else None
        if word is not None:
            return Readings([Reading(word, None, counts=True, filters=f) for f in self._filters()])
        estimator.limit = self._most_rows()
        estimator.enough = min(max(ENOUGH_HITS, requests // 100), MOST_HITS)
        word = estimator.next_word()
        if word is None:
            return None
        limit, believes = self._most_rows(), self.believes_totals
        return Readings(
            [Reading(word, limit, believes=believes, filters=each) for each in self._filters()]
        )

    def _filters(self) -> list[tuple[Filter, ...]]:
        """Return the values to search a word with: all, or of many one that is drawn."""
        if self.together == self._choices:
            return list(product(*self._lists))
        return [tuple(each[int(self._rng.integers(len(each)))] for each in self._lists)]

    def _made(self) -> ProbeEstimator | None:
        """Choose the words to draw from; pass all earlier data to a new estimator."""
        met = set().union(*(words for _, words in self._texts)) if self._texts else set()
        if not met:
            return None
        dictionary = self._dictionary()
        in_dictionary = met.intersection(dictionary)
        times = sum(len(words) for _, words in self._texts)
        known = sum(len(in_dictionary.intersection(words)) for _, words in self._texts)
        pool = dictionary if known >= FITS * times else met
        estimator = ProbeEstimator(pool, self._rng, limit=self._most_rows(), held=self._held)
        for word, complete in self._answers.items():
            estimator.answered(word, is_complete=complete)
        for word, documents in self._counts.items():
            estimator.counted(word, documents)
        for key, words in self._texts:
            estimator.hold(key, words)
        for key in self._failed:
            estimator.fail(key)
        self._texts.clear()
        self._failed.clear()
        return estimator

    def _end(self, reading: Readings) -> None:
        assert self._estimator is not None
        count, bears_out = reading.count(), reading.bears_out()
        if bears_out is not None and not reading.counts:
            self._totals[bears_out] += 1
        if reading.counts and count is not None:
            self._count(reading.word, count)
        elif not (reading.counts or reading.failed):
            texts = reading.texts()
            words = None if texts is None else {k: self._words(text) for k, text in texts.items()}
            self._estimator.probe(reading.word, words)

    def _most_rows(self) -> int:
        most = max(ROWS, 2 * self._bounds.page_size)
        return most if self._bounds.limit is None else min(most, self._bounds.limit)

    def _words(self, text: str) -> Collection[str]:
        return tuple(self._analyzer.terms(text))
