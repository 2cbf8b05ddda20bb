"""Inputs found by the fuzzer that once led to a traceback or took too long."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.fuzz.robots import now

from longline.errors import FolderError, PageError, SpecError
from longline.events import RobotsRead
from longline.fetch._robots import Robots
from longline.harvester.journal import waits_of
from longline.known_item.pages.urls import Site
from longline.model import Hit, Query, Request, Response
from longline.source import Source, canonical, follow, parse, read_spec
from longline.source.answer.links import get
from longline.source.answer.total import read_total
from longline.source.select import read_select
from longline.source.spec.headers import next_of_links
from longline.source.trust.change_detector import ChangeDetector
from longline.store import SqliteStore

URL = "https://x.example/s?q=deep"
SPEC = """
[source]
name = "shop"
url = "https://x.example/"
kind = "{kind}"
[ask]
url = "https://x.example/s?q={{query}}"
charset = "{charset}"
[results]
hit = '{hit}'
key = '{key}'
total_pattern = '{pattern}'
"""
GOOD = {"kind": "html", "charset": "utf-8", "hit": "css:li", "key": "css:a", "pattern": ""}


def spec(**changed: str) -> str:
    """Write a spec."""
    return SPEC.format(**{**GOOD, **changed})


def answer(body: bytes, kind: str = "text/html") -> Response:
    """Return a response with this body."""
    return Response(url=URL, status=200, content_type=kind, body=body)


@pytest.mark.parametrize("base", ["http://[", "//[x", "http://[::1", "//]"])
def test_a_base_that_is_no_url_is_the_page_itself(base: str) -> None:
    """Links of a page with a broken <base> are relative to the page."""
    page = parse(answer(f"<base href='{base}'><a href='7'>".encode()), "html")
    assert page.base == URL


def test_a_torn_name_in_xml_is_a_page_error() -> None:
    """XML with an element that has a prefix but no name raises `PageError`."""
    with pytest.raises(PageError):
        parse(
            answer(b"<feed xmlns='http://y/' xmlns:os='http://x/'><os:[total>1", "text/xml"), "xml"
        )


def test_a_page_is_one_tree() -> None:
    """Elements that the parser puts beside the first <html> belong to the page."""
    page = parse(answer(b"></html>torn<ul><li>a</ul>"), "html")
    assert len(page.root.xpath("//li")) == 1
    assert {found.root for found in page.root.xpath("//*")} == set(page.root.root.iter("*"))


def test_hits_that_stand_in_one_another_are_few() -> None:
    """Many hits nested in each other raise `PageError`; fewer are all read."""
    source = Source(read_spec(spec(hit="css:div")))
    few, many = (answer(b"".join(b"<div><a>%d</a>" % n for n in range(size))) for size in (99, 600))
    assert len(source.page(Query(("deep",)), 1, Request(URL), few).hits) == 99
    with pytest.raises(PageError, match="stand in one another"):
        source.page(Query(("deep",)), 1, Request(URL), many)


def test_a_form_may_have_a_control_character_in_its_address() -> None:
    """A form with a control character in its action is sent."""
    page = parse(answer(b"<form action='/a\x0fb'><input name=q><button>Go</button></form>"), "html")
    for _ in range(2):
        request = follow(page.root.xpath("//button")[0], page)
        assert request is not None
        assert request.url.startswith("https://x.example/a%")


def test_a_button_may_name_its_form_by_a_control_character() -> None:
    """A button whose form does not exist raises `PageError`."""
    page = parse(answer(b"<button form='a&#15;b'>Go</button>"), "html")
    with pytest.raises(PageError):
        follow(page.root.xpath("//button")[0], page)


def test_a_host_of_one_dot_keeps_it() -> None:
    """The last dot of a host is removed only if the host has other characters."""
    assert [canonical(f"http://{host}/a") for host in (".", "a@.", "a.")] == [
        *("http://./a", "http://a@./a", "http://a/a")
    ]


@pytest.mark.parametrize(
    "changed",
    [
        *({"charset": "a\\u0000"}, {"charset": "idna"}, {"pattern": "a{99999999999999999999}"}),
        {"pattern": "(" * 3000 + ")" * 3000},
        *({"hit": 'xpath:re:test(., "(")'}, {"hit": "xpath:re:test(.)"}),
        *(
            {"kind": "json", "key": "id", "hit": hit}
            for hit in ("[" * 3000, "(" * 5000, "a[?" * 3000)
        ),
    ],
)
def test_a_value_that_cannot_be_used_is_a_spec_error(changed: dict[str, str]) -> None:
    """A charset, pattern or selector that cannot be used raises `SpecError`."""
    with pytest.raises(SpecError):
        read_spec(spec(**changed))


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 5000])
def test_toml_that_python_cannot_hold_is_a_spec_error(value: str) -> None:
    """TOML with huge numbers or very deep lists raises `SpecError`."""
    with pytest.raises(SpecError):
        read_spec(f"a = {value}")


def test_a_function_that_fails_only_on_a_page_is_a_spec_error() -> None:
    """An XPath that fails only on a page raises `SpecError` with the selector's name."""
    source = Source(read_spec(spec(hit='xpath://li[re:test(., "(")]')))
    with pytest.raises(SpecError, match="does not run"):
        source.page(Query(("deep",)), 1, Request(URL), answer(b"<li>deep"))


def test_a_number_without_an_end_is_nothing_to_round() -> None:
    """Rounding an infinite number in JMESPath finds nothing."""
    page = parse(answer(b'{"a": 1e999}', "application/json"), "json")
    assert read_select("jmes:ceil(a)", "json").all(page.root) == []


@pytest.mark.parametrize(
    "said", ["9" * 19, "1" * 400 + "k", "7" * 5000, "1" + ",000" * 2000, "8" * 30 + " million"]
)
def test_a_number_too_great_for_a_journal_is_no_total(said: str) -> None:
    """A number too large for the journal is not a total."""
    assert read_total(f"{said} results") is None


def test_a_rate_of_endless_seconds_is_an_endless_pause() -> None:
    """A rate with more seconds than a float holds gives the longest delay."""
    read = RobotsRead("https://x.example", 200, f"User-agent: *\nRequest-rate: 1/{'9' * 400}")
    known = {read.origin: read}
    robots = Robots("longline", None, known=known, on_read=id, now=lambda: 0.0)  # type: ignore[arg-type]
    assert now(robots.check(URL)) == 10**9


def test_damaged_waits_are_a_folder_error(tmp_path: Path) -> None:
    """Damaged waits in the store raise `FolderError`."""
    store = SqliteStore(tmp_path / "harvest.db")
    store.set_setting("waits", "{:")
    with pytest.raises(FolderError):
        waits_of(store)
    store.close()


def suspects(body: bytes) -> object:
    """Check a document as a harvest does."""
    hit = Hit("1", URL, "A zebra walks", "deep")
    return ChangeDetector().suspects_document(hit, Request(URL), answer(body))


LONG = 100_000
"""Length in letters of a hostile page."""

PAGE = parse(answer(b"<p>"), "html")
SLOW: list[tuple[str, Callable[[str], Any], str]] = [
    ("digits", read_total, "1"),
    ("small numbers", read_total, "1 "),
    ("digits, then letters", read_total, "1r: "),
    ("numbers", read_total, "5\u0131"),
    ("groups", read_total, "1'111"),
    ("words", read_total, "of a "),
    ("scripts", lambda said: get(said, PAGE), "javascript:__doPostBack('a',"),
    ("quotes", lambda said: follow_link(f"javascript:__doPostBack('{said}"), "a','"),
    ("blanks", lambda said: get(f"javascript:{said}x", PAGE), " "),
    ("header", next_of_links, "<"),
    ("titles", lambda said: suspects(said.encode()), "<title>"),
    ("tags", lambda said: suspects(said.encode()), "<"),
    ("boxes", lambda said: suspects(said.encode()), "<input type "),
    ("opened", lambda said: Site(URL).key(f"javascript:'{said}"), "a.php?"),
]


def follow_link(link: str) -> object:
    """Follow a link with this address."""
    page = parse(answer(f'<a href="{link}">Next</a>'.encode()), "html")
    return follow(page.root.xpath("//a")[0], page)


@pytest.mark.parametrize(("name", "read", "piece"), SLOW)
def test_one_thing_over_and_over_is_read_at_once(
    name: str, read: Callable[[str], Any], piece: str
) -> None:
    """A piece repeated to a hundred thousand letters is read in less than a second of CPU."""
    said = (piece * LONG)[:LONG]
    began = time.process_time()
    with suppress(PageError):
        read(said)
    assert time.process_time() - began < 1.0, name
