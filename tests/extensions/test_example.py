"""Test the example of an extension, installed as its own package."""

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.command_line import longline

from longline import plugins
from longline.simulate import read_corpus

DOCUMENTS = 300
EXAMPLE = Path(__file__).parents[2] / "examples/extension"

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the example's package and its entry points, installed by pip."""
    work = tmp_path_factory.mktemp("extension")
    shutil.copytree(EXAMPLE, work / "source")  # so that build files are not left in the tree
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", work / "site", work / "source"], check=True)
    return work / "site"


@pytest.fixture
def run(installed: Path, tmp_path: Path) -> Iterator[Run]:
    """Yield a function that runs `longline` with the example installed, in an empty folder."""

    def run(*arguments: object, is_installed: bool = True) -> subprocess.CompletedProcess[str]:
        plugins._points.cache_clear()
        with pytest.MonkeyPatch.context() as patch:
            if is_installed:
                patch.syspath_prepend(installed)
            return longline(tmp_path, *arguments)

    yield run
    plugins._points.cache_clear()


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a real full-text table."""
    path = tmp_path_factory.mktemp("database") / "shelf.db"
    with closing(sqlite3.connect(path)) as made, made:
        made.execute("CREATE VIRTUAL TABLE documents USING fts5(title, text)")
        rows = [(each.title, each.text) for each in read_corpus("docstrings")[:DOCUMENTS]]
        made.executemany("INSERT INTO documents VALUES (?, ?)", rows)
    return path


@pytest.mark.slow
def test_all_three_are_found_by_their_names(run: Run, database: Path, tmp_path: Path) -> None:
    """A source NAME:ADDRESS is harvested by a custom planner and exported in a new format."""
    done = run("harvest", f"fts:{database}", "--strategy", "alphabet", "--max-requests", 500)
    assert done.returncode in (0, 3), done.stderr
    certificate = json.loads((tmp_path / "fts/certificate.json").read_text())
    assert certificate["strategy"] == "alphabet"
    assert certificate["documents"] > 0.4 * DOCUMENTS
    assert run("export", "fts", "--to", "tsv", "-o", "got.tsv").returncode == 0
    lines = (tmp_path / "got.tsv").read_text().splitlines()
    assert len(lines) == certificate["documents"]
    assert {line.count("\t") for line in lines} == {2}


def test_a_class_is_harvested_whole_and_goes_on(run: Run, database: Path, tmp_path: Path) -> None:
    """The default strategy saves nearly all; an interrupted harvest continues from its folder."""
    short = run("harvest", f"fts:{database}", "-o", "got", "--max-requests", 100)
    assert short.returncode == 3
    assert "all 100 requests of the budget are spent" in short.stdout
    done = run("harvest", "got")
    assert done.returncode in (0, 3), done.stderr
    certificate = json.loads((tmp_path / "got/certificate.json").read_text())
    assert certificate["documents"] >= 0.97 * DOCUMENTS
    assert certificate["size_low"] <= DOCUMENTS <= (certificate["size_high"] or DOCUMENTS)


def test_names_of_other_packages_are_listed(run: Run) -> None:
    """`longline strategies` lists them, and the error for an unknown name too."""
    assert "alphabet" in run("strategies").stdout
    wrong = run("compare", "docstrings", "--strategy", "alphabt")
    assert wrong.returncode == 2
    assert "alphabet" in wrong.stderr


def test_a_source_that_is_not_installed_any_more(run: Run, database: Path) -> None:
    """The folder is unchanged, and the error names the missing package."""
    run("harvest", f"fts:{database}", "-o", "got", "--max-requests", 30, "--no-estimate")
    done = run("harvest", "got", is_installed=False)
    assert done.returncode == 2
    assert "no installed package has the source 'fts'" in done.stderr
    assert run("status", "got").returncode == 0


@pytest.mark.parametrize("name", ["planner", "source", "export"])
def test_the_page_shows_the_code_that_is_tested(name: str) -> None:
    """The documentation contains the tested code."""
    article = "a" if name != "export" else "an"
    page = (EXAMPLE.parents[1] / f"docs/how-to/extend/write-{article}-{name}.md").read_text()
    code = (EXAMPLE / f"longline_example/{name}.py").read_text()
    assert f"```python\n{code}```" in page
    assert f"longline_example.{name}:" in page
