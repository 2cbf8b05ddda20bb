"""Find the search page of a site by its links."""

from collections.abc import Callable, Iterable

from longline.known_item.course import Course, CourseExplorer, Downloads
from longline.known_item.explorer import Answer, Link, SitePage
from longline.known_item.pages import words

SEARCH = frozenset(
    words(
        "search find finder finding query lookup seek suche suchen recherche rechercher chercher "
        "buscar busca buscador búsqueda busqueda pesquisa pesquisar procurar cerca ricerca cercare "
        "zoek zoeken søk søg sök haku etsi szukaj wyszukaj wyszukiwarka hledat hledání keresés "
        "ara arama căutare tìm поиск искать пошук търсене αναζήτηση 検索 搜索 搜尋 검색 "
        "بحث חיפוש ค้นหา"
    )
)
"""Words for search, in the languages of the larger webs."""

MORE = frozenset(words("advanced expert erweitert avancée avanzada avançada avanzata uitgebreid"))
PLACES = frozenset(
    words(
        "catalogue catalog database archive library records collection browse katalog archiv wiki "
        "sitemap"
    )
)
"""Names of pages that may have a search, if no link says so."""

HELP = frozenset(words("help tips about hilfe tipps aide ayuda ajuda aiuto guide faq"))
"""Names of pages that explain how to search."""

SURE = 0.9
"""Probability at which to stop."""

Test = Callable[[SitePage], float]
"""Returns the probability that a page is the search page, 0 to 1, by its forms."""


def link_score(link: Link) -> float:
    """Return how likely a link leads to a search page, as a score; 0 without any sign.

    >>> advanced = Link("s", ("advanced", "search"))
    >>> link_score(advanced) > link_score(Link("f", ("find", "us"))) > 0
    True
    >>> link_score(Link("n", ("new",)))
    0.0
    """
    named, addressed = frozenset(link.label), frozenset((*link.url, *link.path))
    score = 3.0 * bool(named & SEARCH) + 2.0 * bool(addressed & SEARCH)
    score += 1.0 * bool((named | addressed) & MORE) + 0.5 * bool((named | addressed) & PLACES)
    score -= 2.0 * bool(named & HELP)
    # "Search for jobs in the city of Example" is usually about something else.
    return max(0.0, score - 0.2 * max(0, len(named) - 2))


class SearchPageExplorer(CourseExplorer):
    """Find the search page of a site: follow the most promising links first, then near ones.

    Its confidence is the test's result for the answer.

    Args:
        start: Key of the first page.
        is_target: Tests a page; the first page with `SURE` or more is the answer.
        budget: The most pages to download.
        only_told: Whether to follow only promising links.
    """

    def __init__(
        self,
        start: str,
        is_target: Test,
        budget: int,
        *,
        only_told: bool = False,
    ) -> None:
        self._is_target = is_target
        self._only_told = only_told
        super().__init__(self._search(start, Downloads(budget)))

    def _search(self, start: str, downloads: Downloads) -> Course:
        waiting = {start: 0.0}
        depths = {start: 0}
        chances: dict[str, float] = {}
        while waiting and not downloads.is_spent:
            # Of equals, max returns the first, which is the one known longest.
            key = max(waiting, key=lambda each: waiting[each] - 0.5 * depths[each])
            del waiting[key]
            page = yield from downloads.get(key)
            if page is None or page.key in chances:
                continue
            waiting.pop(page.key, None)
            chances[page.key] = self._is_target(page)
            if chances[page.key] >= SURE:
                break
            depth = depths.setdefault(page.key, depths[key])
            for link in _new(page.links, chances, downloads):
                if self._only_told and not link_score(link) > 0:
                    continue
                waiting[link.target] = max(waiting.get(link.target, 0.0), link_score(link))
                depths.setdefault(link.target, depth + 1)
        ranked = sorted(chances, key=lambda each: -chances[each])
        if not ranked or not chances[ranked[0]]:
            return Answer(None, 0.0, downloads.count)
        others = tuple((key, chances[key]) for key in ranked[1:6] if chances[key])
        return Answer(ranked[0], chances[ranked[0]], downloads.count, others)


def _new(links: Iterable[Link], chances: dict[str, float], downloads: Downloads) -> Iterable[Link]:
    return (link for link in links if link.target not in chances and link.target not in downloads)
