"""Sources that read words in a row as one string, as "find in text" does.

S(a b) is then a part of S(a), as it is where the space is AND. Two things tell: the order of the
words counts, and hits that hold both words apart stay away.
"""

from itertools import pairwise

from longline.discovery.answer_pages import RESERVE, PagingState
from longline.discovery.dialect.word_pairs import Answer, answer, more_pages
from longline.discovery.findings import Sureness
from longline.discovery.session import Asking, DiscoverySession, change_dialect
from longline.discovery.words import terms
from longline.text.numbers import counted

STRINGS = 2
"""Pairs of words side by side that are tried."""


def is_one_string(
    session: DiscoverySession, pages: PagingState, a: Answer, b: str, both: Answer
) -> Asking[bool]:
    """Say whether words in a row are one string: turned round, they bring something else.

    Args:
        session: What is known.
        pages: What is known of pages.
        a: A word, listed in full.
        b: Another one.
        both: What "a b" brought, a part of a's hits.
    """
    if _holds_apart(session, a.words, b, both) or session.left <= RESERVE:
        return False
    turned = yield from answer(session, pages, session.joined(b, a.words), more_pages(pages))
    if turned is None:
        return False
    if turned.keys == both.keys:
        # By chance, it may be, where other words of its hits brought none of them.
        return _is_apart(session, a) and (yield from _is_turned(session, pages))
    evidence = (
        f"{both.words!r} brings {len(both.keys)} of the {len(a.keys)} hits of {a.words!r}, and "
        f"{turned.words!r} {len(turned.keys)}"
    )
    _note_string(session, "sure", evidence)
    return True


def learn_string(session: DiscoverySession, pages: PagingState) -> Asking[bool]:
    """Say whether two words that stand side by side bring hits, and nothing when turned round.

    For a source where no word and another of its hits' words were found to bring anything.
    """
    is_string = yield from _is_turned(session, pages)
    if is_string:
        ask_single_terms(session)
    return is_string


def _is_apart(session: DiscoverySession, a: Answer) -> bool:
    """Say whether a word and one that a hit of it shows were asked for, and brought nothing."""
    held = {word for key in a.keys for word in terms(session.texts.get(key, ""))}
    pairs = (words.split() for words, shown in session.asked.items() if not session.keys(shown))
    return any(len(pair) == 2 and pair[0] == a.words and pair[1] in held for pair in pairs)


def _is_turned(session: DiscoverySession, pages: PagingState) -> Asking[bool]:
    """Say whether words side by side bring hits and, turned round, none; note it then."""
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
    """Return words that only ever stand in this order in what was seen, the longest first."""
    found: set[tuple[str, str]] = set()
    for said in session.texts.values():
        words = [(word, terms(word, shortest=4)) for word in said.lower().split()]
        found |= {(a, b) for (a, one), (b, two) in pairwise(words) if one == [a] and two == [b]}
    fitting = [(a, b) for a, b in found if a != b and (b, a) not in found]
    return sorted(fitting, key=lambda pair: (-len(pair[0]) - len(pair[1]), pair))


def ask_single_terms(session: DiscoverySession) -> None:
    """Write down that a query is one term, where words in a row are one string."""
    change_dialect(session, max_terms=1, quote="")
    seen = "words in a row are one string"
    session.find("ask.dialect.max_terms", 1, "sure", seen)
    session.find("ask.dialect.not", "", "likely", f"{seen}, and so are marks before them")


def _holds_apart(session: DiscoverySession, a: str, b: str, both: Answer) -> bool:
    """Say whether most hits that were seen to hold the two hold them apart."""
    apart = beside = 0
    for key in both.keys:
        said = session.texts.get(key, "").lower()
        if {b, *a.split()} <= set(terms(said)):
            is_beside = f"{a} {b}" in " ".join(said.split())
            beside, apart = beside + is_beside, apart + (not is_beside)
    return apart > beside
