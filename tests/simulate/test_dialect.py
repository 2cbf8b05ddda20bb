import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.model import Query
from longline.simulate.search.dialect import read_query


@pytest.mark.parametrize(
    ("typed", "query"),
    [
        ("deep web", Query(("deep", "web"))),
        ("deep AND web", Query(("deep", "web"))),
        ("deep NOT web", Query(("deep",), ("web",))),
        ("deep AND NOT web", Query(("deep",), ("web",))),
        ("-web deep", Query(("deep",), ("web",))),
        ("NOT -web deep", Query(("deep",), ("web",))),
        ('"deep web" NOT "dark net"', Query(("deep web",), ("dark net",))),
        ('deep-web -"dark net"', Query(("deep-web",), ("dark net",))),
        ('"NOT" "AND"', Query(("NOT", "AND"))),
        ("not and", Query(("not", "and"))),
        ("deep NOT", Query(("deep",))),
        ('"open quote', Query(("open quote",))),
        ('"" - NOT', Query(("-",))),
        ("", Query(())),
        ("deep OR web", Query((), any_of=("deep", "web"))),
        ("deep web OR sea OR net", Query(("deep",), any_of=("web", "sea", "net"))),
        ("deep (web OR sea) blue", Query(("deep", "blue"), any_of=("web", "sea"))),
        ('("deep web" OR sea) NOT net', Query((), ("net",), ("deep web", "sea"))),
        ("a OR b AND c", Query(("c",), any_of=("a", "b"))),
        ("(a OR b) (c OR d)", Query((), any_of=("a", "b", "c", "d"))),
        ("a OR NOT b", Query(("a",), ("b",))),
        ("a OR AND b", Query(("a", "b"))),
        ("OR a OR", Query(("a",))),
        ("a -b OR c", Query(("a", "c"), ("b",))),
        ("()", Query(())),
    ],
)
def test_operators_are_read(typed: str, query: Query) -> None:
    """AND changes nothing, OR joins, NOT and minus exclude, quotes keep words together."""
    assert read_query(typed) == query


def test_a_box_without_operators_reads_words() -> None:
    """Every operator is a word, and nothing is excluded."""
    assert read_query("deep NOT web -dark", boolean=False) == Query(("deep", "NOT", "web", "dark"))
    assert read_query("deep OR web", boolean=False) == Query(("deep", "OR", "web"))


@pytest.mark.slow
@given(
    st.lists(st.from_regex("[a-z]+", fullmatch=True), min_size=1).map(tuple),
    st.lists(st.from_regex("[a-z]+", fullmatch=True)).map(tuple),
    st.lists(st.from_regex("[a-z]+", fullmatch=True)).filter(lambda x: len(x) != 1).map(tuple),
)
def test_a_query_reads_back_as_it_prints(required, excluded, any_of) -> None:
    """str() of a query can be typed and read back; a single alternative becomes required."""
    query = Query(required, excluded, any_of)
    assert read_query(str(query)) == query
    assert read_query(str(Query((), excluded, required[:1]))) == Query(required[:1], excluded)


@given(st.text(), st.booleans())
def test_anything_can_be_typed(typed: str, is_boolean: bool) -> None:
    """No input raises an error, and no word is blank."""
    query = read_query(typed, boolean=is_boolean)
    assert all(word.strip() for word in (*query.wanted, *query.excluded))
    assert len(query.any_of) != 1
