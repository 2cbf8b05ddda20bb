"""Test size and share held, estimated by weighted probes during a harvest."""

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longline.errors import InputError
from longline.estimate import ProbeEstimator, SizeEstimate

EVERY = 10**9
"""A number of hits that no pool reaches."""


class Library:
    """Documents as sets of words, with the answers of a search box with a return limit."""

    def __init__(self, documents: list[set[str]], limit: int | None = None) -> None:
        self.documents = documents
        self.limit = limit
        self.words = sorted(set().union(*documents))

    def matches(self, word: str) -> dict[str, set[str]]:
        return {str(n): words for n, words in enumerate(self.documents) if word in words}

    def answer(self, word: str) -> dict[str, set[str]] | None:
        found = self.matches(word)
        return None if self.limit is not None and len(found) > self.limit else found

    def hold(self, estimator: ProbeEstimator, held: Iterable[int]) -> None:
        for number in held:
            estimator.hold(str(number), self.documents[number])

    def probe(self, estimator: ProbeEstimator) -> None:
        while (word := estimator.next_word()) is not None:
            estimator.probe(word, self.answer(word))


def zipf_library(seed: int, size: int, limit: int | None = None) -> Library:
    """Make documents of 5 to 60 words of a vocabulary that follows Zipf's law."""
    rng = np.random.default_rng(seed)
    chance = 1 / (np.arange(3000) + 3.0)
    chance /= chance.sum()
    lengths = rng.integers(5, 61, size=size)
    return Library(
        [{f"w{n}" for n in rng.choice(3000, size=length, p=chance)} for length in lengths], limit
    )


def estimate_of(library: Library, held: Iterable[int], seed: int, hits: int) -> SizeEstimate:
    """Run probes, half of them with unused words, and estimate."""
    pool = [*library.words, *(f"x{n}" for n in range(len(library.words)))]
    rng = np.random.default_rng(seed)
    estimator = ProbeEstimator(pool, rng, limit=library.limit, enough=hits)
    library.hold(estimator, held)
    library.probe(estimator)
    found = estimator.estimate()
    assert found is not None
    return found


@pytest.mark.slow
@given(
    st.lists(st.sets(st.sampled_from("abcdefgh"), min_size=1), min_size=1, max_size=12),
    st.data(),
)
@settings(max_examples=60)
def test_exact_when_every_word_is_asked(documents: list[set[str]], data: st.DataObject) -> None:
    """If the complete pool is queried without a limit, size and share are exact."""
    library = Library(documents)
    held = data.draw(st.sets(st.integers(0, len(documents) - 1), min_size=1))
    found = estimate_of(library, held, seed=0, hits=EVERY)
    assert found.documents == pytest.approx(len(documents))
    assert found.share == pytest.approx(len(held) / len(documents))


@pytest.mark.slow
@given(st.integers(0, 50), st.integers(1, 400), st.integers(1, 60))
@settings(max_examples=25)
def test_intervals(seed: int, held: int, hits: int) -> None:
    """The estimate lies within its interval, and is never below what was seen."""
    library = zipf_library(seed, 400, limit=40)
    pool = library.words
    estimator = ProbeEstimator(pool, np.random.default_rng(seed), limit=40, enough=hits)
    library.hold(estimator, range(held))
    library.probe(estimator)
    found = estimator.estimate()
    if found is None:
        return
    assert held <= found.low <= found.documents
    assert found.high is None or found.documents <= found.high
    assert found.share is not None
    assert found.share_low is not None
    assert found.share_high is not None
    assert 0 <= found.share_low <= found.share <= found.share_high <= 1
    assert found.hits <= found.probes


@pytest.mark.slow
def test_long_documents_do_not_count_more() -> None:
    """A harvest that holds only the longest documents is not overestimated."""
    library = zipf_library(3, 2000)
    longest = sorted(range(2000), key=lambda number: -len(library.documents[number]))[:800]
    found = [estimate_of(library, longest, seed, hits=100).documents for seed in range(8)]
    assert np.mean(found) == pytest.approx(2000, rel=0.07)
    naive = [
        sum(key in set(map(str, longest)) for key in library.matches(word))
        / len(library.matches(word))
        for word in library.words[::10]
    ]
    assert 800 / np.mean(naive) < 1700  # the result of unweighted probes


@pytest.mark.slow
def test_intervals_are_right_under_a_limit() -> None:
    """At least 36 of 40 intervals under a return limit contain the truth, and none is far off."""
    library = zipf_library(5, 2000, limit=50)
    rng = np.random.default_rng(0)
    chance = np.array([len(words) for words in library.documents], dtype=float)
    right = 0
    for seed in range(40):
        held = rng.choice(2000, size=1200, replace=False, p=chance / chance.sum())
        found = estimate_of(library, held.tolist(), seed, hits=60)
        right += found.low <= 2000 <= (found.high or np.inf)
        assert 1400 < found.documents < 3000
    assert right >= 36


def test_same_probes_serve_later() -> None:
    """Probes made at a fifth are enough at four fifths, and the interval is narrower then."""
    library = zipf_library(7, 1000)
    estimator = ProbeEstimator(library.words, np.random.default_rng(1))
    library.hold(estimator, range(200))
    library.probe(estimator)
    early = estimator.estimate()
    library.hold(estimator, range(800))  # the first 200 are held already
    late = estimator.estimate()
    assert early is not None
    assert late is not None
    assert late.probes == early.probes
    assert late.high is not None
    assert early.high is not None
    assert late.high - late.low < early.high - early.low
    assert late.low <= 1000 <= late.high


def test_other_words_are_drawn_afresh() -> None:
    """The first probes' results may be held by then: the second probes are new, and right."""
    library = zipf_library(7, 1000)
    estimator = ProbeEstimator(library.words, np.random.default_rng(1))
    held = set(range(600))
    library.hold(estimator, held)
    asked: list[set[str]] = [set(), set()]
    for words in asked:
        while (word := estimator.next_word()) is not None:
            words.add(word)
            found = library.matches(word)
            estimator.probe(word, found)
        estimate = estimator.estimate()
        assert estimate is not None
        assert estimate.low <= 1000 <= (estimate.high or np.inf)
        found_now = {int(key) for word in words for key in library.matches(word)}
        library.hold(estimator, found_now - held)
        held |= found_now
        estimator.draw_afresh()
        assert estimator.estimate() is None
    assert all(asked)
    assert not asked[0] & asked[1]


def test_words_seen_later_are_sampled_as_densely() -> None:
    """Words seen after the harvest has grown are probed as often as the first ones."""
    library = Library([{f"a{number}"} for number in range(400)])
    pool = [*library.words, *(f"x{number}" for number in range(4000))]
    estimator = ProbeEstimator(pool, np.random.default_rng(2), enough=40)
    library.hold(estimator, range(100))
    library.probe(estimator)
    before = estimator.probes
    library.hold(estimator, range(100, 300))
    assert estimator.estimate() is not None
    drawn = []
    while (word := estimator.next_word()) is not None:
        drawn.append(word)
        estimator.probe(word, library.answer(word))
    assert before < 90
    assert 30 <= len(drawn) <= 110
    assert all(100 <= int(word[1:]) < 300 and word[0] == "a" for word in drawn)
    # The rest shares no word with the held documents, and no probe has hit it.
    found = estimator.estimate()
    assert found is not None
    assert found.low <= 400 <= (found.high or np.inf)


def test_words_that_overflow_are_not_drawn() -> None:
    """Words that more held documents have than the limit shows are not queried."""
    library = Library([{"all", f"w{number}"} for number in range(10)], limit=4)
    estimator = ProbeEstimator(["all", "w1", "w2", "zz"], np.random.default_rng(0), limit=4)
    library.hold(estimator, range(8))
    estimator.answered("zz", is_complete=False)
    drawn = {estimator.next_word() for _ in range(3)}
    assert drawn == {"w1", "w2", None}


@pytest.mark.parametrize(("found", "least", "most"), [(0, 10, 25), (1, 45, 55)])
def test_words_of_no_held_document_are_drawn_as_they_find_any(
    found: int, least: int, most: int
) -> None:
    """They are half of a hundred draws if all of them find something, otherwise few."""
    library = Library([{f"w{number}"} for number in range(100)])
    pool = [*library.words, *(f"x{number}" for number in range(100))]
    estimator = ProbeEstimator(pool, np.random.default_rng(0), enough=1000)
    library.hold(estimator, range(100))
    drawn = [estimator.next_word() or ""]
    while len(drawn) < 100:
        is_other = drawn[-1][0] == "x"
        estimator.probe(drawn[-1], {f"of {drawn[-1]}": ["x"]} if found or not is_other else {})
        drawn.append(estimator.next_word() or "")
    assert len(set(drawn)) == 100
    assert least <= sum(word[0] == "x" for word in drawn) <= most


def test_stemmed_matches_count() -> None:
    """A document that the source matches by another form of the word is also a match."""
    estimator = ProbeEstimator(["fish"], np.random.default_rng(0))
    estimator.hold("a", ["fishing"])
    estimator.probe("fish", {"a": ["fishing"], "b": ["fishes"]})
    found = estimator.estimate()
    assert found is not None
    assert found.documents == 2


def test_two_matching_probes_are_too_few() -> None:
    """How much two probes differ tells nothing of others, unless there are no others."""
    estimator = ProbeEstimator(["w", "x", "y", "z"], np.random.default_rng(0))
    estimator.hold("a", ["w", "x", "y"])
    for word, is_known in ("w", False), ("x", False), ("y", True):
        estimator.probe(word, {"a": ["w", "x", "y"]})
        assert (estimator.estimate() is not None) == is_known


def test_nothing_known() -> None:
    """Without a hit, or with nothing held, there is no estimate rather than a wrong one."""
    estimator = ProbeEstimator(["a", "b", "c"], np.random.default_rng(0), limit=5)
    assert estimator.estimate() is None
    estimator.probe("a", {"1": ["a"]})
    assert estimator.estimate() is None
    estimator.hold("9", ["z"])
    estimator.probe("b", {})
    estimator.probe("c", None)
    assert estimator.estimate() is None
    assert (estimator.probes, estimator.hits, estimator.held) == (3, 1, 1)


def test_same_seed_same_words() -> None:
    """The same seed and the same answers give the same probes."""
    library = zipf_library(9, 100)
    drawn = []
    for _ in range(2):
        estimator = ProbeEstimator(library.words, np.random.default_rng(4))
        library.hold(estimator, range(50))
        drawn.append([estimator.next_word() for _ in range(30)])
    assert drawn[0] == drawn[1]


def test_wrong_use() -> None:
    """An empty pool, a confidence of 1, and repeated or unknown words are refused."""
    rng = np.random.default_rng(0)
    with pytest.raises(InputError):
        ProbeEstimator([], rng)
    with pytest.raises(InputError):
        ProbeEstimator(["a"], rng, confidence=1)
    estimator = ProbeEstimator(["a"], rng)
    estimator.probe("a", {})
    with pytest.raises(InputError, match="'a'"):
        estimator.probe("a", {})
    with pytest.raises(InputError, match="'b'"):
        estimator.probe("b", {})


def test_documents_that_cannot_be_read_are_part_of_the_size() -> None:
    """They are no matches; those that were listed count in addition to the held ones."""
    library = zipf_library(3, 600)
    unread = set(range(0, 600, 18))
    readable = [number for number in range(600) if number not in unread]
    estimator = ProbeEstimator(library.words, np.random.default_rng(3), enough=60)
    library.hold(estimator, readable)
    for number in unread:
        estimator.fail(str(number))
    while (word := estimator.next_word()) is not None:
        came = {
            key: words for key, words in library.matches(word).items() if int(key) not in unread
        }
        estimator.probe(word, came)
    found = estimator.estimate()
    assert found is not None
    assert found.documents == pytest.approx(600, abs=1)
    assert found.low == 600
    assert found.share == pytest.approx(len(readable) / 600, abs=0.002)
    for number in unread:
        estimator.hold(str(number), library.documents[number])
    again = estimator.estimate()
    assert again is not None
    assert again.low == 600
    assert again.share == pytest.approx(1, abs=0.002)


def test_counts_that_are_not_believed_change_nothing() -> None:
    """Without trusted counts the estimate equals the one from probes alone."""
    library = zipf_library(4, 500)
    estimates = []
    for factor in (None, 1.4):
        estimator = ProbeEstimator(library.words, np.random.default_rng(4), enough=60)
        library.hold(estimator, range(300))
        for word in library.words[:20] if factor else ():
            estimator.counted(word, int(factor * len(library.matches(word))))
        library.probe(estimator)
        estimates.append(estimator.estimate(believes_counts=False))
    assert estimates[0] == estimates[1]


def pool_of(library: Library, **options: int) -> ProbeEstimator:
    """Return an estimator with all words of a library as its pool."""
    return ProbeEstimator(library.words, np.random.default_rng(0), enough=EVERY, **options)


def test_documents_that_do_not_come_are_as_many_more_elsewhere() -> None:
    """Failed documents are assumed to be listed as easily as others."""
    library = Library([{f"w{number}"} for number in range(60)])
    estimator = pool_of(library)
    library.hold(estimator, range(30))
    for number in range(10):
        estimator.fail(f"failed{number}")
    estimator.fail("0")
    library.probe(estimator)
    found = estimator.estimate()
    assert found is not None
    assert (found.documents, found.share) == (pytest.approx(80), pytest.approx(30 / 80))
    estimator.hold("failed0", ["w0"])
    later = estimator.estimate()
    assert later is not None
    assert later.documents == pytest.approx((31 + 9) / 0.5)


def test_an_estimate_is_never_below_what_was_seen() -> None:
    """Results of a probe count even if its answer turns out to be cut."""
    estimator = ProbeEstimator(["x", "y"], np.random.default_rng(0), limit=9)
    estimator.hold("a", ["x"])
    estimator.probe("x", {"a": ["x"]})
    estimator.probe("y", {"b": ["y"], "c": ["y"]})
    estimator.answered("y", is_complete=False)
    found = estimator.estimate()
    assert found is not None
    assert (found.documents, found.low) == (3, 3)
    assert found.share == pytest.approx(1 / 3)


def test_words_that_overflowed_bring_no_document() -> None:
    """A document's weight counts the words that could find it; those with cut answers cannot."""
    library = Library(
        [{f"w{number}", *(["all"] if number < 300 else [])} for number in range(600)], limit=20
    )
    estimator = ProbeEstimator(library.words, np.random.default_rng(0), limit=20, enough=150)
    library.hold(estimator, range(300, 450))
    estimator.probe("all", None)
    library.probe(estimator)
    found = estimator.estimate()
    assert found is not None
    assert found.documents == pytest.approx(600, rel=0.1)


def test_where_all_is_asked_the_interval_is_a_point_wide() -> None:
    """No chance is left, only the possible error of the share; above it everything was seen."""
    library = Library([{f"w{number}"} for number in range(60)])
    estimator = pool_of(library)
    library.hold(estimator, range(30))
    library.probe(estimator)
    found = estimator.estimate()
    assert found is not None
    assert (found.share_low, found.share, found.share_high) == pytest.approx((0.49, 0.5, 0.5))
    assert (found.low, found.high) == pytest.approx((60, 30 / 0.49))


def test_the_total_of_one_letter_is_not_used() -> None:
    """A source that looks for parts of words counts other documents than those with the letter."""
    estimator = ProbeEstimator(["deep", "sea"], np.random.default_rng(0))
    estimator.hold("a", ["deep", "e", "海"])
    assert estimator.next_to_count() is not None
    for word in ("e", "海"):
        estimator.counted(word, 90)
    left = set(iter(estimator.next_to_count, None))
    assert "e" in left
    assert "海" not in left
