"""Unexpected pages, recognised by the site's earlier pages and by their titles."""

import pytest

from longline.errors import StrangerError
from longline.model import Document, Hit, Page, Query, Request, Response, Total
from longline.source.trust.change_detector import (
    ENOUGH_DOCUMENTS,
    ENOUGH_PAGES,
    ChangeDetector,
    ending_of,
)

WEB = Query(("web",))
EMPTY = "<p class=sorry>Nothing</p>"


def answer(body: str, path: str = "") -> Response:
    """Make a response with this markup."""
    return Response(url=f"https://x.example/{path}", status=200, body=body.encode())


def titled(title: str, body: str = "") -> Response:
    """Make a page with a title."""
    return answer(f"<html><title>{title}</title>{body}</html>")


def test_the_first_empty_page_of_each_look_is_suspect() -> None:
    """The first empty page of each layout is suspect, until one with this layout was accepted."""
    watch = ChangeDetector()
    assert watch.suspects(Page(), answer(EMPTY))
    watch.accept(answer(EMPTY))
    assert not watch.suspects(Page(), answer("<p class=sorry>No, really not</p>"))
    assert watch.suspects(Page(), answer("<section id=new><h1>Welcome</h1></section>"))


def test_a_title_is_named_as_a_reader_sees_it() -> None:
    """References of HTML are letters in messages."""
    with pytest.raises(StrangerError, match="titled 'Log in to Smith & Sons'"):
        ChangeDetector().suspects_hits(WEB, titled("Log in to Smith &amp; Sons"))


def test_hits_and_totals_speak_for_themselves() -> None:
    """Pages with hits or a total are not suspect."""
    watch = ChangeDetector()
    assert not watch.suspects(Page(total=Total(0)), answer(EMPTY))
    assert not watch.suspects(Page((Hit("a"),)), answer(EMPTY))


def test_a_page_without_its_query_is_suspect_where_all_before_showed_theirs() -> None:
    """A page without its query is suspect if all earlier ones showed theirs, until accepted."""
    watch = ChangeDetector()
    for _ in range(ENOUGH_PAGES):
        assert not watch.suspects_hits(WEB, answer("The WEB"))
    assert watch.suspects_hits(WEB, answer("The sea"))
    watch.accept_hits()
    assert not watch.suspects_hits(WEB, answer("The sea"))


def test_sites_that_do_not_show_queries_need_not() -> None:
    """If an early page did not show its query, or has no words, no page is suspect."""
    watch = ChangeDetector()
    assert not watch.suspects_hits(WEB, answer("The sea"))
    for _ in range(2 * ENOUGH_PAGES):
        assert not watch.suspects_hits(WEB, answer("The web"))
    assert not watch.suspects_hits(WEB, answer("The sea"))
    other = ChangeDetector()
    for _ in range(2 * ENOUGH_PAGES):
        assert not other.suspects_hits(Query(()), answer("The sea"))


def test_hits_below_a_title_that_says_login_are_none() -> None:
    """Hits on a page titled as a login raise an error, unless the query contains the word."""
    watch = ChangeDetector()
    with pytest.raises(StrangerError, match="Sign in"):
        watch.suspects_hits(WEB, titled("Sign in - web"))
    assert not watch.suspects_hits(Query(("sign",)), titled("Sign in - web"))


SHIP = Hit("1", "https://x.example/1", "The deep ship")
ASKED = Request(SHIP.url)


def test_a_document_without_words_of_its_hit_is_suspect_where_all_before_had_them() -> None:
    """A document without its hit's words is suspect if earlier ones had them, until accepted."""
    watch = ChangeDetector()
    assert watch.good is None
    for _ in range(ENOUGH_DOCUMENTS):
        assert not watch.suspects_document(SHIP, ASKED, titled("", "Of a ship in the deep"))
    assert watch.good == SHIP
    assert watch.suspects_document(SHIP, ASKED, titled("", "Plate VII"))
    watch.accept_document(SHIP)
    assert not watch.suspects_document(SHIP, ASKED, titled("", "Plate VII"))


def test_documents_of_earlier_runs_count() -> None:
    """A resumed run uses the documents of earlier runs."""
    watch = ChangeDetector()
    for _ in range(ENOUGH_DOCUMENTS):
        watch.know(SHIP, Document("1", title="Ship", text="Out on the deep"))
    assert watch.good == SHIP
    assert watch.suspects_document(SHIP, ASKED, titled("", "Plate VII"))
    assert watch.is_as_before(titled("", "Out on the deep, a ship"))
    assert not watch.is_as_before(titled("", "Plate VII"))


def test_a_document_without_any_good_one_before_is_no_measure() -> None:
    """Without an earlier good document, no page counts as before."""
    assert not ChangeDetector().is_as_before(titled("", "Out on the deep, a ship"))


@pytest.mark.parametrize(
    ("page", "cause"),
    [
        (titled("Please sign in"), "login"),
        (titled("", "<input type=password>"), "login"),
        (titled("Are you a robot?"), "captcha"),
        (titled("", '<div class="g-captcha"></div>'), "captcha"),
        (titled("Access denied"), "refused"),
    ],
)
def test_a_wall_in_the_place_of_a_document_says_which(page: Response, cause: str) -> None:
    """A login, captcha or refusal in place of a document raises an error with its cause."""
    with pytest.raises(StrangerError) as caught:
        ChangeDetector().suspects_document(SHIP, ASKED, page)
    assert (caught.value.ending.outcome, caught.value.ending.cause) == ("blocked", cause)


def test_documents_may_be_about_walls() -> None:
    """A hit about logins may lead to a page about them, and a page may have a login box."""
    watch = ChangeDetector()
    about = Hit("2", "https://x.example/2", "Sign in to Unix")
    assert not watch.suspects_document(about, Request(about.url), titled("Sign in to Unix"))
    listed = Hit("9", "https://x.example/wiki/Login%20records")
    page = titled("Login records: description")
    assert not ChangeDetector().suspects_document(listed, Request(listed.url), page)
    box = titled("The ship", "The deep ship <input type=password>")
    assert not ChangeDetector().suspects_document(SHIP, ASKED, box)


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("Our new shop", "changed"),
        ("Log in", "blocked (login)"),
        ("Verify that you are human: access denied", "blocked (captcha)"),
        ("Too many requests. Log in", "blocked (refused)"),
    ],
)
def test_what_a_page_says_is_how_a_harvest_ends(page: str, expected: str) -> None:
    """A page's words decide the outcome: captcha, then refusal, then login, then a change."""
    assert str(ending_of(page)) == expected
