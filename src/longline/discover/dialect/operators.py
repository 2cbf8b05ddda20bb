"""How a source reads several words, by comparing sets of keys.

a is a word whose answer is listed in full, b one that some of its hits hold: S(b) is never
needed. S(a b) a proper part of S(a) is AND, or words in a row are one string; S(a b) with other
hits is OR; S(a -b) = S(a) - S(a b) is a NOT that works. Totals are never compared: they may be
estimates.
"""

from __future__ import annotations

from dataclasses import dataclass

from longline.discover.answer_pages import RESERVE, Pages
from longline.discover.dialect.operator_setting import learn_not_by_switch
from longline.discover.dialect.phrases import learn_quotes
from longline.discover.dialect.stemming import learn_stems
from longline.discover.dialect.substring_search import ask_single_terms, is_one_string, learn_string
from longline.discover.dialect.word_pairs import (
    Answer,
    answer,
    find_pair,
    more_pages,
    words_for_b,
)
from longline.discover.session import Asking, Desk, change_dialect
from longline.discover.words import terms

NOTS = ("-{term}", "NOT {term}", "AND NOT {term}", "not {term}")
ANDS = (" AND ", " +", " and ")
ORS = (" OR ", " | ", " or ")


@dataclass(frozen=True)
class DialectLearnt:
    """How a source reads several words, for the steps that follow.

    Attributes:
        joined: "AND" where it needs all of them, "OR" where any is enough; "" where that is not
            known, or they are one string.
        either: What stands between words of which any is enough; "" where nothing is known to.
        stems: Another form of a word brings the same.
    """

    joined: str = ""
    either: str = ""
    stems: bool = False


def learn_dialect(desk: Desk, pages: Pages) -> Asking[DialectLearnt]:
    """Learn how words are combined, excluded, quoted and stemmed."""
    pair = yield from find_pair(desk, pages)
    if pair is None:
        if not (yield from learn_string(desk, pages)):
            seen = "no two words were found whose hits could be compared"
            desk.find("dialect.default", "", "unknown", seen)
        return DialectLearnt()
    a, b, both = pair
    joined = yield from _learn_and(desk, pages, a, b, both)
    if joined and desk.left > RESERVE:
        yield from _learn_not(desk, pages, a, b, joined)
    if desk.left > RESERVE + 3 and not _is_single(desk):
        yield from learn_quotes(desk, pages)
    stems, either = False, " " if joined == "OR" else ""
    if desk.left > RESERVE:
        stems = yield from learn_stems(desk, pages, a, joined)
    if joined == "AND":
        either = yield from _learn_or(desk, pages, a, b)
    return DialectLearnt(joined, either, stems)


def _is_single(desk: Desk) -> bool:
    return desk.ask is not None and desk.ask.dialect.max_terms == 1


def _learn_and(desk: Desk, pages: Pages, a: Answer, b: str, both: Answer) -> Asking[str]:
    counts = f"{a.words!r} {len(a.keys)} hits, {both.words!r} {len(both.keys)}"
    if both.keys < a.keys:
        if (yield from is_one_string(desk, pages, a, b, both)):
            return (yield from _learn_and_of_strings(desk, pages, a))
        desk.find("dialect.default", "AND", "sure", f"{counts}, all of them among the first")
        return "AND"
    if not both.keys & a.keys or (both.whole and len(both.keys) <= len(a.keys)):
        desk.find("dialect.default", "", "unknown", f"{counts}, neither a part nor more")
        return ""
    desk.find("dialect.default", "OR", "sure", f"{counts}, others among them")
    for and_ in ANDS:
        if desk.left <= RESERVE:
            break
        start = "+" if and_ == " +" else ""
        joined = yield from answer(desk, pages, f"{start}{a.words}{and_}{b}", more_pages(pages))
        if joined is not None and joined.keys and joined.keys < a.keys:
            if and_ == " +":
                # The first term needs its mark too, which only quoting every term can give.
                change_dialect(desk, and_=" ", quote='+"{term}"', quote_all=True)
            else:
                change_dialect(desk, and_=and_)
            _note_and(desk, and_, joined, a)
            return "OR"
    desk.find("ask.dialect.and", "", "likely", f"{counts}, and no way to ask for all words")
    return "OR"


def _note_and(desk: Desk, and_: str, joined: Answer, a: Answer) -> None:
    seen = f"{joined.words!r} brings {len(joined.keys)} of the {len(a.keys)} hits of {a.words!r}"
    desk.find("ask.dialect.and", and_.strip(), "sure", seen)


def _learn_and_of_strings(desk: Desk, pages: Pages, a: Answer) -> Asking[str]:
    """Look for a way to ask for two words apart; single terms are asked for where there is none."""
    b = next(iter(words_for_b(desk, a)), "")
    for and_ in ANDS if b else ():
        if desk.left <= RESERVE or and_ == " +":
            continue
        typed = f"{a.words}{and_}{b}"
        joined = yield from answer(desk, pages, typed, more_pages(pages))
        if joined is None or not joined.keys or not joined.keys < a.keys:
            continue
        texts = (" ".join(desk.texts.get(key, "").lower().split()) for key in joined.keys)
        # A text that says "salt and pepper" is found by these words as a string, too.
        if not all(typed.lower() in each for each in texts):
            change_dialect(desk, and_=and_, quote="")
            _note_and(desk, and_, joined, a)
            return "AND"
    ask_single_terms(desk)
    return ""


def _learn_not(desk: Desk, pages: Pages, a: Answer, b: str, operator: str) -> Asking[None]:
    assert desk.ask is not None
    joined = desk.ask.dialect.and_
    holding = yield from answer(desk, pages, f"{a.words}{joined}{b}", more_pages(pages))
    if operator == "OR" and (holding is None or not holding.keys < a.keys):
        with_b = frozenset(key for key in a.keys if b in terms(desk.texts.get(key, "")))
    else:
        with_b = holding.keys if holding is not None else frozenset()
    expected = a.keys - with_b
    said = []
    for template in NOTS:
        if desk.left <= RESERVE:
            break
        typed = f"{a.words} {template.replace('{term}', b)}"
        got = yield from answer(desk, pages, typed, more_pages(pages))
        if got is None:
            said.append(f"{template!r} was refused")
            continue
        said.append(f"{got.words!r} {len(got.keys)}")
        if got.keys == expected or (
            operator == "OR" and got.keys and not got.keys & with_b and got.keys <= a.keys
        ):
            change_dialect(desk, not_=template)
            seen = f"{got.words!r} brings the {len(got.keys)} of {len(a.keys)} hits without {b!r}"
            desk.find("ask.dialect.not", template, "sure", seen)
            return
    if (yield from learn_not_by_switch(desk, pages, a, b, with_b)):
        return
    evidence = f"{', '.join(said)} hits, where {len(expected)} of {len(a.keys)} were expected"
    desk.find("ask.dialect.not", "", "likely" if len(said) == len(NOTS) else "unknown", evidence)


def _learn_or(desk: Desk, pages: Pages, a: Answer, b: str) -> Asking[str]:
    """Ask for a or a word with other hits, then for a with either of two others.

    Returns:
        What stands between words of which any is enough; "" where nothing is known to.
    """
    known = {shown.words: set(desk.keys(shown)) for shown in desk.probes}
    other = max(known, key=lambda word: len(known[word] - a.keys), default="")
    if not other or not known[other] - a.keys:
        return ""
    for or_ in ORS:
        if desk.left <= RESERVE + 8:
            return ""
        either = yield from answer(desk, pages, f"{a.words}{or_}{other}")
        if either is not None and either.keys and not either.keys <= a.keys:
            yield from _learn_group(desk, pages, a, b, or_)
            return or_
    return ""


def _learn_group(desk: Desk, pages: Pages, a: Answer, b: str, or_: str) -> Asking[None]:
    """See that brackets hold alternatives together: only then a spec can use OR."""
    both = yield from answer(desk, pages, f"{a.words} {b}")
    for other in words_for_b(desk, a)[:4]:
        grouped_words = f"{a.words} ({b}{or_}{other})"
        with_other = {key for key in a.keys if other in terms(desk.texts.get(key, ""))}
        if other == b or both is None or with_other <= both.keys:
            continue
        grouped = yield from answer(desk, pages, grouped_words)
        seen = f"{grouped_words!r} brings {len(grouped.keys) if grouped else 0} hits"
        if grouped and both.keys < grouped.keys <= a.keys:
            change_dialect(desk, or_=or_)
            desk.find("ask.dialect.or", or_.strip(), "sure", f"{seen} of the {len(a.keys)}")
        else:
            desk.find("ask.dialect.or", "", "likely", f"{seen}: brackets do not work")
        return
