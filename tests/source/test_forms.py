"""Forms are submitted the way browsers do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.errors import PageError
from longline.model import Query, Response
from longline.source import Source, parse, read_spec, submit
from longline.text.url import write_fields

URL = "http://x.example/in/page"


def sent(markup: str, content_type: str = "text/html; charset=utf-8", **options: object) -> str:
    charset = content_type.partition("charset=")[2]
    body = markup.encode(charset, "xmlcharrefreplace")
    page = parse(Response(url=URL, status=200, content_type=content_type, body=body), "html")
    made = submit(page.root.css("form")[0].root, page, **options)
    return made.url + (f" {made.body.decode()}" if made.body else "")


@pytest.mark.parametrize(
    ("attributes", "page_charset", "query"),
    [
        ("", "utf-8", "q=%C3%BC%C9%99"),
        ("", "cp1252", "q=%FC%26%23601%3B"),
        ("accept-charset=latin1", "utf-8", "q=%FC%26%23601%3B"),
        ("accept-charset='bogus utf-8 latin1'", "cp1252", "q=%C3%BC%C9%99"),
        ("accept-charset='bogus'", "cp1252", "q=%C3%BC%C9%99"),
        ("accept-charset='utf-16'", "cp1252", "q=%C3%BC%C9%99"),
        ("accept-charset='ISO-8859-2, utf-8'", "utf-8", "q=%FC%26%23601%3B"),
    ],
)
def test_a_form_is_written_in_its_charset(attributes: str, page_charset: str, query: str) -> None:
    """A form's accept-charset has priority over the page's charset, for all fields."""
    markup = f"<form {attributes}><input name=q value='ü\u0259'></form>"
    assert sent(markup, f"text/html; charset={page_charset}") == f"{URL}?{query}"
    posted = sent(
        markup.replace("<form", "<form method=post"), f"text/html; charset={page_charset}"
    )
    assert posted == f"{URL} {query}"


def test_names_and_many_values_are_written_in_the_charset_too() -> None:
    """Field names and repeated values use the page's charset, too."""
    markup = "<form><input name=ü value=a><input name=b value=ä><input name=b value=ö></form>"
    assert sent(markup, "text/html; charset=cp1252") == f"{URL}?%FC=a&b=%E4&b=%F6"


def test_line_ends_are_those_of_the_web() -> None:
    """Lines of a text area are separated by CR and LF."""
    markup = "<form method=post><textarea name=t>a\nb</textarea></form>"
    assert sent(markup) == f"{URL} t=a%0D%0Ab"


@pytest.mark.parametrize(
    ("action", "url"),
    [
        ("", f"{URL}?q=1"),
        ("action='\\\\y.example\\s'", "http://y.example/s?q=1"),
        ("action='http:s?old=1'", "http://x.example/in/s?q=1"),
        ("action=' ../s#top '", "http://x.example/s?q=1"),
    ],
)
def test_a_form_goes_where_it_goes_in_a_browser(action: str, url: str) -> None:
    """A form's action is resolved like a link."""
    assert sent(f"<form {action}><input name=q value=1></form>") == url


def test_a_form_that_only_a_script_sends_is_an_error() -> None:
    """A form whose action is no web address cannot be sent."""
    with pytest.raises(PageError):
        sent("<form action='javascript:go()'><input name=q></form>")


@pytest.mark.parametrize(
    ("form", "said", "query"),
    [
        ("", "", "%FC"),
        ("accept-charset=utf-8", "latin-1", "%C3%BC"),
        ("", "cp1251", "%26%23252%3B"),
    ],
)
def test_a_query_is_written_in_the_charset_of_its_form(form: str, said: str, query: str) -> None:
    """Charset priority: the form's accept-charset, then the spec, then the page."""
    spec = f"""
    [source]
    name = "x"
    url = "{URL}"
    [ask]
    charset = "{said or "utf-8"}"
    form = {{ page = "{URL}", selector = "css:form", field = "q" }}
    [results]
    hit = "li"
    link = "a"
    """
    body = f"<meta charset=latin1><form {form}><input name=q></form>".encode()
    source = Source(read_spec(spec)).with_form(Response(url=URL, status=200, body=body))
    assert source.search_request(Query(("ü",))).url == f"{URL}?q={query}"


@given(
    st.lists(st.tuples(st.text(max_size=9), st.text(max_size=9)), max_size=4),
    st.sampled_from(["utf-8", "cp1252", "cp932", "gb18030", "iso2022_jp"]),
)
def test_any_fields_can_be_written(fields: list[tuple[str, str]], charset: str) -> None:
    """Any fields are written in ASCII, with one = per field."""
    written = write_fields(fields, charset)
    assert written.isascii()
    assert written.count("=") == len(fields)
