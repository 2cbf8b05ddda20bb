"""Find the form and query nonsense and real words; where no form works, find a list."""

import re
from collections.abc import Collection, Sequence
from urllib.parse import quote_plus

from longline.discovery.answer import ParsedAnswer, by_get, declared_charset, literal
from longline.discovery.answer_pages import with_parameter
from longline.discovery.asking.by_meaning import learn_by_meaning
from longline.discovery.asking.find_form_page import (
    asked_by_path,
    forms_to_try,
    pages_behind_choices,
    pages_with_forms,
    searches_linked,
)
from longline.discovery.asking.find_listing import note_empty_status, search_nonsense
from longline.discovery.asking.json_address import MARKER, begin_with_data
from longline.discovery.asking.real_words import PROBES, probe, shown_for_nothing, words_to_try
from longline.discovery.asking.redirects import leave_session_out, notice_redirects
from longline.discovery.asking.refusals import (
    hopeless,
    is_asked_by_get,
    is_refused,
    refused,
    unread,
)
from longline.discovery.asking.without_words import begin_without_words, tried_without_words
from longline.discovery.asking.write_hits import write_records
from longline.discovery.findings import Sureness
from longline.discovery.hopeless import (
    NEEDS_ALL,
    NO_ANSWER,
    NO_LIST,
    NOTHING_NEW,
    SENT_BY_POST,
    WALLS,
)
from longline.discovery.reading import (
    LEAST_SCORE,
    FormGuess,
    Records,
    action_of,
    ask_of,
    find_records,
    forms,
    has_state,
    in_full_texts,
    needed_beside,
    says_search,
    set_to_widest,
    with_choice,
)
from longline.discovery.session import Asking, DiscoverySession
from longline.discovery.words import nonsense
from longline.errors import PageError
from longline.model import Request
from longline.source import absolute_urls, form_charset, submit
from longline.source.spec import Ask, Form
from longline.source.trust import ending_of_page
from longline.text.numbers import counted

FORMS_TRIED = 3
FIRST_TRIES = 10
LISTED = 5
"""An answer with at least this many links is a list, and not a single document."""

NAMES_TRIED = 2
_BOXES = "//input[not(ancestor::form)][@type='search' or @type='text' or not(@type)]"
_NAME = re.compile(r"[A-Za-z][\w-]{0,20}")
LATER_TRIES = 5
BY_GET_TRIES = SET_TRIES = 4
WORDS_NAMED = 3
_FRAMES = "//frame/@src | //iframe/@src"
SEARCHES = 1
"""A form with at least this score is taken for a search, even beside a list without words."""


def begin_by_form(session: DiscoverySession) -> Asking[list[str] | None]:
    """Find the search form and its hits; return what brought none, or None if one does.

    Raises:
        HopelessError: The first page cannot be read, or is data without a search.
        DrawnError: A browser shows hits that a form's plain answers lack.
    """
    start = yield from session.get(Request(session.url))
    if start is None:
        raise unread(session)
    if start.is_data:
        yield from begin_with_data(session, start)
        return None
    pages = yield from pages_with_forms(session, start)
    session.visited = pages
    tried = [*refused(session, pages)]
    if (yield from _try_forms(session, pages, start, tried)):
        return None
    for ask in asked_by_path(start):
        outcome = yield from try_ask(session, start, ask, FIRST_TRIES)
        if not outcome:
            seen = f"the words of the given address; {session.brought}"
            session.find("ask.url", ask.url, "sure", seen)
            return None
        tried.append(f"{ask.url}: {outcome}")
    chosen = yield from pages_behind_choices(session, pages, tried)
    if (yield from _try_forms(session, chosen, start, tried, is_chosen=True)):
        return None
    failed = {action_of(page, guess) for page in pages for guess in forms(page)}
    cost = session.requests
    further = (yield from pages_with_forms(session, start, frozenset(failed))) if failed else []
    if any(action_of(page, guess) not in failed for page in further for guess in forms(page)):
        # Requests that the first form wasted do not reduce the budget of the other one.
        session.max_requests += min(cost, session.max_requests // 2)
        session.visited = pages = [*pages, *further]
        tried += refused(session, further)
        if (yield from _try_forms(session, further, start, tried, failed)):
            return None
    for page in pages:
        for ask in searches_linked(page)[:NAMES_TRIED]:
            outcome = yield from try_ask(session, page, ask, FIRST_TRIES)
            if not outcome:
                seen = f"links of {page.response.url} are searches; {session.brought}"
                session.find("ask.url", ask.url, "sure", seen)
                return None
            tried.append(f"{ask.url}: {outcome}")
    if not any(map(forms, pages)) and (yield from _by_box(session, start, tried)):
        return None
    return tried


def _by_box(session: DiscoverySession, page: ParsedAnswer, tried: list[str]) -> Asking[bool]:
    """Learn hits through a box without a form whose words stand in the address of its page.

    Scripts bind a box to a parameter that servers read, as in Livewire: one request shows it.
    """
    box = next(
        (box for box in page.root.xpath(_BOXES) if says_search(" ".join(box.values()))), None
    )
    held = {} if box is None else dict(box.attrib)
    bound = (held[name] for name in held if name in ("name", "id") or "model" in name)
    for name in [name for name in dict.fromkeys(bound) if _NAME.fullmatch(name)][:NAMES_TRIED]:
        url = with_parameter(literal(page.response.url.partition("#")[0]), name, "{query}")
        word = nonsense(session.rng)
        shown = yield from session.get(Request(with_parameter(page.response.url, name, word)), word)
        if shown is None or shown.is_data:
            continue
        if len(page.lines - shown.lines) == len(shown.lines - page.lines) <= 1:
            continue  # nothing changed, or the time
        outcome = yield from try_ask(session, page, Ask(url=url), FIRST_TRIES)
        if not outcome:
            seen = f"a box without a form is bound to {name!r}; {session.brought}"
            session.find("ask.url", url, "likely", seen)
            return True
        tried.append(f"{url}: {outcome}")
    return False


def begin_by_list(session: DiscoverySession, tried: Sequence[str]) -> Asking[None]:
    """Find a list that needs no words.

    Args:
        session: The session.
        tried: The searches that brought no hits, with reasons.

    Raises:
        HopelessError: There is no list, or a form that may search other documents.
    """
    pages = session.visited
    listed = [*session.other_listings, *session.listings]
    if (yield from begin_without_words(session, [*pages, *listed])):
        if _leaves_alone(session, pages) and session.findings["results.hit"].warning:
            raise hopeless(session, pages, tried)  # the form may search other documents
        return
    raise hopeless(session, pages, [*tried, *tried_without_words(pages)])


def _leaves_alone(session: DiscoverySession, pages: list[ParsedAnswer]) -> bool:
    """Return whether a form that may search is beside a list; if so, write a warning."""
    posted = [
        f"the form {guess.selector!r} on {page.response.url}"
        for page in pages
        for guess in forms(page)
        if guess.score >= SEARCHES and guess.method == "POST" and not session.allow_post
    ]
    if posted:
        warning = f"{posted[0]} is sent by POST; if it only searches, let it be sent by --post"
        session.find("ask.words", "none", "sure", "a list is read without words", warning)
    return bool(posted)


def _try_forms(
    session: DiscoverySession,
    pages: list[ParsedAnswer],
    start: ParsedAnswer,
    tried: list[str],
    failed: Collection[str] = (),
    *,
    is_chosen: bool = False,
) -> Asking[bool]:
    """Learn hits through a form of some pages; return whether one brings any.

    With `is_chosen`, a form is loaded again for each query: a site may store choices per visitor.
    """
    count = 0
    for page, guess in forms_to_try(pages, start):
        if guess.method not in ("GET", "POST") or is_refused(session, guess):
            continue
        if count == FORMS_TRIED:
            break
        if action_of(page, guess) in failed:
            continue
        count += 1
        tries = FIRST_TRIES if count == 1 else LATER_TRIES
        tries = BY_GET_TRIES if is_asked_by_get(session, guess) else tries
        outcome = yield from _try_form(session, page, guess, tries, is_chosen=is_chosen)
        if not outcome:
            return True
        form = f"the form {guess.selector!r} on {page.response.url}"
        if is_asked_by_get(session, guess):
            form += f" is sent {SENT_BY_POST}; asked by GET"
        tried.append(f"{form}: {outcome}")
    return False


def _try_form(
    session: DiscoverySession, page: ParsedAnswer, guess: FormGuess, tries: int, *, is_chosen: bool
) -> Asking[str]:
    """Learn hits through a form; return why that failed, or "" on success."""
    if needed := needed_beside(guess):
        return f"it {NEEDS_ALL} {', '.join([guess.field, *needed])}, and words fill one"
    try:
        ask = _ask_of(session, page, guess, is_chosen=is_chosen)
    except PageError as error:
        return error.message
    ask = in_full_texts(ask, guess.element)
    widest = set_to_widest(ask, guess.element, guess.field)
    chosen = with_choice(ask, guess.element, guess.field)
    few = tries if widest is None and chosen is None else SET_TRIES
    outcome = yield from try_ask(session, page, ask, few, guess=guess)
    if outcome and widest is not None:
        outcome = yield from try_ask(session, page, widest, tries, guess=guess)
    if outcome and (framed := _framed(session)) is not None:
        outcome = yield from try_ask(session, page, framed, tries, guess=guess)
    if outcome and chosen is not None:
        # A form may need a choice, and show nothing but itself without one.
        name, way = chosen
        outcome = yield from try_ask(session, page, way, tries, guess=guess)
        session.split_by = "" if outcome else name
    if outcome:
        session.fruitless.add(ask.url)
        return outcome
    _write_form(session, guess)
    return ""


def try_ask(
    session: DiscoverySession,
    page: ParsedAnswer,
    ask: Ask,
    tries: int,
    *,
    guess: FormGuess | None = None,
    known: Sequence[ParsedAnswer] = (),
) -> Asking[str]:
    """Learn hits by one way to query; return why that failed, or "" on success.

    Args:
        session: The session.
        page: The page on which the way was found.
        ask: The way to query.
        tries: Maximum number of words to query.
        guess: The form, or None if the way is not a form.
        known: Answers already received this way.
    """
    session.begin(ask, page=page)
    session.form_guess = guess
    session.asked = {shown.words: shown for shown in known}
    yield from search_nonsense(session)
    if guess is not None:
        notice_redirects(session)
    words = words_to_try(session, page, guess)
    is_nearest = yield from learn_by_meaning(
        session, words, lambda seen: find_records(seen, [page]), write_records
    )
    if is_nearest:
        return ""
    backdrop = session.empty or [page]
    given = [shown.words for shown in known]
    answered = yield from probe(session, backdrop, page, tries, given, words)
    records = _records(session, backdrop)
    is_alone = records is None or len(session.probes) < 2
    if session.probes and is_alone and not session.listings:
        listed = yield from shown_for_nothing(session, page)
        # Words with one or two hits show no list; other words may bring more.
        before, session.probes = session.probes, [] if records is None else [*session.probes]
        further = listed or words
        answered += yield from probe(session, backdrop, page, LATER_TRIES, given, further)
        session.probes = session.probes or before
        records = _records(session, backdrop)
    if records is not None and not records.link:
        lists = [shown for shown in session.probes if _is_list(shown, backdrop)]
        if 0 < len(lists) < len(session.probes):
            # A word with one hit returned its document, whose lines looked like hits.
            session.probes = lists
            answered += yield from probe(session, backdrop, page, LATER_TRIES, given, words)
            session.probes = [shown for shown in session.probes if _is_list(shown, backdrop)]
            records = _records(session, backdrop)
    if not session.probes:
        if not answered:
            return f"{NO_ANSWER} ({session.reason})"
        own = ending_of_page(page.response).cause
        walls = {ending_of_page(shown.response).cause for shown in session.empty} - {own}
        if wall := next(filter(None, map(WALLS.get, walls)), ""):
            return wall
        asked = [word for word in session.asked if session.asked[word] not in session.empty][
            :WORDS_NAMED
        ]
        sent = f"{counted(answered, 'word')} ({', '.join(asked)} ...)"
        return f"{sent} {NOTHING_NEW}"
    if records is None:
        return NO_LIST
    write_records(session, records)
    note_empty_status(session)
    yield from leave_session_out(session)
    return ""


def _is_list(shown: ParsedAnswer, backdrop: list[ParsedAnswer]) -> bool:
    """Return whether a page has many hits with links, without comparing it with others."""
    found = find_records([shown], backdrop)
    return found is not None and bool(found.link) and len(found.elements[shown]) >= LISTED


def _records(session: DiscoverySession, backdrop: list[ParsedAnswer]) -> Records | None:
    """Return the hits of the queried words, or None if nothing looks like hits."""
    records = find_records(session.probes, backdrop) if session.probes else None
    return None if records is None or records.score < LEAST_SCORE else records


def _ask_of(
    session: DiscoverySession, page: ParsedAnswer, guess: FormGuess, *, is_chosen: bool = False
) -> Ask:
    """Turn a form into a way to query: a URL if that is enough, else the form itself."""
    form = as_form(page, guess)
    is_by_get = is_asked_by_get(session, guess)
    is_plain = guess.method == "GET" and not has_state(guess.element) and not is_chosen
    if is_by_get or is_plain:
        request = submit(guess.element, page.answer, data={guess.field: MARKER})
        url = by_get(request) if is_by_get else request.url
        named = f"{quote_plus(guess.field)}={MARKER}"
        if named in url:
            url = literal(url)
            return Ask(url=url.replace(MARKER, "{query}"), charset=form.charset)
    return form


def as_form(page: ParsedAnswer, guess: FormGuess) -> Ask:
    """Return the way to query by filling in a form of a page, which is fetched each time."""
    charset = form_charset(guess.element) or declared_charset(page)
    return Ask(form=Form(page.lasting_url, guess.selector, guess.field), charset=charset)


def _framed(session: DiscoverySession) -> Ask | None:
    """Return how to query the frame that shows the hits, or None if not all answers have one."""
    ways = [
        {
            way.url: way
            for url in absolute_urls(shown.root.xpath(_FRAMES), shown.answer)
            if (way := ask_of(Request(url), shown.words))
        }
        for shown in session.empty
    ]
    shared = [url for url in (ways[0] if ways else ()) if all(url in way for way in ways)]
    return ways[0][shared[0]] if shared else None


def _write_form(session: DiscoverySession, guess: FormGuess) -> None:
    assert session.ask is not None
    why = ", ".join(guess.reasons) or "the only form"
    name = "ask.form" if session.ask.form else "ask.url"
    sure: Sureness = "sure" if guess.score >= 3 and len(session.probes) >= PROBES else "likely"
    value = session.ask.url or guess.selector
    asked = "; it is sent by POST, but answers GET" if is_asked_by_get(session, guess) else ""
    session.find(
        name, value, sure, f"the form {guess.selector} has {why}; {session.brought}{asked}"
    )
    if session.ask.charset != "utf-8":
        session.find(
            "ask.charset", session.ask.charset, "likely", "the form's page is written in it"
        )
