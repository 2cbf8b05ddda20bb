"""Check whether a source reads operators as its preset says.

Sources with the same software may use different search engines, which read the same words
differently.
"""

from longline.discovery.answer_pages import PagingState
from longline.discovery.dialect.operators import learn_and, learn_not, learn_or
from longline.discovery.dialect.word_pairs import find_pair
from longline.discovery.session import Asking, DiscoverySession, change_dialect
from longline.text.seed_words import SEED_WORDS

SEEDS_TRIED = 3
ENOUGH = 12
"""With this many hits to take words from, no further words are queried."""


def check_dialect(session: DiscoverySession, word: str) -> Asking[None]:
    """Correct the dialect given by a preset.

    Nothing is changed if no two words are found that can be compared.

    Args:
        session: Queries and reads the source by the preset; its dialect is corrected.
        word: A word with hits, to take words from.
    """
    assert session.ask is not None
    before = session.ask.dialect
    if not (before.not_ or before.or_):
        return
    for each in (word, *SEED_WORDS[:SEEDS_TRIED]):
        shown = yield from session.search(session.joined(each))
        session.probes += [shown] if shown is not None and session.keys(shown) else []
        if len(session.texts) >= ENOUGH:
            break
    pair = None
    if session.probes:
        pages = PagingState(session, session.probes[0])
        pages.size = session.ask.page_size
        pair = yield from find_pair(session, pages)
    if pair is None:
        seen = "its operators were not checked: no two words were found to compare"
        session.find("dialect.default", "", "unknown", seen)
        return
    a, b, both = pair
    joined = yield from learn_and(session, pages, a, b, both)
    if joined == "OR" and session.ask.dialect == before:
        change_dialect(session, and_=" ", not_="", or_="", max_terms=1)
    if session.ask.dialect.not_:
        yield from learn_not(session, pages, a, b, joined)
    if session.ask.dialect.or_:
        yield from learn_or(session, pages, a, b)
