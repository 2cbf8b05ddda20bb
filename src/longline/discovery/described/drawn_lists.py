"""Lists that a page's script draws: what the script fetched to show them."""

from longline.discovery.answer import ParsedAnswer, as_data, text
from longline.discovery.described.operations import Operation, operation_at
from longline.discovery.reading import leaves_of, lists_in
from longline.model import Exchange

LEAST_SHOWN = 5
"""A page shows at least this many rows of a list that it draws."""

LEAST_LETTERS = 4
"""Shorter values may stand on a page by chance."""

TAGS = ("a", "b", "button", "dt", "h1", "h2", "h3", "h4", "h5", "li", "p", "span", "strong", "td")
"""Elements that may show a value alone; an option of a menu is no row of a list."""


def fetched_lists(drawn: ParsedAnswer) -> list[Operation]:
    """Return the addresses of lists that a script fetched and shows, the longest first.

    Args:
        drawn: The page, as a browser showed it.
    """
    said = {text(element) for element in drawn.root.iter(*TAGS)}
    shown: dict[str, int] = {}
    for exchange in drawn.response.sent:
        if exchange.request.method == "GET":
            shown[exchange.request.url] = _rows_shown(exchange, said)
    longest = sorted(shown, key=lambda url: -shown[url])
    where = drawn.response.url
    return [operation_at(url, where) for url in longest if shown[url] >= LEAST_SHOWN]


def _rows_shown(exchange: Exchange, said: set[str]) -> int:
    """Return how many rows of a fetched list have a value that stands alone on the page."""
    sent = as_data(exchange.request, exchange.response)
    lists = [] if sent is None else [rows for _, rows in lists_in(sent.data)]
    return max((sum(_is_shown(row, said) for row in rows) for rows in lists), default=0)


def _is_shown(row: object, said: set[str]) -> bool:
    values = (" ".join(str(value).split()) for _, value in leaves_of(row))
    return any(len(value) >= LEAST_LETTERS and value in said for value in values)
