"""The first steps: the form, the pages for nonsense and for real words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from urllib.parse import quote_plus, urlsplit

import msgspec

from longline.discovery.answer import ParsedAnswer, declared_charset, literal
from longline.discovery.asking.by_meaning import learn_by_meaning
from longline.discovery.asking.find_form_page import (
    action_of,
    forms_to_try,
    pages_with_forms,
    running_text,
)
from longline.discovery.asking.find_listing import find_listing
from longline.discovery.asking.json_address import MARKER, begin_with_data
from longline.discovery.asking.refusals import hopeless, is_asked_by_get, is_refused, refused
from longline.discovery.asking.without_words import begin_without_words, tried_without_words
from longline.discovery.asking.write_hits import write_records
from longline.discovery.findings import Sureness
from longline.discovery.hopeless import WALLS, HopelessError
from longline.discovery.reading import (
    LEAST_SCORE,
    FormGuess,
    Records,
    ask_of,
    asks_for_other,
    find_records,
    forms,
    has_state,
    needed_beside,
    searched_by,
    set_to_widest,
    takes_names,
)
from longline.discovery.session import Asking, DiscoverySession
from longline.discovery.words import first_words, language_of, telling, terms
from longline.errors import PageError
from longline.model import Request
from longline.source import form_charset, submit
from longline.source.spec import Ask, Form
from longline.source.trust import ending_of_page
from longline.text.numbers import counted

FORMS_TRIED = 3
PROBES = 3
FIRST_TRIES = 10
LATER_TRIES = 5
BY_GET_TRIES = SET_TRIES = 4
MORE_TRIES = 6
"""Further words where a site reads them, and knows none of the first ones."""

UNCHANGED = 3
"""After so many words that change nothing on a page, a script has to be needed."""

WORDS_NAMED = 3


def begin(session: DiscoverySession) -> Asking[None]:
    """Find the search form and the hits it brings, where no script is needed for them.

    Raises:
        HopelessError: There is no form to try, or none that brings hits.
    """
    start = yield from session.get(Request(session.url))
    if start is None:
        raise HopelessError(
            f"the page {session.url} cannot be read: {session.reason}",
            "give the address of the page with the search box",
        )
    if start.is_data:
        yield from begin_with_data(session, start)
        return
    pages = yield from pages_with_forms(session, start)
    session.visited = pages
    tried = [*refused(session, pages)]
    if (yield from _try_forms(session, pages, start, tried)):
        return
    failed = {action_of(page, guess) for page in pages for guess in forms(page)}
    cost = session.requests
    further = (yield from pages_with_forms(session, start, frozenset(failed))) if failed else []
    if any(action_of(page, guess) not in failed for page in further for guess in forms(page)):
        # What the first form cost for nothing is not taken from what the other one needs.
        session.max_requests += min(cost, session.max_requests // 2)
        session.visited = pages = [*pages, *further]
        tried += refused(session, further)
        if (yield from _try_forms(session, further, start, tried, failed)):
            return
    if (yield from begin_without_words(session, [*pages, *session.listings])):
        return
    raise hopeless(session, pages, [*tried, *tried_without_words(pages)])


def _try_forms(
    session: DiscoverySession,
    pages: list[ParsedAnswer],
    start: ParsedAnswer,
    tried: list[str],
    failed: Collection[str] = (),
) -> Asking[bool]:
    """Learn hits through a form of some pages; say whether one brings any, and add what failed."""
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
        outcome = yield from _try_form(session, page, guess, tries)
        if not outcome:
            return True
        form = f"the form {guess.selector!r} on {page.response.url}"
        if is_asked_by_get(session, guess):
            form += " is sent by POST; asked by GET"
        tried.append(f"{form}: {outcome}")
    return False


def _try_form(
    session: DiscoverySession, page: ParsedAnswer, guess: FormGuess, tries: int
) -> Asking[str]:
    """Learn hits through a form; return why that failed, "" where it did not."""
    if needed := needed_beside(guess):
        return f"it needs all of {', '.join([guess.field, *needed])}, and words fill one"
    try:
        ask = _ask_of(session, page, guess)
    except PageError as error:
        return error.message
    widest = set_to_widest(ask, guess.element, guess.field)
    few = tries if widest is None else SET_TRIES
    outcome = yield from try_ask(session, page, ask, few, guess=guess)
    if outcome and widest is not None:
        outcome = yield from try_ask(session, page, widest, tries, guess=guess)
    if not outcome:
        if session.ask is not None and session.ask.url in {
            each.url for each in (ask, widest) if each
        }:
            _notice_state(session, guess)
        _write_form(session, guess)
    return outcome


def try_ask(
    session: DiscoverySession,
    page: ParsedAnswer,
    ask: Ask,
    tries: int,
    *,
    guess: FormGuess | None = None,
    known: Sequence[ParsedAnswer] = (),
) -> Asking[str]:
    """Learn hits by a way to ask; return why that failed, "" where it did not.

    Args:
        session: What is known.
        page: That the way was found on.
        ask: The way.
        tries: Words to ask for at most.
        guess: The form, where the way is one.
        known: Answers that came by this way already.
    """
    session.form_page, session.probes = page, []
    session.asked = {shown.words: shown for shown in known}
    session.form_guess, session.ask, session.kind, session.results = guess, ask, "html", None
    yield from session.search_nonsense()
    if guess is not None:
        _notice_redirects(session)
    words = _words_to_try(session, page, guess)
    is_nearest = yield from learn_by_meaning(
        session, words, lambda seen: find_records(seen, [page]), write_records
    )
    if is_nearest:
        return ""
    backdrop = session.empty or [page]
    given = [shown.words for shown in known]
    answered = yield from _probe(session, backdrop, page, tries, given, words)
    records = _records(session, backdrop)
    if session.probes and records is None and not session.listings:
        listed = yield from _shown_for_nothing(session, page)
        # Words that bring a hit or two show no list: others may bring more.
        before, session.probes = session.probes, []
        further = listed or words
        answered += yield from _probe(session, backdrop, page, LATER_TRIES, given, further)
        session.probes = session.probes or before
        records = _records(session, backdrop)
    if not session.probes:
        if not answered:
            return f"no answer came ({session.reason})"
        own = ending_of_page(page.response).cause
        walls = {ending_of_page(shown.response).cause for shown in session.empty} - {own}
        if wall := next(filter(None, map(WALLS.get, walls)), ""):
            return wall
        asked = [word for word in session.asked if session.asked[word] not in session.empty][
            :WORDS_NAMED
        ]
        sent = f"{counted(answered, 'word')} ({', '.join(asked)} ...)"
        return f"{sent} brought what nonsense words bring"
    if records is None:
        return "the answers hold nothing that looks like a list of results"
    write_records(session, records)
    session.note_empty_status()
    return ""


def _records(session: DiscoverySession, backdrop: list[ParsedAnswer]) -> Records | None:
    """Return the hits of what words brought; None where nothing looks like any."""
    records = find_records(session.probes, backdrop) if session.probes else None
    return None if records is None or records.score < LEAST_SCORE else records


def _ask_of(session: DiscoverySession, page: ParsedAnswer, guess: FormGuess) -> Ask:
    """Turn a form into a way to ask: a URL where that says it all, else the form itself."""
    charset = form_charset(guess.element) or declared_charset(page)
    by_get = is_asked_by_get(session, guess)
    if by_get or (guess.method == "GET" and not has_state(guess.element)):
        request = submit(guess.element, page.answer, data={guess.field: MARKER})
        url = request.url
        if by_get:
            url += f"{'&' if '?' in url else '?'}{request.body.decode('latin-1')}"
        named = f"{quote_plus(guess.field)}={MARKER}"
        if named in url:
            url = literal(url)
            return Ask(url=url.replace(MARKER, "{query}"), charset=charset)
    return Ask(form=Form(page.response.url, guess.selector, guess.field), charset=charset)


def _notice_redirects(session: DiscoverySession) -> None:
    """Ask straight for where the form's own address leads each time: a parameter, or a path.

    A form by POST that leads to such an address is asked by that, which changes nothing.
    """
    assert session.ask is not None
    if len(session.empty) < 2:
        return
    led = {_led_to(shown) for shown in session.empty}
    url = led.pop()
    if url and not led:
        session.ask = Ask(url=url, charset=session.ask.charset)


def _led_to(shown: ParsedAnswer) -> str:
    """Return the address that a search was led to on its site, with a place for words, or ""."""
    asked, came = shown.request.url, shown.response.url
    if asked == came or shown.response.requests < 2 or urlsplit(asked)[:2] != urlsplit(came)[:2]:
        return ""
    way = ask_of(Request(came), shown.words)
    return "" if way is None or "{query}" in urlsplit(way.url).fragment else way.url


def _notice_state(session: DiscoverySession, guess: FormGuess) -> None:
    """Ask through the form where its hidden fields are not the same on the next page."""
    assert session.ask is not None
    assert session.form_page is not None
    if session.ask.form is not None:
        return
    for shown in session.probes:
        for form in forms(shown):
            if form.field == guess.field and form.selector == guess.selector:
                try:
                    again = _ask_of(session, shown, form)
                except PageError:
                    return
                if again.form is not None:
                    form_ = Form(session.form_page.response.url, guess.selector, guess.field)
                    session.ask = msgspec.structs.replace(session.ask, url="", form=form_)
                return


def _write_form(session: DiscoverySession, guess: FormGuess) -> None:
    assert session.ask is not None
    why = ", ".join(guess.reasons) or "the only form"
    name = "ask.form" if session.ask.form else "ask.url"
    sure: Sureness = "sure" if guess.score >= 3 and len(session.probes) >= PROBES else "likely"
    value = session.ask.url or guess.selector
    by_get = "; it is sent by POST, but answers GET" if is_asked_by_get(session, guess) else ""
    session.find(
        name, value, sure, f"the form {guess.selector} has {why}; {session.brought}{by_get}"
    )
    if session.ask.charset != "utf-8":
        session.find(
            "ask.charset", session.ask.charset, "likely", "the form's page is written in it"
        )


# Real words.


def _probe(
    session: DiscoverySession,
    backdrop: list[ParsedAnswer],
    page: ParsedAnswer,
    tries: int,
    known: Sequence[str],
    words: Sequence[str],
) -> Asking[int]:
    """Ask for words until three bring what nonsense does not; return how many were answered.

    Where a browser can be asked, pages that do not change with the words at all are few.
    """
    own_links = {link.url for shown in backdrop for link in shown.links}
    links_by_chance, lines_by_chance = _chance(backdrop)
    brought: list[set[str]] = []
    answered = unchanged = 0
    shown_words: list[str] = []
    queue = [*known, *words]
    # A page that says otherwise for nonsense reads the words itself, without a script.
    reads = any(shown.beyond([page]) for shown in session.empty)
    # A page may list what was asked before.
    asked_before = {shown.words for shown in session.empty}
    for tried in range(tries + MORE_TRIES * reads):
        if unchanged == UNCHANGED and not shown_words and not session.probes:
            shown_words = yield from _shown_for_nothing(session, page)
            queue = [*shown_words, *queue]
        if session.may_browse and unchanged >= UNCHANGED and not (reads or shown_words):
            break
        if tried >= tries and session.probes:
            break
        word = next((word for word in queue if word in known or not _is_like(word, session)), None)
        if word is None or len(session.probes) >= PROBES:
            break
        queue.remove(word)
        shown = yield from session.search(word)
        if shown is None:
            continue
        answered += 1
        searched = searched_by([shown])
        links = {link.url for link in shown.links} - own_links
        links = {url for url in links if not asks_for_other(url, searched)}
        lines = shown.beyond(backdrop) - asked_before
        asked_before |= {word}
        unchanged += not links and not lines
        is_same = len(links) < 2 + links_by_chance and len(lines) < 3 + lines_by_chance
        if _is_elsewhere(shown, session.empty) or is_same:
            continue
        hits = {url for url in links if "{Q}" not in url}
        # Links that name hits by their place are the same for any words, but say something else.
        named = {f"{link.url} {link.text}" for link in shown.links if link.url in hits}
        shows = named if len(hits) >= 3 else lines
        if any(len(shows & other) > 0.8 * max(len(shows), len(other)) for other in brought):
            continue
        brought.append(shows)
        session.probes.append(shown)
        if len(session.probes) == 1 and not session.words:
            queue = [*_better_words(links, lines, shown), *queue]
    return answered


def _shown_for_nothing(session: DiscoverySession, page: ParsedAnswer) -> Asking[list[str]]:
    """Return words of what a site lists where nothing is asked for, or nothing found.

    A site that searches few words of its documents, their titles alone perhaps, knows these.
    """
    own_links = {link.url for link in page.links}

    def listed(shown: ParsedAnswer) -> list[str]:
        return [link.text for link in shown.links if link.url not in own_links]

    listing = yield from find_listing(session, listed)
    said = [] if listing is None else listed(listing)
    return list(dict.fromkeys([*telling(said, len(said)), *terms(" ".join(said), shortest=4)]))


def _words_to_try(
    session: DiscoverySession, page: ParsedAnswer, guess: FormGuess | None
) -> list[str]:
    said = " ".join(map(running_text, dict.fromkeys([*session.visited, page])))
    said = said or page.answer.visible()
    language = language_of(said, page.root.get("lang") or "", page.answer.charset)
    of_people = guess is not None and takes_names(guess)
    return first_words(said, language, session.words, of_people=of_people)


def _chance(backdrop: Sequence[ParsedAnswer]) -> tuple[int, int]:
    """Return how many links and lines one answer to nonsense has that another lacks.

    Advertisements, or what others read, differ from page to page whatever is asked for.
    """
    pairs = [(one, other) for one in backdrop for other in backdrop if one is not other]
    links = [{link.url for link in a.links} - {link.url for link in b.links} for a, b in pairs]
    lines = [a.lines - b.lines for a, b in pairs]
    return max(map(len, links), default=0), max(map(len, lines), default=0)


def _is_like(word: str, session: DiscoverySession) -> bool:
    """Say whether a word was asked for, or one that has its stem: they bring the same hits."""
    stems = {shown.words[:5] for shown in session.probes}
    return word in session.asked or word[:5] in stems


def _is_elsewhere(shown: ParsedAnswer, empty: Sequence[ParsedAnswer]) -> bool:
    """Say whether the answer led away, as a query with one hit may lead to its document.

    Where nonsense is led to the same folder, the source keeps what is asked under a name.
    """
    if shown.request.browser is not None and shown.request.browser.box:
        return False
    asked, came = (each.url.partition("?")[0] for each in (shown.request, shown.response))
    kept = {
        each.response.url.partition("?")[0].rpartition("/")[0] for each in empty if _is_led(each)
    }
    is_away = asked.rstrip("/") != came.rstrip("/") and _is_led(shown)
    return is_away and came.rpartition("/")[0] not in kept


def _is_led(shown: ParsedAnswer) -> bool:
    return shown.response.requests > 1


def _better_words(links: set[str], lines: set[str], shown: ParsedAnswer) -> list[str]:
    """Return words of what the first word brought: not too frequent, but not rare either."""
    said = [link.text for link in shown.links if link.url in links]
    short = [line for line in lines if line and len(line) < 400]
    # A line that holds another is the box around it.
    said += [line for line in short if not any(o in line and o != line for o in short)]
    return telling(said, len(links))
