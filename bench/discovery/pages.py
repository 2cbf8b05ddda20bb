"""A made-up HTML search site; each part of its look is drawn at random."""

# ruff: noqa: E501, RUF001  (markup reads better in one line)

import html
import random
import re
import string
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, quote_plus, urlencode

from bench.discovery.engine import Engine, Text, texts
from bench.discovery.make import Make
from bench.discovery.words import PHRASES
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

e = html.escape


@dataclass(frozen=True)
class Shown:
    """The true content of a result page, to compare a spec with."""

    rows: tuple[Text, ...]
    total: int
    reported: int | None
    pages: int


class Site:
    """A made-up site, and the truth about it."""

    def __init__(self, make: Make, folder: Path | None) -> None:
        self.make = make
        rng = random.Random(f"texts {make.seed}")
        self.texts = texts(make.language, make.documents, rng, folder, make.charset)
        self.engine = Engine(self.texts, make.rules, make.language)
        self.by_key = {text.key: text for text in self.texts}
        self.words = PHRASES[make.language]
        self.rng = random.Random(f"live {make.seed}")
        self.fixed = random.Random(f"fixed {make.seed}")
        self.history: list[str] = []
        self.touched: list[str] = []
        self._names: dict[str, str] = {}
        self.count_sentence = self.fixed.choice(self.words.counts)
        self.none_sentence = self.fixed.choice(self.words.none)
        self.doc_base = self.fixed.choice(("/doc", "/record", "/item", "/show", "/content/view"))
        self.latest = self.fixed.sample(self.texts, 6)
        topics = sorted(
            (
                w
                for w, held in self.engine.index.items()
                if 4 < len(w) < 12 and w.isalpha() and len(held) > 5
            ),
            key=lambda w: -len(self.engine.index[w]),
        )[10:40]
        self.intro = self.words.intro
        if topics and (make.language in ("el", "ar") or self.fixed.random() < 0.6):
            self.intro += " " + ", ".join(self.fixed.sample(topics, min(6, len(topics)))) + "."
        doc_paths = ["/doc", "/record", "/item", "/show", "/content/view"]
        routes = [Route(f"{p}/{{key:path}}", self.document) for p in doc_paths]
        routes += [Route(p, self.document) for p in doc_paths]
        routes += [Route(f"{p}.php", self.document) for p in doc_paths]
        if make.counter == "path":
            routes.insert(
                0,
                Route(
                    self.search_path() + "/page/{number:int}", self.results, methods=["GET", "POST"]
                ),
            )
        if self.search_path() != "/":
            routes.append(Route("/", self.home))
        routes.append(Route(self.search_path(), self.results, methods=["GET", "POST"]))
        for trap in ("/login", "/newsletter", "/feedback"):
            routes.append(Route(trap, self.trap, methods=["GET", "POST"]))
        routes.append(Route("/{rest:path}", self.other))
        self.app = Starlette(routes=routes)

    def search_path(self) -> str:
        """Return the path that the form is sent to."""
        if self.make.home == "self":
            return "/"
        return "/s" if self.make.path == "/" else self.make.path

    # The truth.

    def typed_engine(self, typed: str, given: dict[str, str]) -> list[Text]:
        any_word = given.get("match") == "any"
        found = self.engine.search(typed, any_word)
        if given.get("year"):
            found = [t for t in found if t.date.startswith(given["year"])]
        return found

    def shown(self, typed: str, number: int, size: int | None = None) -> Shown:
        """Return the content of result page `number`."""
        return self.page_of(self.typed_engine(typed, {}), number, size or self.make.page_size)

    def page_of(self, found: list[Text], number: int, size: int) -> Shown:
        make = self.make
        reach = found[: make.limit] if make.limit else found
        if make.pager == "none":
            reach = reach[: max(size, 20)]
            size = max(size, 20)
        pages = -(-len(reach) // size)
        rows = reach[(number - 1) * size : number * size] if number >= 1 else []
        if number > pages and pages:
            if make.beyond == "last":
                rows = reach[(pages - 1) * size :]
            elif make.beyond == "first":
                rows = reach[:size]
        n = len(found)
        reported: int | None = n
        if make.counts == "about":
            reported = n if n < 30 else round(n, -1)
        elif make.counts == "floor":
            reported = min(n, 40)
        elif make.counts == "cut" and make.limit:
            reported = len(reach)
        return Shown(tuple(rows), n, reported, pages)

    # Names: plain, meaningless, or none.

    def cls(self, name: str) -> str:
        """Return a class attribute for a part of a page, named in the site's style."""
        style = self.make.names
        if style == "none":
            return ""
        if name not in self._names:
            if style == "hash":
                letters = string.ascii_letters + string.digits
                said = self.fixed.choice(string.ascii_letters) + "".join(
                    self.fixed.choices(letters, k=5)
                )
            elif style == "bem":
                said = f"c-{name} c-{name}--m"
            elif style == "utility":
                said = " ".join(
                    self.fixed.sample(
                        ("mt-2", "flex", "px-4", "text-sm", "border", "rounded", "grow", "mb-4"), 3
                    )
                )
            else:
                said = name
            self._names[name] = said
        return f' class="{self._names[name]}"'

    # Links.

    def link(self, text: Text, typed: str, place: int) -> str:
        make, base = self.make, self.doc_base
        match make.link:
            case "html":
                return f"{base}/{text.key}.html"
            case "id":
                return f"{base}.php?id={text.key}"
            case "relative":
                return (
                    f"{base.lstrip('/')}/{text.key}"
                    if self.search_path().count("/") <= 1
                    else f"..{base}/{text.key}"
                )
            case "up":
                ups = "../" * (self.search_path().count("/") - 1) or "./"
                return f"{ups}{base.lstrip('/')}/{text.key}"
            case "absolute":
                return f"{self.origin}{base}/{text.key}"
            case "track":
                return f"{base}/{text.key}?hl={quote_plus(typed, encoding=make.charset, errors='replace')}&pos={place}"
            case "session":
                token = self.rng.randrange(16**8) if make.seed % 3 == 0 else self.session
                return f"{base}.php?sid={token:08x}&id={text.key}"
            case "rank":
                return f"{base}.php?doc={text.key}&rank={place}"
            case "slug":
                slug = re.sub(r"[^a-z0-9]+", "-", text.title.lower()).strip("-")[:40]
                return f"{base}/{text.key}/{slug}"
        return f"{base}/{text.key}"

    origin = ""
    session = 0

    def marked(self, said: str, typed: str) -> str:
        """Return text as HTML with the query words marked."""
        out = e(said)
        if not self.make.mark:
            return out
        tag = self.make.mark
        opening = f'<{tag} class="hl">' if tag == "span" else f"<{tag}>"
        words = [
            re.escape(e(w))
            for w in re.findall(r"\w+", typed)
            if len(w) > 2 or self.make.language == "ja"
        ]
        if not words:
            return out
        return re.sub(rf"(?i)(?<![\w&])({'|'.join(words)})(?!\w)", rf"{opening}\1</{tag}>", out)

    def snippet(self, text: Text, typed: str) -> str:
        kind = self.make.snippet
        body = " ".join(text.body.split())
        if kind == "none":
            return ""
        if kind == "whole":
            return body
        if kind == "start":
            return body[:160] + ("…" if len(body) > 160 else "")
        word = next(iter(re.findall(r"\w+", typed)), "")
        at = max(body.lower().find(word.lower()) - 60, 0) if word else 0
        return ("… " if at else "") + body[at : at + 150] + " …"

    # Hits.

    def hits(self, rows: tuple[Text, ...], typed: str, first: int) -> str:
        make = self.make
        parts = []
        year = ""
        for place, text in enumerate(rows, start=first):
            link = e(self.link(text, typed, place))
            title = self.marked(text.title, typed)
            snip = self.marked(self.snippet(text, typed), typed)
            parts.append(self._hit(text, link, title, snip, place, typed))
            if make.layout == "grouped":
                now = text.date[:4]
                head = f"<h4{self.cls('year')}>{now}</h4>" if now != year else ""
                parts[-1] = head + parts[-1]
                year = now
        out = "\n".join(parts)
        c = self.cls
        match make.layout:
            case "table":
                return f"<table{c('list')}>{out}</table>"
            case "table-header":
                head = f"<tr><th>#</th><th>{self.words.sort}</th><th>Date</th><th></th></tr>"
                return (
                    f"<table{c('list')} border=1><thead>{head}</thead><tbody>{out}</tbody></table>"
                )
            case "two-rows":
                return f"<table{c('list')}>{out}</table>"
            case "dl":
                return f"<dl{c('list')}>{out}</dl>"
            case "ul" | "ol":
                return f"<{make.layout}{c('list')}>{out}</{make.layout}>"
            case "columns":
                half = (len(parts) + 1) // 2
                left, right = "\n".join(parts[:half]), "\n".join(parts[half:])
                return (
                    f"<div{c('row')}><div{c('col')}>{left}</div><div{c('col')}>{right}</div></div>"
                )
            case "flat" | "brs" | "paragraphs" | "grouped":
                return out
        return f"<div{c('list')}>{out}</div>"

    def _hit(self, text: Text, link: str, title: str, snip: str, place: int, typed: str) -> str:
        make, c, words = self.make, self.cls, self.words
        target = ' target="_blank" rel="noopener"' if make.seed % 4 == 0 else ""
        anchor = f'<a{c("lnk")} href="{link}"{target}>'
        tags = {
            "plain": ("", ""),
            "h3": ("<h3>", "</h3>"),
            "h2": ("<h2>", "</h2>"),
            "strong": ("<strong>", "</strong>"),
            "span": (f"<span{c('ttl')}>", "</span>"),
        }
        before, after = tags[make.title]
        head = f"{before}{anchor}{title}</a>{after}"
        desc = f"<p{c('desc')}>{snip}</p>" if snip else ""
        extra = self._extras(text, link, place)
        match make.layout:
            case "table" | "table-header":
                date = (
                    f"<td>{text.date}</td>"
                    if make.layout == "table-header" or "date" in make.extras
                    else ""
                )
                number = f"<td>{place}</td>" if make.layout == "table-header" else ""
                return f"<tr{c('hit')}>{number}<td>{head}{'<br>' + snip if snip else ''}</td>{date}<td>{extra}</td></tr>"
            case "two-rows":
                return f"<tr><td>{place}.</td><td>{head}</td></tr><tr><td></td><td>{snip or text.date} {extra}</td></tr>"
            case "dl":
                return f"<dt>{anchor}{title}</a></dt><dd>{snip or text.date}{extra}</dd>"
            case "ul" | "ol":
                return f"<li{c('hit')}>{head}{desc}{extra}</li>"
            case "articles" | "grouped":
                return f"<article{c('hit')}><header>{head}</header>{desc}<footer>{extra}</footer></article>"
            case "flat":
                return (
                    f"<h3>{anchor}{title}</a></h3>{desc}<div{c('meta')}>{text.date} {extra}</div>"
                )
            case "paragraphs":
                return f"<p>{anchor}{title}</a>{'<br>' + snip if snip else ''} {extra}</p>"
            case "brs":
                return f"{anchor}{title}</a> {snip} {extra}<br><br>"
            case "tiles":
                return f'<a{c("tile")} href="{link}"{target}><h4>{title}</h4><span{c("desc")}>{snip}</span><small>{text.date}</small></a>'
            case "image":
                return f'<div{c("hit")}><a href="{link}"><img src="/img/{text.key}.jpg" alt=""></a><div{c("ttl")}>{title}</div>{desc}{extra}</div>'
            case "readmore":
                return f'<div{c("hit")}><h3{c("ttl")}>{title}</h3>{desc}{extra}<a{c("more")} href="{link}">{words.read}</a></div>'
            case "nested":
                inner = f"<div{c('in')}><div{c('body')}>{head}{desc}</div><div{c('side')}>{extra}</div></div>"
                return f"<div{c('hit')}><div{c('wrap')}>{inner}</div></div>"
        return f"<div{c('hit')}>{head}{desc}{extra}</div>"

    def _extras(self, text: Text, link: str, place: int) -> str:
        out = []
        plain = f"{self.doc_base}/{text.key}"
        for name in self.make.extras:
            match name:
                case "author":
                    out.append(f'<a href="/people/{quote_plus(text.author)}">{text.author}</a>')
                case "tags":
                    words = re.findall(r"[^\W\d_]{5,}", text.body)[:2]
                    out += [
                        f'<a{self.cls("tag")} href="/tag/{quote_plus(w)}">{e(w)}</a>' for w in words
                    ]
                case "pdf":
                    out.append(f'<a href="/files/{text.key}.pdf">PDF</a>')
                case "share":
                    out.append(
                        f'<a href="https://share.invalid/?u={quote_plus(self.origin + plain)}">Share</a>'
                    )
                case "number":
                    out.append(f"<span>#{place}</span>")
                case "date":
                    out.append(f"<time>{text.date}</time>")
                case "score":
                    out.append(f"<span{self.cls('sc')}>{self.rng.randint(10, 99)}%</span>")
                case "url":
                    out.append(f"<cite>{e(self.origin + plain)}</cite>")
                case "kind":
                    out.append(f"<span>{'Report' if len(text.body) > 600 else 'Note'}</span>")
                case "cache":
                    out.append(f'<a href="/cache/{text.key}">Cached</a>')
        return " ".join(out)

    # Forms.

    def form(self, typed: str = "", given: dict[str, str] | None = None) -> str:
        make, w = self.make, self.words
        action = {
            "absolute": f' action="{self.search_path()}"',
            "relative": f' action="{self.search_path().rpartition("/")[2] or "."}"',
            "none": "",
            "empty": ' action=""',
            "full": f' action="{self.origin}{self.search_path()}"',
        }[make.action]
        if make.home != "self" and make.action in ("none", "empty", "relative"):
            # The home page has the form, too; from there it must also lead to the search.
            action = f' action="{self.search_path()}"'
        kind = "search" if make.form == "input-search" else "text"
        box = f'<input type="{kind}" name="{e(make.field)}" value="{e(typed)}"{self.cls("box")}>'
        button = {
            "button-type": f"<button>{w.search}</button>",
            "noname-button": '<button type="submit"><i class="fa fa-search"></i></button>',
        }.get(make.form, f'<input type="submit" value="{w.search}">')
        if (
            self.fixed_choice("submit name", (True, False, False))
            and 'input type="submit"' in button
        ):
            button = button.replace("<input ", '<input name="go" ')
        controls = []
        for name in make.controls:
            match name:
                case "hidden":
                    controls.append(
                        '<input type="hidden" name="op" value="list"><input type="hidden" name="x_enc" value="1">'
                    )
                case "collection":
                    controls.append(
                        '<select name="coll"><option value="all" selected>All</option><option value="a">A</option><option value="b">B</option></select>'
                    )
                case "sort":
                    controls.append(
                        f'<label>{w.sort} <select name="sort"><option value="rel">1</option><option value="date">2</option></select></label>'
                    )
                case "boxes":
                    controls.append(
                        '<label><input type="checkbox" name="full" value="1" checked> *</label><label><input type="checkbox" name="img" value="1"> **</label>'
                    )
                case "match":
                    controls.append(
                        '<input type="radio" name="match" value="all" checked> &amp; <input type="radio" name="match" value="any"> |'
                    )
                case "fields":
                    controls.append(
                        '<select name="in"><option value="">*</option><option value="title">T</option></select>'
                    )
                case "year":
                    years = "".join(f"<option>{y}</option>" for y in range(1990, 2025))
                    controls.append(
                        f'<select name="year"><option value=""></option>{years}</select>'
                    )
                case "lang":
                    controls.append(
                        '<input type="hidden" name="lang" value="' + make.language + '">'
                    )
        if make.form == "advanced":
            controls.append(
                '<input type="text" name="author"><input type="text" name="from_year" size=4>'
            )
        labels = f"<label>{w.search}</label>" if self.fixed_choice("label", (True, False)) else ""
        inner = f"{labels}{box}{' '.join(controls)}{button}"
        if self.fixed_choice("form table", (False, False, True)):
            inner = f"<table><tr><td>{inner}</td></tr></table>"
        method = (
            f' method="{make.method.lower()}"'
            if make.method == "POST" or self.fixed_choice("m", (True, False))
            else ""
        )
        return f"<form{action}{method}{self.cls('sf')}>{inner}</form>"

    def fixed_choice(self, name: str, of: tuple[object, ...]) -> object:
        return random.Random(f"{self.make.seed} {name}").choice(of)

    def other_forms(self) -> str:
        out = []
        for name in self.make.others:
            match name:
                case "login":
                    out.append(
                        '<form action="/login" method="post"><input name="user"><input type="password" name="pw"><button>OK</button></form>'
                    )
                case "login-same":
                    out.append(
                        '<form action="/login" method="post"><input name="login_name" type="text"><button>Login</button></form>'
                    )
                case "newsletter":
                    out.append(
                        '<form action="/newsletter" method="post"><input type="text" name="email" placeholder="you@example.org"><button>Newsletter</button></form>'
                    )
                case "jump":
                    out.append(
                        '<form action="/goto"><input name="id" size=4><button>Go to no.</button></form>'
                    )
                case "language":
                    out.append(
                        '<form action="/setlang"><select name="l"><option>en<option>fr</select><button>OK</button></form>'
                    )
                case "advanced-form":
                    out.append(
                        '<form action="/adv"><input name="title"><input name="author"><input name="year"><textarea name="note"></textarea><button>OK</button></form>'
                    )
                case "feedback":
                    out.append(
                        '<form action="/feedback" method="post"><input name="msg"><button>Feedback</button></form>'
                    )
        return "".join(out)

    # Pages.

    def page(
        self, title: str, main: str, *, side: bool = True, status: int = 200, head: str = ""
    ) -> Response:
        make = self.make
        declared = make.declared
        meta = f'<meta charset="{make.charset}">' if declared in ("meta", "both") else ""
        top, aside, bottom = self._decor() if side else ("", "", "")
        for level in range(make.depth):
            main = f"<div{self.cls(f'w{level}')}>{main}</div>"
        lang = f' lang="{make.language}"' if self.fixed_choice("lang", (True, True, False)) else ""
        whole = (
            f"<!DOCTYPE html><html{lang}><head>{meta}<title>{e(title)}</title>{head}"
            "<script>var x = 1;</script></head><body>"
            f"{top}<div{self.cls('main')}>{main}</div>{aside}{bottom}</body></html>"
        )
        content = "text/html" + (
            f"; charset={make.charset}" if declared in ("header", "both") else ""
        )
        body = whole.encode(make.charset, "xmlcharrefreplace")
        return Response(body, status, headers={"content-type": content})

    def _decor(self) -> tuple[str, str, str]:
        top, side, bottom = [], [], []
        w, make = self.words, self.make
        doc = lambda t: f'<li><a href="{self.doc_base}/{t.key}">{e(t.title)}</a></li>'  # noqa: E731
        for name in make.decor:
            match name:
                case "nav":
                    top.append(
                        '<ul><li><a href="/">Home</a></li><li><a href="/about">About</a></li><li><a href="/contact">Contact</a></li><li><a href="/help">Help</a></li></ul>'
                    )
                case "latest":
                    side.append(
                        f"<div{self.cls('lat')}><h4>{w.latest}</h4><ul>{''.join(map(doc, self.latest))}</ul></div>"
                    )
                case "popular":
                    side.append(
                        f"<div{self.cls('pop')}><h4>{w.popular}</h4><ol>{''.join(map(doc, self.latest[::-1][:4]))}</ol></div>"
                    )
                case "popular-random":
                    side.append(
                        f"<div{self.cls('pop')}><h4>{w.popular}</h4><ul>{''.join(map(doc, self.rng.sample(self.texts, 5)))}</ul></div>"
                    )
                case "ads":
                    side.append(
                        "".join(
                            f'<div{self.cls("ad")}><a href="https://ads.invalid/c?{self.rng.randrange(10**9)}">Buy {self.rng.choice(("shoes", "tea", "lamps", "books"))} now</a></div>'
                            for _ in range(3)
                        )
                    )
                case "cloud":
                    words = sorted(self.engine.index, key=lambda x: -len(self.engine.index[x]))[
                        30:50
                    ]
                    side.append(
                        "<div>"
                        + " ".join(
                            f'<a href="{self.search_path()}?{urlencode({make.field: x}, encoding=make.charset, errors="replace")}">{e(x)}</a>'
                            for x in words
                        )
                        + "</div>"
                    )
                case "crumbs":
                    top.append(
                        f'<p{self.cls("cr")}><a href="/">Home</a> &gt; <a href="{self.search_path()}">{w.search}</a></p>'
                    )
                case "cookie":
                    top.append(
                        f'<div{self.cls("ck")}>We use cookies. <a href="/privacy">Privacy</a></div>'
                    )
                case "footer":
                    bottom.append(
                        '<footer><a href="/imprint">Imprint</a> <a href="/terms">Terms</a> &copy; 2024 12,345 visitors</footer>'
                    )
                case "history":
                    seen = list(dict.fromkeys(self.history[::-1]))[:5]
                    side.append(
                        "<ul>"
                        + "".join(
                            f'<li><a href="{self.search_path()}?{urlencode({make.field: x}, encoding=make.charset, errors="replace")}">{e(x)}</a></li>'
                            for x in seen
                        )
                        + "</ul>"
                    )
                case "clock":
                    bottom.append(
                        f"<p>{self.rng.randint(0, 23):02d}:{self.rng.randint(0, 59):02d}:{self.rng.randint(0, 59):02d}</p>"
                    )
                case "skip":
                    top.insert(0, '<a href="#content">Skip to content</a>')
                case "social":
                    bottom.append(
                        '<p><a href="https://social.invalid/us">Follow us</a> <a href="/feed">RSS</a></p>'
                    )
        return "".join(top), "".join(side), "".join(bottom)

    async def home(self, request: Request) -> Response:
        self.origin = str(request.base_url).rstrip("/")
        w = self.words
        form = (
            self.form()
            if self.make.home == "form"
            else f'<p><a href="{self.search_path()}">{w.search}</a></p>'
        )
        return self.page(
            "Home", f"<h1>Collection</h1><p>{self.intro}</p>{self.other_forms()}{form}"
        )

    async def other(self, request: Request) -> Response:
        return self.page(
            "Page",
            "<h1>Page</h1><p>Nothing of interest stands here.</p>",
            status=200 if request.path_params["rest"] in ("about", "help", "contact") else 404,
        )

    async def trap(self, request: Request) -> Response:
        if "q" not in request.query_params:
            self.touched.append(request.url.path)
        return self.page("Thank you", "<p>Thank you.</p>")

    async def document(self, request: Request) -> Response:
        self.origin = str(request.base_url).rstrip("/")
        asked = request.query_params
        key = (
            asked.get("id")
            or asked.get("doc")
            or request.path_params.get("key", "").split("/")[0].removesuffix(".html")
        )
        text = self.by_key.get(key)
        if text is None:
            return self.page("404", "<h1>404</h1>", status=404)
        kind = self.make.body
        said = "".join(
            f"<p>{e(' '.join(part.split()))}</p>"
            for part in re.split(r"\n\s*\n", text.body)
            if part.strip()
        )
        meta = (
            f"<dl><dt>Author</dt><dd>{text.author}</dd><dt>Date</dt><dd>{text.date}</dd></dl>"
            if kind == "metadata"
            else ""
        )
        body = {
            "class": f"<div{self.cls('text')}>{said}</div>",
            "id": f'<div id="fulltext">{said}</div>',
            "article": f"<article>{said}</article>",
        }.get(kind, said)
        back = f'<p><a href="{self.search_path()}">{self.words.back}</a></p>'
        return self.page(text.title, f"<h1>{e(text.title)}</h1>{meta}{body}{back}")

    def url(self, typed: str, given: dict[str, str], **changes: object) -> str:
        """Return the URL of a result page: the sent parameters with some of them changed."""
        sent = (
            {k: v for k, v in given.items() if v and k not in changes}
            | {self.make.field: typed}
            | {k: str(v) for k, v in changes.items() if v is not None}
        )
        query = urlencode(sent, encoding=self.make.charset, errors="replace")
        if self.make.counter == "path" and "_n" in sent:
            number = sent.pop("_n")
            query = urlencode(sent, encoding=self.make.charset, errors="replace")
            return f"{self.search_path().rstrip('/')}/page/{number}?{query}"
        return f"{self.search_path()}?{query}"

    def counter_of(self, number: int, size: int) -> dict[str, object]:
        name = self.make.parameter
        match self.make.counter:
            case "path":
                return {"_n": number}
            case "page1":
                return {name: number}
            case "page0":
                return {name: number - 1}
            case "offset":
                return {name: (number - 1) * size}
        return {name: (number - 1) * size + 1}

    def number_in(self, given: dict[str, str], size: int) -> int | None:
        said = given.get(self.make.parameter, "")
        if not said:
            return 1
        if not said.lstrip("-").isdigit():
            return None
        value = int(said)
        return {
            "page1": value,
            "page0": value + 1,
            "offset": value // size + 1,
            "start1": (value - 1) // size + 1,
        }.get(self.make.counter, value)

    async def results(self, request: Request) -> Response:
        self.origin = str(request.base_url).rstrip("/")
        make, w = self.make, self.words
        raw = request.url.query.encode() if request.method == "GET" else await request.body()
        given = dict(parse_qsl(raw.decode("latin-1"), encoding=make.charset, errors="replace"))
        if request.method == "GET" and make.method == "POST":
            given = {}
        typed = given.get(make.field, "").strip()
        for name in ("op", "x_enc"):
            if "hidden" in make.controls and typed and name not in given:
                return self.page("Error", "<p>Bad request</p>", status=400)
        size = make.page_size
        if make.size_select and given.get("pp", "").isdigit():
            size = min(max(int(given["pp"]), 1), 50)
        number = request.path_params.get("number") or self.number_in(given, size)
        if not typed:
            form = self.form()
            return self.page(
                w.search, f"<h1>{w.search}</h1><p>{self.intro}</p>{self.other_forms()}{form}"
            )
        if number is None or number < 1:
            return self.page("Error", "<p>Bad page</p>", status=404)
        self.history.append(typed)
        self.session = self.rng.randrange(16**8)
        found = self.typed_engine(typed, given)
        if len(found) == 1 and make.one_redirects and number == 1:
            return RedirectResponse(self.link(found[0], typed, 1), 302)
        shown = self.page_of(found, number, size)
        if number > shown.pages and shown.pages and make.beyond == "404":
            return self.page("404", "<h1>404</h1>", status=404)
        top = (self.form(typed, given) if make.form_on_results else "") + (
            self.other_forms() if self.fixed_choice("of", (True, False)) else ""
        )
        size = max(size, 20) if make.pager == "none" else size
        number = min(number, max(shown.pages, 1)) if make.beyond == "last" else number
        title = f"{w.search}: {typed}"
        if not found:
            main = top + self._nothing(typed)
            return self.page(title, main, status=make.none_status)
        first = (number - 1) * size + 1
        count, head = self._count(shown, typed, first, len(shown.rows), number)
        if make.total == "title":
            title = f"{title} ({self.number(shown.reported or 0)})"
        rows = shown.rows
        if make.shown_twice and number == 1 and len(rows) > 2:
            rows = (rows[0], *rows)
        cut = ""
        if make.limit and len(found) > make.limit and make.says_cut:
            cut = f"<p{self.cls('cut')}>{w.cut.format(k=make.limit)}</p>"
        pager = self.pager(typed, given, number, shown.pages, size)
        main = f"{top}{head}{count}{cut}{self._sizes(typed, given, size)}{self._facets(found, typed)}{self.hits(rows, typed, first)}{pager}{self._related(typed)}"
        if "took" in make.decor:
            main += f"<p>{self.rng.random():.3f} s</p>"
        return self.page(title, main)

    def _nothing(self, typed: str) -> str:
        make, c = self.make, self.cls
        said = f"<p{c('msg')}>{self.none_sentence}</p>"
        if self.fixed_choice("named", (True, False)):
            said = f"<p{c('msg')}>{self.none_sentence}: <b>{e(typed)}</b></p>"
        popular = tuple(self.latest[:4])
        match make.none:
            case "suggestions":
                words = sorted(self.engine.index)[10:15]
                said += (
                    "<ul>"
                    + "".join(f'<li><a href="{self.url(x, {})}">{e(x)}</a></li>' for x in words)
                    + "</ul>"
                )
            case "popular-in-list":
                said += f"<h4>{self.words.popular}</h4>" + self.hits(popular, "", 1)
            case "latest-elsewhere":
                said += (
                    f"<div{c('sug')}><h4>{self.words.latest}</h4>"
                    + "".join(
                        f'<p><a href="{self.doc_base}/{t.key}">{e(t.title)}</a></p>'
                        for t in popular
                    )
                    + "</div>"
                )
            case "zero-total":
                said = f"<p{c('count')}>{self.count_sentence.format(n=0, a=0, b=0)}</p>" + said
        return said

    def number(self, value: int) -> str:
        return f"{value:,}".replace(",", self.make.mark_of_thousands)

    def _count(
        self, shown: Shown, typed: str, first: int, rows: int, number: int
    ) -> tuple[str, str]:
        make, w = self.make, self.words
        reported = self.number(shown.reported or 0)
        said = self.count_sentence.format(n=reported, a=first, b=first + rows - 1)
        if make.counts == "about" and shown.total >= 30:
            said = w.about.format(n=reported)
        elif make.counts == "floor" and shown.total > 40:
            said = w.floor.format(n=reported)
        quoted = f" – „{e(typed)}“" if self.fixed_choice("q", (True, False, False)) else ""
        match make.total:
            case "line":
                return f"<p{self.cls('count')}>{said}{quoted}</p>", ""
            case "strong":
                return f"<div{self.cls('count')}>" + re.sub(
                    rf"({re.escape(reported)})(?!.*{re.escape(reported)})",
                    r"<strong>\1</strong>",
                    said,
                ) + f"{quoted}</div>", ""
            case "heading":
                return "", f"<h1>{said}{quoted}</h1>"
            case "badge":
                return "", f"<h2>{w.search} <span>{reported}</span></h2>"
            case "pages":
                return f"<p{self.cls('pgs')}>{w.of_pages.format(p=number, P=shown.pages)}</p>", ""
        return "", ""

    def _sizes(self, typed: str, given: dict[str, str], size: int) -> str:
        sizes = (10, 20, 50)
        if self.make.size_select == "links":
            return (
                "<p>"
                + " ".join(f'<a href="{e(self.url(typed, given, pp=s))}">{s}</a>' for s in sizes)
                + "</p>"
            )
        if self.make.size_select == "select":
            options = "".join(
                f"<option value={s}{' selected' if s == size else ''}>{s}</option>" for s in sizes
            )
            return f'<form action="{self.search_path()}"><input type="hidden" name="{e(self.make.field)}" value="{e(typed)}"><select name="pp">{options}</select><button>OK</button></form>'
        return ""

    def _facets(self, found: list[Text], typed: str) -> str:
        if "facets" not in self.make.decor:
            return ""
        counts: dict[str, int] = {}
        for text in found:
            counts[text.author] = counts.get(text.author, 0) + 1
        items = "".join(
            f'<li><a href="{e(self.url(typed, {}, author=a))}">{a}</a> ({n})</li>'
            for a, n in sorted(counts.items(), key=lambda pair: -pair[1])
        )
        return f"<div{self.cls('fac')}><ul>{items}</ul></div>"

    def _related(self, typed: str) -> str:
        if "related" not in self.make.decor:
            return ""
        rng = random.Random(typed)
        words = rng.sample(sorted(self.engine.index), 4)
        links = "".join(
            f'<li><a href="{e(self.url(f"{typed} {x}", {}))}">{e(typed)} {e(x)}</a></li>'
            for x in words
        )
        return f"<h4>{self.words.related}</h4><ul>{links}</ul>"

    # Paging.

    def pager(self, typed: str, given: dict[str, str], number: int, pages: int, size: int) -> str:
        make, w, c = self.make, self.words, self.cls
        if make.pager == "none" or (pages <= 1 and make.last in ("absent", "disabled-link")):
            return ""
        if make.method == "POST":
            return self._post_pager(typed, number, pages, size)

        def to(n: int) -> str:
            return e(self.url(typed, given, **self.counter_of(n, size)))

        more = number < pages
        label, back = w.next, w.back
        if make.pager == "select":
            options = "".join(
                f'<option value="{n if make.counter == "path" else next(iter(self.counter_of(n, size).values()))}"{" selected" if n == number else ""}>{n}</option>'
                for n in range(1, pages + 1)
            )
            if make.counter == "path":
                return f'<p><a href="{to(number + 1)}">{label}</a></p>' if more else ""
            return (
                f'<form action="{self.search_path()}">'
                + "".join(
                    f'<input type="hidden" name="{e(k)}" value="{e(v)}">'
                    for k, v in ({**given, make.field: typed}).items()
                    if k != make.parameter
                )
                + f'<select name="{make.parameter}">{options}</select><input type="submit" value="Go"></form>'
            )
        if make.pager == "button":
            if not more or make.counter == "path":
                return f'<p><a href="{to(number + 1)}">{label}</a></p>' if more else ""
            values = {**given, make.field: typed} | {
                k: str(v) for k, v in self.counter_of(number + 1, size).items()
            }
            return (
                f'<form action="{self.search_path()}">'
                + "".join(
                    f'<input type="hidden" name="{e(k)}" value="{e(v)}">' for k, v in values.items()
                )
                + f"<button{c('nx')}>{label}</button></form>"
            )
        numbers = ""
        if make.pager in ("numbers", "window", "text-numbers"):
            span = (
                range(1, pages + 1)
                if make.pager == "numbers"
                else range(max(1, number - 2), min(pages, number + 2) + 1)
            )
            current = self.fixed_choice(
                "current",
                (
                    "<b>{n}</b>",
                    "<span>{n}</span>",
                    '<a href="#">{n}</a>',
                    "<li><strong>{n}</strong></li>",
                ),
            )
            item = "<li>{}</li>" if "li" in str(current) else "{}"
            numbers = " ".join(
                str(current).format(n=n)
                if n == number
                else item.format(f'<a href="{to(n)}">{n}</a>')
                for n in span
            )
            if "li" in str(current):
                numbers = f"<ul{c('pages')}>{numbers}</ul>"
        inner = {
            "text": label,
            "text-numbers": self.fixed_choice("dec", (f"{label} »", f"{label}", f"{label} &gt;")),
            "rel": label,
            "arrow": self.fixed_choice("arrow", ("›", "»", "&gt;", "→", "&gt;&gt;")),
            "image": f'<img src="/i/fwd.gif" alt="{label}">',
            "icon": '<i class="fa fa-chevron-right"></i>',
            "more": w.more,
        }.get(make.pager, "")
        before = {
            "arrow": self.fixed_choice("arrowb", ("‹", "«", "&lt;", "←", "&lt;&lt;")),
            "image": f'<img src="/i/bck.gif" alt="{back}">',
            "icon": '<i class="fa fa-chevron-left"></i>',
        }.get(make.pager, back)
        rel = ' rel="next"' if make.pager == "rel" else ""
        aria = (
            f' aria-label="{label}"'
            if make.pager == "icon" and self.fixed_choice("aria", (True, False))
            else ""
        )
        onward = ""
        if inner:
            if more:
                onward = f'<a{c("nx")}{rel}{aria} href="{to(number + 1)}">{inner}</a>'
            elif make.last == "disabled":
                onward = f'<span class="disabled">{inner}</span>'
            elif make.last == "disabled-link":
                onward = f'<a class="disabled" href="#">{inner}</a>'
            elif make.last == "stays":
                onward = f'<a{c("nx")}{rel}{aria} href="{to(number + 1)}">{inner}</a>'
        prev = (
            f'<a href="{to(number - 1)}">{before}</a>'
            if number > 1 and make.pager != "more"
            else ""
        )
        return f"<div{c('pg')}>{prev} {numbers} {onward}</div>"

    def _post_pager(self, typed: str, number: int, pages: int, size: int) -> str:
        make, c = self.make, self.cls
        out = ""
        targets = [number + 1] if make.pager in ("text", "button") else list(range(1, pages + 1))
        for n in targets:
            if n > pages or n == number:
                continue
            values = (
                {make.field: typed}
                | ({"op": "list", "x_enc": "1"} if "hidden" in make.controls else {})
                | {k: str(v) for k, v in self.counter_of(n, size).items()}
            )
            label = self.words.next if make.pager in ("text", "button") else str(n)
            out += (
                f'<form action="{self.search_path()}" method="post"{c("pf")}>'
                + "".join(
                    f'<input type="hidden" name="{e(k)}" value="{e(v)}">' for k, v in values.items()
                )
                + f'<input type="submit" value="{label}"></form>'
            )
        return out
