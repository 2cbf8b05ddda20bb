"""Check whether a source reads quotation marks, and how many words of a query it reads."""

import re
from collections import Counter
from itertools import pairwise

from longline.discovery.answer_pages import RESERVE, PagingState
from longline.discovery.dialect.word_pairs import answer
from longline.discovery.session import Asking, DiscoverySession, change_dialect
from longline.discovery.words import nonsense, terms
from longline.text.numbers import counted


def learn_quotes(session: DiscoverySession, pages: PagingState) -> Asking[None]:
    """Query two neighbouring words plain and quoted; if only quotes find nothing, use none."""
    assert session.ask is not None
    dialect = session.ask.dialect
    for first, second in _bigrams(session)[:2]:
        if session.left <= RESERVE + 2:
            return
        plain = yield from answer(session, pages, f"{first}{dialect.and_}{second}")
        if plain is None or not plain.keys:
            continue
        quoted = yield from answer(session, pages, f'"{first} {second}"')
        if quoted is None or not quoted.keys:
            # Only the quotation marks are dropped, not a mark that requires each word.
            quote = dialect.quote.replace('"', "") if dialect.quote_all else ""
            change_dialect(session, quote=quote)
            hits = counted(len(plain.keys), "hit")
            seen = f"{first} {second} brings {hits}, and nothing in quotes"
            session.find("ask.dialect.quote", quote, "likely", seen)
        return


def _bigrams(session: DiscoverySession) -> list[tuple[str, str]]:
    """Return neighbouring words that occur in one order only, the most frequent pairs first."""
    pairs: Counter[tuple[str, str]] = Counter()
    words: Counter[str] = Counter()
    for text in session.texts.values():
        for piece in re.split(r"[^\w\s]", text.lower()):
            raw = piece.split()
            words.update(set(raw))
            fit = {word for word in set(raw) if terms(word, shortest=4) == [word]}
            for first, second in pairwise(raw):
                if first != second and first in fit and second in fit:
                    pairs[first, second] += 1
    fitting = [pair for pair in pairs if (pair[1], pair[0]) not in pairs]
    return sorted(fitting, key=lambda pair: (-pairs[pair], words[pair[0]] + words[pair[1]], pair))


def learn_longest(session: DiscoverySession, pages: PagingState) -> Asking[None]:
    """Query many words of one document, followed by a word that no document contains.

    If there are hits, the last word was not read.
    """
    text = max(session.texts.values(), key=lambda text: len(set(terms(text))), default="")
    words = list(dict.fromkeys(terms(text)))
    for count in (20, 10, 5):
        if len(words) < count or session.left <= RESERVE:
            continue
        got = yield from answer(session, pages, " ".join([*words[:count], nonsense(session.rng)]))
        if got is None or not got.keys:
            return
        change_dialect(session, max_terms=count)
        seen = f"word {count + 1} of a search made no difference; fewer words may count"
        session.find("ask.dialect.max_terms", count, "likely", seen)
