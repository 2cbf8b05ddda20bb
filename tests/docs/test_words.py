"""The report, the command line and the docs use one word for one thing."""

from pathlib import Path

from longline.ledger import MEANINGS

GLOSSARY = (Path(__file__).parents[2] / "docs/reference/glossary.md").read_text()


def test_each_word_of_the_output_is_in_the_glossary() -> None:
    """The first table of the glossary is the list that the report explains its words by."""
    table = GLOSSARY.split("\n## ")[1]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line[:2] == "| "]
    assert dict(rows[1:]) == MEANINGS
