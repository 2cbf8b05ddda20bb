"""Properties of structured input: JSON, tables of a spec, numbers in any script."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fuzz import seeds
from tests.fuzz.pages import kept

from longline.errors import PageError, SpecError
from longline.model import Query, Request, Response, Total
from longline.source import Source, read_spec, write_spec, write_toml
from longline.source.answer.total import read_total

NAMES = st.sampled_from(
    [
        "id",
        "url",
        "link",
        "title",
        "results",
        "items",
        "total",
        "next",
        "error",
        "value",
        "relation",
    ]
)
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
)
TREES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=5)
)
LISTINGS = st.fixed_dictionaries(
    {"results": st.lists(TREES, max_size=3), "items": st.lists(TREES, max_size=3), "total": TREES}
)
DATA = [each for each in seeds.saved() if each.spec.source.kind == "json"]


@pytest.mark.slow
@settings(max_examples=200)
@given(st.sampled_from(DATA), TREES | LISTINGS, st.integers(1, 3))
def test_any_json_is_a_page_or_a_page_error(saved: Any, tree: Any, number: int) -> None:
    """Any JSON gives a page that can be saved, or `PageError`."""
    url = saved.spec.source.url
    answer = Response(url=url, status=200, body=json.dumps(tree).encode())
    try:
        page = Source(saved.spec).page(Query(("deep",)), number, Request(url), answer)
    except PageError:
        return
    kept(page, type(page))


VALUES = (
    st.text(max_size=12)
    | st.integers(-2, 2**70)
    | st.booleans()
    | st.lists(st.text(max_size=4), max_size=3)
    | st.dictionaries(st.text(max_size=4), st.text(max_size=4), max_size=2)
)
KEYS = st.sampled_from(
    [
        "url",
        "method",
        "charset",
        "limit",
        "page_size",
        "words",
        "dialect",
        "headers",
        "form",
        "kind",
    ]
) | st.text(max_size=5)
TABLES = st.dictionaries(
    st.sampled_from(["source", "ask", "results", "document", "facets", "other"]),
    st.dictionaries(KEYS, VALUES, max_size=3),
)


@pytest.mark.slow
@settings(max_examples=200)
@given(TABLES)
def test_any_tables_are_a_spec_or_a_spec_error(tables: dict[str, dict[str, Any]]) -> None:
    """Any changes to a good spec's tables give a spec that survives writing, or `SpecError`."""
    good = {
        "source": {"name": "x", "url": "https://x.example/"},
        "ask": {"url": "https://x.example/?q={query}"},
        "results": {"hit": "css:li", "link": "css:a"},
    }
    laid = {name: {**good.get(name, {}), **tables.get(name, {})} for name in {**good, **tables}}
    try:
        spec = read_spec(write_toml(laid, notes={}))
    except SpecError:
        return
    assert read_spec(write_spec(spec)) == spec


ZEROS = st.sampled_from("0\u0660\u06f0\u0966\u09e6\u0e50\uff10\U0001d7d8")
MARKS = st.sampled_from(["", ",", ".", "'", "\u2019", "\u066c", " ", "\u00a0", "\u2009", "\u202f"])


@pytest.mark.slow
@settings(max_examples=300)
@given(st.integers(0, 2**63 - 1), ZEROS, MARKS, st.sampled_from(["{} results", "1-20 of {}", "{}"]))
def test_a_number_of_any_script_is_read(number: int, zero: str, mark: str, said: str) -> None:
    """A total is read in the digits of any script, with any thousands separator."""
    digits = f"{number:,}".replace(",", mark)
    written = "".join(chr(ord(zero) + int(each)) if each.isdigit() else each for each in digits)
    assert read_total(said.format(written)) == Total(number)


@given(st.integers(2**63, 10**400), st.sampled_from(["", "k", " million"]))
def test_a_number_that_no_source_has_is_no_total(number: int, unit: str) -> None:
    """A number too large for the journal is not a total."""
    assert read_total(f"{number}{unit}") is None
