"""What a page sent while a browser showed it, and what it brought."""

from longline.discovery.answer import ParsedAnswer, show
from longline.discovery.reading.json_tree import longest_list
from longline.discovery.reading.request_slots import ask_of
from longline.errors import PageError
from longline.model import Request


def answers_sent(shown: ParsedAnswer) -> list[ParsedAnswer]:
    """Return the data and partial pages that were requested with the words, longest first."""
    found = []
    page = shown.response.url.partition("#")[0]
    for exchange in shown.response.sent:
        ask = ask_of(exchange.request, shown.words)
        if exchange.response is None or ask is None:
            continue
        try:
            answer = show(shown.words, exchange.request, exchange.response)
        except PageError:
            continue
        is_page = exchange.request.url == page and ask.method == "GET" and not ask.headers
        if answer.is_data or not is_page:
            found.append(answer)
    return sorted(found, key=lambda answer: -rows(answer))


def rows(shown: ParsedAnswer) -> int:
    """Return the number of rows of data, or of links of a page."""
    return len(longest_list(shown.data)) if shown.is_data else len(shown.links)


def kept_back(shown: ParsedAnswer) -> list[Request]:
    """Return the requests with words that a page was not allowed to send, as by POST."""
    return [
        exchange.request
        for exchange in shown.response.sent
        if exchange.request.method != "GET"
        and exchange.is_kept_back
        and ask_of(exchange.request, shown.words) is not None
    ]


def new_on(shown: ParsedAnswer, page: ParsedAnswer) -> set[str]:
    """Return the links or lines that a page did not show before, if they look like several hits."""
    links = {link.url for link in shown.links} - {link.url for link in page.links}
    lines = shown.beyond([page])
    return links if len(links) >= 2 else lines if len(lines) >= 3 else set()
