"""The index of a site's own search is found from the front page, and all its pages are held."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.discovery.offered.kit import (
    DOCUMENTS,
    SIZE,
    WANTED,
    Files,
    as_page,
    folder_site,
    harvested,
    share_of_text,
    site,
    titles,
)

from longline.discovery.routes import index_places
from longline.source.search_index import index_pages


def rows(**names: str) -> list[dict[str, str]]:
    """Return an object for each document with the given names; `path` is relative to the site."""
    return [
        {
            name: {"path": f"p/{d.key}.html", "title": d.title, "text": d.text, "key": d.key}[said]
            for name, said in names.items()
        }
        for d in DOCUMENTS
    ]


def absolute(**names: str) -> list[dict[str, str]]:
    """Return the same with paths from the site's root."""
    made = rows(**names)
    path = next(name for name, said in names.items() if said == "path")
    return [{**row, path: f"/{row[path]}"} for row in made]


def elasticlunr() -> dict[str, Any]:
    """Return an index in the format of mdBook and Zola: numbers refer to URLs."""
    docs = {
        str(n): {"body": d.text, "breadcrumbs": d.title, "id": str(n), "title": d.title}
        for n, d in enumerate(DOCUMENTS)
    }
    urls = [f"p/{d.key}.html" for d in DOCUMENTS]
    return {"doc_urls": urls, "index": {"documentStore": {"docs": docs, "length": len(docs)}}}


def easyops() -> list[dict[str, Any]]:
    """Return an index in the format of Docusaurus' local search: titles, and pieces of text."""
    pages = [
        {"i": n, "t": d.title, "u": f"/p/{d.key}.html", "b": []} for n, d in enumerate(DOCUMENTS)
    ]
    pieces = [
        {"i": 1000 + n, "t": d.text, "s": d.title, "u": f"/p/{d.key}.html", "h": "#text", "p": n}
        for n, d in enumerate(DOCUMENTS)
    ]
    return [{"documents": pages, "index": {}}, {"documents": pieces, "index": {}}]


def by_address() -> dict[str, Any]:
    """Return an index in the format of Hextra: its keys are URLs."""
    return {f"/p/{d.key}.html": {"title": d.title, "data": {"": d.text}} for d in DOCUMENTS}


def gitbook() -> dict[str, Any]:
    """Return an index in the format of GitBook and HonKit: words by URL, then stored fields."""
    words = {f"p/{d.key}.html": d.text.split()[:9] for d in DOCUMENTS}
    stored = {row["url"]: row for row in rows(url="path", title="title", body="text")}
    return {"index": {"ref": "url", "documentStore": {"store": words}}, "store": stored}


def stored_by_lunr() -> dict[str, Any]:
    """Return an index that lunr has stored: URLs, and no text."""
    vectors = [[f"title/p/{d.key}.html", [0, 1.2]] for d in DOCUMENTS]
    return {"version": "2.3.9", "fields": ["title"], "fieldVectors": vectors, "invertedIndex": []}


def sphinx() -> str:
    """Return an index in the format of older Sphinx: a script with unquoted names."""
    names = json.dumps([f"p/{d.key}" for d in DOCUMENTS])
    given = json.dumps([d.title for d in DOCUMENTS])
    return f"Search.setIndex({{docnames:{names},filenames:[],titles:{given},terms:{{a:[0,1]}}}})"


def minisearch() -> dict[str, Any]:
    """Return an index as MiniSearch stores it: URLs by number, and titles without texts."""
    return {
        "documentIds": {str(n): f"/p/{d.key}.html#{d.key}" for n, d in enumerate(DOCUMENTS)},
        "storedFields": {str(n): {"title": d.title, "titles": []} for n, d in enumerate(DOCUMENTS)},
        "index": [],
    }


def quoted(value: object) -> str:
    """Return a script that parses JSON from a string."""
    text = json.dumps(value).replace("\\", "\\\\").replace("'", "\\'")
    return f"window.search = Object.assign(window.search, JSON.parse('{text}'));"


HUGO = '<meta name="generator" content="Hugo 0.131.0">'
BY_SCRIPT = "<script>fetch('/js/search-data.json').then(r => r.json())</script>"
CASES: dict[str, tuple[str, Files]] = {
    "mkdocs": (
        '<script src="search/main.js"></script>',
        {
            "/search/search_index.json": json.dumps(
                {"config": {}, "docs": rows(location="path", title="title", text="text")}
            )
        },
    ),
    "hugo": (
        HUGO,
        {"/index.json": json.dumps(absolute(permalink="path", title="title", content="text"))},
    ),
    "jekyll": (
        BY_SCRIPT,
        {
            "/js/search-data.json": json.dumps(
                {
                    str(n): row
                    for n, row in enumerate(absolute(url="path", title="title", content="text"))
                }
            )
        },
    ),
    "ford": (
        '<form action="./search.html" role="search"><input name="q"></form>',
        {
            "/search.html": '<script src="./search/search_database.json"></script>',
            "/search/search_database.json": "var tipuesearch = "
            + json.dumps({"pages": rows(title="title", text="text", url="path")}),
        },
    ),
    "docusaurus": (
        '<meta name="generator" content="Docusaurus v3.5">',
        {"/search-index.json": json.dumps(easyops())},
    ),
    "mdbook": ("<!-- Book generated using mdBook -->", {"/searchindex.js": quoted(elasticlunr())}),
    "hextra": (
        '<script src="/en.search.js"></script>',
        {
            "/en.search.js": 'const u = "/en.search-data.json";',
            "/en.search-data.json": json.dumps(by_address()),
        },
    ),
    "documenter": (
        '<meta name="generator" content="Documenter.jl 1.7">',
        {
            "/search_index.js": "var documenterSearchIndex = "
            + json.dumps({"docs": rows(location="path", page="title", title="title", text="text")})
            + ";"
        },
    ),
    "quarto": (
        '<meta name="generator" content="quarto-1.5">',
        {
            "/search.json": json.dumps(
                rows(objectID="path", href="path", title="title", section="key", text="text")
            )
        },
    ),
    "lunr alone": (
        BY_SCRIPT.replace("search-data", "lunr-index"),
        {"/js/lunr-index.json": json.dumps(stored_by_lunr())},
    ),
    "old sphinx": ('<script src="_static/doctools.js"></script>', {"/searchindex.js": sphinx()}),
    "gitbook": (
        "".join(f'<script src="/parts/{n}.js"></script>' for n in ("search-engine", "search"))
        + '<script src="/parts/lunr.min.js"></script><script src="/parts/search-lunr.js"></script>',
        {
            "/parts/search-engine.js": "class Engine {}",
            "/parts/search.js": "class Search {}",
            "/parts/lunr.min.js": "class Lunr {}",
            "/parts/search-lunr.js": "get(state.basePath+'/search_plus_index.json');",
            "/search_plus_index.json": json.dumps(gitbook()),
        },
    ),
    "vitepress": (
        '<meta name="generator" content="VitePress v1.6.4">'
        '<link rel="modulepreload" href="/assets/chunks/theme.Boz-D1.js">',
        {
            "/assets/chunks/theme.Boz-D1.js": 'go(import("./VPLocalSearchBox.C1.js"))',
            "/assets/chunks/VPLocalSearchBox.C1.js": 'import("./@localSearchIndexroot.Q9.js");',
            "/assets/chunks/@localSearchIndexroot.Q9.js": "const e=`"
            + json.dumps(minisearch()).replace("`", "\\`")
            + "`;export{e as default};",
        },
    ),
    "not named": (
        "",
        {"/search.json": json.dumps(absolute(url="path", title="title", body="text"))},
    ),
}


QUICK = ("mkdocs", "hugo", "mdbook", "lunr alone")
NAMES = [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in CASES]


@pytest.mark.parametrize("name", NAMES)
def test_an_index_holds_every_page(name: str, tmp_path: Path) -> None:
    """All documents are held with their texts, and the certificate names the list."""
    front, files = CASES[name]
    harvest = harvested(site(files, front), tmp_path)
    certificate = harvest.certificate
    assert (certificate.outcome, certificate.size) == ("complete", SIZE)
    assert titles(harvest) == WANTED
    assert share_of_text(harvest) > 0.9
    assert "the list was read to its end" in certificate.stopped
    assert certificate.discovery_requests <= 40
    has_texts = name not in ("lunr alone", "old sphinx", "vitepress")
    assert certificate.document_pages == (0 if has_texts else SIZE)


def test_a_list_with_beginnings_of_texts_is_not_taken_for_the_texts(tmp_path: Path) -> None:
    """If the index has only the first words of each page, the pages are read."""
    short = [
        {**row, "content": row["content"][:80]}
        for row in absolute(url="path", title="title", content="text")
    ]
    harvest = harvested(site({"/index.json": json.dumps(short)}, HUGO), tmp_path)
    assert (harvest.certificate.outcome, harvest.certificate.document_pages) == ("complete", SIZE)
    assert share_of_text(harvest) > 0.9
    assert "its own page" in (tmp_path / "harvest" / "source.toml").read_text()


@pytest.mark.slow
def test_pages_that_are_not_there_are_missing(tmp_path: Path) -> None:
    """If the index names a page that cannot be loaded, the harvest is not complete."""
    gone = {"url": "/p/gone.html", "title": "Gone", "content": ""}
    named = [{"url": f"/p/{d.key}.html", "title": d.title, "content": ""} for d in DOCUMENTS]
    harvest = harvested(site({"/index.json": json.dumps([*named, gone, gone])}, HUGO), tmp_path)
    assert harvest.certificate.documents == SIZE
    assert harvest.certificate.documents_gone == 1
    assert harvest.certificate.size == SIZE + 1


@pytest.mark.slow
def test_json_that_is_no_index_is_not_taken_for_one(tmp_path: Path) -> None:
    """A file of settings at the usual URL is ignored, and the site is refused."""
    import longline

    files: Files = {
        "/index.json": json.dumps({"title": "Library", "pages": 3}),
        "/search.json": "[]",
    }
    with pytest.raises(longline.LonglineError):
        harvested(site(files, HUGO), tmp_path)


def test_an_index_below_a_place_that_a_script_adds_is_beside_the_page() -> None:
    """If a script puts a base before a path, both the page's folder and the root are tried."""
    places = index_places("https://x.example/book/", "get(base+'/search_index.json')")
    assert [place.url for place in places] == [
        "https://x.example/book/search_index.json",
        "https://x.example/search_index.json",
    ]


def test_parts_of_a_page_are_one_document() -> None:
    """Parts of a page are joined to its text without repeats."""
    parts = [
        {"location": "a/", "title": "A", "text": "One two"},
        {"location": "a/#b", "title": "B", "text": "two"},
        {"location": "a/#c", "title": "C", "text": "three"},
        {"location": "", "title": "Home", "text": ""},
    ]
    pages = index_pages({"docs": parts})
    assert [(page["url"], page["title"]) for page in pages] == [("a/", "A"), ("./", "Home")]
    assert pages[0]["text"] == "One two\nC\nthree"


# Output of other people's programs.


def run(*arguments: str, cwd: Path) -> None:
    subprocess.run([sys.executable, "-m", *arguments], cwd=cwd, check=True, capture_output=True)


def markdown(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "index.md").write_text("# Library\n\nWelcome to these pages.\n")
    for d in DOCUMENTS:
        text = " ".join(d.text.split()).replace("<", "&lt;").replace("[", "\\[").replace("*", "\\*")
        (folder / f"{d.key}.md").write_text(f"# {d.title.replace('_', chr(92) + '_')}\n\n{text}\n")


def mkdocs(folder: Path) -> Path:
    """Build with MkDocs."""
    pytest.importorskip("mkdocs")
    markdown(folder / "docs")
    (folder / "mkdocs.yml").write_text("site_name: Library\n")
    run("mkdocs", "build", "-q", cwd=folder)
    return folder / "site"


def zensical(folder: Path) -> Path:
    """Build with Zensical."""
    pytest.importorskip("zensical")
    markdown(folder / "docs")
    (folder / "mkdocs.yml").write_text("site_name: Library\n")
    run("zensical", "build", cwd=folder)
    return folder / "site"


def by_sphinx(builder: str) -> Callable[[Path], Path]:
    """Build with Sphinx."""

    def build(folder: Path) -> Path:
        pytest.importorskip("sphinx")
        source = folder / "source"
        source.mkdir(parents=True)
        (source / "conf.py").write_text('project = "Library"\n')
        names = "\n   ".join(d.key for d in DOCUMENTS)
        (source / "index.rst").write_text(f"Library\n=======\n\n.. toctree::\n\n   {names}\n")
        for d in DOCUMENTS:
            text = " ".join(d.text.split()).replace("\\", "").replace("*", "").replace("`", "")
            text = text.replace("_ ", " ").replace("|", "")
            line = "=" * len(d.title)
            (source / f"{d.key}.rst").write_text(f"{d.title}\n{line}\n\nText: {text}\n")
        run("sphinx", "-q", "-b", builder, str(source), str(folder / "out"), cwd=folder)
        return folder / "out"

    build.__name__ = f"sphinx {builder}"
    return build


def pagefind(folder: Path) -> Path:
    """Index a folder of pages with Pagefind."""
    pytest.importorskip("pagefind")
    (folder / "p").mkdir(parents=True)
    for d in DOCUMENTS:
        (folder / "p" / f"{d.key}.html").write_text(as_page(d))
    script = '<script src="/pagefind/pagefind-ui.js"></script>'
    (folder / "index.html").write_text(
        f"<html lang=en><title>Library</title>{script}<p>Welcome</html>"
    )
    run("pagefind", "--site", str(folder), cwd=folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(
    "build",
    [mkdocs, zensical, by_sphinx("html"), by_sphinx("dirhtml"), pagefind],
    ids=lambda build: build.__name__,
)
def test_what_other_programs_index_is_read(build: Callable[[Path], Path], tmp_path: Path) -> None:
    """Every document of a site built by a real generator is held."""
    harvest = harvested(folder_site(build(tmp_path / "site")), tmp_path)
    certificate = harvest.certificate
    assert certificate.outcome == "complete"
    assert len(titles(harvest) & WANTED) >= 0.95 * len(WANTED)  # markup may change a title
    assert SIZE <= len(harvest.documents) <= SIZE + 2  # the front page, and what builds it
    assert share_of_text(harvest) > 0.8
    assert certificate.discovery_requests <= 40
