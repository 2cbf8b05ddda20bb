"""Search indexes that a site makes for its visitors' browsers: one file names every page.

Any generator is supported: somewhere in the file are objects that each have a URL, a title and a
text, or columns of names. They are converted to one row per page; sections of a page, whose URL has
a fragment, are added to that page's text.
"""

import re
from collections.abc import Iterator
from typing import Any

DEPTH = 6
LEAST_NAMED = 0.8
"""Minimum share of a list's objects that have a URL, if it lists pages or their sections."""

_URL = (
    *("location", "url", "uri", "href", "permalink", "relpermalink", "relurl", "link", "path"),
    *("sectionref", "route", "loc", "u", "ref", "slug", "objectid"),
)
_TITLE = ("title", "t", "name", "heading", "page", "s", "breadcrumbs")
_TEXT = (
    *("text", "content", "contents", "body", "data", "description", "summary", "excerpt"),
    *("b", "c", "d"),
)
_PART = ("section", "s", "heading", "subtitle")

_PLACE = re.compile(r"(?:https?:/)?/\S+$")
"""A URL under an unknown name."""

Row = dict[str, str]
_PAGE = re.compile(r"/|\.html?(?:$|[?#])")
_NOTHING: Row = {"url": "", "title": "", "text": ""}


def index_pages(data: Any, template: str = "{}") -> list[Row]:
    r"""Return the pages in a search index, each with its url, title and text.

    It reads objects with a URL, as MkDocs, lunr, elasticlunr, Docusaurus, Hugo, Jekyll and Quarto
    write them, under any name; Sphinx's columns; objects named by URLs; Pagefind's pieces; the
    stored fields of MiniSearch, as VitePress writes them; bookdown's rows; the packages and names
    of javadoc; and the bare URLs of a stored lunr index.

    Args:
        data: The file, as JSON.
        template: A relative URL is put into it, for the {}.

    >>> index_pages({"docs": [{"location": "a/", "title": "A", "text": "One"},
    ...                       {"location": "a/#b", "title": "B", "text": "Two"}]}, "../{}")
    [{'url': '../a/', 'title': 'A', 'text': 'One\nB\nTwo'}]
    >>> index_pages({"docnames": ["x/y"], "titles": ["Y"]}, "{}.html")
    [{'url': 'x/y.html', 'title': 'Y', 'text': ''}]
    """
    rows = _columns(data) or _pieces(data) or _stored(data) or _types(data)
    rows = rows or _triples(data) or list(_objects(data)) or _references(data)
    return _pages(rows, template)


def _columns(data: Any) -> list[Row]:
    """Read Sphinx: names and titles side by side."""
    if not isinstance(data, dict):
        return []
    names, titles = data.get("docnames"), data.get("titles")
    if not isinstance(names, list) or not isinstance(titles, list) or len(names) != len(titles):
        return []
    pairs = zip(names, titles, strict=True)
    return [{"url": str(name), "title": str(title), "text": ""} for name, title in pairs]


def _pieces(data: Any) -> list[Row]:
    """Read Pagefind's list of pieces: one file per page, named by a hash."""
    is_meta = isinstance(data, list) and len(data) > 2 and isinstance(data[0], str)
    if not is_meta or not isinstance(data[1], list):
        return []
    names = [row[0] for row in data[1] if isinstance(row, list) and row and _is_text(row[0])]
    pages = [{"url": f"fragment/{name}.pf_fragment", "title": "", "text": ""} for name in names]
    return pages if len(names) == len(data[1]) else []


def _stored(data: Any) -> list[Row]:
    """Read MiniSearch: the URL and the stored fields for each number."""
    if not isinstance(data, dict):
        return []
    names, fields = data.get("documentIds"), data.get("storedFields")
    if not isinstance(names, dict) or not isinstance(fields, dict):
        return []
    rows = ((str(name), fields.get(number)) for number, name in names.items())
    return [
        (_row(held) if isinstance(held, dict) else _NOTHING) | {"url": url} for url, held in rows
    ]


def _types(data: Any) -> list[Row]:
    """Read javadoc's list of types; skip entries without a package, the site's own pages."""
    rows = data if isinstance(data, list) and all(isinstance(row, dict) for row in data) else []
    if not rows or any(not _is_text(row.get("l")) or not {"p", "u"} & row.keys() for row in rows):
        return []
    own = [row for row in rows if _is_text(row.get("p"))]
    ways = [[row.get("m"), row["p"].replace(".", "/"), f"{row['l']}.html"] for row in own]
    return [
        {"url": row.get("u") or "/".join(filter(None, way)), "title": row["l"], "text": ""}
        for row, way in zip(own, ways, strict=True)
    ]


def _triples(data: Any) -> list[Row]:
    """Read bookdown's list of pages: the URL, title and text of each, without names."""
    rows = data if isinstance(data, list) else []
    is_page = (isinstance(row, list) and len(row) == 3 and all(map(_is_text, row)) for row in rows)
    if not all(is_page) or not all(_PAGE.search(row[0]) for row in rows):
        return []
    return [{"url": url, "title": title, "text": text} for url, title, text in rows]


def _objects(data: Any, depth: int = DEPTH) -> Iterator[Row]:
    """Yield the rows of every list of objects with URLs."""
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    held = list(inner)
    objects = [each for each in held if isinstance(each, dict)]
    if isinstance(data, dict):
        urls = data.get("doc_urls")
        if isinstance(urls, list):  # elasticlunr, as mdBook writes it: numbers instead of URLs
            yield from _numbered(data, urls)
            return
        named = {name: each for name, each in data.items() if isinstance(each, dict)}
        if len(named) == len(data) > 0 and sum("/" in name for name in named) >= len(named) * 0.8:
            yield from (_row(each) | {"url": name} for name, each in named.items())
            return
    with_url = [row for row in map(_row, objects) if row["url"]]
    says = any(row["title"] or row["text"] for row in with_url)
    if with_url and says and len(with_url) >= LEAST_NAMED * len(held):
        yield from with_url
        return
    for each in held if depth else ():
        yield from _objects(each, depth - 1)


def _numbered(data: dict[str, Any], urls: list[Any]) -> Iterator[Row]:
    docs = data.get("index", {}).get("documentStore", {}).get("docs", {})
    for number, each in docs.items() if isinstance(docs, dict) else ():
        if str(number).isdigit() and int(number) < len(urls) and isinstance(each, dict):
            yield _row(each) | {"url": str(urls[int(number)])}


def _references(data: Any) -> list[Row]:
    """Read the URLs from lunr's own index, which contains nothing else."""
    vectors = data.get("fieldVectors") if isinstance(data, dict) else None
    if vectors is None and isinstance(data, dict):
        return next((rows for each in data.values() if (rows := _references(each))), [])
    names = [str(each[0]) for each in vectors or [] if isinstance(each, list) and each]
    refs = list(dict.fromkeys(name.partition("/")[2] for name in names))
    is_address = refs and sum("/" in ref or ".htm" in ref for ref in refs) >= LEAST_NAMED * len(
        refs
    )
    return [{"url": ref, "title": "", "text": ""} for ref in refs] if is_address else []


def _row(item: dict[str, Any]) -> Row:
    """Return the URL, title and text of an object, by its names."""
    named = {str(name).lower().replace("_", ""): value for name, value in item.items()}
    url = next((named[n] for n in _URL if _is_text(named.get(n)) and named[n].strip()), None)
    if url is None and "location" in named and _is_text(named["location"]):
        url = named["location"] or "./"
    if url is None:
        url = next((each for each in item.values() if _is_text(each) and _PLACE.match(each)), None)
    place = named.get("h")
    if url is not None and isinstance(place, str) and place.startswith("#"):  # Docusaurus
        url = url.partition("#")[0] + place
    text_name = next((name for name in _TEXT if _said(named.get(name))), "")
    title_name = next((name for name in _TITLE if _said(named.get(name))), "")
    title, text = _said(named.get(title_name)), _said(named.get(text_name))
    part = next((_said(named[name]) for name in _PART if name in named), "")
    if part and title and part != title and title_name != "s":
        text = f"{part}\n{text}"
    return {"url": url or "", "title": title, "text": text}


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _said(value: Any) -> str:
    """Return the text of a value, including the texts in a list or an object."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(filter(None, map(_said, value)))
    if isinstance(value, dict):
        return "\n".join(filter(None, (f"{name}\n{_said(each)}" for name, each in value.items())))
    return ""


def _pages(rows: list[Row], template: str) -> list[Row]:
    """Join the sections of each page, under the page's own title."""
    pages: dict[str, Row] = {}
    for row in rows:
        url, mark, _ = row["url"].partition("#")
        url = "" if url == "./" else url
        page = pages.setdefault(url, {"url": _address(url, template), "title": "", "text": ""})
        is_part = bool(mark) or bool(page["title"])
        page["title"] = page["title"] or row["title"]
        said = row["text"].strip()
        if is_part and row["title"] != page["title"]:
            said = f"{row['title']}\n{said}".strip()
        # Some indexes list a page with all of its text, and then each section again.
        if said and row["text"].strip() not in page["text"]:
            page["text"] = f"{page['text']}\n{said}".strip()
    return list(pages.values())


def _address(url: str, template: str) -> str:
    if "://" in url or (url.startswith("/") and template.partition("{}")[0][-1:] in ("", "/")):
        return url
    if template.endswith("{}/"):  # Sphinx's pages in folders of their own
        url = url.removesuffix("index").rstrip("/")
        return template.replace("{}/", f"{url}/" if url else "") or "./"
    return template.replace("{}", url) or "./"
