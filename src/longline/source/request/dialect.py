"""Write queries in a source's syntax."""

import re

from longline.errors import SpecError
from longline.model import Query
from longline.source.spec import Ask, Dialect

_WORD = re.compile(r"\w+")
REQUIRED = "+"
"""The mark of a required term, in dialects that have one."""

_OPERATORS = frozenset({"and", "or", "not", "near", "xor"})


def query_text(query: Query, ask: Ask) -> str:
    """Write a query's words for a request; "" if the source takes none.

    Raises:
        SpecError: It has words, and the source takes none; or as `write_query`.

    >>> query_text(Query(("new y",)), Ask(url="https://x.example/?t={query}", matches="prefix"))
    'new y'
    """
    if not ask.takes_words:
        if query.wanted or query.excluded:
            raise SpecError(
                f"the query {str(query)!r} has words, and this source takes none",
                advice="put {query} into ask.url, or harvest it with the strategy auto",
            )
        return ""
    if ask.matches == "prefix" and query.required:
        return query.required[0]
    return write_query(query, ask.dialect)


def write_query(query: Query, dialect: Dialect) -> str:
    """Write a query in a source's dialect: required terms, alternatives, then excluded ones.

    A `+` before terms is left out before alternatives and excluded terms. A term that is not one
    plain word, or that reads as an operator, is quoted if the dialect allows quotes.

    Raises:
        SpecError: The query has no term, has more than the source reads, or excludes terms or gives
            alternatives although the dialect has no NOT or no OR.

    >>> write_query(Query(("deep web", "size"), excluded=("surface",)), Dialect(not_="-{term}"))
    '"deep web" size -surface'
    >>> write_query(Query(("deep",), any_of=("web", "sea")), Dialect(or_=" | "))
    'deep (web | sea)'
    >>> write_query(Query((), excluded=("web",)), Dialect(not_="-{term}", all="*"))
    '* -web'
    """
    terms = [*query.wanted, *query.excluded]
    if not terms and dialect.all is not None:
        return dialect.all
    if not any(term.strip() for term in terms):
        raise SpecError(
            "a query without a term",
            advice="give it at least one, or say in ask.dialect.all what asks for everything",
        )
    if dialect.max_terms is not None and len(terms) > dialect.max_terms:
        raise SpecError(
            f"the query {str(query)!r} has {len(terms)} terms, "
            f"but ask.dialect.max_terms is {dialect.max_terms}",
            advice="use fewer terms, or raise it if the source reads more",
        )
    if query.excluded and not dialect.not_:
        raise SpecError(
            f"the query {str(query)!r} excludes terms, but ask.dialect.not is empty",
            advice='say how the source writes NOT, e.g. not = "-{term}", or use another strategy',
        )
    if query.any_of and not dialect.or_:
        raise SpecError(
            f"the query {str(query)!r} gives alternatives, but ask.dialect.or is empty",
            advice='say how the source writes OR, e.g. or = " OR ", or use another strategy',
        )
    parts = [_quote(term, dialect) for term in query.required]
    if query.any_of:
        write = _quote if len(query.any_of) == 1 else _optional
        either = dialect.or_.join(write(term, dialect) for term in query.any_of)
        is_alone = (not parts and not query.excluded) or len(query.any_of) == 1
        parts.append(either if is_alone else dialect.group.replace("{terms}", either))
    required = dialect.and_.join(parts)
    excluded = [dialect.not_.replace("{term}", _optional(term, dialect)) for term in query.excluded]
    required = required or dialect.all or ""
    return " ".join([required, *excluded] if required else excluded)


def _optional(term: str, dialect: Dialect) -> str:
    return _quote(term, dialect).removeprefix(REQUIRED)


def _quote(term: str, dialect: Dialect) -> str:
    plain = _WORD.fullmatch(term) and term.lower() not in _OPERATORS
    if not dialect.quote or (plain and not dialect.quote_all):
        return term
    # A quotation mark inside would end the quotation early.
    marks = re.sub(r"[\w\s]", "", dialect.quote.replace("{term}", "")) or '"'
    inner = term.translate(dict.fromkeys(map(ord, marks), " "))
    return dialect.quote.replace("{term}", inner.strip())
