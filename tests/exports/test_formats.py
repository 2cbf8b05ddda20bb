"""Test that the usual libraries read every document and field of each format."""

import csv
import hashlib
import io
import json
import sqlite3
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.exports.conftest import FULL, ODD, make_harvest

import longline
from longline.errors import FolderError, InputError, UnknownNameError
from longline.exports import format_names, table_of
from longline.exports.rows import write_csv
from longline.model import Document
from longline.text.safe import clean

TEXTS = ("key", "url", "title", "text", "language")


def texts(documents: tuple[Document, ...]) -> list[tuple[str, ...]]:
    return [tuple(getattr(each, name) for name in TEXTS) for each in documents]


def test_json_lines_have_every_field(odd: Path, full: Path, tmp_path: Path) -> None:
    """Each line is a flat object with numbers as numbers and several values as a list."""
    assert longline.export(odd, "jsonl", tmp_path / "odd.jsonl") == len(ODD)
    lines = [json.loads(line) for line in (tmp_path / "odd.jsonl").read_bytes().splitlines()]
    assert [tuple(line[name] for name in TEXTS) for line in lines] == texts(ODD)
    longline.export(full, "jsonl", tmp_path / "full.jsonl")
    first, second, third = map(json.loads, (tmp_path / "full.jsonl").read_bytes().splitlines())
    assert {name: first[name] for name in ("year", "price", "by", "type")} == {
        "year": 1990,
        "price": 2.5,
        "by": ["Ada", "Max, Jr."],
        "type": "book",
    }
    assert (second["year"], second["home"], third["year"], third["by"]) == (7, None, None, [])
    assert first["attachments"][0]["sha256"] == "00ff"


def test_duckdb_reads_parquet_csv_and_json_lines(full: Path, tmp_path: Path) -> None:
    """`select` gives the same rows for all three, and Parquet has types."""
    duckdb = pytest.importorskip("duckdb")
    found = {}
    for to in ("parquet", "csv", "jsonl"):
        longline.export(full, to, tmp_path / f"full.{to}")
        read = {"parquet": "read_parquet", "csv": "read_csv", "jsonl": "read_json"}[to]
        table = f"{read}('{tmp_path / f'full.{to}'}')"
        with duckdb.connect() as connection:
            found[to] = connection.sql(
                f"select key, text, year, price, date, home from {table}"
            ).fetchall()
            kinds = {
                row[0]: row[1]
                for row in connection.sql(f"describe select * from {table}").fetchall()
            }
        if to == "parquet":
            assert (kinds["year"], kinds["price"], kinds["date"]) == ("BIGINT", "DOUBLE", "DATE")
            assert kinds["at"] == "TIMESTAMP WITH TIME ZONE"
            assert kinds["by"] == "VARCHAR[]"
    assert found["parquet"] == found["csv"] == found["jsonl"]
    assert found["parquet"][0][2:] == (1990, 2.5, date(2024, 3, 5), "https://x.example/")
    assert found["parquet"][2][2:] == (None, None, None, None)


def test_pyarrow_reads_parquet(odd: Path, full: Path, tmp_path: Path) -> None:
    """Every text is complete, and every field has its type."""
    longline.export(odd, "parquet", tmp_path / "odd.parquet")
    rows = pq.read_table(tmp_path / "odd.parquet").to_pylist()
    assert [tuple(row[name] for name in TEXTS) for row in rows] == texts(ODD)
    longline.export(full, "parquet", tmp_path / "full.parquet")
    table = pq.read_table(tmp_path / "full.parquet")
    assert table.schema.field("year").type == pa.int64()
    first = table.to_pylist()[0]
    assert first["at"] == datetime(2024, 3, 5, 10, tzinfo=UTC)
    assert first["by"] == ["Ada", "Max, Jr."]
    assert first["attachments"][0]["size"] == 7


@pytest.mark.slow
def test_row_groups_are_small(tmp_path: Path) -> None:
    """No row group exceeds 64 MB, whatever the documents."""
    many = tuple(Document(f"k{n}", text=f"{n} " * 300_000) for n in range(100))
    folder = make_harvest(tmp_path / "large", many)
    assert longline.export(folder, "parquet", tmp_path / "large.parquet") == 100
    found = pq.ParquetFile(tmp_path / "large.parquet").metadata
    groups = [found.row_group(n).total_byte_size for n in range(found.num_row_groups)]
    assert len(groups) > 1
    assert max(groups) < 64_000_000
    assert found.num_rows == 100


def test_sqlite_utils_reads_and_searches(odd: Path, full: Path, tmp_path: Path) -> None:
    """The table has every document; the full-text index finds them, also without accents."""
    sqlite_utils = pytest.importorskip("sqlite_utils")
    longline.export(odd, "sqlite", tmp_path / "odd.db")
    found = sqlite_utils.Database(tmp_path / "odd.db")
    rows = list(found["documents"].rows)
    assert [tuple(row[name] for name in TEXTS) for row in rows] == texts(ODD)
    assert found["documents"].detect_fts() == "documents_fts"
    assert [row["key"] for row in found["documents"].search("emoji")] == ["ü/ö ?#%"]
    assert [row["key"] for row in found["documents"].search("deep")] == ["a"]
    assert found["harvest"].get("outcome")["value"] == "complete"
    found.close()
    longline.export(full, "sqlite", tmp_path / "full.db")
    found = sqlite_utils.Database(tmp_path / "full.db")
    kinds = found["documents"].columns_dict
    assert (kinds["year"], kinds["price"], kinds["date"]) == (int, float, str)
    first = next(iter(found["documents"].rows))
    assert (first["year"], first["price"], json.loads(first["by"])) == (
        1990,
        2.5,
        ["Ada", "Max, Jr."],
    )
    found.close()


def test_rocrate_reads_a_crate(full: Path, tmp_path: Path) -> None:
    """The library reads the data, its creator, source and date, and the unknown licence."""
    rocrate = pytest.importorskip("rocrate.rocrate")
    longline.export(full, "ro-crate", tmp_path / "crate", creator="Ada Lovelace")
    crate = rocrate.ROCrate(tmp_path / "crate")
    assert crate.name == "Documents of Shelf"
    assert "complete" in crate.description
    assert crate.license["name"] == "not known"
    assert crate.creator["name"] == "Ada Lovelace"
    action = crate.dereference("#harvest")
    assert action["instrument"]["name"] == "longline"
    assert action["object"]["name"] == "Shelf"
    assert action["agent"]["name"] == "Ada Lovelace"
    data = crate.dereference("documents.jsonl")
    path = tmp_path / "crate" / data.id
    assert int(data["contentSize"]) == path.stat().st_size
    assert len(path.read_text().splitlines()) == len(FULL)
    assert {each.id for each in crate.root_dataset["hasPart"]} == {
        "documents.jsonl",
        "certificate.json",
        "source.toml",
    }


def test_a_licence_that_is_given_stands_in_crate_and_card(full: Path, tmp_path: Path) -> None:
    """The licence is an SPDX identifier or a URL."""
    longline.export(full, "ro-crate", tmp_path / "crate", license="CC-BY-4.0")
    graph = json.loads((tmp_path / "crate/ro-crate-metadata.json").read_text())["@graph"]
    root = next(each for each in graph if each["@id"] == "./")
    assert root["license"] == {"@id": "https://spdx.org/licenses/CC-BY-4.0"}
    longline.export(full, "hugging-face", tmp_path / "set", license="https://x.example/terms")
    head = card(tmp_path / "set")
    assert (head["license"], head["license_link"]) == ("other", "https://x.example/terms")
    with pytest.raises(InputError, match="'CCBY4' is no licence"):
        longline.export(full, "ro-crate", tmp_path / "other", license="CCBY4")
    assert not (tmp_path / "other").exists()


def card(folder: Path) -> dict[str, Any]:
    yaml = pytest.importorskip("yaml")
    _, head, _ = (folder / "README.md").read_text().split("---\n", 2)
    found: dict[str, Any] = yaml.safe_load(head)
    return found


def test_a_data_set_folder_is_as_its_card_says(full: Path, tmp_path: Path) -> None:
    """The README's YAML header names the data, columns, types and number of rows."""
    longline.export(full, "hugging-face", tmp_path / "set")
    head = card(tmp_path / "set")
    assert head["license"] == "unknown"
    assert head["language"] == ["en"]
    assert head["size_categories"] == ["n<1K"]
    path = tmp_path / "set" / head["configs"][0]["data_files"][0]["path"]
    table = pq.read_table(path)
    assert head["dataset_info"]["splits"] == [{"name": "train", "num_examples": 3}]
    features = {each["name"]: each for each in head["dataset_info"]["features"]}
    assert list(features) == table.column_names
    assert features["year"]["dtype"] == "int64"
    assert features["price"]["dtype"] == "float64"
    assert features["at"]["dtype"] == "timestamp[us, tz=UTC]"
    assert features["by"]["list"] == "string"
    assert {each["name"] for each in features["attachments"]["list"]} >= {"url", "sha256"}
    body = (tmp_path / "set/README.md").read_text()
    assert "outcome    complete" in body
    assert "| `year` | number |" in body


@pytest.mark.parametrize("to", ["jsonl", "parquet", "sqlite", "warc", "ro-crate", "hugging-face"])
def test_a_manifest_fits_what_it_stands_beside(full: Path, tmp_path: Path, to: str) -> None:
    """Sizes and checksums match the files, and all files are listed."""
    target = tmp_path / "out"
    longline.export(full, to, target)
    path = target / "manifest.json" if target.is_dir() else tmp_path / "out.manifest.json"
    found = json.loads(path.read_text())
    assert (found["documents"], found["written_as"]) == (3, to)
    known = longline.open(full).certificate
    assert found["certificate"] == {
        "name": "certificate.json",
        "outcome": "complete",
        "cause": "",
        "documents": 3,
        "size_low": known.size_low,
        "size_high": known.size_high,
        "begun_at": known.begun_at,
        "ended_at": known.ended_at,
    }
    assert found["columns"]["year"] == "number"
    for entry in found["files"]:
        data = (path.parent / entry["name"]).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (entry["bytes"], entry["sha256"])
    if target.is_dir():
        there = {
            each.relative_to(target).as_posix() for each in target.rglob("*") if each.is_file()
        }
        assert there == {"manifest.json", *(entry["name"] for entry in found["files"])}


def test_an_empty_harvest_is_exported_to_all(tmp_path: Path) -> None:
    """An export without documents is no error, except for WACZ, which needs saved pages."""
    folder = make_harvest(tmp_path / "empty", ())
    for to in format_names():
        if to != "wacz":
            assert longline.export(folder, to, tmp_path / to) == 0


def test_a_harvest_that_lost_its_spec_still_gives_its_documents(full: Path, tmp_path: Path) -> None:
    """The manifest then has no certificate; formats that need it name the missing file."""
    (full / "source.toml").unlink()
    for to in ("jsonl", "csv", "parquet", "sqlite"):
        assert longline.export(full, to, tmp_path / to) == 3
        assert json.loads((tmp_path / f"{to}.manifest.json").read_text())["certificate"] is None
    with pytest.raises(FolderError, match=r"no source\.toml"):
        longline.export(full, "ro-crate", tmp_path / "crate")
    assert not (tmp_path / "crate").exists()


def test_formats_that_are_not_there(full: Path, tmp_path: Path) -> None:
    """The error for an unknown format lists the known ones; binary formats need a file."""
    with pytest.raises(UnknownNameError, match="jsonl, csv, parquet, sqlite, warc, wacz"):
        longline.export(full, "xml", tmp_path / "out")
    with pytest.raises(InputError, match="not written to a stream"):
        longline.export(full, "parquet", io.BytesIO())


letters = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
odd_documents = st.lists(
    st.builds(Document, letters, letters, letters, letters, letters),
    max_size=4,
    unique_by=lambda each: each.key,
)


@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(found=odd_documents)
def test_any_letters_come_back(
    tmp_path_factory: pytest.TempPathFactory, found: list[Document]
) -> None:
    """Each format keeps any characters unchanged; CSV escapes formulas."""
    work = tmp_path_factory.mktemp("any")
    documents = tuple(found)
    folder = make_harvest(work / "harvest", documents)
    for to in ("jsonl", "parquet", "sqlite", "csv"):
        longline.export(folder, to, work / to)
    lines = (work / "jsonl").read_bytes().split(b"\n")[:-1]
    assert [tuple(json.loads(line).values()) for line in lines] == texts(documents)
    rows = pq.read_table(work / "parquet").to_pylist()
    assert [tuple(row.values()) for row in rows] == texts(documents)
    with closing(sqlite3.connect(work / "sqlite")) as connection, connection:
        select = f"SELECT {', '.join(TEXTS)} FROM documents ORDER BY id"
        assert connection.execute(select).fetchall() == texts(documents)
    with (work / "csv").open(encoding="utf-8", newline="") as stream:
        _, *cells = csv.reader(stream)
    shown = [[cell.removeprefix("'") for cell in row] for row in cells]
    assert shown == [[clean(text) for text in row] for row in texts(documents)]


def test_a_field_with_an_odd_name_is_a_column(tmp_path: Path) -> None:
    """Quotes, spaces and formulas in a field's name are kept."""
    names = {'a "b"': 1, "=1+1": "x", "with space; drop table": 2.5}
    folder = make_harvest(tmp_path / "named", (Document("k", fields=names),))
    assert list(table_of(folder).columns) == list(names)
    for to in ("parquet", "sqlite", "jsonl", "hugging-face"):
        longline.export(folder, to, tmp_path / to)
    assert pq.read_table(tmp_path / "parquet").to_pylist()[0]['a "b"'] == 1
    with closing(sqlite3.connect(tmp_path / "sqlite")) as connection, connection:
        cursor = connection.execute("SELECT * FROM documents")
        row = dict(zip([each[0] for each in cursor.description], cursor.fetchone(), strict=True))
    assert {name: row[name] for name in names} == names
    assert [each["name"] for each in card(tmp_path / "hugging-face")["dataset_info"]["features"]][
        -3:
    ] == list(names)
    stream = io.BytesIO()
    write_csv(table_of(folder), stream)
    assert b'"\'=1+1"' in stream.getvalue()


def test_sqlite_takes_fields_that_are_called_as_its_own_columns(tmp_path: Path) -> None:
    """A field `id` is kept; of two names that differ only in case one gets a number."""
    document = Document("a", title="Deep", text="sea", fields={"id": 7, "Title": "x", "ID": 9})
    folder = make_harvest(tmp_path / "api", (document,))
    assert longline.export(folder, "sqlite", tmp_path / "api.db") == 1
    with closing(sqlite3.connect(tmp_path / "api.db")) as found:
        found.row_factory = sqlite3.Row
        (row,) = found.execute("SELECT * FROM documents")
        assert (row["key"], row["title"], row["Title_2"]) == ("a", "Deep", "x")
        assert {row["id"], row["ID_2"]} == {7, 9}
        match = "SELECT title FROM documents_fts WHERE documents_fts MATCH 'sea'"
        assert found.execute(match).fetchone()["title"] == "Deep"


def test_several_harvests_are_one_table(tmp_path: Path) -> None:
    """A column names the harvest; a field that is a number in one and a text in another is text."""
    other = Document(
        "a", "https://y.example/a", "Other", "four", "", {"year": "about 1990", "no": 7}
    )
    (tmp_path / "all").mkdir()
    make_harvest(tmp_path / "all" / "one", FULL)
    make_harvest(tmp_path / "all" / "two", (other,))
    for to in ("jsonl", "csv", "parquet"):
        assert longline.export(tmp_path / "all", to, tmp_path / f"all.{to}") == len(FULL) + 1
    lines = [json.loads(line) for line in (tmp_path / "all.jsonl").read_bytes().splitlines()]
    assert [line["harvest"] for line in lines] == ["one"] * len(FULL) + ["two"]
    assert [line["year"] for line in lines] == ["1990", "7", None, "about 1990"]
    assert [line["no"] for line in lines] == [None, None, None, 7]
    rows = list(csv.DictReader((tmp_path / "all.csv").read_text(encoding="utf-8").splitlines()))
    table = pq.read_table(tmp_path / "all.parquet").to_pylist()
    assert [row["harvest"] for row in rows] == [row["harvest"] for row in table]
    with pytest.raises(InputError, match="holds 2 harvests, and sqlite takes one"):
        longline.export(tmp_path / "all", "sqlite", tmp_path / "all.db")
