"""Truncated and hostile responses: read, or reported as a bad response of the source."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.errors import PageError
from longline.events import DocumentReceived
from longline.model import Hit, Page, Query, Response
from longline.source import Source, read_spec
from longline.store import SqliteStore

QUERY = Query(("deep",))


def source(kind: str, results: str) -> Source:
    return Source(
        read_spec(f"""
        [source]
        name = "x"
        url = "http://x.example/"
        kind = "{kind}"
        [ask]
        url = "http://x.example/s?q={{query}}"
        [results]
        {results}
        """)
    )


HTML = source("html", 'hit = "css:li"\nlink = "css:a"\ntitle = "css:a"')
XML = source("xml", 'hit = "css:item"\nlink = "css:link"\ntitle = "css:title"')
JSON = source("json", 'hit = "jmes:hits"\nkey = "jmes:id"\ntitle = "jmes:t"\ntotal = "jmes:total"')
TEMPLATE = source(
    "json",
    'hit = "jmes:hits"\ntitle = "jmes:t"\nlink = "jmes:id"\n'
    'link_template = "http://x.example/{link}"',
)


def read(by: Source, body: bytes) -> Page:
    request = by.search_request(QUERY)
    return by.page(QUERY, 1, request, Response(url=request.url, status=200, body=body))


def outcome(by: Source, body: bytes) -> tuple[Hit, ...] | str:
    try:
        return read(by, body).hits
    except PageError as error:
        return str(error)


ITEM = b"<item><title>%b</title><link>http://x.example/1</link></item>"


@pytest.mark.parametrize(
    "doctype",
    [
        b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        b'<!DOCTYPE r [<!ENTITY % p SYSTEM "http://127.0.0.1:1/"> %p; <!ENTITY x "&#37;p;">]>',
        b'<!DOCTYPE r SYSTEM "http://127.0.0.1:1/x.dtd">',
        b'<!DOCTYPE r PUBLIC "-//x" "file:///etc/hostname">',
        b'<!DOCTYPE r [<!ENTITY x "expanded">]>',
    ],
)
def test_xml_expands_no_entity(doctype: bytes) -> None:
    """External and internal XML entities are neither fetched nor expanded."""
    page = read(XML, doctype + b"<rss>" + ITEM % b"&x;" + b"</rss>")
    assert [hit.title for hit in page.hits] == ["&x;"]


def test_xml_that_laughs_is_an_error() -> None:
    """Nested entities are refused before they fill the memory."""
    laughs = b"".join(
        b'<!ENTITY l%d "%b">' % (depth, b"&l%d;" % (depth - 1) * 10) for depth in range(1, 12)
    )
    body = b'<!DOCTYPE r [<!ENTITY l0 "ha">' + laughs + b"]><rss>" + ITEM % b"&l11;" + b"</rss>"
    assert "cannot be read to its end" in str(outcome(XML, body))


@pytest.mark.parametrize("reference", [b"&#xD800;", b"&#0;", b"&#55296;", b"&#x110000;", b"&nbsp;"])
def test_references_to_no_letter_raise_nothing(reference: bytes) -> None:
    """An invalid character reference does not stop the reading of a page."""
    assert outcome(XML, b"<rss>" + ITEM % reference + b"</rss>")
    assert outcome(HTML, b"<li><a href=/1>" + reference + b"</a>")


@pytest.mark.parametrize(
    ("by", "start", "row"),
    [
        (HTML, "<ul>", "<li><b><i><a href=/{}>x</a>"),
        (HTML, "", "<div><li><a href=/{}>x</a></li>"),
        (XML, "<rss>", "<item><b><title>x</title><link>http://x.example/{}</link>"),
    ],
)
def test_what_is_nested_too_deep_is_not_cut_in_silence(by: Source, start: str, row: str) -> None:
    """A page nested too deep for the parser raises an error and is never silently truncated."""
    few, many = ((start + "".join(map(row.format, range(n)))).encode() for n in (50, 5000))
    assert len(read(by, few).hits) == 50
    assert "cannot be read to its end" in str(outcome(by, many))


@pytest.mark.parametrize("inner", [b"[%b]", b'{"a":%b}'])
@pytest.mark.parametrize("levels", [150, 900, 100_000])
def test_deep_json_is_an_error(inner: bytes, levels: int) -> None:
    """Very deeply nested JSON raises an error."""
    start, _, end = inner.partition(b"%b")
    body = b'{"hits":[{"id":1,"t":' + start * levels + b"1" + end * levels + b"}]}"
    assert "levels" in str(outcome(JSON, body)) or "recursion" in str(outcome(JSON, body))


@pytest.mark.parametrize("number", [b"NaN", b"-Infinity", b"1e999", b"-1", b"9" * 400, b"[]"])
def test_a_number_that_counts_nothing_is_no_total(number: bytes) -> None:
    """A number that cannot be a count of documents is not a total."""
    page = read(JSON, b'{"hits":[{"id":1,"t":"a"}],"total":' + number + b"}")
    assert page.total is None
    assert len(page.hits) == 1


def test_of_a_key_that_stands_twice_the_last_counts() -> None:
    """If a JSON key occurs twice, the last value is used."""
    assert read(JSON, b'{"hits":[{"id":1,"id":2,"t":"a"}]}').hits[0].key == "2"


def test_half_a_letter_in_a_link_is_no_letter() -> None:
    """Half of a surrogate pair in a link is replaced, so that the link can be requested."""
    hits = read(TEMPLATE, b'{"hits":[{"id":"a\\ud800b","t":"x"}]}').hits
    assert hits[0].url == "http://x.example/a%3Fb"


@given(st.binary(max_size=120))
def test_torn_markup_raises_nothing_else(torn: bytes) -> None:
    """Any bytes, as a page or inside one, are read or raise PageError."""
    for body in (torn, b"<ul><li><a href=/1>x</a>" + torn + b"<li><a href=/2>y</a>"):
        for by in (HTML, XML, JSON):
            outcome(by, body)


@pytest.mark.slow
@given(st.text(alphabet=st.sampled_from("<>/='\"&;#x!-[] \n\0ab\ufffe\u202e"), max_size=60))
def test_torn_tags_raise_nothing_else(torn: str) -> None:
    """Any mix of markup characters is read or raises PageError."""
    body = f"<rss><item><title>{torn}</title><li><a href='{torn}'>x</a>".encode()
    for by in (HTML, XML):
        outcome(by, body)


NAUGHTY = st.text(st.characters(), min_size=1, max_size=30)


@pytest.mark.slow
@given(st.lists(st.tuples(NAUGHTY, NAUGHTY), min_size=1, max_size=4))
def test_any_title_and_key_is_kept(tmp_path_factory: pytest.TempPathFactory, rows: list) -> None:  # type: ignore[type-arg]
    """Any title and key in JSON is stored and read back unchanged."""
    body = json.dumps({"hits": [{"id": f"k{key}", "t": title} for key, title in rows]}).encode()
    documents = [JSON.document(hit) for hit in read(JSON, body).hits]
    path: Path = tmp_path_factory.mktemp("store") / "longline.sqlite"
    store = SqliteStore(path)
    store.record(*map(DocumentReceived, documents))
    store.close()
    store = SqliteStore(path)
    kept = {document.key: document for document in store.documents()}
    store.close()
    assert kept.keys() == {document.key for document in documents}
    assert all(document in documents for document in kept.values())


def test_a_page_with_other_data_is_no_empty_answer() -> None:
    """An HTML page with other data in its scripts raises an error where JSON is expected."""
    menu = b"<title>Sign in</title><script>menu = {'items': [{'id': 1}, {'id': 2}]}</script>"
    page = menu.replace(b"'", b'"')
    response = Response(url="http://x.example/", status=200, content_type="text/html", body=page)
    with pytest.raises(PageError, match=r"titled 'Sign in' came from .*, where JSON was expected"):
        JSON.page(QUERY, 1, JSON.search_request(QUERY), response)
