"""Sources without words: a form with only lists and dates, or a list that is read page by page.

Options replace words here: pages for different options have different hits, as have the pages of a
list. The empty form, or the page itself, lists everything.
"""

import re
from collections.abc import Set
from typing import Any

import msgspec

from longline.discovery.answer import ParsedAnswer, literal
from longline.discovery.asking.by_index import begin_with_index
from longline.discovery.asking.find_form_page import as_it_is_set
from longline.discovery.asking.write_hits import write_records
from longline.discovery.hopeless import NO_BOX
from longline.discovery.reading import (
    LEAST_SCORE,
    FormGuess,
    fields_in,
    find_records,
    form_selector,
    forms,
    has_state,
    is_forbidden,
    onwards,
    part_of,
)
from longline.discovery.session import Asking, DiscoverySession, change_ask
from longline.discovery.words import nonsense
from longline.model import Filter, Query
from longline.source import parts_of
from longline.source.request import YEARS, by_months
from longline.source.spec import Ask, FacetField, Form

FACETS_TRIED = 3
LISTS_TRIED = 3
YEARS_TRIED = (1, 0, 2, 5, 10)
"""The years to try first, as years before the current one."""

HALVINGS = 6
"""Maximum number of times that a range of dates is halved."""

LEAST_PARTS = 2
"""Minimum number of other lists of an archive by years or months."""

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d")

LEAST_LEFT = 8
"""With this many requests left or fewer, nothing is tried: the later steps need them."""


def begin_without_words(session: DiscoverySession, pages: list[ParsedAnswer]) -> Asking[bool]:
    """Find a list that needs no words, and how to filter it; return whether there is one."""
    for page in pages:
        for element in page.root.iter("form"):
            fields = fields_in(element, "", alone=True)
            if fields and not is_forbidden(element) and session.left > LEAST_LEFT:
                ask = _ask_of(session, page, element)
                if ask is not None and (yield from _try_form(session, page, element, ask, fields)):
                    return True
    if session.left > LEAST_LEFT and (yield from _try_list(session, pages[0])):
        return True
    if (yield from begin_with_index(session, pages[0])):
        return True
    for page in pages[1:LISTS_TRIED]:
        is_list = session.left > LEAST_LEFT and (yield from _try_list(session, page))
        # A document that links to the next one is not a list: its paragraphs have no links.
        if is_list and session.results is not None and session.results.link:
            # The linked list may be one of several.
            change_ask(session, lists="part")
            return True
    for page in pages[1:LISTS_TRIED]:
        if (yield from begin_with_index(session, page)):
            return True
    return False


def tried_without_words(pages: list[ParsedAnswer]) -> list[str]:
    """Return messages about forms that were sent without words and brought no hits."""
    return [
        f"the form {form_selector(page, element)!r} on {page.response.url} {NO_BOX}, "
        f"and nothing came by {', '.join(fields)} alone"
        for page in pages
        for element in page.root.iter("form")
        if (fields := fields_in(element, "", alone=True)) and not is_forbidden(element)
        if not any(guess.element is element for guess in forms(page))
    ]


def _ask_of(session: DiscoverySession, page: ParsedAnswer, element: Any) -> Ask | None:
    """Return how to send a form with its default values; None if it cannot be sent, or may not."""
    is_get = (element.get("method") or "get").strip().upper() == "GET"
    if is_get and not has_state(element):
        return as_it_is_set(page, element)
    if not is_get and not session.allow_post:
        return None
    return Ask(form=Form(page.lasting_url, form_selector(page, element), ""))


def _try_form(
    session: DiscoverySession,
    page: ParsedAnswer,
    element: Any,
    ask: Ask,
    fields: dict[str, FacetField],
) -> Asking[bool]:
    """Learn hits by the options of a form; return whether there are any."""
    session.begin(ask, page=page)
    whole = yield from session.ask_for(Query(()))
    if whole is None:
        return False
    probes = [whole]
    for name, field in list(fields.items())[:FACETS_TRIED]:
        for last in (False, True) if len(probes) < FACETS_TRIED else (False,):
            query = Query((), filters=(part_of(name, field, last=last),))
            shown = yield from session.ask_for(query, facets={name: field})
            probes += [shown] if shown is not None and _is_new(shown, probes) else []
    name = next((name for name, field in fields.items() if field.kind == "list"), "")
    if name:
        query = Query((), filters=(Filter(name, nonsense(session.rng)),))
        nothing = yield from session.ask_for(query, facets={name: fields[name]})
        # A site may ignore a value that it does not know.
        is_empty = nothing is not None and len(nothing.links) < len(whole.links)
        session.empty = [nothing] if nothing is not None and is_empty else []
    is_known = _write(session, probes)
    for way in (_try_choices, _try_halves, _try_periods):
        is_known = is_known or (yield from way(session, whole, fields))
    if not is_known:
        return False
    selector, method = form_selector(page, element), element.get("method") or "get"
    reason = "it has lists and dates, and no box for words"
    session.form_guess = FormGuess(element, "", 0.0, selector, method.upper(), (reason,))
    key, value = ("ask.form", selector) if ask.form else ("ask.url", ask.url)
    session.find(key, value, "sure", f"the form {selector}: {reason}")
    return True


def _try_choices(
    session: DiscoverySession, whole: ParsedAnswer, fields: dict[str, FacetField]
) -> Asking[bool]:
    """Learn hits by the options of a list that must be set; return whether there are any."""
    name = next((name for name, field in fields.items() if field.kind == "list"), "")
    probes: list[ParsedAnswer] = []
    for last in (False, True) if name else ():
        query = Query((), filters=(part_of(name, fields[name], last=last),))
        shown = yield from session.ask_for(query, facets={name: fields[name]})
        is_list = shown is not None and len(shown.links) > len(whole.links)
        probes += [shown] if shown is not None and is_list and _is_new(shown, probes) else []
    session.empty = [whole]
    if not _write(session, probes):
        return False
    _need(session, name, fields[name], "its choices bring hits, and no choice none")
    return True


def _need(session: DiscoverySession, name: str, field: FacetField, seen: str) -> None:
    """Write down the field that every request must set."""
    session.facets = {name: msgspec.structs.replace(field, required=True)}
    session.find(f"facets.{name}", name, "sure", seen)


def _try_halves(
    session: DiscoverySession, whole: ParsedAnswer, fields: dict[str, FacetField]
) -> Asking[bool]:
    """Learn hits by parts of a range of dates that must be set; return whether there are any.

    The half with hits is divided again until both halves have some.
    """
    name = next((name for name, field in fields.items() if field.kind == "date"), "")
    if not name:
        return False
    field = fields[name]
    for _ in range(HALVINGS if session.left > LEAST_LEFT + HALVINGS else 0):
        probes: list[ParsedAnswer] = []
        for last in (False, True):
            query = Query((), filters=(part_of(name, field, last=last),))
            shown = yield from session.ask_for(query, facets={name: field})
            has_hits = shown is not None and len(shown.links) > len(whole.links)
            probes += [shown] if shown is not None and has_hits else []
            if not probes and field is not fields[name]:
                break  # all documents must be in the last half
        if not probes and field is fields[name]:
            return False  # no long range is accepted
        if len(probes) > 1:
            break
        rest = part_of(name, field, last=not probes)
        field = msgspec.structs.replace(field, low=rest.low, high=rest.high)
    else:
        return False
    session.empty = [whole]
    if not _write(session, probes):
        return False
    _need(session, name, fields[name], "its parts bring hits, and no choice none")
    return True


def _try_periods(
    session: DiscoverySession, whole: ParsedAnswer, fields: dict[str, FacetField]
) -> Asking[bool]:
    """Learn hits by single years or months, where no longer range is accepted; return if any."""
    name = next((name for name, field in fields.items() if field.kind == "date"), "")
    now = re.search(r"\b[12]\d{3}\b", whole.response.header("date"))
    if not name or now is None:
        return False
    last, dated = int(now[0]), fields[name]
    first = max(int(dated.low[:4]), last - YEARS)
    years = [f"{year}-01-01..{year}-12-31" for year in range(last + 1, first - 1, -1)]
    yearly = msgspec.structs.replace(dated, kind="list", values=years, low="", high="")
    monthly = by_months(dated, last + 1)
    for field, said, step in ((yearly, "years", 1), (monthly, "months", 12)):
        probes: list[ParsedAnswer] = []
        for back in YEARS_TRIED if session.left > LEAST_LEFT + len(YEARS_TRIED) else ():
            query = Query((), filters=(Filter(name, field.values[step * (back + 1)]),))
            shown = yield from session.ask_for(query, facets={name: field})
            is_list = shown is not None and len(shown.links) > len(whole.links)
            probes += [shown] if shown is not None and is_list and _is_new(shown, probes) else []
        session.empty = [whole]
        if _write(session, probes):
            _need(session, name, field, f"single {said} bring hits, and longer ranges none")
            return True
    return False


def _try_list(session: DiscoverySession, page: ParsedAnswer) -> Asking[bool]:
    """Learn hits from the pages of a list; return whether there are any."""
    url = literal(page.response.url)
    session.begin(Ask(url=url), page=page)
    probes = [page]
    while len(probes) < LISTS_TRIED:
        gone = {each.response.url for each in probes}
        further = onwards(probes[-1], allow_post=session.allow_post)
        clicks = [each for each in further if each.request.url not in gone]
        shown = (yield from session.get_plainly(clicks[0].request)) if clicks else None
        if shown is None or shown.is_data or not _is_new(shown, probes):
            break
        probes.append(shown)
    if len(probes) < 2 or not _write(session, probes):
        return False
    if len({*map(tuple, map(session.keys, session.probes))}) < len(session.probes):
        return False  # a menu, which all pages have
    if not _by_parts(session, page, {each.response.url for each in probes[1:]}):
        seen = f"a list of {len(probes)} pages or more, without a search"
        session.find("ask.url", url, "sure", seen)
    return True


def _by_parts(session: DiscoverySession, page: ParsedAnswer, read: Set[str]) -> bool:
    """Read every list whose URL differs from a page's in one part, if one read before has hits.

    An archive has such a list for each year or month. Return whether there are some.
    """
    own = parts_of(page.response.url)
    lists: dict[str, dict[str, str]] = {}
    for link in page.links:
        parts = parts_of(link.url)
        names = [name for name in parts if parts[name] != own.get(name)]
        if len(names) == 1 and parts.keys() == own.keys() and own[names[0]]:
            lists.setdefault(names[0], {})[link.url] = parts[names[0]]
    for name, found in lists.items():
        begun, part, rest = page.response.url.rpartition(own[name])
        is_dated = all(map(_YEAR.search, (part, *found.values())))
        if len(found) < LEAST_PARTS or not (read & found.keys() and part and is_dated):
            continue
        change_ask(session, url=f"{literal(begun)}{{part}}{literal(rest)}")
        field = FacetField("part", values=list(dict.fromkeys([part, *found.values()])))
        _need(session, "part", field, "the list links to others with such URLs, and one has hits")
        return True
    return False


def _is_new(shown: ParsedAnswer, probes: list[ParsedAnswer]) -> bool:
    return not shown.is_data and all(shown.lines != other.lines for other in probes)


def _write(session: DiscoverySession, probes: list[ParsedAnswer]) -> bool:
    records = find_records(probes, session.empty) if len(probes) > 1 else None
    if records is None or records.score < LEAST_SCORE:
        return False
    session.probes = probes
    write_records(session, records)
    # Pages that a filter leaves empty show nothing about the next page.
    session.probes = [page for page in probes if session.keys(page)]
    return bool(session.probes) and bool(session.keys(probes[0]))
