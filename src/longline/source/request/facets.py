"""Put facet filters into a request."""

from collections.abc import Mapping
from urllib.parse import quote, quote_plus

import msgspec
from w3lib.url import add_or_replace_parameters

from longline.errors import SpecError
from longline.model import Facet, Filter, Query, Request
from longline.source.check import PLACEHOLDERS
from longline.source.spec import Ask, FacetField, Spec


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


def _values(field: FacetField, limits: Filter) -> dict[str, str]:
    first, _, last = limits.low.partition("..") if field.parameter_to else (limits.low, "", "")
    low = field.template.replace("{value}", first)
    if not field.parameter_to:
        return {field.parameter: low}
    high = field.template.replace("{value}", last or limits.high or first)
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
    """Put filters into a request: into its URL, or into the form in its body."""
    if not values:
        return request
    if not request.body:
        url = add_or_replace_parameters(request.url, dict(values))
        return Request(url, request.method, request.headers)
    more = "".join(
        f"&{quote_plus(name)}={quote_plus(value.encode(charset, 'xmlcharrefreplace'))}"
        for name, value in values.items()
    )
    body = request.body + more.encode("ascii")
    return Request(request.url, request.method, request.headers, body)
