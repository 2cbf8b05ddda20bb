"""Search sites of different makes, each with the truth about itself.

Discovery was developed on `MAKES`; `ASIDE` were not used for that.
"""

# ruff: noqa: E501, RUF001  (markup reads better in one line; other scripts are intended)

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from urllib.parse import parse_qsl, quote, urlencode

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from tests.discovery.engines import Engine, Rules, Text, corpus

e = html.escape


@dataclass(frozen=True)
class Make:
    """A make of search site; the parts of its pages are names that are looked up below."""

    name: str
    layout: str = "ordered"
    form: str = "plain"
    paging: str = "rel"
    total: str = "of"
    corpus: str = "docs"
    language: str = "en"
    rules: Rules = field(default_factory=Rules)
    page_size: int = 10
    size_name: str = ""
    clamp: int | None = None
    limit: int | None = None
    counts: str = "exact"
    decoys: tuple[str, ...] = ("nav", "newsletter")
    method: str = "GET"
    charset: str = "utf-8"
    state: bool = False
    home_links: bool = False
    snippets: bool = True
    path: str = "/search"
    field: str = "q"


@dataclass(frozen=True)
class Row:
    """A hit as it is shown."""

    text: Text
    number: int
    url: str
    title: str
    snippet: str


@dataclass(frozen=True)
class Shown:
    """The true content of a result page."""

    typed: str
    number: int
    rows: tuple[Row, ...]
    total: int
    reported: int | None
    has_next: bool


class Site:
    """One site of a make: an application, and the truth about it."""

    def __init__(self, make: Make) -> None:
        self.make = make
        self.engine = _engine(make.corpus, make.rules, make.language)
        self.asked = 0
        self.log: list[str] = []
        routes = [
            Route("/", self.home),
            Route(make.path, self.search, methods=["GET", "POST"]),
            Route("/doc/{key}", self.document),
            Route("/view.php", self.document),
            Route("/login", self.trap, methods=["GET", "POST"]),
            Route("/newsletter", self.trap, methods=["POST"]),
            Route("/jump", self.jump),
            Route("/{other:path}", self.plain),
        ]
        self.app = Starlette(routes=routes)

    # The truth.

    def shown(self, typed: str, number: int, size: int | None = None) -> Shown:
        make = self.make
        size = size or make.page_size
        texts = self.engine.search(typed)
        total = len(texts)
        reachable = texts[: make.limit] if make.limit else texts
        start = (number - 1) * size
        rows = tuple(
            self._row(text, start + place + 1, typed)
            for place, text in enumerate(reachable[start : start + size])
        )
        reported: int | None = total
        if make.counts == "about" and total:
            guess = int(round(total * (0.8 + 0.05 * (len(typed) % 9)), -1 if total > 100 else 0))
            reported = max(guess, min(total, number * size))
        elif make.counts == "floor":
            reported = min(total, 100)
        elif make.counts == "limited" and make.limit:
            reported = min(total, make.limit)
        elif make.counts == "none":
            reported = None
        has_next = start + size < len(reachable)
        return Shown(typed, number, rows, total, reported, has_next)

    def _row(self, text: Text, number: int, typed: str) -> Row:
        words = [w for w in re.findall(r"[^\W\d_]+", typed.lower()) if len(w) > 1]
        snippet = _snippet(text.body, words) if self.make.snippets else ""
        return Row(text, number, self.link(text, number, typed), text.title, snippet)

    def link(self, text: Text, number: int, typed: str) -> str:
        return LINKS.get(self.make.layout, lambda t, n, q: f"/doc/{t.key}")(text, number, typed)

    # The pages.

    async def home(self, request: Request) -> Response:
        make = self.make
        label = WORDS[make.language]["search"]
        if make.home_links:
            body = f'<p>{e(_welcome(make))}</p><p><a href="{make.path}">{label}</a></p>'
        else:
            body = f"<p>{e(_welcome(make))}</p>" + self.form("")
        return self.page("Home", body)

    async def search(self, request: Request) -> Response:
        make = self.make
        given = dict(
            parse_qsl(
                request.url.query, keep_blank_values=True, encoding=make.charset, errors="replace"
            )
        )
        if request.method == "POST":
            given |= await _form_data(request, make.charset)
        elif make.method == "POST" and make.field in given and make.paging != "post-links":
            return self.page("?", self.form(""))
        if make.state and request.method == "POST" and not given.get("__token", "").startswith("t"):
            return self.page("Error", "<p>Your session has ended.</p>" + self.form(""))
        typed = given.get(make.field, "").strip()
        if not typed:
            return self.page("", self.form(""))
        size = make.page_size
        if make.size_name and given.get(make.size_name, "").isdigit():
            size = int(given[make.size_name])
            if make.clamp is not None:
                size = min(size, make.clamp)
            size = max(size, 1)
        number = self.number(given, size)
        if number is None:
            return HTMLResponse("<h1>Bad request</h1>", 400)
        if make.paging == "error" and make.limit and (number - 1) * size >= make.limit:
            return HTMLResponse("<h1>Result window is too large</h1>", 400)
        shown = self.shown(typed, number, size)
        if make.paging == "last-again" and not shown.rows and shown.total:
            reachable = min(shown.total, make.limit or shown.total)
            shown = replace(self.shown(typed, -(-reachable // size), size), typed=typed)
        return self.page(typed, self.results(shown, size, given))

    def number(self, given: dict[str, str], size: int) -> int | None:
        """Return the requested page, from 1; None if it is not a number."""
        return PAGE_OF[self.make.paging](given, size)

    async def document(self, request: Request) -> Response:
        key = request.path_params.get("key") or request.query_params.get("id", "")
        text = next((text for text in self.engine.texts if text.key == key), None)
        if text is None:
            return HTMLResponse("<h1>404</h1>", 404)
        body = f'<h1>{e(text.title)}</h1><div class="fulltext"><p>{e(text.body)}</p></div>'
        return self.page(text.title, f"<main>{body}</main>")

    async def trap(self, request: Request) -> Response:
        self.log.append(f"{request.method} {request.url.path}")
        return self.page("Trap", "<p>You should not have come here.</p>")

    async def jump(self, request: Request) -> Response:
        return self.page("Record", "<p>There is no such record.</p>")

    async def plain(self, request: Request) -> Response:
        return self.page("Page", f"<p>{e(_welcome(self.make))}</p>")

    def page(self, title: str, body: str) -> Response:
        make = self.make
        decoys = [DECOYS[name](self) for name in make.decoys]
        before = "".join(each for each in decoys[: len(decoys) // 2 + 1])
        after = "".join(each for each in decoys[len(decoys) // 2 + 1 :])
        text = (
            f'<!DOCTYPE html><html lang="{make.language}"><head><meta charset="{make.charset}">'
            f"<title>{e(title)} - {e(make.name)}</title></head><body>{before}"
            f'<div id="content">{body}</div>{after}<p class="foot">2009-2026</p></body></html>'
        )
        return Response(
            text.encode(make.charset, "xmlcharrefreplace"),
            media_type=f"text/html; charset={make.charset}",
        )

    def form(self, typed: str) -> str:
        return FORMS[self.make.form](self, e(typed))

    def results(self, shown: Shown, size: int, given: dict[str, str]) -> str:
        make = self.make
        words = WORDS[make.language]
        form = self.form(shown.typed)
        if not shown.rows:
            return f'{form}<p class="msg">{words["none"]} <b>{e(shown.typed)}</b>.</p>'
        total = TOTALS[make.total](shown, size, words) if make.total else ""
        rows = LAYOUTS[make.layout](self, shown.rows)
        onward = PAGERS[make.paging](self, shown, size, given)
        extra = "".join(EXTRAS[name](self, shown) for name in make.decoys if name in EXTRAS)
        notice = ""
        if make.limit and make.counts != "limited" and shown.total > make.limit and make.total:
            notice = (
                f"<p>{words['limit'].format(make.limit)}</p>"
                if make.name.endswith("notice")
                else ""
            )
        return f"{form}{total}{notice}{extra}{rows}{onward}"

    def url(self, typed: str, size: int, given: dict[str, str], **more: object) -> str:
        make = self.make
        fields = {make.field: typed}
        fields |= {
            n: v for n, v in given.items() if n not in (make.field, *POSITIONS, "__token", "go")
        }
        fields |= {name: str(value) for name, value in more.items()}
        if make.size_name and make.paging not in ("rel", "numbers"):
            fields.setdefault(make.size_name, str(size))
        return e(
            f"{make.path}?{urlencode(fields, encoding=make.charset, errors='xmlcharrefreplace')}"
        )


@cache
def _engine(name: str, rules: Rules, language: str) -> Engine:
    return Engine(corpus(name), rules, language)


async def _form_data(request: Request, charset: str) -> dict[str, str]:
    body = (await request.body()).decode("ascii", "replace")
    return dict(parse_qsl(body, keep_blank_values=True, encoding=charset))


def _snippet(body: str, words: list[str]) -> str:
    lower = body.lower()
    at = min((p for w in words if (p := lower.find(w)) >= 0), default=0)
    start = max(0, at - 60)
    return " ".join(body[start : start + 170].split())


def _welcome(make: Make) -> str:
    return f"{make.name}. " + " ".join(corpus(make.corpus)[3].body.split()[:40])


def _marked(snippet: str) -> str:
    words = snippet.split(" ")
    if len(words) > 6:
        words[3] = f"<b>{e(words[3])}</b>"
    return " ".join(word if word.startswith("<b>") else e(word) for word in words)


# Words.

WORDS = {
    "en": {"search": "Search", "none": "No results for", "next": "Next", "prev": "Previous",
           "results": "results", "of": "of", "about": "about", "limit": "Only the first {} are shown.",
           "page": "Page"},
    "de": {"search": "Suche", "none": "Keine Treffer für", "next": "Weiter", "prev": "Zurück",
           "results": "Treffer", "of": "von", "about": "etwa", "limit": "Nur die ersten {} werden gezeigt.",
           "page": "Seite"},
    "fr": {"search": "Rechercher", "none": "Aucun résultat pour", "next": "Suivant", "prev": "Précédent",
           "results": "résultats", "of": "sur", "about": "environ", "limit": "Seuls les {} premiers.",
           "page": "Page"},
    "es": {"search": "Buscar", "none": "No se encontraron resultados para", "next": "Siguiente",
           "prev": "Anterior", "results": "resultados", "of": "de", "about": "aproximadamente",
           "limit": "Solo los primeros {}.", "page": "Página"},
    "ru": {"search": "Поиск", "none": "Ничего не найдено:", "next": "Следующая", "prev": "Предыдущая",
           "results": "результатов", "of": "из", "about": "около", "limit": "Только первые {}.",
           "page": "Страница"},
    "pl": {"search": "Szukaj", "none": "Brak wyników dla", "next": "Następna", "prev": "Poprzednia",
           "results": "wyników", "of": "z", "about": "około", "limit": "Tylko pierwsze {}.",
           "page": "Strona"},
    "sv": {"search": "Sök", "none": "Inga träffar för", "next": "Nästa", "prev": "Föregående",
           "results": "träffar", "of": "av", "about": "cirka", "limit": "Bara de första {}.",
           "page": "Sida"},
}  # fmt: skip


# Forms.


def _plain_form(site: Site, typed: str) -> str:
    make = site.make
    label = WORDS[make.language]["search"]
    return (
        f'<form action="{make.path}" method="{make.method}">'
        f'<input name="{make.field}" value="{typed}"><input type="submit" value="{label}"></form>'
    )


def _role_form(site: Site, typed: str) -> str:
    make = site.make
    label = WORDS[make.language]["search"]
    return (
        f'<form role="search" class="site-search" action="{make.path}"><label for="box">{label}</label>'
        f'<input id="box" type="search" name="{make.field}" value="{typed}"><button>{label}</button></form>'
    )


def _hidden_form(site: Site, typed: str) -> str:
    make = site.make
    return (
        f'<form action="{make.path}" method="{make.method}" id="f1"><input type="hidden" name="lang" '
        f'value="{make.language}"><input type="hidden" name="db" value="main">'
        f'<input type="text" name="{make.field}" value="{typed}" placeholder="'
        f'{WORDS[make.language]["search"]}..."><input type="image" src="/lens.png" alt="Go"></form>'
    )


def _advanced_form(site: Site, typed: str) -> str:
    make = site.make
    options = "".join(f"<option value={n}>{n}</option>" for n in (10, 20, 50, 100))
    size = f'<select name="{make.size_name}">{options}</select>' if make.size_name else ""
    return (
        f'<form action="{make.path}" method="{make.method}"><table><tr><td>Keywords</td><td>'
        f'<input type="text" size="40" name="{make.field}" value="{typed}"></td></tr><tr><td>Author</td>'
        f'<td><input type="text" name="author"></td></tr><tr><td>Sort</td><td><select name="sort">'
        f'<option value="rel" selected>Relevance</option><option value="date">Date</option></select>'
        f'{size}</td></tr></table><input type="checkbox" name="full" value="1"> full text '
        f'<input type="submit" name="go" value="Search"></form>'
    )


def _state_form(site: Site, typed: str) -> str:
    make = site.make
    site.asked += 1
    label = WORDS[make.language]["search"]
    return (
        f'<form action="{make.path}" method="{make.method}" name="main"><input type="hidden" '
        f'name="__token" value="t{site.asked * 7717 % 99991}"><input type="text" name="{make.field}" '
        f'value="{typed}"><input type="submit" name="go" value="{label}"></form>'
    )


def _button_form(site: Site, typed: str) -> str:
    make = site.make
    label = WORDS[make.language]["search"]
    return (
        f'<div class="searchbox"><form action="{make.path}"><input aria-label="{label}" '
        f'name="{make.field}" value="{typed}"><button type="submit"><i class="icon"></i></button></form></div>'
    )


FORMS: dict[str, Callable[[Site, str], str]] = {
    "plain": _plain_form,
    "role": _role_form,
    "hidden": _hidden_form,
    "advanced": _advanced_form,
    "state": _state_form,
    "button": _button_form,
}


# Decoys: forms and links that are not a search and not hits.


def _nav(site: Site) -> str:
    names = ("About", "News", "Contact", "Help", "Browse")
    return "<ul>" + "".join(f'<li><a href="/{n.lower()}">{n}</a></li>' for n in names) + "</ul>"


DECOYS: dict[str, Callable[[Site], str]] = {
    "nav": _nav,
    "newsletter": lambda s: (
        '<form action="/newsletter" method="post"><label>Newsletter <input type="text" name="email">'
        "</label><button>Subscribe</button></form>"
    ),
    "login": lambda s: (
        '<form action="/login" method="post"><input name="user"><input type="password" name="pw">'
        '<input type="submit" value="Log in"></form>'
    ),
    "jump": lambda s: (
        '<form action="/jump"><input type="text" name="id" size="4"><input type="submit" '
        'value="Go to record"></form>'
    ),
    "feedback": lambda s: (
        '<form action="/newsletter" method="post"><input name="name"><textarea name="comment">'
        "</textarea><button>Send</button></form>"
    ),
    "sidebar": lambda s: (
        '<div class="side"><h3>Popular</h3>'
        + "".join(
            f'<div class="item"><a href="/doc/{t.key}">{e(t.title)}</a></div>'
            for t in s.engine.texts[:5]
        )
        + "</div>"
    ),
    "facets": lambda s: "",
    "took": lambda s: "",
    "related": lambda s: "",
}


def _facets(site: Site, shown: Shown) -> str:
    counts = {row.text.author: 0 for row in shown.rows}
    for text in site.engine.search(shown.typed):
        if text.author in counts:
            counts[text.author] += 1
    links = "".join(
        f'<li><a href="{site.make.path}?{urlencode({site.make.field: shown.typed, "author": name})}">'
        f"{name}</a> ({count})</li>"
        for name, count in counts.items()
    )
    return f'<div class="facets"><h4>Author</h4><ul>{links}</ul></div>'


def _took(site: Site, shown: Shown) -> str:
    site.asked += 1
    return f'<p class="stats">took {site.asked * 37 % 211 + 3} ms</p>'


def _related(site: Site, shown: Shown) -> str:
    words = [row.title.split()[0] for row in shown.rows[:4]]
    links = " ".join(
        f'<a href="{site.make.path}?{urlencode({site.make.field: f"{shown.typed} {w}"})}">{e(shown.typed)} {e(w)}</a>'
        for w in words
    )
    return f'<p class="related">Related: {links}</p>'


EXTRAS = {"facets": _facets, "took": _took, "related": _related}


# Totals.


def _n(number: int, mark: str = ",") -> str:
    return f"{number:,}".replace(",", mark)


def _range(shown: Shown, size: int) -> tuple[int, int]:
    return shown.rows[0].number, shown.rows[-1].number


def _of(shown: Shown, size: int, words: dict[str, str]) -> str:
    first, last = _range(shown, size)
    if shown.reported is None:
        return f"<p>{first}-{last}</p>"
    return f'<p class="count">{first}-{last} {words["of"]} {_n(shown.reported)}</p>'


def _about(shown: Shown, size: int, words: dict[str, str]) -> str:
    first, last = _range(shown, size)
    return f"<p>{first}-{last} {words['of']} {words['about']} {_n(shown.reported or 0)}</p>"


def _results(shown: Shown, size: int, words: dict[str, str]) -> str:
    return f'<div id="info">{_n(shown.reported or 0, ".")} {words["results"]}</div>'


def _bold(shown: Shown, size: int, words: dict[str, str]) -> str:
    first, last = _range(shown, size)
    return (
        f"<div>{words['results'].title()} <b>{first}</b> - <b>{last}</b> {words['of']} "
        f"<b>{_n(shown.reported or 0)}</b> (0.{len(shown.typed)}3 s)</div>"
    )


def _heading(shown: Shown, size: int, words: dict[str, str]) -> str:
    return f"<h2>{words['search']}: {e(shown.typed)} ({shown.reported})</h2>"


def _spaced(shown: Shown, size: int, words: dict[str, str]) -> str:
    return f'<span class="nb">{_n(shown.reported or 0, chr(160))}</span> <span>{words["results"]}</span>'


def _floor(shown: Shown, size: int, words: dict[str, str]) -> str:
    plus = "+" if shown.total > (shown.reported or 0) else ""
    return f'<p class="found">{_n(shown.reported or 0)}{plus} {words["results"]}</p>'


def _pages_of(shown: Shown, size: int, words: dict[str, str]) -> str:
    pages = -(-(shown.reported or 0) // size)
    return (
        f"<p>{words['page']} {shown.number} {words['of']} {pages}</p>"
        f"<p><em>{shown.reported}</em> {words['results']}</p>"
    )


TOTALS: dict[str, Callable[[Shown, int, dict[str, str]], str]] = {
    "of": _of,
    "about": _about,
    "results": _results,
    "bold": _bold,
    "heading": _heading,
    "spaced": _spaced,
    "floor": _floor,
    "pages": _pages_of,
}


# Layouts.


def _ordered(site: Site, rows: tuple[Row, ...]) -> str:
    items = "".join(
        f'<li class="hit"><h3><a href="{e(r.url)}">{e(r.title)}</a></h3>'
        f'<p class="abstract">{_marked(r.snippet)}</p><span class="meta">{r.text.date}</span></li>'
        for r in rows
    )
    return f'<ol class="hits" start="{rows[0].number}">{items}</ol>'


def _table(site: Site, rows: tuple[Row, ...]) -> str:
    items = "".join(
        f'<tr class="{"odd" if n % 2 else "even"}"><td>{r.number}</td><td><a href="{e(r.url)}">{e(r.title)}</a></td>'
        f"<td>{e(r.snippet)}</td><td>{r.text.date}</td></tr>"
        for n, r in enumerate(rows)
    )
    return f"<table border=1><tr><th>#</th><th>Title</th><th>Text</th><th>Date</th></tr>{items}</table>"


def _dl(site: Site, rows: tuple[Row, ...]) -> str:
    items = "".join(
        f'<dt><a href="{e(r.url)}">{e(r.title)}</a></dt><dd>{_marked(r.snippet)}</dd>' for r in rows
    )
    return f"<dl>{items}</dl>"


def _articles(site: Site, rows: tuple[Row, ...]) -> str:
    return "".join(
        f'<article class="card card-{r.number}"><header><h2 class="card__title"><a href="{e(r.url)}">{e(r.title)}'
        f'</a></h2></header><div class="excerpt"><p>{_marked(r.snippet)}</p></div>'
        f'<a class="more" href="{e(r.url)}">Read more</a></article>'
        for r in rows
    )


def _soup(site: Site, rows: tuple[Row, ...]) -> str:
    return (
        "<div class=r-list>"
        + "".join(
            f'<div class="r"><div class="t"><a href="{e(r.url)}">{e(r.title)}</a></div>'
            f'<div class="u">{e(r.url)}</div><div class="d">{_marked(r.snippet)}</div></div>'
            for r in rows
        )
        + "</div>"
    )


def _details(site: Site, rows: tuple[Row, ...]) -> str:
    items = "".join(
        f'<tr><td>{r.text.author}</td><td class="ti">{e(r.title)}</td><td>{e(r.snippet)}</td>'
        f'<td><a href="{e(r.url)}">View</a></td></tr>'
        for r in rows
    )
    return f'<table class="list"><thead><tr><th>Who</th><th>Title</th><th>Text</th><th></th></tr></thead><tbody>{items}</tbody></table>'


def _thumbs(site: Site, rows: tuple[Row, ...]) -> str:
    return "".join(
        f'<div class="media"><a href="{e(r.url)}"><img src="/i/{r.text.key}.png" alt=""></a>'
        f'<div class="body"><a class="title" href="{e(r.url)}">{e(r.title)}</a> by '
        f'<a href="/author/{r.text.author}">{r.text.author}</a><p>{_marked(r.snippet)}</p></div></div>'
        for r in rows
    )


def _params(site: Site, rows: tuple[Row, ...]) -> str:
    return (
        "<ul>"
        + "".join(
            f'<li><a href="{e(r.url)}">{e(r.title)}</a><br><i>{_marked(r.snippet)}</i></li>'
            for r in rows
        )
        + "</ul>"
    )


def _two_rows(site: Site, rows: tuple[Row, ...]) -> str:
    items = "".join(
        f'<tr class="head"><td>{r.number}.</td><td><a href="{e(r.url)}">{e(r.title)}</a></td></tr>'
        f'<tr class="text"><td></td><td>{_marked(r.snippet)}</td></tr>'
        for r in rows
    )
    return f"<table>{items}</table>"


def _cards(site: Site, rows: tuple[Row, ...]) -> str:
    return (
        '<div class="grid">'
        + "".join(
            f'<a class="tile" href="{e(r.url)}"><h4>{e(r.title)}</h4><p>{_marked(r.snippet)}</p></a>'
            for r in rows
        )
        + "</div>"
    )


def _titles(site: Site, rows: tuple[Row, ...]) -> str:
    return (
        "<ul class=bare>"
        + "".join(f'<li><a href="{e(r.url)}">{e(r.title)}</a></li>' for r in rows)
        + "</ul>"
    )


LAYOUTS: dict[str, Callable[[Site, tuple[Row, ...]], str]] = {
    "ordered": _ordered,
    "table": _table,
    "dl": _dl,
    "articles": _articles,
    "soup": _soup,
    "details": _details,
    "thumbs": _thumbs,
    "params": _params,
    "two-rows": _two_rows,
    "cards": _cards,
    "titles": _titles,
}
LINKS: dict[str, Callable[[Text, int, str], str]] = {
    "params": lambda t, n, q: f"/view.php?id={t.key}&hl={quote(q)}&pos={n}",
}

# Paging.

POSITIONS = ("page", "start", "p", "offset", "from", "first", "topage")


def _number_of(name: str, first: int) -> Callable[[dict[str, str], int], int | None]:
    def number(given: dict[str, str], size: int) -> int | None:
        value = given.get(name) or str(first)
        return int(value) - first + 1 if value.isdigit() and int(value) >= first else None

    return number


def _offset_of(name: str, first: int) -> Callable[[dict[str, str], int], int | None]:
    def number(given: dict[str, str], size: int) -> int | None:
        value = given.get(name) or str(first)
        return (int(value) - first) // size + 1 if value.isdigit() else None

    return number


PAGE_OF: dict[str, Callable[[dict[str, str], int], int | None]] = {
    "rel": _number_of("page", 1),
    "error": _number_of("page", 1),
    "text": _offset_of("start", 0),
    "numbers": _number_of("p", 1),
    "zero": _number_of("page", 0),
    "arrows": _offset_of("offset", 0),
    "stays": _number_of("page", 1),
    "buttons": _number_of("topage", 1),
    "post": _number_of("page", 1),
    "last-again": _offset_of("from", 1),
    "none": lambda given, size: 1,
}


def _link(url: str, said: str, more: str = "") -> str:
    return f'<a href="{url}"{more}>{said}</a>'


def _rel(site: Site, s: Shown, size: int, given: dict[str, str]) -> str:
    words = WORDS[site.make.language]
    out = ""
    if s.number > 1:
        out += _link(
            site.url(s.typed, size, given, page=s.number - 1), words["prev"], ' rel="prev"'
        )
    if s.has_next:
        out += _link(
            site.url(s.typed, size, given, page=s.number + 1), words["next"], ' rel="next"'
        )
    return f"<nav>{out}</nav>"


def _text(site: Site, s: Shown, size: int, given: dict[str, str]) -> str:
    words = WORDS[site.make.language]
    out = ""
    if s.number > 1:
        out += _link(
            site.url(s.typed, size, given, start=(s.number - 2) * size), f"« {words['prev']}"
        )
    if s.has_next:
        out += " | " + _link(
            site.url(s.typed, size, given, start=s.number * size), f"{words['next']} »"
        )
    return f"<p>{out}</p>"


def _window(site: Site, s: Shown, size: int) -> range:
    reachable = min(s.total, site.make.limit or s.total)
    pages = -(-reachable // size)
    return range(max(1, s.number - 3), min(pages, s.number + 5) + 1)


def _numbers(site: Site, s: Shown, size: int, given: dict[str, str]) -> str:
    out = " ".join(
        f"<b>{n}</b>" if n == s.number else _link(site.url(s.typed, size, given, p=n), str(n))
        for n in _window(site, s, size)
    )
    return f'<div class="pages">{out}</div>'


def _zero(site: Site, s: Shown, size: int, given: dict[str, str]) -> str:
    out = "".join(
        f'<li class="pager-item">{_link(site.url(s.typed, size, given, page=n - 1), str(n))}</li>'
        for n in _window(site, s, size)
        if n != s.number
    )
    if s.has_next:
        out += f'<li class="pager-next">{_link(site.url(s.typed, size, given, page=s.number), "›")}</li>'
    return f'<ul class="pager">{out}</ul>'


def _arrows(site: Site, s: Shown, size: int, given: dict[str, str]) -> str:
    reachable = min(s.total, site.make.limit or s.total)
    last = (-(-reachable // size) - 1) * size
    out = ""
    if s.number > 1:
        out += _link(site.url(s.typed, size, given, offset=0), "«")
        out += _link(site.url(s.typed, size, given, offset=(s.number - 2) * size), "‹")
    if s.has_next:
        out += _link(site.url(s.typed, size, given, offset=s.number * size), "›")
        out += _link(site.url(s.typed, size, given, offset=last), "»")
    return f"<p class=nav>{out}</p>"


def _stays(site: Site, s: Shown, size: int, given: dict[str, str]) -> str:
    words = WORDS[site.make.language]
    return f"<p>{_link(site.url(s.typed, size, given, page=s.number + 1), words['next'], ' class=nx')}</p>"


def _buttons(site: Site, s: Shown, size: int, given: dict[str, str]) -> str:
    inputs = "".join(
        f'<input type="submit" name="topage" value="{n}">' for n in _window(site, s, size)
    )
    return (
        f'<form action="{site.make.path}"><input type="hidden" name="{site.make.field}" value="{e(s.typed)}">'
        f"{_size_field(site, size)}{inputs}</form>"
    )


def _size_field(site: Site, size: int) -> str:
    name = site.make.size_name
    return f'<input type="hidden" name="{name}" value="{size}">' if name else ""


def _post(site: Site, s: Shown, size: int, given: dict[str, str]) -> str:
    if not s.has_next:
        return ""
    site.asked += 1
    token = f'<input type="hidden" name="__token" value="t{site.asked}">' if site.make.state else ""
    return (
        f'<form action="{site.make.path}" method="post" class="pagerform">{token}<input type="hidden" '
        f'name="{site.make.field}" value="{e(s.typed)}"><input type="hidden" name="page" value="{s.number + 1}">'
        f'<button type="submit">{WORDS[site.make.language]["next"]}</button></form>'
    )


def _last_again(site: Site, s: Shown, size: int, given: dict[str, str]) -> str:
    words = WORDS[site.make.language]
    out = ""
    if s.has_next:
        url = site.url(s.typed, size, given, **{"from": s.number * size + 1})
        out = _link(url, f'<img src="/r.gif" alt="{words["next"]}">')
    return f"<div>{out}</div>"


PAGERS: dict[str, Callable[[Site, Shown, int, dict[str, str]], str]] = {
    "rel": _rel,
    "error": _rel,
    "text": _text,
    "numbers": _numbers,
    "zero": _zero,
    "arrows": _arrows,
    "stays": _stays,
    "buttons": _buttons,
    "post": _post,
    "last-again": _last_again,
    "none": lambda site, s, size, given: "",
}

MAKES = [
    Make("gazette", decoys=("nav", "login", "newsletter", "took"), total="bold", limit=200),
    Make(
        "katalog",
        layout="table",
        form="hidden",
        paging="text",
        total="of",
        corpus="de",
        language="de",
        rules=Rules(nots=("NOT",), stems=True),
        page_size=15,
        size_name="anzahl",
        clamp=60,
    ),
    Make(
        "annuaire",
        layout="dl",
        form="plain",
        paging="numbers",
        total="results",
        corpus="fr",
        language="fr",
        rules=Rules(nots=("-",), phrase=False),
        charset="iso-8859-1",
    ),
    Make(
        "papers",
        layout="articles",
        form="role",
        paging="zero",
        total="heading",
        rules=Rules(default="OR", nots=("-", "NOT")),
        decoys=("nav", "sidebar", "newsletter"),
        path="/find",
    ),
    Make(
        "tienda",
        layout="soup",
        form="button",
        paging="stays",
        total="about",
        counts="about",
        corpus="es",
        language="es",
        rules=Rules(nots=("NOT",)),
        field="texto",
    ),
    Make(
        "records",
        layout="details",
        form="advanced",
        paging="arrows",
        total="spaced",
        size_name="limit",
        clamp=100,
        decoys=("nav", "jump", "login"),
        page_size=20,
    ),
    Make(
        "media",
        layout="thumbs",
        form="plain",
        paging="rel",
        total="floor",
        counts="floor",
        decoys=("nav", "facets", "related", "newsletter"),
        rules=Rules(nots=(), phrase=True, stems=True),
    ),
    Make(
        "archiv",
        layout="params",
        form="state",
        paging="post",
        total="pages",
        method="POST",
        state=True,
        corpus="de",
        language="de",
        rules=Rules(nots=("-",)),
    ),
    Make(
        "sklep",
        layout="two-rows",
        form="hidden",
        paging="last-again",
        total="of",
        corpus="pl",
        language="pl",
        limit=100,
        rules=Rules(nots=("-",), max_terms=8),
    ),
    Make(
        "poisk",
        layout="cards",
        form="plain",
        paging="text",
        total="results",
        corpus="ru",
        language="ru",
        rules=Rules(nots=("-",)),
    ),
    Make(
        "listing",
        layout="titles",
        form="plain",
        paging="none",
        total="",
        counts="none",
        limit=50,
        page_size=50,
        snippets=False,
        rules=Rules(nots=("NOT",)),
    ),
    Make(
        "deep",
        layout="soup",
        form="role",
        paging="error",
        total="of",
        limit=150,
        decoys=("nav", "facets", "took"),
        rules=Rules(default="OR", nots=("AND NOT",), ands=("AND",)),
    ),
    Make(
        "simple",
        layout="ordered",
        form="plain",
        paging="buttons",
        total="bold",
        home_links=True,
        rules=Rules(nots=(), phrase=False),
    ),
    Make(
        "tidning",
        layout="ordered",
        form="role",
        paging="text",
        total="results",
        corpus="sv",
        language="sv",
        counts="none",
        rules=Rules(nots=("-",), wildcard=True),
    ),
]
