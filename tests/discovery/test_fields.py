"""Discovery keeps fields besides title and text, and a harvest exports them."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from lxml import html
from tests.discovery.fielded import PLACES, Fielded, facts

import longline
from longline.discovery.fields import data_fields, markup_fields, rows_of
from longline.simulate import running_site

OPTIONS: dict[str, Any] = {"allow_private": True, "robots": False, "estimate": False}


@pytest.fixture(scope="module")
def site() -> Fielded:
    return Fielded()


@pytest.fixture(scope="module")
def url(site: Fielded) -> Iterator[str]:
    with running_site(site.app) as address:
        yield address


@pytest.mark.slow
def test_ten_fields_of_an_interface_come_out_typed(site: Fielded, url: str, tmp_path: Path) -> None:
    """All keys of a row except the query's score are in JSON lines, CSV and Arrow, with types."""
    harvest = longline.harvest(
        f"{url}/api/search?q=the", tmp_path / "got", max_requests=70, **OPTIONS
    )
    assert len(harvest.documents) > 100
    kinds = {name: (each.type, each.many) for name, each in harvest.fields.items()}
    assert kinds == {
        "year": ("number", False),
        "published": ("date", False),
        "price": ("number", False),
        "subjects": ("text", True),
        "creator.name": ("text", False),
        "creator.born": ("number", False),
        "open_access": ("text", False),
        "doi": ("text", False),
        "pdf": ("url", False),
    }
    for document in harvest.documents:
        known = facts(site.places[document.key])
        assert document.title.split() == site.texts[site.places[document.key]].title.split()
        assert document.fields["published"] == known["published"]
        assert document.fields["price"] == known["price"]
        assert document.fields["subjects"] == tuple(known["subjects"])
        assert document.fields.get("doi") == known["doi"]
    held = len(harvest.documents)
    filled = {name: (each.filled, each.of) for name, each in harvest.certificate.fields.items()}
    dois = sum("doi" in document.fields for document in harvest.documents)
    assert filled["year"] == (held, held)
    assert filled["doi"] == (dois, held)
    assert 0 < dois < held

    table = harvest.to_arrow()
    assert table.schema.field("year").type == pyarrow.int64()
    assert table.schema.field("price").type == pyarrow.float64()
    assert table.schema.field("published").type == pyarrow.date32()
    assert table.schema.field("subjects").type == pyarrow.list_(pyarrow.string())
    assert table.num_rows == held
    assert str(table["published"][0]) == table.to_pylist()[0]["published"].isoformat()

    longline.export(tmp_path / "got", "jsonl", tmp_path / "got.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "got.jsonl").read_text().splitlines()]
    assert [row["year"] for row in rows] == table["year"].to_pylist()
    assert [row["doi"] for row in rows] == table["doi"].to_pylist()
    longline.export(tmp_path / "got", "csv", tmp_path / "got.csv")
    cells = list(csv.DictReader(io.StringIO((tmp_path / "got.csv").read_text())))
    assert [int(row["year"]) for row in cells] == table["year"].to_pylist()
    assert cells[0]["subjects"] == "; ".join(rows[0]["subjects"])


@pytest.mark.slow
def test_fields_of_rows_and_pages_of_a_catalogue_come_out(
    site: Fielded, url: str, tmp_path: Path
) -> None:
    """Two fields from rows and six from pages: microdata, linked data, meta tags, dl and table."""
    harvest = longline.harvest(f"{url}/", tmp_path / "got", max_requests=60, **OPTIONS)
    kinds = {name: each.type for name, each in harvest.fields.items()}
    assert kinds == {
        "by": "text",
        "issued": "date",
        "isbn": "text",
        "DC.publisher": "text",
        "price": "number",
        "Place": "text",
        "Pages": "number",
        "Shelf": "text",
    }
    for document in harvest.documents:
        place = site.places[document.key.rpartition("/")[2]]
        known = facts(place)
        assert document.fields == {
            "by": known["creator"]["name"],
            "issued": known["published"],
            "isbn": f"978-{place:06d}",
            "DC.publisher": f"Press {place % 4}",
            "price": known["price"],
            "Place": PLACES[place % 4],
            "Pages": 100 + place,
            "Shelf": f"A {place}",
        }
    assert all(each.filled == each.of for each in harvest.fields.values())
    own = tmp_path / "got/source.toml"
    listed = longline.harvest(
        own, tmp_path / "listed", max_requests=20, listing_only=True, **OPTIONS
    )
    assert list(listed.fields) == ["by", "issued"]  # the others stand on pages that nobody opened


def test_what_depends_on_the_search_is_no_field() -> None:
    """A value that differs for the same document in another search is left out."""
    rows = rows_of(["a", "b", "a"], [{"w": 1, "v": 1}, {"w": 2, "v": 2}, {"w": 1, "v": 3}])
    assert list(data_fields(rows)) == ["w"]


def test_texts_of_some_rows_are_kept() -> None:
    """A recording has its words in another field than a paper; a rare remark is left out."""
    paper, sound = {"kind": "text"}, {"kind": "sound", "transcript": "word " * 50, "note": "mono"}
    rows = rows_of(list("abcdefghij"), [paper] * 8 + [sound] * 2)
    assert list(data_fields(rows)) == ["kind", "transcript"]


def test_names_that_every_document_has_are_told_apart() -> None:
    """A row's own `text` or `Title` gets another name; names that differ only in case do too."""
    found = data_fields(rows_of(["a"], [{"text": "x y", "Title": "z", "A": 1, "a": 2}]))
    assert list(found) == ["row.text", "row.Title", "A"]


def test_few_rows_do_not_make_a_field() -> None:
    """Values in fewer than half of the rows are left out, and empty ones too."""
    rows = rows_of(list("abc"), [{"x": 1, "y": None}, {"y": None}, {"y": None}])
    assert data_fields(rows) == {}


def test_columns_of_a_table_are_named_by_its_head() -> None:
    """The cells of a table row get the names of their columns."""
    root = html.fromstring(
        "<table><tr><th>Title</th><th>Author</th><th>Year</th></tr>"
        + "".join(
            f"<tr class=r><td><a href=/{n}>T{n}</a></td><td>A{n}</td><td>19{n}0</td></tr>"
            for n in range(1, 5)
        )
        + "</table>"
    )
    rows = root.xpath("//tr[@class='r']")
    shown = [[f"T{number}"] for number in range(1, 5)]
    found = markup_fields(rows, list("abcd"), shown=shown)
    assert {name: (each.row, each.type) for name, each in found.items()} == {
        "Author": ("xpath:./td[2]", "text"),
        "Year": ("xpath:./td[3]", "number"),
    }


def test_labels_in_bold_name_what_follows() -> None:
    """`<b>Author:</b> Ada` is a field; a label that is the same on every row is not."""
    rows = [
        html.fromstring(f"<li><b>Author:</b> Ada {n} <span class='go'>Read on</span></li>")
        for n in range(4)
    ]
    found = markup_fields(rows, list("abcd"), shown=[[]] * 4)
    assert list(found) == ["Author"]
