"""The report, the command line and the docs use one word for one thing."""

from pathlib import Path

from longline.account import MEANINGS

WORDS = (Path(__file__).parents[2] / "docs/reference/words.md").read_text()


def test_each_word_of_the_output_is_in_the_docs() -> None:
    """The page of words is the list that a report explains its words by."""
    rows = [line.strip("| ").split(" | ") for line in WORDS.splitlines() if line[:2] == "| "]
    assert dict(rows[1:]) == MEANINGS
