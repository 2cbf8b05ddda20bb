"""Find default settings of a form that leave documents out."""

import re

import msgspec

from longline.discovery.answer import ParsedAnswer
from longline.discovery.answer_pages import said_total
from longline.discovery.dialect.candidates import candidates, ticked_beside
from longline.discovery.dialect.operator_setting import with_setting
from longline.discovery.document_keys import leave_changing_out_of_keys
from longline.discovery.reading import dates_set, fields_in
from longline.discovery.session import Asking, DiscoverySession, change_ask
from longline.discovery.words import shares, terms
from longline.model import Filter, Query
from longline.source import without_parts
from longline.source.request import by_months
from longline.source.spec import Ask

SETTINGS_TRIED = 6
"""Maximum number of settings to try."""

_PART = "only what is found as the form is set would be saved: harvest each setting by itself"

WORDS = 3
"""How many words of a document are queried to find it again."""

SAID = 0.8
"""A page with more than this share of a hit's other words is its document's page."""

ASKED_AGAIN = 5
"""How many words are queried again once more documents are searched: those with the most hits."""

LONG_YEARS = 5
"""A form that is set to so many years may well be set to all."""

MONTHS_BACK = (24, 36)
"""The months to try of a form that is set to a period, before the December of its last year."""

LEAST_LEFT = 12
"""With fewer requests left than this, no setting is tried: paging has to be learnt again."""


def widen(session: DiscoverySession, plain: Ask) -> Asking[bool]:
    """Change form settings that filter by default; return whether any setting finds more.

    "The last 30 days", or one ticked box of three, would leave out documents that no query could
    find. A setting is kept if an earlier query has more hits with it.

    Args:
        session: The session; some of its queries are repeated if a setting is kept.
        plain: How to query, before anything is known about its pages.
    """
    of_forms, offered, counted = yield from candidates(session, plain)
    counts = session.results is not None and session.results.total
    by_total = sorted(session.probes, key=lambda each: said_total(session, each))
    # Without totals, additional hits are visible only on a page that is not full.
    ended = [each for each in by_total if (read := session.read(each)) and read.next is None]
    # A word found only in titles does not show what else is searched; the rarest word may.
    pages = [(by_total if counts else ended or by_total[:1])[-1], by_total[0]]
    widest, kept = plain, set[str]()
    brings_none = dict[str, bool]()
    others_of: dict[str, tuple[tuple[str, ...], str, ParsedAnswer | None, set[str]]] = {}
    told = [*of_forms, *offered]
    # Without a total, nothing says that a link counts more.
    tried = list(dict.fromkeys([*told, *(counted if counts else ())]))[:SETTINGS_TRIED]
    if tried:  # what stays hidden is not told by anything else
        least = session.requests + LEAST_LEFT + len(tried)
        session.max_requests = max(session.max_requests, least)
    for name, values in tried:
        if name in kept or session.left < LEAST_LEFT:
            continue
        with session.trying("ask") as keep:
            session.ask = with_setting(widest, name, *values)
            for other, value in ticked_beside(session, plain, name):
                session.ask = with_setting(session.ask, other, value)
            page, shown = yield from _answered(session, pages)
            leave_changing_out_of_keys(session, [page, *([] if shown is None else [shown])])
            # Links of hits may repeat all that was asked.
            own, others = (
                {without_parts(key, [name]): key for key in session.keys(each)}
                for each in (page, shown)
            )
            brings_none[name] = brings_none.get(name, True) and not others
            is_wider = shown is not None and _is_wider(session, page, shown)
            # Full pages without totals show only that a link that offers more brings others, too.
            shared, fresh = own.keys() & others, {others[key] for key in others.keys() - own}
            is_wider |= not counts and (name, values) in offered and bool(fresh)
            if is_wider and (shared or (yield from _finds(session, page, {*own.values()}))):
                assert shown is not None
                numbers = [said_total(session, each) for each in (page, shown)]
                seen = f"{page.words!r} brings {numbers[0]} as the form is set, so {numbers[1]}"
                session.find(f"ask.{name}", ", ".join(values) or "none", "sure", seen)
                widest, pages = session.ask, [shown]
                kept.add(name)
                keep()
                continue
        if fresh and (name, values) in told:  # other links that count may lead to other databases
            others_of[name] = values, page.words, shown, fresh
    if kept:
        by_total.sort(key=lambda each: -said_total(session, each))
        session.asked, session.probes = {}, []
        for word in [each.words for each in by_total[:ASKED_AGAIN]]:
            again = yield from session.search(word)
            session.probes += [again] if again is not None and session.keys(again) else []
        session.probes = session.probes or pages  # where no search is answered again
    for name, brought in others_of.items():
        if name not in kept:  # another setting may have brought them since
            yield from _doubt(session, name, *brought)
    refused = [name for name, is_refused in brings_none.items() if is_refused]
    yield from _try_months(session, refused)
    return bool(kept)


def _try_months(session: DiscoverySession, refused: list[str]) -> Asking[None]:
    """Divide a form by months if it is set to a period and takes no wider one, or name that."""
    form = session.form_guess
    dates = {} if form is None else dates_set(form.element)
    years = [int(year) for year in re.findall(r"\b[12]\d{3}\b", " ".join(dates.values()))]
    is_short = bool(years) and max(years) - min(years) < LONG_YEARS
    if form is None or session.ask is None or not (is_short and dates.keys() & refused):
        return
    ranges = fields_in(form.element, form.field, alone=True)
    name = next((name for name in dates if name in ranges and ranges[name].kind == "date"), "")
    if name and session.left >= LEAST_LEFT:
        months = by_months(ranges[name], max(years))
        known = session.keys((yield from session.ask_for(Query(()))))
        for back in MONTHS_BACK if known else ():
            query = Query((), filters=(Filter(name, months.values[back]),))
            shown = yield from session.ask_for(query, facets={name: months})
            if set(session.keys(shown)) - set(known):
                session.facets = {name: months}
                change_ask(session, dialect=msgspec.structs.replace(session.ask.dialect, all=""))
                seen = "the form is set to a period, and other months bring others without words"
                session.find(f"facets.{name}", name, "sure", seen)
                return
    said = ", ".join(f"{name} = {value}" for name, value in dates.items())
    seen = f"the form is set to a period ({said}), and a wider one brings nothing"
    session.find("ask.setting", "as the form is set", "guess", seen, _PART)


def _doubt(
    session: DiscoverySession,
    name: str,
    values: tuple[str, ...],
    words: str,
    shown: ParsedAnswer | None,
    fresh: set[str],
) -> Asking[None]:
    """Note that a setting brings documents that are not found without it, if so."""
    assert session.ask is not None
    if (yield from _only_sorts(session, with_setting(session.ask, name, *values))):
        return
    if not (yield from _finds(session, shown, fresh)):
        seen = f"with {name} = {', '.join(values)}, {words!r} brings documents that the "
        seen += "form's own setting does not find, and no setting brings all"
        session.find("ask.setting", "as the form is set", "guess", seen, _PART)
        session.split_by = name


def _answered(
    session: DiscoverySession, pages: list[ParsedAnswer]
) -> Asking[tuple[ParsedAnswer, ParsedAnswer | None]]:
    """Repeat queries with the current setting until one has other hits, or another total."""
    for page in dict.fromkeys(pages):
        shown = yield from session.ask_for(Query((page.words,)), page.words)
        if session.keys(shown) != session.keys(page):
            break
        if shown is not None and said_total(session, shown) != said_total(session, page):
            break
    return page, shown


def _finds(session: DiscoverySession, page: ParsedAnswer | None, keys: set[str]) -> Asking[bool]:
    """Return whether one of a page's documents is found again, by its first or its rarest words.

    A search with a single hit may lead to the document's own page. If further pages follow, the
    document may be there, and more words are tried.
    """
    read = session.read(page)
    hits = [hit for hit in (read.hits if read else ()) if hit.key in keys]
    if not hits:
        return False
    hit = min(hits, key=lambda each: -len(session.texts.get(each.key, "")))
    text, held = session.texts.get(hit.key, ""), shares(session.texts.values())
    own = dict.fromkeys(terms(text, shortest=4))
    rarest = sorted(own, key=lambda each: (held.get(each, 0.0), -len(each)))
    for chosen in ([*own][:WORDS], rarest[:WORDS], rarest[: 2 * WORDS]):
        words = " ".join(chosen)
        shown = yield from session.ask_for(Query((words,)), words)
        if shown is None:
            return False
        if shown.response.url == hit.url or hit.key in session.keys(shown):
            return True
        # The document's page, at an address of this search only, contains the words of the hit.
        others, said = set(terms(text)) - set(chosen), set(terms(shown.answer.visible()))
        if others and not session.keys(shown) and len(others & said) > SAID * len(others):
            return True
        if len(session.keys(shown)) >= said_total(session, shown):
            return False
    return False


def _only_sorts(session: DiscoverySession, changed: Ask) -> Asking[bool]:
    """Return whether a setting changes only the order: a complete answer has the same hits."""
    keys = {page.words: set(session.keys(page)) for page in session.probes}
    totals = {page.words: said_total(session, page) for page in session.probes}
    words = next((each for each in keys if 1 < len(keys[each]) == totals[each]), "")
    if not words or session.results is None or not session.results.total:
        return False
    with session.trying("ask"):
        session.ask = changed
        shown = yield from session.ask_for(Query((words,)), words)
    return set(session.keys(shown)) == keys[words]


def _is_wider(session: DiscoverySession, page: ParsedAnswer, other: ParsedAnswer) -> bool:
    """Return whether an answer has a larger total than another, or the same and further hits."""
    before, after = (said_total(session, each) for each in (page, other))
    keys, more = set(session.keys(page)), set(session.keys(other))
    return after > before or (after == before and keys < more)
