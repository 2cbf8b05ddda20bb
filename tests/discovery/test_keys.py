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


@pytest.mark.parametrize(
    ("places", "are_parts"),
    [
        pytest.param(["", "#tides", "#moon", "", "#tides"], True, id="places in pages"),
        pytest.param(["", "", "", "", ""], False, id="no places"),
        pytest.param(["#/7", "#/8", "#!9", "#/1", "#/2"], False, id="routes of a script"),
    ],
)
def test_hits_that_are_parts_of_pages_lead_to_these(places: list[str], are_parts: bool) -> None:
    """Their own identifiers name no page."""
    pages = ["/docs/bay", "/docs/bay", "/docs/bay", "/docs/town", "/docs/town"]
    rows = [
        {"id": f"{page}-{n}", "content": title, "url": page + place}
        for n, (page, place, title) in enumerate(zip(pages, places, TITLES, strict=True))
    ]
    body = json.dumps(rows).encode()
    response = Response(url=URL, status=200, body=body, content_type="application/json")
    found = data_hits_in(show("", Request(URL), response), "[*]")
    assert found is not None
    assert found.key == ("" if are_parts else "id")
    assert found.link == "url" or not are_parts
