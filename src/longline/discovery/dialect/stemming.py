"""Learn whether a source stems, and by which rule: compare words that rules treat differently."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations

from longline.discovery.answer_pages import RESERVE, PagingState
from longline.discovery.dialect.word_pairs import Answer, answer, more_pages
from longline.discovery.session import Asking, DiscoverySession, change_dialect
from longline.discovery.words import terms
from longline.text.stems import PLURAL, Rule

PAIRS = 3
SHORTEST = 5
"""Minimum length in letters of a queried word: shorter words are stemmed in special ways."""

_ENGLISH = frozenset(["the", "and", "of", "for", "with", "that", "this", "are", "is", "to", "in"])
_RULES = {
    "en": ("english", "porter"),
    "de": ("german",),
    "fr": ("french",),
    "es": ("spanish",),
    "it": ("italian",),
    "nl": ("dutch",),
    "pt": ("portuguese",),
    "sv": ("swedish",),
    "da": ("danish",),
    "nb": ("norwegian",),
    "no": ("norwegian",),
    "fi": ("finnish",),
    "hu": ("hungarian",),
    "ro": ("romanian",),
    "ru": ("russian",),
}


SHORTEST_PART = 4
"""Minimum length in letters of a word without its first one; no rule takes that for its form."""


def learn_stems(
    session: DiscoverySession, pages: PagingState, a: Answer, joined: str
) -> Asking[bool]:
    """Return whether another form of a word has the same hits.

    A substring search does not count, although a word without its last letter has the same hits
    there. Two words are compared only if they are joined by AND.
    """
    if " " in a.words and joined != "AND":
        return False
    other = a.words[:-1] if a.words.endswith("s") else f"{a.words}s"
    form = yield from answer(session, pages, other, more_pages(pages))
    if form is None or form.keys != a.keys:
        return False
    part = a.words[1:]
    if a.words.startswith(other) and len(part) >= SHORTEST_PART and session.left > RESERVE:
        found = yield from answer(session, pages, part, more_pages(pages))
        if found is not None and a.keys and a.keys <= found.keys:
            return False
    return True


def learn_forms(session: DiscoverySession, pages: PagingState) -> Asking[None]:
    """Query pairs of words until only one rule explains which pairs have the same hits.

    This is for a source that stems.
    """
    rules = [PLURAL, *_RULES.get(_language(session), ())]
    counts = Counter(
        word for text in session.texts.values() for word in set(terms(text, shortest=SHORTEST))
    )
    seen: list[str] = []
    for _ in range(PAIRS):
        pair = _telling_pair(counts, rules) if len(rules) > 1 else None
        if pair is None or session.left < 2:
            break
        for word in pair:
            del counts[word]
        is_one = yield from _bring_the_same(session, pages, *pair)
        if is_one is None:
            continue
        rules = [rule for rule in rules if _joins(rule, *pair) == is_one]
        seen.append(f"{pair[0]!r} and {pair[1]!r} bring {'the same' if is_one else 'other hits'}")
    _note(session, rules, seen, is_told=len(rules) == 1 or _telling_pair(counts, rules) is None)


def _note(
    session: DiscoverySession, rules: Sequence[str], seen: list[str], *, is_told: bool
) -> None:
    said = "; ".join(seen) or "no two words were compared"
    if seen and is_told and rules and (rules[0] != PLURAL or _language(session) == "en"):
        change_dialect(session, forms=rules[0])
        others = f", and no words seen tell it from {rules[1]}" if len(rules) > 1 else ""
        session.find("ask.dialect.forms", rules[0], "likely", f"{said}{others}")
        return
    left = f"rules that fit: {', '.join(rules)}" if rules else "no rule known here fits"
    session.find("ask.dialect.forms", "", "likely", f"it stems, but by which rule? {said}; {left}")


def _language(session: DiscoverySession) -> str:
    """Return the language that the pages declare, else "en" if the texts are English."""
    declared = next((page.root.get("lang") or "" for page in session.probes), "")
    if declared:
        return declared[:2].lower()
    words = [word for text in session.texts.values() for word in text.lower().split()]
    is_english = sum(word in _ENGLISH for word in words) > 0.05 * len(words)
    return "en" if is_english else ""


def _joins(rule: str, one: str, other: str) -> bool:
    return Rule(rule).key(one) == Rule(rule).key(other)


def _telling_pair(counts: Counter[str], rules: Sequence[str]) -> tuple[str, str] | None:
    """Return two words with the same stem by some rules only, rare ones first; None if none."""
    best: tuple[float, tuple[str, str]] | None = None
    words = sorted(counts)
    for rule in rules:
        classes: dict[str, list[str]] = defaultdict(list)
        for word, key in zip(words, Rule(rule).keys(words), strict=True):
            classes[key].append(word)
        for members in classes.values():
            for one, other in combinations(members[:4], 2):
                joining = sum(_joins(each, one, other) for each in rules)
                if joining == len(rules):
                    continue
                rank = abs(joining - len(rules) / 2) + 0.1 * (counts[one] + counts[other])
                best = min(best or (rank, (one, other)), (rank, (one, other)))
    return best[1] if best else None


def _bring_the_same(
    session: DiscoverySession, pages: PagingState, one: str, other: str
) -> Asking[bool | None]:
    """Return whether two words have the same hits; None if that is unclear."""
    first = yield from answer(session, pages, one, more_pages(pages))
    second = yield from answer(session, pages, other, more_pages(pages))
    if first is None or second is None or not (first.keys and second.keys):
        return None
    if first.keys == second.keys:
        return True
    return False if first.whole and second.whole else None
