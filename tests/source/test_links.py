"""Links: every notation of a link gives the same key."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.source import canonical
from longline.source.answer.links import absolute

BASE = "https://shop.example/search/?q=x"
KEY = "https://shop.example/doc/7"


@pytest.mark.parametrize(
    "link",
    [
        "/doc/7",
        "../doc/7",
        "\\doc\\7",
        "https:/doc/7",
        "https:../doc/7",
        "//shop.example/doc/7",
        "\\\\shop.example\\doc\\7",
        "https:\\\\shop.example/doc/7",
        "https:////shop.example/doc/7",
        "HTTPS://SHOP.EXAMPLE/doc/7",
        "https://shop.example:443/doc/7",
        "https://shop.example./doc/7",
        "https://shop.example.:443/doc/7",
        "https://\uff53hop\u3002example/doc/7",
        "https://shop.ex%61mple/doc/7",
        "/a/../doc/./7",
        "/a/%2e%2E/doc/7",
        " /d\toc/\r\n7 ",
        "/doc/%37",
        "/doc/7#reviews",
    ],
)
def test_one_document_has_one_key(link: str) -> None:
    """All links that lead a browser to the same address have the same key."""
    assert canonical(link, BASE) == KEY


@pytest.mark.parametrize(
    "link", ["mailto:a@x.example", "javascript:go()", "http://", "http://[::1", "data:,x", "//"]
)
def test_what_is_no_link_is_none(link: str) -> None:
    """A link that leads to no web page raises ValueError."""
    with pytest.raises(ValueError, match=r"."):
        canonical(link, BASE)


@given(st.text(max_size=40), st.sampled_from(["utf-8", "cp1252", "cp932", "iso2022_jp"]))
def test_any_link_is_an_address_or_none(link: str, charset: str) -> None:
    """Any text gives an address or ValueError, and reading an address again changes nothing."""
    try:
        url, key = absolute(link, BASE, charset), canonical(link, BASE)
    except ValueError:
        return
    assert url.isascii()
    assert absolute(url, BASE) == url
    assert canonical(key) == key
