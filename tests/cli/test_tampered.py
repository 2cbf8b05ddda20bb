"""Folders changed by something else: a clear error, never a traceback."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from tests.command_line import longline

from longline.simulate import Searcher, read_corpus, running_site
from longline.store._schema import LATER, OF_FILE

TABLES = (OF_FILE.journal, OF_FILE.documents, OF_FILE.settings)
COLUMNS = [(table.name, column.name) for table in TABLES for column in table.columns]
VALUES = [None, -1e300, "no JSON {", '{"event":"Nothing"}', b"\xff\x00"]
RESUMED = ("--allow-private", "--max-requests", "12")

Command = Callable[..., tuple[int, str]]


@pytest.fixture
def command(tmp_path: Path) -> Command:
    """Runs `longline`; returns its exit code and standard error."""

    def run(*arguments: object) -> tuple[int, str]:
        done = longline(tmp_path, *arguments)
        return done.returncode, done.stderr

    return run


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A harvest of a few documents, whose site is still up."""
    some = np.random.default_rng(0).choice(2000, 60, replace=False)
    everything = read_corpus("docstrings")
    searcher = Searcher([everything[place] for place in some], limit=20, page_size=5)
    folder = tmp_path_factory.mktemp("tampered") / "got"
    with running_site(searcher) as url:
        longline(folder.parent, "harvest", f"{url}/", "-o", folder, "-q", *RESUMED)
        assert (folder / "certificate.json").is_file()
        yield folder


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    """A copy of that harvest to damage."""
    return Path(shutil.copytree(whole, tmp_path / "got"))


def tamper(folder: Path, *statements: str, **values: object) -> None:
    """Change a harvest's store by SQL."""
    with closing(sqlite3.connect(folder / "harvest.db")) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints=ON")
        for statement in statements:
            connection.execute(statement, values)


def outcomes(command: Command, folder: Path) -> list[tuple[int, str]]:
    """Run the commands that read a folder, and the one that continues it."""
    return [
        command("status", folder),
        command("export", folder, "-o", folder.parent / "out.jsonl", "--force"),
        command("doctor", folder),
        command("harvest", folder, *RESUMED),
    ]


def check(outcome: tuple[int, str]) -> None:
    """Check that a command worked, or gave one error line."""
    code, said = outcome
    assert code in (0, 2, 3), said
    assert "Traceback" not in said
    if code == 2:
        assert said.splitlines()[-1].startswith("error: "), said


@pytest.mark.slow
@pytest.mark.parametrize("places", [(0, 2, 4), (1, 3)])
@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_any_value_in_any_column_ends_in_a_clear_word(
    whole: Path, tmp_path: Path, command: Command, table: str, column: str, places: tuple[int, ...]
) -> None:
    """With any value in any column, commands work or report what is wrong."""
    refused = 0
    for number in places:
        value = VALUES[number]
        folder = Path(shutil.copytree(whole, tmp_path / str(number)))
        last = f"rowid = (SELECT max(rowid) FROM {table})"
        where = f"WHERE {last}" if number % 2 else ""
        try:
            tamper(folder, f"UPDATE {table} SET {column} = :value {where}", value=value)
        except sqlite3.IntegrityError:
            try:
                tamper(folder, f"UPDATE {table} SET {column} = :value WHERE {last}", value=value)
            except sqlite3.IntegrityError:
                continue
        for outcome in outcomes(command, folder):
            check(outcome)
            refused += outcome[0] == 2
    if column in ("payload", "value", "text") and 0 in places:
        assert refused > 0


@pytest.mark.slow
@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_missing_column_is_named(copy: Path, command: Command, table: str, column: str) -> None:
    """A missing column is reported as damage, unless it was added in a later version."""
    kept = [name for of, name in COLUMNS if of == table and name != column]
    tamper(
        copy,
        f"CREATE TABLE other AS SELECT {', '.join(kept)} FROM {table}",
        f"DROP TABLE {table}",
        f"ALTER TABLE other RENAME TO {table}",
    )
    found = outcomes(command, copy)
    if column in LATER:
        assert [code for code, _ in found[:3]] == [0, 0, 0]
        return
    assert [code for code, _ in found] == [2, 2, 0, 2]
    assert all(f"{column} of its table {table}" in said for code, said in found if code)


@pytest.mark.parametrize("table", [table.name for table in TABLES])
def test_missing_table_is_no_new_beginning(copy: Path, command: Command, table: str) -> None:
    """A store without one of its tables is refused, and the table is not created."""
    tamper(copy, f"DROP TABLE {table}")
    for code, said in outcomes(command, copy)[0::3]:
        assert code == 2
        assert "damaged" in said or "not made by longline" in said
    connection = sqlite3.connect(copy / "harvest.db")
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    connection.close()
    assert table not in names


def test_unknown_schema_is_refused(copy: Path, command: Command) -> None:
    """A store of a future version is refused; the error names its schema."""
    tamper(copy, "UPDATE settings SET value = '99' WHERE name = 'schema'")
    for code, said in [each for place, each in enumerate(outcomes(command, copy)) if place != 2]:
        assert code == 2
        assert "schema 99" in said


def test_foreign_database_is_left_alone(tmp_path: Path, command: Command) -> None:
    """A foreign database is refused and left unchanged."""
    connection = sqlite3.connect(tmp_path / "harvest.db")
    connection.execute("CREATE TABLE notes (text)")
    connection.close()
    before = (tmp_path / "harvest.db").read_bytes()
    code, said = command("export", tmp_path)
    assert code == 2
    assert "not made by longline" in said
    assert (tmp_path / "harvest.db").read_bytes() == before


@pytest.mark.parametrize("name", ["harvest.db", "source.toml", "certificate.json"])
def test_folder_in_the_place_of_a_file_is_named(copy: Path, command: Command, name: str) -> None:
    """A folder in place of a harvest's file is refused before any request."""
    (copy / name).unlink()
    (copy / name).mkdir()
    code, said = command("harvest", copy, *RESUMED)
    assert code == 2
    assert name in said
    for outcome in outcomes(command, copy):
        check(outcome)


@pytest.mark.parametrize("content", [b"", b"these are my notes", b"SQLite format 3\0" + b"x" * 90])
def test_file_that_is_no_store_is_refused(copy: Path, command: Command, content: bytes) -> None:
    """A harvest.db that is text, empty or garbage is refused."""
    (copy / "harvest.db").write_bytes(content)
    for name in ("status", "export"):
        code, said = command(name, copy)
        assert code == 2
        assert said.startswith("error: ")
