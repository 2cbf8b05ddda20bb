"""Answers that have more than a page: what shows how an answer goes on."""

from longline.discovery.answer import ParsedAnswer
from longline.discovery.answer_pages import PagingState, led_on, said_total
from longline.discovery.paging.json_more import says_more
from longline.discovery.paging.json_total import ROUND, look_full
from longline.discovery.session import Asking, DiscoverySession, change_results
from longline.discovery.words import first_words, function_words, shares

LONGER_TRIED = 2


def has_more(session: DiscoverySession, page: ParsedAnswer) -> bool:
    """Say whether an answer has more than its first page, as it says itself."""
    if page.is_data:
        others = [each for each in session.probes if each is not page]
        tells = not others or not all(map(says_more, others))
        if tells and says_more(page):
            return True
        read, shown = session.read(page), len(session.keys(page))
        is_rounded = read is not None and read.total is not None and read.exact_total is None
        return said_total(session, page) > shown + (ROUND - 1 if is_rounded else 0)
    return bool(led_on(session, page))


def seems_long(session: DiscoverySession, page: ParsedAnswer) -> bool:
    """Say whether an answer seems to be longer than its first page, in JSON by its length, too."""
    read = session.read(page)
    if not page.is_data or read is None or read.exact_total is not None:
        return has_more(session, page)
    sizes = [len(session.keys(each)) for each in session.probes]
    is_like_full = sizes.count(max(sizes)) > 1 and says_more(page) is not False
    return read.next is not None or has_more(session, page) or is_like_full


def longest(session: DiscoverySession) -> Asking[ParsedAnswer]:
    """Return the page to follow: of an answer that goes on, if any does."""
    came = sorted(session.probes, key=lambda page: -len(session.keys(page)))
    # Where nothing is found, or nothing asked for, all may be listed.
    listed = [page for page in (*session.empty, *session.listings) if has_more(session, page)]
    found = next((page for page in came if seems_long(session, page)), None)
    most = max(len(session.keys(page)) for page in came)
    if listed and (found is None or len(session.keys(listed[0])) > most):
        return listed[0]
    if found is not None:
        return found
    held = shares(session.texts.values())
    frequent = sorted(held, key=lambda word: (-held[word], word))
    # What hits have in common may be no word of theirs, such as "minutes ago".
    language = session.probes[0].root.get("lang") or "" if session.probes else ""
    common = [] if session.kind == "json" else first_words("", language, ())
    ranked = (frequent, common, function_words(language))
    untried = [[word for word in words if word not in session.asked] for words in ranked]
    for word in dict.fromkeys(word for words in untried for word in words[:LONGER_TRIED]):
        shown = yield from session.search(word)
        # A pager that only long answers have may look like hits, which `see_again` tells apart.
        if shown is not None and (session.keys(shown) or session.elements(shown)):
            session.probes.append(shown)
            if seems_long(session, shown):
                return shown
    return max(session.probes, key=lambda page: len(session.keys(page)))


def longer(pages: PagingState) -> ParsedAnswer | None:
    """Return an answer that came since, and goes on where none was known to; None for none."""
    session = pages.session
    if pages.later:
        return None
    came = [
        page for page in dict.fromkeys([*session.probes, *session.asked.values()]) if page.words
    ]
    came = [page for page in came if page.number == 1 and len(session.keys(page)) > 1]
    came.sort(key=lambda page: -len(session.keys(page)))
    is_longest = came[:1] == [pages.first]
    if is_longest and pages.first.is_data and seems_long(session, pages.first):
        return None
    more = [page for page in came if page is not pages.first and has_more(session, page)]
    if not more and pages.may_count_rows and look_full(len(session.keys(page)) for page in came):
        # What passed for a total is the number of rows on the page.
        change_results(session, total="")
        more = came
    return more[0] if more else None
