"""Finding a document's own title on its page."""

import pytest
from tests.discovery.test_parts import page

from longline.discovery.document.page import heading
from longline.model import Hit

DOCUMENTS = ("wind", "rain")


@pytest.mark.parametrize(
    ("body", "selector"),
    [
        ("<title>{title} [House Wiki]</title><h1>House Wiki</h1>", ""),
        ("<title>{title} [House Wiki]</title><h1>House Wiki</h1><h2>{title}</h2>", "css:h2"),
        ("<title>{title} | House</title><h1>{title} - House</h1>", ""),
        ("<title>{title} of {key}s</title><p>{title}", "css:title"),
        ("<h1>{key[0]}/12 | {title} | 7 {key} Street</h1>", ""),
    ],
    ids=["a constant", "whole elsewhere", "two constants", "more of it", "amid others"],
)
def test_a_title_with_the_name_of_the_site(body: str, selector: str) -> None:
    """A heading that adds the same text to the list's title on every page is not the title."""
    pages = [
        (Hit(key=key, title=f"On {key}"), page(body.format(key=key, title=f"On {key}"), ""))
        for key in DOCUMENTS
    ]
    assert heading(pages) == selector


def test_a_title_with_the_name_of_the_site_where_one_page_is_named_otherwise() -> None:
    """A different title on the front page does not hide what all other titles add."""
    titles = {"House Wiki": "start [House Wiki]", "Sails": "Sails [House Wiki]"}
    pages = [
        (Hit(key=name, title=name), page(f"<title>{title}</title>", ""))
        for name, title in titles.items()
    ]
    assert heading(pages) == ""
