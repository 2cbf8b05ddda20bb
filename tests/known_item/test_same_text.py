"""Test telling pages with nearly the same text from pages of the same site."""

from hypothesis import given
from hypothesis import strategies as st

from longline.known_item.pages import same_text

MENU = [f"menu{number}" for number in range(200)]


def text(name: str, words: int = 60) -> list[str]:
    """Make a unique text below the menu that all pages share."""
    return [*MENU, *(f"{name}{number}" for number in range(words))]


SITE = {name: text(name) for name in ("home", "news", "hours", "staff", "maps")}


def test_print_version() -> None:
    """The same text at two addresses is found, although one has an additional line."""
    pages = SITE | {"print": [*text("hours")[150:], "printed", "today"]}
    assert same_text(pages, "hours") == ["print"]
    assert same_text(pages, "print") == ["hours"]


def test_menu_is_not_the_text() -> None:
    """Short pages with the same long menu are not the same."""
    assert all(same_text(SITE, key) == [] for key in SITE)


def test_too_short() -> None:
    """Pages with almost no text of their own are never the same."""
    pages = SITE | {"a": [*MENU, "a"], "b": [*MENU, "b"]}
    assert same_text(pages, "a") == []


@given(st.dictionaries(st.text(max_size=2), st.lists(st.text(max_size=3), max_size=40), min_size=1))
def test_both_ways(pages: dict[str, list[str]]) -> None:
    """The relation is symmetric, and no page is the same as itself."""
    found = {key: same_text(pages, key) for key in pages}
    assert all(key not in same for key, same in found.items())
    assert all(key in found[other] for key, same in found.items() for other in same)
