"""Detect from the pages of a query that its answer is incomplete."""

from collections.abc import Iterable
from typing import NamedTuple

from longline.events import Cut
from longline.model import Page

LEAST_LIMIT = 5
"""Minimum number of rows of an inferred return limit: many queries match fewer."""

ENDS_ALIKE = 5
"""This many different answers with the same largest number of rows prove a return limit."""


class SoFar(NamedTuple):
    """What is known of a query's answer before a page of it.

    Attributes:
        repeats: Whether earlier pages of the query showed some of its documents.
        first_page_rows: Rows on the query's first page; 0 before it.
        rows: Rows on the query's earlier pages, with those that name deleted documents.
        limit: The return limit, None if unknown.
        page_size: Rows requested per page, None if unknown.
        is_announced: Whether a link or a total announces more rows; False if pages are requested by
            number and there is no total.
        most: How many results the source says any search shows; 0 if it does not say.
    """

    repeats: bool = False
    first_page_rows: int = 0
    rows: int = 0
    limit: int | None = None
    page_size: int | None = None
    is_announced: bool = True
    most: int = 0


def cuts(page: Page, number: int, so_far: SoFar) -> list[Cut]:
    """Return every way in which a page shows that its query's answer is incomplete.

    - capped: the last page was received, and the source reports more than it gave, or gave exactly
      its return limit, or what it says that any search shows. If the total is only "about" right,
      the last page must also be full.
    - clamped: fewer rows than requested on the first page, although another page follows.
    - short: fewer rows than on the first page, although another page is announced.
    - empty: a later page without rows that was announced.
    - repeated: rows that the same query had before.
    - torn: the page is truncated.
    - partial: the page says that it is incomplete, or that results are hidden.

    Args:
        page: The page received.
        number: Number of the page, from 1.
        so_far: What is known of the answer before it.

    >>> from longline.model import Hit, Total
    >>> page = Page((Hit("a"), Hit("b")), Total(5))
    >>> cuts(page, 1, SoFar(page_size=2))
    ['capped']
    """
    repeats, first_page_rows, rows_before, limit, page_size, is_announced, most = so_far
    rows = len(page.hits) + page.deleted
    keys = [hit.key for hit in page.hits]
    full = page_size or first_page_rows or rows
    found: list[Cut] = []
    if number > 1 and not rows and is_announced:
        found.append("empty")
    if page.next and number == 1 and page_size and 0 < rows < page_size:
        found.append("clamped")
    if page.next and number > 1 and 0 < rows < first_page_rows and is_announced:
        found.append("short")
    if repeats or len(set(keys)) < len(keys):
        found.append("repeated")
    if page.torn:
        found.append("torn")
    if page.partial or page.withheld:
        found.append("partial")
    received = rows_before + rows
    if not page.next and (received == most > 0 or _is_capped(page, received, rows >= full, limit)):
        found.append("capped")
    return found


def _is_capped(page: Page, received: int, last_is_full: bool, limit: int | None) -> bool:
    if page.total is None:
        return limit is not None and received >= limit
    if page.total.documents <= received:
        # "50+", and no more than 50 rows.
        is_as_told = received == page.total.documents and received % 10 == 0
        return page.total.relation == "at least" and (received == limit or is_as_told)
    return page.total.relation != "about" or last_is_full


def shows_limit(rows: int, answers: Iterable[Iterable[object]]) -> bool:
    """Return whether the longest answers prove a return limit that is not announced.

    At least 5 with different documents must have exactly the same number of rows, 5 or more.
    Searches with the same documents count once: the source may ignore some of their words.

    Args:
        rows: Of the longest answers.
        answers: The documents of each of these whose last page was received and is not known to be
            complete.

    >>> shows_limit(6, ["abcdef", "bcdefg", "cdefgh", "defghi", "efghij"])
    True
    >>> shows_limit(6, ["abcdef", "bcdefg", "cdefgh", "defghi", "ihgfed"])
    False
    """
    different: set[frozenset[object]] = set()
    for documents in answers if rows >= LEAST_LIMIT else ():
        different.add(frozenset(documents))
        if len(different) >= ENDS_ALIKE:
            return True
    return False
