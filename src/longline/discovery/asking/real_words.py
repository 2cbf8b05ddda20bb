"""Query real words until some bring hits that nonsense words do not."""

from collections.abc import Sequence
from itertools import chain, zip_longest
from urllib.parse import quote, quote_plus

import msgspec

from longline.discovery.answer import ParsedAnswer
from longline.discovery.asking.find_form_page import running_text
from longline.discovery.asking.find_listing import find_listing
from longline.discovery.reading import (
    FormGuess,
    answers_sent,
    asks_for_other,
    searched_by,
    takes_names,
)
from longline.discovery.session import Asking, DiscoverySession
from longline.discovery.words import first_words, language_of, telling, terms
from longline.model import Browsing
from longline.source.spec import Ask

PROBES = 3

MORE_TRIES = 6
"""How many extra words to try if the first find nothing, and words are read or a list is shown."""

FEW_TERMS = 20
"""If the pages on the way to a search have fewer words than these, their titles are read, too."""

UNCHANGED = 3
"""After this many words that change nothing on the page, it probably needs a script."""


class DrawnError(Exception):
    """A form's plain answers lack the hits: in a browser, a script requests them.

    Attributes:
        page: The page with the form.
        ask: How the form is sent.
        shown: An answer as a browser shows it.
    """

    def __init__(self, page: ParsedAnswer, ask: Ask, shown: ParsedAnswer) -> None:
        super().__init__(f"{ask.url} shows no hits without a script")
        self.page, self.ask, self.shown = page, ask, shown


def probe(
    session: DiscoverySession,
    backdrop: list[ParsedAnswer],
    page: ParsedAnswer,
    tries: int,
    known: Sequence[str],
    words: Sequence[str],
) -> Asking[int]:
    """Query words until three bring hits that nonsense does not; return how many were answered.

    Where a browser may be used, stop early if the page never changes with the words.

    Raises:
        DrawnError: A form's answers never change with the words, and a script requests its hits.
    """
    own_links = {link.url for shown in backdrop for link in shown.links}
    links_by_chance, lines_by_chance = _chance(backdrop)
    brought: list[set[str]] = []
    led: dict[str, list[ParsedAnswer]] = {}
    answered = unchanged = 0
    shown: ParsedAnswer | None = None
    shown_words: list[str] = []
    queue = [*known, *words]
    # If the page changes for nonsense words, the site reads the words without a script.
    reads = any(shown.beyond([page]) for shown in session.empty)
    # A page may list earlier queries.
    asked_before = {shown.words for shown in session.empty}
    for tried in range(tries + MORE_TRIES * reads):
        if unchanged == UNCHANGED and not shown_words and not session.probes:
            yield from _see_drawn(session, page, shown)
            shown_words = yield from shown_for_nothing(session, page)
            # The list may hold only menus, in a language other than that of the documents.
            queue = list(filter(None, chain.from_iterable(zip_longest(shown_words, queue))))
        if session.may_browse and unchanged >= UNCHANGED and not (reads or shown_words):
            break
        if tried >= tries and len(session.probes) > 1:
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
        if is_same:
            continue
        if _is_elsewhere(shown, session.empty):
            led.setdefault(shown.response.url.partition("?")[0], []).append(shown)
            continue
        hits = {url for url in links if "{Q}" not in url}
        # Links that name hits by rank have the same addresses for all words, but other texts.
        named = {f"{link.url} {link.text}" for link in shown.links if link.url in hits}
        shows = named if len(hits) >= 3 else lines
        if any(len(shows & other) > 0.8 * max(len(shows), len(other)) for other in brought):
            continue
        brought.append(shows)
        session.probes.append(shown)
        if len(session.probes) == 1 and not session.words:
            queue = [*_better_words(links, lines, shown), *queue]
    if not session.probes:
        # If several words redirect to one address and nonsense does not, it lists the hits.
        most = max(led.values(), key=len, default=[])
        session.probes += most[:PROBES] if len(most) > 1 else []
    return answered


def _see_drawn(
    session: DiscoverySession, page: ParsedAnswer, plain: ParsedAnswer | None
) -> Asking[None]:
    """Show a form's plain answer in a browser, to see whether a script fetches its hits.

    Raises:
        DrawnError: It does.
    """
    ask = session.ask
    if plain is None or ask is None or session.form_guess is None or not session.may_browse:
        return
    if "{query}" not in ask.url or plain.root.find(".//script") is None:
        return
    request = msgspec.structs.replace(plain.request, browser=Browsing())
    shown = yield from session.get(request, plain.words)
    if shown is not None and any(sent.is_data or sent.links for sent in answers_sent(shown)):
        raise DrawnError(page, ask, shown)


def shown_for_nothing(session: DiscoverySession, page: ParsedAnswer) -> Asking[list[str]]:
    """Return words from the list that a site shows for an empty or nonsense query.

    A site that searches only a few words of its documents, such as titles, knows these words.
    """
    own_links = {link.url for link in page.links}

    def listed(shown: ParsedAnswer) -> list[str]:
        return [link.text for link in shown.links if link.url not in own_links]

    listing = yield from find_listing(session, listed)
    said = [] if listing is None else listed(listing)
    return list(dict.fromkeys([*telling(said, len(said)), *terms(" ".join(said), shortest=4)]))


def words_to_try(
    session: DiscoverySession, page: ParsedAnswer, guess: FormGuess | None
) -> list[str]:
    """Return words to query, taken from the pages on the way to the search."""
    said = " ".join(map(running_text, dict.fromkeys([*session.visited, page])))
    said = said or page.answer.visible()
    language = language_of(said, page.root.get("lang") or "", page.answer.charset)
    of_people = guess is not None and takes_names(guess)
    found = first_words(said, language, session.words, of_people=of_people)
    if len(terms(said, shortest=4)) >= FEW_TERMS:
        return found
    # So few words only say how to search; the titles name the subject.
    titles = " ".join(each.answer.title() for each in (page, *session.visited))
    first = max(PROBES, len(session.words))
    return list(dict.fromkeys([*found[:first], *terms(titles, shortest=4), *found]))


def _chance(backdrop: Sequence[ParsedAnswer]) -> tuple[int, int]:
    """Return how many links and lines differ by chance between two answers to nonsense.

    Advertisements and lists of popular pages differ from page to page, whatever the query.
    """
    pairs = [(one, other) for one in backdrop for other in backdrop if one is not other]
    links = [{link.url for link in a.links} - {link.url for link in b.links} for a, b in pairs]
    lines = [a.lines - b.lines for a, b in pairs]
    return max(map(len, links), default=0), max(map(len, lines), default=0)


def _is_like(word: str, session: DiscoverySession) -> bool:
    """Return whether a word was queried, or shares its first five letters with a probe."""
    stems = {shown.words[:5] for shown in session.probes}
    return word in session.asked or word[:5] in stems


def _is_elsewhere(shown: ParsedAnswer, empty: Sequence[ParsedAnswer]) -> bool:
    """Return whether a query was redirected, as a query with one hit may lead to its document.

    If nonsense is redirected to the same folder, or to the same address but for the words, the site
    only stores the query there: False.
    """
    if shown.request.browser is not None and shown.request.browser.box:
        return False
    asked, came = (each.url.partition("?")[0] for each in (shown.request, shown.response))
    is_away = asked.rstrip("/") != came.rstrip("/") and _is_led(shown)
    kept = {_folder_of(each) for each in empty if _is_led(each)}
    return is_away and _folder_of(shown) not in kept


def _folder_of(shown: ParsedAnswer) -> str:
    """Return the folder of an answer's address, with a mark for the words that were sent."""
    folder = shown.response.url.partition("?")[0].rpartition("/")[0]
    return folder.replace(quote(shown.words), "{Q}").replace(quote_plus(shown.words), "{Q}")


def _is_led(shown: ParsedAnswer) -> bool:
    return shown.response.requests > 1


def _better_words(links: set[str], lines: set[str], shown: ParsedAnswer) -> list[str]:
    """Return words of the first word's hits that are neither too frequent nor rare."""
    said = [link.text for link in shown.links if link.url in links]
    short = [line for line in lines if line and len(line) < 400]
    # A line that contains another one is the text of the element around it.
    said += [line for line in short if not any(o in line and o != line for o in short)]
    return telling(said, len(links))
