"""Sites with unusual habits of their software: a catalogue, a court, an archive.

Each is a separate class, with forms, rows and pagers in the style of its software.
"""

# ruff: noqa: E501  (markup reads better in one line)

import html
import re
from urllib.parse import quote, quote_plus

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from tests.discovery.engines import Rules, Text
from tests.discovery.servers import Make, Row, Shown, Site

e = html.escape


def _range(shown: Shown, size: int) -> tuple[int, int]:
    first = (shown.number - 1) * size + 1
    return first, first + len(shown.rows) - 1


def _dotted(number: int, mark: str) -> str:
    return f"{number:,}".replace(",", mark)


class Opac(Site):
    """A library's catalogue: table rows with check boxes, "Treffer 1 - 20 von 1.801"."""

    def link(self, text: Text, number: int, typed: str) -> str:
        return f"/view.php?DB=1&TRM={quote_plus(typed)}&id={text.key}&SHW={number}"

    def number(self, given: dict[str, str], size: int) -> int | None:
        start = given.get("FRST") or "1"
        return (int(start) - 1) // size + 1 if start.isdigit() else None

    def form(self, typed: str) -> str:
        make = self.make
        return (
            f'<form name="SearchForm" action="{make.path}" method="get"><table border="0"><tr><td>'
            '<select name="ACT"><option value="SRCHA">suchen [und]</option><option value="AND">eingrenzen</option>'
            '</select><select name="IKT"><option value="1016">[ALL] Alle W&ouml;rter</option><option value="4">[TIT] Titel'
            '</option></select> sortiert nach <select name="SRT"><option value="YOP">Erscheinungsjahr</option></select>'
            f'</td></tr><tr><td><input type="text" name="{make.field}" value="{typed}" size="50">'
            '<input type="submit" value="Suchen"></td></tr></table></form>'
        )

    def results(self, shown: Shown, size: int, given: dict[str, str]) -> str:
        form = self.form(e(shown.typed))
        if not shown.rows:
            return f'{form}<div class="error">Es wurde nichts gefunden.</div>'
        first, last = _range(shown, size)
        head = '<tr bgcolor="#dddddd"><th>Nr.</th><th>&nbsp;</th><th>Titel</th><th>Art</th><th>Status</th></tr>'
        rows = "".join(
            f'<tr valign="top"><td align="right">{row.number}.</td><td><input type="checkbox" name="MARK" value="{row.text.key}"></td>'
            f'<td><a href="{e(row.url)}"><b>{e(row.title)}</b></a><br><span class="beschr">{e(row.snippet)}</span></td>'
            f'<td><img src="/img/buch.gif" alt="Buch"></td><td><a href="/leihe?nr={row.text.key}">ausleihbar</a></td></tr>'
            for row in shown.rows
        )
        pager = ""
        if shown.has_next:
            url = f"{self.make.path}?ACT=SRCHA&IKT=1016&SRT=YOP&{self.make.field}={quote_plus(shown.typed)}&FRST={last + 1}"
            pager = f'<a href="{e(url)}"><img src="/img/rechts.gif" alt="weitere Treffer" border="0"></a>'
        count = f"Treffer {first} - {last} von {_dotted(shown.total, '.')}"
        return f'{form}<table width="100%"><tr><td class="nav">{count}</td><td align="right">{pager}</td></tr></table><table class="kurz">{head}{rows}</table>'


class Court(Site):
    """A court's register: one form around the page, hidden state, pages by __doPostBack."""

    def number(self, given: dict[str, str], size: int) -> int | None:
        if given.get("__EVENTTARGET") != "ctl00$Main$grid":
            return 1
        asked = re.fullmatch(r"Page\$(\d+)", given.get("__EVENTARGUMENT", ""))
        return int(asked[1]) if asked else None

    async def search(self, request: Request) -> Response:
        data = (await request.body()).decode() if request.method == "POST" else ""
        if data and "__VIEWSTATE=%2FwEP" not in data:
            return HTMLResponse("<h1>Validation of viewstate MAC failed.</h1>", 500)
        return await super().search(request)

    def form(self, typed: str) -> str:
        self.asked += 1
        hidden = "".join(
            f'<input type="hidden" name="{name}" id="{name}" value="{value}">'
            for name, value in (
                ("__EVENTTARGET", ""),
                ("__EVENTARGUMENT", ""),
                ("__VIEWSTATE", f"/wEP{self.asked * 7919 % 99991:05d}dGVzdA=="),
                ("__EVENTVALIDATION", f"/wEW{self.asked * 104729 % 99991:05d}"),
            )
        )
        return (
            f'<form method="post" action="{self.make.path}" id="aspnetForm">{hidden}<div class="panel"><label for="ctl00_Main_txt">Text'
            f'</label><input name="{self.make.field}" type="text" id="ctl00_Main_txt" value="{typed}"><label>Decision date from</label>'
            '<input name="ctl00$Main$from" type="text" maxlength="10"><label>to</label><input name="ctl00$Main$to" type="text" '
            'maxlength="10"><select name="ctl00$Main$court"><option value="">All courts</option><option value="A">Court of Appeal'
            '</option></select><input type="submit" name="ctl00$Main$btn" value="Search" id="ctl00_Main_btn"></div>'
        )

    async def home(self, request: Request) -> Response:
        return self.page("Register", f"{self.form('')}</form>")

    def results(self, shown: Shown, size: int, given: dict[str, str]) -> str:
        form = self.form(e(shown.typed))
        if not shown.rows:
            return (
                f'{form}<span id="ctl00_Main_msg">No decisions match your criteria.</span></form>'
            )
        rows = "".join(
            f'<tr class="{"row" if row.number % 2 else "altrow"}"><td>{row.text.date}</td><td><a id="ctl00_Main_grid_ctl{row.number:02d}_lnk" href="{e(row.url)}">{e(row.title)}</a></td>'
            f"<td>{row.text.author}</td><td>{e(row.snippet)}</td></tr>"
            for row in shown.rows
        )
        pages = -(-shown.total // size)
        cells = "".join(
            f"<td><span>{n}</span></td>"
            if n == shown.number
            else f"<td><a href=\"javascript:__doPostBack('ctl00$Main$grid','Page${n}')\">{n}</a></td>"
            for n in range(max(1, shown.number - 4), min(pages, shown.number + 5) + 1)
        )
        pager = (
            f'<tr class="pager"><td colspan="4"><table border="0"><tr>{cells}</tr></table></td></tr>'
            if pages > 1
            else ""
        )
        head = '<tr class="hdr"><th>Date</th><th>Case</th><th>Judge</th><th>Extract</th></tr>'
        return (
            f'{form}<span id="ctl00_Main_count">{shown.total} decision(s) found</span>'
            f'<table cellspacing="0" id="ctl00_Main_grid">{head}{rows}{pager}</table></form>'
        )


class Archives(Site):
    """A French archive's finding aids: shelf marks, a path above each hit, "page suivante"."""

    def link(self, text: Text, number: int, typed: str) -> str:
        return f"/view.php?ark=12345&id={text.key}"

    def number(self, given: dict[str, str], size: int) -> int | None:
        start = given.get("debut") or "0"
        return int(start) // size + 1 if start.isdigit() else None

    def form(self, typed: str) -> str:
        return (
            f'<div id="moteur"><form action="{self.make.path}" id="form_recherche"><fieldset><legend>Rechercher dans les inventaires</legend>'
            f'<input type="text" class="champ" name="{self.make.field}" value="{typed}" placeholder="Mots-cl\u00e9s"><label><input type="checkbox" '
            'name="images" value="1"> Avec images</label><input type="image" src="/ok.png" alt="ok"></fieldset></form></div>'
        )

    def results(self, shown: Shown, size: int, given: dict[str, str]) -> str:
        form = self.form(e(shown.typed))
        if not shown.rows:
            return f"{form}<h2>R\u00e9sultats</h2><p>Aucune notice ne correspond \u00e0 votre recherche.</p>"
        first, last = _range(shown, size)
        rows = "".join(
            f'<div class="notice" id="n{row.text.key}"><p class="arbo"><a href="/fonds/1">Archives anciennes</a> &gt; <a href="/fonds/{row.text.author}">'
            f'{row.text.author}</a></p><h3><span class="cote">3 E {row.number}</span> <a href="{e(row.url)}" class="intitule">{e(row.title)}</a></h3>'
            f'<p class="dates">{row.text.date}</p><p class="extrait">{e(row.snippet)}</p></div>'
            for row in shown.rows
        )
        facets = "".join(
            f'<li><a href="{self.make.path}?{self.make.field}={quote_plus(shown.typed)}&amp;siecle={n}">{n}e si\u00e8cle</a> ({shown.total // (n - 16) or 1})</li>'
            for n in (17, 18, 19, 20)
        )
        pager = ""
        base = f"{self.make.path}?{self.make.field}={quote_plus(shown.typed)}&amp;debut="
        if shown.number > 1:
            pager += f'<a href="{base}{(shown.number - 2) * size}">page pr\u00e9c\u00e9dente</a> - '
        if shown.has_next:
            pager += f'<a href="{base}{shown.number * size}">page suivante</a>'
        count = f"R\u00e9sultats {first} \u00e0 {last} sur {_dotted(shown.total, chr(0xA0))}"
        return f'{form}<div class="facettes"><h4>Si\u00e8cle</h4><ul>{facets}</ul></div><h2>{count}</h2>{rows}<p class="pagination">{pager}</p>'


class Views(Site):
    """A government's listing by Drupal's Views: numbered classes, relative links, `?page=0`."""

    def link(self, text: Text, number: int, typed: str) -> str:
        return f"/view.php?id={text.key}"

    def number(self, given: dict[str, str], size: int) -> int | None:
        page = given.get("page") or "0"
        return int(page) + 1 if page.isdigit() else None

    def form(self, typed: str) -> str:
        return (
            f'<form class="views-exposed-form" data-drupal-selector="views-exposed-form" action="{self.make.path}" method="get" accept-charset="UTF-8">'
            '<div class="js-form-item form-item"><label for="edit-t">Search publications</label>'
            f'<input data-drupal-selector="edit-t" type="text" id="edit-t" name="{self.make.field}" value="{typed}" size="30" maxlength="128" class="form-text"></div>'
            '<div class="form-item"><select name="sort_by" class="form-select"><option value="created">Date</option><option value="title">Title</option></select></div>'
            '<div class="form-actions"><input type="submit" id="edit-submit" value="Apply" class="button form-submit"></div></form>'
        )

    def results(self, shown: Shown, size: int, given: dict[str, str]) -> str:
        form = self.form(e(shown.typed))
        if not shown.rows:
            return f'<div class="view">{form}<div class="view-empty"><p>No publications found.</p></div></div>'
        first, last = _range(shown, size)
        count = len(shown.rows)
        rows = "".join(
            f'<div class="views-row views-row-{n} {"views-row-odd" if n % 2 else "views-row-even"}{" views-row-first" if n == 1 else ""}{" views-row-last" if n == count else ""}">'
            f'<div class="views-field views-field-title"><h3 class="field-content"><a href="{e(row.url)}" hreflang="en">{e(row.title)}</a></h3></div>'
            f'<div class="views-field views-field-created"><span class="field-content"><time datetime="{row.text.date}">{row.text.date}</time></span></div>'
            f'<div class="views-field views-field-body"><div class="field-content">{e(row.snippet)}</div></div></div>'
            for n, row in enumerate(shown.rows, 1)
        )
        pages = -(-shown.total // size)
        typed = quote_plus(shown.typed)
        items = "".join(
            f'<li class="pager__item{" is-active" if n == shown.number else ""}"><a href="?{self.make.field}={typed}&amp;page={n - 1}" title="Go to page {n}"><span class="visually-hidden">Page</span>{n}</a></li>'
            for n in range(max(1, shown.number - 4), min(pages, shown.number + 4) + 1)
        )
        if shown.has_next:
            items += (
                f'<li class="pager__item pager__item--next"><a href="?{self.make.field}={typed}&amp;page={shown.number}" title="Go to next page"><span class="visually-hidden">Next page</span><span aria-hidden="true">\u203a\u203a</span></a></li>'
                f'<li class="pager__item pager__item--last"><a href="?{self.make.field}={typed}&amp;page={pages - 1}" title="Go to last page"><span>Last \u00bb</span></a></li>'
            )
        return (
            f'<div class="view">{form}<div class="view-header">Displaying {first} - {last} of {shown.total}</div><div class="view-content">{rows}</div>'
            f'<nav class="pager" role="navigation"><ul class="pager__items">{items}</ul></nav></div>'
        )


class OldCgi(Site):
    """A program from the nineties: frames, font tags, unclosed tags, "[Next 10]" on a button."""

    def __init__(self, make: Make) -> None:
        super().__init__(make)
        self.app.router.routes.insert(0, Route("/query.html", self.query_page))

    async def home(self, request: Request) -> Response:
        return HTMLResponse(
            '<HTML><HEAD><TITLE>Index</TITLE></HEAD><FRAMESET COLS="20%,*"><FRAME SRC="/menu.html" NAME=menu>'
            '<FRAME SRC="/query.html" NAME=main><NOFRAMES>Your browser has no frames.</NOFRAMES></FRAMESET></HTML>'
        )

    async def query_page(self, request: Request) -> Response:
        return self.page("Query", self.form("") + "<HR><P>Enter the words to look for.")

    def page(self, title: str, body: str) -> Response:
        text = f'<HTML><HEAD><TITLE>{e(title)}</TITLE></HEAD><BODY BGCOLOR="#FFFFFF"><CENTER><FONT SIZE=+2>{e(self.make.name)}</FONT></CENTER>{body}</BODY></HTML>'
        return Response(text.encode("latin-1", "xmlcharrefreplace"), media_type="text/html")

    def link(self, text: Text, number: int, typed: str) -> str:
        return f"/view.php?id={text.key}&hit={number}"

    def number(self, given: dict[str, str], size: int) -> int | None:
        base = given.get("BASE") or "0"
        return int(base) // size + 1 if base.isdigit() else None

    def form(self, typed: str) -> str:
        return f'<FORM ACTION="{self.make.path}" METHOD=GET><B>Query:</B> <INPUT NAME={self.make.field} SIZE=40 VALUE="{typed}"> <INPUT TYPE=submit VALUE="Submit"> <INPUT TYPE=reset VALUE="Clear"></FORM>'

    def results(self, shown: Shown, size: int, given: dict[str, str]) -> str:
        form = self.form(e(shown.typed))
        if not shown.rows:
            return f"{form}<HR><FONT COLOR=red>Sorry, no matches for <B>{e(shown.typed)}</B></FONT>"
        rows = "".join(map(self._entry, shown.rows))
        button = ""
        if shown.has_next:
            button = (
                f'<FORM ACTION="{self.make.path}"><INPUT TYPE=hidden NAME={self.make.field} VALUE="{e(shown.typed)}"><INPUT TYPE=hidden NAME=BASE '
                f'VALUE="{shown.number * size}"><INPUT TYPE=submit VALUE="[Next {size}]"></FORM>'
            )
        return f"{form}<HR><FONT SIZE=-1>{shown.total} documents match your query.</FONT><DL>{rows}</DL>{button}"

    def _entry(self, row: Row) -> str:
        return (
            f'<DT><B>{row.number}.</B> <A HREF="{e(row.url)}"><FONT COLOR="#0000CC">{e(row.title)}</FONT></A> <FONT SIZE=-1>(score 0.{97 - row.number % 60})</FONT>'
            f"<DD>{e(row.snippet)}<P>"
        )


class Pages(Site):
    """A blog with the page number in the path, before the words: /page/2/?s=web."""

    def __init__(self, make: Make) -> None:
        super().__init__(make)
        self.app.router.routes.insert(0, Route("/page/{place}/", self.search))
        self.app.router.routes.insert(0, Route("/", self.front))

    async def front(self, request: Request) -> Response:
        asked = self.make.field in request.query_params
        return await (self.search(request) if asked else self.home(request))

    async def search(self, request: Request) -> Response:
        # The parameters after the path are the same as on the first page.
        self.place = request.path_params.get("place", "1")
        return await super().search(request)

    def number(self, given: dict[str, str], size: int) -> int | None:
        return int(self.place) if self.place.isdigit() and self.place != "0" else None

    def results(self, shown: Shown, size: int, given: dict[str, str]) -> str:
        form = self.form(e(shown.typed))
        if not shown.rows:
            return f"{form}<h1>Nothing found</h1><p>Nothing matches <b>{e(shown.typed)}</b>.</p>"
        rows = "".join(
            f'<article class="post type-post post-{row.number}"><h2 class="entry-title"><a href="{e(row.url)}" rel="bookmark">{e(row.title)}</a></h2>'
            f'<div class="entry-summary"><p>{e(row.snippet)}</p></div></article>'
            for row in shown.rows
        )
        return f"{form}<h1>{shown.total} results</h1>{rows}{self.pager(shown, size)}"

    def pager(self, shown: Shown, size: int) -> str:
        pages = -(-shown.total // size)
        items = "".join(
            f'<span aria-current="page" class="page-numbers current">{n}</span>'
            if n == shown.number
            else f'<a class="page-numbers" href="{e(self.page_url(shown.typed, n))}">{n}</a>'
            for n in range(max(1, shown.number - 3), min(pages, shown.number + 3) + 1)
        )
        return f'<nav class="pagination"><div class="nav-links">{items}</div></nav>'

    def page_url(self, typed: str, number: int) -> str:
        return f"/page/{number}/?{self.make.field}={quote_plus(typed)}"


class Paths(Pages):
    """A site with words and page number in the path: /search/web/2."""

    def __init__(self, make: Make) -> None:
        super().__init__(make)
        self.app.router.routes.insert(0, Route("/find/{words}/{place}", self.by_path))

    async def by_path(self, request: Request) -> Response:
        request.scope["query_string"] = (
            f"{self.make.field}={quote_plus(request.path_params['words'])}".encode()
        )
        return await self.search(request)

    def page_url(self, typed: str, number: int) -> str:
        return f"/find/{quote(typed)}/{number}"


class Posted(Site):
    """A form sent by POST; its pages are requested by numbered buttons of another form."""

    def number(self, given: dict[str, str], size: int) -> int | None:
        page = given.get("pg") or "1"
        return int(page) if page.isdigit() and page != "0" else None

    def results(self, shown: Shown, size: int, given: dict[str, str]) -> str:
        form = self.form(e(shown.typed))
        if not shown.rows:
            return f"{form}<p class=msg>0 hits</p>"
        rows = "".join(
            f'<li class="rec"><a href="{e(row.url)}">{e(row.title)}</a><div class="abs">{e(row.snippet)}</div></li>'
            for row in shown.rows
        )
        pages = -(-shown.total // size)
        buttons = "".join(
            f"<b>{n}</b> "
            if n == shown.number
            else f'<button type="submit" name="pg" value="{n}">{n}</button> '
            for n in range(max(1, shown.number - 3), min(pages, shown.number + 4) + 1)
        )
        pager = (
            f'<form method="post" action="{self.make.path}" class="pages"><input type="hidden" name="{self.make.field}" value="{e(shown.typed)}">'
            f"{buttons}</form>"
        )
        return f"{form}<p>{shown.total} hits</p><ul class=recs>{rows}</ul>{pager}"


HABITS = [
    Make("opac", corpus="de", language="de", page_size=20, path="/opac/search", field="TRM", rules=Rules(nots=("NOT",), phrase=False), decoys=("nav",)),
    Make("court", page_size=15, path="/register.aspx", field="ctl00$Main$txt", method="POST", state=False, rules=Rules(nots=("NOT",))),
    Make("archives", corpus="fr", language="fr", page_size=20, path="/recherche", field="motcle", rules=Rules(nots=("-",), phrase=True), decoys=("nav", "login")),
    Make("views", page_size=25, path="/publications", field="search_api_fulltext", rules=Rules(nots=("-",), stems=True), decoys=("nav", "newsletter")),
    Make("pages", page_size=10, path="/", field="s", rules=Rules(nots=("-",)), decoys=("nav",)),
    Make("paths", page_size=10, path="/", field="s", rules=Rules(nots=("-",)), decoys=("nav",)),
    Make("posted", page_size=10, path="/find", field="words", method="POST", rules=Rules(nots=("NOT",)), decoys=("nav",)),
    Make("oldcgi", page_size=10, path="/cgi-bin/query", field="KEYS", rules=Rules(default="OR", nots=("NOT",)), decoys=()),
]  # fmt: skip

KINDS: dict[str, type[Site]] = {
    "opac": Opac,
    "court": Court,
    "archives": Archives,
    "views": Views,
    "oldcgi": OldCgi,
    "pages": Pages,
    "paths": Paths,
    "posted": Posted,
}
