"""Check whether a source lists its newest documents first, or can be requested to.

An update then reads that list until it meets known documents, instead of everything. An order is
trusted if the dates of the rows decrease: a menu entry "newest" may do something different.
"""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import urljoin

import msgspec

from longline.discovery.answer import ParsedAnswer, parameters, place_of, text
from longline.discovery.session import Asking, DiscoverySession, change_ask
from longline.errors import PageError, SpecError
from longline.model import Page, Query
from longline.model.fields import moment
from longline.source import Source, newest_first
from longline.source.spec import Spec

LEAST_DATES = 5
"""How many rows must have dates, which must decrease."""

LEAST_DIFFERENT = 3
ORDERS_TRIED = 3

_NEW = re.compile(
    r"newest|latest|recent|neuest|aktuellst|récent|reciente|recenti|nieuwste|nyeste|senaste|новы|"
    r"最新|新着|desc",
    re.I,
)
_DATE = re.compile(r"date|datum|fecha|дата|日期|日付|time|year", re.I)
_OLD = re.compile(r"oldest|earliest|ältest|älteste|ancien|antigu|oudste|eldste|asc", re.I)


def learn_newest(session: DiscoverySession) -> Asking[None]:
    """Find how the list of everything is sorted by date, the newest first."""
    spec = session.spec
    if spec is None or spec.ask.browser or spec.ask.newest is not None:
        return
    dated = [name for name, place in session.fields.items() if place.row and place.type == "date"]
    if spec.ask.dialect.all is None or not dated:
        return
    shown = yield from _listed(session, spec)
    orders: list[dict[str, str]] = [{}, *(_orders(shown)[:ORDERS_TRIED] if shown else [])]
    for order in orders:
        if order:
            ask = msgspec.structs.replace(spec.ask, newest=order)
            shown = yield from _listed(session, msgspec.structs.replace(spec, ask=ask))
        found = next((name for name in dated if _falls(_read(spec, shown), name)), None)
        if found is not None:
            change_ask(session, newest=order)
            said = ", ".join(f"{name}={value}" for name, value in order.items()) or "always"
            seen = f"the dates in {found!r} fall from row to row of the list of everything"
            session.find("ask.newest", said, "likely", seen)
            return


def _listed(session: DiscoverySession, spec: Spec) -> Asking[ParsedAnswer | None]:
    """Request the list of everything, with the newest first if the spec has that order."""
    if session.left < 1:
        return None
    try:
        source = Source(spec if spec.ask.newest is None else newest_first(spec))
        if spec.ask.form is not None and session.form_page is not None:
            source = source.with_form(session.form_page.response)
        request = source.search_request(Query(()))
    except (PageError, SpecError, ValueError):
        return None
    return (yield from session.get(request))


def _read(spec: Spec, shown: ParsedAnswer | None) -> Page | None:
    if shown is None:
        return None
    try:
        return Source(spec).page(Query(()), 1, shown.request, shown.response)
    except (PageError, SpecError, ValueError):
        return None


def _falls(page: Page | None, name: str) -> bool:
    """Return whether a field's dates decrease along the rows."""
    values = [hit.fields.get(name) for hit in page.hits] if page is not None else []
    dates = [str(value) for value in values if isinstance(value, str) and moment(value)]
    is_enough = len(dates) >= LEAST_DATES and len(set(dates)) >= LEAST_DIFFERENT
    # Dates are in ISO 8601, so they sort as text.
    return is_enough and 2 * len(dates) > len(values) and dates == sorted(dates, reverse=True)


def _orders(page: ParsedAnswer) -> list[dict[str, str]]:
    """Return parameters that may set that order, the most likely first: from menus and links."""
    if page.is_data:
        return []
    found = [*_menus(page), *_links(page)]
    ranked = sorted(found, key=lambda each: -_score(each[1]))
    kept = [order for order, said in ranked if _score(said) > 0]
    return list({tuple(order.items()): order for order in kept}.values())


def _score(said: str) -> int:
    return 0 if _OLD.search(said) else 2 * bool(_NEW.search(said)) + bool(_DATE.search(said))


def _menus(page: ParsedAnswer) -> Iterator[tuple[dict[str, str], str]]:
    for menu in page.root.iter("select"):
        for entry in menu.iter("option") if menu.get("name") else ():
            value = entry.get("value", text(entry))
            yield {menu.get("name"): value}, f"{text(entry)} {value}"


def _links(page: ParsedAnswer) -> Iterator[tuple[dict[str, str], str]]:
    own = parameters(page.request.url)
    for link in page.root.iter("a"):
        try:
            url = urljoin(page.answer.base, link.get("href") or "")
            is_same = place_of(url) == place_of(page.request.url)
        except ValueError:
            continue
        if not is_same:
            continue
        changed = _changed(own, parameters(url))
        if len(changed) in (1, 2):
            yield changed, f"{text(link)} {' '.join(changed.values())}"


def _changed(own: Mapping[str, str], later: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in later.items() if value != own.get(name)}
