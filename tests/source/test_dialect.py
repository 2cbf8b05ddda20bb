"""Queries in the dialect of a source."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.errors import SpecError
from longline.model import Query
from longline.source.request.dialect import write_query
from longline.source.spec import Dialect

words = st.from_regex(r"[a-zäöü]{1,8}", fullmatch=True).filter(
    lambda word: word not in {"and", "or", "not", "near", "xor"}
)
queries = st.builds(
    Query,
    st.lists(words, min_size=1, max_size=4, unique=True).map(tuple),
    excluded=st.lists(words, max_size=3, unique=True).map(tuple),
)


@given(queries)
def test_lucene_dialect_can_be_parsed_back(query: Query) -> None:
    """A query with AND and NOT can be parsed back to the same query."""
    text = write_query(query, Dialect(and_=" AND ", not_="NOT {term}"))
    required, *excluded = text.split(" NOT ")
    assert Query(tuple(required.split(" AND ")), excluded=tuple(excluded)) == query


@given(queries)
def test_minus_dialect_marks_every_excluded_term(query: Query) -> None:
    """With -{term}, exactly the excluded terms get a minus, in order."""
    written = write_query(query, Dialect(not_="-{term}")).split(" ")
    assert tuple(word for word in written if not word.startswith("-")) == query.required
    assert tuple(word[1:] for word in written if word.startswith("-")) == query.excluded


@pytest.mark.slow
@given(queries, st.lists(words, min_size=2, max_size=4, unique=True).map(tuple))
def test_alternatives_stand_in_a_group(query: Query, any_of: tuple[str, ...]) -> None:
    """Alternatives are joined by OR inside the group, and all other terms are outside."""
    dialect = Dialect(and_=" AND ", not_="NOT {term}", or_=" OR ")
    text = write_query(Query(query.required, query.excluded, any_of), dialect)
    group = f" AND ({' OR '.join(any_of)})"
    assert group in text
    assert text.replace(group, "", 1) == write_query(query, dialect)


@pytest.mark.parametrize(
    ("query", "dialect", "written"),
    [
        (Query((), any_of=("deep web", "sea")), Dialect(or_=" OR "), '"deep web" OR sea'),
        (Query(("a",), any_of=("b", "c")), Dialect(or_="|", group="({terms})"), "a (b|c)"),
        (Query(("a",), any_of=("b", "c")), Dialect(or_=" OR ", group="{terms}"), "a b OR c"),
        (Query(("a",), any_of=("b",)), Dialect(or_=" OR "), "a b"),
        (Query((), ("a",), ("b", "c")), Dialect(or_=" OR ", not_="-{term}"), "(b OR c) -a"),
        (Query((), any_of=("or", "b")), Dialect(or_=" OR "), '"or" OR b'),
    ],
)
def test_alternatives_as_sources_want_them(query: Query, dialect: Dialect, written: str) -> None:
    """A lone alternative or lone alternatives need no group; operator names are quoted."""
    assert write_query(query, dialect) == written


def test_alternatives_need_an_or() -> None:
    """A query with alternatives is refused if the dialect has no OR."""
    with pytest.raises(SpecError, match=re.escape("ask.dialect.or")):
        write_query(Query((), any_of=("deep", "web")), Dialect(not_="-{term}"))


@given(st.text(min_size=1, max_size=12).filter(str.strip))
def test_quotes_are_never_ended_early(term: str) -> None:
    """Any term becomes a single quoted string."""
    written = write_query(Query((term,)), Dialect(quote_all=True))
    assert written[0] == written[-1] == '"'
    assert written.count('"') == 2


@pytest.mark.parametrize(
    ("term", "written"),
    [
        ("web", "web"),
        ("deep web", '"deep web"'),
        ("e-mail", '"e-mail"'),
        ("NOT", '"NOT"'),
        ("größe", "größe"),
        ('5" disk', '"5  disk"'),
    ],
)
def test_only_what_is_no_plain_word_is_quoted(term: str, written: str) -> None:
    """Phrases, compounds and operators are quoted; plain words are not."""
    assert write_query(Query((term,)), Dialect()) == written


def test_words_of_a_quotation_stay_in_terms() -> None:
    """A quote may contain letters; only its punctuation is removed from terms."""
    dialect = Dialect(quote="any like '%{term}%'", quote_all=True)
    assert write_query(Query(("likely",)), dialect) == "any like '%likely%'"
    assert write_query(Query(("50% o'clock",)), dialect) == "any like '%50  o clock%'"


def test_a_dialect_without_quotes_sends_terms_bare() -> None:
    """With an empty quote, terms are sent unchanged."""
    assert write_query(Query(("deep web",)), Dialect(quote="")) == "deep web"


def test_excluding_needs_a_not() -> None:
    """A query with excluded terms is refused if the dialect has no NOT."""
    with pytest.raises(SpecError, match=re.escape("ask.dialect.not")):
        write_query(Query(("deep",), excluded=("web",)), Dialect())


def test_too_many_terms_are_refused() -> None:
    """A query with more terms than the source reads is refused."""
    dialect = Dialect(not_="-{term}", max_terms=2)
    assert write_query(Query(("a",), excluded=("b",)), dialect) == "a -b"
    with pytest.raises(SpecError, match="has 3 terms"):
        write_query(Query(("a", "b"), excluded=("c",)), dialect)
    with pytest.raises(SpecError, match="has 3 terms"):
        write_query(Query(("a",), any_of=("b", "c")), Dialect(or_=" OR ", max_terms=2))


@pytest.mark.parametrize("query", [Query(()), Query(("",)), Query((" ",))])
def test_an_empty_query_is_refused(query: Query) -> None:
    """A query without any word is refused."""
    with pytest.raises(SpecError, match="without a term"):
        write_query(query, Dialect())


def test_a_plus_stands_before_required_terms_alone() -> None:
    """A plus in the quote applies only to required terms, not to excluded ones or alternatives."""
    dialect = Dialect(not_="-{term}", or_=" | ", quote='+"{term}"', quote_all=True)
    assert write_query(Query(("deep",), ("web",)), dialect) == '+"deep" -"web"'
    assert write_query(Query((), any_of=("web", "sea")), dialect) == '"web" | "sea"'
    assert write_query(Query(("deep",), any_of=("sea",)), dialect) == '+"deep" +"sea"'
