"""Selectors: which ones compile, and what they find."""

from typing import Any

import jmespath  # type: ignore[import-untyped]
import parsel
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    """A prefix names the language; without one, the kind of source decides."""
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
    """The error names a selector that is empty, does not compile or does not fit."""
    with pytest.raises(SpecError) as caught:
        read_select(text, kind)  # type: ignore[arg-type]
    assert says in str(caught.value)


def test_a_variable_that_shows_late_is_still_a_spec_error() -> None:
    """An XPath variable that fails only during evaluation raises a SpecError."""
    with pytest.raises(SpecError, match="does not run"):
        read_select("xpath://li[$x]").all(PAGE)


def test_text_is_what_a_reader_sees() -> None:
    """Inline markup does not split words, blocks do; scripts and styles are left out."""
    assert [text_of(found) for found in read_select("li").all(PAGE)] == ["deep web", "surface"]
    assert lines_of(PAGE.css("div")[0]) == "a\nb"
    assert read_select("li").texts(PAGE) == "deep web\nsurface"
    assert read_select("li").text(PAGE) == "deep web"


def test_json_values_are_texts() -> None:
    """Markup in JSON is removed, a plain "<" stays, null is skipped, and numbers become text."""
    found = read_select("a[*].t", "json").all(JSON)
    assert [text_of(value) for value in found] == ["deep web & more", "5"]
    assert read_select("s", "json").text(JSON) == "a < b > c"


def test_xml_in_json_is_read_as_a_text() -> None:
    """A JSON field that holds an XML document is read as its text."""
    page = parsel.Selector(
        '{"t": "<a:b xmlns:a=\\"x:y\\"><a:p>One.</a:p><a:p>Two</a:p></a:b>"}', "json"
    )
    assert read_select("t", "json").texts(page) == "One.\nTwo"


def test_a_type_error_in_json_finds_nothing() -> None:
    """A JMESPath type error finds nothing and raises no error."""
    assert read_select("length(nope)", "json").all(JSON) == []


def test_half_a_surrogate_pair_cannot_come_in() -> None:
    """Half of a surrogate pair is replaced, so that the text can be stored."""
    page = parsel.Selector('{"t": "a\\ud800b"}', type="json")
    assert read_select("t", "json").text(page).encode() == "a\ufffdb".encode()


def test_pages_nested_without_end_are_read() -> None:
    """A page with two thousand nested elements is read."""
    page = parsel.Selector("<div>" * 2000 + "deep" + "</div>" * 2000)
    assert text_of(page) == "deep"


def test_wikitext_is_made_readable() -> None:
    """Wikitext becomes readable text; a missing field gives an empty text."""
    node = parsel.Selector(
        text="[{\"t\": \"'''Deep''' {{dive|40 m}} [[Sea|sea]]\"}, {\"u\": 1}]", type="json"
    )
    select = read_select("jmes:wikitext(t)", "json")
    pages = read_select("jmes:[*]", "json").all(node)
    assert [select.texts(page) for page in pages] == ["Deep 40 m sea", ""]


def test_what_is_laid_out_keeps_its_lines() -> None:
    """Line breaks in <pre> are kept; elsewhere they become spaces."""
    page = parsel.Selector("<p>deep\nweb<pre>a\n<b>b\nc</b>\nd</pre>e\nf")
    assert lines_of(page) == "deep web\na\nb\nc\nd\ne f"


NAMES = ("a", "b", "@id")
TREES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9) | st.sampled_from(["", "deep", "a web"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner),
    max_leaves=12,
)
PATHS = st.lists(
    st.tuples(st.sampled_from(["a", "b", '"@id"']), st.sampled_from(["", "[*]"])).map("".join),
    min_size=1,
    max_size=4,
).map(".".join)


@given(st.dictionaries(st.sampled_from(NAMES), TREES), PATHS)
def test_plain_paths_find_what_jmespath_finds(tree: dict[str, Any], path: str) -> None:
    """Names and lists are followed without JMESPath, with the same result."""
    found = jmespath.search(path, tree)
    wanted = found if isinstance(found, list) else [found]
    got = read_select(path, "json").all(parsel.Selector(root=tree, type="json"))
    assert [each.root for each in got] == [each for each in wanted if each is not None]
