"""Find the search index of a page's scripts, by the site's generator and by file names."""

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

import parsel

from longline.discovery.reading import says_search

MOST_SCRIPTS = 4
"""How many scripts and pages of the same site are searched for the URL of an index."""

_NAMED = re.compile(
    r"""["'`(=]\s*([^\s"'`()<>=]*?(?:search|lunr|fuse)[^\s"'`()<>=]*\.(?:json|js|xml)"""
    r"""(?:\?[^\s"'`()<>]*)?|[^\s"'`()<>=]*/?index\.json)(?=["'`)])""",
    re.IGNORECASE,
)
_IS_INDEX = re.compile(
    r"(?:search|lunr|fuse)[\w.-]*(?:index|data|db|doc|content|store|pages|posts)"
    r"|(?:index|data|offline)[\w.-]*(?:search|lunr|fuse)|search\.json|search[\w.-]*\.json|index\.json",
    re.IGNORECASE,
)
_NO_INDEX = re.compile(r"worker|\bsearch(?:tools)?\.js|\.min\.js$|/search/main\.js", re.IGNORECASE)
_PAGEFIND = re.compile(r"""["'`(=]\s*([^\s"'`()<>=]*?pagefind/)[\w.-]*\.(?:js|css)""")
_SPHINX = re.compile(r"""src\s*=\s*["']([^"']*?)_static/(?:documentation_options|doctools)\.js""")
_MKDOCS = re.compile(
    r"""["']([^"']*?)search/(?:main|worker|require)\.js|"search":\s*"([^"]*?)assets/"""
)
_CHUNK = re.compile(r"""["'`](\.{1,2}/[\w@./-]*search[\w@.-]*\.js)["'`]""", re.IGNORECASE)
_VITEPRESS = re.compile(r"""<meta name="generator" content="VitePress""")
_THEME = re.compile(r"""<link rel="modulepreload" href="([^"]*/theme\.[^"]*\.js)">""")
_GENERATOR = re.compile(r"[a-z.]+")

BY_GENERATOR = {
    "zensical": ("search.json", "search/search_index.json"),
    "mkdocs": ("search/search_index.json", "search.json"),
    "docusaurus": ("search-index.json", "search-doc.json", "lunr-index.json"),
    "mdbook": ("searchindex.json", "searchindex.js"),
    "starlight": ("pagefind/pagefind-entry.json",),
    "astro": ("pagefind/pagefind-entry.json",),
    "hugo": ("index.json", "search-index.json", "searchindex.json"),
    "jekyll": ("search.json", "assets/js/search-data.json", "search-index.json"),
    "hexo": ("search.json", "search.xml", "content.json"),
    "quarto": ("search.json",),
    "zola": ("search_index.en.json", "search_index.en.js"),
    "eleventy": ("search-index.json", "search.json"),
    "gitbook": ("search_index.json", "search_plus_index.json"),
    "documenter": ("search_index.js",),
    "javadoc": ("type-search-index.js",),
    "pkgdown": ("search.json",),
    "antora": ("search-index.js",),
    "vuepress": ("searchIndex.js",),
}
"""Where site generators put their index, by their name in <meta name=generator>."""

ANYWHERE = (
    *("search.json", "search-index.json", "index.json", "search/search_index.json"),
    *("searchindex.js", "pagefind/pagefind-entry.json", "search_index.json", "searchindex.json"),
)
"""Usual places of indexes, to try if nothing is known about a site."""


class Place(NamedTuple):
    """A possible place of an index.

    Attributes:
        url: URL of the file.
        base: URL that its relative URLs refer to.
    """

    url: str
    base: str


def index_places(url: str, text: str) -> list[Place]:
    """Return possible places of a page's search index, the most likely first; [] without a sign.

    >>> page = '<script src="../_static/documentation_options.js"></script>'
    >>> index_places("https://x.example/en/a/b.html", page)
    [Place(url='https://x.example/en/searchindex.js', base='https://x.example/en/')]
    """
    found = [*_by_scripts(url, text), *_by_names(url, text), *_by_generator(url, text)]
    return list({place.url: place for place in reversed(found)}.values())[::-1]


def _by_scripts(url: str, text: str) -> Iterator[Place]:
    if found := _PAGEFIND.search(text):
        base = urljoin(url, found[1])
        yield Place(urljoin(base, "pagefind-entry.json"), base)
    if found := _SPHINX.search(text):
        base = urljoin(url, found[1])
        yield Place(urljoin(base, "searchindex.js"), base)
    if found := _MKDOCS.search(text):
        base = urljoin(url, found[1] or found[2] or "./")
        for name in BY_GENERATOR["mkdocs"]:
            yield Place(urljoin(base, name), base)


def _by_names(url: str, text: str) -> Iterator[Place]:
    """Yield the URLs of indexes that a page or a script names."""
    host, root = urlsplit(url).netloc, urljoin(url, "/")
    for found in _NAMED.finditer(text):
        try:
            named = urljoin(url, found[1].replace("\\/", "/"))
        except ValueError:
            continue
        name = urlsplit(named).path.rpartition("/")[2]
        if (
            urlsplit(named).netloc == host
            and _IS_INDEX.search(name)
            and not _NO_INDEX.search(named)
        ):
            if text[: found.start()].endswith("+"):  # base + "/search_index.json"
                above = urljoin(url, "./")
                yield Place(urljoin(above, found[1].lstrip("/")), above)
            yield Place(named, root)


def _by_generator(url: str, text: str) -> Iterator[Place]:
    page = parsel.Selector(text=text or "<html/>", type="html")
    says = " ".join(page.xpath("//meta[translate(@name, 'G', 'g')='generator']/@content").getall())
    says = says.lower() + (" mdbook" if "Book generated using mdBook" in text else "")
    for word in _GENERATOR.findall(says):
        base = urljoin(url, "./")
        for name in BY_GENERATOR.get(word.removesuffix(".jl").strip("."), ()):
            yield Place(urljoin(base, name), base)


def scripts_in(url: str, text: str) -> list[str]:
    """Return scripts and search pages of the same site that may name an index, by their names.

    >>> scripts_in("https://x.example/", '<script src="/js/search.js"></script>')
    ['https://x.example/js/search.js']
    >>> scripts_in("https://x.example/", '<form action="search.html"><input name=q></form>')
    ['https://x.example/search.html']
    >>> scripts_in("https://x.example/", '<a href="/find/">Search</a>')
    ['https://x.example/find/']
    """
    page = parsel.Selector(text=text or "<html/>", type="html")
    actions = page.xpath("//form[not(@method='post')]/@action").getall()
    pages = [action for action in actions if action.strip().endswith((".html", ".htm"))]
    if not page.xpath("//form//input"):
        links = page.xpath("//a[@href]")
        said = {link.attrib["href"]: link.xpath("string()").get("") for link in links}
        pages += [at for at, words in said.items() if says_search(f"{at} {words}")][:1]
    own = []
    for source in [*page.xpath("//script/@src").getall(), *pages]:
        try:
            named = urljoin(url, source.strip())
        except ValueError:
            continue
        name = urlsplit(named).path.rpartition("/")[2].lower()
        is_named = source in pages or re.search("search|lunr|fuse", name)
        if urlsplit(named).netloc == urlsplit(url).netloc and is_named:
            own.append(named)
    return list(dict.fromkeys(own))[:MOST_SCRIPTS]


def chunks_in(url: str, text: str) -> list[str]:
    """Return the chunks of a page's scripts that may contain the search, as a bundler splits them.

    For a page, these are the chunks that VitePress preloads, whose theme names the search chunk.

    >>> chunks_in("https://x.example/js/theme.js", 'import("./SearchBox.B1.js")')
    ['https://x.example/js/SearchBox.B1.js']
    >>> preload = '<link rel="modulepreload" href="/chunks/theme.B1.js">'
    >>> chunks_in("https://x.example/", f'<meta name="generator" content="VitePress v1">{preload}')
    ['https://x.example/chunks/theme.B1.js']
    """
    named = _THEME.findall(text) if _VITEPRESS.search(text) else _CHUNK.findall(text)
    return list(dict.fromkeys(urljoin(url, each) for each in named))[:MOST_SCRIPTS]


def places_anywhere(url: str) -> list[Place]:
    """Return the usual places of an index, for a page whose generator is unknown."""
    base = urljoin(url, "./")
    return [Place(urljoin(base, name), base) for name in ANYWHERE]
