"""Detect sources that read words in a row as one string, as "find in text" does.

S(a b) is then a part of S(a), as it is where the space is AND. Two signs show the difference: the
order of the words matters, and hits with both words apart are not returned.
"""

from itertools import pairwise

from longline.discovery.answer_pages import RESERVE, PagingState
from longline.discovery.dialect.word_pairs import Answer, answer, more_pages
from longline.discovery.findings import Sureness
from longline.discovery.session import Asking, DiscoverySession, change_dialect
from longline.discovery.words import terms
from longline.text.numbers import counted

STRINGS = 2
"""Maximum number of neighbouring word pairs to try."""


def is_one_string(
    session: DiscoverySession, pages: PagingState, a: Answer, b: str, both: Answer
) -> Asking[bool]:
    """Return whether words in a row are one string: in reverse order, they have other hits.

    Args:
        session: The session.
        pages: What is known about result pages.
        a: A word with all its hits listed.
        b: Another word.
        both: The answer to "a b", a part of a's hits.
    """
    if _holds_apart(session, a.words, b, both) or session.left <= RESERVE:
        return False
    turned = yield from answer(session, pages, session.joined(b, a.words), more_pages(pages))
    if turned is None:
        return False
    if turned.keys == both.keys:
        # This may be chance if other words of a's hits returned none of them.
        return _is_apart(session, a) and (yield from _is_turned(session, pages))
    evidence = (
        f"{both.words!r} brings {len(both.keys)} of the {len(a.keys)} hits of {a.words!r}, and "
        f"{turned.words!r} {len(turned.keys)}"
    )
    _note_string(session, "sure", evidence)
    return True


def learn_string(session: DiscoverySession, pages: PagingState) -> Asking[bool]:
    """Return whether two neighbouring words have hits, and none in reverse order.

    This is for a source where no word had hits together with another word of its hits.
    """
    is_string = yield from _is_turned(session, pages)
    if is_string:
        ask_single_terms(session)
    return is_string


def _is_apart(session: DiscoverySession, a: Answer) -> bool:
    """Return whether a word was queried with another word of its hits, and had no hits."""
    held = {word for key in a.keys for word in terms(session.texts.get(key, ""))}
    pairs = (words.split() for words, shown in session.asked.items() if not session.keys(shown))
    return any(len(pair) == 2 and pair[0] == a.words and pair[1] in held for pair in pairs)


def _is_turned(session: DiscoverySession, pages: PagingState) -> Asking[bool]:
    """Return whether neighbouring words have hits, and none in reverse order; if so, note it."""
    for one, other in _side_by_side(session)[:STRINGS]:
        if session.left <= RESERVE + 1:
            break
        plain = yield from answer(session, pages, f"{one} {other}")
        if plain is None or not plain.keys:
            continue
        turned = yield from answer(session, pages, f"{other} {one}")
        if turned is None or turned.keys:
            break
        evidence = f"{plain.words!r} has {counted(len(plain.keys), 'hit')}, {turned.words!r} none"
        _note_string(session, "likely", evidence)
        return True
    return False


def _note_string(session: DiscoverySession, sure: Sureness, evidence: str) -> None:
    evidence = f"{evidence}: the order of the words counts, so they are read as one string"
    session.find("dialect.default", "phrase", sure, evidence)


def _side_by_side(session: DiscoverySession) -> list[tuple[str, str]]:
    """Return neighbouring words that occur in one order only, the longest first."""
    found: set[tuple[str, str]] = set()
    for said in session.texts.values():
        words = [(word, terms(word, shortest=4)) for word in said.lower().split()]
        found |= {(a, b) for (a, one), (b, two) in pairwise(words) if one == [a] and two == [b]}
    fitting = [(a, b) for a, b in found if a != b and (b, a) not in found]
    return sorted(fitting, key=lambda pair: (-len(pair[0]) - len(pair[1]), pair))


def ask_single_terms(session: DiscoverySession) -> None:
    """Write down that a query is a single term, where words in a row are one string."""
    change_dialect(session, max_terms=1, quote="")
    seen = "words in a row are one string"
    session.find("ask.dialect.max_terms", 1, "sure", seen)
    session.find("ask.dialect.not", "", "likely", f"{seen}, and so are marks before them")


def _holds_apart(session: DiscoverySession, a: str, b: str, both: Answer) -> bool:
    """Return whether most hits known to contain both words contain them apart."""
    apart = beside = 0
    for key in both.keys:
        said = session.texts.get(key, "").lower()
        if {b, *a.split()} <= set(terms(said)):
            is_beside = f"{a} {b}" in " ".join(said.split())
            beside, apart = beside + is_beside, apart + (not is_beside)
    return apart > beside
