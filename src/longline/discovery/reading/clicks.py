"""What a result page sends: at a click, and while a browser showed it."""

import itertools
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote_plus, urljoin, urlsplit

from longline.discovery.answer import ParsedAnswer, parameters, show, text
from longline.discovery.reading.json_lists import longest_list
from longline.discovery.reading.request_slots import ask_of
from longline.discovery.reading.search_form import is_forbidden
from longline.errors import PageError
from longline.model import Request
from longline.source import submit

LEAST_STEP = 5
"""Minimum step of a menu that counts hits instead of pages."""


_DIGIT = re.compile(r"\d")
_STATE = re.compile(
    r"token|csrf|xsrf|nonce|session|sid$|viewstate|eventvalidation|__|state|ticket|jeton", re.I
)
_PAGE = re.compile(r"page(?:d|no|num|number)?|p|pg|seite|pagina", re.IGNORECASE)
_PAGE_IN_PATH = re.compile(r"/(?:page|seite|pagina)[/-]?(\d+)/?$", re.IGNORECASE)


def page_counted(page: ParsedAnswer, element: Any) -> int:
    """Return the page number in a link's URL, such as ?page=3 or /page/3; 0 if there is none."""
    try:
        url = urljoin(page.answer.base, element.get("href") or "")
        sent = parameters(url, page.answer.charset)
    except ValueError:
        return 0
    if in_path := _PAGE_IN_PATH.search(urlsplit(url).path):
        return int(in_path[1])
    counts = [value for name, value in sent.items() if _PAGE.fullmatch(name) and value.isdecimal()]
    return int(counts[0]) if len(counts) == 1 else 0


def has_state(form: Any) -> bool:
    """Return whether a form has hidden state that must be fetched each time, by field names."""
    hidden = (each for each in form.iter("input") if (each.get("type") or "").lower() == "hidden")
    return any(_STATE.search(each.get("name") or "") and each.get("value") for each in hidden)


def carries(page: ParsedAnswer, request: Request, element: Any) -> bool:
    """Return whether a click sends the query, or hidden state for it."""
    form = next(element.iterancestors("form"), None)
    has_hidden_state = element.tag != "a" and form is not None and has_state(form)
    return _sends_words(page, request) or has_hidden_state


def _sends_words(page: ParsedAnswer, request: Request) -> bool:
    sent = unquote_plus(f"{request.url} {request.body.decode('latin-1')}", page.answer.charset)
    return page.words.casefold() in sent.casefold()


def stays(page: ParsedAnswer, request: Request) -> bool:
    """Return whether a click leads to the same page, unless a session may lead further."""
    is_same = request == page.request or (request.url == page.response.url and not request.body)
    return is_same and (page.number == 1 or _sends_words(page, request))


def has_nothing_to_fill(element: Any) -> bool:
    """Return whether a button is in a form of buttons alone, so that it is no search form."""
    form = next(element.iterancestors("form"), None)
    if form is None:
        return False
    kinds = {(field.get("type") or "text").lower() for field in form.iter("input")}
    is_bare = next(form.iter("select", "textarea"), None) is None
    return is_bare and kinds <= {"hidden", "submit", "image", "button"}


def menu_requests(page: ParsedAnswer) -> Iterator[tuple[Any, str, Request]]:
    """Yield menus whose entries count pages, with their names and requests for the next page."""
    for menu in page.root.iter("select"):
        name = menu.get("name") or ""
        form = next(menu.iterancestors("form"), None)
        if not name or form is None or is_forbidden(form):
            continue
        onward = _following(menu, page.number)
        if onward is None:
            continue
        try:
            yield menu, name, submit(form, page.answer, data={name: onward})
        except PageError:
            continue


def _following(menu: Any, number: int) -> str | None:
    """Return the value after the selected one if a menu's entries count pages, otherwise None."""
    entries = list(menu.iter("option"))
    values = [entry.get("value", text(entry)).strip() for entry in entries]
    chosen = next((at for at, entry in enumerate(entries) if "selected" in entry.attrib), 0)
    if chosen + 1 >= len(values) or chosen + 1 != number or not all(map(str.isdigit, values)):
        return None
    if not all(_DIGIT.search(text(entry)) for entry in entries):
        return None  # "Descending" is not a page
    counts = [int(value) for value in values]
    steps = {later - earlier for earlier, later in itertools.pairwise(counts)}
    if len(steps) != 1 or counts[0] > 1:
        return None
    step = steps.pop()
    return values[chosen + 1] if step == 1 or step >= LEAST_STEP else None


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
