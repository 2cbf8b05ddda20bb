"""Sites that a script draws, as is usual today: each is harvested from its URL."""

# ruff: noqa: E501  (markup and scripts read better in one line)

import json
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from tests.discovery.offered.kit import DOCUMENTS, harvested, matching, share_of_text, titles
from tests.webs import needs_browser

from longline.errors import LonglineError

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), needs_browser]

WANTED = {document.title for document in DOCUMENTS}
BY_KEY = {document.key: document for document in DOCUMENTS}
SIZE = 10

COMMON = """
const at = s => document.querySelector(s);
const safe = t => t.replace(/[&<>]/g, c => ({'&': '&amp;', '<': '&lt;', '>': '&gt;'}[c]));
const enter = (box, go) => { box.onkeydown = e => { if (e.key === 'Enter') go(box.value); }; };
const found = (root, go) => { root.innerHTML = '<input id="box" placeholder="Search the texts"><div id="list"></div><div id="open"></div>'; enter(root.querySelector('#box'), go); };
"""

PRESSED = """
found(document.body, async w => {
  const d = await (await fetch('/api/find?w=' + encodeURIComponent(w) + '&page=1')).json();
  at('#list').innerHTML = d.rows.map(r => `<div class="card" data-key="${r.id}"><h5>${safe(r.title)}</h5></div>`).join('');
  document.querySelectorAll('.card').forEach(c => c.onclick = async () => { at('#open').textContent = (await (await fetch('/api/texts/' + c.dataset.key + '/whole')).json()).body; });
});
"""

HEADED = """
const ask = async u => (await fetch(u, {headers: {Accept: 'application/vnd.library.v2+json', Authorization: 'Bearer ' + await (await fetch('/token')).text()}})).json();
async function view() { const m = location.hash.match(/^#.text.(.+)/); if (m) at('#open').textContent = (await ask('/v2/texts/' + m[1])).body; }
found(document.body, async w => {
  const d = await ask('/v2/find?w=' + encodeURIComponent(w) + '&page=1');
  at('#list').innerHTML = d.rows.map(r => `<p><a href="#/text/${r.id}">${safe(r.title)}</a></p>`).join('');
});
onhashchange = view; view();
"""

SHADOW = """
class Finder extends HTMLElement { connectedCallback() {
  const root = this.attachShadow({mode: 'open'}), inner = document.createElement('section');
  root.append(inner);
  const m = location.pathname.match(/^.text.(.+)/);
  if (m) { fetch('/api/texts/' + m[1] + '/whole').then(r => r.json()).then(d => { inner.textContent = d.title + ' ' + d.body; }); return; }
  found(inner, async w => {
    const d = await (await fetch('/api/find?w=' + encodeURIComponent(w) + '&page=1')).json();
    inner.querySelector('#list').innerHTML = d.rows.map(r => `<p><a href="/text/${r.id}">${safe(r.title)}</a></p>`).join('');
  });
} }
customElements.define('text-finder', Finder);
document.body.append(document.createElement('text-finder'));
"""

SHADOW_PRESSED = """
class Card extends HTMLElement { connectedCallback() {
  this.attachShadow({mode: 'open'}).innerHTML = `<div><h5>${safe(this.row.title)}</h5></div>`;
  this.shadowRoot.firstChild.onclick = async () => { at('#open').textContent = (await (await fetch('/v4/Texts(' + this.row.id + ')')).json()).body; };
} }
customElements.define('text-card', Card);
found(document.body, async w => {
  const d = await (await fetch('/api/find?w=' + encodeURIComponent(w) + '&page=1')).json();
  at('#list').replaceChildren(...d.rows.map(r => Object.assign(document.createElement('text-card'), {row: r})));
});
"""

OPENED = """
document.body.innerHTML = '<button id="show" aria-label="Search">Search</button><main>Welcome to the library.</main>';
at('#show').onclick = () => { const d = document.createElement('div'); document.body.append(d); found(d, async w => {
  const r = await (await fetch('/find/' + encodeURIComponent(w) + '/0')).json();
  at('#list').innerHTML = r.rows.map(r => `<a href="/page/${r.id}">${safe(r.title)}</a><br>`).join('') + (r.rows.length === 10 ? '<button>Next</button>' : '');
}); };
"""

FILED = """
let texts;
found(document.body, async w => {
  texts = texts || await (await fetch('/names.json')).json();
  const has = Object.entries(texts.storedFields).filter(([n, t]) => t.said.includes(w.toLowerCase()));
  at('#list').innerHTML = has.slice(0, 8).map(([n, t]) => `<p><a href="/page/${texts.documentIds[n]}">${safe(t.title)}</a></p>`).join('');
});
"""

CALLED = """
const call = async (name, given) => (await (await fetch('/rpc/' + name + '?batch=1&input=' + encodeURIComponent(JSON.stringify({0: given})))).json())[0].result.data;
async function view() { const m = location.pathname.match(/^.text.(.+)/); if (m) at('#open').textContent = (await call('text.one', {id: m[1]})).body; }
found(document.body, async w => {
  const d = await call('text.find', {w, cursor: null, first: 10});
  at('#list').innerHTML = d.rows.map(r => `<p><a href="/text/${r.id}">${safe(r.title)}</a></p>`).join('');
});
view();
"""

KEYED = """
const ask = async u => (await fetch('/rows?' + u, {headers: {apikey: 'k-0123', Prefer: 'count=exact'}})).json();
found(document.body, async w => {
  const d = await ask('select=id,title&offset=0&limit=10&or=' + encodeURIComponent(`(title.ilike.*${w}*,body.ilike.*${w}*)`));
  at('#list').innerHTML = d.map(r => `<div class="card" data-key="${r.id}"><h5>${safe(r.title)}</h5></div>`).join('');
  document.querySelectorAll('.card').forEach(c => c.onclick = async () => { at('#open').textContent = (await ask('select=*&id=eq.' + c.dataset.key))[0].body; });
});
"""

CALLED_BACK = """
found(document.body, w => {
  const s = document.createElement('script');
  window.cb_71 = d => { at('#list').innerHTML = d.docs.map(r => `<h5>${safe(r.title)}</h5><p>${safe(r.body.slice(0, 80))}</p>`).join(''); };
  s.src = '/called-back?wrf=cb_71&q=' + encodeURIComponent(w) + '&start=0&rows=10'; document.head.append(s);
});
"""

LOADED = """
const ask = async lines => (await (await fetch('/many', {method: 'POST', headers: {'Content-Type': 'application/x-ndjson'}, body: lines.map(l => JSON.stringify(l) + '\\n').join('')})).json()).responses;
async function view() {
  const w = new URLSearchParams(location.search).get('w');
  if (!w) return;
  const [d, kinds] = await ask([{}, {query: w, from: 0, size: 10}, {}, {kinds: true, size: 0}]);
  at('#list').innerHTML = d.hits.map(r => `<p><a href="/page/${r.id}">${safe(r.title)}</a></p>`).join('') + `<i>${kinds.kinds.length} kinds</i>`;
}
found(document.body, w => { history.pushState({}, '', '/?w=' + encodeURIComponent(w)); view(); });
view();
"""

SAME_ADDRESS = """
const got = async u => { const d = await (await fetch(u, {headers: {'X-Parts': 'true', 'X-Parts-Version': 'a41f'}})).json(); history.pushState({}, '', u); draw(d); };
const draw = d => {
  if (d.text) { at('#open').textContent = d.text.title + ' ' + d.text.body; return; }
  at('#list').innerHTML = d.rows.map(r => `<p><a href="/texts/${r.id}">${safe(r.title)}</a></p>`).join('') + (d.onward ? `<a class="next" href="${safe(d.onward)}">Next</a>` : '');
};
found(document.body, w => got('/texts?w=' + encodeURIComponent(w)));
draw(GIVEN);
"""

NAMED_LINKS = """
const slug = t => t.toLowerCase().replace(/[^a-z0-9]+/g, '-');
const m = location.pathname.match(/^.t.[^/]+.(.+)/);
const doSearch = async () => {
  const d = await (await fetch('/api/find?w=' + encodeURIComponent(at('#box').value) + '&page=1')).json();
  at('#list').innerHTML = d.rows.map(r => `<p><a href="/t/${slug(r.title)}/${r.id}">${safe(r.title)}</a></p>`).join('');
};
document.body.innerHTML = '<div><input id="box"><a class="btn" href="javascript:doSearch()">Go</a></div><div id="list"></div><div id="open"></div>';
if (m) fetch('/api/threads/' + m[1]).then(r => r.json()).then(d => { at('#open').innerHTML = d.title + d.posts.map(p => safe(p.body)).join('<hr>'); });
"""

TWO_VALUES = """
const draw = d => { at('#open').textContent = d.body; };
found(document.body, async w => {
  const d = await (await fetch('/api/find?w=' + encodeURIComponent(w) + '&page=1')).json();
  at('#list').innerHTML = d.rows.map((r, n) => `<p><a href="/sets/${r.set}/id/${r.id}/place/${n + 1}">${safe(r.title)}</a></p>`).join('');
  document.querySelectorAll('a').forEach(a => a.onclick = async e => { e.preventDefault(); const m = a.pathname.split('/'); draw(await (await fetch(`/api/sets/${m[2]}/items/${m[4]}`)).json()); });
});
"""

STREAMED = """
found(document.body, w => { const s = new EventSource('/stream?w=' + encodeURIComponent(w)); s.onmessage = m => { at('#list').innerHTML += m.data; }; });
"""

SCRIPTS = {
    "pressed": PRESSED,
    "headed": HEADED,
    "shadow": SHADOW,
    "shadow_pressed": SHADOW_PRESSED,
    "opened": OPENED,
    "filed": FILED,
    "called": CALLED,
    "keyed": KEYED,
    "called_back": CALLED_BACK,
    "loaded": LOADED,
    "same_address": SAME_ADDRESS,
    "named_links": NAMED_LINKS,
    "two_values": TWO_VALUES,
}


def set_of(key: str) -> str:
    """Return the set of a document: most are in the same one."""
    return "letters" if key.endswith(("3", "7")) else "papers"


class Drawn:
    """A site whose pages are drawn by one script."""

    def __init__(self, script: str) -> None:
        self.script = COMMON + script
        self.app = Starlette(
            routes=[
                Route("/api/find", self.find),
                Route("/api/texts/{key}/whole", self.whole),
                Route("/v4/Texts({key})", self.whole),
                Route("/api/threads/{key}", self.thread),
                Route("/api/sets/{of}/items/{key}", self.item),
                Route("/token", self.token),
                Route("/v2/find", self.guarded),
                Route("/v2/texts/{key}", self.guarded),
                Route("/find/{w}/{page:int}", self.find),
                Route("/page/{key}", self.page),
                Route("/names.json", self.names),
                Route("/rpc/{name}", self.call),
                Route("/rows", self.rows),
                Route("/texts", self.same_address),
                Route("/texts/{key}", self.same_address),
                Route("/many", self.many, methods=["POST"]),
                Route("/called-back", self.called_back),
                Route("/robots.txt", self.missing),
                Route("/{path:path}", self.shell),
            ]
        )

    async def shell(self, request: Request) -> Response:
        """Answer with the same page for every path."""
        head = "<!doctype html><html lang=en><title>Library</title><body>"
        script = self.script.replace("GIVEN", '{"rows": []}')
        return HTMLResponse(f"{head}<script>{script}</script></body></html>")

    async def find(self, request: Request) -> Response:
        """Answer with rows without texts."""
        given = {**request.query_params, **request.path_params}
        rows = matching(given["w"])
        first = SIZE * (int(given["page"]) - ("w" not in request.path_params))
        shown = [
            {"id": d.key, "title": d.title, "set": set_of(d.key)}
            for d in rows[first : first + SIZE]
        ]
        return JSONResponse({"total": len(rows), "rows": shown if given["w"] else []})

    async def whole(self, request: Request) -> Response:
        """Answer with a document."""
        found = BY_KEY.get(request.path_params["key"])
        if found is None:
            return PlainTextResponse("", 404)
        return JSONResponse({"id": found.key, "title": found.title, "body": found.text})

    async def item(self, request: Request) -> Response:
        """Answer with a document, if the request also names its set."""
        is_there = request.path_params["of"] == set_of(request.path_params["key"])
        return await self.whole(request) if is_there else PlainTextResponse("", 404)

    async def thread(self, request: Request) -> Response:
        """Answer with a document in two parts."""
        found = BY_KEY[request.path_params["key"]]
        lines = found.text.split("\n")
        parts = [lines[: len(lines) // 2], lines[len(lines) // 2 :]]
        posts = [{"body": "\n".join(part)} for part in parts]
        return JSONResponse({"id": found.key, "title": found.title, "posts": posts})

    async def page(self, request: Request) -> Response:
        """Answer with a document's plain page."""
        found = BY_KEY.get(request.path_params["key"])
        if found is None:
            return PlainTextResponse("", 404)
        said = found.text.replace("&", "&amp;").replace("<", "&lt;")
        return HTMLResponse(f"<main><h1>{found.title}</h1><p>{said}</p></main>")

    async def token(self, request: Request) -> Response:
        """Answer with a token that every visitor gets."""
        return PlainTextResponse("t-0123456789")

    async def guarded(self, request: Request) -> Response:
        """Answer only requests with the page's own headers."""
        if request.headers.get("authorization") != "Bearer t-0123456789":
            return JSONResponse({"error": "unauthorized"}, 401)
        if "vnd.library.v2" not in request.headers.get("accept", ""):
            return JSONResponse({"error": "version?"}, 406)
        return await (self.whole(request) if request.path_params else self.find(request))

    async def call(self, request: Request) -> Response:
        """Answer a call with JSON arguments in the URL, as in tRPC."""
        given = json.loads(request.query_params["input"])["0"]
        if request.path_params["name"] == "text.one":
            found = BY_KEY[given["id"]]
            data: object = {"id": found.key, "title": found.title, "body": found.text}
        else:
            if given["cursor"] is not None and not isinstance(given["cursor"], int):
                return JSONResponse([{"error": {"message": "expected a number"}}], 400)
            rows, first = matching(given["w"]) if given["w"] else [], given["cursor"] or 0
            after = first + given["first"]
            shown = [{"id": d.key, "title": d.title} for d in rows[first:after]]
            data = {"rows": shown, "nextCursor": after if after < len(rows) else None}
        return JSONResponse([{"result": {"data": data}}])

    async def rows(self, request: Request) -> Response:
        """Answer like PostgREST, if the request has the page's key."""
        given = request.query_params
        if request.headers.get("apikey") != "k-0123":
            return JSONResponse({"message": "No API key found in request"}, 401)
        if "id" in given:
            one = BY_KEY[given["id"].removeprefix("eq.")]
            return JSONResponse([{"id": one.key, "title": one.title, "body": one.text}])
        words = given["or"].partition("*")[2].partition("*")[0].lower()
        rows = [d for d in DOCUMENTS if words in f"{d.title} {d.text}".lower()]
        first, size = int(given["offset"]), int(given["limit"])
        shown = [{"id": d.key, "title": d.title} for d in rows[first : first + size]]
        span = {"Content-Range": f"{first}-{first + len(shown) - 1}/{len(rows)}"}
        return JSONResponse(shown, headers=span)

    async def called_back(self, request: Request) -> Response:
        """Answer with a call of the function that the page names, like Solr."""
        given = request.query_params
        rows = matching(given["q"]) if given["q"] else []
        first, size = int(given["start"]), int(given["rows"])
        shown = [
            {"id": d.key, "title": d.title, "body": d.text} for d in rows[first : first + size]
        ]
        body = json.dumps({"numFound": len(rows), "start": first, "docs": shown})
        return PlainTextResponse(f"{given['wrf']}({body})", media_type="text/javascript")

    async def same_address(self, request: Request) -> Response:
        """Answer a script with data, and others with a page that draws the data."""
        given = request.query_params
        if "key" in request.path_params:
            one = BY_KEY[request.path_params["key"]]
            data: dict[str, object] = {"text": {"title": one.title, "body": one.text}}
        else:
            words, at = given.get("w", ""), int(given.get("page", 1))
            rows = matching(words)
            onward = f"/texts?w={words}&page={at + 1}" if SIZE * at < len(rows) else None
            shown = rows[SIZE * (at - 1) : SIZE * at]
            data = {"rows": [{"id": d.key, "title": d.title} for d in shown], "onward": onward}
        if request.headers.get("x-parts-version") == "a41f":
            return JSONResponse(data)
        script = self.script.replace("GIVEN", json.dumps(data).replace("<", "\\u003c"))
        return HTMLResponse(f"<!doctype html><html lang=en><body><script>{script}</script></html>")

    async def many(self, request: Request) -> Response:
        """Answer several searches in one request, one per line, like Elasticsearch."""
        lines = (await request.body()).decode()
        if "ndjson" not in request.headers["content-type"] or not lines.endswith("\n"):
            return JSONResponse({"error": "a line each"}, 406)
        _, asked, _, _ = map(json.loads, lines.splitlines())
        rows, first = matching(asked["query"]) if asked["query"] else [], asked["from"]
        shown = [{"id": d.key, "title": d.title} for d in rows[first : first + asked["size"]]]
        kinds = [{"kind": "text", "count": 30}, {"kind": "note", "count": 10}]
        answers = [{"total": len(rows), "hits": shown}, {"total": 40, "hits": [], "kinds": kinds}]
        return JSONResponse({"took": 3, "responses": answers})

    async def names(self, request: Request) -> Response:
        """Answer with the index for a search in the page, as MiniSearch stores it."""
        stored = {
            str(n): {"title": d.title, "said": f"{d.title} {d.text}".lower()}
            for n, d in enumerate(DOCUMENTS)
        }
        ids = {str(n): d.key for n, d in enumerate(DOCUMENTS)}
        return PlainTextResponse(
            json.dumps({"documentIds": ids, "storedFields": stored}), media_type="application/json"
        )

    async def missing(self, request: Request) -> Response:
        """Answer that the file does not exist."""
        return PlainTextResponse("", 404)


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS.keys())
def test_site_that_a_script_draws_comes_whole(script: str, tmp_path: Path) -> None:
    """Its interface is found by watching the page, and requested directly, also for documents."""
    harvest = harvested(Drawn(script).app, tmp_path, most=600)
    assert len(titles(harvest) & WANTED) >= 0.95 * len(WANTED)
    assert share_of_text(harvest) > 0.95


def test_answers_that_come_as_a_stream_are_refused_for_that(tmp_path: Path) -> None:
    """The error names the open connection, and what else the user may give."""
    with pytest.raises(LonglineError, match="a connection that stays open") as caught:
        harvested(Drawn(STREAMED).app, tmp_path)
    assert "a list, a feed" in str(caught.value)
