"""Sites whose search only works with scripts, each with the truth about itself."""

# ruff: noqa: E501  (markup and scripts read better in one line)

import base64
import html
import json
from dataclasses import replace
from urllib.parse import quote_plus

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from tests.discovery.apis import Api, Make

SIZE = 20

_COMMON = """
const at = selector => document.querySelector(selector);
const safe = text => text.replace(/[&<>]/g, c => ({'&': '&amp;', '<': '&lt;', '>': '&gt;'}[c]));
const item = (d, href) => `<li class="hit"><a href="${href}">${safe(d.title)}</a><p>${safe(d.abstract || d.excerpt || '')}</p></li>`;
"""

_ROUTED = (
    _COMMON
    + """
const get = async url => (await fetch(url)).json();
async function show() {
  const main = at('#main'), found = location.pathname.match(/^[/]doc[/](.+)$/);
  if (found) {
    const d = await get('/api/documents/' + found[1]);
    main.innerHTML = `<article><h1>${safe(d.title)}</h1><p>${safe(d.body)}</p></article>`;
    return;
  }
  const words = new URLSearchParams(location.search).get('q');
  if (!words) return;
  const d = await get('/api/search?q=' + encodeURIComponent(words) + '&page=1');
  main.innerHTML = `<p class="total">${d.count} texts</p><ul>` + d.results.map(r => item(r, '/doc/' + r.id)).join('') + '</ul>';
}
at('#app').innerHTML = '<header><input class="box" placeholder="Search the texts"></header><main id="main"><p>Welcome to the library of the harbour.</p></main>';
at('.box').addEventListener('keydown', e => {
  if (e.key === 'Enter') { history.pushState({}, '', '/search?q=' + encodeURIComponent(e.target.value)); show(); }
});
show();
"""
)

_POSTING = (
    _COMMON
    + """
let from = 0, words = '';
async function more() {
  const asked = {filter: {text: words}, from: from, size: 20, lang: 'en'};
  const answer = await fetch('/api/search', {method: 'POST', headers: {'Content-Type': 'application/json', 'X-Client': 'web'}, body: JSON.stringify(asked)});
  const d = await answer.json();
  at('#list').insertAdjacentHTML('beforeend', d.results.map(r => item(r, '#')).join(''));
  from += d.results.length;
  at('#more').hidden = from >= d.count;
}
at('#go').onclick = () => { at('#list').innerHTML = ''; from = 0; words = at('#words').value; more(); };
at('#more').onclick = more;
"""
)

_HASHED = (
    _COMMON
    + """
const get = async url => JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(await (await fetch(url)).text()), c => c.charCodeAt(0))));
async function show() {
  const [path, query] = location.hash.slice(1).split('?'), main = at('#main');
  const given = new URLSearchParams(query || '');
  if (path === '/search') {
    const q = given.get('q'), page = Number(given.get('page') || 1);
    const d = await get('/rpc?' + btoa(unescape(encodeURIComponent(JSON.stringify([q, page])))));
    const next = page * 20 < d.count ? `<a class="next" href="#/search?q=${encodeURIComponent(q)}&amp;page=${page + 1}">Next</a>` : '';
    main.innerHTML = `<p class="total">${d.count} texts found</p><ul>` + d.results.map(r => item(r, '#/doc/' + r.id)).join('') + `</ul>${next}`;
  } else if (path.startsWith('/doc/')) {
    const d = await get('/rpc?' + btoa(path.slice(5)));
    main.innerHTML = `<article><h1>${safe(d.title)}</h1><p>${safe(d.body)}</p></article>`;
  } else main.innerHTML = '<p>Welcome to the library of the harbour.</p>';
}
at('#box').onkeydown = e => { if (e.key === 'Enter') location.hash = '#/search?q=' + encodeURIComponent(e.target.value); };
addEventListener('hashchange', show);
show();
"""
)

_SENDING = "document.querySelector('#go').onclick = () => { location.href = '/find?term=' + encodeURIComponent(document.querySelector('#term').value); };"

_SCROLLED = (
    _COMMON
    + """
let words = '', next = null, busy = false;
async function more() {
  if (busy || next === undefined) return;
  busy = true;
  const d = await (await fetch('/api/search?q=' + encodeURIComponent(words) + (next ? 'POSITION' + encodeURIComponent(next) : ''))).json();
  at('#list').insertAdjacentHTML('beforeend', d.results.map(r => item(r, '/text/' + r.id)).join(''));
  next = ADVANCE;
  busy = false;
}
at('#box').onkeydown = e => { if (e.key === 'Enter') { at('#list').innerHTML = ''; next = null; words = e.target.value; more(); } };
addEventListener('scroll', () => { if (innerHeight + scrollY >= document.body.scrollHeight - 300) more(); });
"""
)

_TYPED = (
    _COMMON
    + """
let texts = [];
const shown = fetch('/index.json').then(r => r.json()).then(d => { texts = d; });
at('#box').oninput = async e => {
  await shown;
  const words = e.target.value.toLowerCase().match(/[^\\W\\d_]+/g) || [];
  const found = texts.filter(t => words.length && words.every(w => t.words.includes(' ' + w + ' ')));
  at('#list').innerHTML = found.map(t => item(t, '/text/' + t.id)).join('');
};
"""
)


def _page(body: str, script: str) -> HTMLResponse:
    head = '<!doctype html><html lang="en"><head><title>Harbour library</title></head>'
    return HTMLResponse(f"{head}<body>{body}<script>{script}</script></body></html>")


_PARTS = (
    _COMMON
    + """
at('#box').onkeydown = async e => { if (e.key === 'Enter')
  at('#list').innerHTML = await (await fetch('/part?term=' + encodeURIComponent(e.target.value))).text(); };
"""
)


_DRAWN = (
    _COMMON
    + """
const words = new URLSearchParams(location.search).get('q');
const asked = '/api/search?q=' + encodeURIComponent(words) + '&page=1';
if (words) fetch(asked).then(r => r.json()).then(d => {
  history.replaceState({}, '', location.search + '&sort=best');
  const orders = '<a href="/order/best">Best first</a> <a href="/order/new">Newest first</a> ';
  at('#main').innerHTML = `<p class="total">${d.count} texts ${orders}</p><ul>` + d.results.map(r => item(r, '/text/' + r.id)).join('') + '</ul>';
});
"""
)


_REFERRED = _ROUTED.replace(
    "r => item(r, '/doc/' + r.id)",
    "r => item(r, '/doc/' + r.ref.toLowerCase().replace(/[/]/g, '_'))",
).replace(
    "'/api/documents/' + found[1]",
    "'/api/document?ref=' + found[1].toUpperCase().replace(/_/g, '/') + '&_=' + Date.now()",
)


class Scripted:
    """A site of a kind: "routed", "referred", "drawn", "parts", "posting", "hashed", "sending", "scrolled", "linked", "cursor", "typed"."""

    def __init__(self, kind: str, documents: int = 300) -> None:
        self.kind = kind
        make = Make(kind, page_size=SIZE, documents=documents)
        if kind in ("routed", "referred", "drawn"):
            make = replace(make, whole=False)
        elif kind == "posting":
            make = replace(make, method="POST", paging="offset", position="from", size_name="size")
        elif kind in ("scrolled", "linked"):
            whole = kind == "scrolled"
            make = replace(make, paging="offset", position="start", total=False, whole=whole)
        elif kind == "cursor":
            make = replace(make, paging="cursor", position="cursor", total=False)
        self.api = Api(make)
        self.trap: list[str] = []
        self.shown: list[str] = []  # paths that returned the shell
        routes = [*self.api.routes] if kind not in ("hashed", "sending", "typed", "parts") else []
        if kind == "referred":
            routes = [
                Route("/api/search", self.referred),
                Route("/api/document", self.by_reference),
            ]
        if kind == "posting":
            routes = [Route("/api/search", self.posted, methods=["POST"])]
        self.app = Starlette(
            routes=[
                *routes,
                Route("/robots.txt", _missing),
                Route("/rpc", self.encoded),
                Route("/find", self.find),
                Route("/app.js", self.script),
                Route("/part", self.part),
                Route("/index.json", self.index),
                Route("/text/{key}", self.text),
                Route("/login", self.caught, methods=["GET", "POST"]),
                Route("/{other:path}", self.home),
            ]
        )

    async def home(self, request: Request) -> Response:
        """Answer with the shell for every path."""
        welcome = "<p>Welcome to the library of the harbour.</p>"
        login = '<div><input name="user"><input type="password" name="pass"><button onclick="fetch(\'/login\')">Log in</button></div>'
        box = f'{login}<div><input id="box" placeholder="Find texts"></div>{welcome}'
        listed = '<main id="main"></main><ul id="list"></ul>'
        bodies = {
            "routed": ('<div id="app"></div>', _ROUTED),
            "referred": ('<div id="app"></div>', _REFERRED),
            "posting": (
                f'{welcome}<div class="search"><input id="words" aria-label="Words"><button id="go">Search</button></div>'
                '<ul id="list"></ul><button id="more" hidden>Show more</button>',
                _POSTING,
            ),
            "hashed": (box + listed, _HASHED),
            "sending": (
                f'{welcome}<div><input id="term"><button id="go">Search</button></div>',
                _SENDING,
            ),
            **dict.fromkeys(
                ("scrolled", "linked"),
                (
                    box + listed,
                    _SCROLLED.replace("POSITION", "&start=").replace(
                        "ADVANCE",
                        "d.results.length < 20 ? undefined : (next || 0) + d.results.length",
                    ),
                ),
            ),
            "cursor": (
                box + listed,
                _SCROLLED.replace("POSITION", "&cursor=").replace(
                    "ADVANCE", "d.nextCursor || undefined"
                ),
            ),
            "typed": (box + listed, _TYPED),
            "drawn": (
                '<form action="/search"><input name="q" type="search"><button>Search</button></form>'
                "<p>Depositories of Quibblesworth and Snorkelhampton</p>"
                '<main id="main"></main><script src="/app.js"></script>',
                "",
            ),
            "parts": (box + listed, _PARTS),
        }
        self.shown.append(request.url.path)
        return _page(*bodies[self.kind])

    async def script(self, request: Request) -> Response:
        """Answer with the script that draws the result page."""
        return Response(_DRAWN, media_type="text/javascript")

    async def posted(self, request: Request) -> Response:
        """Answer to words inside a JSON body, if the request has the right header."""
        given = await request.json()
        if request.headers.get("x-client") != "web":
            return JSONResponse({"error": "who are you?"}, 403)
        found = self.api.found(given["filter"]["text"])
        start, size = int(given["from"]), min(int(given["size"]), 100)
        rows = [
            {"id": text.key, "title": text.title, "abstract": text.body}
            for text in found[start : start + size]
        ]
        return JSONResponse({"count": len(found), "results": rows})

    async def referred(self, request: Request) -> Response:
        """Answer with rows that contain the parts of a document's URL."""
        given = request.query_params
        found = self.api.found(given.get("q", ""))
        start = (int(given.get("page", "1")) - 1) * SIZE
        rows = [
            {"id": n, "ref": f"IP/20/{t.key.upper()}", "title": t.title, "abstract": t.body[:80]}
            for n, t in enumerate(found[start : start + SIZE], start)
        ]
        return JSONResponse({"count": len(found), "results": rows})

    async def by_reference(self, request: Request) -> Response:
        """Answer with a document; the time sent with the request is ignored."""
        key = request.query_params["ref"].rpartition("/")[2].lower()
        text = next((each for each in self.api.texts if each.key == key), None)
        if text is None:
            return JSONResponse({"error": "no such document"}, 404)
        return JSONResponse({"title": text.title, "body": text.body})

    async def encoded(self, request: Request) -> Response:
        """Answer in an encoding that only the page's own script reads."""
        asked = base64.b64decode(request.url.query).decode()
        answer: object
        if asked.startswith("["):
            words, page = json.loads(asked)
            found = self.api.found(words)
            rows = found[(page - 1) * SIZE : page * SIZE]
            answer = {
                "count": len(found),
                "results": [{"id": t.key, "title": t.title, "excerpt": t.body[:90]} for t in rows],
            }
        else:
            text = next(text for text in self.api.texts if text.key == asked)
            answer = {"title": text.title, "body": text.body}
        return PlainTextResponse(base64.b64encode(json.dumps(answer).encode()))

    async def part(self, request: Request) -> Response:
        """Answer with a part of a page: rows, and a link to the next ones."""
        whole = (await self.find(request)).body.decode()
        rows = whole[whole.index("<body>") + 6 : whole.index("<script>")]
        return HTMLResponse(rows.replace("/find?", "/part?"))

    async def find(self, request: Request) -> Response:
        """Answer with a plain result page."""
        words = request.query_params.get("term", "")
        number = int(request.query_params.get("page", "1"))
        found = self.api.found(words)
        rows = "".join(
            f'<li class="hit"><a href="/text/{text.key}">{html.escape(text.title)}</a><p>{html.escape(text.body[:120])}</p></li>'
            for text in found[(number - 1) * SIZE : number * SIZE]
        )
        more = f'<a rel="next" href="/find?term={quote_plus(words)}&amp;page={number + 1}">Next</a>'
        more = more if number * SIZE < len(found) else ""
        return _page(f'<p class="total">{len(found)} texts</p><ul>{rows}</ul>{more}', "")

    async def index(self, request: Request) -> Response:
        """Answer with all data that a search in the page needs."""
        rows = [
            {
                "id": text.key,
                "title": text.title,
                "excerpt": text.body[:80],
                "words": f" {' '.join(words)} ",
            }
            for text, words in zip(self.api.texts, self.api.engine.words, strict=True)
        ]
        return JSONResponse(rows)

    async def text(self, request: Request) -> Response:
        """Answer with a document's plain page."""
        key = request.path_params["key"]
        text = next((text for text in self.api.texts if text.key == key), None)
        if text is None:
            return PlainTextResponse("no such text", 404)
        return _page(
            f"<article><h1>{html.escape(text.title)}</h1><p>{html.escape(text.body)}</p></article>",
            "",
        )

    async def caught(self, request: Request) -> Response:
        """Record that something was sent to the login."""
        self.trap.append(request.method)
        return PlainTextResponse("no")


async def _missing(request: Request) -> Response:
    return PlainTextResponse("", 404)
