"""The parts of a discovery: forms, next links, positions, selectors."""

import numpy as np
import pytest

from longline.discovery.answer import ParsedAnswer, show
from longline.discovery.asking.find_form_page import pages_with_forms
from longline.discovery.reading.next_link import onwards, position
from longline.discovery.reading.search_form import forms
from longline.discovery.reading.selectors import find_selector
from longline.discovery.reading.total_number import find_total
from longline.discovery.session import DiscoverySession
from longline.model import Request, Response


def page(
    body: str,
    words: str = "web",
    number: int = 1,
    url: str = "",
    content_type: str = "text/html",
) -> ParsedAnswer:
    url = url or f"http://site.example/search?q={words}"
    response = Response(url=url, status=200, content_type=content_type, body=body.encode())
    return show(words, Request(url), response, number)


@pytest.mark.parametrize(
    ("names", "label"),
    [
        ("Nazwisko: Imię: Miejsce:", "Słowa w opisie:"),
        ("Nachname Vorname Ort", "Stichwörter im Text"),
        ("Sukunimi Etunimi Paikka", "Hakusanat"),
        ("Cognome Nome Luogo", "Parole nel testo"),
    ],
)
def test_among_several_boxes_the_one_for_words_comes_first(names: str, label: str) -> None:
    """Its label is the text before it, as in the cell of a table."""
    cells = [
        f"<tr><td>{x}</td><td><input name=f{n}></td></tr>" for n, x in enumerate(names.split())
    ]
    last = f"<tr><td>{label}</td><td><input name=f9></td></tr>"
    body = f"<form action=s.php><table>{''.join(cells)}{last}</table></form>"
    assert forms(page(body))[0].field == "f9"


@pytest.mark.parametrize(
    "decoy",
    [
        "<form action=/jump><input name=id><input type=submit value='Go to record'></form>",
        "<form action=/news method=post><input name=email><button>Subscribe</button></form>",
        "<form action=/say method=post><input name=name><textarea name=q></textarea></form>",
        "<form action=/login method=post><input name=q><input type=password name=p></form>",
        "<form action=/up method=post><input name=search><input type=file name=f></form>",
    ],
)
def test_other_forms_come_after_the_search_form(decoy: str) -> None:
    """Jump boxes, newsletters, letters, logins and uploads are not search forms."""
    search = "<form action=/find><input name=words><button>Find</button></form>"
    for body in (decoy + search, search + decoy):
        assert forms(page(body))[0].field == "words"


def way(pages: dict[str, str], start: str = "http://site.example/") -> list[str]:
    """Go to a search form over pages in memory; return the requested URLs."""
    session, asked = DiscoverySession(start, np.random.default_rng(0)), []
    plan = pages_with_forms(session, page(pages[start], words="", url=start))
    try:
        request = next(plan)
        while True:
            asked.append(request.url)
            body = pages.get(request.url, "<p>nothing here</p>")
            answer = Response(
                url=request.url, status=200, content_type="text/html", body=body.encode()
            )
            request = plan.send(answer)
    except StopIteration:
        return asked


FORM = "<form action=/find><input name=q><button>Search</button></form>"


def test_the_link_that_says_search_is_followed_first() -> None:
    """Help pages, other sites and irrelevant pages are not requested before the form."""
    links = (
        "<a href=/a>About</a><a href=/help>Search help</a><a href=/s>Search</a>"
        "<a href=http://other.example/search>Search</a>"
    )
    pages = {"http://site.example/": links, "http://site.example/s": FORM}
    assert way(pages) == ["http://site.example/s"]


def test_a_form_two_links_away_is_found() -> None:
    """From the home page over the catalogue to its search."""
    pages = {
        "http://site.example/": "<a href=/news>News</a><a href=/c>Our catalogue</a>",
        "http://site.example/c": "<a href=/c/x>Advanced search</a>",
        "http://site.example/c/x": FORM,
    }
    assert way(pages) == ["http://site.example/c", "http://site.example/c/x"]


def test_a_form_on_the_first_page_is_enough() -> None:
    """Nothing else is requested."""
    assert way({"http://site.example/": FORM + "<a href=/s>Search</a>"}) == []


@pytest.mark.parametrize(
    ("body", "leads"),
    [
        ("<a href='?q=web&p=2' rel=next>x</a><a href='?q=web&p=9'>Next</a>", "p=2"),
        ("<a href='?q=web&p=1'>Previous</a><a href='?q=web&p=2'>Next page</a>", "p=2"),
        ("<a href='?q=web&p=2'>2</a><a href='?q=web&p=3'>3</a>", "p=2"),
        ("<a href='?q=web&p=2'>Weiter</a>", "p=2"),
        ("<a href='?q=web&p=2'><img src=a.gif alt='Página siguiente'></a>", "p=2"),
        ("<a href='?q=web&p=2'>\u203a</a><a href='?q=web&p=9'>\u00bb</a>", "p=2"),
        ("<form action=/search><input type=hidden name=q value=web>"
         "<input type=submit name=p value='&gt;'></form>", "p=%3E"),
    ],
)  # fmt: skip
def test_way_onward(body: str, leads: str) -> None:
    """rel=next, words for next in several languages, numbers, images, arrows and buttons."""
    assert leads in onwards(page(body))[0].request.url


def test_a_button_that_does_not_carry_the_query_leads_nowhere() -> None:
    """A page's tool form with a ">" button is not a link to the next page."""
    body = "<form action=/tools><input type=hidden name=id value=7><button>&gt;</button></form>"
    assert not onwards(page(body))


def test_position_counts_pages_or_hits() -> None:
    """The growing parameter counts pages from 0 or 1, or hits; a constant one does not count."""
    first = "/s?q=web"
    found = position(["/s?q=web&page=1", "/s?q=web&page=2"], 10, first)
    assert found is not None
    assert (found.name, found.step, found.first) == ("page", 1, 0)
    found = position(["/s?q=web&from=11&size=10"], 10, first)
    assert found is not None
    assert (found.name, found.first) == ("from", 1)
    assert position(["/s?q=web&sort=date"], 10, first) is None


def test_selector_leaves_the_pager_out() -> None:
    """Rows without a class are distinguished from a pager's items with a class."""
    body = (
        "<div id=c><ul><li><a href=/1>One</a></li><li><a href=/2>Two</a></li></ul>"
        "<ul><li class=page><a href=/p2>2</a></li></ul></div>"
    )
    shown = page(body)
    rows = [each.root for each in shown.answer.root.css("li:not(.page)")]
    selector, score = find_selector([(shown, rows)], [], inner="a")
    assert score == 1.0
    assert [e.root for e in shown.answer.root.css(selector.removeprefix("css:"))] == rows


def test_selector_prefers_the_direct_children_of_a_list() -> None:
    """Otherwise a list inside a hit of another page would be taken for hits."""
    rows = "".join(f"<li><h2><a href=/{n}>Title {n}</a></h2><p>Text</p></li>" for n in range(4))
    shown = page(f"<ul><li><a href=/a>About</a></ul><ol class=posts>{rows}</ol>")
    hits = [each.root for each in shown.answer.root.css("ol > li")]
    selector, score = find_selector([(shown, hits)], [], inner="a")
    assert score == 1.0
    other = page(f"<ol class=posts>{rows}<li><h2><a href=/9>T</a></h2><ul><li>a<li>b</ul></ol>")
    assert len(other.answer.root.css(selector.removeprefix("css:"))) == 5


def test_time_taken_is_no_total() -> None:
    """A number that differs when the query is repeated is not the total."""

    def answer(words: str, total: int, took: int) -> ParsedAnswer:
        return page(f"<p>{total} results</p><p>took {took} ms</p><ol><li>x</li></ol>", words)

    pages = [answer("deep", 30, 41), answer("web", 90, 77), answer("sea", 12, 60)]
    again = answer("deep", 30, 55)
    hits = {each: [e.root for e in each.answer.root.css("li")] for each in (*pages, again)}
    found = find_total(pages, hits, [(pages[0], again)])
    assert found is not None
    assert [total.documents for total in found.values if total] == [30, 90, 12]


def test_same_number_everywhere_is_no_total() -> None:
    """A year in the footer, the same on every page, is not the total."""
    pages = [page(f"<ol><li>{w}</li></ol><p>2009-2026</p>", w) for w in ("deep", "web", "sea")]
    hits = {each: [e.root for e in each.answer.root.css("li")] for each in pages}
    assert find_total(pages, hits) is None


def test_total_in_several_forms() -> None:
    """A number is a total because of the word after it, though each page phrases it differently."""
    said = {
        "deep": "1-10 of exactly 621 matches",
        "sea": "All 6 matches",
        "web": "1-10 of about 500 matches",
        "ray": "All 4 matches",
        "fin": "1 match",
    }
    form = "<input name=q><select><option>Matching any words<option>Matching all words</select>"
    pages = [
        page(f"<form>{form} {line}</form><ol>{'<li>x' * (1 + 2 * ('1-' in line))}</ol>", words)
        for words, line in said.items()
    ]
    hits = {each: each.root.findall(".//li") for each in pages}
    found = find_total(pages, hits)
    assert found is not None
    totals = [(each.documents, each.relation) for each in found.values if each]
    exact = [(621, "exact"), (6, "exact"), (500, "about"), (4, "exact"), (1, "exact")]
    assert totals == exact
