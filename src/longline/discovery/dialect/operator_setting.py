"""Find a setting of the form that turns on operators, such as "Match: all, any, boolean"."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from longline.discovery.answer import text
from longline.discovery.answer_pages import RESERVE, PagingState, with_parameter
from longline.discovery.dialect.word_pairs import Answer, answer, more_pages
from longline.discovery.session import Asking, DiscoverySession, change_dialect
from longline.source.spec import Ask

_OPERATORS = re.compile(
    r"bool|expert|advanced|erweitert|avanc[eé]|avanzad|avanzat|avançad|logi[ckqsz]|l[oó]gic|operator"
    r"|op[eé]rateur|syntax|command|kommando|befehl",
    re.IGNORECASE,
)
NOTS = ("AND NOT {term}", "NOT {term}", "not {term}")
ANDS = (" ", " AND ", " and ")
SWITCHES_TRIED = 2


def learn_not_by_switch(
    session: DiscoverySession, pages: PagingState, a: Answer, b: str, holding: frozenset[str]
) -> Asking[bool]:
    """Look for a form setting with which NOT works; return whether there is one.

    Args:
        session: The session; the setting is kept only if it helps.
        pages: What is known about result pages.
        a: A word with all its hits listed.
        b: A word that is in some of these hits.
        holding: The hits that contain b.
    """
    plain = session.ask
    assert plain is not None
    for name, value in list(switches(session.form_guess.element if session.form_guess else None))[
        :SWITCHES_TRIED
    ]:
        with session.trying("ask", "asked") as keep:
            session.ask = with_setting(plain, name, value)
            # Operators do not affect answers to one word, but may affect those to several.
            session.asked = {
                words: page for words, page in session.asked.items() if " " not in words
            }
            not_ = yield from _first(session, pages, a, b, NOTS, a.keys - holding)
            and_ = (yield from _first(session, pages, a, b, ANDS, holding)) if not_ else ""
            if not and_:
                continue
            keep()
        if pages.numbered is not None:
            pages.numbered = with_setting(pages.numbered, name, value)
        change_dialect(session, not_=not_, and_=and_)
        evidence = (
            f"with {name} = {value}, {a.words!r} without {b!r} brings the "
            f"{len(a.keys - holding)} hits of {len(a.keys)} that do not hold it"
        )
        key = "ask.form.fields" if plain.form else "ask.url"
        for finding, found in (("ask.dialect.not", not_), (key, f"{name} = {value}")):
            session.find(finding, found, "sure", evidence)
        return True
    return False


def switches(form: Any) -> Iterator[tuple[str, str]]:
    """Yield settings, name and value, that may turn on operators.

    >>> from lxml.html import fromstring
    >>> list(switches(fromstring('''<form><select name=method><option value=all>All
    ... <option value=bool>Boolean</select><input type=radio name=mode value=expert></form>''')))
    [('method', 'bool'), ('mode', 'expert')]
    """
    for select in [] if form is None else form.iter("select"):
        for option in select.iter("option"):
            value = option.get("value", text(option)).strip()
            if select.get("name") and _OPERATORS.search(f"{value} {text(option)}"):
                yield select.get("name"), value
    for radio in [] if form is None else form.iter("input"):
        is_radio = (radio.get("type") or "").lower() == "radio"
        value = radio.get("value") or ""
        if is_radio and radio.get("name") and _OPERATORS.search(value):
            yield radio.get("name"), value


def with_setting(ask: Ask, name: str, *values: str) -> Ask:
    """Return how to query with a field of the form changed; a form takes one value per field."""
    if ask.form is not None:
        form = msgspec.structs.replace(ask.form, fields={**ask.form.fields, name: values[0]})
        return msgspec.structs.replace(ask, form=form)
    return msgspec.structs.replace(ask, url=with_parameter(ask.url, name, *values))


def _first(
    session: DiscoverySession,
    pages: PagingState,
    a: Answer,
    b: str,
    ways: tuple[str, ...],
    wanted: frozenset[str],
) -> Asking[str]:
    """Return the first way to combine a with b that returns the wanted hits, or "" if none does."""
    for way in ways:
        if session.left <= RESERVE:
            return ""
        template = f" {way}" if "{term}" in way else f"{way}{{term}}"
        typed = a.words + template.replace("{term}", b)
        got = yield from answer(session, pages, typed, more_pages(pages))
        if got is not None and got.keys == wanted:
            return way
    return ""
