"""Totals in the notations that sites use."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.model import Total
from longline.source.answer.total import may_say_most, read_total, said_most, total_of

SEPARATORS = [",", ".", " ", "\u00a0", "\u202f", "\u2009", "'", "\u2019"]


@pytest.mark.parametrize(
    ("text", "documents", "relation"),
    [
        ("1,801", 1801, "exact"),
        ("1-24 of about 1,801", 1801, "about"),
        ("1\u201324 von ungefähr 1.801 Treffern", 1801, "about"),
        ("Page 1 of 91 (1,801 results)", 1801, "exact"),
        ("Seite 1 von 12: 240 Ergebnisse", 240, "exact"),
        ("Showing 1 to 20 of 57 entries", 57, "exact"),
        ("1000+", 1000, "at least"),
        ("1,000+ hits", 1000, "at least"),
        ("1\u201310 of more than 1,000", 1000, "at least"),
        ("mehr als 10.000 Treffer", 10000, "at least"),
        ("> 500 results", 500, "at least"),
        ("12 results in 0.35 seconds", 12, "exact"),
        ("about 3 hits (35 ms)", 3, "about"),
        ("Results 1 - 10 of about 2,345 for deep web 2019 (0.12 seconds)", 2345, "about"),
        ("1/20 of 300", 300, "exact"),
        ("20 hits per page, 1234 documents", 1234, "exact"),
        ("Your search for 1984 returned 12 results", 12, "exact"),
        ("Environ 1 801 résultats", 1801, "about"),
        ("1-20 av cirka 1801 träffar", 1801, "about"),
        ("Około 1801 wyników", 1801, "about"),
        ("約 1,801 件", 1801, "about"),
        ("1,23,456 results", 123456, "exact"),
        ("٣٤٥", 345, "exact"),
        ("1.8k results", 1800, "about"),
        ("1.5 million", 1500000, "about"),
        ("0 results", 0, "exact"),
        ("ca. 12.345.678", 12345678, "about"),
    ],
)
def test_shapes_of_totals(text: str, documents: int, relation: str) -> None:
    """The number of documents is found among other numbers, with its relation."""
    assert read_total(text) == Total(documents, relation)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text", ["", "No results", "Page 2 of 91", "took 0.35 seconds", "35 ms", "1,801.5", "12.50"]
)
def test_other_numbers_are_no_totals(text: str) -> None:
    """Page numbers, durations and decimals are not read as totals."""
    assert read_total(text) is None


@given(st.integers(0, 10**12), st.sampled_from(SEPARATORS))
def test_every_group_separator_is_read(documents: int, separator: str) -> None:
    """A number is read with any separator between its groups of three digits."""
    assert read_total(f"{documents:,}".replace(",", separator)) == Total(documents)


@given(st.integers(0, 10**9), st.integers(1, 999), st.sampled_from(SEPARATORS))
def test_the_number_after_of_wins(documents: int, last: int, separator: str) -> None:
    """In "1-n of N results" N is the total, even if it is the smaller number."""
    written = f"{documents:,}".replace(",", separator)
    assert read_total(f"Results 1-{last} of {written} results") == Total(documents)


@given(st.text(max_size=60))
def test_any_text_gives_a_total_or_none(text: str) -> None:
    """Any text gives a non-negative total or None."""
    total = read_total(text)
    assert total is None or total.documents >= 0


def test_pattern_says_where_the_number_stands() -> None:
    """The pattern's first group is the number; without a match there is no total."""
    text = "7 of 9 shards, 120 in all"
    assert read_total(text, pattern=r"(\d+) in all") == Total(120)
    assert read_total(text, pattern=r"\d+ of") == Total(7)
    assert read_total(text, pattern=r"(\d+) documents") is None


def test_relation_given_goes_before_the_words() -> None:
    """A relation from the spec has priority over the page's words."""
    assert read_total("about 90", relation="exact") == Total(90, "exact")


@pytest.mark.parametrize(
    ("value", "total"),
    [
        (1801, Total(1801)),
        (12.0, Total(12)),
        ("1,801", Total(1801)),
        ("about 90", Total(90, "about")),
        ({"value": 10000, "relation": "gte"}, Total(10000, "at least")),
        ({"value": 12, "relation": "eq"}, Total(12)),
        (None, None),
        (True, None),
        (-1, None),
        (float("nan"), None),
        (float("inf"), None),
        ([], None),
        ({}, None),
    ],
)
def test_json_values(value: object, total: Total | None) -> None:
    """Numbers, texts and {"value", "relation"} give totals; anything else gives None."""
    assert total_of(value) == total


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("Your search was too broad: only the first 200 results are shown.", 200),
        ("We found more than 300 records; the first 300 are listed below.", 300),
        ("Results are limited to 500 hits", 500),
        ("Es werden nur die ersten 1.000 Treffer angezeigt.", 1000),
        ("Seuls les 50 premiers résultats sont affichés", 50),
        ("Se muestran los primeros 100 resultados", 100),
        ("Er worden maximaal 100 resultaten getoond", 100),
        ("Showing results 1 - 20 of 50", 0),
        ("The first 10 chapters of 1920 were lost.", 0),
        ("200 results", 0),
    ],
)
def test_a_page_says_how_many_results_it_shows_at_most(text: str, most: int) -> None:
    """Sites admit a cut in words where they show no total."""
    assert said_most(f"Search the register. {text} Help") == most
    assert may_say_most(text) or not most


@given(st.text(max_size=300))
def test_nothing_is_said_where_nothing_may_be_said(text: str) -> None:
    """What is quick to exclude is never there."""
    assert may_say_most(text) or not said_most(text)
