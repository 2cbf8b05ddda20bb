"""What a click on a result page sends: the query, hidden state that stands for it, or neither."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote_plus

from longline.discover.answer import Shown
from longline.discover.reading.search_form import has_state
from longline.model import Request


def carries(page: Shown, request: Request, element: Any) -> bool:
    """Say whether a click sends the query along, or hidden state that stands for it."""
    form = next(element.iterancestors("form"), None)
    has_hidden_state = element.tag != "a" and form is not None and has_state(form)
    return _sends_words(page, request) or has_hidden_state


def _sends_words(page: Shown, request: Request) -> bool:
    sent = unquote_plus(f"{request.url} {request.body.decode('latin-1')}", page.answer.charset)
    return page.words.casefold() in sent.casefold()


def stays(page: Shown, request: Request) -> bool:
    """Say whether a click leads to the page itself, unless a session may know better."""
    is_same = request == page.request or (request.url == page.response.url and not request.body)
    return is_same and (page.number == 1 or _sends_words(page, request))


def has_nothing_to_fill(element: Any) -> bool:
    """Say whether a button stands in a form of buttons alone, as "Next" may: it is no search."""
    form = next(element.iterancestors("form"), None)
    if form is None:
        return False
    kinds = {(field.get("type") or "text").lower() for field in form.iter("input")}
    is_bare = next(form.iter("select", "textarea"), None) is None
    return is_bare and kinds <= {"hidden", "submit", "image", "button"}
