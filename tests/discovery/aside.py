"""Sites that were not used to develop discovery: other pages, other words, other rules."""

# ruff: noqa: E501  (markup reads better in one line; other scripts are intended)

import html

from tests.discovery.engines import Rules
from tests.discovery.servers import (
    DECOYS,
    EXTRAS,
    FORMS,
    LAYOUTS,
    LINKS,
    PAGE_OF,
    PAGERS,
    TOTALS,
    WORDS,
    Make,
    Row,
    Shown,
    Site,
    _link,
    _marked,
    _n,
    _number_of,
    _offset_of,
    _range,
    _size_field,
    _window,
)

e = html.escape

WORDS |= {
    "it": {"search": "Cerca", "none": "Nessun risultato per", "next": "Avanti", "prev": "Indietro",
           "results": "risultati", "of": "di", "about": "circa", "limit": "Solo i primi {}.", "page": "Pagina"},
    "nl": {"search": "Zoeken", "none": "Geen resultaten voor", "next": "Volgende", "prev": "Vorige",
           "results": "resultaten", "of": "van", "about": "ongeveer", "limit": "Alleen de eerste {}.",
           "page": "Pagina"},
}  # fmt: skip


# Layouts.


def _group(site: Site, rows: tuple[Row, ...]) -> str:
    items = "".join(
        f'<div class="list-group-item d-flex"><div class="w-100"><h5 class="mb-1"><a class="stretched-link" '
        f'href="{e(r.url)}">{e(r.title)}</a></h5><small class="text-muted">{r.text.date} - {r.text.author}</small>'
        f'<div class="mb-1 lead">{_marked(r.snippet)}</div></div></div>'
        for r in rows
    )
    return f'<div class="list-group">{items}</div>'


def _legacy(site: Site, rows: tuple[Row, ...]) -> str:
    return "".join(
        f'<p><b>{r.number}.</b> <a href="{e(r.url)}">{e(r.title)}</a><br><font size="2">{_marked(r.snippet)}'
        f'</font><br><font color="green">http://host{e(r.url)} - 4k</font></p>'
        for r in rows
    )


def _headings(site: Site, rows: tuple[Row, ...]) -> str:
    return (
        '<div class="mw">'
        + "".join(
            f'<h3><a href="{e(r.url)}">{e(r.title)}</a></h3><p>{_marked(r.snippet)}</p>'
            for r in rows
        )
        + "</div>"
    )


def _mixed(site: Site, rows: tuple[Row, ...]) -> str:
    items = "".join(
        f'<li class="doc" id="doc-{r.text.key}"><div class="left"><a href="{e(r.url)}"><span>{e(r.title)}</span></a>'
        f'<div class="tags"><a href="/tag/{r.text.author}">{r.text.author}</a> <a href="/tag/x{r.number}">x{r.number}'
        f"</a></div></div>"
        + (f'<div class="sum">{_marked(r.snippet)}</div>' if r.number % 3 else "")
        + "</li>"
        for r in rows
    )
    return f'<ul id="results">{items}</ul>'


def _columns(site: Site, rows: tuple[Row, ...]) -> str:
    items = "".join(
        f'<tr><td class="c1">{r.text.key}</td><td class="c2"><a href="{e(r.url)}">{r.text.key}</a></td>'
        f'<td class="c3">{e(r.title)}</td><td class="c4">{e(r.snippet)}</td></tr>'
        for r in rows
    )
    return f'<table id="hits"><caption>Hits</caption>{items}</table>'


def _plain_text(site: Site, rows: tuple[Row, ...]) -> str:
    return (
        '<div class="entries">'
        + "".join(
            f'<div class="entry"><b>{e(r.title)}</b><p>{e(r.snippet)}</p></div>' for r in rows
        )
        + "</div>"
    )


LAYOUTS |= {
    "group": _group,
    "legacy": _legacy,
    "headings": _headings,
    "mixed": _mixed,
    "columns": _columns,
    "plain-text": _plain_text,
}
LINKS |= {
    "headings": lambda t, n, q: (
        f"/view.php?session=s{len(q) * 7 % 1000}x&id={t.key}&q={q.replace(' ', '+')}"
    ),
    "plain-text": lambda t, n, q: "",
}


# Totals.


def _found(shown: Shown, size: int, words: dict[str, str]) -> str:
    return f'<p class="hd">{words["search"]} <q>{e(shown.typed)}</q>: <strong>{_n(shown.reported or 0)}</strong> {words["results"]}</p>'


def _slash(shown: Shown, size: int, words: dict[str, str]) -> str:
    first, last = _range(shown, size)
    return f'<td class="cnt">{first} - {last} / {shown.reported}</td>'


def _title(shown: Shown, size: int, words: dict[str, str]) -> str:
    return f"<h1>{_n(shown.reported or 0, '.')} {words['results']} - {e(shown.typed)}</h1>"


def _approx(shown: Shown, size: int, words: dict[str, str]) -> str:
    return f"<div id=rs>{words['about'].capitalize()} {_n(shown.reported or 0)} {words['results']} (0.12 s)</div>"


TOTALS |= {"found": _found, "slash": _slash, "title": _title, "approx": _approx}


# Paging.


_LABEL = ' aria-label="Next page"'


def _aria(site: Site, s: Shown, size: int, given: dict[str, str]) -> str:
    if not s.has_next:
        return ""
    url = site.url(s.typed, size, given, page=s.number + 1)
    return f'<nav class="pagination">{_link(url, "→", _LABEL)}</nav>'


def _more(site: Site, s: Shown, size: int, given: dict[str, str]) -> str:
    if not s.has_next:
        return ""
    return f'<div class="load">{_link(site.url(s.typed, size, given, skip=s.number * size), "Load more results")}</div>'


def _omega(site: Site, s: Shown, size: int, given: dict[str, str]) -> str:
    inputs = '<input type="submit" name="&lt;" value="&lt;">' if s.number > 1 else ""
    inputs += '<input type="submit" name="fwd" value=">">' if s.has_next else ""
    return (
        f'<form action="{site.make.path}"><input type="hidden" name="{site.make.field}" value="{e(s.typed)}">'
        f'<input type="hidden" name="at" value="{s.number}">{_size_field(site, size)}{inputs}</form>'
    )


def _at(given: dict[str, str], size: int) -> int | None:
    return int(given.get("at", "1")) + ("fwd" in given) - ("<" in given)


def _windowed(site: Site, s: Shown, size: int, given: dict[str, str]) -> str:
    out = "".join(
        f'<li class="page-item"><a class="page-link" href="{site.url(s.typed, size, given, seite=n)}">{n}</a></li>'
        for n in _window(site, s, size)
    )
    if s.has_next:
        out += f'<li class="page-item next"><a class="page-link" href="{site.url(s.typed, size, given, seite=s.number + 1)}">&raquo;</a></li>'
    return f'<ul class="pagination">{out}</ul>'


PAGERS |= {"aria": _aria, "more": _more, "omega": _omega, "windowed": _windowed}
PAGE_OF |= {
    "aria": _number_of("page", 1),
    "more": _offset_of("skip", 0),
    "omega": _at,
    "windowed": _number_of("seite", 1),
}


# Forms and decoys.


def _bare(site: Site, typed: str) -> str:
    make = site.make
    return (
        f'<form method="get" action="{make.path}"><p>{WORDS[make.language]["search"]}: <input name="{make.field}" '
        f'value="{typed}" size="30"> <input type="submit" value="OK"></p></form>'
    )


def _two(site: Site, typed: str) -> str:
    make = site.make
    return (
        '<form action="/about" class="filter"><input name="filter" placeholder="Filter this list"></form>'
        f'<section class="search"><form action="{make.path}" method="{make.method}"><input type="hidden" '
        f'name="collection" value="all"><input type="text" name="{make.field}" value="{typed}" title="'
        f'{WORDS[make.language]["search"]}"><select name="rows"><option>10</option><option>25</option>'
        "<option>50</option></select><button>OK</button></form></section>"
    )


FORMS |= {"bare": _bare, "two": _two}
DECOYS |= {
    "hot": lambda s: '<p>Hot: <a href="/search?q=the">the</a> <a href="/search?q=news">news</a></p>'
}
EXTRAS |= {
    "hot": lambda s, shown: f'<p class="tm">{len(shown.typed) * 3 % 17}.{shown.number} sec</p>'
}

ASIDE = [
    Make("journal", layout="group", form="role", paging="aria", total="found", limit=300,
         decoys=("nav", "login", "newsletter", "facets"), rules=Rules(nots=("-",), stems=True)),
    Make("omega", layout="legacy", form="bare", paging="omega", total="approx", counts="about",
         field="P", rules=Rules(default="OR", nots=("NOT",))),
    Make("wiki", layout="headings", form="plain", paging="text", total="found", field="search",
         rules=Rules(nots=("-", "NOT"), phrase=True), size_name="limit", clamp=500, page_size=20,
         decoys=("nav", "sidebar", "hot")),
    Make("portale", layout="mixed", form="two", paging="windowed", total="title", corpus="es",
         language="it", size_name="rows", clamp=50, decoys=("nav", "newsletter", "jump"),
         rules=Rules(nots=("NOT",), phrase=False)),
    Make("columns", layout="columns", form="hidden", paging="more", total="slash", page_size=25,
         rules=Rules(nots=(), phrase=True, wildcard=True), decoys=("nav", "took", "feedback")),
    Make("woordenboek", layout="plain-text", form="bare", paging="text", total="", counts="none",
         corpus="sv", language="nl", rules=Rules(nots=("-",), max_terms=10), field="zoek"),
    Make("amt", layout="legacy", form="state", paging="post", total="results", method="POST",
         corpus="de", language="de", rules=Rules(nots=("NOT",)), decoys=("nav", "login", "feedback")),
]  # fmt: skip
