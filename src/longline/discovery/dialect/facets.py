"""Fields of a search form that limit its answers, and whether they do."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from longline.discovery.answer import ParsedAnswer, text
from longline.discovery.session import Asking, DiscoverySession, change_ask
from longline.model import Facet, Filter, Query
from longline.source.select import fold
from longline.source.spec import FacetField

MOST_VALUES = 300
"""A list of more values is no facet to cut a source by, one request a value."""

MOST_FACETS = 3
"""Facets that are tried, a request each."""

_HOW_SHOWN = re.compile(
    r"sort|order|rank|lang|locale|size|limit|per_?page|rows|hits|page|view|format|style|theme|mode"
    r"|operator|scope|field|tri$|ordre|orden|reihen|sortier",
    re.IGNORECASE,
)
_ANY = re.compile(
    r"^\s*(?:[-\u2013\u2014*]*|any.*|all\b.*|alle\b.*|tous?.*|toutes?.*|todos?.*|todas?.*|tutt[ie].*|egal"
    r"|beliebig.*|select.*|choose.*|bitte.*|none)\s*$",
    re.IGNORECASE,
)
_ENDS = ("to", "end", "max", "high", "before", "until", "bis", "a", "lte", "end")
_STARTS = ("from", "start", "min", "low", "after", "since", "von", "de", "gte", "begin")
_WIDE = {"date": ("1800-01-01", "2099-12-31"), "year": ("1500", "2099")}


def fields_in(form: Any, query_field: str) -> dict[str, FacetField]:
    """Return the fields of a form that may limit its answers, by name.

    Lists with a way to say "any"; dates and numbers that come in pairs, from and to. What
    only says how answers are shown, such as an order, is none.

    >>> from lxml.html import fromstring
    >>> form = fromstring('''<form><input name=q><select name=kind><option value="">any</option>
    ... <option>book</option><option>map</option></select>
    ... <input type=date name=day min="2000-01-01"><input type=date name=day_to></form>''')
    >>> found = fields_in(form, "q")
    >>> found["kind"].values, found["day"].parameter_to, found["day"].low
    (['book', 'map'], 'day_to', '2000-01-01')
    """
    found = {**_lists(form), **_radios(form), **_ranges(form)}
    return {
        name: field
        for name, field in found.items()
        if name != query_field and not _HOW_SHOWN.search(name)
    }


def _lists(form: Any) -> dict[str, FacetField]:
    found = {}
    for select in form.iter("select"):
        options = [(o.get("value", text(o)).strip(), text(o)) for o in select.iter("option")]
        values = _values(options)
        if select.get("name") and values and "multiple" not in select.attrib:
            found[select.get("name")] = FacetField(select.get("name"), values=values)
    return found


def _radios(form: Any) -> dict[str, FacetField]:
    groups: dict[str, list[tuple[str, str]]] = {}
    for radio in form.iter("input"):
        if (radio.get("type") or "").lower() == "radio" and radio.get("name"):
            value = radio.get("value") or ""
            groups.setdefault(radio.get("name"), []).append((value, value))
    fields = {name: _values(options) for name, options in groups.items()}
    return {name: FacetField(name, values=values) for name, values in fields.items() if values}


def _values(options: list[tuple[str, str]]) -> list[str]:
    """Return a list's values; none where nothing stands for any of them."""
    values = list(dict.fromkeys(value for value, said in options if not _is_any(value, said)))
    has_any = len(values) < len({value for value, _ in options})
    return values if has_any and 2 <= len(values) <= MOST_VALUES else []


def _is_any(value: str, said: str) -> bool:
    return not value or bool(_ANY.match(fold(value))) or bool(_ANY.match(fold(said)))


def _ranges(form: Any) -> dict[str, FacetField]:
    inputs = {
        field.get("name"): field
        for field in form.iter("input")
        if (field.get("type") or "").lower() in ("date", "number") and field.get("name")
    }
    found = {}
    for name, field in inputs.items():
        end = next((other for other in _ends(name) if other in inputs and other != name), None)
        bounds = _bounds(name, field, inputs.get(end)) if end else None
        if end and bounds:
            kind = field.get("type").lower()
            low, high = bounds
            found[name] = FacetField(name, kind, low=low, high=high, parameter_to=end)
    return found


def _ends(name: str) -> list[str]:
    """Return the names that the other end of a range may have."""
    names = [f"{name}{mark}{end}" for end in ("to", "end", "max", "until") for mark in "_-."]
    for start, end in zip(_STARTS, _ENDS, strict=True):
        changed = re.sub(rf"(?<![a-zA-Z]){start}(?![a-zA-Z])", end, name, flags=re.IGNORECASE)
        changed = re.sub(rf"(?:^|(?<=_)){start}(?=_|$)", end, changed, flags=re.IGNORECASE)
        names += [changed] if changed != name else []
    return names


def _bounds(name: str, start: Any, end: Any) -> tuple[str, str] | None:
    is_date = start.get("type").lower() == "date"
    wide = _WIDE["date" if is_date else "year"]
    low, high = start.get("min") or end.get("min"), end.get("max") or start.get("max")
    if is_date or re.search(r"year|jahr|ann[eé]e|año|anno|jaar", name, re.IGNORECASE):
        return low or wide[0], high or wide[1]
    return (low, high) if low and high else None


def learn_facets(session: DiscoverySession) -> Asking[None]:
    """Find the form's facets; keep those that change what a search without words finds."""
    if session.ask is None or session.results is None or session.form_guess is None:
        return
    fields = fields_in(session.form_guess.element, session.form_guess.field)
    if not fields or session.left < 2:
        return
    whole = yield from session.ask_for(Query(()))
    keys = session.keys(whole)
    if whole is None or not keys:
        names = ", ".join(fields)
        seen = f"the form has {names}, but a search without words finds nothing"
        session.find("facets", "", "likely", seen)
        return
    found = {}
    for name, field in list(fields.items())[:MOST_FACETS]:
        if session.left < 1:
            break
        limits = _half(name, field)
        part = yield from session.ask_for(Query((), filters=(limits,)), facets={name: field})
        if part is not None and _differs(session, whole, part):
            found[name] = field
            session.find(f"facets.{name}", name, "sure", f"{limits} changes what is found")
    if found:
        dialect = msgspec.structs.replace(session.ask.dialect, all="")
        change_ask(session, dialect=dialect)
        session.facets = found
        seen = f"a search without words has {len(keys)} hits on its first page"
        session.find("ask.dialect.all", '""', "sure", seen)


def _half(name: str, field: FacetField) -> Filter:
    """Return a filter that lets through a part: the first value, or the range's first half."""
    if field.kind == "list":
        return Filter(name, field.values[0])
    facet = Facet(name, field.kind, (), field.low, field.high)
    middle = (facet.place(field.low) + facet.place(field.high)) // 2
    return Filter(name, field.low, facet.value(middle))


def _differs(session: DiscoverySession, whole: ParsedAnswer, part: ParsedAnswer) -> bool:
    """Say whether a part answers otherwise than the whole, and with something readable."""
    one, other = session.read(whole), session.read(part)
    if one is None or other is None:
        return False
    if one.total is not None and other.total is not None:
        return other.total.documents < one.total.documents
    return session.keys(whole) != session.keys(part)
