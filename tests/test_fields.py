"""Test fields: saved values, guessed types and columns."""

from datetime import datetime, timedelta, timezone

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.model.fields import (
    TYPES,
    Field,
    Fields,
    FieldType,
    Value,
    as_fields,
    columns_of,
    fits,
    guess_type,
    moment,
    read_value,
    scalars,
)

SCALARS = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=40),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.none(),
    st.dates().map(str),
    st.datetimes().map(str),
    st.floats().map(str),
)


@pytest.mark.parametrize(
    ("found", "kind", "kept"),
    [
        ("1,234,567", "number", 1234567),
        ("-3.50", "number", -3.5),
        ("1e3", "number", 1000.0),
        ("1.234,5", "number", "1.234,5"),
        ("12 pages", "number", "12 pages"),
        (float("nan"), "number", None),
        ("2024-02-30", "date", "2024-02-30"),
        ("20240305", "date", "2024-03-05"),
        ("2024-03-05 10:00", "date", "2024-03-05T10:00:00Z"),
        ("2024-03-05T10:00:00+0200", "date", "2024-03-05T08:00:00Z"),
        ("Tue, 05 Mar 2024 10:00:00 GMT", "date", "2024-03-05T10:00:00Z"),
        ("March 5, 2024", "date", "2024-03-05"),
        ("5 Mar 2024", "date", "2024-03-05"),
        ("05.03.2024", "date", "2024-03-05"),
        ("03/05/2024", "date", "03/05/2024"),
        ("1850", "date", "1850"),
        (True, "text", "true"),
        (7, "text", "7"),
        ("  two\n words ", "text", "two words"),
        ("", "text", None),
    ],
)
def test_values_are_kept_as_their_type(found: object, kind: FieldType, kept: object) -> None:
    """A value that fits its type is saved as that type, any other as text."""
    assert read_value(found, kind) == kept


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1990", "1991"], "number"),
        (["0123", "4567"], "text"),
        ([1, 2.5, "3"], "number"),
        (["2024-03-05", "2024-03-06T10:00:00Z"], "date"),
        (["20240305", "20240306"], "number"),
        (["2024-03-05", "soon"], "text"),
        (["https://a.example/", "http://b.example/x?y"], "url"),
        (["https://a.example/", "a.example"], "text"),
        ([True, False], "text"),
        (["", None], "text"),
        (["1,5", "2,5"], "text"),
        ([2**63], "text"),
    ],
)
def test_types_are_guessed_only_where_all_values_agree(values: list[object], kind: str) -> None:
    """In doubt the guessed type is text."""
    assert guess_type(values) == kind


@given(SCALARS, st.sampled_from(TYPES))
def test_any_value_travels(found: object, kind: FieldType) -> None:
    """Any value survives the journal, and reading it again does not change it."""
    value = read_value(found, kind)
    if value is not None:
        assert msgspec.json.decode(msgspec.json.encode({"x": value}), type=Fields) == {"x": value}
        again = read_value(value, kind)
        assert again == value
        if kind == "date" and fits(value, kind):
            assert moment(str(value)) is not None


@given(st.lists(st.dictionaries(st.sampled_from("abc"), SCALARS, max_size=3), max_size=8))
def test_columns_hold_every_value(rows: list[dict[str, object]]) -> None:
    """Each value of each document has the type of its column."""
    declared = {"a": Field("number"), "b": Field("date")}
    kinds: dict[str, FieldType] = {"a": "number", "b": "date", "c": "text"}
    kept: list[dict[str, Value]] = []
    for row in rows:
        read = {name: read_value(each, kinds[name]) for name, each in row.items()}
        kept.append({name: value for name, value in read.items() if value is not None})
    columns = columns_of(declared, kept)
    assert list(columns)[:2] == ["a", "b"]
    for name, column in columns.items():
        values = [each for row in kept for each in scalars(row.get(name))]
        assert (column.filled, column.of) == (sum(name in row for row in kept), len(kept))
        if column.type != "text":
            assert all(fits(each, column.type) for each in values)
        if name in declared:
            unfit = sum(not fits(each, declared[name].type) for each in values)
            assert column.unfit == unfit
            assert (column.type == "text") == (unfit > 0)


def test_fields_of_a_program_are_kept_as_all_others() -> None:
    """Dates, sets, booleans and NaN become values that a journal can hold."""
    noon = datetime(2024, 3, 5, 12, tzinfo=timezone(timedelta(hours=2)))
    given = {"at": noon, "is": True, "of": [1.5, None, "x"], "nan": float("nan"), "who": object}
    found = as_fields(given)
    assert found.pop("who")
    assert found == {"at": "2024-03-05T10:00:00Z", "is": "true", "of": (1.5, "x")}
    with pytest.raises(ValueError, match="title"):
        as_fields({"title": "x"})
