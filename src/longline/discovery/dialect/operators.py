"""Learn how a source reads several words, by comparing sets of keys.

a is a word with all its hits listed, and b a word in some of these hits: S(b) is never needed. If
S(a b) is a proper part of S(a), the space is AND, or words in a row are one string. If S(a b) has
other hits, it is OR. If S(a -b) = S(a) - S(a b), that NOT works. Exact totals show the same for
words with more than a page of hits: those of a b and a -b add up to that of a. Others are never
used.
"""

from dataclasses import dataclass

from longline.discovery.answer_pages import RESERVE, PagingState
from longline.discovery.dialect.operator_setting import learn_not_by_switch
from longline.discovery.dialect.phrases import learn_quotes
from longline.discovery.dialect.stemming import learn_stems
from longline.discovery.dialect.substring_search import (
    ask_single_terms,
    is_one_string,
    learn_string,
)
from longline.discovery.dialect.word_pairs import (
    Answer,
    answer,
    find_pair,
    more_pages,
    words_for_b,
)
from longline.discovery.session import Asking, DiscoverySession, change_dialect
from longline.discovery.words import terms
from longline.source.request import REQUIRED
from longline.text.numbers import counted

NOTS = ("-{term}", "NOT {term}", "AND NOT {term}", "not {term}")
ANDS = (" AND ", " +", " and ")
ORS = (" OR ", " | ", " or ")


@dataclass(frozen=True)
class DialectLearnt:
    """How a source reads several words, for the steps that follow.

    Attributes:
        joined: "AND" if it requires all words, "OR" if any is enough; "" if unknown or one string.
        either: What to write between words if any is enough; "" if not known.
        stems: Whether another form of a word has the same hits.
    """

    joined: str = ""
    either: str = ""
    stems: bool = False


def learn_dialect(session: DiscoverySession, pages: PagingState) -> Asking[DialectLearnt]:
    """Learn how words are combined, excluded, quoted and stemmed."""
    pair = yield from find_pair(session, pages)
    if pair is None:
        if not (yield from learn_string(session, pages)):
            seen = "no two words were found whose hits could be compared"
            session.find("dialect.default", "", "unknown", seen)
        return DialectLearnt()
    a, b, both = pair
    joined = yield from learn_and(session, pages, a, b, both)
    if joined and session.left > RESERVE:
        yield from learn_not(session, pages, a, b, joined)
    if session.left > RESERVE + 3 and not _is_single(session):
        yield from learn_quotes(session, pages)
    stems, either = False, " " if joined == "OR" else ""
    if session.left > RESERVE:
        stems = yield from learn_stems(session, pages, a, joined)
    if joined == "AND":
        either = yield from learn_or(session, pages, a, b)
    return DialectLearnt(joined, either, stems)


def _is_single(session: DiscoverySession) -> bool:
    return session.ask is not None and session.ask.dialect.max_terms == 1


def learn_and(
    session: DiscoverySession, pages: PagingState, a: Answer, b: str, both: Answer
) -> Asking[str]:
    """Return how a space joins two words; if it is not AND, learn how to write AND."""
    counts = f"{a.words!r} {counted(len(a.keys), 'hit')}, {both.words!r} {len(both.keys)}"
    if both.keys < a.keys:
        if (yield from is_one_string(session, pages, a, b, both)):
            ask_single_terms(session)
            return ""
        session.find("dialect.default", "AND", "sure", f"{counts}, all of them among the first")
        return "AND"
    if not both.keys & a.keys or (both.whole and len(both.keys) <= len(a.keys)):
        session.find("dialect.default", "", "unknown", f"{counts}, neither a part nor more")
        return ""
    session.find("dialect.default", "OR", "sure", f"{counts}, others among them")
    for and_ in ANDS:
        if session.left <= RESERVE:
            break
        start = "+" if and_ == " +" else ""
        typed = start + and_.join(map(session.joined, (a.words, b)))
        joined = yield from answer(session, pages, typed, more_pages(pages))
        if joined is not None and joined.keys and joined.keys < a.keys:
            if and_ == " +":
                # The first term needs the mark, too: only quoting every term adds it.
                change_dialect(session, and_=" ", quote='+"{term}"', quote_all=True)
                quoted = session.joined(a.words, b)
                same = yield from answer(session, pages, quoted, more_pages(pages))
                if same is not None and same.keys != joined.keys:
                    change_dialect(session, quote="+{term}")
            else:
                change_dialect(session, and_=and_)
            _note_and(session, and_, joined, a)
            return "OR"
    session.find("ask.dialect.and", "", "likely", f"{counts}, and no way to ask for all words")
    return "OR"


def _note_and(session: DiscoverySession, and_: str, joined: Answer, a: Answer) -> None:
    seen = f"{joined.words!r} brings {len(joined.keys)} of the {len(a.keys)} hits of {a.words!r}"
    session.find("ask.dialect.and", and_.strip(), "sure", seen)


def learn_not(
    session: DiscoverySession, pages: PagingState, a: Answer, b: str, operator: str
) -> Asking[None]:
    """Try ways to query a without b: they must return the hits of a that do not contain b."""
    assert session.ask is not None
    one, other = session.joined(a.words), _optional(session, b)
    holding = yield from answer(session, pages, session.joined(a.words, b), more_pages(pages))
    if operator == "OR" and (holding is None or not holding.keys < a.keys):
        with_b = frozenset(key for key in a.keys if b in terms(session.texts.get(key, "")))
    else:
        with_b = holding.keys if holding is not None else frozenset()
    expected = a.keys - with_b
    said = []
    known = session.ask.dialect.not_
    templates = dict.fromkeys([known, *NOTS] if known else NOTS)
    for template in templates:
        if session.left <= RESERVE:
            break
        typed = f"{one} {template.replace('{term}', other)}"
        got = yield from answer(session, pages, typed, more_pages(pages))
        if got is None:
            said.append(f"{template!r} was refused")
            continue
        said.append(f"{got.words!r} {len(got.keys)}")
        if (
            _adds_up(a, holding, got)
            or got.keys == expected
            or (operator == "OR" and got.keys and not got.keys & with_b and got.keys <= a.keys)
        ):
            change_dialect(session, not_=template)
            seen = f"{got.words!r} brings the {len(got.keys)} of {len(a.keys)} hits without {b!r}"
            session.find("ask.dialect.not", template, "sure", seen)
            return
    if (yield from learn_not_by_switch(session, pages, a, b, with_b)):
        return
    change_dialect(session, not_="")
    evidence = f"{', '.join(said)} hits, where {len(expected)} of {len(a.keys)} were expected"
    is_tried = len(said) == len(templates)
    session.find("ask.dialect.not", "", "likely" if is_tried else "unknown", evidence)


def _adds_up(a: Answer, holding: Answer | None, without: Answer) -> bool:
    """Return whether the exact totals of a with b and of a without b add up to that of a."""
    if holding is None or None in (a.total, holding.total, without.total):
        return False
    parts = (holding.total or 0, without.total or 0)
    # If the mark is ignored, both answers are the same, and each may be one half.
    return sum(parts) == a.total and min(parts) > 0 and not holding.keys & without.keys


def learn_or(session: DiscoverySession, pages: PagingState, a: Answer, b: str) -> Asking[str]:
    """Query a or a word with other hits, then a with either of two other words.

    Returns:
        What to write between words if any is enough; "" if not known.
    """
    assert session.ask is not None
    known = {shown.words: set(session.keys(shown)) for shown in session.probes}
    other = max(known, key=lambda word: len(known[word] - a.keys), default="")
    if not other or not known[other] - a.keys:
        return ""
    promised = session.ask.dialect.or_
    for or_ in dict.fromkeys([promised, *ORS] if promised else ORS):
        if session.left <= RESERVE + 8:
            return ""
        either = yield from answer(
            session, pages, f"{_optional(session, a.words)}{or_}{other.removeprefix(REQUIRED)}"
        )
        if either is not None and either.keys and not either.keys <= a.keys:
            yield from _learn_group(session, pages, a, b, or_)
            return or_
    change_dialect(session, or_="")
    if promised:
        session.find("ask.dialect.or", "", "likely", f"no OR brings more than {a.words!r} alone")
    return ""


def _learn_group(
    session: DiscoverySession, pages: PagingState, a: Answer, b: str, or_: str
) -> Asking[None]:
    """Check that brackets group alternatives: only then can a spec use OR."""
    assert session.ask is not None
    dialect = session.ask.dialect
    both = yield from answer(session, pages, session.joined(a.words, b))
    for other in words_for_b(session, a)[:4]:
        either = or_.join(_optional(session, each) for each in (b, other))
        grouped_words = f"{session.joined(a.words)}{dialect.and_}({either})"
        with_other = {key for key in a.keys if other in terms(session.texts.get(key, ""))}
        if other == b or both is None or with_other <= both.keys:
            continue
        grouped = yield from answer(session, pages, grouped_words)
        seen = f"{grouped_words!r} brings {counted(len(grouped.keys) if grouped else 0, 'hit')}"
        if grouped and both.keys < grouped.keys <= a.keys:
            change_dialect(session, or_=or_)
            session.find("ask.dialect.or", or_.strip(), "sure", f"{seen} of the {len(a.keys)}")
        else:
            change_dialect(session, or_="")
            session.find("ask.dialect.or", "", "likely", f"{seen}: brackets do not work")
        return


def _optional(session: DiscoverySession, term: str) -> str:
    """Return a query term that is not required: negated, or one of several."""
    return session.joined(term).removeprefix(REQUIRED)
