"""Exports: complete text in JSON lines, and nothing that a spreadsheet would run in CSV."""

import csv
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.cli.commands.folder import Onto, Rights, _format_of, export
from longline.errors import FolderError, InputError
from longline.events import DocumentReceived, DocumentWithdrawn
from longline.exports import Table
from longline.exports.rows import write_csv, write_jsonl
from longline.model import Document
from longline.store import SqliteStore
from longline.text.safe import clean


def exported(title: str) -> tuple[str, str]:
    """Return a title after export to CSV, and after export to JSON lines."""
    documents = [Document("k", "http://x.example/1", title, title)]
    as_csv, as_jsonl = io.BytesIO(), io.BytesIO()
    write_csv(Table(documents), as_csv)
    write_jsonl(Table(documents), as_jsonl)
    rows = list(csv.DictReader(io.StringIO(as_csv.getvalue().decode(), newline="")))
    (line,) = as_jsonl.getvalue().decode().split("\n")[:-1]
    return rows[0]["title"], json.loads(line)["title"]


@pytest.mark.parametrize(
    ("name", "to"),
    [
        ("a.csv", "csv"),
        ("b/a.CSV", "csv"),
        ("2026.11/a", "jsonl"),
        ("a", "jsonl"),
        ("-", "jsonl"),
        ("a.2026", "jsonl"),
        ("a.json", "jsonl"),
        ("s3://bucket/a.db", "sqlite"),
        ("a.warc.gz", "warc"),
        ("my.csv.parquet", "parquet"),
    ],
)
def test_the_end_of_a_name_tells_the_format(name: str, to: str) -> None:
    assert _format_of(name) == to


@pytest.mark.parametrize("name", ["a.xlsx", "a.ods", "a.csv.gz", "a.jsonl.gz", "a.csv.bak"])
def test_a_name_of_another_kind_of_file_is_refused(name: str) -> None:
    """A name that ends as a spreadsheet or a compressed file is refused."""
    with pytest.raises(
        InputError, match=r"no format has the ending .*take \.csv for a spreadsheet"
    ):
        _format_of(name)


@pytest.mark.parametrize(
    "title",
    ["=1+1", "+cmd|' /C calc'!A0", "-5", "@SUM(1)", "\t=1", "\r=1", '=HYPERLINK("http://x")', "'x"],
)
def test_a_formula_is_text_in_csv(title: str) -> None:
    """A formula gets a leading apostrophe in CSV, and is unchanged in JSON."""
    assert exported(title) == (f"'{clean(title)}", title)


@pytest.mark.parametrize("title", ["5", "1.5", "1/2", "a=b", "12%", "", "a 'tis", "two\r\nlines"])
def test_what_runs_nothing_is_whole(title: str) -> None:
    """Numbers and ordinary titles are exported unchanged."""
    assert exported(title) == (title, title)


@pytest.mark.parametrize(
    ("title", "written"),
    [
        ("\x1b[2J", "␛[2J"),
        ("a\0b\x07", "a␀b␇"),
        ("\x7f\x9b", "␡\ufffd"),
        ("\u202etxt", "\ufffdtxt"),
    ],
)
def test_what_steers_a_terminal_is_a_sign_of_its_own_in_csv(title: str, written: str) -> None:
    """Each control character has its own visible sign in CSV."""
    assert exported(title) == (written, title)


@given(st.text(max_size=40))
def test_any_title_is_exported(title: str) -> None:
    """Any title is exported; CSV replaces control characters by signs."""
    from_csv, from_jsonl = exported(title)
    assert from_jsonl == title
    assert from_csv.removeprefix("'") == clean(title)


def harvest(folder: Path, documents: int) -> Path:
    """Make a harvest of this many long documents, plus one that was withdrawn."""
    store = SqliteStore(folder / "harvest.db")
    for number in range(documents + 1):
        store.record(DocumentReceived(Document(f"k{number}", text=f"two\nlines{'x' * 2000}")))
    store.record(DocumentWithdrawn("k0", "", "comes for many", "Welcome"))
    store.close()
    return folder


@pytest.mark.parametrize("to", ["jsonl", "csv"])
def test_an_export_says_how_many_documents_it_wrote(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], to: str
) -> None:
    """The reported number excludes withdrawn documents, for a file and for standard output."""
    folder, output = harvest(tmp_path, 3), tmp_path / "out"
    export(folder, Onto(str(output)), Rights(), to=to)
    assert capsys.readouterr().err == f"3 documents written to {output}\n"
    written = output.read_text(encoding="utf-8")
    assert [f"k{n}" in written for n in range(4)] == [False, True, True, True]
    export(folder, Onto(), Rights(), to=to)
    printed = capsys.readouterr()
    assert printed.err == "3 documents written to standard output\n"
    assert printed.out.replace("\r\n", "\n") == written.replace("\r\n", "\n")


@pytest.mark.parametrize("outcome", ["complete", "partial"])
def test_an_export_says_that_documents_are_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], outcome: str
) -> None:
    """The export of a partial harvest says that documents are missing."""
    folder = harvest(tmp_path, 3)
    (folder / "certificate.json").write_text(f'{{"outcome": "{outcome}"}}')
    export(folder, Onto(str(tmp_path / "out")), Rights(), to="jsonl")
    said = f"the harvest is not complete (partial); what is missing: longline status {folder}"
    assert (said in capsys.readouterr().err) == (outcome == "partial")


@pytest.mark.parametrize(
    ("name", "begins"),
    [("a.csv", b'"key",'), ("a.SQLITE", b"SQLite format 3"), ("a.jsonl", b"{"), ("a", b"{")],
)
def test_a_name_tells_the_format(tmp_path: Path, name: str, begins: bytes) -> None:
    """Without --to, the ending of the file name decides the format."""
    folder, output = harvest(tmp_path, 3), tmp_path / name
    export(folder, Onto(str(output)), Rights())
    assert output.read_bytes().lstrip(b"\xef\xbb\xbf").startswith(begins)


def test_an_export_of_a_damaged_harvest_says_how_many_it_could_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An export to standard output writes and counts the readable documents, then fails."""
    path = harvest(tmp_path, 200) / "harvest.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE documents SET text = x'00ff' WHERE key = 'k150'")
    connection.close()
    with pytest.raises(FolderError, match=r"damaged.*only 149 documents could be read"):
        export(tmp_path, Onto(), Rights(), to="jsonl")
    assert capsys.readouterr().out.count("\n") == 149
