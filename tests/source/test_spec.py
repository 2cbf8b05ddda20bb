"""The spec's TOML: reading, errors with their place and advice, and writing."""

import re
import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longline.errors import SpecError
from longline.source import Spec, newest_first, read_spec, write_spec
from longline.source.spec import (
    Ask,
    Dialect,
    DocumentPage,
    FacetField,
    FieldPlace,
    Form,
    Home,
    Results,
)
from longline.source.spec import spec as spec_module
from longline.source.spec.toml import write_toml
from longline.source.spec_file import SpecFileError

BY_URL, BY_FORM, BY_LIST = re.findall(r"```toml\n(.*?)```", spec_module.__doc__ or "", re.DOTALL)


@pytest.mark.parametrize("text", [BY_URL, BY_FORM, BY_LIST])
def test_documented_examples_are_specs(text: str) -> None:
    """All documented examples can be read, written and read back unchanged."""
    spec = read_spec(text)
    assert read_spec(write_spec(spec)) == spec


def test_documented_example_names_every_key() -> None:
    """Together, the examples by URL and by form contain every key."""
    shown = BY_URL + BY_FORM
    tables = (Home, Ask, Form, Dialect, Results, DocumentPage, FacetField, FieldPlace)
    keys = [field.rstrip("_") for table in tables for field in table.__struct_fields__]
    assert not [key for key in keys if not re.search(rf"^(?:\[.*\b)?{key}\b", shown, re.MULTILINE)]


@pytest.mark.parametrize(
    ("old", "new", "key", "says"),
    [
        ('["de", "en", "fr"]', "[]", "facets.language", "has no values"),
        ('parameter_to = "to"', "", "facets.published.parameter_to", "needs a field for its end"),
        ('"1990-01-01"', '"1990"', "facets.published", "ISO dates"),
        ('"2026-12-31"', '"1980-12-31"', "facets.published", "ends before it begins"),
        ("\nparameter =", "\nparametre =", "facets.language.parametre", "did you mean parameter?"),
        ("hit =", "hitt =", "results.hitt", "did you mean hit?"),
        ("[ask]", "[aks]", "aks", "did you mean ask?"),
        ('hit = "css:li.hit"', "", "results.hit", "the key 'hit' is missing"),
        ('"css:li.hit"', "3", "results.hit", "3 does not fit: expected a text, got a whole number"),
        ('kind = "html"', 'kind = "htm"', "source.kind", "take one of: html, json, xml"),
        ('method = "GET"', 'method = "PUT"', "ask.method", "take one of: GET, POST"),
        ('"exact"', '"sure"', "results.total_relation", "take one of: exact, about, at least"),
        ('"css:li.hit"', '"css:li["', "results.hit", "'css:li['"),
        ('"css:li.hit"', '"jmes:hits"', "results.hit", "cannot read html"),
        ('deleted = ""', 'deleted = "css:li[["', "results.deleted", "does not compile"),
        ("of (?:", "of ((?:", "results.total_pattern", "fails"),
        ("q={query}", "q=", "ask.url", "has no {query}"),
        ("{page}", "{pge}", "ask.url", "did you mean page?"),
        ('"https://shop.example/" ', '"ftp://shop.example/" ', "source.url", "ftp://shop.example/"),
        ('url = "https://shop.example/search', 'url = "/search', "ask.url", "absolute"),
        ('"-{term}"', '"-"', "ask.dialect.not", "has no {term}"),
        ('"({terms})"', '"()"', "ask.dialect.group", "has no {terms}"),
        ('or = " OR "', "or = 1", "ask.dialect.or", "expected a text"),
        ("max_terms = 32", "max_terms = 0", "ask.dialect.max_terms", "1 or more"),
        ('"fold+english"', '"klingon"', "ask.dialect.forms", "klingon"),
        ("page_size = 20", "page_size = 0", "ask.page_size", "1 or more"),
        ("limit = 1000", 'limit = "many"', "ask.limit", "'many'"),
        ('charset = "utf-8"', 'charset = "utf-9"', "ask.charset", "utf-9"),
        ('body = ""', 'body = "{query}"', "ask.body", "POST"),
        ('"text:Nothing was found"', '"text:"', "results.empty", "the text is empty"),
        ('"text:Nothing was found"', '"status:500"', "results.empty", "take status:204"),
        (
            'link_template = ""',
            'link_template = "https://x.example/"',
            "results.link_template",
            "{link}",
        ),
        ('link = "css:a.title"', "", "document", "results.link"),
        ('suffix = "?tab', 'suffix = "tab', "document.suffix", "begins with none of ?, &, / and ."),
        ('Accept = "text/html"', "Accept = 1", "ask.headers.Accept", "expected a text"),
        ('["session", "/2"]', "[1]", "results.key_ignores", "expected a text"),
    ],
)
def test_mistakes_are_named_with_their_place(old: str, new: str, key: str, says: str) -> None:
    """Every error names file, line, key, value and what is allowed."""
    assert old in BY_URL
    text = BY_URL.replace(old, new, 1)
    with pytest.raises(SpecFileError) as caught:
        read_spec(text, where="shop.toml")
    error = caught.value
    assert (error.where, error.key) == ("shop.toml", key)
    assert error.line
    assert (
        key.split(".")[-1] in text.splitlines()[error.line - 1]
        or "[" in text.splitlines()[error.line - 1]
    )
    assert says in str(error)
    assert str(error).startswith(f"shop.toml, line {error.line}, key {key}: ")
    assert error.advice


def test_all_mistakes_are_named_at_once() -> None:
    """All mistakes of a spec are reported in one error."""
    text = BY_URL.replace("page_size = 20", 'page_sise = "20"').replace("kind = ", "sort = ", 1)
    text = text.replace("limit = 1000", 'limit = "many"')
    with pytest.raises(SpecFileError, match="did you mean page_size") as caught:
        read_spec(text, where="shop.toml")
    said = str(caught.value)
    assert caught.value.key == "source.sort"
    assert said.count("; also line ") == 2
    assert "key ask.limit: 'many' does not fit" in said

    wrong = BY_URL.replace("limit = 1000", "limit = 0").replace('"css:li.hit"', '"css:li["')
    with pytest.raises(SpecFileError, match=r"limit: 0 is too small.*also line \d+, key results"):
        read_spec(wrong)


@pytest.mark.parametrize(
    ("text", "line"), [('[source]\nname = "x\n', 2), ("[source", 1), ("a = [\n\n", 2), ("=", 1)]
)
def test_broken_toml_names_its_line(text: str, line: int) -> None:
    """The error for broken TOML has the line of the break."""
    with pytest.raises(SpecFileError, match="not TOML") as caught:
        read_spec(text)
    assert caught.value.line == line


def test_one_way_to_ask() -> None:
    """A spec with both a form and a URL, or with neither, is refused."""
    with pytest.raises(SpecFileError, match="both `form` and `url`"):
        read_spec(
            BY_FORM.replace("[ask.form]", '[ask]\nurl = "https://x.example/{query}"\n[ask.form]')
        )
    with pytest.raises(SpecFileError, match="neither `form` nor `url`"):
        read_spec('[source]\nname="x"\nurl="http://x/"\n[ask]\n[results]\nhit="li"\nlink="a"\n')


def test_placeholders_need_what_fills_them() -> None:
    """{next} needs results.next; {size}, {last} and {end} need ask.page_size."""
    text = '[source]\nname="x"\nurl="http://x/"\n[ask]\nurl="http://x/{query}?{%s}"\n[results]\nhit="li"\nlink="a"\n'
    needed = dict.fromkeys(("size", "offset}&{last", "offset}&{end"), "ask.page_size")
    for name, key in ({"next": "results.next"} | needed).items():
        with pytest.raises(SpecFileError) as caught:
            read_spec(text.replace("%s", name))
        assert caught.value.key == key


def test_a_link_may_begin_with_the_slash_of_its_path() -> None:
    """Its template is the address of a host alone."""
    for template in ("https://shop.example{link}", "https://shop.example/doc/{link}"):
        written = BY_URL.replace('link_template = ""', f'link_template = "{template}"')
        assert read_spec(written).results.link_template == template


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ('{"q": "{qery}", "size": 20}', r"unknown placeholder {qery}; write {query}"),
        ('{"q": {query}, "size": 20', r"no valid JSON: Expecting ',' delimiter"),
        ('{"q": "{query}", "size": {size}', "no valid JSON"),
        ('{"index": "a"}\\n{"q": "{query}"\\n', "no valid JSON"),
    ],
)
def test_a_body_in_json_is_checked_before_it_is_sent(body: str, says: str) -> None:
    """A misspelt placeholder and broken JSON are refused with the key."""
    tables = (
        BY_URL.partition("[ask]")[0]
        + f"[ask]\nurl = 'http://x/'\nmethod = 'POST'\nbody = '{body}'\n"
    )
    with pytest.raises(SpecFileError, match=says) as caught:
        read_spec(tables + "page_size = 20\n[results]\nhit = 'css:li'\nlink = 'css:a'\n")
    assert caught.value.key == "ask.body"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/x-ndjson", '{"index": "a"}\n{"q": "{query}", "size": {size}}\n'),
        ("application/graphql", '{ search(words: "{query}") { id } }'),
    ],
)
def test_bodies_of_lines_and_of_other_languages_are_taken(kind: str, body: str) -> None:
    """Each line may be JSON of its own; what is no JSON is not read as such."""
    headers = {"Content-Type": kind}
    ask = Ask(url="https://x.example/", method="POST", body=body, headers=headers, page_size=20)
    home = Home("x", "https://x.example/", kind="json")
    spec = Spec(home, ask, Results("jmes:rows[*]", key="jmes:id"))
    assert read_spec(write_spec(spec)) == spec


@pytest.mark.parametrize("text", ["", "source = 3", "[[source]]", "source.name = 'x'"])
def test_any_other_toml_is_refused(text: str) -> None:
    """TOML with another structure raises a SpecFileError."""
    with pytest.raises(SpecFileError):
        read_spec(text)


def test_only_what_differs_is_written_with_its_notes() -> None:
    """Defaults are not written, and a note is written above its key."""
    spec = Spec(
        Home("x", "https://x.example/"),
        Ask(url="https://x.example/?q={query}", dialect=Dialect(quote='"{term}"')),
        Results("li", link="a"),
    )
    written = write_spec(spec, notes={"results.hit": "seen on 9 of 9 pages", "ask": "by GET"})
    assert written == (
        '[source]\nname = "x"\nurl = "https://x.example/"\n\n'
        '# by GET\n[ask]\nurl = "https://x.example/?q={query}"\n\n'
        '[results]\n# seen on 9 of 9 pages\nhit = "li"\nlink = "a"\n'
    )


tables = st.recursive(
    st.dictionaries(
        st.text(max_size=8),
        st.one_of(st.text(), st.booleans(), st.integers(-(2**63), 2**63 - 1), st.lists(st.text())),
        max_size=4,
    ),
    lambda inner: st.dictionaries(st.text(max_size=8), st.one_of(st.text(), inner), max_size=4),
    max_leaves=4,
)


@pytest.mark.slow
@settings(max_examples=60)
@given(tables, st.text())
def test_whatever_is_written_is_read_back(table: dict[str, object], note: str) -> None:
    """Any written table is read back unchanged."""
    notes = dict.fromkeys(table, note)
    assert tomllib.loads(write_toml(table, notes=notes)) == table


@pytest.mark.parametrize(
    ("old", "new", "key", "says"),
    [
        ("[fields.author]", "[fields.title]", "fields.title", "may not be named 'title'"),
        (
            'type = "text"',
            'type = "money"',
            "fields.author.type",
            "take one of: text, number, date, url",
        ),
        ('row = "css:span.by"', 'raw = "css:span.by"', "fields.author.raw", "did you mean row?"),
        ('"css:span.by"', '"css:span["', "fields.author.row", "does not compile"),
        ('"css:span.by"', '"jmes:by"', "fields.author.row", "cannot read html"),
        ('"css:meta[name=author]::attr(content)"', '"ld:[["', "fields.author.page", "compile"),
        ("many = true ", 'many = "yes" ', "fields.author.many", "expected true or false"),
    ],
)
def test_mistakes_in_fields_are_named(old: str, new: str, key: str, says: str) -> None:
    """The error for an invalid field names its key."""
    assert BY_URL.count(old) == 1
    with pytest.raises(SpecFileError, match=re.escape(says)) as caught:
        read_spec(BY_URL.replace(old, new))
    assert caught.value.key == key


def test_a_field_needs_a_place() -> None:
    """A field without a place, or on a page that is never requested, is refused."""
    text = '[source]\nname="x"\nurl="http://x/"\n[ask]\nurl="http://x/{query}"\n[results]\nhit="li"\nlink="a"\n'
    with pytest.raises(SpecFileError, match="neither `row` nor `page`"):
        read_spec(text + '[fields.year]\ntype = "number"\n')
    with pytest.raises(SpecFileError, match=r"fields\.year\.page: there is no \[document\]"):
        read_spec(text + '[fields.year]\npage = "b"\n')


def test_the_order_of_a_body_keeps_placeholders_that_are_no_texts() -> None:
    """A placeholder outside of quotes stays one, and so does a variable."""
    body = '{"q": "{query}", "from": {offset}, "size": ${SIZE}, "sort": "title"}'
    ask = Ask(
        url="https://x.example/",
        method="POST",
        body=body,
        newest={"sort": "date"},
        dialect=Dialect(all=""),
    )
    home = Home("x", "https://x.example/", kind="json")
    spec = Spec(home, ask, Results("jmes:rows[*]", key="jmes:id"))
    assert newest_first(spec).ask.body == body.replace("title", "date")


def test_a_body_that_is_no_object_takes_no_order() -> None:
    """Its spec is at fault, and the message shows the body."""
    body = '{ search(words: "{query}") { id } }'
    ask = Ask(url="https://x.example/", body=body, newest={"sort": "date"}, dialect=Dialect(all=""))
    spec = Spec(Home("x", "https://x.example/"), ask, Results("css:li", key="css:b"))
    with pytest.raises(SpecError, match="no object in JSON"):
        newest_first(spec)


def test_the_link_to_a_text_stands_on_a_page_in_html() -> None:
    """Its selector reads HTML, although the text behind the link is JSON."""
    home, ask = Home("x", "https://x.example/"), Ask(url="https://x.example/?q={query}")
    page = DocumentPage("jmes:text", text_link="css:iframe")
    spec = Spec(home, ask, Results("css:li", link="css:a"), page)
    written = write_spec(spec)
    assert read_spec(written) == spec
    with pytest.raises(SpecFileError, match="cannot read html") as caught:
        read_spec(written.replace("css:iframe", "jmes:pdf"))
    assert caught.value.key == "document.text_link"
