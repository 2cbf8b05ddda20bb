"""Ask a search for real words until some bring what nonsense does not."""

from collections.abc import Sequence
from itertools import chain, zip_longest

from longline.discovery.answer import ParsedAnswer
from longline.discovery.asking.find_form_page import running_text
from longline.discovery.asking.find_listing import find_listing
from longline.discovery.reading import FormGuess, asks_for_other, searched_by, takes_names
from longline.discovery.session import Asking, DiscoverySession
from longline.discovery.words import first_words, language_of, telling, terms

PROBES = 3

MORE_TRIES = 6
"""Further words where a site reads them, and knows none of the first ones."""

UNCHANGED = 3
"""After so many words that change nothing on a page, a script has to be needed."""


def probe(
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
    led: dict[str, list[ParsedAnswer]] = {}
    answered = unchanged = 0
    shown_words: list[str] = []
    queue = [*known, *words]
    # A page that says otherwise for nonsense reads the words itself, without a script.
    reads = any(shown.beyond([page]) for shown in session.empty)
    # A page may list what was asked before.
    asked_before = {shown.words for shown in session.empty}
    for tried in range(tries + MORE_TRIES * reads):
        if unchanged == UNCHANGED and not shown_words and not session.probes:
            shown_words = yield from shown_for_nothing(session, page)
            # What is listed may be menus alone, in another language than the documents.
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
        # Links that name hits by their place are the same for any words, but say something else.
        named = {f"{link.url} {link.text}" for link in shown.links if link.url in hits}
        shows = named if len(hits) >= 3 else lines
        if any(len(shows & other) > 0.8 * max(len(shows), len(other)) for other in brought):
            continue
        brought.append(shows)
        session.probes.append(shown)
        if len(session.probes) == 1 and not session.words:
            queue = [*_better_words(links, lines, shown), *queue]
    if not session.probes:
        # Where several words are led to one address, and nonsense is not, that lists what is found.
        most = max(led.values(), key=len, default=[])
        session.probes += most[:PROBES] if len(most) > 1 else []
    return answered


def shown_for_nothing(session: DiscoverySession, page: ParsedAnswer) -> Asking[list[str]]:
    """Return words of what a site lists where nothing is asked for, or nothing found.

    A site that searches few words of its documents, their titles alone perhaps, knows these.
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
    """Return words to ask for, of what the pages on the way to the search say."""
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
