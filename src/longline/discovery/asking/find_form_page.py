"""Find the way from any page of a site to its search form, link by link."""

from collections import Counter
from typing import Any
from urllib.parse import unquote, urlsplit

from longline.discovery.answer import ParsedAnswer, literal, parameters, place_of, text
from longline.discovery.reading import (
    GOOD_FORM,
    FormGuess,
    action_of,
    ask_of,
    fields_in,
    form_of_address,
    forms,
    is_forbidden,
    is_query_name,
    says_search,
    set_to_widest,
    wider_settings,
)
from longline.discovery.session import Asking, DiscoverySession
from longline.discovery.words import terms
from longline.errors import PageError
from longline.known_item.best_first import SEARCH, SearchPageExplorer
from longline.known_item.explorer import SitePage
from longline.known_item.pages import Reader, Site
from longline.model import Request
from longline.source import submit
from longline.source.spec import Ask

SEARCHES_LINKED = 3
"""A page with at least this many links to searches shows how to search."""

PAGES_TO_FORM = 6
"""Maximum number of pages to look for the form on, including the first one."""


def pages_with_forms(
    session: DiscoverySession, start: ParsedAnswer, failed: frozenset[str] = frozenset()
) -> Asking[list[ParsedAnswer]]:
    """Return the pages on the way to a search form, the first one first.

    If a form on the first page or its address is good enough, no other page is requested.

    Args:
        session: The session.
        start: The first page.
        failed: Addresses of forms that brought no hits: other forms are looked for.
    """
    site = Site(session.url)
    site.admit(start.response.url)
    reader = Reader(site, SEARCH)
    first = reader.key(start.response.url) or start.response.url
    if form_of_address(start) is not None:
        return [] if failed else [start]
    shown: dict[str, ParsedAnswer] = {}

    def likelihood(page: SitePage) -> float:
        own = shown[page.key]
        scores = (guess.score for guess in forms(own) if action_of(own, guess) not in failed)
        best = max(scores, default=-1.0)
        return 0.95 if best >= GOOD_FORM else 0.3 if best >= 0 else 0.0

    # If the first page has a form to try, other links are not worth a request each.
    has_form = any(guess.score >= 0 for guess in forms(start))
    explorer = SearchPageExplorer(first, likelihood, PAGES_TO_FORM, only_told=has_form)
    while isinstance(key := explorer.next(), str):
        came = start if key == first else (yield from session.get(Request(site.url(key))))
        page = None if came is None else reader.read(came.response, key)
        if came is None:
            session.unread[site.url(key)] = session.reason
        if came is None or page is None:
            explorer.fail(key)
        else:
            shown.setdefault(page.key, came)
            explorer.tell(page)
    return list(shown.values())[bool(failed) :] or ([] if failed else [start])


def pages_behind_choices(
    session: DiscoverySession, pages: list[ParsedAnswer], tried: list[str]
) -> Asking[list[ParsedAnswer]]:
    """Return the pages with another search form that forms with only lists lead to.

    If no option covers everything, such as all collections, a message is added to `tried`.
    """
    known = {action_of(page, guess) for page in pages for guess in forms(page)}
    found = []
    for page in pages:
        for element in page.root.iter("form"):
            is_get = (element.get("method") or "get").strip().lower() == "get"
            if not is_get or is_forbidden(element) or not fields_in(element, "", alone=True):
                continue
            plain = as_it_is_set(page, element)
            if plain is None:
                continue
            widest = set_to_widest(plain, element, "") or plain
            shown = yield from session.get(Request(widest.url))
            if shown is None or shown.is_data:
                continue
            own = {action_of(shown, guess) for guess in forms(shown) if guess.score >= 0}
            if own <= known:
                continue
            if widest is plain and wider_settings(element, ""):
                said = f"{page.response.url} leads to a search for each choice, and none is for all"
                tried.append(f"{said}: give the address of one, such as {shown.response.url}")
                continue
            found.append(shown)
    return found


def as_it_is_set(page: ParsedAnswer, form: Any) -> Ask | None:
    """Return how to send a form by GET with its default values, or None if it cannot be sent."""
    try:
        return Ask(url=literal(submit(form, page.answer, data={}).url))
    except PageError:
        return None


def forms_to_try(
    pages: list[ParsedAnswer], start: ParsedAnswer
) -> list[tuple[ParsedAnswer, FormGuess]]:
    """Return the forms of some pages, the likeliest first, and the query in the first address.

    The search of that address was meant by the user, so it comes first: with its form, if there is
    one.
    """
    found = [(page, guess) for page in pages for guess in forms(page) if guess.score >= 0]
    found.sort(key=lambda pair: -pair[1].score)
    own = form_of_address(start)
    if own is None:
        return found
    meant = place_of(start.response.url), own.field
    found.sort(key=lambda pair: (action_of(*pair), pair[1].field) != meant)
    is_there = bool(found) and (action_of(*found[0]), found[0][1].field) == meant
    return [*found, (start, own)] if is_there else [(start, own), *found]


def running_text(page: ParsedAnswer) -> str:
    """Return a page's sentences, or "" if it has too few words in them."""
    pieces = [
        text(element)
        for element in page.root.iter("p", "h1", "h2", "td", "dd", "blockquote", "article")
        if next(element.iterancestors("nav", "footer", "form"), None) is None
    ]
    sentences = " ".join(
        piece for piece in pieces if len(piece.split()) >= 6 or len(terms(piece)) >= 6
    )
    return sentences if len(terms(sentences)) >= 5 else ""


def searches_linked(page: ParsedAnswer) -> list[Ask]:
    """Return how to query by the addresses of links that are searches, such as frequent ones.

    Each of them sends what it says by a parameter that is usual for words.
    """
    found = Counter[str]()
    for link in page.links:
        ask = ask_of(Request(link.url), link.text) if link.text else None
        sent = {} if ask is None else parameters(ask.url)
        if ask is not None and any(v == "{query}" and is_query_name(n) for n, v in sent.items()):
            found[ask.url] += 1
    return [Ask(url=url) for url, times in found.most_common() if times >= SEARCHES_LINKED]


def asked_by_path(page: ParsedAnswer) -> list[Ask]:
    """Return how to query by a page's own address, if the words that its links have end its path.

    As in /search/tides: a form that sends its words by POST may lead there.
    """
    before, _, last = urlsplit(page.request.url).path.rstrip("/").rpartition("/")
    words = unquote(last).strip()
    if not (says_search(before.rpartition("/")[2]) and words.replace(" ", "").isalpha()):
        return []
    named = sum(words.casefold() in link.text.casefold() for link in page.links)
    ask = ask_of(Request(page.request.url), words) if named >= SEARCHES_LINKED else None
    return [] if ask is None else [ask]
