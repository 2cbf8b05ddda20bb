"""Test reading real HTML as pages of a site: words and links."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longline.known_item.pages.reading import MOST_LINKS, HtmlPage, Reader
from longline.known_item.pages.terms import words
from longline.known_item.pages.urls import MOST_CHAINED, Site, Traps
from longline.model import Response

START = "https://port.example/"


def response(html: str | bytes, url: str = START, kind: str = "text/html") -> Response:
    """Wrap markup in a response."""
    body = html if isinstance(html, bytes) else html.encode()
    return Response(url=url, status=200, content_type=kind, body=body)


def read(html: str | bytes, url: str = START, kind: str = "text/html; charset=utf-8") -> HtmlPage:
    """Read one page of a new site."""
    page = Reader(Site(START)).read(response(html, url, kind), url)
    assert page is not None
    return page


@pytest.mark.parametrize(
    ("anchor", "label"),
    [
        ("<a href='log'>The ship's log</a>", "ship log"),
        ("<a href='log'><b>Ship</b> <i>log</i></a>", "ship log"),
        ("<a href='log'><img src='x.png' alt='Ship log'></a>", "ship log"),
        ("<a href='log' title='Ship log'><i class='icon'></i></a>", "ship log"),
        ("<a href='log' aria-label='Ship log'>&raquo;</a>", "ship log"),
        ("<a href='log'><svg><title>Ship log</title><path d='M0'/></svg></a>", "ship log"),
        ("<p>Read the ship log <a href='log'><img src='x.png'></a></p>", "read ship log"),
        ("<h3>Ship log</h3><a href='log'><img src='x.png'></a>", "ship log"),
        ("<a href='ship-log.html'></a>", "ship log"),
        ("<a href='log'><h3>Ship</h3><p>log</p></a>", "ship log"),
        ("<frameset><frame src='log' name='ship_log'></frameset>", "ship log"),
        ("<meta http-equiv=Refresh content='0; URL=ship-log.html'>", "ship log"),
        ("<map><area href='log' alt='Ship log'></map>", "ship log"),
        ("<a href=\"javascript:window.open('log.html')\">Ship log</a>", "ship log"),
    ],
)
def test_label_falls_back(anchor: str, label: str) -> None:
    """A link's label is its text, otherwise its title, image text, nearby text, or address."""
    (link,) = read(f"<html>{anchor}</html>").links
    assert " ".join(link.label) == label


def test_context_is_the_text_beside_a_link() -> None:
    """The context is the nearest text of the same paragraph that is outside links."""
    page = read("<p>Tides of <a href='a'>May</a> and <a href='b'>June</a> tables</p><p>Other</p>")
    assert page.links[0].context == ("tide", "table")
    assert page.links[1].label == ("june",)


def test_each_target_and_label_is_one_link() -> None:
    """A repeated link counts once; another label for the same target is another link."""
    page = read("<a href=a>Log</a><a href=a>Log</a><a href='a#end'>Log</a><a href=a>Diary</a>")
    assert [link.label for link in page.links] == [("log",), ("diary",)]


@pytest.mark.parametrize(
    "link",
    ["<meta http-equiv=refresh content='0; url=/search/'>", "<a href=''><img src='logo.png'></a>"],
)
def test_a_page_that_leads_to_itself_without_words_has_no_link(link: str) -> None:
    """It says nothing about any page, and a search that follows it would stay there."""
    assert read(f"<html>{link}</html>", f"{START}search/").links == ()
    assert read(f"<html>{link}<a href=''>Search</a></html>", f"{START}search/").links


@pytest.mark.parametrize(
    "href",
    [
        "mailto:a@port.example", "tel:123", "javascript:void(0)", "https://other.example/",
        "chart.pdf", "photo.JPG", "data:text/html,x", "http://[broken", "ftp://port.example/a",
        "https://port.example:99999/", "/x" * 600,
    ],
)  # fmt: skip
def test_what_is_no_page_of_the_site_is_no_link(href: str) -> None:
    """Mail, scripts, files, other hosts and broken addresses are ignored."""
    assert not read(f'<a href="{href}">Log</a>').links


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("log#day", "log"),
        ("http://www.port.example/log", "log"),
        ("log/index.html", "log/"),
        ("log/Default.aspx", "log/"),
        ("log?b=2&a=1", "log?a=1&b=2"),
        ("log?utm_source=mail&a=1", "log?a=1"),
        ("log;jsessionid=0A1B2C3D4E5F6A7B", "log"),
        ("log?PHPSESSID=0a1b2c3d4e5f6a7b8c9d", "log"),
        ("../../log", "/log"),
        ("https://port.example:443/log", "log"),
        ("%6Cog(1)", "log%281%29"),
    ],
)
def test_one_page_has_one_key(one: str, other: str) -> None:
    """Addresses with differences that do not name another page have the same key."""
    site = Site(START)
    assert site.key(one) == site.key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("log?id=1", "log?id=2"), ("log?sid=12", "log?sid=13"), ("Log", "log")]
)
def test_different_pages_have_different_keys(one: str, other: str) -> None:
    """Parameters that may name a page, and the case of a path, are kept."""
    site = Site(START)
    assert site.key(one) != site.key(other)


def test_base_moves_links() -> None:
    """Relative links are resolved against <base>, wherever the page is."""
    page = read("<base href='/deep/'><a href='log'>Log</a>", f"{START}other/page")
    assert page.links[0].target == f"{START}deep/log"


def test_title_heading_and_words() -> None:
    """A page has its title, its first heading, and all visible words, but no scripts."""
    page = read(
        "<title>Tides</title><meta name=description content='High water'><script>var x</script>"
        "<style>p{}</style><h1>Tide <em>tables</em></h1><p>of the harbour</p><!-- not this -->"
    )
    assert page.title == ("tide",)
    assert page.heading == ("tide", "table")
    assert page.words == ("tide", "high", "water", "tide", "table", "harbour")


def test_banner_is_no_heading() -> None:
    """A heading that an earlier page also has is the site's banner; the next one is used."""
    reader = Reader(Site(START))
    headings = []
    for name in ("log", "tides"):
        html = f"<h1>Port of Example</h1><h1>The {name}</h1><p>{name}</p>"
        page = reader.read(response(html, f"{START}{name}"), f"{START}{name}")
        assert page is not None
        headings.append(page.heading)
    assert headings == [("port", "example"), ("tide",)]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("<p>Öffnungszeiten</p>".encode("latin-1"), "text/html; charset=iso-8859-1"),
        ("<meta charset=iso-8859-1><p>Öffnungszeiten</p>".encode("latin-1"), "text/html"),
        ("<p>Öffnungszeiten</p>".encode("utf-16"), "text/html"),
        ("<p>O\u0308ffnungszeiten</p>".encode(), "text/html; charset=utf-8"),
        ("<?xml version='1.0' encoding='utf-8'?><html><p>Öffnungszeiten</p></html>".encode(),
         "application/xhtml+xml"),
        (b"<html><p>\xd6ffnungszeiten\0</p>", ""),
    ],
)  # fmt: skip
def test_character_sets(body: bytes, kind: str) -> None:
    """The charset comes from the header, the page, or a guess; accents do not matter."""
    assert read(body, kind=kind).words == words("Offnungszeiten")


@pytest.mark.parametrize(
    ("body", "kind"),
    [("{}", "application/json"), ("%PDF-1.4", "application/pdf"), ("", "text/html"), ("x", "")],
)
def test_what_is_no_html_is_skipped(body: str, kind: str) -> None:
    """A response without markup is no page."""
    assert Reader(Site(START)).read(response(body, kind=kind), START) is None


@pytest.mark.parametrize("html", ["<", "<html", "<p" * 3000, "<a href=x>" * 500, "<div>" * 3000])
def test_broken_markup_is_read(html: str) -> None:
    """Broken or deeply nested markup is read as far as possible, without an error."""
    Reader(Site(START)).read(response(html), START)


TAGS = ["<a href='", "'>", "<base href='", "<form action='", "</a>", "<h1>", "//", "[", "]", ":",
        "%", "#", "?", "&", ";", "..", "javascript:", "http:", "\0", "\u0301", "<meta charset=",
        "<link rel=canonical href='", "<frame src='", "port.example", "\ud7ff", "x"]  # fmt: skip


@settings(max_examples=150)
@given(st.lists(st.one_of(st.sampled_from(TAGS), st.text(max_size=4)), max_size=25))
def test_nothing_on_a_page_is_an_error(parts: list[str]) -> None:
    """Any content is read or skipped without an error."""
    html = "<p>" + "".join(parts)
    page = Reader(Site(START)).read(response(html.encode("utf-8", "replace")), START)
    assert page is not None
    assert all(link.target.startswith("http") for link in page.links)


LOG = "<p>" + "The ship left port at dawn with coal for the islands. " * 4 + "</p>"


def test_equal_content_is_the_same_page() -> None:
    """A page with the same content as an earlier one has the earlier one's key."""
    reader = Reader(Site(START))
    first = reader.read(response(LOG, f"{START}log"), f"{START}log")
    copy = reader.read(response(LOG, f"{START}print/log"), f"{START}print/log")
    assert first is not None
    assert copy is not None
    assert copy.key == first.key == f"{START}log"


def test_pages_without_text_are_not_the_same() -> None:
    """Empty shells that a script fills keep different keys."""
    reader = Reader(Site(START))
    shells = [
        reader.read(response("<title>Port</title>", f"{START}{n}"), f"{START}{n}") for n in "ab"
    ]
    assert [shell and shell.key for shell in shells] == [f"{START}a", f"{START}b"]


def test_canonical_link_is_followed_once() -> None:
    """A canonical address is used as the key; a second page that claims it is ignored."""
    reader = Reader(Site(START))
    head = "<link rel=canonical href='/log'>"
    first = reader.read(response(f"{head}{LOG}", f"{START}log?view=1"), f"{START}log?view=1")
    other = reader.read(response(f"{head}<p>Tides</p>", f"{START}tides"), f"{START}tides")
    assert first is not None
    assert other is not None
    assert reader.same(f"{START}log") == first.key
    assert other.key == f"{START}tides"


def test_redirect_leads_to_the_key_of_its_end() -> None:
    """A page has the key of its final address, which the requested address leads to."""
    reader = Reader(Site(START))
    page = reader.read(response(LOG, f"{START}new"), f"{START}old")
    assert page is not None
    assert page.key == f"{START}new"
    assert reader.same(f"{START}old") == page.key


def test_forms_tell_what_they_are_for() -> None:
    """A form has its number of text boxes, and whether it is private."""
    page = read(
        "<form action='/find'><input name=q placeholder='Search'><button>Go</button></form>"
        "<form action='https://mail.example/'><input type=email><input type=submit></form>"
    )
    search, letter = page.forms
    assert (search.text_inputs, search.is_private) == (1, False)
    assert (letter.text_inputs, letter.is_private) == (0, True)


def test_very_many_links_keep_those_with_words_of_the_query() -> None:
    """Of a page with too many links, those with words of the query are kept."""
    links = "".join(f"<a href='/p{n}'>Page {n}</a>" for n in range(MOST_LINKS + 50))
    reader = Reader(Site(START), query=["harbour"])
    page = reader.read(response(f"{links}<a href='/h'>Harbour</a>"), START)
    assert page is not None
    assert len(page.links) == MOST_LINKS + 1
    assert page.links[-1].target == f"{START}h"


def test_calendar_is_a_trap() -> None:
    """A chain of addresses with the same pattern is not followed endlessly."""
    traps = Traps()
    url = f"{START}calendar/2024/{{}}"
    caught = [traps.is_trap(url.format(n + 1), found_on=url.format(n)) for n in range(30)]
    assert caught == [False] * MOST_CHAINED + [True] * (30 - MOST_CHAINED)


@pytest.mark.parametrize(
    "path", ["a/" * 20, "x/en/x/en/x/en/x/en/", "list?a=1&b=2&c=3&d=4&e=5&f=6"]
)
def test_endless_addresses_are_traps(path: str) -> None:
    """Repeated folders and stacked facets are not followed."""
    assert Traps().is_trap(f"{START}{path}", found_on=START)


def test_list_of_many_pages_is_no_trap() -> None:
    """A page that links to very many addresses of one pattern hides none of them."""
    traps = Traps()
    assert not any(traps.is_trap(f"{START}doc?id={n}", found_on=START) for n in range(1000))
