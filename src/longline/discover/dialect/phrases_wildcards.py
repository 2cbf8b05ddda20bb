"""How a source reads what is typed: phrases, forms of a word, wildcards, long queries."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from longline.discover.answer_pages import RESERVE, Pages
from longline.discover.dialect.word_pairs import Answer, answer, more_pages
from longline.discover.session import Asking, Desk, change_dialect
from longline.discover.words import nonsense, terms


def learn_phrase(desk: Desk, pages: Pages) -> Asking[None]:
    """Ask for two words that stand side by side: plain, quoted, and quoted the wrong way round."""
    for first, second in _bigrams(desk)[:2]:
        if desk.left <= RESERVE + 2:
            return
        joined = desk.ask.dialect.and_ if desk.ask else " "
        plain = yield from answer(desk, pages, f"{first}{joined}{second}")
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
            # A mark that asks for each of the words is not given up with the quotation marks.
            dialect = desk.ask.dialect if desk.ask else None
            quote = dialect.quote.replace('"', "") if dialect and dialect.quote_all else ""
            change_dialect(desk, quote=quote)
            broken = "quotation marks break a query"
            desk.find("ask.dialect.quote", quote, "likely", evidence, broken)
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


SHORTEST_PART = 4
"""Letters of a word without its first one, which no rule takes for a form of it."""


def learn_stems(desk: Desk, pages: Pages, a: Answer) -> Asking[None]:
    """Ask for another form of a word: the same hits mean that words are stemmed.

    Where parts of words are found, one without its last letter brings the same as well.
    """
    default = desk.findings.get("dialect.default")
    if " " in a.words and (default is None or default.value != "AND"):
        # Any of the words may bring what it brings, whatever becomes of the other.
        desk.find(
            "dialect.stems", "", "unknown", f"{a.words!r} are two words, and not joined by AND"
        )
        return
    other = a.words[:-1] if a.words.endswith("s") else f"{a.words}s"
    form = yield from answer(desk, pages, other, more_pages(pages))
    if form is None:
        return
    evidence = f"{a.words!r} {len(a.keys)} hits, {other!r} {len(form.keys)}"
    if form.keys != a.keys:
        desk.find("dialect.stems", "no", "likely", evidence)
        return
    evidence += ", the same"
    part = a.words[1:]
    if a.words.startswith(other) and len(part) >= SHORTEST_PART and desk.left > RESERVE:
        found = yield from answer(desk, pages, part, more_pages(pages))
        if found is not None and a.keys and a.keys <= found.keys:
            said = f"{evidence}, but so does {part!r}: parts of words are found"
            desk.find("dialect.stems", "no", "likely", said)
            return
    desk.find("dialect.stems", "yes", "likely", evidence)


def learn_wildcard(desk: Desk, pages: Pages, a: Answer) -> Asking[None]:
    """Ask for a word without its last letter and with a star, and compare."""
    wild = yield from answer(desk, pages, f"{a.words[:-1]}*", more_pages(pages))
    if wild is None:
        return
    evidence = f"{a.words!r} {len(a.keys)} hits, {wild.words!r} {len(wild.keys)}"
    if wild.keys == a.keys:
        desk.find("dialect.wildcard", "", "unknown", f"{evidence}: stemming would do that too")
        return
    works = bool(wild.keys & a.keys) and (a.keys <= wild.keys or not wild.whole)
    desk.find("dialect.wildcard", "yes" if works else "no", "likely", evidence)


def learn_longest(desk: Desk, pages: Pages) -> Asking[None]:
    """Ask for many words of one document and a word that no document holds at the end.

    An answer means that the last word was not read.
    """
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
