"""Words of links to the next page and back, names of parameters that count pages or end a range."""

# ruff: noqa: RUF001  (pages use these arrows)

import re

NEXT = re.compile(
    r"\b(next|weiter|weitere[rns]?|nächste\w*|vorwärts|suivant\w*|siguiente\w*|próxim\w*|proxim\w*|segu[ei]nte"
    r"|successiv\w*|avanti|volgende|nästa|neste|næste|seuraava|następn\w*|další|následující"
    r"|következő|înainte|вперед|вперёд|следующ\w*|далее|дальше|наступн\w*|sonraki|ileri|older"
    r"|more results|show more|load more|mehr (?:ergebnisse|treffer|laden|anzeigen)|weitere laden"
    r"|(?:afficher|charger) plus|plus de résultats|(?:cargar|mostrar) más|más resultados"
    r"|(?:carica|mostra) altr\w*|altri risultati|meer (?:laden|resultaten)|carregar mais"
    r"|mais resultados|pokaż więcej|więcej wyników|показать ещ[её]|visa fler|vis flere|näytä lisää"
    r"|daha fazla|επόμεν\w*|φόρτωση)\b|下一|次へ|次の|もっと見る|다음|التالي|הבא",
    re.IGNORECASE,
)
BACK = re.compile(
    r"\b(prev\w*|back|zurück|vorherig\w*|précédent\w*|anterior\w*|preceden\w*|vorige|föregående"
    r"|forrige|edellinen|poprzedni\w*|předchozí|предыдущ\w*|назад|first|last|letzte|erste)\b",
    re.IGNORECASE,
)
CLASS = re.compile(r"(^|[-_])next($|[-_])|pager-next|page-next|nextpage", re.IGNORECASE)
ARROWS = ("›", "»", "→", ">", ">>", "▶", "⟩", "❯", "chevron_right", "arrow_forward")

POSITIONS = (
    *(("page", True), ("offset", False), ("start", False), ("p", True), ("from", False)),
    *(("skip", False), ("pageNumber", True), ("paged", True), ("resultOffset", False)),
    ("startfrom", False),
)
"""Parameters that often count pages (True) or hits (False), to try if nothing shows which does."""

_SIZE = re.compile(
    r"size|limit|per_?page|hits|rows|count|num|anzahl|^n$|^pp$|^ps$|length|max|nb|perp|show|delta"
    r"|^\$top$|antal|cant|taille|tama|^tam_|paginated?_?by|page_?len",
    re.I,
)
_PAGE = re.compile(
    r"page|pagina|página|seite|^sid[ae]$|^sivu|^stron|^oldal|^pa?g?$|^p_?(?:index|idx|no)$", re.I
)
_POSITION = re.compile(
    rf"{_PAGE.pattern}|start|offset|from|skip|first|begin|inicio|debut|desde|^o$|pos", re.I
)
_PER = re.compile(r"per|size|[_-]?por[_-]?p|tama?|taille|antal|paginated?_?by|page_?len", re.I)
"""In names that contain the word for a page, but set the hits on it."""

_NO_FILTER = re.compile(
    r"sort|ord[er]|dir$|format|^f$|^fmt|wt$|lang|locale|culture|field|select|include|expand|key|token"
    r"|callback|version|view|index|highlight|operator|mode|client|device|^utm|clid$|submit|button|^go$",
    re.IGNORECASE,
)
"""Names of parameters that sort, shape or sign an answer rather than filter it."""

_OF_HITS = re.compile(r"[._\[](?:from|offset|start|skip|first)\]?$", re.I)
"""At the end of names that contain the word for a page, but count hits."""

LIKE = 3
"""How many usual names are tried with the mark of another parameter, such as "$" or "_"."""

_MARK = re.compile(r"[$_]+")

_ENDS = (
    *((">", "<"), ("from", "to"), ("since", "until"), ("start", "end"), ("begin", "end")),
    *(("after", "before"), ("min", "max"), ("lower", "upper"), ("low", "high"), ("gte", "lte")),
    *(("gt", "lt"), ("von", "bis"), ("desde", "hasta"), ("depuis", "jusque"), ("de", "a")),
)
"""What names of parameters for the first and the last value of a range have in the same place."""


def positions_like(size: str) -> list[tuple[str, bool]]:
    """Return parameters that may count pages (True) or hits (False), named like a marked size.

    Source: Socrata's SODA 2.1; JSON:API 1.1, section 6.3.

    >>> positions_like("$limit")[:2]
    [('$page', True), ('$offset', False)]
    >>> positions_like("page[size]"), positions_like("limit")
    ([('page[number]', True), ('page[offset]', False)], [])
    """
    if "[" in size:
        outer = size.partition("[")[0]
        return [(f"{outer}[number]", True), (f"{outer}[offset]", False)]
    mark = _MARK.match(size)
    return [(f"{mark[0]}{name}", is_page) for name, is_page in POSITIONS[:LIKE]] if mark else []


def is_position_name(name: str) -> bool:
    """Return whether a parameter of this name may count pages or hits.

    >>> is_position_name("startIndex"), is_position_name("per_page"), is_position_name("q")
    (True, False, False)
    >>> is_position_name("pagina"), is_position_name("tam_pagina")
    (True, False)
    """
    return bool(_POSITION.search(name)) and not _PER.search(name)


def is_page_name(name: str) -> bool:
    """Return whether a parameter of this name may count pages rather than hits.

    >>> is_page_name("pagina"), is_page_name("start"), is_page_name("page.from")
    (True, False, False)
    """
    return (bool(_PAGE.search(name)) and not _OF_HITS.search(name)) or name == "number"


def counts_pages_or_hits(name: str) -> bool:
    """Return whether a parameter of this name says where an answer begins, and nothing else.

    >>> counts_pages_or_hits("page"), counts_pages_or_hits("pageSize"), counts_pages_or_hits("from")
    (True, False, False)
    """
    names = {each.lower() for each, _ in POSITIONS} - {"from"}  # which may be a date
    return name.lower() in names or (is_page_name(name) and not is_size_name(name))


def is_size_name(name: str) -> bool:
    """Return whether a parameter of this name may set the hits on a page.

    >>> is_size_name("pageSize"), is_size_name("page"), is_size_name("rows")
    (True, False, True)
    >>> is_size_name("tam_pagina"), is_size_name("pagina"), is_size_name("paginate_by")
    (True, False, True)
    """
    is_place = re.search(r"page$|^page|pagina|start|offset", name, re.IGNORECASE)
    return bool(_SIZE.search(name)) and (not is_place or bool(_PER.search(name)))


def other_ends(name: str) -> list[str]:
    """Return names for the last value of a range, by that for the first; the likeliest first.

    >>> other_ends("publishedDate>"), other_ends("dateFrom"), other_ends("startdate")
    (['publishedDate<'], ['dateTo'], ['enddate'])
    >>> other_ends("DATE_FROM"), other_ends("fecha_de"), other_ends("created[gte]")
    (['DATE_TO'], ['fecha_a'], ['created[lte]'])
    >>> other_ends("day"), other_ends("order"), other_ends("length")
    ([], [], [])
    """
    found = []
    for first, last in _ENDS:
        begins = rf"(?:(?<![a-zA-Z])|(?=[A-Z]))(?i:{first})"
        # A short word stands by itself; a longer one may be written together with another.
        ends = "(?![a-z])" if len(first) == 2 else rf"|(?i:{first})(?![a-z])"
        if at := re.search(begins + ends, name):
            found.append(f"{name[: at.start()]}{_like(at[0], last)}{name[at.end() :]}")
    return found


def _like(word: str, other: str) -> str:
    """Return another word in the letters of a word: capital ones, or with the first one capital."""
    return other.upper() if word.isupper() else other.title() if word[0].isupper() else other


def is_filter_name(name: str) -> bool:
    """Return whether a parameter of this name may leave documents out.

    >>> is_filter_name("year"), is_filter_name("sort"), is_filter_name("page")
    (True, False, False)
    """
    is_place = is_position_name(name) or is_size_name(name)
    return not (is_place or _NO_FILTER.search(name))
