"""Go on behind a result page that the server fails to show, where pages count by numbers."""

import re

import msgspec

from longline.model import Request, Search
from longline.ports import Store

LEAST_STATUS = 500
"""The server's own failures: others say that there is no such page, or none for us."""

IN_VAIN = 2
"""After this many failed pages whose next page failed as well, no more are skipped."""

_NUMBER = re.compile(r"(\d+)")
_MOST_NUMBERS = 2
"""Of the first and the last row, for example."""

_LONGEST = 7
"""Longer numbers do not count pages or rows."""


class Skipping:
    """Finds the request behind a failed page: the numbers in it go on as they did before.

    Args:
        store: Holds the pages before it, which name the requests for the pages after them.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._skipped = set[Search]()
        self._in_vain = 0

    def behind(self, search: Search, status: int | None) -> Request | None:
        """Return the request for the page after one that failed, or None if it is not tried.

        Args:
            search: The page that failed.
            status: HTTP status of the answer; None if there was none.
        """
        query, number = search.query, search.number
        self._in_vain += Search(query, number - 1) in self._skipped
        if status is None or status < LEAST_STATUS or number <= 2 or self._in_vain >= IN_VAIN:
            return None
        before, last = (self._store.page(query, number - back) for back in (2, 1))
        if before is None or last is None or not (before.page.next and last.page.next):
            return None
        following = gone_on(before.page.next, last.page.next)
        if following is not None:
            self._skipped.add(Search(query, number))
        return following


def gone_on(first: Request, second: Request) -> Request | None:
    """Return the request that follows two others, which differ by numbers that grow.

    >>> first = Request("https://x.example/?q=1&page=2")
    >>> gone_on(first, Request("https://x.example/?q=1&page=3")).url
    'https://x.example/?q=1&page=4'
    >>> gone_on(first, Request("https://x.example/?q=1&cursor=7f3"))
    """
    url, body = _gone_on(first.url, second.url), first.body
    if first.body != second.body:
        text = _gone_on(first.body.decode("latin-1"), second.body.decode("latin-1"))
        url, body = (second.url if text else None), (text or "").encode("latin-1")
    return None if url is None else msgspec.structs.replace(second, url=url, body=body)


def _gone_on(first: str, second: str) -> str | None:
    one, other = _NUMBER.split(first), _NUMBER.split(second)
    if one[::2] != other[::2] or one == other:
        return None
    places = [at for at, pair in enumerate(zip(one, other, strict=True)) if len(set(pair)) > 1]
    if len(places) > _MOST_NUMBERS or max(len(other[at]) for at in places) > _LONGEST:
        return None
    steps = [int(other[at]) - int(one[at]) for at in places]
    if min(steps) <= 0:
        return None
    for at, step in zip(places, steps, strict=True):
        other[at] = str(int(other[at]) + step)
    return "".join(other)
