"""The properties of a made-up HTML search site; each is drawn independently."""

# ruff: noqa: E501  (lists of choices read better in one line)

import random
from dataclasses import dataclass

from bench.discovery.engine import UNSPACED, Rules
from bench.discovery.words import CHARSETS

LANGUAGES = ("en", "en", "en", "de", "fr", "es", "it", "nl", "pl", "ru", "ja", "el", "ar")


@dataclass
class Make:
    """What was drawn for a site; see the field names."""

    seed: int
    language: str
    rules: Rules
    documents: int
    layout: str
    title: str
    link: str
    mark: str
    snippet: str
    extras: tuple[str, ...]
    decor: tuple[str, ...]
    names: str
    depth: int
    form: str
    field: str
    action: str
    method: str
    controls: tuple[str, ...]
    others: tuple[str, ...]
    home: str
    form_on_results: bool
    total: str
    counts: str
    mark_of_thousands: str
    pager: str
    counter: str
    parameter: str
    last: str
    beyond: str
    page_size: int
    limit: int | None
    says_cut: bool
    none: str
    none_status: int
    one_redirects: bool
    charset: str
    declared: str
    path: str
    body: str
    size_select: str
    shown_twice: bool


def draw(seed: int) -> Make:
    """Draw a site; the same seed gives the same site."""
    rng = random.Random(f"made up {seed}")
    one = rng.choice
    language = one(LANGUAGES)
    charset = one(CHARSETS[language]) if rng.random() < 0.2 else "utf-8"
    rules = Rules(
        default=one(("AND",) * 7 + ("OR",) * 3 + ("string",)),
        nots=one(((), (), ("-",), ("-",), ("NOT",), ("-", "NOT"), ("AND NOT",))),
        ors=rng.random() < 0.5,
        phrase=rng.random() < 0.7,
        reads_signs=rng.random() < 0.3,
        stems=rng.random() < 0.25,
        folds=rng.random() < 0.7,
        stops=rng.random() < 0.25,
        least=one((1, 1, 1, 1, 3)) if language not in UNSPACED else 1,
        titles=rng.random() < 0.08,
    )
    limit = one((None,) * 6 + (50, 100, 100, 200))
    method = "POST" if rng.random() < 0.1 else "GET"
    pager = one(
        ("text", "text", "rel", "arrow", "image", "icon", "numbers", "numbers", "window",
         "select", "more", "button", "none", "text-numbers", "text-numbers")
    )  # fmt: skip
    if method == "POST":
        pager = one(("text", "text-numbers", "button", "numbers"))
    if rng.random() < 0.05:
        counter = "path"
    else:
        counter = one(("page1", "page1", "page0", "offset", "offset", "start1"))
    counter = "page1" if method == "POST" and counter == "path" else counter
    counts = one(("exact",) * 6 + ("about", "floor", "cut"))
    total = one(
        ("line", "line", "line", "line", "title", "strong", "pages", "none", "heading", "badge")
    )
    if counts in ("about", "floor") and total in ("title", "pages", "none"):
        total = "line"
    layout = one(
        ("table", "table-header", "dl", "ul", "ol", "cards", "cards", "articles", "flat", "grouped",
         "tiles", "image", "readmore", "two-rows", "paragraphs", "brs", "nested", "columns")
    )  # fmt: skip
    return Make(
        seed=seed,
        language=language,
        rules=rules,
        documents=rng.randint(150, 400),
        layout=layout,
        title=one(("plain", "h3", "h2", "strong", "span")),
        link=one(("path", "path", "html", "id", "id", "relative", "up", "absolute", "track", "track", "session", "rank", "slug")),
        mark=one(("", "", "b", "mark", "em", "span")),
        snippet=one(("context", "context", "start", "start", "none", "whole")),
        extras=tuple(rng.sample(("author", "tags", "pdf", "share", "number", "date", "score", "url", "kind", "cache"), rng.randint(0, 4))),
        decor=tuple(rng.sample(("nav", "latest", "popular-random", "ads", "cloud", "facets", "crumbs", "related", "cookie", "footer", "history", "took", "clock", "popular", "skip", "social"), rng.randint(1, 6))),
        names=one(("plain", "hash", "bem", "none", "utility")),
        depth=rng.randint(0, 4),
        form=one(("simple", "simple", "simple", "advanced", "separate", "input-search", "button-type", "noname-button")),
        field=one(("q", "query", "s", "term", "search_api_fulltext", "tx_find[q]", "kw", "ctl00$main$txt", "p_text", "text", "wort", "keys", "was", "field1")),
        action=one(("absolute", "absolute", "relative", "none", "empty", "full")),
        method=method,
        controls=tuple(rng.sample(("hidden", "collection", "sort", "boxes", "match", "fields", "year", "lang"), rng.randint(0, 3))),
        others=tuple(rng.sample(("login", "newsletter", "jump", "language", "advanced-form", "feedback", "login-same"), rng.randint(0, 3))),
        home=one(("form", "form", "form", "link", "self")),
        form_on_results=rng.random() < 0.8,
        total=total,
        counts=counts,
        mark_of_thousands=one((",", ".", " ", "'", "\u00a0", "")),
        pager=pager,
        counter=counter,
        parameter=one({"page1": ("page", "p", "pg", "seite", "currentPage"), "page0": ("page", "pageIndex"), "offset": ("start", "offset", "from", "begin", "b"), "start1": ("start", "first", "startRecord"), "path": ("page",)}[counter]),
        last=one(("absent", "absent", "disabled", "disabled-link", "stays")),
        beyond=one(("empty", "empty", "last", "404", "first")),
        page_size=one((5, 8, 10, 10, 10, 12, 20, 25)),
        limit=limit,
        says_cut=rng.random() < 0.5,
        none=one(("plain", "plain", "plain", "suggestions", "popular-in-list", "latest-elsewhere", "zero-total")),
        none_status=404 if rng.random() < 0.06 else 200,
        one_redirects=rng.random() < 0.05,
        charset=charset,
        declared=one(("header", "meta", "both")) if charset != "utf-8" else one(("header", "meta", "both", "none")),
        path=one(("/search", "/find", "/recherche.php", "/cgi-bin/query", "/catalog/results", "/", "/index.php")),
        body=one(("plain", "class", "id", "article", "bare", "metadata")),
        size_select=one(("", "", "", "links", "select")),
        shown_twice=rng.random() < 0.08,
    )  # fmt: skip
