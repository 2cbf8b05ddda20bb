"""Requests and paging, beyond the cases in the saved responses."""

import json
import re
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from longline.errors import PageError, SpecError
from longline.model import Document, Filter, Hit, Page, Query, Request, Response, Total
from longline.source import Source, read_spec

QUERY = Query(("deep", "web"))
HEAD = '[source]\nname = "s"\nurl = "https://s.example/"\nkind = "{kind}"\n'
HTML = HEAD.format(kind="html")
JSON = HEAD.format(kind="json")
FORM = (
    HTML + '[ask.form]\npage = "https://s.example/"\nselector = "form"\nfield = "q"\n'
    '[results]\nhit = "li"\nlink = "a"\n'
)


def by_url(
    url: str, *, results: str = 'hit = "li"\nlink = "a"', ask: str = "", end: str = ""
) -> Source:
    return Source(read_spec(f'{HTML}[ask]\nurl = "{url}"\n{ask}\n[results]\n{results}\n{end}'))


def html(body: str, url: str = "https://s.example/find?q=deep+web") -> Response:
    return Response(url=url, status=200, content_type="text/html", body=body.encode())


def read(source: Source, body: str, *, number: int = 1, url: str | None = None) -> Page:
    request = source.search_request(QUERY)
    return source.page(QUERY, number, request, html(body, url or request.url))


@dataclass
class Site:
    """A site in memory: its documents, its maximum page size, and whether it reports a total."""

    documents: int
    clamp: int
    counts: bool

    def answer(self, request: Request) -> Response:
        asked = {
            name: int(values[0])
            for name, values in parse_qs(urlsplit(request.url).query).items()
            if values[0].isdigit()
        }
        size = min(asked.get("size", self.clamp), self.clamp)
        start = asked["from"] if "from" in asked else (asked["page"] - 1) * size
        rows = [{"id": number} for number in range(self.documents)[start : start + size]]
        body = {"rows": rows, **({"total": self.documents} if self.counts else {})}
        return Response(url=request.url, status=200, body=json.dumps(body).encode())


def read_all(source: Source, site: Site, most_pages: int) -> tuple[list[str], int]:
    request: Request | None = source.search_request(QUERY)
    keys: list[str] = []
    for number in range(1, most_pages + 1):
        assert request is not None
        page = source.page(QUERY, number, request, site.answer(request))
        keys += [hit.key for hit in page.hits]
        request = page.next
        if request is None:
            return keys, number
    raise AssertionError("paging has no end")


@settings(max_examples=60)
@given(
    documents=st.integers(0, 60),
    size=st.integers(1, 12),
    clamp=st.integers(1, 12),
    counts=st.booleans(),
    where=st.sampled_from(["from={offset}&size={size}", "page={page}&size={size}"]),
)
def test_arithmetic_pages_through_everything(
    documents: int, size: int, clamp: int, counts: bool, where: str
) -> None:
    """Every document is returned once, even if the source's pages are smaller than requested.

    With a total no request is wasted, except where pages are numbered and smaller than requested:
    there a middle page can look like the last one of larger pages.
    """
    looks_last = any(page * size + clamp == documents for page in range(1, documents))
    assume(not (counts and "page" in where and clamp < size and looks_last))
    known = size if counts else min(size, clamp)
    spec = (
        f'{JSON}[ask]\nurl = "https://s.example/?q={{query}}&{where}"\npage_size = {known}\n'
        '[results]\nhit = "rows"\nkey = "id"\ntotal = "total"\n'
    )
    keys, pages = read_all(Source(read_spec(spec)), Site(documents, clamp, counts), 70)
    assert keys == [str(number) for number in range(documents)]
    wanted = -(-documents // min(known, clamp)) or 1
    is_clear = counts and ("from" in where or size <= clamp)
    assert wanted <= pages <= wanted + (not is_clear)


def test_arithmetic_goes_on_until_nothing_comes_where_the_page_size_is_unknown() -> None:
    """Without page size and total, paging ends at the first empty page."""
    spec = (
        f'{JSON}[ask]\nurl = "https://s.example/?q={{query}}&from={{offset}}"\n'
        '[results]\nhit = "rows"\nkey = "id"\n'
    )
    keys, pages = read_all(Source(read_spec(spec)), Site(7, 3, counts=False), 9)
    assert (len(keys), pages) == (7, 4)


def test_arithmetic_stops_at_the_limit() -> None:
    """No page beyond the return limit is requested."""
    spec = (
        f'{JSON}[ask]\nurl = "https://s.example/?q={{query}}&from={{offset}}"\n'
        'page_size = 5\nlimit = 10\n[results]\nhit = "rows"\nkey = "id"\ntotal = "total"\n'
    )
    keys, pages = read_all(Source(read_spec(spec)), Site(60, 5, counts=True), 9)
    assert (len(keys), pages) == (10, 2)


@pytest.mark.parametrize(
    ("said", "goes_on"),
    [
        *((value, True) for value in (True, 1, 2, "yes", "/api?page=2", {"page": 2})),
        *((value, False) for value in (False, 0, None, "", "0", "false", "None")),
    ],
)
def test_an_answer_goes_on_as_far_as_it_says(said: object, goes_on: bool) -> None:
    """With `more`, only its value decides whether a next page follows."""
    spec = (
        f'{JSON}[ask]\nurl = "https://s.example/?q={{query}}&page={{page}}"\npage_size = 5\n'
        '[results]\nhit = "rows"\nkey = "id"\ntotal = "total"\nmore = "more"\n'
    )
    source = Source(read_spec(spec))
    request = source.search_request(QUERY)
    body = json.dumps({"rows": [{"id": 1}, {"id": 2}], "total": 2, "more": said}).encode()
    page = source.page(QUERY, 1, request, Response(url=request.url, status=200, body=body))
    assert (page.next is not None) is goes_on


def test_a_total_below_the_rows_is_not_believed() -> None:
    """A total below the number of rows does not end paging, and is reported unchanged."""
    source = by_url(
        "https://s.example/?q={query}&page={page}",
        ask="page_size = 2",
        results='hit = "li"\nlink = "a"\ntotal = "p"',
    )
    page = read(source, "<p>0 results</p><li><a href=1>1</a><li><a href=2>2</a>")
    assert page.total == Total(0)
    assert page.next == Request("https://s.example/?q=deep+web&page=2")


def test_pinned_rows_do_not_move_the_offset() -> None:
    """Extra rows on a page move the offset only by the page size."""
    source = by_url("https://s.example/?q={query}&o={offset}", ask="page_size = 2")
    page = read(source, "".join(f"<li><a href={n}>{n}</a>" for n in range(3)))
    assert page.next == Request("https://s.example/?q=deep+web&o=2")


@pytest.mark.parametrize(("where", "third"), [("o={offset}", "o=6"), ("o={page}", "o=3")])
def test_rows_that_are_kept_back_move_the_offset(where: str, third: str) -> None:
    """With short_ends = false, a short page moves the offset by a full page."""
    url = f"https://s.example/?q={{query}}&{where}"
    source = by_url(url, ask="page_size = 3\nshort_ends = false")
    first = read(source, "<li><a href=1>1</a><li><a href=2>2</a>")
    assert first.next is not None
    second = source.page(QUERY, 2, first.next, html("<li><a href=5>5</a>", first.next.url))
    assert second.next == Request(f"https://s.example/?q=deep+web&{third}")
    last = source.page(QUERY, 3, second.next, html("<p>nothing", second.next.url))
    assert last.next is None


@pytest.mark.parametrize(
    "link",
    [
        "<a rel=next href='#'>",
        "<a rel=next href=''>",
        "<a rel=next href='javascript:void(0)'>",
        "<a rel=next href='javascript:;'>",
        "<a rel=next href='?q=deep+web'>",
        "<a rel=next aria-disabled=true href='?page=2'>",
        "<a rel=next class='page-link disabled' href='?page=2'>",
        "<span class='page-item disabled'><a rel=next href='?page=2'>",
        "<a rel=next class='next-page js-disabled' href='?page=1'>",
        "<a rel=next aria-label=Next>",
        "<a rel=prev href='?page=2'>",
        "",
    ],
)
def test_a_next_link_that_leads_nowhere_is_the_end(link: str) -> None:
    """Dead, disabled and self-referring next links end the paging."""
    page = read(
        by_url("https://s.example/find?q={query}"), f"<li><a href=1>1</a></li>{link}&gt;</a>"
    )
    assert len(page.hits) == 1
    assert page.next is None


def test_a_next_link_on_a_page_without_hits_is_the_end() -> None:
    """On a page without hits, the next link is not followed."""
    page = read(
        by_url("https://s.example/find?q={query}"),
        "<p>deep web</p><a rel=next href='?page=9'>",
        number=8,
    )
    assert page == Page()


def test_a_next_link_only_a_script_can_follow_is_an_error() -> None:
    """A next link that needs a script raises an error."""
    with pytest.raises(PageError, match=r"goPage\(2\)"):
        read(
            by_url("https://s.example/find?q={query}"),
            "<li><a href=1>1</a></li><a rel=next href='javascript:goPage(2)'>",
        )


@pytest.mark.parametrize(
    ("button", "query"),
    [
        ("<button name=go value=2>", "state=s&q=deep&go=2"),
        ("<input type=image name=go value=2>", "state=s&q=deep&go=2"),
        ("<span><input type=submit name=go value=2></span>", "state=s&q=deep&go=2"),
        ("<button name=go value=2 disabled>", None),
    ],
)
def test_buttons_send_their_form_with_its_hidden_state(button: str, query: str | None) -> None:
    """A next button sends its form's hidden fields and its own name, unless disabled."""
    source = by_url(
        "https://s.example/find?q={query}", results='hit = "li"\nlink = "a"\nnext = ".next > *"'
    )
    page = read(
        source,
        "<li><a href=1>1</a></li><form action=more><input type=hidden name=state value=s>"
        "<input name=q value=deep><input type=submit name=x value=y>"
        f"<div class=next>{button}</div>",
    )
    assert page.next == (Request(f"https://s.example/more?{query}") if query else None)


def test_a_button_without_a_form_is_an_error() -> None:
    """A next button outside any form raises an error."""
    source = by_url(
        "https://s.example/find?q={query}", results='hit = "li"\nlink = "a"\nnext = "button"'
    )
    with pytest.raises(PageError, match="in no form"):
        read(source, "<li><a href=1>1</a></li><button>more</button>")


def test_keys_of_the_ask_go_to_the_source_alone() -> None:
    """The spec's headers are sent to the source's own host only."""
    source = by_url(
        "https://s.example/find?q={query}",
        ask='[ask.headers]\nX-Key = "secret"',
        end='[document]\ntext = "p"',
    )
    assert source.search_request(QUERY).headers == (("X-Key", "secret"),)
    page = read(
        source,
        "<li><a href=/1>1</a></li><li><a href=//o.example/2>2</a></li><a rel=next href=?p=2>",
    )
    own, other = (source.document_request(hit) for hit in page.hits)
    assert own == Request("https://s.example/1", headers=(("X-Key", "secret"),))
    assert other == Request("https://o.example/2")
    assert page.next == Request("https://s.example/find?p=2", headers=(("X-Key", "secret"),))


def test_the_form_is_asked_for_once() -> None:
    """A source with a form requests the form's page first, and then searches with it."""
    source = Source(read_spec(FORM))
    assert source.form_request() == Request("https://s.example/")
    with pytest.raises(SpecError, match="not known yet"):
        source.search_request(QUERY)
    ready = source.with_form(html("<form action=/go><input name=q></form>", "https://s.example/"))
    assert ready.form_request() is None
    assert ready.search_request(QUERY) == Request("https://s.example/go?q=deep+web")
    assert source.form_request() is not None


@pytest.mark.parametrize(
    ("page", "says"),
    [
        ("<p>closed</p>", "finds no form"),
        ("<form><input name=words><input name=lang></form>", "words, lang"),
    ],
)
def test_a_form_that_does_not_fit_is_refused_at_once(page: str, says: str) -> None:
    """A missing form or a missing field is refused."""
    with pytest.raises(PageError, match=says):
        Source(read_spec(FORM)).with_form(html(page))


def test_a_form_for_files_is_sent_in_parts() -> None:
    """Its other fields come with the words, in the page's charset; the page stays as it is."""
    page = (
        "<form method=post action=/go enctype=Multipart/form-data accept-charset=latin1>"
        "<input name=q><input type=hidden name=at value='Öl'><button name=b value=1></form>"
    )
    for _ in range(2):
        ready = Source(read_spec(FORM)).with_form(html(page, "https://s.example/"))
        request = ready.search_request(QUERY)
        ((name, kind),) = request.headers
        boundary = kind.partition("boundary=")[2].encode()
        assert (request.url, request.method) == ("https://s.example/go", "POST")
        assert name == "Content-Type"
        first, *fields, last = request.body.split(b"--" + boundary)
        disposition = b'\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
        assert disposition % (b"q", b"deep web") in fields
        assert disposition % (b"at", "Öl".encode("latin1")) in fields
        assert (first, last) == (b"", b"--\r\n")


def test_a_form_is_found_by_its_action_each_time() -> None:
    """Filling a form does not change its page, so that its selector works again."""
    spec = read_spec(FORM.replace('"form"', "'form[action=\"/go\"]'"))
    ready = Source(spec).with_form(html('<form action="/go"><input name=q></form>'))
    asked = [ready.search_request(Query((word,))).url for word in ("deep", "web")]
    assert [url.rpartition("=")[2] for url in asked] == ["deep", "web"]


def test_a_source_by_url_needs_no_form() -> None:
    """A source that searches by URL is ready without a form."""
    source = by_url("https://s.example/find?q={query}")
    assert source.form_request() is None
    assert source.with_form(html("<p>")) is source


def test_a_body_is_encoded_as_its_type_wants() -> None:
    """A form body is percent-encoded in the charset; missing characters become entities."""
    source = by_url(
        "https://s.example/find",
        ask='method = "POST"\nbody = "q={query}&p={page}"\ncharset = "latin-1"',
    )
    request = source.search_request(Query(("größe", "検")))
    assert request.body == b"q=gr%F6%DFe+%26%2326908%3B&p=1"
    assert request.headers == (("Content-Type", "application/x-www-form-urlencoded"),)


def test_texts_of_the_listing_need_no_request() -> None:
    """A hit with text, or without a document page, needs no further request."""
    source = by_url("https://s.example/{query}", end='[document]\ntext = "p"')
    assert source.document_request(Hit("k", "https://s.example/1", text="all")) is None
    assert source.document(Hit("k", "u", "t", "s", "all")) == Document("k", "u", "t", "all")
    assert source.document(Hit("k", "u", "t", "s")) == Document("k", "u", "t", "s")
    assert by_url("https://s.example/{query}").document_request(Hit("k", "https://x/")) is None


def test_a_document_without_text_is_an_error() -> None:
    """A document page where the selector finds no text raises an error."""
    source = by_url("https://s.example/{query}", end='[document]\ntext = "article"')
    with pytest.raises(
        PageError, match=r"document\.text 'article' finds no text on https://s.example/1"
    ):
        source.document(Hit("k", "https://s.example/1"), html("<p>x</p>", "https://s.example/1"))


@pytest.mark.parametrize(
    ("beside", "shown", "text"),
    [
        ("Forum", "<p>Nets and ropes. <a href=/u/1>ada</a> <a href=/c/2>boats</a>", "boats"),
        ("Forum", f"<p>{'rope ' * 80}", "rope"),
        ("Forum", "<p>Please turn on scripts, or nothing is shown here", ""),
        ("sails " * 100, f"<p>{'rope ' * 80}", "sails"),
    ],
)
def test_what_readers_without_scripts_see_is_read_where_it_is_most(
    beside: str, shown: str, text: str
) -> None:
    """<noscript> is read only if it holds more text than the page and is no notice."""
    source = by_url("https://s.example/{query}", end='[document]\ntext = "body"')
    page = html(f"<body>{beside}<noscript>{shown}</noscript>", "https://s.example/1")
    document = source.document(Hit("k", "https://s.example/1"), page)
    assert document.text.endswith(text) if text else document.text == beside


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"IBM <IBM> & more\n\n  rose 3 < 4\n", "IBM <IBM> & more\nrose 3 < 4"),
        (b"<Noranda Inc> said & <IBM>\nrose", "<Noranda Inc> said & <IBM>\nrose"),
        (b"<p>IBM rose</p>", "IBM rose"),
        (b"<!doctype html><title>IBM</title><p>IBM rose", "IBM rose"),
    ],
)
def test_plain_text_is_no_markup(body: bytes, text: str) -> None:
    """A plain text document keeps its angle brackets and lines; a page called so is a page."""
    source = by_url("https://s.example/{query}", end='[document]\ntext = "body"')
    response = Response(
        url="https://s.example/1.txt", status=200, content_type="text/plain", body=body
    )
    document = source.document(Hit("k", "https://s.example/1.txt", "IBM"), response)
    assert document.text == text


@pytest.mark.parametrize(
    ("own", "link", "said", "is_part"),
    [
        ("/7/the-sea", "/7/the-sea?page=2", "2", True),
        ("/7/the-sea", "/7/the-sea/2", "2", True),
        ("/7/the-sea", "/7/the-sea/seite-2", "2", True),
        ("/7/the-sea.html", "/7/the-sea-page-2.html", "2", True),
        ("/7/the-sea.html", "/7/the-sea.html/2", "2", True),
        ("/7/the-sea", "/7/the-sea-2", "Next", False),
        ("/7/the-sea", "/7/the-sun/seite-2", "Next", False),
        ("/7/the-sea", "/7/the-sea/seite-20", "2", False),
        ("/doc?id=7", "/doc?id=7&fol=2", "Next folio", True),
        ("/doc?id=7", "/doc?id=7&fol=2", "Print", False),
        ("/doc?id=7", "/doc?id=8&fol=2", "Next folio", False),
        ("/doc?id=7", "/doc?id=7&fol=2&x=1", "Next folio", False),
        ("/doc?id=7", "/doc?id=7&fol=3", "Next folio", False),
    ],
)
def test_the_next_part_of_a_document_has_its_address_and_the_number(
    own: str, link: str, said: str, is_part: bool
) -> None:
    """The next part's link extends the document's address by the part number."""
    source = by_url("https://s.example/{query}", end='[document]\ntext = "body"')
    page = html(f'<p>text <a href="{link}">{said}</a>', f"https://s.example{own}")
    found = source.part_request(Request(f"https://s.example{own}"), page, 2)
    assert (found is not None and found.url == f"https://s.example{link}") == is_part


def test_one_hit_needs_a_key_where_results_have_keys_of_their_own() -> None:
    """A single document reached by redirect needs document.key if results have a key."""
    results = 'hit = "li"\nlink = "a"\nkey = "i"'
    page, url = "<h1>deep</h1><b>7</b>", "https://s.example/doc/7"
    source = by_url(
        "https://s.example/find?q={query}",
        results=results,
        end='[document]\ntext = "h1"\nkey = "b"',
    )
    assert read(source, page, url=url).hits == (Hit("7", url),)
    source = by_url(
        "https://s.example/find?q={query}", results=results, end='[document]\ntext = "h1"'
    )
    with pytest.raises(PageError, match=r"document\.key"):
        read(source, page, url=url)


def test_what_looks_like_hits_may_be_a_part_of_the_one_document() -> None:
    """Rows without links on a redirected page are part of the document; otherwise an error."""
    results = 'hit = "tr"\nlink = "a"'
    source = by_url(
        "https://s.example/find?q={query}", results=results, end='[document]\ntext = "body"'
    )
    page, url = "<h1>deep web</h1><table><tr><td>on shelf</table>", "https://s.example/doc/7"
    assert read(source, page, url=url).hits == (Hit(url, url),)
    with pytest.raises(PageError, match="has no link"):
        read(source, page)


def test_a_redirect_to_another_page_is_no_hit() -> None:
    """A redirect to a page without the query's words gives no hit."""
    source = by_url("https://s.example/find?q={query}", end='[document]\ntext = "h1"')
    assert read(source, "<h1>Welcome</h1>", url="https://s.example/home") == Page()


def test_a_page_that_admits_its_limit_is_read() -> None:
    """Only a page with results, and the first or last one of a search, can say so."""
    source = by_url("https://s.example/find?q={query}")
    rows = "".join(f"<li><a href=/doc/{n}>{n}</a>" for n in range(10))
    said = "<p>Only the first <b>10</b> results are shown."
    assert read(source, f"{rows}{said}").most == 10
    assert read(source, rows).most == read(source, f"<li><a href=/doc/1>1</a>{said}").most == 0


def test_a_page_that_bears_neither_hits_nor_its_mark_is_an_error() -> None:
    """If the spec has an empty mark, a page with neither hits nor mark raises an error."""
    source = by_url(
        "https://s.example/find?q={query}", results='hit = "li"\nlink = "a"\nempty = "css:.none"'
    )
    assert read(source, "<p class=none>Nothing</p>") == Page(total=Total(0))
    with pytest.raises(PageError, match="nor the mark of an empty page"):
        read(source, "<p>404 deep web</p>")


@pytest.mark.parametrize("empty", ["", "css:.none"])
def test_a_page_that_shows_nothing_of_too_much_is_cut(empty: str) -> None:
    """It is neither empty nor an error: narrower searches may show its documents."""
    results = f'hit = "li"\nlink = "a"\nempty = "{empty}"\ntotal = "b"'
    source = by_url("https://s.example/find?q={query}", results=results)
    said = "<p class=none>Too many results found. Please enter some more words."
    assert read(source, said) == Page(total=Total(1, "at least"))
    assert read(source, f"<b>1,204</b> {said}") == Page(total=Total(1204, "at least"))


def test_help_on_too_many_results_is_no_cut() -> None:
    """Where nothing was found, a text that says so is believed."""
    results = 'hit = "li"\nlink = "a"\nempty = "text:Nothing found"'
    source = by_url("https://s.example/find?q={query}", results=results)
    said = "<p>Nothing found.<p>If there are too many results, use quotes."
    assert read(source, said) == Page(total=Total(0))


def test_a_page_that_wants_longer_words_is_empty() -> None:
    """The word finds nothing, and no retry can help; with longer words it is an error."""
    results = 'hit = "li"\nlink = "a"\nempty = "css:.none"'
    source = by_url("https://s.example/find?q={query}", results=results)
    said = "<p>Please enter at least 4 characters."
    assert read(source, said) == Page(total=Total(0))  # the query is: deep web
    with pytest.raises(PageError):
        source.page(long := Query(("archive",)), 1, source.search_request(long), html(said))


def test_a_row_that_leads_nowhere_costs_no_other_row() -> None:
    """A closed record or a notice has no link; if many have none, the spec is wrong."""
    source = by_url("https://s.example/find?q={query}")
    rows = [f"<li><a href=/doc/{n}>{n}</a>" for n in range(8)]
    assert len(read(source, "".join([*rows, "<li>Sign in to see this record."])).hits) == 8
    with pytest.raises(PageError, match="no link"):
        read(source, "".join([*rows, *["<li>Closed"] * 3]))


def test_a_login_box_on_a_page_that_shows_the_query_is_no_login_page() -> None:
    """A login box on a page that shows the query does not make it a login page."""
    source = by_url("https://s.example/find?q={query}")
    box = "<form><input type=password name=p></form>"
    assert read(source, f"<input name=q value='deep web'>{box}<p>nothing</p>") == Page()
    with pytest.raises(PageError, match="login or captcha"):
        read(source, f"<input type=hidden name=next value='/find?q=deep+web'>{box}")


def test_a_login_page_in_the_middle_is_no_empty_page() -> None:
    """A login page between two result pages raises an error."""
    with pytest.raises(PageError, match="login or captcha"):
        read(by_url("https://s.example/find?q={query}"), "<input type=password>", number=3)


def test_later_empty_pages_are_pages() -> None:
    """An empty later page is returned with its total, and raises no error."""
    source = by_url("https://s.example/{query}", results='hit = "li"\nlink = "a"\ntotal = "p"')
    assert read(source, "<p>1,801 results</p>", number=3) == Page(total=Total(1801))


@pytest.mark.parametrize("body", ["", "  \n"])
def test_an_empty_body_is_an_error(body: str) -> None:
    """An empty body raises an error."""
    with pytest.raises(PageError, match="an empty answer"):
        read(by_url("https://s.example/{query}"), body)


@settings(max_examples=60)
@given(st.binary(max_size=300), st.sampled_from(["html", "json", "xml"]))
def test_no_answer_gives_a_traceback(body: bytes, kind: str) -> None:
    """Any bytes give a page or a PageError."""
    source = Source(
        read_spec(
            f'{HEAD.format(kind=kind)}[ask]\nurl = "https://s.example/?q={{query}}"\n'
            '[results]\nhit = "a"\nkey = "b"\nnext = "c"\ntotal = "d"\n'
        )
    )
    request = source.search_request(QUERY)
    try:
        page = source.page(QUERY, 1, request, Response(url=request.url, status=200, body=body))
    except PageError:
        return
    assert isinstance(page, Page)


@pytest.mark.slow
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from("abcd"), inner, max_size=4)
        ),
        max_leaves=12,
    )
)
def test_no_json_gives_a_traceback(value: object) -> None:
    """Any JSON gives a page or a PageError."""
    spec = (
        f'{JSON}[ask]\nurl = "https://s.example/?q={{query}}"\n'
        '[results]\nhit = "a"\nkey = "b"\nlink = "b"\nnext = "c"\ntotal = "d"\n'
    )
    source = Source(read_spec(spec))
    request = source.search_request(QUERY)
    try:
        answer = Response(url=request.url, status=200, body=json.dumps(value).encode())
        assert isinstance(source.page(QUERY, 1, request, answer), Page)
    except PageError:
        return


def test_a_text_missing_in_the_listing_is_fetched() -> None:
    """A hit without text is None if documents have their own pages, and empty otherwise."""
    results = 'hit = "li"\nlink = "a"\ntext = "p"'
    body = "<li><a href=/1>1</a><p>one</p></li><li><a href=/2>2</a></li>"
    source = by_url("https://s.example/{query}", results=results, end='[document]\ntext = "p"')
    assert [hit.text for hit in read(source, body).hits] == ["one", None]
    assert [
        hit.text for hit in read(by_url("https://s.example/{query}", results=results), body).hits
    ] == ["one", ""]


@pytest.mark.parametrize("value", [2, {"href": "/more"}, ["/more"], True])
def test_a_next_that_is_no_url_is_an_error(value: object) -> None:
    """A next value that is no URL raises an error."""
    spec = (
        f'{JSON}[ask]\nurl = "https://s.example/?q={{query}}"\n'
        '[results]\nhit = "rows"\nkey = "id"\nnext = "[next]"\n'
    )
    source = Source(read_spec(spec))
    request = source.search_request(QUERY)
    body = json.dumps({"rows": [{"id": 1}], "next": value}).encode()
    with pytest.raises(PageError, match="which is no URL"):
        source.page(QUERY, 1, request, Response(url=request.url, status=200, body=body))


def test_a_button_outside_its_form_sends_it() -> None:
    """A button that names its form by id submits that form."""
    source = by_url(
        "https://s.example/find?q={query}", results='hit = "li"\nlink = "a"\nnext = "button"'
    )
    page = read(
        source,
        "<form id=f action=more><input type=hidden name=state value=s></form>"
        "<li><a href=1>1</a></li><button form=f name=p value=2>more</button>",
    )
    assert page.next == Request("https://s.example/more?state=s&p=2")


def test_actions_are_relative_to_the_base() -> None:
    """A form's action is relative to the page's base element."""
    page = "<base href=https://s.example/app/><form action=go><input name=q></form>"
    ready = Source(read_spec(FORM)).with_form(html(page, "https://s.example/"))
    assert ready.search_request(QUERY) == Request("https://s.example/app/go?q=deep+web")


def test_a_page_that_did_not_lead_elsewhere_is_no_document() -> None:
    """Without a redirect, a page with the query's words is an empty result page."""
    source = by_url("https://s.example/find?q={query}", end='[document]\ntext = "p"')
    assert read(source, "<p>Nothing found for deep web</p>") == Page()


@pytest.mark.parametrize(
    ("link", "asked", "key"),
    [
        ("?p=h.git;a=doc;id=7#top", "?p=h.git;a=doc;id=7", "?p=h.git;a=doc;id=7"),
        ("?a=doc;sid=1;id=7", "?a=doc;sid=1;id=7", "?a=doc;id=7"),
        ("?p=h;id=7&a=doc", "?p=h;id=7&a=doc", "?p=h;id=7&a=doc"),
        ("?HomePage", "?HomePage", "?HomePage"),
        ("?id=7&print", "?id=7&print", "?id=7&print"),
        ("?HomePage=", "?HomePage=", "?HomePage="),
        ("?p=h%3Bid=7", "?p=h%3Bid=7", "?p=h%3Bid%3D7"),
        ("?b=2&a=3&b=1&sid=1", "?b=2&a=3&b=1&sid=1", "?a=3&b=1&b=2"),
        ("?n=a b&amp;m=\u6f22", "?n=a%20b&m=%E6%BC%A2", "?m=%E6%BC%A2&n=a+b"),
        ("?n=\u00e9", "?n=%E9", "?n=%C3%A9"),
    ],
)
def test_a_document_is_asked_for_as_its_page_links_to_it(link: str, asked: str, key: str) -> None:
    """The request keeps the link's parameters as written; the key sorts ordinary ones."""
    source = by_url(
        "https://s.example/find?q={query}",
        results='hit = "li"\nlink = "a"\nkey_ignores = ["sid"]',
        end='[document]\ntext = "p"',
    )
    request = source.search_request(QUERY)
    body = f"<meta charset=latin-1><li><a href='/d{link}'>deep</a>".encode(
        "latin-1", "xmlcharrefreplace"
    )
    answer = Response(url=request.url, status=200, content_type="text/html", body=body)
    (hit,) = source.page(QUERY, 1, request, answer).hits
    assert source.document_request(hit) == Request(f"https://s.example/d{asked}")
    assert hit.key == f"https://s.example/d{key}"


@pytest.mark.parametrize(
    ("link", "url"),
    [
        (
            "/go?n=3&amp;to=https%3A%2F%2Fs.example%2Fd%3Fid%3D7&amp;q=deep",
            "https://s.example/d?id=7",
        ),
        ("/go?to=%2Fd%2F7", "https://s.example/d/7"),
        ("/go?to=d%2F7", "https://s.example/d/7"),
        ("/d/7", "https://s.example/d/7"),
    ],
)
def test_a_link_that_counts_clicks_leads_to_the_address_that_it_holds(link: str, url: str) -> None:
    """The address inside a click-counting link is the document's address and key."""
    results = 'hit = "li"\nlink = "a"\nlink_parameter = "to"'
    asked = by_url("https://s.example/find?q={query}", results=results)
    page = read(asked, f"<li><a href='{link}'>deep</a>")
    assert page.hits == (Hit(url, url),)


def test_links_made_by_a_template_keep_their_semicolons() -> None:
    """Semicolons in a link template are kept."""
    results = 'hit = "li"\nlink = "b"\nlink_template = "https://s.example/?a=doc;id={link}"'
    page = read(by_url("https://s.example/{query}", results=results), "<li><b>7 a</b>")
    url = "https://s.example/?a=doc;id=7%20a"
    assert page.hits == (Hit(url, url),)


def test_a_document_that_a_query_led_to_keeps_its_address() -> None:
    """A document reached by redirect has the same address and key as by a link."""
    source = by_url("https://s.example/find?q={query}", end='[document]\ntext = "h1"')
    for query, key in (("a=doc;id=7", "a=doc;id=7"), ("b=7&a=doc", "a=doc&b=7")):
        page = read(source, "<h1>deep</h1>", url=f"https://s.example/doc?{query}")
        assert page.hits == (Hit(f"https://s.example/doc?{key}", f"https://s.example/doc?{query}"),)


def test_a_later_page_that_counts_nothing_says_nothing_of_the_total() -> None:
    """Beyond what they show, some interfaces answer with no result, and the total 0."""
    source = by_url(
        "https://s.example/find?q={query}&page={page}",
        results='hit = "li"\nlink = "a"\ntotal = "p"\ntotal_relation = "exact"',
    )
    assert read(source, "<p>0 results</p>").total == Total(0)
    assert read(source, "<p>0 results</p>", number=2).total is None


def test_a_facet_may_have_a_place_in_the_address() -> None:
    """A required facet is put into the URL; without a filter, its first value is used."""
    facet = '[facets.sort]\nparameter = "sort"\nvalues = ["posts", "old pages"]\nrequired = true'
    asked = by_url("https://s.example/{sort}?q={query}", ask='dialect = {all = ""}', end=facet)
    assert asked.search_request(Query(("deep",))).url == "https://s.example/posts?q=deep"
    limited = Query(("deep",), filters=(Filter("sort", "old pages"),))
    assert asked.search_request(limited).url == "https://s.example/old%20pages?q=deep"


def test_a_facet_takes_no_place_that_is_the_pages() -> None:
    """A facet named like a placeholder of the URL does not replace it."""
    facet = '[facets.length]\nparameter = "page"\nvalues = ["short", "long"]'
    asked = by_url("https://s.example/{page}?q={query}", end=facet)
    assert asked.search_request(Query(("deep",))).url == "https://s.example/1?q=deep"


@pytest.mark.parametrize(
    ("many", "kept"),
    [
        ("", [("Ada", "Max"), "Ada"]),
        ("many = true", [("Ada", "Max"), ("Ada", "Ada")]),
        ("many = false", ["Ada", "Ada"]),
    ],
)
def test_no_value_of_a_field_is_lost_unless_the_first_alone_is_wanted(
    many: str, kept: list[object]
) -> None:
    """All values of a field are kept, unless the spec wants only the first."""
    source = by_url(
        "https://s.example/find?q={query}", end=f'[fields.author]\nrow = "css:b"\n{many}'
    )
    rows = "<li><a href=1>One</a><b>Ada</b><b>Max</b></li><li><a href=2>Two</a><b>Ada</b><b>Ada</b>"
    assert [hit.fields["author"] for hit in read(source, rows).hits] == kept


@pytest.mark.parametrize(
    ("hit", "body", "keys"),
    [
        ("a.hits[*]", {"a": {"hits": {"id": 7}}}, ["7"]),
        ("a.hits[*]", {"a": {"hits": [{"id": 7}, {"id": 8}]}}, ["7", "8"]),
        ("a.hits[*]", {"a": {"hits": {"error": "none"}}}, []),
        ("[*]", {"id": 7}, []),
    ],
)
def test_one_hit_may_be_an_object(hit: str, body: object, keys: list[str]) -> None:
    """A single JSON object is read as one hit if it has a key."""
    source = Source(
        read_spec(
            f'{JSON}[ask]\nurl = "https://s.example/find?q={{query}}"\n'
            f'[results]\nhit = "{hit}"\nkey = "id"\n'
        )
    )
    request = source.search_request(QUERY)
    response = Response(url=request.url, status=200, body=json.dumps(body).encode())
    if keys:
        assert [each.key for each in source.page(QUERY, 1, request, response).hits] == keys
    else:
        with pytest.raises(PageError, match="JSON without"):
            source.page(QUERY, 1, request, response)


@pytest.mark.parametrize(
    ("page", "leads"),
    [
        (b"<h1>T</h1><iframe src='text/7'></iframe>", "https://s.example/d/text/7"),
        (b"<h1>T</h1><object data='/7.txt'></object>", "https://s.example/7.txt"),
        (b"<h1>T</h1><p>Of tides</p>", None),
    ],
)
def test_a_text_is_read_where_its_document_leads(page: bytes, leads: str | None) -> None:
    """The text is read from the linked page, and the title from the document's own page."""
    source = by_url(
        "https://s.example/find?q={query}",
        end='[document]\ntext = "p"\ntitle = "h1"\ntext_link = "iframe, object"',
    )
    own = Response(url="https://s.example/d/7", status=200, content_type="text/html", body=page)
    asked = source.text_request(own)
    assert (asked and asked.url) == leads
    body = b"<h1>Viewer</h1><p>Of tides</p>"
    of_text = (
        Response(url=leads, status=200, content_type="text/html", body=body) if leads else None
    )
    document = source.document(Hit("7", own.url), own, of_text)
    assert (document.title, document.text) == ("T", "Of tides")


def test_a_document_is_asked_for_by_its_key_in_json() -> None:
    """The source's own headers go with it; a reader's address stays that of the hit."""
    spec = read_spec(
        """
        [source]
        name = "a"
        url = "https://s.example/"
        kind = "json"
        [ask]
        url = "https://s.example/find?q={query}"
        [ask.headers]
        X-Tenant = "1"
        [results]
        hit = "jmes:rows[*]"
        link = "jmes:id"
        link_template = "https://s.example/#/doc/{link}"
        key = "jmes:id"
        [document]
        text = "jmes:text"
        url = "https://s.example/api/doc"
        body = '{"id": "{document}", "all": true}'
        """
    )
    request = Source(spec).document_request(Hit('7"b', "https://s.example/#/doc/7"))
    assert request is not None
    assert (request.url, request.method) == ("https://s.example/api/doc", "POST")
    assert dict(request.headers) == {"X-Tenant": "1", "Content-Type": "application/json"}
    assert request.body == b'{"id": "7\\"b", "all": true}'


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ('url = "https://s.example/d"', "has no {document}"),
        ('body = \'{"id": "{document}"}\'', "no URL to send it to"),
        ('url = "https://s.example/d"\nbody = "id={document}"', "no object in JSON"),
    ],
)
def test_an_address_of_documents_that_cannot_work_is_named(document: str, says: str) -> None:
    """Its key, the value and the next step are in the error."""
    table = f'[document]\ntext = "jmes:t"\n{document}'
    hits = '[results]\nhit = "jmes:a[*]"\nlink = "jmes:u"\nkey = "jmes:i"\n'
    asked = '[ask]\nurl = "https://s.example/?q={query}"\n'
    with pytest.raises(SpecError, match=re.escape(says)):
        read_spec(
            f'[source]\nname = "a"\nurl = "https://s.example/"\nkind = "json"\n{asked}{hits}{table}'
        )


@pytest.mark.parametrize("quote", ['"', ""])
def test_a_cell_of_a_table_may_be_long(quote: str) -> None:
    """A whole text in one cell is read, however long, also where a quote is not closed."""
    text = "deep web " * 20_000
    source = Source(
        read_spec(
            f'{JSON}[ask]\nurl = "https://s.example/{{query}}"\n'
            '[results]\nhit = "jmes:[*]"\nkey = "jmes:id"\ntext = "jmes:text"\n'
        )
    )
    body = f'id,text\n7,"{text}{quote}\n'.encode()
    table = Response(url="https://s.example/", status=200, content_type="text/csv", body=body)
    (hit,) = source.page(QUERY, 1, source.search_request(QUERY), table).hits
    assert hit.key == "7"
    assert (hit.text or "").split() == text.split()
