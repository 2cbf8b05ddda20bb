"""Known hits of a JSON listing, and how a page shows or addresses them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise, permutations
from typing import NamedTuple
from urllib.parse import urljoin

from longline.discovery.answer import ParsedAnswer, is_element, text
from longline.discovery.document.by_address import Way
from longline.discovery.reading import (
    answers_sent,
    data_hits_in,
    element_selector,
    leaves_of,
    with_place,
)
from longline.discovery.session import DiscoverySession
from longline.model import Hit
from longline.source import is_view
from longline.source.select import UNSEEN, slug

_PARTS = re.compile(r"[/?&=#]")

TOGETHER = (2, 3)
"""Numbers of values that may name a document together."""

LONGEST_NAME = 160
"""Maximum length in letters of a value that may name a document in an address."""

LINKED = 3
"""Maximum number of hits whose links are looked for on a shown page."""


class ShownHit(NamedTuple):
    """A hit, and how a page shows it.

    Attributes:
        hit: The hit in the listing.
        held: Its values in the listing, by path; those that may name it come first.
        is_listed: Whether it was returned for the words that the page was queried with.
        selector: Selector of its title on the page.
        path: Path of the value in its link, or "".
        template: Its link, with a placeholder for that value, or "".
    """

    hit: Hit
    held: dict[str, str]
    is_listed: bool
    selector: str = ""
    path: str = ""
    template: str = ""


def known_hits(session: DiscoverySession, listing: ParsedAnswer) -> list[ShownHit]:
    """Return all known hits, deduplicated, those that a page may show first."""
    assert session.data_hits is not None
    hits = session.data_hits
    # A page's script may ask for other hits than a harvest, as by a filter.
    sent = (data_hits_in(each, hits.path) for each in answers_sent(listing) if each.is_data)
    items = {answer: rows for each in sent if each for answer, rows in each.items.items()}
    items |= hits.items
    answers = sorted(items, key=lambda each: (each in hits.items, each.words != listing.words))
    found: dict[str, ShownHit] = {}
    for place, answer in enumerate(answers):
        read = session.read(answer)
        for hit, item in zip(read.hits if read else (), items[answer], strict=False):
            held = {path: str(value) for path, value in leaves_of(item)}
            own = {path: held[path] for path in (hits.key, *held) if path in held}
            found.setdefault(hit.key, ShownHit(hit, own | _slugs(own), is_listed=not place))
    return list(found.values())


def _slugs(held: dict[str, str]) -> dict[str, str]:
    """Return values in the form that a script may put into an address, by path, if that differs.

    >>> _slugs({"reference": "IP/20/123", "id": "7"})
    {"slug(reference, '_')": 'ip_20_123', "slug(reference, '-')": 'ip-20-123'}
    """
    made = {
        f"slug({path}, '{between}')": slug(value, between)
        for path, value in held.items()
        for between in "_-"
        if len(value) <= LONGEST_NAME and not value.isalnum()
    }
    return {path: value for path, value in made.items() if value and value not in held.values()}


def names_of(found: list[ShownHit]) -> Iterator[tuple[str, list[str]]]:
    """Yield paths whose values identify the hits, and the value for each hit."""
    for path in found[0].held:
        values = [each.held.get(path, "") for each in found]
        if all(values) and len(set(values)) == len(found):
            yield path, values


def unlike(path: str, template: str, known: list[ShownHit]) -> list[tuple[str, Hit]]:
    """Return the first hit, and the one whose values in the address differ most from it.

    This detects an address that contains more of a hit than the value in the placeholder.
    """
    first = known[0]
    parts = _PARTS.split(template.replace("{link}", first.held[path]))
    named = [(name, value) for name, value in first.held.items() if value in parts]
    others = [each for each in known[1:] if each.held.get(path)]
    other = max(others, key=lambda each: sum(each.held.get(n) != value for n, value in named))
    return [(each.held[path], each.hit) for each in (first, other)]


def paired_hits(known: list[ShownHit], urls: Iterable[str]) -> list[ShownHit]:
    """Return hits with values that addresses contain together, the most first, before all others.

    /maps/sheet/7 is an example: its number is unique only within the collection of maps.
    """
    runs: dict[tuple[tuple[str, ...], tuple[str, ...]], None] = {}
    for segments in [url.partition("?")[0].split("/")[3:] for url in urls]:
        for held in [each.held for each in known if each.is_listed]:
            at = {path: segments.index(v) for path, v in held.items() if v and v in segments}
            for size in TOGETHER:
                for paths in permutations(at, size):
                    places = list(pairwise(at[path] for path in paths))
                    between = ["/".join(["", *segments[n + 1 : m], ""]) for n, m in places]
                    if all(n < m for n, m in places) and "'" not in "".join(between):
                        runs[paths, tuple(between)] = None
    for paths, gaps in sorted(runs, key=lambda run: len(run[0])):
        named = [tuple(each.held.get(path, "") for path in paths) for each in known]
        if len(set(named)) == len(known) and len({first for first, *_ in named}) > 1:
            way = Way("", (paths[0], *chain(*zip(gaps, paths[1:], strict=True))))
            known = [
                each._replace(held={way.path: way.value(each.held)} | each.held) for each in known
            ]
    return known


def shown_titles(listing: ParsedAnswer, known: list[ShownHit]) -> list[ShownHit]:
    """Return two hits whose titles are on a shown page, with the selector of each."""
    found: list[ShownHit] = []
    for each in known:
        selector = _of_text(listing, each.hit.title) if each.is_listed else ""
        if selector and len(found) < 2:
            found.append(each._replace(selector=selector))
    return found


def _of_text(listing: ParsedAnswer, title: str) -> str:
    """Return a selector of the innermost element with only a title, or "" if there is none."""
    wanted = " ".join(title.split())
    for element in listing.root.iter() if wanted else ():
        if not is_element(element) or text(element) != wanted or element.tag in UNSEEN:
            continue
        if not any(is_element(inner) and text(inner) == wanted for inner in element):
            # Selectors do not reach into the tree of a web component.
            is_inside = any("-" in outer.tag for outer in element.iterancestors())
            return f"text:{wanted}" if is_inside else element_selector(listing, element)
    return ""


def linked(listing: ParsedAnswer, known: list[ShownHit]) -> list[ShownHit]:
    """Return hits that a shown page links to, each with its link's template and value's path.

    If two have the same template, only those are returned: a link may contain other values, too.
    """
    found: list[ShownHit] = []
    urls = links_on(listing)
    for each in known:
        for path, value in each.held.items() if each.is_listed else ():
            template = next(filter(None, (with_place(url, value) for url in urls)), "")
            if value and template and (not found or found[0].path == path):
                found.append(each._replace(path=path, template=template))
                break
        if len(found) >= LINKED:
            break
    alike = [each for each in found if each.template == found[0].template]
    return alike if len(alike) > 1 else found


def links_on(listing: ParsedAnswer) -> list[str]:
    """Return the addresses of a page's links that may show a document."""
    urls = []
    for element in listing.root.iter("a"):
        link = (element.get("href") or "").strip()
        if link.startswith("#") and not is_view(link[1:]):
            continue
        try:
            urls.append(urljoin(listing.answer.base, link))
        except ValueError:
            continue
    return urls
