"""How a source reads several words, by comparing sets of keys.

a is a word whose answer is listed in full, b one that some of its hits hold: S(b) is never
needed. S(a b) a proper part of S(a) is AND; S(a b) with other hits is OR; S(a -b) = S(a) - S(a b)
is a NOT that works. Totals are never compared: they may be estimates.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from longline.discover._desk import Asking, Desk, change_dialect
from longline.discover._pages import RESERVE, Pages, is_full
from longline.discover._shown import Shown
from longline.discover.words import shares, terms

FEWEST = 3
A_TRIES = 10
FULL_TRIES = 3
B_TRIES = 3
NOTS = ("-{term}", "NOT {term}", "AND NOT {term}")
ANDS = (" AND ", " +")
MANY = 4
ORS = (" OR ", " | ")


@dataclass(frozen=True)
class Answer:
    """What a query brought.

    Attributes:
        keys: Of its first page.
        whole: It has no more than these.
    """

    words: str
    keys: frozenset[str]
    whole: bool
    shown: Shown | None = None


def learn_dialect(desk: Desk, pages: Pages) -> Asking[None]:
    """Learn how words are combined, excluded, quoted and stemmed."""
    pair = yield from _find_pair(desk, pages)
    if pair is None:
        for name in ("default", "not", "phrase"):
            desk.find(
                f"dialect.{name}",
                "",
                "unknown",
                "no word was found whose hits are listed in full and tell words apart",
            )
        return
    a, b, both = pair
    operator = yield from _learn_and(desk, pages, a, b, both)
    if operator and desk.left > RESERVE:
        yield from _learn_not(desk, pages, a, b, operator)
    if desk.left > RESERVE + 3:
        yield from _learn_phrase(desk, pages)
    if desk.left > RESERVE:
        yield from _learn_stems(desk, pages, a)
    if operator == "AND":
        yield from _learn_or(desk, pages, a, b)


def learn_more(desk: Desk, pages: Pages) -> Asking[None]:
    """Learn what a harvest needs less: wildcards, how many words are read."""
    plain = desk.findings.get("dialect.default")
    if plain is None or not plain.value:
        return
    whole = [_known(desk, pages, shown) for shown in desk.asked.values()]
    a = next((a for a in whole if a and a.whole and len(a.keys) >= FEWEST), None)
    if a is not None and desk.left > RESERVE:
        yield from _learn_wildcard(desk, pages, a)
    if desk.left > RESERVE + 1 and plain.value == "AND":
        yield from _learn_longest(desk, pages)


def answer(desk: Desk, pages: Pages, words: str, more: int = 0) -> Asking[Answer | None]:
    """Ask for what is typed as given; None where no answer came.

    Args:
        desk: What is known.
        pages: What is known of pages.
        words: What is typed.
        more: Pages after the first that may be read, where pages are short.
    """
    shown = yield from desk.search(words)
    if shown is None:
        return None
    read = desk.read(shown)
    if read is None:
        return Answer(words, frozenset(), True, shown)
    keys = set(desk.keys(shown))
    whole = not is_full(pages, read)
    for number in range(2, 2 + more):
        is_long = read.total is not None and read.total.documents > MANY * len(keys)
        if whole or read.next is None or is_long or desk.left <= RESERVE + 2:
            break
        following = yield from desk.get(read.next, words, number)
        read = desk.read(following)
        fresh = set(desk.keys(following)) - keys
        keys |= fresh
        whole = read is None or not fresh or (not is_full(pages, read) and len(read.hits) > 0)
        if read is None:
            break
    return Answer(words, frozenset(keys), whole, shown)


def _more(pages: Pages) -> int:
    """Return how many further pages may be read, to have more than a few hits to compare."""
    size = pages.size or 100
    return 2 if size <= 5 else 1 if size <= 10 else 0


# Two words to compare.


def _find_pair(desk: Desk, pages: Pages) -> Asking[tuple[Answer, str, Answer] | None]:
    """Find a, and b such that S(a b) differs from S(a)."""
    best: tuple[Answer, str, Answer] | None = None
    tried: set[str] = set()
    for a in [_known(desk, pages, shown) for shown in desk.asked.values()]:
        if a is not None and len(a.keys) >= FEWEST and a.whole and best is None:
            best = yield from _with_b(desk, pages, a)
        if best is not None:
            return best
    want, full, place = 2.0, 0, 2
    for _ in range(A_TRIES):
        if desk.left <= RESERVE + 4:
            return None
        # Where single words have too many hits, two of one document stand for a.
        is_single = full < FULL_TRIES
        word = _word_for_a(desk, want, tried) if is_single else _two_words(desk, tried, place)
        if word is None:
            return None
        tried.add(word)
        a = yield from answer(desk, pages, word, _more(pages))
        if a is None:
            continue
        if not a.whole:
            full, place = full + 1, place + 2 * (not is_single)
            want = max(1.0, want / 2) if want > 1 else 0.5
        elif len(a.keys) < FEWEST:
            want, place = want * 1.6, max(1, place - (not is_single))
        else:
            best = yield from _with_b(desk, pages, a)
            if best is not None:
                return best
    return None


def _known(desk: Desk, pages: Pages, shown: Shown) -> Answer | None:
    read = desk.read(shown)
    if read is None or " " in shown.words:
        return None
    return Answer(shown.words, frozenset(desk.keys(shown)), not is_full(pages, read), shown)


def _word_for_a(desk: Desk, want: float, tried: set[str]) -> str | None:
    """Return a word that about `want` of the texts seen hold, beside those it brought itself."""
    counts = Counter(word for text in desk.texts.values() for word in set(terms(text, shortest=4)))
    asked = {word for words in desk.asked for word in words.split()}
    fitting = [word for word in counts if word not in tried and word not in asked]
    if not fitting:
        return None
    longest = 8 if want >= 2 else 14
    return min(fitting, key=lambda word: (abs(counts[word] - want), -min(len(word), longest), word))


def _two_words(desk: Desk, tried: set[str], place: int) -> str | None:
    """Return two words of one document; the greater the place, the rarer."""
    held = shares(desk.texts.values())
    used = {word for words in tried for word in words.split()}
    for text in sorted(desk.texts.values(), key=len, reverse=True):
        words = [w for w in dict.fromkeys(terms(text, shortest=4)) if w not in used]
        words.sort(key=lambda word: (-held[word], word))
        if len(words) >= 2:
            at = min(place, len(words) - 2)
            return f"{words[at]} {words[at + 1]}"
    return None


def _with_b(desk: Desk, pages: Pages, a: Answer) -> Asking[tuple[Answer, str, Answer] | None]:
    for b in _words_for_b(desk, a)[:B_TRIES]:
        if desk.left <= RESERVE + 3:
            return None
        both = yield from answer(desk, pages, f"{a.words} {b}", _more(pages))
        if both is not None and both.keys and both.keys != a.keys:
            return a, b, both
    return None


def _words_for_b(desk: Desk, a: Answer) -> list[str]:
    """Return words of some of a's hits, the nearest to 40 % of them first."""
    held = shares(desk.texts.get(key, "") for key in a.keys)
    fitting = {
        word: share
        for word, share in held.items()
        if 0.1 <= share <= 0.7 and not any(word in one or one in word for one in a.words.split())
    }
    return sorted(fitting, key=lambda word: (abs(fitting[word] - 0.4), -len(word), word))


# AND, OR.


def _learn_and(desk: Desk, pages: Pages, a: Answer, b: str, both: Answer) -> Asking[str]:
    counts = f"{a.words!r} {len(a.keys)} hits, {both.words!r} {len(both.keys)}"
    if both.keys < a.keys:
        desk.find("dialect.default", "AND", "sure", f"{counts}, all of them among the first")
        return "AND"
    if not both.keys & a.keys or (both.whole and len(both.keys) <= len(a.keys)):
        desk.find(
            "dialect.default",
            "",
            "unknown",
            f"{counts}, but neither a part of the first nor more",
            "words in a row seem to be taken as something else",
        )
        return ""
    desk.find("dialect.default", "OR", "sure", f"{counts}, others among them")
    for and_ in ANDS:
        if desk.left <= RESERVE:
            break
        start = "+" if and_ == " +" else ""
        joined = yield from answer(desk, pages, f"{start}{a.words}{and_}{b}", _more(pages))
        if joined is not None and joined.keys and joined.keys < a.keys:
            if and_ == " +":
                # The first term needs its mark too, which only quoting every term can give.
                change_dialect(desk, and_=" ", quote='+"{term}"', quote_all=True)
            else:
                change_dialect(desk, and_=and_)
            desk.find(
                "ask.dialect.and",
                and_.strip(),
                "sure",
                f"{joined.words!r} brings {len(joined.keys)} of the {len(a.keys)} hits of "
                f"{a.words!r}, while {both.words!r} brings others",
            )
            return "OR"
    desk.find(
        "ask.dialect.and",
        "",
        "likely",
        f"{counts}: any of the words is enough, and no way to ask for all of them was found",
        "a query of several words brings documents that hold only one of them",
    )
    return "OR"


# NOT.


def _learn_not(desk: Desk, pages: Pages, a: Answer, b: str, operator: str) -> Asking[None]:
    assert desk.ask is not None
    joined = desk.ask.dialect.and_
    holding = yield from answer(desk, pages, f"{a.words}{joined}{b}", _more(pages))
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
        got = yield from answer(desk, pages, typed, _more(pages))
        if got is None:
            said.append(f"{template!r} was refused")
            continue
        said.append(f"{got.words!r} {len(got.keys)}")
        if got.keys == expected or (
            operator == "OR" and got.keys and not got.keys & with_b and got.keys <= a.keys
        ):
            change_dialect(desk, not_=template)
            evidence = (
                f"{got.words!r} brings the {len(got.keys)} hits of {a.words!r} that do not hold "
                f"{b!r}, of {len(a.keys)}"
            )
            desk.find("ask.dialect.not", template, "sure", evidence)
            desk.find("dialect.not", template, "sure", evidence)
            return
    evidence = f"{', '.join(said)} hits, where {len(expected)} of {len(a.keys)} were expected"
    desk.find("dialect.not", "", "likely" if len(said) == len(NOTS) else "unknown", evidence)


def _learn_or(desk: Desk, pages: Pages, a: Answer, b: str) -> Asking[None]:
    """Ask for a or a word with other hits, then for a with either of two others."""
    known = {shown.words: set(desk.keys(shown)) for shown in desk.probes}
    other = max(known, key=lambda word: len(known[word] - a.keys), default="")
    if not other or not known[other] - a.keys:
        return
    for or_ in ORS:
        if desk.left <= RESERVE + 8:
            return
        either = yield from answer(desk, pages, f"{a.words}{or_}{other}")
        if either is None or not either.keys or either.keys <= a.keys:
            continue
        evidence = f"{either.words!r} brings more than {a.words!r}"
        desk.find("dialect.or", or_.strip(), "sure", evidence)
        yield from _learn_group(desk, pages, a, b, or_)
        return
    desk.find("dialect.or", "", "likely", "OR and | bring nothing more than the words alone")


def _learn_group(desk: Desk, pages: Pages, a: Answer, b: str, or_: str) -> Asking[None]:
    """See that brackets hold alternatives together: only then a spec can use OR."""
    both = yield from answer(desk, pages, f"{a.words} {b}")
    for other in _words_for_b(desk, a)[:4]:
        grouped_words = f"{a.words} ({b}{or_}{other})"
        with_other = {key for key in a.keys if other in terms(desk.texts.get(key, ""))}
        if other == b or both is None or with_other <= both.keys:
            continue
        grouped = yield from answer(desk, pages, grouped_words)
        if grouped and both.keys < grouped.keys <= a.keys:
            change_dialect(desk, or_=or_)
            evidence = f"{grouped_words!r} brings {len(grouped.keys)} of the {len(a.keys)} hits"
            desk.find("ask.dialect.or", or_.strip(), "sure", f"{evidence} of {a.words!r}")
            return
        desk.find(
            "dialect.group",
            "",
            "likely",
            f"{grouped_words!r} brings {len(grouped.keys) if grouped else 0} hits",
            "brackets do not work as expected: OR is left out of the dialect",
        )
        return


# Phrases, stems, wildcards.


def _learn_phrase(desk: Desk, pages: Pages) -> Asking[None]:
    """Ask for two words that stand side by side: plain, quoted, and quoted the wrong way round."""
    for first, second in _bigrams(desk)[:2]:
        if desk.left <= RESERVE + 2:
            return
        plain = yield from answer(desk, pages, f"{first} {second}")
        if plain is None or not plain.keys:
            continue
        quoted = yield from answer(desk, pages, f'"{first} {second}"')
        turned = yield from answer(desk, pages, f'"{second} {first}"')
        counts = [len(each.keys) if each else 0 for each in (plain, quoted, turned)]
        evidence = (
            f"{first} {second} plain {counts[0]}, quoted {counts[1]}, "
            f"quoted the wrong way round {counts[2]}"
        )
        if quoted is None or not quoted.keys:
            change_dialect(desk, quote="")
            desk.find("ask.dialect.quote", "", "likely", evidence, "quotation marks break a query")
            desk.find("dialect.phrase", "broken", "likely", evidence)
        elif turned is None or turned.keys != quoted.keys:
            desk.find("dialect.phrase", "yes", "sure", evidence)
        else:
            desk.find("dialect.phrase", "no", "likely", evidence)
        return
    if "dialect.phrase" not in desk.findings:
        desk.find(
            "dialect.phrase", "", "unknown", "no two words that stand side by side were found"
        )


def _bigrams(desk: Desk) -> list[tuple[str, str]]:
    """Return pairs of neighbouring words that are seen in one order only, the rarest first."""
    pairs: Counter[tuple[str, str]] = Counter()
    words: Counter[str] = Counter()
    for text in desk.texts.values():
        for piece in re.split(r"[^\w\s]", text.lower()):
            raw = piece.split()
            words.update(set(raw))
            for first, second in pairwise(raw):
                if first != second and all(
                    terms(word, shortest=4) == [word] for word in (first, second)
                ):
                    pairs[first, second] += 1
    fitting = [pair for pair in pairs if (pair[1], pair[0]) not in pairs]
    return sorted(fitting, key=lambda pair: (-pairs[pair], words[pair[0]] + words[pair[1]], pair))


def _learn_stems(desk: Desk, pages: Pages, a: Answer) -> Asking[None]:
    """Ask for another form of a word: the same hits mean that words are stemmed."""
    other = a.words[:-1] if a.words.endswith("s") else f"{a.words}s"
    form = yield from answer(desk, pages, other, _more(pages))
    if form is None:
        return
    evidence = f"{a.words!r} {len(a.keys)} hits, {other!r} {len(form.keys)}"
    if form.keys == a.keys:
        desk.find("dialect.stems", "yes", "likely", f"{evidence}, the same")
    else:
        desk.find("dialect.stems", "no", "likely", evidence)


def _learn_wildcard(desk: Desk, pages: Pages, a: Answer) -> Asking[None]:
    wild = yield from answer(desk, pages, f"{a.words[:-1]}*", _more(pages))
    if wild is None:
        return
    evidence = f"{a.words!r} {len(a.keys)} hits, {wild.words!r} {len(wild.keys)}"
    if wild.keys == a.keys:
        desk.find("dialect.wildcard", "", "unknown", f"{evidence}: stemming would do that too")
        return
    works = bool(wild.keys & a.keys) and (a.keys <= wild.keys or not wild.whole)
    desk.find("dialect.wildcard", "yes" if works else "no", "likely", evidence)


def _learn_longest(desk: Desk, pages: Pages) -> Asking[None]:
    """Ask for many words of one document and a word that no document holds at the end.

    An answer means that the last word was not read.
    """
    from longline.discover.words import nonsense

    text = max(desk.texts.values(), key=lambda text: len(set(terms(text))), default="")
    words = list(dict.fromkeys(terms(text)))
    for count in (20, 10, 5):
        if len(words) < count or desk.left <= RESERVE:
            continue
        got = yield from answer(desk, pages, " ".join([*words[:count], nonsense(desk.rng)]))
        if got is None or not got.keys:
            desk.find(
                "dialect.max_terms",
                f"more than {count}",
                "likely",
                f"a word that no document holds was read as word {count + 1}",
            )
            return
        change_dialect(desk, max_terms=count)
        desk.find(
            "ask.dialect.max_terms",
            count,
            "likely",
            f"word {count + 1} of a query was not read; fewer may be",
        )
