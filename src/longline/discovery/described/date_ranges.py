"""Find the dates by which a list that shows only its newest rows can be read part by part."""

import re
from email.utils import parsedate
from typing import Any

import jmespath  # type: ignore[import-untyped]

from longline.discovery.answer import ParsedAnswer, as_data, parameters
from longline.discovery.answer_pages import with_parameter
from longline.discovery.next_words import other_ends
from longline.discovery.reading import leaves_of
from longline.discovery.session import Asking
from longline.model import Request

_DAY = re.compile(r"\d{4}-\d\d-\d\d")

FIELDS_TRIED = 2
"""Maximum number of dates in the rows to try: each costs a request."""


def divide_by_dates(
    tables: dict[str, Any], shown: ParsedAnswer, path: str, rows: int
) -> Asking[None]:
    """Write down a range of dates by which a list is read in parts, if it takes one.

    Args:
        tables: The tables of its spec, with an address that sends the first day of a range.
        shown: Its answer.
        path: JMESPath of its rows.
        rows: How many these are: more are not shown at once.
    """
    url, select = tables["ask"]["url"], jmespath.compile(path)
    days = {name: value for name, value in parameters(url).items() if _DAY.fullmatch(value)}
    name, last = next(((name, end) for name in days for end in other_ends(name)), ("", ""))
    held = _days_in(select.search(shown.data))
    for field in [*held][:FIELDS_TRIED] if name else ():
        known = sorted(held[field])
        middle = known[len(known) // 2]
        request = Request(with_parameter(url, last, middle))
        other = None if middle == known[-1] else as_data(request, (yield request))
        brought = {} if other is None else _days_in(select.search(other.data))
        if brought.get(field) and max(brought[field]) <= middle:
            high = days.get(last) or _day_of(shown) or known[-1]
            ends = {"parameter": name, "parameter_to": last, "low": days[name], "high": high}
            without = with_parameter(with_parameter(url, name), last)
            tables["ask"] = {"url": without, "limit": rows}
            tables["facets"] = {"date": {"kind": "date", **ends}}
            return


def _days_in(rows: Any) -> dict[str, list[str]]:
    """Return the days of each field that is a date in every row."""
    held = [dict(leaves_of(row)) for row in rows or ()]
    named = held[0] if held else {}
    found = {name: [str(row.get(name, ""))[:10] for row in held] for name in named}
    return {name: days for name, days in found.items() if all(map(_DAY.fullmatch, days))}


def _day_of(shown: ParsedAnswer) -> str:
    """Return the day on which an answer was sent, by its header; "" if it has none."""
    sent = parsedate(shown.response.header("date"))
    return "" if sent is None else f"{sent[0]}-{sent[1]:02}-{sent[2]:02}"
