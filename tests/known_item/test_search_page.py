"""Test the search for a search page: by links in many languages, confirmed by a test."""

import pytest

from longline.known_item.best_first.search_page import SearchPageExplorer, link_score
from longline.known_item.explorer import Link, SitePage, explore
from longline.known_item.pages.reading import HtmlPage, Reader
from longline.known_item.pages.terms import words
from longline.known_item.pages.urls import Site
from longline.model import Response

START = "https://port.example/"


def read(html: str, path: str = "") -> HtmlPage:
    """Read one page of a new site."""
    response = Response(
        url=f"{START}{path}", status=200, content_type="text/html", body=html.encode()
    )
    page = Reader(Site(START)).read(response, f"{START}{path}")
    assert page is not None
    return page


SEARCH_FORM = "<form action='/s'><input type=search name=q><button>Go</button></form>"


def has_box(page: SitePage) -> float:
    """Test a page only by its forms."""
    return float(isinstance(page, HtmlPage) and any(form.text_inputs for form in page.forms))


@pytest.mark.parametrize(
    "label",
    ["Search", "Erweiterte Suche", "Recherche avancée", "Búsqueda", "Zoeken", "検索", "Поиск"],
)
def test_links_in_many_languages(label: str) -> None:
    """A link that says "search" in any language scores above other links."""
    assert link_score(Link("s", words(label))) > link_score(Link("n", words("Latest news")))


def test_promising_links_come_first() -> None:
    """The page behind the most promising link is requested first."""
    menu = "".join(f"<a href=/p{n}>Page {n}</a>" for n in range(50))
    site: dict[str, SitePage] = {
        START: read(f"{menu}<a href=/q>Find documents</a>"),
        f"{START}q": read(SEARCH_FORM, "q"),
    }
    answer = explore(SearchPageExplorer(START, has_box, 20), site)
    assert (answer.key, answer.downloads) == (f"{START}q", 2)


def test_start_page_with_a_form_is_enough() -> None:
    """If the start page has the form, nothing more is requested."""
    answer = explore(
        SearchPageExplorer(START, has_box, 20), {START: read(f"<a href=/a>A</a>{SEARCH_FORM}")}
    )
    assert (answer.key, answer.downloads) == (START, 1)


def test_budget_is_kept_and_nothing_is_said() -> None:
    """A site without a search page gives no answer, within the budget."""
    menu = "".join(f"<a href=/p{n}>Page {n}</a>" for n in range(50))
    answer = explore(SearchPageExplorer(START, has_box, 7), {START: read(menu)})
    assert (answer.key, answer.confidence, answer.downloads) == (None, 0.0, 7)


def test_own_test_of_a_page() -> None:
    """Any test of a page can replace the test of its forms."""
    site = {START: read("<a href=/a>A</a>"), f"{START}a": read("<p>Tides</p>", "a")}
    hound = SearchPageExplorer(START, lambda page: float("tide" in page.words), 20)
    assert explore(hound, site).key == f"{START}a"
