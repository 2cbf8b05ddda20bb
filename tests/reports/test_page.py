"""Test that the report is one true page, and that no source can inject anything."""

import base64
import hashlib
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from lxml import etree, html
from tests.reports.written import SPEC, Written, write

import longline
from longline.errors import FolderError, InputError
from longline.events import DocumentFailed, DocumentReceived, PageReceived, Stopped
from longline.model import Document, Filter, Hit, Page, Query, Request, Total
from longline.reports import Figures, page, read_figures
from longline.reports.page import Unreported

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\u202e&amp;"


def root(text: str) -> Any:
    """Parse a page."""
    return html.document_fromstring(text)


def numbers(text: str) -> dict[str, Any]:
    """Return the numbers embedded in a page."""
    found: dict[str, Any] = json.loads(root(text).get_element_by_id("numbers").text)
    return found


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Return a harvest whose source tries to inject markup in every field."""
    hits = (Hit(EVIL, f"javascript:{EVIL}", EVIL),)
    faceted = Query((), filters=(Filter("kind", EVIL),))
    document = Document(EVIL, f"javascript:{EVIL}", EVIL, EVIL, EVIL)
    events = [
        PageReceived(Query((EVIL,)), 1, Page(hits, Total(500))),
        DocumentReceived(document, 1),
        DocumentFailed("other", EVIL, EVIL, requests=2),
        PageReceived(faceted, 1, Page(hits, Total(7))),
    ]
    return write(tmp_path / "evil", events, stopped=Stopped(EVIL, False, "partial", "cut"))


def test_a_page_stands_for_itself(small: Path) -> None:
    """It loads nothing, runs only its own script, and links only to the source."""
    text = page([read_figures(small)])
    tree = root(text)
    assert not tree.xpath("//link | //img | //iframe | //object | //script[@src] | //*[@style]")
    assert {a.get("href") for a in tree.xpath("//a")} == {"#main", "https://archive.example/"}
    policy = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    for element in (*tree.xpath("//style"), *tree.xpath("//script[not(@type)]")):
        digest = hashlib.sha256(element.text.encode()).digest()
        assert f"'sha256-{base64.b64encode(digest).decode()}'" in policy
    assert "default-src 'none'" in policy
    assert "url(" not in tree.xpath("//style")[0].text


def test_the_numbers_are_in_the_page(small: Path) -> None:
    """The page's JSON equals the journal, except for lists that are in tables."""
    figures = read_figures(small)
    (told,) = numbers(page([figures]))["harvests"]
    assert told["certificate"]["documents"] == figures.certificate.documents
    assert [point["documents"] for point in told["course"]] == [
        point.documents for point in figures.course
    ]
    assert [row["new"] for row in told["chart"]] == [row.new for row in figures.chart]
    assert told["headline"] == figures.headline


@pytest.mark.slow
def test_ten_thousand_searches_stay_under_300_kb(large: Path) -> None:
    """The page of a long harvest is small, and says how much each list omits."""
    text = page([read_figures(large)])
    assert len(text.encode()) < 300_000
    assert "The first 100 and the last 100 of 10,000 searches." in text
    assert re.search(r"The first 200 of 1,0\d\d; all are in the folder", text)


def test_what_a_source_wrote_is_text(hostile: Path) -> None:
    """No markup, script or address of a source becomes part of the page."""
    text = page([read_figures(hostile)])
    tree = root(text)
    assert len(tree.xpath("//script")) == 2
    assert not tree.xpath("//img")
    assert not [a for a in tree.xpath("//a/@href") if a.startswith("javascript")]
    assert "\u202e" not in text
    assert "alert(1)" in tree.text_content()
    (told,) = numbers(text)["harvests"]
    assert told["certificate"]["stopped"] == EVIL


def test_drawings_are_xml_with_a_title_and_words(small: Path) -> None:
    """Every drawing parses and has a description in words; no id is repeated."""
    text = page([read_figures(small), read_figures(small)])
    drawings = re.findall(r"<svg.*?</svg>", text, re.S)
    assert len(drawings) > 15
    for drawing in drawings:
        tree = etree.fromstring(drawing)
        title, words = (tree.find(name).text for name in ("title", "desc"))
        assert title
        assert len(words) > 15
        assert tree.get("aria-labelledby").split() == [tree[0].get("id"), tree[1].get("id")]
        assert "nan" not in drawing
    names = re.findall(r' id="([^"]+)"', text)
    assert len(names) == len(set(names))


def odd(tmp_path: Path) -> dict[str, Path]:
    """Return harvests with unusual endings."""
    blocked = Stopped("robots.txt asks programs to stay away", False, "blocked", "robots")
    listed = [DocumentFailed("a", "https://archive.example/a", "robots.txt", forbidden=True)]
    hits = tuple(Hit(f"k{number}") for number in range(3))
    found = {
        "empty": write(tmp_path / "empty", []),
        "blocked": write(tmp_path / "blocked", listed, stopped=blocked),
        "no documents": write(tmp_path / "none", [PageReceived(Query(("web",)), 1, Page())]),
        "no totals": write(tmp_path / "wild", [PageReceived(Query(("web",)), 1, Page(hits))]),
        "older": write(tmp_path / "older", Written(20, 300, 3).events()),
    }
    store = sqlite3.connect(found["older"] / "harvest.db")
    store.execute("ALTER TABLE documents DROP COLUMN language")
    store.execute("DELETE FROM settings WHERE name = 'limits'")
    store.commit()
    store.close()
    return found


SAID = {
    "empty": ["No documents are saved", "Nothing was asked yet", "Outcome: partial (interrupted)"],
    "blocked": ["Ask the owner of the site", "The site's robots.txt asks programs to stay away"],
    "no documents": ["No documents are saved", "No document was listed."],
    "no totals": ["No documents are saved", "New documents per search"],
    "older": ["documents are saved", "The last run was interrupted; run it again to continue"],
}


@pytest.mark.parametrize("name", SAID)
def test_odd_harvests_have_a_true_report(name: str, tmp_path: Path) -> None:
    """The report describes empty, blocked, interrupted and older harvests correctly."""
    said = root(page([read_figures(odd(tmp_path)[name])])).text_content()
    assert not [words for words in SAID[name] if words not in said]


def test_a_folder_that_is_no_harvest_is_refused(tmp_path: Path, small: Path) -> None:
    """The error names the folder, and nothing is written."""
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn/harvest.db").write_text("no database")
    (tmp_path / "torn/source.toml").write_text(SPEC)
    for name in ("nothing", "torn"):
        with pytest.raises(FolderError, match=name):
            longline.report([small, tmp_path / name], tmp_path / "r.html")
    assert not (tmp_path / "r.html").exists()
    with pytest.raises(InputError, match="cannot write"):
        longline.report(small, tmp_path / "no/such/folder.html")
    with pytest.raises(InputError, match="belongs to a harvest"):
        longline.report(small, small / "harvest.db")


def test_several_stand_side_by_side(small: Path, killed: Path, tmp_path: Path) -> None:
    """Each has a row and a section; an earlier one is compared, and a missing one is named."""
    file = longline.report([killed, small], tmp_path / "r.html", earlier=small)
    tree = root(file.read_text())
    rows = tree.xpath("//table[caption='How each harvest stands.']/tbody/tr")
    assert [row[0].text for row in rows] == ["killed", "small"]
    assert len(tree.xpath("//article")) == 2
    assert "killed, against small." in tree.text_content()
    text = page([read_figures(small)] * 7, (), [Unreported("https://x.example/", "no answer")])
    assert "More than six harvests are not told of one by one" in text
    assert "no answer" in text


def test_a_folder_of_many_is_reported_whole(small: Path, killed: Path, tmp_path: Path) -> None:
    """Every harvest in the folder has a row, whatever created the folder."""
    assert small.parent != killed.parent
    (tmp_path / "many").mkdir()
    for folder in (small, killed):
        (tmp_path / "many" / folder.name).symlink_to(folder)
    file = longline.report(tmp_path / "many", tmp_path / "r.html")
    rows = root(file.read_text()).xpath("//table[caption='How each harvest stands.']/tbody/tr")
    assert [row[0].text for row in rows] == ["killed", "small"]


@pytest.fixture
def faceted(tmp_path: Path) -> Figures:
    """Return a harvest by years with missing documents in one year."""
    events = []
    for year, total, came in ((1990, 3, 3), (1991, 9, 2), (1992, 2, 2)):
        hits = tuple(Hit(f"{year}-{place}") for place in range(came))
        query = Query((), filters=(Filter("year", str(year)),))
        events.append(PageReceived(query, 1, Page(hits, Total(total))))
    return read_figures(write(tmp_path / "years", events))


def test_what_was_not_asked_for_is_not_called_whole(tmp_path: Path) -> None:
    """A search whose further pages were not requested is neither complete nor cut."""
    hits = tuple(Hit(f"k{number}") for number in range(20))
    following = Request("https://archive.example/next")
    events = [
        PageReceived(Query(("web",)), 1, Page(hits, Total(300), following)),
        PageReceived(Query(("sea",)), 1, Page(hits[:3], Total(3))),
    ]
    text = page([read_figures(write(tmp_path / "more", events))])
    assert "whole (1)" in text
    assert "cut (0)" in text
    assert "further pages not asked for (1)" in text


def test_holes_show_against_the_source_s_own_counts(faceted: Figures) -> None:
    """A part with fewer documents than the source counts shows the missing ones."""
    assert [(part.value, part.reported, part.received) for part in faceted.parts] == [
        ("1990", 3, 3), ("1991", 9, 2), ("1992", 2, 2)
    ]  # fmt: skip
    assert "7 documents are missing, over 3 parts" in page([faceted])
