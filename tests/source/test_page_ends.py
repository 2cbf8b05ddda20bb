"""Pages that are truncated although their transfer was complete."""

import pytest

from longline.model import Response
from longline.source.trust.seen import TAIL_BYTES, PageEnds


def is_torn(ends: PageEnds, body: bytes) -> bool:
    """Return whether a page with this body is truncated."""
    return ends.is_torn(Response(url="", status=200, body=body))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b'{"hits": []}', False),
        (b'{"hits": [', True),
        (b'{"hits": []', True),
        (b"[1, 2]", False),
        (b"[1, 2", True),
        (b"[1, {}", True),
        (b' \n{"hits": []}\n ', False),
        (b"", False),
        (b"plain words", False),
        (b"%PDF-1.7 {", False),
    ],
)
def test_json_ends_with_the_bracket_that_it_began_with(body: bytes, expected: bool) -> None:
    """JSON must end with its closing bracket; white space and other bodies do not matter."""
    assert is_torn(PageEnds(), body) is expected


def test_markup_without_its_end_is_torn_where_the_site_writes_it() -> None:
    """Once a page had an end tag, a page without one is truncated."""
    ends = PageEnds()
    assert is_torn(ends, b"<html><p>deep") is False
    assert is_torn(ends, b"<html><p>deep</HTML>") is False
    assert is_torn(ends, b"<html><p>sea</html >") is False
    assert is_torn(ends, b"<html><p>deep") is True


def test_a_site_that_leaves_the_end_out_has_no_torn_pages() -> None:
    """If most pages have no end tag, a missing one means nothing."""
    ends = PageEnds()
    assert [is_torn(ends, b"<p>deep") for _ in range(5)] == [False] * 5
    assert is_torn(ends, b"<p>whole</html>") is False
    assert is_torn(ends, b"<p>deep") is False


def test_comments_and_scripts_may_follow_the_end() -> None:
    """Only the last TAIL_BYTES of a page are searched for the end tag."""
    ends = PageEnds()
    for _ in range(3):
        assert is_torn(ends, b"<html><p></html><!--" + b"x" * (TAIL_BYTES - 20) + b"-->") is False
    assert is_torn(ends, b"<html><p></html><!--" + b"x" * TAIL_BYTES + b"-->") is True


def test_an_end_that_pages_have_each_time_is_how_the_site_writes_them() -> None:
    """After two such pages, no third one is requested again; one that ends elsewhere is torn."""
    ends = PageEnds()
    for _ in range(9):
        assert is_torn(ends, b"<html><p>deep</p></html>") is False

    def torn(path: str, body: bytes, *, again: bool = False) -> bool:
        return ends.is_torn(Response(url=path, status=200, body=body), again=again)

    nothing = b"<html><h1>Search</h1><p>Nothing was found.</p></main>"
    for path in "ab":
        assert torn(path, nothing)
        last = torn(path, nothing, again=True)
        assert last is (path == "a")
    assert torn("c", nothing) is False
    assert torn("d", b"<html><h1>Search</h1><p>One, tw") is True
    assert torn("d", b"<html><h1>Search</h1><p>One, two, thr", again=True) is True
