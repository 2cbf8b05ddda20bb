"""Query words to find two that can be compared: a, and b, which is in some of its hits."""

from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise

from longline.discovery.answer import ParsedAnswer
from longline.discovery.answer_pages import RESERVE, PagingState, is_full
from longline.discovery.session import Asking, DiscoverySession
from longline.discovery.words import shares, terms

FEWEST = 3
A_TRIES = 10
FULL_TRIES = 3
APART_TRIES = 2
"""After this many pairs of one document's words without hits, single words are queried again."""

B_TRIES = 3
MANY = 4


@dataclass(frozen=True)
class Answer:
    """The answer to a query.

    Attributes:
        keys: Keys of the hits on the pages that were read.
        whole: Whether these are all hits.
        total: The exact total that the source announces, or None.
    """

    words: str
    keys: frozenset[str]
    whole: bool
    total: int | None = None


def answer(
    session: DiscoverySession, pages: PagingState, words: str, more: int = 0
) -> Asking[Answer | None]:
    """Query words exactly as given; return None if there was no answer.

    Args:
        session: The session.
        pages: What is known about result pages.
        words: The query.
        more: Maximum number of pages to read after the first, where pages are short.
    """
    shown = yield from session.search(words)
    if shown is None:
        return None
    read = session.read(shown)
    if read is None:
        return Answer(words, frozenset(), True)
    keys = set(session.keys(shown))
    if keys and any(keys == set(session.keys(nothing)) for nothing in session.empty):
        return Answer(words, frozenset(), True)  # the same hits as for nonsense
    whole, total = not is_full(pages, read), read.exact_total
    for number in range(2, 2 + more):
        is_long = read.total is not None and read.total.documents > MANY * len(keys)
        if whole or read.next is None or is_long or session.left <= RESERVE + 2:
            break
        following = yield from session.get(read.next, words, number)
        read = session.read(following)
        fresh = set(session.keys(following)) - keys
        keys |= fresh
        whole = read is None or not fresh or (not is_full(pages, read) and len(read.hits) > 0)
        if read is None:
            break
    return Answer(words, frozenset(keys), whole, total)


def more_pages(pages: PagingState) -> int:
    """Return how many further pages may be read, to have more than a few hits to compare."""
    size = pages.size or 100
    return 2 if size <= 5 else 1 if size <= 10 else 0


def find_pair(
    session: DiscoverySession, pages: PagingState
) -> Asking[tuple[Answer, str, Answer] | None]:
    """Return a, b and the answer to "a b", where S(a b) differs from S(a); None if not found."""
    best: tuple[Answer, str, Answer] | None = None
    tried: set[str] = set()
    for a in [known_answer(session, pages, shown) for shown in session.asked.values()]:
        if a is not None and len(a.keys) >= FEWEST and a.whole and best is None:
            best = yield from _with_b(session, pages, a)
        if best is not None:
            return best
    want, full, place, nothing = 2.0, 0, 2, 0
    for _ in range(A_TRIES):
        if session.left <= RESERVE + 4:
            return None
        # If single words have too many hits, two words of one document are used as a.
        is_single = full < FULL_TRIES or nothing >= APART_TRIES
        word = _word_for_a(session, want, tried) if is_single else _two_words(session, tried, place)
        if word is None:
            return None
        tried.add(word)
        a = yield from answer(session, pages, session.joined(word), more_pages(pages))
        if a is None:
            continue
        a = replace(a, words=word)
        if not is_single and not a.keys:
            nothing, want, place = nothing + 1, 1.0, max(1, place - 1)
        elif not a.whole:
            full, place = full + 1, place + 2 * (not is_single)
            want = max(1.0, want / 2) if want > 1 else 0.5
        elif len(a.keys) < FEWEST:
            want, place = want * 1.6, max(1, place - (not is_single))
        else:
            best = yield from _with_b(session, pages, a)
            if best is not None:
                return best
    return None


def known_answer(
    session: DiscoverySession, pages: PagingState, shown: ParsedAnswer
) -> Answer | None:
    """Return a page as the answer to its word; None if it has several words or was quoted."""
    read = session.read(shown)
    if read is None or " " in shown.words or session.joined(shown.words) != shown.words:
        return None
    keys = frozenset(session.keys(shown))
    return Answer(shown.words, keys, not is_full(pages, read), read.exact_total)


def _word_for_a(session: DiscoverySession, want: float, tried: set[str]) -> str | None:
    """Return a new word that about `want` of the texts seen contain; None if none is left."""
    counts = Counter(
        word for text in session.texts.values() for word in set(terms(text, shortest=4))
    )
    asked = {word for words in session.asked for word in words.split()}
    fitting = [word for word in counts if word not in tried and word not in asked]
    if not fitting:
        return None
    longest = 8 if want >= 2 else 14
    return min(fitting, key=lambda word: (abs(counts[word] - want), -min(len(word), longest), word))


def _two_words(session: DiscoverySession, tried: set[str], place: int) -> str | None:
    """Return two words of one document, or None; the greater the place, the rarer they are."""
    held = shares(session.texts.values())
    used = {word for words in tried for word in words.split()}
    for text in sorted(session.texts.values(), key=len, reverse=True):
        words = [w for w in dict.fromkeys(terms(text, shortest=4)) if w not in used]
        words.sort(key=lambda word: (-held[word], word))
        if len(words) >= 2:
            at = min(place, len(words) - 2)
            return f"{words[at]} {words[at + 1]}"
    return None


def _with_b(
    session: DiscoverySession, pages: PagingState, a: Answer
) -> Asking[tuple[Answer, str, Answer] | None]:
    # If words in a row are read as one string, only neighbouring words have hits.
    apart = words_for_b(session, a)
    beside = [b for b in followers(session, a) if b not in apart[: B_TRIES - 1]]
    for b in [*apart[: B_TRIES - 1], *beside[:1], *apart[B_TRIES - 1 :]][:B_TRIES]:
        if session.left <= RESERVE + 3:
            return None
        both = yield from answer(session, pages, session.joined(a.words, b), more_pages(pages))
        if both is not None and both.keys and both.keys != a.keys:
            return a, b, both
    return None


def words_for_b(session: DiscoverySession, a: Answer) -> list[str]:
    """Return words in some of a's hits, those nearest to 40 % of them first."""
    held = shares(session.texts.get(key, "") for key in a.keys)
    fitting = {
        word: share
        for word, share in held.items()
        if 0.1 <= share <= 0.7 and not any(word in one or one in word for one in a.words.split())
    }
    return sorted(fitting, key=lambda word: (abs(fitting[word] - 0.4), -len(word), word))


def followers(session: DiscoverySession, a: Answer) -> list[str]:
    """Return words directly after a in some of its hits' texts, the most frequent first."""
    counts: Counter[str] = Counter()
    last = a.words.split()[-1]
    for key in a.keys:
        words = session.texts.get(key, "").lower().split()
        counts.update({two for one, two in pairwise(words) if one == last and [two] == terms(two)})
    fitting = [word for word in counts if counts[word] < len(a.keys) and word not in a.words]
    return sorted(fitting, key=lambda word: (-counts[word], word))
