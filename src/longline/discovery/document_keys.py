"""Which parts of hits' links do not identify documents: they hold the search, or a place in it."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain
from urllib.parse import quote_plus

from longline.discovery.answer import ParsedAnswer, parameters
from longline.discovery.session import DiscoverySession, change_results
from longline.model import Hit
from longline.source import parts_of

IDENTIFYING = 0.95
"""Paths identify documents if at least this share of the hits on each page differ in theirs."""

OF_SEARCH = "links carry what was asked on"


def leave_out_of_keys(session: DiscoverySession, shown: ParsedAnswer, name: str) -> None:
    """Leave a parameter out of keys if all links of hits share its value."""
    read = session.read(shown)
    assert session.results is not None
    carried = {parameters(hit.url).get(name) for hit in read.hits} if read is not None else set()
    if read is None or len(read.hits) < 2 or len(carried) > 1 or None in carried:
        return
    _ignore(session, [quote_plus(name)], OF_SEARCH)


def leave_places_out_of_keys(session: DiscoverySession, pages: Sequence[ParsedAnswer]) -> None:
    """Leave out of keys the parameters with one value on each page, but different ones on others.

    They give the page number or offset of a hit; links on the first page may lack it.
    """
    read = [page for page in map(session.read, pages) if page is not None and len(page.hits) > 1]
    held = [[parameters(hit.url) for hit in page.hits] for page in read]
    for name in sorted({name for sent in held for each in sent for name in each}):
        values = [{each.get(name) for each in sent} for sent in held]
        is_shared = len(held) > 1 and all(len(each) == 1 for each in values)
        if is_shared and len(set.union(*values)) == len(held):
            _ignore(session, [quote_plus(name)], OF_SEARCH)


def leave_list_out_of_keys(session: DiscoverySession, shown: ParsedAnswer) -> None:
    """Leave out of keys the parameters of an answer that its hits repeat, and of its next page."""
    read = session.read(shown)
    if read is None or len(read.hits) < 2:
        return
    sent = parameters(shown.request.url)
    sent |= parameters(read.next.url) if read.next is not None else {}
    held = [parameters(hit.url) for hit in read.hits]
    if all(each.get(name) == sent[name] for each in held for name in each.keys() & sent):
        _ignore(session, [quote_plus(name) for name in sent], OF_SEARCH)


def leave_filters_out_of_keys(
    session: DiscoverySession, whole: ParsedAnswer, part: ParsedAnswer
) -> None:
    """Leave out of keys the parameters that links of hits repeat from a search and a filtered one.

    A parameter that only tells where documents are, such as a collection, is in the links of hits
    whether it was asked for or not.
    """
    before, now = (parameters(shown.request.url) for shown in (whole, part))
    names = [
        quote_plus(name)
        for name in now
        if now[name] != before.get(name)
        and all(_carries(session, shown, name) for shown in (whole, part))
    ]
    _ignore(session, names, OF_SEARCH)


def _carries(session: DiscoverySession, shown: ParsedAnswer, name: str) -> bool:
    """Return whether the links of all hits have the value that was sent, or lack it, too."""
    read, sent = session.read(shown), parameters(shown.request.url).get(name)
    return read is not None and all(parameters(hit.url).get(name) == sent for hit in read.hits)


def leave_changing_out_of_keys(session: DiscoverySession, pages: Sequence[ParsedAnswer]) -> bool:
    """Leave out of keys the parameters that changed when documents were shown again.

    A document is shown again by a hit of another answer with the same title and the same path, or
    the same values of the parameters that differ in all hits of each answer. Links may carry the
    words, filters or ranks that led to them.

    Returns:
        Whether something was left out that was in the keys before.
    """
    if session.results is None or session.results.key:
        return False
    shown: defaultdict[tuple[str, ...], list[dict[str, str]]] = defaultdict(list)
    read = [page.hits for page in map(session.read, pages) if page is not None]
    own = _identifying(read)
    for hit in chain(*read) if own is not None else ():
        sent, path = parameters(hit.url), hit.url.partition("?")[0]
        shown[path, hit.title, *(sent.get(name, "") for name in own or ())].append(
            parts_of(hit.url)
        )
    again = [showings for showings in shown.values() if len(showings) > 1]
    names = sorted({name for parts in chain(*again) for name in parts if name[:1] != "/"})
    changing = [
        name
        for name in names
        if 2 * sum(len({parts.get(name) for parts in each}) > 1 for each in again) > len(again)
    ]
    return _ignore(session, changing, "documents were shown again with other values")


def _identifying(read: Sequence[Sequence[Hit]]) -> list[str] | None:
    """Return the parameters that identify hits, [] if paths do; None if nothing does."""
    paths = [[hit.url.partition("?")[0] for hit in hits] for hits in read]
    if all(all(each) and len(set(each)) >= IDENTIFYING * len(each) for each in paths):
        return []
    sent = [[parameters(hit.url) for hit in hits] for hits in read if len(hits) > 1]
    names = set.intersection(*(set(each) for hits in sent for each in hits)) if sent else set()
    own = [n for n in names if all(len({each[n] for each in hits}) == len(hits) for hits in sent)]
    return sorted(own) or None


def names_in_end(ignored: Sequence[str], links: Sequence[dict[str, str]]) -> list[str]:
    """Return the segments in the ignored end of paths, and the one before it, that all links share.

    They name what follows, and are others in links without that: "/kw/sea/session/7f3".

    Args:
        ignored: Names of parts, as in `key_ignores`.
        links: Parts of each link.

    Returns:
        The names of these segments; none if a segment that differs follows an ignored one.

    >>> links = [{"/1": "7", "/2": "kw", "/3": "sea"}, {"/1": "8", "/2": "kw"}]
    >>> names_in_end(["/3"], links), names_in_end(["/2"], links), names_in_end(["q"], links)
    (['/2'], [], [])
    """
    first = min((int(name[1:]) for name in ignored if name[:1] == "/"), default=0)
    last = max((int(name[1:]) for parts in links for name in parts if name[:1] == "/"), default=0)
    others = [f"/{n}" for n in range(first - 1, last + 1) if f"/{n}" not in ignored]
    shared = [name for name in others if len({parts.get(name) for parts in links}) == 1]
    return shared if first and set(others) - set(shared) <= {f"/{first - 1}"} else []


def _ignore(session: DiscoverySession, names: Sequence[str], seen: str) -> bool:
    """Leave parameters out of keys; return whether one of them was in keys before."""
    known = [] if session.results is None else session.results.key_ignores
    if not set(names) - set(known):
        return False
    ignored = list(dict.fromkeys([*known, *names]))
    change_results(session, key_ignores=ignored)
    session.find("results.key_ignores", ", ".join(ignored), "likely", seen)
    return True
