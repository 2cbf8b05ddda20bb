"""Test whether the rows of documents look as before, for an update."""

import time

from longline.model import Hit
from longline.updates.earlier import LEAST_SHOWN_TWICE, Rows

MANY = 30_000


def rows_of(*pages: list[Hit]) -> Rows:
    """Record pages."""
    rows = Rows()
    for page in pages:
        rows.see(page)
    return rows


def hits(count: int, snippet: str = "deep sea") -> list[Hit]:
    """Make hits with the same snippet."""
    return [Hit(str(number), title="Sea", snippet=snippet) for number in range(count)]


def test_snippets_count_while_queries_show_the_same() -> None:
    """A snippet that changed once is never constant again."""
    same = rows_of(hits(LEAST_SHOWN_TWICE), hits(LEAST_SHOWN_TWICE))
    assert same.are_steady
    assert not same.are_same(Hit("0", title="Sea", snippet="deep web"))
    same.see(hits(LEAST_SHOWN_TWICE, "deep web"))
    assert not same.are_steady
    same.see(hits(LEAST_SHOWN_TWICE, "deep web"))
    assert not same.are_steady
    assert same.are_same(Hit("0", title="Sea", snippet="another"))
    assert not rows_of(hits(LEAST_SHOWN_TWICE - 1), hits(LEAST_SHOWN_TWICE - 1)).are_steady


def test_many_rows_are_compared_at_once() -> None:
    """The time for a row does not depend on how many there are."""
    page = hits(MANY)
    rows = rows_of(page, page)
    begun = time.perf_counter()
    assert all(map(rows.are_same, page))
    assert time.perf_counter() - begun < 3
