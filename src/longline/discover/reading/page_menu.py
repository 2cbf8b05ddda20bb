"""Pages that are chosen in a menu: the next of its entries asks for the next page."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from longline.discover.answer import Shown, text
from longline.discover.reading.search_form import is_forbidden
from longline.errors import PageError
from longline.model import Request
from longline.source import submit

LEAST_STEP = 5
"""Hits on a page, where a menu counts hits."""


def menu_requests(page: Shown) -> Iterator[tuple[Any, str, Request]]:
    """Yield menus whose entries count pages, their names, and how the next one is asked for."""
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
    """Return the value after the chosen one, where a menu's entries are numbers of pages."""
    entries = list(menu.iter("option"))
    values = [entry.get("value", text(entry)).strip() for entry in entries]
    chosen = next((at for at, entry in enumerate(entries) if "selected" in entry.attrib), 0)
    if chosen + 1 >= len(values) or chosen + 1 != number or not all(map(str.isdigit, values)):
        return None
    counts = [int(value) for value in values]
    steps = {later - earlier for earlier, later in itertools.pairwise(counts)}
    if len(steps) != 1 or counts[0] > 1:
        return None
    step = steps.pop()
    return values[chosen + 1] if step == 1 or step >= LEAST_STEP else None


__all__ = ["menu_requests"]
