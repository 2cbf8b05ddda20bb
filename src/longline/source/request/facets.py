"""Put facet filters into a request."""

import json
import re
from calendar import monthrange
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, quote_plus

import msgspec
from w3lib.url import add_or_replace_parameters

from longline.errors import SpecError
from longline.model import Facet, Filter, Query, Request
from longline.source.check import PLACEHOLDERS
from longline.source.spec import Ask, FacetField, Spec

_FORMAT = re.compile(
    r"\b(([a-z])\2|([a-z])\3{3})([-./])([a-z])\5\4(([a-z])\7{3}|([a-z])\8)\b", re.IGNORECASE
)
_DAY = re.compile(r"\b(\d{1,2}|\d{4})([-./])(\d{1,2})\2(\d{1,4})\b")

YEARS = 60
"""How many years before the last one a range of days is divided into."""


def facets_of(spec: Spec) -> tuple[Facet, ...]:
    """Return the facets that can limit a source's answers, from its spec.

    A partition can use them only if a search without words is possible.
    """
    return tuple(
        Facet(name, field.kind, tuple(field.values), field.low, field.high, field.required)
        for name, field in spec.facets.items()
    )


def filter_values(spec: Spec, query: Query) -> dict[str, str]:
    """Return the values that a query's filters set, by parameter.

    Raises:
        SpecError: The spec has no such facet.
    """
    values: dict[str, str] = {}
    for each in query.filters:
        field = spec.facets.get(each.facet)
        if field is None:
            raise SpecError(
                f"the query {str(query)!r} limits {each.facet!r}, which is no facet of the spec",
                advice=f"describe it under [facets.{each.facet}]",
            )
        values |= _values(field, each)
    return values


def by_months(dated: FacetField, last: int) -> FacetField:
    """Return a range of days as a list of months, of which one is needed: the newest first.

    Args:
        dated: The range.
        last: The last year; the first is `YEARS` before it, or that of the range's start.

    >>> months = by_months(FacetField("from", "date", low="2019-01-01"), 2020)
    >>> len(months.values), months.values[0], months.values[22]
    (24, '2020-12-01..2020-12-31', '2019-02-01..2019-02-28')
    """
    first = max(int(dated.low[:4]), last - YEARS)
    months = [(year, number) for year in range(last, first - 1, -1) for number in range(12, 0, -1)]
    days = [f"{y}-{m:02}-01..{y}-{m:02}-{monthrange(y, m)[1]}" for y, m in months]
    return msgspec.structs.replace(dated, kind="list", values=days, low="", high="", required=True)


def day_template(said: str) -> str:
    """Return how a text writes days: as a format, or else by examples; "" if it has none.

    >>> day_template("from 1.2.2019 to 31.12.2022"), day_template("2019/01/31")
    ('{day}.{month}.{year}', '{year}/{month}/{day}')
    >>> day_template("01/02/2019 (mm/dd/yyyy)"), day_template("Words")
    ('{month}/{day}/{year}', '')
    """
    if format_ := _FORMAT.search(said):
        first, between, last = format_[1].lower(), format_[4], format_[6]
        is_month_first = first[0] == "m"
    else:
        days = _DAY.findall(said)
        if not days:
            return ""
        first, between, _, last = days[0]
        is_month_first = any(len(each[0]) < 3 and int(each[2]) > 12 for each in days)
    if len(first) == 4:
        return between.join(("{year}", "{month}", "{day}"))
    names = ("{month}", "{day}") if is_month_first else ("{day}", "{month}")
    return between.join((*names, "{year}")) if len(last) == 4 else ""


def _written(template: str, value: str) -> str:
    """Write a value as a field wants it: a day by its parts, where the template names them."""
    if "{year}" not in template:
        return template.replace("{value}", value)
    year, month, day = value.split("-")
    return template.replace("{year}", year).replace("{month}", month).replace("{day}", day)


def _values(field: FacetField, limits: Filter) -> dict[str, str]:
    first, _, last = limits.low.partition("..") if field.parameter_to else (limits.low, "", "")
    low = _written(field.template, first)
    if not field.parameter_to:
        return {field.parameter: low}
    high = _written(field.template, last or limits.high or first)
    return {field.parameter: low, field.parameter_to: high}


def placed(ask: Ask, spec: Spec, values: dict[str, str]) -> Ask:
    """Put facet values into their places in the URL, and remove them from `values`.

    Without a value, the facet's first value is used. Reserved placeholders such as {page} keep
    their meaning.
    """
    url = ask.url
    for field in spec.facets.values():
        place = f"{{{field.parameter}}}"
        if place in url and field.parameter not in PLACEHOLDERS:
            first = next(iter(field.values), "")
            url = url.replace(place, quote(values.pop(field.parameter, first), safe=""))
    return ask if url == ask.url else msgspec.structs.replace(ask, url=url)


def with_filters(request: Request, values: Mapping[str, str], charset: str) -> Request:
    """Put filters into a request: into its URL, or into the form or the JSON in its body.

    >>> asked = Request("https://x.example/s", "POST", body=b'{"q": "sea", "where": {"year": [1]}}')
    >>> with_filters(asked, {"where.year": "1987"}, "utf-8").body
    b'{"q": "sea", "where": {"year": [1987]}}'
    """
    if not values:
        return request
    if request.body.lstrip()[:1] == b"{":
        tree = json.loads(request.body)
        for name, value in values.items():
            _set(tree, name, value)
        return msgspec.structs.replace(request, body=json.dumps(tree, ensure_ascii=False).encode())
    if not request.body:
        url = add_or_replace_parameters(request.url, dict(values))
        return Request(url, request.method, request.headers)
    more = "".join(
        f"&{quote_plus(name)}={quote_plus(value.encode(charset, 'xmlcharrefreplace'))}"
        for name, value in values.items()
    )
    body = request.body + more.encode("ascii")
    return Request(request.url, request.method, request.headers, body)


def _set(tree: dict[str, Any], name: str, value: str) -> None:
    """Set a property of JSON by its names, joined by dots: in the form that its value has."""
    *above, last = name.split(".")
    for each in above:
        inner = tree.get(each)
        if not isinstance(inner, dict):
            inner = tree[each] = {}
        tree = inner
    held = tree.get(last)
    one = held[0] if isinstance(held, list) and held else held
    written = int(value) if type(one) is int and value.lstrip("-").isdigit() else value
    tree[last] = [written] if isinstance(held, list) else written
