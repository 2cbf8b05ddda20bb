"""Find fields of a search form that filter its results, and check that they do."""

import msgspec

from longline.discovery.answer import ParsedAnswer
from longline.discovery.dialect.sent_lists import lists_sent
from longline.discovery.document_keys import (
    leave_changing_out_of_keys,
    leave_filters_out_of_keys,
)
from longline.discovery.hopeless import BY_FIELDS, NO_BOX, HopelessError
from longline.discovery.reading import fields_in, part_of
from longline.discovery.session import Asking, DiscoverySession, change_ask
from longline.model import Filter, Query
from longline.source.spec import Ask, FacetField
from longline.text.numbers import counted

MOST_FACETS = 3
"""Maximum number of facets to try, with one or two requests each."""


def learn_facets(session: DiscoverySession) -> Asking[None]:
    """Find the form's facets; keep those that change the hits of a search without words.

    A list of which each value has documents of its own is needed in each request.

    Raises:
        HopelessError: There is none, and the form takes no words either.
    """
    yield from _limits(session)
    form = None if session.ask is None or session.ask.browser else session.ask.form
    if form is not None and not form.field and not session.facets:
        raise HopelessError(
            f"the form {form.selector!r} on {form.page} {NO_BOX}, and none of its "
            "lists and dates was seen to change what it brings",
            BY_FIELDS,
        )


def _limits(session: DiscoverySession) -> Asking[None]:
    if session.ask is None or session.results is None:
        return
    fields = _offered(session, session.ask)
    needed = session.facets
    fields = {name: field for name, field in fields.items() if name not in needed}
    if not fields:
        return
    # What splits a source saves many times the requests that it costs to find.
    session.max_requests = max(session.max_requests, session.requests + 1 + 2 * MOST_FACETS)
    within, whole = yield from _longest_part(session, needed)
    keys, words = session.keys(whole), ""
    if not keys and session.split_by in fields:
        whole = max(session.probes, key=lambda shown: len(session.keys(shown)))
        words, fields = whole.words, {session.split_by: fields[session.split_by]}
    if whole is None or not (keys or words):
        names = ", ".join(fields)
        seen = f"the form has {names}, but a search without words finds nothing"
        session.find("facets", "", "likely", seen)
        return
    found = dict(needed)
    for name, field in list(fields.items())[:MOST_FACETS]:
        # The first part may have the same first hits as the unfiltered search.
        parts: list[ParsedAnswer] = []
        for last in (False, True):
            if name in found:
                break
            limits = part_of(name, field, last=last)
            query = Query((words,) if words else (), filters=(*within, limits))
            part = yield from session.ask_for(query, words, facets=needed | {name: field})
            if part is None:
                continue
            leave_filters_out_of_keys(session, whole, part)
            leave_changing_out_of_keys(session, [whole, part])
            parts.append(part)
            # A range of which no half has hits may be refused.
            is_read = field.kind == "list" or any(map(session.keys, parts))
            differ = (_differs(session, whole, p, is_required=field.required) for p in parts)
            if is_read and any(differ):
                found[name] = field
                session.find(f"facets.{name}", name, "sure", f"{limits} changes what is found")
    session.facets = found
    if session.split_by in found:
        session.findings.pop("ask.setting", None)
    if found and session.ask.takes_words and keys:
        dialect = msgspec.structs.replace(session.ask.dialect, all="")
        change_ask(session, dialect=dialect)
        seen = f"a search without words has {counted(len(keys), 'hit')} on its first page"
        session.find("ask.dialect.all", '""', "sure", seen)


def _offered(session: DiscoverySession, ask: Ask) -> dict[str, FacetField]:
    """Return the fields of the form that may filter, or the lists beside a script's box."""
    if session.form_guess is None:
        drawn = session.typing and session.typing.shown
        return lists_sent(drawn.answer.root.root, ask) if drawn and session.kind == "json" else {}
    form, own = session.form_guess.element, session.form_guess.field
    fields = fields_in(form, own, alone=not ask.takes_words)
    split = fields_in(form, own, alone=True).get(session.split_by)
    if split is None:
        return fields
    fields.pop(session.split_by, None)
    return {session.split_by: msgspec.structs.replace(split, required=True), **fields}


def _longest_part(
    session: DiscoverySession, needed: dict[str, FacetField]
) -> Asking[tuple[tuple[Filter, ...], ParsedAnswer | None]]:
    """Return the answer to no words: of the first or last part, if a facet is needed."""
    longest: tuple[tuple[Filter, ...], ParsedAnswer | None] = (), None
    for last in (False, True) if needed else (False,):
        within = tuple(
            part_of(name, msgspec.structs.replace(field, required=False), last=last)
            for name, field in needed.items()
        )
        shown = yield from session.ask_for(Query((), filters=within), facets=needed)
        if len(session.keys(shown)) >= len(session.keys(longest[1])):
            longest = within, shown
    return longest


def _differs(
    session: DiscoverySession, whole: ParsedAnswer, part: ParsedAnswer, *, is_required: bool
) -> bool:
    """Return whether a filtered answer is readable and differs from the unfiltered one."""
    one, other = session.read(whole), session.read(part)
    if one is None or other is None:
        return False
    if one.total is not None and other.total is not None and not is_required:
        return other.total.documents < one.total.documents
    return session.keys(whole) != session.keys(part)
