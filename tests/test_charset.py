"""Test how the bytes of a response become text, and what its header declares."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.discovery.presets.opensearch import is_description
from longline.discovery.routes.site_offers import sitemap_urls
from longline.errors import PageError
from longline.known_item.pages.html import parse as read_page
from longline.model import Response
from longline.source import parse
from longline.text.charset import codec_of, read_text
from longline.text.media_type import media_type, parameter


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        (b"\xef\xbb\xbf\xc3\xbc<meta charset=latin1>", "text/html; charset=latin1", "ü"),
        ("\ufeffü".encode("utf-16-le"), "text/html; charset=latin1", "ü"),
        ("\ufeffü".encode("utf-16-be"), "", "ü"),
        (b"\xfc<meta charset=utf-8>", "text/html; charset=latin1", "ü"),
        (b"\xfc<meta charset=latin1>", "text/html; charset=bogus", "ü"),
        (b"\xc3\xbc<meta charset=UTF-16>", "", "ü"),
        (b"\xc3\xbc<meta charset=utf-16be>", "text/html", "ü"),
        (b"\x80<meta http-equiv=Content-Type content='text/html; charset=latin1'>", "", "€"),
        (b"\x93<meta charset=iso-8859-1>", 'text/html;charset="ISO-8859-1"', "\u201c"),
        (b"\xb1<!-- <meta charset=utf-8> --><meta charset=latin2>", "", "ą"),
        (b"<script>" + b"x" * 2000 + b"</script><meta charset=latin2>\xb1", "", None),
        (b"\xc3\xbc<body>" + b"x" * 2000 + b"<p><meta charset=latin2>", "", "ü"),
        (b"<?xml version='1.0' encoding='latin2'?>\xb1", "text/xml", None),
        ("<?xml version='1.0'?>ü".encode("utf-16-le"), "text/xml", None),
        (b"\xfc", "", "ü"),
        (b"\xfc", "text/html; charset=utf-8", "ü"),
        (b"\xfc<meta charset=utf-8>", "", "ü"),
        (b"\xc3\xbc \xff", "text/html; charset=utf-8", "ü"),
        (b"\xc3\xbc \xff", "", "ü"),
        (b"\x82\xa0", "text/html; charset=x-sjis", "あ"),
        (b"\xfc", "text/html; charset=hex", "ü"),
    ],
)
def test_text_is_read_in_its_charset(body: bytes, content_type: str, text: str | None) -> None:
    """A byte order mark overrides the header, and the header overrides the page."""
    read = read_text(body, content_type)[1]
    assert read[0] == text if text else read[-1] in "üą"


@given(st.binary(max_size=200), st.text(max_size=40), st.sampled_from(["html", "json", "xml"]))
def test_any_bytes_are_text(body: bytes, header: str, kind: str) -> None:
    """No bytes, header or label raise an error, and the charset is one of Python's codecs."""
    charset, text = read_text(body, f"text/html; charset={header}", kind)  # type: ignore[arg-type]
    assert text.encode(charset, "replace") is not None


@given(st.text(max_size=60))
def test_any_header_has_a_type_or_none(header: str) -> None:
    """No header raises an error; a media type has two parts."""
    named = media_type(header)
    assert not named or "/" in named
    assert isinstance(parameter(header, "charset"), str)


@pytest.mark.parametrize(
    ("header", "charset"),
    [
        ("text/html; charset=utf-8", "utf-8"),
        ("text/html;Charset = utf-8", ""),
        ("text/html; CHARSET='utf-8'", "'utf-8'"),
        ('text/html; charset="utf\\-8"', "utf-8"),
        ('text/html; x=";charset=a"; charset=b', "b"),
        ("text/html; charset=a; charset=b", "a"),
        ("text/html; charset", ""),
        ('text/html; charset="utf-8', "utf-8"),
    ],
)
def test_parameters_are_read(header: str, charset: str) -> None:
    """Parameters may be quoted, in upper or lower case, and the first of a name counts."""
    assert parameter(header, "charset") == charset


def test_labels_that_are_no_charset_are_none() -> None:
    """A codec of Python is not necessarily a charset of the web."""
    assert [codec_of(label) for label in ("hex", "idna", "utf-7", "", "base64")] == [""] * 5


def test_a_page_in_utf_16_asks_in_utf_8() -> None:
    """Links and forms of a page in UTF-16 are encoded in UTF-8."""
    body = "\ufeff<p>ü".encode("utf-16-le")
    assert (
        parse(Response(url="http://x.example/", status=200, body=body), "html").charset == "utf-8"
    )


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32-be"])
def test_json_comes_in_any_unicode(charset: str) -> None:
    """JSON is read in UTF-8, UTF-16 and UTF-32, with a byte order mark or without."""
    body = json.dumps({"hits": ["ü"]}, ensure_ascii=False).encode(charset)
    response = Response(url="http://x.example/", status=200, body=body)
    assert parse(response, "json").root.root == {"hits": ["ü"]}


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"a":' * 100_000, b"{", b"<html>", b"\xff"])
def test_json_that_is_none_is_a_page_error(body: bytes) -> None:
    """Invalid JSON, or JSON nested too deeply, is reported as a bad answer of the source."""
    with pytest.raises(PageError):
        parse(Response(url="http://x.example/", status=200, body=body), "json")


def test_no_room_stumbles_over_what_is_no_charset() -> None:
    """A page that declares the charset "hex" can be read by every reader of pages."""
    header = "text/html; charset=hex"
    root = read_page(header, b"<p>deep web")
    assert root is not None
    assert root.xpath("string()") == "deep web"
    answer = Response(url="http://x.example/", status=200, content_type=header, body=b"<p>deep")
    assert sitemap_urls(answer) == (False, [])
    assert not is_description(answer)


def test_a_sitemap_may_be_in_any_charset_and_refer_to_no_letter() -> None:
    """Any declared charset, and a reference to an invalid character, leave a sitemap readable."""
    body = (
        "<?xml version='1.0' encoding='latin1'?><urlset><url><loc>/ü&#xD800;</loc></url></urlset>"
    )
    answer = Response(url="http://x.example/", status=200, body=body.encode("latin-1"))
    assert sitemap_urls(answer) == (False, ["/ü\ufffd"])
