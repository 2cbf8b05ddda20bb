"""The reference is what the code says, all of it."""

import doctest
from pathlib import Path
from types import ModuleType

import pytest
from bench.pages import blocks, docstring, lists, python_api, spec_keys
from bench.pages.reference import DOCS, files


@pytest.mark.slow
def test_reference_is_as_the_code_says() -> None:
    """`make reference` changes nothing."""
    stale = [
        str(path.relative_to(DOCS))
        for path, text in files()
        if not path.exists() or path.read_text() != text
    ]
    assert not stale, "run `make reference`"


@pytest.mark.slow
def test_no_page_is_left_of_what_is_gone() -> None:
    """Each page of a command or of Python is made."""
    made = {path for path, _ in files()}
    folders = (DOCS / "reference/commands", DOCS / "reference/python")
    left: list[Path] = [page for folder in folders for page in folder.glob("*.md")]
    assert left
    assert not set(left) - made


@pytest.mark.parametrize("module", [blocks, docstring, lists, python_api, spec_keys], ids=str)
def test_examples_of_what_makes_it_run(module: ModuleType) -> None:
    """The docstrings of `bench.pages` tell the truth."""
    assert doctest.testmod(module).failed == 0


def test_calls_are_shown_with_their_arguments() -> None:
    """Who writes a listener, or calls a method, sees what goes in."""
    pages = {name.rpartition("/")[2]: text for name, text in python_api.pages()}
    assert "| `on_event(event, ledger)` |" in pages["options.md"]
    assert "| `in_words(now)` |" in pages["steer.md"]
