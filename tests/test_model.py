"""Test queries as JSON: those in older journals can be read, and are written the same."""

import msgspec
import pytest

from longline.model import Query


@pytest.mark.parametrize(
    ("kept", "query"),
    [
        (b'{"required":["deep"]}', Query(("deep",))),
        (b'{"required":["deep"],"excluded":["web"]}', Query(("deep",), ("web",))),
        (b'{"required":[],"any_of":["a","b"]}', Query((), any_of=("a", "b"))),
    ],
)
def test_queries_travel_as_json(kept: bytes, query: Query) -> None:
    """A query without alternatives has the same JSON as before alternatives existed."""
    assert msgspec.json.decode(kept, type=Query) == query
    assert msgspec.json.encode(query) == kept


def test_queries_differ_by_their_alternatives() -> None:
    """The same terms, required or as alternatives, are different queries."""
    assert len({Query(("a", "b")), Query((), any_of=("a", "b")), Query(("a",), any_of=("b",))}) == 3
    assert Query(("a",), ("c",), ("b",)).wanted == ("a", "b")
