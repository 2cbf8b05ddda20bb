"""Selectors: what compiles, and what they find."""

import parsel
import pytest

from longline.errors import SpecError
from longline.source.select import lines_of, read_select, text_of

PAGE = parsel.Selector(
    "<ul><li>deep <b>w</b>eb<script>no()</script><li>surface</ul>"
    "<div>a<br>b<style>c{}</style></div>"
)
JSON = parsel.Selector(
    '{"a": [{"t": "deep <b>web</b> &amp; more"}, {"t": null}, {"t": 5}], "s": "a < b > c"}',
    type="json",
)


@pytest.mark.parametrize(
    ("text", "kind", "language"),
    [
        ("css:li", "html", "css"),
        ("li > a:first-child", "html", "css"),
        ("xpath://li", "html", "xpath"),
        ("jmes:a[*].t", "json", "jmes"),
        ("a[*].t", "json", "jmes"),
        ("entry", "xml", "css"),
    ],
)
def test_prefix_names_the_language(text: str, kind: str, language: str) -> None:
    """A prefix names the language; without one the kind does."""
    assert read_select(text, kind).language == language  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        ("css:li[", "html", "li["),
        ("css:a:nope", "html", "nope"),
        ("xpath://a[", "html", "//a["),
        ("xpath:nope(.)", "html", "nope(.)"),
        ("jmes:a[", "json", "a["),
        ("jmes:a", "html", "css: or xpath:"),
        ("css:a", "json", "jmes:"),
        ("css:", "html", "empty"),
        ("", "html", "empty"),
    ],
)
def test_what_cannot_work_is_refused(text: str, kind: str, says: str) -> None:
    """A selector that is empty, does not compile or does not fit is refused by name."""
    with pytest.raises(SpecError) as caught:
        read_select(text, kind)  # type: ignore[arg-type]
    assert says in str(caught.value)


def test_a_variable_that_shows_late_is_still_a_spec_error() -> None:
    """An XPath variable, looked up only where its path matches, gives no traceback."""
    with pytest.raises(SpecError, match="does not run"):
        read_select("xpath://li[$x]").all(PAGE)


def test_text_is_what_a_reader_sees() -> None:
    """Marked words stay in one piece, blocks are apart, scripts and styles are not seen."""
    assert [text_of(found) for found in read_select("li").all(PAGE)] == ["deep web", "surface"]
    assert lines_of(PAGE.css("div")[0]) == "a\nb"
    assert read_select("li").texts(PAGE) == "deep web\nsurface"
    assert read_select("li").text(PAGE) == "deep web"


def test_json_values_are_texts() -> None:
    """Markup in JSON is dropped, "<" in a text is not; null is nothing; numbers are texts."""
    found = read_select("a[*].t", "json").all(JSON)
    assert [text_of(value) for value in found] == ["deep web & more", "5"]
    assert read_select("s", "json").text(JSON) == "a < b > c"


def test_xml_in_json_is_read_as_a_text() -> None:
    """A field may hold a whole document; "a < b" is none."""
    page = parsel.Selector(
        '{"t": "<a:b xmlns:a=\\"x:y\\"><a:p>One.</a:p><a:p>Two</a:p></a:b>"}', "json"
    )
    assert read_select("t", "json").texts(page) == "One.\nTwo"


def test_a_type_error_in_json_finds_nothing() -> None:
    """A function over what a page does not have finds nothing rather than failing."""
    assert read_select("length(nope)", "json").all(JSON) == []


def test_half_a_surrogate_pair_cannot_come_in() -> None:
    """Text that no file and no database takes is replaced."""
    page = parsel.Selector('{"t": "a\\ud800b"}', type="json")
    assert read_select("t", "json").text(page).encode() == "a\ufffdb".encode()


def test_pages_nested_without_end_are_read() -> None:
    """Two thousand nested elements are read without recursion."""
    page = parsel.Selector("<div>" * 2000 + "deep" + "</div>" * 2000)
    assert text_of(page) == "deep"


def test_wikitext_is_made_readable() -> None:
    """Of wikitext comes what a reader sees; a page without it has none, and is no error."""
    node = parsel.Selector(
        text="[{\"t\": \"'''Deep''' {{dive|40 m}} [[Sea|sea]]\"}, {\"u\": 1}]", type="json"
    )
    select = read_select("jmes:wikitext(t)", "json")
    pages = read_select("jmes:[*]", "json").all(node)
    assert [select.texts(page) for page in pages] == ["Deep 40 m sea", ""]


def test_what_is_laid_out_keeps_its_lines() -> None:
    """Lines in <pre> are the author's, links in them or not; elsewhere they are the editor's."""
    page = parsel.Selector("<p>deep\nweb<pre>a\n<b>b\nc</b>\nd</pre>e\nf")
    assert lines_of(page) == "deep web\na\nb\nc\nd\ne f"
