"""The main text of a page, found without a selector."""

import sys

import pytest

from longline.errors import PageError, SpecError
from longline.model import Document, Hit, Response
from longline.source import Source, read_spec, write_spec

SPEC = """
[source]
name = "s"
url = "https://s.example/"
[ask]
url = "https://s.example/find?q={query}"
[results]
hit = "li"
link = "a"
[document]
text = "article:"
"""
MENU = "<nav><a href=/>Home</a> <a href=/all>All our things</a> <a href=/new>New</a></nav>"
FOOTER = "<footer>Contact us. Privacy policy. All rights reserved.</footer>"
SEA = "The deep sea is dark and large, and few have been to the bottom of it in all these years."
FISH = "Fish live there without any light at all, and find each other by what they glow."
HIT = Hit("7", "https://s.example/7", "From the listing")


def page(body: str, title: str = "Seven seas") -> Response:
    html = f"<html><head><title>{title}</title></head><body>{body}</body></html>"
    return Response(url=HIT.url, status=200, content_type="text/html", body=html.encode())


def test_spec_with_main_text_survives_writing() -> None:
    """A spec with `article:` in place of a selector is read and written unchanged."""
    spec = read_spec(SPEC)
    assert spec.document is not None
    assert spec.document.kind == "html"
    assert read_spec(write_spec(spec)) == spec


def test_missing_library_is_said_before_any_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the library, the source raises an error that says what to install."""
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    with pytest.raises(SpecError, match=r"longline\[article\]"):
        Source(read_spec(SPEC))


@pytest.mark.parametrize("frame", ["<main>{}</main>", "<div id=x><div class=a>{}</div></div>"])
def test_main_text_is_found_wherever_it_stands(frame: str) -> None:
    """Without selectors, text and title are found, and menus and footers are left out."""
    pytest.importorskip("trafilatura")
    body = frame.format(f"<h1>Seven seas</h1><p>{SEA}</p><p>{FISH}</p>")
    document = Source(read_spec(SPEC)).document(HIT, page(MENU + body + FOOTER))
    assert SEA in document.text
    assert FISH in document.text
    assert "Privacy" not in document.text
    assert "All our things" not in document.text
    assert document == Document("7", HIT.url, "Seven seas", document.text)


def test_title_by_selector_goes_first() -> None:
    """A selector for the title has priority."""
    pytest.importorskip("trafilatura")
    spec = read_spec(f'{SPEC}title = "h2"\n')
    body = f"<h1>Seven seas</h1><h2>A part</h2><p>{SEA}</p><p>{FISH}</p>"
    assert Source(spec).document(HIT, page(body)).title == "A part"


def test_page_without_main_text_is_refused() -> None:
    """A page with only a menu is refused."""
    pytest.importorskip("trafilatura")
    with pytest.raises(PageError, match="no main text"):
        Source(read_spec(SPEC)).document(HIT, page("<nav><a href=/></a></nav>"))
