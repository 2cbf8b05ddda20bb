"""Estimate the size of a source and the share held, by weighted probes, to decide when to stop.

Random words from a pool are queried, and each document found is weighted by 1 / (the number of
pool words in it), because so many words could have found it (less where words are drawn more
densely, see below). Over random probes the weights add up to the documents of the source, each
counted once, no matter how the harvest found the ones it holds. The share of the weight that is
held is the hit rate (HR), and N = held / HR.

What a real harvest knows, and what follows:

- The probes must be independent of what is held. `hold` is for documents that the harvest's own
  queries found; what only a probe found must neither be held here nor be given to the planner,
  or the probes would confirm themselves. Then the same probes serve every later checkpoint, and
  need not be sent again. A probe that the harvest happened to send too counts like any other:
  leaving it out would be a choice by what is held.
- An answer above the return limit shows only k documents, and not a random part. So the pool is
  cut to words that will hardly overflow: those that the harvest queried and read to the end, and
  of the rest those that at most .7 k HR held documents contain, where HR is the estimate (found
  in a few rounds). Only held documents decide, never results of probes: keeping a word because
  its probe was complete would bias the estimate towards what is held.
- So some documents have no probe word (Reuters, k = 100: 15 %), and they are harder to find: the
  share held of them is extrapolated from those with few probe words (`_share.share_held`).
- A source with exact totals gives more information: see `_counts`. Totals are requested for a few
  frequent words, one request each, which leaves little random error. They are trusted only if
  the source tokenises as we do: documents that a probe finds contain its word.
- For the remaining bias, the share's interval is one point wider at each end, and the low end is
  lower by a quarter of the extrapolation's correction.
- The words of a document that is listed and cannot be loaded are unknown, so it matches no probe.
  The share held is of readable documents; the others are assumed to be listed as easily, so N
  counts them too: N = (held + failed) / HR.
- Few words of a dictionary match, but all words of held documents do. So both are drawn, the
  others less often the fewer of them match, and a document is weighted by 1 / (the expected
  number of probes that find it): each of its words counts for its stratum's draws / size. When
  the harvest has doubled, words it has seen since form their own stratum, which is sampled as
  densely as the first: in the large stratum of all other words each would represent hundreds.
  Draws stay random within each, since what is held divides the words, not the probes.

Source: Broder et al. 2006, "Estimating corpus size via queries" (documents weighted by the pool's
words in them); Bar-Yossef & Gurevich 2007, "Efficient search engine measurements" (what overflow
does to it); Cochran 1977, "Sampling techniques", chapters 5, 5A and 6 (strata, how many draws of
each, ratios); Sirken 1970, "Household surveys with multiplicity" (a document that several probes
can bring).
"""

from collections.abc import Iterable, Mapping

import numpy as np

from longline.errors import InputError
from longline.estimate._counts import Counted, share_by_counts
from longline.estimate._share import Matched, Share, share_held
from longline.estimate._strata import OTHERS, Strata
from longline.estimate._words import HeldWords, Mask, WordSets
from longline.estimate.size import raised
from longline.events import SizeEstimate
from longline.text.hashes import Hashes
from longline.text.term_ids import TermIds

LEAST_HITS, ENOUGH_HITS = 3, 100
"""The hits from which their spread is known, and those from which an estimate is worth acting on;
see docs/research/decisions/0012."""

SURELY_COMPLETE = 0.7
"""A word is taken as complete up to this share of the df, as expected among held documents, at
which it would overflow: its real df may be higher than expected."""

ROUNDS = 4
"""Rounds of computing the share held from the complete words, and those from the share."""

EXTRAPOLATION_BIAS = 0.25
"""The share of the extrapolation's correction that may still be missing."""

HIGH_QUANTILE = 0.95
"""Quantile of held documents' weights that is used for a document that all probes missed."""

WORDS_TO_COUNT = 10
"""Number of held documents' most frequent words to count; see docs/research/decisions/0012."""

READ_ALIKE, ENOUGH_READ = 0.98, 20
"""Totals are trusted if this share of at least so many documents that probes find has the word."""


class ProbeEstimator:
    """Estimate how large a source is and which share of it is held, at any time of a harvest.

    Pass it the results of the harvest's own queries (`hold`, `answered`). At a checkpoint call
    `next_word` and pass the answer to `probe`, until there is no next word; then call `estimate`.

    Args:
        pool: Words that may be probed, not chosen by what the harvest found: a dictionary of the
            source's language, or else the words of the first documents.
        rng: Draws the probes.
        limit: The return limit k; None if every answer is complete. It may be set later.
        confidence: The confidence level of the intervals, between 0 and 1.
        enough: Hits after which there is no next word. It may be raised later.
        held: The keys of held documents, if the caller keeps them; it adds each before `hold`.

    Raises:
        InputError: The pool is empty, or the confidence is out of range.

    >>> estimator = ProbeEstimator(["deep", "sea", "web"], np.random.default_rng(0))
    >>> estimator.hold("a", ["deep", "web"])
    >>> answers = {"deep": {"a": ["deep", "web"]}, "sea": {"b": ["sea"]}}
    >>> answers["web"] = answers["deep"]
    >>> while word := estimator.next_word():
    ...     estimator.probe(word, answers[word])
    >>> found = estimator.estimate()
    >>> found.documents, found.share, found.hits
    (2.0, 0.5, 3)
    """

    def __init__(
        self,
        pool: Iterable[str],
        rng: np.random.Generator,
        *,
        limit: int | None = None,
        confidence: float = 0.95,
        enough: int = ENOUGH_HITS,
        held: Hashes | None = None,
    ) -> None:
        self._ids = TermIds()
        self._ids.numbers(sorted(pool))
        self._pool = len(self._ids)  # the number of pool words, which are numbered first
        if not self._pool:
            raise InputError("a pool without words", advice="give a dictionary")
        if not 0 < confidence < 1:
            raise InputError(f"a confidence of {confidence}", advice="give e.g. 0.95")
        self._rng = rng
        self.limit, self.enough, self._confidence = limit, enough, confidence
        self._held, self._keeps_keys = (Hashes(), True) if held is None else (held, False)
        self._failed: set[str] = set()
        self._held_words = HeldWords(self._ids)
        self._answered: dict[int, bool] = {}  # words that the harvest queried: read to the end?
        self._drawn: Strata | None = None
        self._earlier: set[int] = set()  # words that were probed before the draws started again
        self._probed: dict[int, tuple[str, ...]] = {}
        self._overflowed: dict[int, bool] = {}
        self._matched_words = WordSets()
        self._counts: dict[int, int] = {}  # exact totals of words
        self._to_count: list[int] | None = None  # the next one is last
        self._came, self._have_the_word = 0, 0

    @property
    def probes(self) -> int:
        """The number of probes with an answer, with or without hits."""
        return len(self._probed)

    @property
    def hits(self) -> int:
        """The number of probes whose answer was complete and not empty."""
        return sum(bool(keys) for keys in self._probed.values())

    @property
    def held(self) -> int:
        """The number of documents that the harvest's own queries found."""
        return len(self._held)

    @property
    def known(self) -> int:
        """The number of documents that the harvest listed or the probes found."""
        found = self._failed.union(*self._probed.values())
        return self.held + sum(key not in self._held for key in found)

    def hold(self, key: str, terms: Iterable[str]) -> None:
        """Add a document that the harvest's own queries found, with all its terms.

        A second call changes nothing, unless the caller keeps the keys.
        """
        if self._keeps_keys and key in self._held:
            return
        self._held.number(key)
        self._failed.discard(key)
        self._held_words.add(terms)

    @property
    def _numbering(self) -> TermIds:
        """The numbers of all words so far."""
        self._held_words.settle()
        return self._ids

    def _number(self, word: str) -> int:
        """Return a word's number; a new word gets a new one."""
        return int(self._numbering.numbers([word])[0])

    def fail(self, key: str) -> None:
        """Record a document that the harvest's own queries listed and that could not be loaded."""
        if key not in self._held:
            self._failed.add(key)

    def answered(self, word: str, *, is_complete: bool) -> None:
        """Record that the harvest queried a single word, and whether it received every match."""
        self._answered[self._number(word)] = is_complete

    def counted(self, word: str, documents: int) -> None:
        """Record the exact total of a single word; that of one letter may count parts of words."""
        if len(word) > 1 or not word.isascii():
            self._counts[self._number(word)] = documents

    def next_to_count(self) -> str | None:
        """Return a frequent word whose exact total would help, or None if there is no more.

        Call it only if the source gives exact totals. A word whose request fails may be skipped.
        """
        if self._to_count is None:
            df = self._held_words.df(len(self._numbering))
            self._to_count = np.argsort(-df, kind="stable")[:WORDS_TO_COUNT][::-1].tolist()
        while self._to_count:
            number = self._to_count.pop()
            if number not in self._counts:
                return self._numbering.words[number]
        return None

    def next_word(self) -> str | None:
        """Return the word to probe next, or None if there are enough hits or no words left.

        Call it first when about a tenth of the source may be held: the more is held, the fewer
        probes find nothing. Later checkpoints call it again, for words seen since then. A word
        whose request fails may be skipped.
        """
        if self._strata.is_due(self.held):
            self._strata.renew(self._held_words.df(len(self._numbering)), self.held)
        number = self._strata.draw(self._probed, is_enough=self.hits >= self.enough)
        return None if number is None else self._numbering.words[number]

    @property
    def _strata(self) -> Strata:
        """The pool in strata, without words known to overflow; created at the first use."""
        if self._drawn is None:
            words = len(self._numbering)
            in_pool = (np.arange(words) < self._pool) & self._is_complete(share=1.0)
            in_pool[list(self._earlier)] = False
            self._drawn = Strata(in_pool, self._held_words.df(words), self.held, self._rng)
        return self._drawn

    def draw_afresh(self) -> None:
        """Drop the probes, and draw other words, because the harvest now uses their results."""
        self._earlier.update(self._probed)
        self._probed.clear()
        self._overflowed.clear()
        self._drawn, self._matched_words, self._came, self._have_the_word = None, WordSets(), 0, 0

    def probe(self, word: str, documents: Mapping[str, Iterable[str]] | None) -> None:
        """Add a probe's answer.

        Args:
            word: The word from `next_word`.
            documents: Key and terms of every matching document that was received; empty if there is
                none; None if the answer was cut (more matches than the return limit): then it only
                counts as sent.

        Raises:
            InputError: The word was not drawn, or has an answer already.
        """
        number = self._number(word)
        if number not in self._strata or number in self._probed:
            raise InputError(
                f"the probe {word!r} is not to be drawn, or was told before",
                advice="tell each word of next_word once",
            )
        self._overflowed[number] = documents is None
        self._probed[number] = tuple(documents or ())
        for terms in (documents or {}).values():
            words = self._numbering.numbers(list(terms)).tolist()
            self._came += 1
            self._have_the_word += number in words
            # A source that stems matches documents without the exact word.
            self._matched_words.add({number, *words})

    def estimate(self, *, believes_counts: bool = True) -> SizeEstimate | None:
        """Return an estimate from the data so far.

        None while nothing is held, or fewer than `LEAST_HITS` probes match and others are left.
        `documents` counts readable documents and others. It and its bounds are never below the
        number that the harvest and the probes have seen; `share` is the share found by the
        harvest's own queries.

        Args:
            believes_counts: Whether totals from `counted` are trusted.
        """
        found = self._by_probes()
        if found is None:
            return None
        share, matched, usable = found
        share = share.times(self.held / (self.held + len(self._failed)))
        if believes_counts:
            share = self._share_by_counts(matched, usable, share) or share
        most = self.held / self.known
        size = SizeEstimate(
            documents=self.held / share.value,
            low=self.held / share.high,
            high=self.held / share.low if share.low else None,
            method="probes",
            share=min(share.value, most),
            share_low=min(share.low, most),
            share_high=min(share.high, most),
            probes=self.probes,
            hits=matched.probes,
        )
        return raised(size, self.known)

    def _by_probes(self) -> tuple[Share, Matched, Mask] | None:
        """Return the share by probes alone, their matches, and the words that are complete."""
        found: tuple[Share, Matched, Mask] | None = None
        for _ in range(ROUNDS if self.limit else 1):
            usable = self._usable(1.0 if found is None else found[0].value)
            if found is not None and np.array_equal(usable, found[2]):
                return found
            matched = self._matched(usable)
            if matched is None or not matched.held.any():
                return None
            if matched.probes < LEAST_HITS and self.probes < self._strata.pool:
                return None
            found = self._share_of(matched, usable), matched, usable
        return found

    def _share_of(self, matched: Matched, usable: Mask) -> Share:
        words = self._held_words
        reached = round(int((words.sample.counts(usable) > 0).sum()) * words.scale)
        found = share_held(
            matched,
            reached,
            self.held - reached,
            unasked=1 - self.probes / self._strata.pool,
            confidence=self._confidence,
        )
        taken_off = abs(matched.share() - found.value)
        return found.widened(EXTRAPOLATION_BIAS * taken_off)

    def _share_by_counts(self, matched: Matched, usable: Mask, by_probes: Share) -> Share | None:
        """Return the share by the source's totals, or None if they do not improve it."""
        chosen = np.array(sorted(self._counts.keys() - self._probed.keys()), dtype=np.int64)
        are_read_alike = self._have_the_word >= READ_ALIKE * max(self._came, ENOUGH_READ)
        if not len(chosen) or not are_read_alike:
            return None
        words = len(self._numbering)
        rows = np.flatnonzero(self._of_usable(usable))
        counted = Counted(
            np.array([self._counts[number] for number in chosen.tolist()], dtype=np.int64),
            self._held_words.df(words)[chosen],
            self.held,
            self._held_words.sample.only(chosen, words),
            self._matched_words.at(rows).only(chosen, words),
        )
        found = share_by_counts(matched, counted, self._confidence)
        if found is None or found.low > by_probes.high:
            return None
        is_less, found = found.high < by_probes.low, found.widened()
        if is_less:
            # Missing documents may contain only frequent words, which no probe sends.
            return Share(found.value, found.low, by_probes.high)
        is_closer = found.high - found.low < by_probes.high - by_probes.low
        return found if is_closer else None

    def _is_complete(self, share: float) -> Mask:
        """Return which words find all their documents, as far as held ones show; (words,)."""
        words = len(self._numbering)
        found = np.ones(words, dtype=np.bool_)
        if self.limit is not None:
            found = self._held_words.df(words) <= SURELY_COMPLETE * self.limit * share
        found[list(self._answered)] = list(self._answered.values())
        return found

    def _usable(self, share: float) -> Mask:
        """Return which words of the pool are taken as complete if this share is held; (words,)."""
        found = self._strata.within(self._is_complete(share))
        found[[number for number, is_cut in self._overflowed.items() if is_cut]] = False
        return found

    def _matched(self, usable: Mask) -> Matched | None:
        """Return the matches of probes with usable words, or None if there are none."""
        probed = list(self._probed)
        kept = self._of_usable(usable)
        if not kept.any():
            return None
        sizes = [len(self._probed[number]) for number in probed]
        words = self._matched_words.counts(usable).astype(np.float64)[kept]
        weight = 1 / self._matched_words.sums(self._strata.chances(usable, self._probed))[kept]
        held = np.array([key in self._held for number in probed for key in self._probed[number]])
        _, probe = np.unique(np.repeat(np.arange(len(probed)), sizes)[kept], return_inverse=True)
        return Matched(probe, weight, held[kept], words, self._weight_if_unheld(usable))

    def _of_usable(self, usable: Mask) -> Mask:
        """Return which matches were found by usable words; (matches,)."""
        sizes = [len(keys) for keys in self._probed.values()]
        return np.repeat(usable[list(self._probed)], sizes) if sizes else np.empty(0, np.bool_)

    def _weight_if_unheld(self, usable: Mask) -> float:
        """Return the weight of documents like the held ones, if they were not held.

        Words that only one held document contains would then be words that none contains, which are
        drawn less densely. Of these weights, a high quantile is returned.
        """
        chance = self._strata.chances(usable, self._probed)
        alone = np.flatnonzero((self._held_words.df(len(usable)) == 1) & usable)
        chance[alone] = np.minimum(chance[alone], 1 / self._strata.scales(self._probed)[OTHERS])
        chances = self._held_words.sample.sums(chance)
        chances = chances[chances > 0]
        return float(np.quantile(1 / chances, HIGH_QUANTILE)) if len(chances) else 0.0
