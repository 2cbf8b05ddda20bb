"""Four things a new user wants, done as README and its pages say, and held against the truth.

Run with -s, it prints for each what was typed, and how long it took.
"""

import re
import time
from pathlib import Path

import pytest
from tests.docs.console import BLOCK, RUN, Session, steps
from tests.docs.sites import texts
from tests.docs.test_pages import ROOT
from tests.real import servers

import longline

ENOUGH = 0.97
"""Share of the documents that a user is to have at the end."""


def linked_from_readme(page: str) -> str:
    """Return a how-to page, as somebody finds it who reads README only."""
    path = f"docs/how-to/{page}"
    named = [path, f"docs/how-to/{page.partition('/')[0]}/index.md"]
    assert any(f"({each})" in (ROOT / "README.md").read_text() for each in named)
    return (ROOT / path).read_text()


def first_command(page: str) -> str:
    block = BLOCK.search(page)
    assert block is not None
    return steps(block[1])[0].command


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("page", "folder", "truth"),
    [("sources/mediawiki.md", "wiki", 400), ("sources/json-api.md", "api", 2_998)],
)
def test_a_source_is_saved_by_the_command_of_its_page(
    tmp_path: Path, page: str, folder: str, truth: int
) -> None:
    """One command from the page that README names brings the documents; one more writes them."""
    command, begun = first_command(linked_from_readme(page)), time.monotonic()
    with Session(tmp_path) as session:
        session.run(command)
        session.run(f"longline export {folder} -o {folder}.jsonl")
    print(f"\n{page}: {command}; longline export: {time.monotonic() - begun:.0f} s")
    held = longline.open(tmp_path / folder)
    assert len(held.documents) >= ENOUGH * truth
    low, high = held.certificate.size_low, held.certificate.size_high
    assert low is not None
    assert high is not None
    assert low <= truth <= high
    assert len((tmp_path / f"{folder}.jsonl").read_text().splitlines()) == len(held.documents)


@pytest.mark.real
@pytest.mark.timeout(1800)
def test_a_real_mediawiki_is_saved_by_the_command_of_its_page(tmp_path: Path) -> None:
    """The same command saves a MediaWiki that other people wrote."""
    pages = [(each.key.replace("_", " "), each.title, each.text) for each in texts(200)]
    command = first_command(linked_from_readme("sources/mediawiki.md"))
    (tmp_path / "server").mkdir()
    try:
        with servers.mediawiki(pages, tmp_path / "server") as url, Session(tmp_path) as session:
            begun = time.monotonic()
            printed = session.run(command.replace("https://wiki.example/", url))
    except servers.Missing as error:
        pytest.skip(str(error))
    print(f"\n{command}: {time.monotonic() - begun:.0f} s\n{printed}")
    assert len(longline.open(tmp_path / "wiki").documents) >= 0.9 * len(pages)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_strategies_are_compared_by_one_command(tmp_path: Path) -> None:
    """The page's command prints a row for each strategy, and the reference."""
    with Session(tmp_path) as session:
        printed = session.run(first_command(linked_from_readme("harvest/compare-strategies.md")))
    names = re.findall(r"^(\S+) +\d+\.\d", printed, re.M)
    assert names == ["auto", "adaptive", "full-knowledge"]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_five_lines_of_python_are_enough(tmp_path: Path) -> None:
    """The page's first script has at most five lines of code, and leaves every document."""
    page = linked_from_readme("harvest/from-python.md")
    name, code = next((file, text) for _, _, file, text in RUN.findall(page) if file)
    assert len([line for line in code.splitlines() if line.strip()]) <= 5
    with Session(tmp_path) as session:
        session.write(name, code)
        printed = session.run(f"python3 {name}")
    assert printed.startswith("complete 400\n")
    assert len(longline.open(tmp_path / "blog").documents) == 400
