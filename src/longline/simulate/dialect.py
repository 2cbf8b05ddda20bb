"""How people write a query into the simulated box, and what the box makes of it."""

from __future__ import annotations

import re

from longline.model import Query

_PART = re.compile(r'(?P<minus>-)?(?:"(?P<quoted>[^"]*)"?|(?P<bare>[^\s"]+))')


def read_query(text: str, *, boolean: bool = True) -> Query:
    """Read what was typed: words are ANDed, `NOT word` and `-word` exclude.

    Quotes hold words together, as in `-"deep web"`, but ask for no phrase. AND may be
    written and changes nothing. `boolean=False` reads every operator as a word like any other.

    >>> read_query('deep web NOT surface -"dark net"')
    Query(required=('deep', 'web'), excluded=('surface', 'dark net'))
    >>> read_query("deep NOT -web", boolean=False)
    Query(required=('deep', 'NOT', 'web'), excluded=())
    """
    required: list[str] = []
    excluded: list[str] = []
    is_negated = False
    for part in _PART.finditer(text):
        word = part["bare"] if part["quoted"] is None else part["quoted"].strip()
        is_operator = boolean and part["bare"] is not None and not part["minus"]
        if is_operator and word == "NOT":
            is_negated = True
        elif is_operator and word == "AND":
            continue
        elif word:
            is_out = boolean and (is_negated or part["minus"] is not None)
            (excluded if is_out else required).append(word)
            is_negated = False
    return Query(tuple(required), tuple(excluded))
