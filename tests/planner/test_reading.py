"""Reading a probe's answer to its end: requested pages, and what is learnt."""

import pytest

from longline.events import DocumentReceived, PageFailed, PageReceived
from longline.model import Document, Hit, Page, Query, Request, Total
from longline.planner.measure.size_probes import Reading

WEB = Query(("web",))
MORE = Request("http://x.example/?page=2")


def page(keys: str, total: Total | None = None, *, more: bool = False) -> Page:
    """Return a page of documents with one-letter keys."""
    return Page(tuple(Hit(key) for key in keys), total, MORE if more else None)


def read(reading: Reading, *pages: Page) -> list[int]:
    """Pass the requested pages with their documents; return the page numbers."""
    left, wanted = list(pages), []
    while (probe := reading.next()) is not None:
        wanted.append(probe.number)
        found = left.pop(0)
        reading.tell(PageReceived(probe.query, probe.number, found, probe=True))
        for hit in found.hits:
            reading.tell(DocumentReceived(Document(hit.key, title=f"T{hit.key}", text=hit.key)))
    assert not left
    return wanted


def test_an_answer_is_read_to_its_last_page() -> None:
    """Pages are read as long as there is a next one; then the texts of all documents are known."""
    reading = Reading("web", None)
    assert read(reading, page("ab", more=True), page("cd", more=True), page("e")) == [1, 2, 3]
    assert reading.texts() == {key: f"T{key}\n{key}" for key in "abcde"}


def test_an_answer_that_shows_no_end_is_ended() -> None:
    """A page with a next page but nothing new is the last."""
    reading = Reading("web", None)
    assert read(reading, page("ab", more=True), page("ba", more=True)) == [1, 2]
    assert reading.texts() is not None


@pytest.mark.parametrize(
    ("first", "wanted"),
    [
        (page("abc", Total(4), more=True), 1),  # more than the limit shows
        (page("abc", Total(3), more=True), 1),  # as many as it shows
        (page("ab", Total(3), more=True), 2),
        (page("ab", more=True), 2),
    ],
)
def test_what_the_limit_cuts_is_not_read_to_its_end(first: Page, wanted: int) -> None:
    """A total above the limit, or as many rows as the limit, stops the reading at once."""
    reading = Reading("web", 3)
    assert len(read(reading, *([first] if wanted == 1 else [first, page("c")]))) == wanted


def test_a_total_that_is_not_believed_cuts_nothing_short() -> None:
    """An untrusted total neither stops the reading nor shows that documents are missing."""
    pages = page("ab", Total(90), more=True), page("c", Total(90))
    assert read(Reading("web", 5, believes=False), *pages) == [1, 2]
    doubted = Reading("web", 5, believes=False)
    read(doubted, *pages)
    assert set(doubted.texts() or ()) == set("abc")
    believed = Reading("web", 5)
    assert read(believed, pages[0]) == [1]
    assert believed.texts() is None


@pytest.mark.parametrize(
    ("last", "limit", "is_whole"),
    [
        (page("abc", Total(3)), None, True),
        (page("abc", Total(4)), None, False),
        (page("abc", Total(3)), 3, True),
        (page("abc"), 3, False),
        (page("abc"), 4, True),
        (page("abc", Total(9, "about")), None, True),
        (page("aab", Total(3)), None, False),
        (page(""), None, True),
    ],
)
def test_texts_are_those_of_a_whole_answer_alone(
    last: Page, limit: int | None, is_whole: bool
) -> None:
    """Different documents must reach an exact total, but not reach a limit."""
    reading = Reading("web", limit)
    read(reading, last)
    assert (reading.texts() is not None) is is_whole


def test_a_page_that_failed_leaves_nothing_known() -> None:
    """After a failed page, no further page is requested."""
    reading = Reading("web", None)
    assert reading.next() is not None
    reading.tell(PageReceived(WEB, 1, page("ab", more=True), probe=True))
    assert reading.next() is not None
    reading.tell(PageFailed(WEB, 2, "status 500"))
    assert reading.next() is None
    assert reading.failed
    assert reading.texts() is None


def test_a_count_takes_one_page_and_no_document() -> None:
    """A count takes one page without documents, and only an exact total counts."""
    reading = Reading("web", None, counts=True)
    probe = reading.next()
    assert probe is not None
    assert not probe.reads
    reading.tell(PageReceived(WEB, 1, page("ab", Total(70), more=True), probe=True))
    assert reading.next() is None
    assert reading.count() == 70
    about = Reading("web", None, counts=True)
    read(about, page("ab", Total(70, "about"), more=True))
    assert about.count() is None
    assert Reading("web", None).count() is None


@pytest.mark.parametrize(
    ("last", "limit", "expected"),
    [
        (page("abc", Total(3)), None, True),
        (page("abc", Total(3)), 4, True),
        (page("abc", Total(4)), 4, False),
        (page("abc", Total(2)), 4, False),
        (page("aab", Total(3)), None, True),  # pages that lose rows, not a wrong total
        (page("aab", Total(2)), None, True),
        (page("aab", Total(4)), None, False),
        (page("abc", Total(9)), 3, None),  # cut
        (page("abc", Total(3, "about")), None, None),
        (page("abc"), None, None),
        (page("", Total(0)), None, None),
    ],
)
def test_a_total_is_borne_out_by_the_rows_that_came(
    last: Page, limit: int | None, expected: bool | None
) -> None:
    """The rows of a complete, non-empty answer confirm or contradict its total."""
    reading = Reading("web", limit)
    read(reading, last)
    assert reading.bears_out() is expected
