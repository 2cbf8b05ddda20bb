"""Sources that read words in a row as one string, as "find in text" does.

S(a b) is then a part of S(a), as it is where the space is AND. Two things tell: the order of the
words counts, and hits that hold both words apart stay away.
"""

from __future__ import annotations

from longline.discover._compare import Answer, answer, more_pages
from longline.discover._desk import Asking, Desk, change_dialect
from longline.discover._pages import RESERVE, Pages
from longline.discover.words import terms


def is_one_string(desk: Desk, pages: Pages, a: Answer, b: str, both: Answer) -> Asking[bool]:
    """Say whether words in a row are one string: turned round, they bring something else.

    Args:
        desk: What is known.
        pages: What is known of pages.
        a: A word, listed in full.
        b: Another one.
        both: What "a b" brought, a part of a's hits.
    """
    if _holds_apart(desk, a.words, b, both) or desk.left <= RESERVE:
        return False
    turned = yield from answer(desk, pages, f"{b} {a.words}", more_pages(pages))
    if turned is None or turned.keys == both.keys:
        return False
    evidence = (
        f"{both.words!r} brings {len(both.keys)} of the {len(a.keys)} hits of {a.words!r}, and "
        f"{turned.words!r} {len(turned.keys)}"
    )
    desk.find(
        "dialect.default",
        "phrase",
        "sure",
        f"{evidence}: the order of the words counts, so they are read as one string",
    )
    return True


def ask_single_terms(desk: Desk) -> None:
    """Write down that a query is one term, where words in a row are one string."""
    change_dialect(desk, max_terms=1, quote="")
    evidence = desk.findings["dialect.default"].evidence
    desk.find("ask.dialect.max_terms", 1, "sure", evidence)
    desk.find("ask.dialect.quote", "", "sure", "a term of several words is one string as it is")
    desk.find("dialect.phrase", "yes", "sure", evidence)
    desk.find(
        "dialect.not", "", "likely", "a mark or a word before another is a part of the string"
    )


def _holds_apart(desk: Desk, a: str, b: str, both: Answer) -> bool:
    """Say whether most hits that were seen to hold the two hold them apart."""
    apart = beside = 0
    for key in both.keys:
        said = desk.texts.get(key, "").lower()
        if {b, *a.split()} <= set(terms(said)):
            is_beside = f"{a} {b}" in " ".join(said.split())
            beside, apart = beside + is_beside, apart + (not is_beside)
    return apart > beside
