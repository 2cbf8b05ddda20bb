"""JSON documents whose text is in several fields."""

import json

import parsel
import pytest

from longline.discovery.answer import show
from longline.discovery.document.own_text import _data_page  # only the choice, without a session
from longline.model import Hit, Request, Response
from longline.source.select import read_select

SUMMARIES = [
    "The chart shows the harbour at low tide, with the new piers and the old mole beside them, as "
    "the pilots saw it from the roads on a clear morning before the war.",
    "A map of the northern islands, drawn by hand for the survey of eighteen hundred and nine, "
    "with soundings in fathoms and the names that the fishermen gave to each of the rocks.",
]
BRIEFS = [
    "Given by the harbour master's widow after his death, and kept since in the long gallery with "
    "seven others of the same hand, of which two have lost their margins to damp.",
    "Bought at auction together with a journal in which the surveyor complains of rain, of rope, "
    "and of the cook, whose name nobody has found in any of the lists of the crew.",
]


def path_of(*records: dict[str, object]) -> str:
    """Return the path found for the text of two documents."""
    pages = []
    for number, record in enumerate(records):
        url = f"https://x.example/{number}"
        body = json.dumps({"record": record}).encode()
        response = Response(url=url, status=200, body=body, content_type="application/json")
        pages.append((Hit(str(number), url), show("", Request(url), response)))
    page = _data_page(pages)
    assert page is not None
    return page.text


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        pytest.param(BRIEFS, "jmes:[record.about, record.more]", id="another text"),
        pytest.param([f"<p>{each}</p>" for each in SUMMARIES], "jmes:record.more", id="as markup"),
        pytest.param([each[:70] for each in SUMMARIES], "jmes:record.about", id="its beginning"),
        pytest.param([BRIEFS[0][:150]] * 2, "jmes:record.about", id="the same for all"),
        pytest.param(["A chart", "A map"], "jmes:record.about", id="a few words"),
    ],
)
def test_a_text_in_two_places_is_read_from_both(other: list[str], expected: str) -> None:
    """Fields that repeat the text, are the same everywhere, or are not prose are left out."""
    records = [{"about": a, "more": b} for a, b in zip(SUMMARIES, other, strict=True)]
    assert path_of(*records) == expected


def test_a_text_that_only_some_documents_have_is_read() -> None:
    """A field that the other documents lack is read, without harm to them."""
    records = [{"about": SUMMARIES[0], "more": BRIEFS[0]}, {"about": SUMMARIES[1], "more": ""}]
    assert path_of(*records) == "jmes:[record.about, record.more]"


@pytest.mark.parametrize(
    ("name", "values", "goes_on"),
    [
        ("more", (True, True), True),
        ("has_more", (False, True), True),
        ("isTruncated", (True, False), True),
        ("truncated", (False, False), False),
        ("more", (1, 2), False),
        ("moreover", (True, True), False),
    ],
)
def test_a_text_that_is_said_to_go_on_ends_with_dots(
    name: str, values: tuple[object, object], goes_on: bool
) -> None:
    """Otherwise nothing in the text shows that the rest was not read."""
    texts = zip(SUMMARIES, values, strict=True)
    records: list[dict[str, object]] = [{"about": about, name: value} for about, value in texts]
    select = read_select(path_of(*records), "json")
    for record in records:
        read = select.texts(parsel.Selector(json.dumps({"record": record}), type="json"))
        is_cut = goes_on and record[name] is True
        assert read == f"{record['about']}\n…" if is_cut else record["about"]
