"""Every page is readable: short, of a known kind, and each link leads somewhere."""

import re
from pathlib import Path

import pytest

from longline.source import read_spec, write_spec

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
LINKED = [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
MOST_WORDS = 1500
FOR_USERS = [path for path in PAGES if "research" not in path.parts]
LONG = {"0010-adaptive", "0011-partition", "0033-servers-met-late"}
"""Decisions with their measurements, which nobody has to read to use longline."""
TABLES = {"docs/reference/certificate.md", "docs/reference/source-spec.md"}
"""Pages that are made of tables, to look a field or a key up in."""
LINK = re.compile(r"\]\(([^)\s]*)\)")
FENCE = re.compile(r"^```.*?^```", re.M | re.S)


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def slug(heading: str) -> str:
    """Return the anchor of a heading, as GitHub and Zensical agree on it.

    >>> slug("`[ask.form]`"), slug("How a harvest ends")
    ('askform', 'how-a-harvest-ends')
    """
    text = LINK.sub("", heading.replace("[", "").replace("`", ""))
    return re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", text).strip().lower())


def anchors(page: str) -> set[str]:
    return {slug(heading) for heading in re.findall(r"^#+ (.+)$", FENCE.sub("", page), re.M)}


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_a_page_begins_with_what_it_is_good_for(path: Path) -> None:
    """A title, then 'Good for: ...'."""
    begin = r"# .+\n\n(?:<!--.*?-->\n\n)?Good for: \w"
    assert re.match(begin, path.read_text())


@pytest.mark.parametrize(
    "path", [each for each in PAGES if each.stem not in LONG and name(each) not in TABLES], ids=name
)
def test_a_page_has_at_most_1500_words(path: Path) -> None:
    """Tables count, marks and bars do not."""
    words = re.findall(r"[^\s|]*\w[^\s|]*", path.read_text())
    assert len(words) <= MOST_WORDS


@pytest.mark.parametrize("path", LINKED, ids=name)
def test_every_link_leads_somewhere(path: Path) -> None:
    """Relative links point to files that exist, and to headings that these have."""
    for target in LINK.findall(FENCE.sub("", path.read_text())):
        if "://" in target or target.startswith("mailto:"):
            continue
        file, _, anchor = target.partition("#")
        there = path.parent / file if file else path
        assert there.exists(), target
        if anchor:
            assert anchor in anchors(there.read_text()), target


@pytest.mark.parametrize("path", LINKED, ids=name)
def test_every_bench_that_a_page_names_exists(path: Path) -> None:
    """Also a family of them, such as those of a paper's tables."""
    for module in re.findall(r"python -m (bench[\w.]*)", path.read_text()):
        there = ROOT / module.replace(".", "/")
        assert there.is_dir() or [*there.parent.glob(f"{there.name}*.py")], module


def test_every_page_is_reached_from_the_first() -> None:
    """Following links from docs/index.md leads to all of them."""
    seen, waiting = set(), [DOCS / "index.md"]
    while waiting:
        page = waiting.pop().resolve()
        if page in seen or page.suffix != ".md" or DOCS not in page.parents:
            continue
        seen.add(page)
        targets = (target.partition("#")[0] for target in LINK.findall(page.read_text()))
        waiting += [page.parent / target for target in targets if target and "://" not in target]
    assert [name(path) for path in PAGES if path not in seen] == []


def test_every_page_for_users_is_in_the_navigation() -> None:
    """mkdocs.yml names each; those of single commands and themes are reached from their index."""
    nav = (ROOT / "mkdocs.yml").read_text()
    one_each = {DOCS / "reference/commands", DOCS / "reference/python"}
    pages = (path for path in FOR_USERS if path.parent not in one_each)
    assert [name(path) for path in pages if str(path.relative_to(DOCS)) not in nav] == []


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_every_spec_in_the_documentation_is_right(path: Path) -> None:
    """Each TOML block that is a source spec reads, and survives being written again."""
    for text in re.findall(r"^```toml\n(.*?)^```", path.read_text(), re.M | re.S):
        if text.startswith("[source]"):
            spec = read_spec(text)
            assert read_spec(write_spec(spec)) == spec


def test_the_page_on_architecture_names_every_room() -> None:
    """A reader finds what each package is for."""
    page = (DOCS / "contributing" / "architecture.md").read_text()
    rooms = {each.parent.name for each in (ROOT / "src" / "longline").glob("*/__init__.py")}
    assert sorted(room for room in rooms if f"`{room}`" not in page) == []
