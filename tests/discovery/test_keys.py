"""Finding the key of rows if no name identifies it."""

import json

import pytest

from longline.discovery.answer import show
from longline.discovery.reading import data_hits_in
from longline.model import Request, Response

URL = "https://museum.example/list"
TITLES = ["A chart of the bay", "The old mole", "A view of the town", "The pilots", "Herring"]


def key_of(values: list[object]) -> str:
    """Return the key found for rows with these first values, and a title each."""
    rows = [{"priref": v, "title": t} for v, t in zip(values, TITLES, strict=True)]
    response = Response(
        url=URL,
        status=200,
        body=json.dumps({"rows": rows}).encode(),
        content_type="application/json",
    )
    found = data_hits_in(show("", Request(URL), response), "rows[*]")
    assert found is not None
    return found.key


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param([87, 440, 12, 301, 9], "priref", id="numbers"),
        pytest.param(["TA 1", "TA 2", "x", "y", "z"], "title", id="words"),
        pytest.param(["A/12", "A/9", "B/1", "C-7", "C-8"], "priref", id="references"),
        pytest.param([1, 2, 3, 4, 5], "title", id="ranks"),
        pytest.param([1914, 1920, 1890, 1889, 1771], "title", id="years"),
        pytest.param([87, 440, 87, 301, 9], "title", id="not different"),
    ],
)
def test_what_rows_begin_with_tells_them_apart(values: list[object], expected: str) -> None:
    """A title is the key only if there is nothing better, as it may not be unique."""
    assert key_of(values) == expected
