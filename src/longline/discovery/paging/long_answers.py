"""Find answers with more than one page, which show how paging works."""

from collections.abc import Iterable

from longline.discovery.answer import ParsedAnswer
from longline.discovery.answer_pages import PagingState, led_on, said_total
from longline.discovery.paging.json_more import says_more
from longline.discovery.paging.json_total import ROUND
from longline.discovery.reading import more_button
from longline.discovery.session import Asking, DiscoverySession
from longline.discovery.words import first_words, function_words, shares

LONGER_TRIED = 2

LEAST_WORDS = 8
"""Texts of fewer words in the mean are addresses, kinds or labels, which few words share."""


def has_more(session: DiscoverySession, page: ParsedAnswer) -> bool:
    """Return whether an answer says that it has more than its first page."""
    if page.is_data:
        others = [each for each in session.probes if each is not page]
        tells = not others or not all(map(says_more, others))
        if tells and says_more(page):
            return True
        read, shown = session.read(page), len(session.keys(page))
        is_rounded = read is not None and read.total is not None and read.exact_total is None
        return said_total(session, page) > shown + (ROUND - 1 if is_rounded else 0)
    return bool(led_on(session, page)) or (session.may_browse and has_button(session, page))


def has_button(session: DiscoverySession, page: ParsedAnswer) -> bool:
    """Return whether a page has a button for more hits, which a shorter answer lacks."""
    others = [each for each in session.probes if not each.is_data]
    return more_button(page) is not None and any(more_button(each) is None for each in others)


def seems_long(session: DiscoverySession, page: ParsedAnswer) -> bool:
    """Return whether an answer seems to have more pages; for JSON, its length counts as well."""
    read = session.read(page)
    if not page.is_data or read is None or read.exact_total is not None:
        return has_more(session, page)
    sizes = [len(session.keys(each)) for each in session.probes]
    is_like_full = sizes.count(max(sizes)) > 1 and says_more(page) is not False
    return read.next is not None or has_more(session, page) or is_like_full


def longest(session: DiscoverySession) -> Asking[ParsedAnswer]:
    """Return the page to follow, of an answer with a next page if there is one."""
    came = sorted(session.probes, key=lambda page: -len(session.keys(page)))
    # A search that finds nothing, or an empty one, may list everything.
    listed = [page for page in (*session.empty, *session.listings) if has_more(session, page)]
    found = next((page for page in came if seems_long(session, page)), None)
    most = max(len(session.keys(page)) for page in came)
    if listed and (found is None or len(session.keys(listed[0])) > most):
        return listed[0]
    if found is not None and not _may_be_whole(session, found):
        return found
    held = shares(_said(session, came))
    frequent = sorted(held, key=lambda word: (-held[word], word))
    # Words that hits share may be labels, such as "minutes ago".
    language = session.probes[0].root.get("lang") or "" if session.probes else ""
    common = [] if session.kind == "json" else first_words("", language, ())
    ranked = (frequent, common, function_words(language))
    untried = [[word for word in words if word not in session.asked] for words in ranked]
    for word in dict.fromkeys(word for words in untried for word in words[:LONGER_TRIED]):
        shown = yield from session.search(word)
        # A pager that only long answers have may look like hits, which `see_again` detects.
        if shown is not None and (session.keys(shown) or session.elements(shown)):
            session.probes.append(shown)
            if seems_long(session, shown) and len(session.keys(shown)) > (most if found else 0):
                return shown
    return found or max(session.probes, key=lambda page: len(session.keys(page)))


def _may_be_whole(session: DiscoverySession, page: ParsedAnswer) -> bool:
    """Return whether answers in JSON are as long as others by chance: pages have rounder sizes."""
    size = len(session.keys(page))
    return page.is_data and not has_more(session, page) and bool(size % 5 and size % 12)


def _said(session: DiscoverySession, pages: Iterable[ParsedAnswer]) -> list[str]:
    """Return the texts of known hits; of records without sentences, their titles, too."""
    texts = list(session.texts.values())
    if texts and sum(len(each.split()) for each in texts) >= LEAST_WORDS * len(texts):
        return texts
    reads = filter(None, map(session.read, pages))
    return [*texts, *(hit.title for read in reads for hit in read.hits)]


def longer(pages: PagingState) -> ParsedAnswer | None:
    """Return a later answer with a next page if none was known before, otherwise None."""
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
    return more[0] if more else None
