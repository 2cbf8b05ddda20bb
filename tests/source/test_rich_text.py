"""Rich text: the words of trees that editors and interfaces write, in order, and nothing else."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.source.rich_text import is_rich_text, rich_text
from longline.source.select import read_select

SAID = "Tides of the sea\nThey turn twice a day\nHigh water"

PROSEMIRROR = {
    "type": "doc",
    "content": [
        {"type": "heading", "content": [{"type": "text", "text": "Tides of the sea"}]},
        {
            "type": "paragraph",
            "content": [
                {"type": "text", "text": "They turn "},
                {"type": "text", "marks": [{"type": "bold"}], "text": "twice"},
                {"type": "text", "text": " a day"},
            ],
        },
        {"type": "bulletList", "content": [{"type": "listItem", "content": [
            {"type": "paragraph", "content": [{"type": "text", "text": "High water"}]}]}]},
    ],
}  # fmt: skip
PORTABLE = [
    {"_type": "block", "style": "h1", "children": [{"_type": "span", "text": "Tides of the sea"}]},
    {"_type": "block", "style": "normal", "children": [
        {"_type": "span", "text": "They turn "}, {"_type": "span", "marks": ["b"], "text": "twice"},
        {"_type": "span", "text": " a day"}]},
    {"_type": "block", "listItem": "bullet", "children": [{"_type": "span", "text": "High water"}]},
]  # fmt: skip
CONTENTFUL = {"nodeType": "document", "data": {}, "content": [
    {"nodeType": "paragraph", "data": {}, "content": [
        {"nodeType": "text", "value": line, "marks": [], "data": {}}]}
    for line in SAID.split("\n")]}  # fmt: skip
LEXICAL = {"type": "root", "children": [
    {"type": "paragraph", "version": 1, "children": [
        {"type": "text", "format": 0, "text": line, "version": 1}]}
    for line in SAID.split("\n")]}  # fmt: skip
EDITOR = [{"id": str(n), "type": "paragraph", "data": {"text": line}}
          for n, line in enumerate(SAID.split("\n"))]  # fmt: skip
OF_XML = {"tag": "Law", "attr": {"Lang": "ja"}, "children": [
    {"tag": "Article", "attr": {"Num": n}, "children": [
        {"tag": "Sentence", "attr": {}, "children": [line]}]}
    for n, line in enumerate(SAID.split("\n"))]}  # fmt: skip


@pytest.mark.parametrize("tree", [PROSEMIRROR, PORTABLE, CONTENTFUL, LEXICAL, EDITOR, OF_XML])
def test_words_come_in_order_and_line_by_line(tree: Any) -> None:
    assert is_rich_text(tree)
    assert rich_text(tree) == SAID
    assert read_select("jmes:rich_text(body)", "json").texts(node_of({"body": tree})) == SAID


def node_of(data: Any) -> Any:
    """Return a JSON response as a selector reads it."""
    import parsel

    return parsel.Selector(root=data, type="json")


@pytest.mark.parametrize(
    "other",
    [
        {"type": "Point", "coordinates": [1, 2]},
        [{"type": "person", "name": "Ada", "at": [{"type": "org", "name": "The sea lab"}]}],
        [{"rel": "self", "href": "/tides/of/the/sea"}],
        {"type": "image", "alt": "Tides of the sea"},
        [], {}, "Tides of the sea", 7, None,
    ],
)  # fmt: skip
def test_what_is_no_tree_of_words_is_none(other: Any) -> None:
    assert not is_rich_text(other)


TREES = st.recursive(
    st.none() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "text", "children", "content"]), inner, max_size=3
        )
    ),
    max_leaves=12,
)


@given(TREES)
def test_any_json_is_read_without_an_error(tree: Any) -> None:
    """Any tree taken for rich text contains at least one word."""
    if is_rich_text(tree):
        assert len(rich_text(tree).split()) >= 1
