"""The size of a source, and the share held, by weighted probes: what to stop by.

Words drawn at random from a pool are asked, and each document that comes is weighted by 1 / (the
pool's words in it), since so many words could have brought it (less where they are drawn more
densely, see below). Over random probes the weights
add up to the documents of the source, each counting once, however the harvest found those that it
holds. The share of the weight that is held is the hit rate (HR), and N = held / HR.

What is known in a real harvest, and what follows:

- The probes have to be independent of what is held. `hold` is for documents that the harvest's
  own queries brought; what only a probe brought must neither be held here nor be told to the
  planner, or the probes would confirm themselves. Then the same probes serve every later
  checkpoint, and need not be asked again. A probe that the harvest happened to ask too counts
  like any other: to leave it out would be a choice by what is held.
- Of an answer above the return limit only k documents are seen, and those are not a random part.
  So the pool is cut to words that will hardly overflow: those that the harvest asked and saw to
  the end, and of the rest those that at most .7 k HR held documents have, HR being the estimate
  (found in a few rounds). What is held alone decides, never what the probes showed: a word left
  in because its probe was complete would pull towards what is held.
- So some documents have no probe word (Reuters, k = 100: 15 %), and they are harder to come by:
  the share held of them is extrapolated from those with few probe words (`_share.share_held`).
- A source that counts exactly tells more: see `_counts`. A few frequent words are counted, one
  request each, and with them what chance is left in the estimate is small. Such counts are
  believed only where the source and we read words alike: what a probe brings has its word.
- For what is left of the bias, the share's interval is one point wider at each end, and the low
  end is lower by a quarter of what the extrapolation took off.
- Of a document that is listed and does not come no words are known, so it is no match of a probe.
  The share held is that of documents that can be read; those that did not come are taken to be
  listed as easily, so N counts them too: N = (held + failed) / HR.
- Few words of a dictionary hit, but all words of held documents do. So both are drawn, the others
  the more seldom the fewer of them hit, and a document is weighted by 1 / (the probes that are
  expected to bring it): each of its words counts for its stratum's draws / size. When
  the harvest has doubled, words that it has seen since make a stratum of their own, which is
  sampled as densely as the first: in the large stratum of all other words each would stand for
  hundreds. Draws stay random within each, since what is held divides the words, not the probes.

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
from longline.text.term_ids import TermIds

ENOUGH_HITS = 100
"""Hits to have before an estimate is worth acting on; see docs/research/decisions/0012."""

SURELY_COMPLETE = 0.7
"""A word is taken for complete up to this part of the df, as expected among the held documents,
at which it would overflow: its real df may be higher than that expects."""

ROUNDS = 4
"""From the share held to the words that are complete, and back."""

EXTRAPOLATION_BIAS = 0.25
"""The part of what the extrapolation took off that may be missing still."""

HIGH_QUANTILE = 0.95
"""Of the weights that held documents would have, for one that the probes have missed."""

WORDS_TO_COUNT = 10
"""Of the most frequent words of held documents; see docs/research/decisions/0012."""

READ_ALIKE = 0.98
"""Of what probes bring, so many documents have the word itself where counts are believed."""

ENOUGH_READ = 20
"""Of such documents, to tell."""


class ProbeEstimator:
    """Say how large a source is and how much of it is held, at any time of a harvest.

    Tell it what the harvest's own queries bring (`hold`, `answered`). At a checkpoint ask for
    `next_word` and tell the answer to `probe`, until there is no next; then `estimate`.

    Args:
        pool: Words that may be asked, not chosen by what the harvest found: a dictionary of the
            source's language. Words of the first documents serve where there is none.
        rng: Draws the probes.
        limit: The return limit k; None where every answer is complete. It may be set later.
        confidence: Of the intervals, between 0 and 1.
        enough: Hits after which there is no next word. It may be raised later.

    Raises:
        InputError: An empty pool, or a confidence out of bounds.

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
    ) -> None:
        self._ids = TermIds()
        self._ids.numbers(sorted(pool))
        self._pool = len(self._ids)  # so many words, which are numbered first
        if not self._pool:
            raise InputError("a pool without words", advice="give a dictionary")
        if not 0 < confidence < 1:
            raise InputError(f"a confidence of {confidence}", advice="give e.g. 0.95")
        self._rng = rng
        self.limit = limit
        self._confidence = confidence
        self._held: set[str] = set()
        self._failed: set[str] = set()
        self._held_words = HeldWords(self._ids)
        self._answered: dict[int, bool] = {}  # words that the harvest asked: seen to the end?
        self.enough = enough
        self._drawn: Strata | None = None
        self._earlier: set[int] = set()  # words that were probed before draws began afresh
        self._probed: dict[int, tuple[str, ...]] = {}
        self._overflowed: dict[int, bool] = {}
        self._matched_words = WordSets()
        self._counts: dict[int, int] = {}  # words that the source counted
        self._to_count: list[int] | None = None  # next last
        self._came, self._have_the_word = 0, 0

    @property
    def probes(self) -> int:
        """Probes that were told, whatever they brought."""
        return len(self._probed)

    @property
    def hits(self) -> int:
        """Probes whose answer was complete and not empty."""
        return sum(bool(keys) for keys in self._probed.values())

    @property
    def held(self) -> int:
        """Documents that the harvest's own queries brought."""
        return len(self._held)

    @property
    def known(self) -> int:
        """Documents that the harvest listed or the probes brought."""
        return self.held + len(self._failed.union(*self._probed.values()) - self._held)

    def hold(self, key: str, terms: Iterable[str]) -> None:
        """Take note of a document that the harvest's own queries brought.

        Args:
            key: What makes the document itself; a second time changes nothing.
            terms: All its terms, in the pool or not.
        """
        if key not in self._held:
            self._held.add(key)
            self._failed.discard(key)
            self._held_words.add(terms)

    @property
    def _numbering(self) -> TermIds:
        """Numbers of all words that came."""
        self._held_words.settle()
        return self._ids

    def _number(self, word: str) -> int:
        """Return a word's number, a new one where it is new."""
        return int(self._numbering.numbers([word])[0])

    def fail(self, key: str) -> None:
        """Take note of a document that the harvest's own queries listed and that did not come."""
        if key not in self._held:
            self._failed.add(key)

    def answered(self, word: str, *, is_complete: bool) -> None:
        """Take note that the harvest asked for a single word, and whether it saw every match."""
        self._answered[self._number(word)] = is_complete

    def counted(self, word: str, documents: int) -> None:
        """Take note that the source says exactly how many documents match a single word."""
        self._counts[self._number(word)] = documents

    def next_to_count(self) -> str | None:
        """Return a frequent word whose exact count would help; None when there is no more.

        Call it only where the source gives exact counts. A word whose count does not come may be
        passed over.
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
        """Return the word to probe next; None when there are enough hits, or no words left.

        Call it first when a tenth of the source may be held: the more is, the fewer words in
        vain. Later checkpoints call it again: some words that came to be seen are still wanted.
        A word whose request fails may be passed over.
        """
        if self._strata.is_due(self.held):
            self._strata.renew(self._held_words.df(len(self._numbering)), self.held)
        number = self._strata.draw(self._probed, is_enough=self.hits >= self.enough)
        return None if number is None else self._numbering.words[number]

    @property
    def _strata(self) -> Strata:
        """The pool in strata, but for words known to overflow; made when it is first wanted."""
        if self._drawn is None:
            words = len(self._numbering)
            in_pool = np.zeros(words, dtype=np.bool_)
            in_pool[: self._pool] = True
            in_pool &= self._is_complete(share=1.0)
            in_pool[list(self._earlier)] = False
            self._drawn = Strata(in_pool, self._held_words.df(words), self.held, self._rng)
        return self._drawn

    def draw_afresh(self) -> None:
        """Forget the probes, and draw other words, as the harvest goes on by what these brought."""
        self._earlier.update(self._probed)
        self._probed.clear()
        self._overflowed.clear()
        self._drawn, self._matched_words, self._came, self._have_the_word = None, WordSets(), 0, 0

    def probe(self, word: str, documents: Mapping[str, Iterable[str]] | None) -> None:
        """Take note of a probe's answer.

        Args:
            word: As `next_word` gave it.
            documents: Key and terms of every document that it matches and that came; empty where
                there is none; None where the answer was cut (more matches than the return
                limit): then it only counts as asked.

        Raises:
            InputError: The word was no word to draw, or was told before.
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
            # A source that stems matches documents that do not have the very word.
            self._matched_words.add({number, *words})

    def estimate(self, *, believes_counts: bool = True) -> SizeEstimate | None:
        """Estimate from what was told so far; None while no probe hit or nothing is held.

        `documents` counts what can be read and what cannot. It and its bounds are never below
        what the harvest and the probes have seen; `share` is of what the harvest's own queries
        brought.

        Args:
            believes_counts: What was `counted` is true, as far as anybody saw.
        """
        found = self._by_probes()
        if found is None:
            return None
        share, matched, usable = found
        share = share.times(self.held / (self.held + len(self._failed)))
        if believes_counts:
            share = self._share_by_counts(matched, usable, share) or share
        known = self.known
        most = self.held / known
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
        return raised(size, known)

    def _by_probes(self) -> tuple[Share, Matched, Mask] | None:
        """The share by probes alone, what they matched, and the words that are complete."""
        found: tuple[Share, Matched, Mask] | None = None
        for _ in range(ROUNDS if self.limit else 1):
            usable = self._usable(1.0 if found is None else found[0].value)
            if found is not None and np.array_equal(usable, found[2]):
                return found
            matched = self._matched(usable)
            if matched is None or not matched.held.any():
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
        """The share by the source's counts; None where they tell less, or contradict probes."""
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
            # What is missing may have frequent words alone, which no probe asks for.
            return Share(found.value, found.low, by_probes.high)
        is_closer = found.high - found.low < by_probes.high - by_probes.low
        return found if is_closer else None

    def _is_complete(self, share: float) -> Mask:
        """(words,). Which words bring all their documents, as far as what is held shows."""
        words = len(self._numbering)
        found = np.ones(words, dtype=np.bool_)
        if self.limit is not None:
            found = self._held_words.df(words) <= SURELY_COMPLETE * self.limit * share
        found[list(self._answered)] = list(self._answered.values())
        return found

    def _usable(self, share: float) -> Mask:
        """(words,). Which words of the pool are taken for complete while so much is held."""
        found = self._strata.within(self._is_complete(share))
        found[[number for number, is_cut in self._overflowed.items() if is_cut]] = False
        return found

    def _matched(self, usable: Mask) -> Matched | None:
        """What the probes of usable words matched; None where that is nothing."""
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
        """(matches,). Which matches came by usable words."""
        sizes = [len(keys) for keys in self._probed.values()]
        return np.repeat(usable[list(self._probed)], sizes) if sizes else np.empty(0, np.bool_)

    def _weight_if_unheld(self, usable: Mask) -> float:
        """Return what documents like the held ones would weigh, were they not held.

        Words that only one held document has would then be words that none has, which are
        drawn more thinly; of the weights of all held documents this is a high quantile.
        """
        chance = self._strata.chances(usable, self._probed)
        alone = np.flatnonzero((self._held_words.df(len(usable)) == 1) & usable)
        chance[alone] = np.minimum(chance[alone], 1 / self._strata.scales(self._probed)[OTHERS])
        chances = self._held_words.sample.sums(chance)
        chances = chances[chances > 0]
        return float(np.quantile(1 / chances, HIGH_QUANTILE)) if len(chances) else 0.0
