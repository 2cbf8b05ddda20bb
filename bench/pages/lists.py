"""Generate pages that list other pages: the index of the decisions, and llms.txt."""

import re
from collections.abc import Iterator
from pathlib import Path

from bench.pages.blocks import table

DECISIONS = "research/decisions"
PARTS = {
    "Tutorial": "tutorial.md",
    "How-to: sources": "how-to/sources",
    "How-to: harvests": "how-to/harvest",
    "How-to: extensions": "how-to/extend",
    "Explanations": "explanations",
    "Reference": "reference",
    "Contributing": "contributing",
    "Optional": "research",
}
"""Headings of llms.txt, and the page or folder for each."""

SUMMARY = """# longline

> Harvest everything behind a search box with the fewest requests, and say what is missing.

longline is a command and a Python library. `longline harvest URL -o DIR` learns how a site is
searched, saves its documents, and writes a certificate that says how many there are, with an
interval, and which answers were cut. It obeys robots.txt, keeps to a pace, never logs in, and
refuses private addresses unless `--allow-private` is given.
"""


def title_and_use(page: str) -> tuple[str, str]:
    r"""Return a page's title, and what it is good for.

    Raises:
        ValueError: The page does not start with both.

    >>> title_and_use("# One\n\nGood for: all.\n\nText.")
    ('One', 'all.')
    """
    begin = re.match(r"# (.+)\n\n(?:<!--.*?-->\n\n)?Good for: ((?:.+\n?)+)", page)
    if begin is None:
        raise ValueError("the page does not begin with '# title' and 'Good for: ...'")
    return begin[1], " ".join(begin[2].split())


def decisions(docs: Path) -> Iterator[tuple[str, str]]:
    """Yield the path of the decisions' index below docs, and its generated part."""
    rows = []
    for path in sorted((docs / DECISIONS).glob("[0-9]*.md")):
        title, use = title_and_use(path.read_text())
        rows.append((f"[{title}]({path.name})", use))
    lines = ["# Decisions", "", "Good for: finding why something is as it is.", ""]
    yield f"{DECISIONS}/index.md", "\n".join([*lines, table(("decision", "good for"), rows)])


def llms(docs: Path) -> str:
    """Return llms.txt: what longline is, and what each page is good for."""
    lines = [SUMMARY]
    for heading, place in PARTS.items():
        paths = [docs / place] if place.endswith(".md") else sorted((docs / place).rglob("*.md"))
        lines += [f"## {heading}", ""]
        for path in paths:
            title, use = title_and_use(path.read_text())
            lines.append(f"- [{title}]({path.relative_to(docs)}): {use}")
        lines.append("")
    return "\n".join(lines)
