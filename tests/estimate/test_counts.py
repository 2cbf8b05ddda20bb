"""Test the estimate of missing documents from a source's exact counts."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from tests.estimate.test_probes import Library, zipf_library

from longline.estimate import ProbeEstimator, SizeEstimate
from longline.estimate._counts import RIDGE, Counted, share_by_counts
from longline.estimate._share import Matched, t_quantile
from longline.estimate._words import HeldWords, WordSets
from longline.text.term_ids import TermIds


def counted(documents: list[set[str]], held: int, matched: list[int], words: str) -> Counted:
    """Count one-letter words; the first `held` documents are held."""
    everything = WordSets()
    for document in documents:
        everything.add(number for number, word in enumerate(words) if word in document)
    first = everything.at(np.arange(held))
    held_with = first.df(len(words))
    found = everything.at(np.array(matched))
    return Counted(everything.df(len(words)), held_with, held, first, found)


def matches(held: list[bool]) -> Matched:
    """Make one match per probe, all of weight 1."""
    n = len(held)
    return Matched(np.arange(n), np.ones(n), np.array(held), np.ones(n))


def test_a_word_that_all_documents_have_tells_how_many_are_missing() -> None:
    """If every document has one of the counted words, the share is exact and almost certain."""
    documents = [{"ab"[n % 2]} for n in range(4000)]
    found = share_by_counts(
        matches([True, False]), counted(documents, 3000, [0, 3500], "ab"), confidence=0.95
    )
    assert found is not None
    assert found.value == pytest.approx(0.75)
    assert found.low == pytest.approx(found.high, abs=1e-6)


def test_coefficients_and_mean_are_those_of_the_definition() -> None:
    """The share equals a slow calculation, word by word and document by document."""
    rng = np.random.default_rng(4)
    documents = [{word for word in "abcde" if rng.random() < 0.5} for _ in range(300)]
    kept = [n for n, words in enumerate(documents) if words][:280]
    documents = [documents[n] for n in kept]
    held, probed = 200, [5, 40, 210, 230, 250]
    is_held = [n < held for n in probed]
    found = share_by_counts(matches(is_held), counted(documents, held, probed, "abcde"), 0.95)

    both = {
        (v, w): sum(v in words and w in words for words in documents[:held])
        for v, w in product("abcde", repeat=2)
    }
    missing = {w: sum(w in words for words in documents[held:]) for w in "abcde"}
    left = [[both[v, w] + RIDGE * (v == w) for w in "abcde"] for v in "abcde"]
    weights = dict(zip("abcde", np.linalg.solve(left, [both[v, v] for v in "abcde"]), strict=True))
    x = [sum(weights[w] for w in words) for words in documents]
    told = sum(weights[w] * missing[w] for w in "abcde")
    mean = (x[210] + x[230] + x[250] + np.mean(x[:held])) / 4
    assert found is not None
    assert found.value == pytest.approx(held / (held + told / mean))
    assert found.low < held / len(documents) < found.high
    # Three missing matches and one added, of weight 1; with so few the held give the variance.
    sums = [x[210], x[230], x[250], np.mean(x[:held])]
    among_probes = sum((each - mean) ** 2 for each in sums) * 4 / 3
    deviation = np.sqrt(max(among_probes, 4 * np.var(x[:held]))) / 4
    spread = np.exp(t_quantile(0.95, 8) * deviation / mean)
    ends = (held / (held + told / mean * spread), held / (held + told / mean / spread))
    assert (found.low, found.high) == pytest.approx(ends)


def test_counts_below_what_is_held_are_not_believed() -> None:
    """A source that counts fewer documents than it returned counts something different."""
    given = counted([{"a", "b"} for _ in range(100)], 80, [0, 90], "ab")
    less = replace(given, counts=given.counts * 3 // 4)
    assert share_by_counts(matches([True, False]), given, 0.95) is not None
    assert share_by_counts(matches([True, False]), less, 0.95) is None


def test_a_word_that_the_source_does_not_look_for_tells_nothing() -> None:
    """A label is on every page, and its count is for something different."""
    documents = [{"ab"[n % 2], "c"} for n in range(400)]
    true = counted(documents, 300, [0, 350], "abc")
    probed = matches([True, False])
    labelled = replace(true, counts=true.counts * np.array([1, 1, 0]))
    alone = counted(documents, 300, [0, 350], "ab")
    assert share_by_counts(probed, labelled, 0.95) == share_by_counts(probed, alone, 0.95)
    # If most words are like this, the source counts something different.
    none = replace(true, counts=true.counts * np.array([1, 0, 0]))
    assert share_by_counts(probed, none, 0.95) is None


def test_counts_that_find_nothing_missing_bound_what_is() -> None:
    """If all documents with the counted words are held, nearly all documents are."""
    documents = [{"ab"[n % 2]} for n in range(400)]
    probed = matches([True, True])
    found = share_by_counts(probed, counted(documents, 400, [0, 300], "ab"), 0.95)
    assert found is not None
    assert found.value == found.high == 1.0
    assert found.low == pytest.approx(400 / 403, abs=0.002)
    # Most documents have neither word, so the counts say nothing about them.
    rare = counted([set(), set(), set(), {"a", "b"}] * 100, 400, [0, 300], "ab")
    assert share_by_counts(probed, rare, 0.95) is None


def test_a_missing_document_without_counted_words_widens_the_bound() -> None:
    """A missing document found by a probe but in no count widens the bound."""
    documents = [*({"ab"[n % 2]} for n in range(400)), set()]
    met = counted(documents, 400, [0, 400], "ab")
    bound = share_by_counts(matches([True, False]), met, 0.95)
    narrow = share_by_counts(matches([True, True]), counted(documents, 400, [0, 1], "ab"), 0.95)
    assert bound is not None
    assert narrow is not None
    assert bound.low < 0.97 < narrow.low


def estimate(library: Library, held: list[int], seed: int, *, counts: bool) -> SizeEstimate:
    """Run probes, with counts or without, and estimate."""
    rng = np.random.default_rng(seed)
    estimator = ProbeEstimator(library.words, rng, limit=library.limit, enough=60)
    library.hold(estimator, held)
    while counts and (word := estimator.next_to_count()) is not None:
        estimator.counted(word, len(library.matches(word)))
    library.probe(estimator)
    found = estimator.estimate()
    assert found is not None
    return found


@pytest.mark.slow
def test_counts_make_the_interval_narrow() -> None:
    """With ten words counted, intervals are a third narrower, and 18 of 20 contain the truth."""
    library = zipf_library(5, 2000, limit=50)
    rng = np.random.default_rng(0)
    chance = np.array([len(words) for words in library.documents], dtype=float)
    right, widths = 0, []
    for seed in range(20):
        held = rng.choice(2000, size=1200, replace=False, p=chance / chance.sum()).tolist()
        with_counts = estimate(library, held, seed, counts=True)
        without = estimate(library, held, seed, counts=False)
        assert with_counts.high is not None
        assert without.high is not None
        right += with_counts.low <= 2000 <= with_counts.high
        widths.append((with_counts.high - with_counts.low) / (without.high - without.low))
    assert right >= 18
    assert np.median(widths) < 0.67


def test_frequent_words_are_counted_once() -> None:
    """The ten most frequent words of held documents are wanted, except counted ones."""
    documents = [{f"w{n}" for n in range(20) if place % (n + 1) == 0} for place in range(200)]
    estimator = ProbeEstimator(["w0"], np.random.default_rng(0))
    Library(documents).hold(estimator, range(200))
    estimator.counted("w1", 77)
    wanted = []
    while (word := estimator.next_to_count()) is not None:
        wanted.append(word)
    assert wanted == ["w0", *(f"w{n}" for n in range(2, 10))]


def test_counts_of_a_source_that_reads_words_otherwise_are_left() -> None:
    """If a probe's results do not contain its word, counts change nothing."""
    documents = [{f"w{n}", "runs" if n % 2 else "run"} for n in range(120)]
    found = []
    for counts in (None, 120):
        estimator = ProbeEstimator(["run", "runs"], np.random.default_rng(0))
        Library(documents).hold(estimator, range(60))
        if counts is not None:
            estimator.counted("w1", counts)
        while (word := estimator.next_word()) is not None:
            estimator.probe(word, {str(n): words for n, words in enumerate(documents)})
        found.append(estimator.estimate())
    assert found[0] == found[1]


def estimate_by(library: Library, held: int, counts: dict[str, int], ask: str = "") -> SizeEstimate:
    """Probe all words that are not counted, each queried under a longer name."""
    pool = [f"{ask}{word}" for word in library.words if word not in counts]
    estimator = ProbeEstimator(pool, np.random.default_rng(0), enough=60)
    library.hold(estimator, range(held))
    for word, count in counts.items():
        estimator.counted(word, count)
    while (word := estimator.next_word()) is not None:
        estimator.probe(word, library.answer(word.removeprefix(ask)))
    found = estimator.estimate()
    assert found is not None
    return found


FREQUENT = [f"w{n}" for n in range(10)]


@pytest.mark.parametrize(("ask", "believed"), [("", True), ("stem:", False)])
def test_counts_are_believed_where_probes_bring_their_own_word(ask: str, believed: bool) -> None:
    """True counts narrow the interval; if words are read differently they change nothing."""
    library = zipf_library(5, 600)
    true = {word: len(library.matches(word)) for word in FREQUENT}
    with_counts = estimate_by(library, 300, true, ask)
    pool_alone = estimate_by(library, 300, dict.fromkeys(FREQUENT, 0), ask)
    assert with_counts.high is not None
    assert pool_alone.high is not None
    is_narrower = with_counts.high - with_counts.low < pool_alone.high - pool_alone.low
    assert is_narrower is believed
    assert (with_counts == pool_alone) is not believed


def test_counts_that_contradict_the_probes_are_left() -> None:
    """Counts equal to the held documents claim that nothing is missing; probes disprove it."""
    library = zipf_library(5, 600)
    as_held = {word: sum(word in words for words in library.documents[:300]) for word in FREQUENT}
    unbelieved = estimate_by(library, 300, dict.fromkeys(FREQUENT, 0))
    assert estimate_by(library, 300, as_held) == unbelieved
    assert 450 < unbelieved.documents < 800


def test_counts_tell_of_documents_that_no_probe_can_bring() -> None:
    """Probes query rare words, but missing documents may have only frequent ones."""
    rng = np.random.default_rng(3)
    documents = [{word for word in FREQUENT if rng.random() < 0.5} for _ in range(220)]
    for place, words in enumerate(documents[:200]):
        words.add(f"rare{place % 100}")
    library = Library(documents)
    found = estimate_by(library, 200, {word: len(library.matches(word)) for word in FREQUENT})
    by_probes = estimate_by(library, 200, dict.fromkeys(FREQUENT, 0))
    assert by_probes.high is not None
    assert found.high is not None
    assert by_probes.high < 220
    assert found.low == by_probes.low
    assert 210 < found.documents < 230 < found.high


@pytest.mark.parametrize("seed", range(3))
def test_words_of_documents_are_counted_as_a_matrix_would(seed: int) -> None:
    """The df, pairs, sums and counts equal those of the document-word matrix."""
    rng = np.random.default_rng(seed)
    cells = rng.random((5000, 12)) < 0.2
    documents = WordSets()
    for row in cells:
        documents.add(np.flatnonzero(row).tolist())
    chosen, rows = rng.permutation(12)[:5], rng.permutation(5000)[:40]
    values, wanted = rng.random(12), rng.random(12) < 0.5
    matrix = cells.astype(np.int64)
    assert (documents.df(12) == matrix.sum(0)).all()
    assert (documents.pairs(12) == matrix.T @ matrix).all()
    assert documents.sums(values) == pytest.approx(matrix @ values, abs=1e-9)
    assert (documents.counts(wanted) == matrix @ wanted).all()
    part = documents.only(chosen, 12).at(rows)
    assert (part.pairs(5) == matrix[rows][:, chosen].T @ matrix[rows][:, chosen]).all()


def test_of_many_documents_words_are_counted_in_all_and_kept_of_an_even_sample(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The df covers all documents; the sample has every second one, then every fourth."""
    monkeypatch.setattr("longline.estimate._words.SAMPLE", 300)
    rng = np.random.default_rng(0)
    cells = rng.random((3000, 12)) < 0.3
    held = HeldWords(numbering := TermIds())
    numbering.numbers([chr(97 + word) for word in range(12)])
    for place, row in enumerate(cells, 1):
        held.add(chr(97 + word) for word in np.flatnonzero(row))
        if place % 700 == 0:
            assert (held.df(12) == cells[:place].sum(0)).all()
    assert held.scale == pytest.approx(16, rel=0.01)
    kept = cells[::16]
    assert len(held.sample) == len(kept) <= 300
    assert (held.sample.counts(np.arange(12) < 4) == kept[:, :4].sum(1)).all()
