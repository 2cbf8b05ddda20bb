"""Parse the queries that are typed into the simulated search box."""

import re

import msgspec

from longline.model import Query

_PART = re.compile(r'(?P<minus>-)?(?:"(?P<quoted>[^"]*)"?|(?P<bare>[^\s"]+))')


def read_query(text: str, *, boolean: bool = True) -> Query:
    """Parse a query: words are ANDed, OR joins alternatives, `NOT word` and `-word` exclude.

    OR binds more strongly than AND; parentheses and AND are allowed and change nothing. A query
    has one group of alternatives: those of a second group are added to the first. Quotes keep
    words together, as in `-"deep web"`, but do not search for a phrase.
    `boolean=False` reads every operator as an ordinary word.

    >>> read_query('deep web NOT surface -"dark net"')
    Query(required=('deep', 'web'), excluded=('surface', 'dark net'))
    >>> read_query("deep (web OR sea)")
    Query(required=('deep',), any_of=('web', 'sea'))
    >>> read_query("deep NOT -web OR sea", boolean=False).required
    ('deep', 'NOT', 'web', 'OR', 'sea')
    """
    required: list[str] = []
    excluded: list[str] = []
    any_of: list[str] = []
    is_negated = is_joined = False
    last: list[str] | None = None  # where the word directly before was added
    for part in _PART.finditer(text):
        word = part["quoted"].strip() if part["bare"] is None else part["bare"]
        if boolean and part["bare"] is not None:
            word = word.strip("()")
        is_operator = boolean and part["bare"] is not None and not part["minus"]
        if is_operator and word == "NOT":
            is_negated = True
        elif is_operator and word == "OR":
            is_joined = last is not None
        elif is_operator and word == "AND":
            is_joined, last = False, None
        elif word and boolean and (is_negated or part["minus"] is not None):
            excluded.append(word)
            is_negated, is_joined, last = False, False, None
        elif word:
            if is_joined and last is required:
                any_of.append(required.pop())
            last = any_of if is_joined else required
            last.append(word)
            is_negated = is_joined = False
    return Query(tuple(required), tuple(excluded), tuple(any_of))


def first_terms(query: Query, most: int) -> Query:
    """Return a query cut to its first terms, for a box that ignores the others.

    Required terms are first, then alternatives, then excluded ones.

    >>> first_terms(Query(("deep", "web"), excluded=("sea",)), 2)
    Query(required=('deep', 'web'))
    """
    required = query.required[:most]
    any_of = query.any_of[: most - len(required)]
    excluded = query.excluded[: most - len(required) - len(any_of)]
    return msgspec.structs.replace(query, required=required, any_of=any_of, excluded=excluded)
