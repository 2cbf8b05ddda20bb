"""Find the links of result pages that lead to the hits' documents.

Links are grouped by place and, if one place has links to several kinds of pages, by the form of
their URLs. The best group has many links on every page, few of them the same for two queries, none
on a page for nonsense words, and long texts. If each record of another group has several of its
links, such as tags or authors, the other group is the list. Of the links that each record has, the
one that names it best leads to the document.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import log
from typing import Any
from urllib.parse import urlsplit

from longline.discovery.answer import Link, ParsedAnswer, parameters, place_of, text
from longline.discovery.reading.link_group import Group, alternating, by_turn, said_around

LEAST_SCORE = 2.0
"""Minimum score of a group of links that is taken for hits."""

GOOD_SCORE = 4.0
"""Below this score, blocks of text are examined, too."""

FREQUENT = 0.6
"""A link with the query on a larger share of the answers belongs to the site, not to a hit."""

OUTER = 0.2
"""Share of the best group's score that a group with several of its links in each record needs."""

SEVERAL = 1.2
"""The best group must have this many times the links of a group to be a part of its records."""

TURNS = 0.6
"""Share of a list's links that must be followed by links of a group that is part of its records."""

BY_ITSELF = 0.3
"""Score factor for places whose links change even between answers to nonsense."""

SAME = 0.8
"""Share of records that two groups must have in common to be links of one list."""

REPEATED = 1.25
"""Score factor for links whose addresses other links of their records have, too."""

MOST_SHAPES = 8
ACTION, LEAST_AROUND = 0.8, 4
"""Score factor for links that name an action, by shared text of at least this many letters."""

LABEL = 5
"""Text length assumed for links that all have the same text."""

UNNAMED = 20
"""Text length assumed for a link without text around an image."""

_FILE = re.compile(
    r"\.(?:pdf|docx?|xlsx?|pptx?|odt|rtf|epub|zip|gz|jpe?g|png|gif|mp[34]|bib|ris|csv|xml)$", re.I
)
_PAGE = re.compile(
    r"\.(?:[xs]?html?|php\d?|aspx?|jspx?|cgi|pl|py|do|action|cfm|exe|dll|txt|json)$", re.I
)

_COUNTED = re.compile(r"[(\[](?!(?:1[5-9]|20)\d\d\b)\d[\d.,]*[)\]]$")
"""Matches a number in brackets that is no year."""

Shape = tuple[str, str, str, tuple[str, ...]]
"""The common parts of similar URLs: host, first folder, extension, names of parameters."""


def hit_links(pages: Sequence[ParsedAnswer], empty: Sequence[ParsedAnswer]) -> Group | None:
    """Return the links to hits, or None if no group of links changes with the query.

    Args:
        pages: First pages of the answers to different words, with hits.
        empty: Answers to nonsense words.
    """
    searched = searched_by(pages)
    groups = _groups(pages, empty, searched)
    if not groups or groups[0].score < GOOD_SCORE:
        # If a menu lists documents, do not treat these links as the site's own.
        groups += _groups(pages, empty, searched, menus=True)
        groups.sort(key=lambda group: -group.score)
    if not groups:
        return None
    return _naming(_outermost(groups[0], groups), groups, searched)


def _outermost(best: Group, groups: Sequence[Group]) -> Group:
    """Return the list whose records each hold several of a group's links, or the group itself."""
    around = [
        other
        for other in groups
        if other is not best
        and other.score >= OUTER * best.score
        and len(other.links) * SEVERAL <= len(best.links)
        and not (best.height and other.holders() <= best.holders())
        and _takes_turns(other, best)
    ]
    if not around:
        return best
    return Group(max(best.score, around[0].score), around[0].kept, around[0].every)


def _takes_turns(other: Group, group: Group, least: float = TURNS) -> bool:
    """Return whether most links of one group are followed by some of the other's."""
    own = {link.element for link in other.links}
    turns = runs = 0
    ends: list[tuple[bool, bool]] = []
    for page, links in group.kept.items():
        many = {link.element for link in links}
        order = [link.element in own for link in page.links if link.element in own | many]
        ends.append((order[0], order[-1]))
        if sum(order) < 2:
            continue
        turns += sum(order)
        runs += sum(
            here and not there for here, there in zip(order, [*order[1:], True], strict=True)
        )
        runs += not order[0]
    # Records start or end with their link; some links of a list would do so only by chance.
    is_in_order = any(map(all, zip(*ends, strict=True)))
    return is_in_order and turns > 0 and runs >= least * turns


def _naming(best: Group, groups: Sequence[Group], searched: set[tuple[str, str]]) -> Group:
    """Return the links of the same records that lead to their documents."""
    alike = [(_alike(best, other), other) for other in groups]
    hosts = {urlsplit(page.response.url).netloc for page in best.kept}
    ranked = [
        (min(share, 1.0) ** 2 * _naming_score(other, hosts, searched), -at, other)
        for at, (share, other) in enumerate(alike)
        if share >= SAME
    ]
    if not ranked:
        return best
    chosen = max(ranked, key=lambda each: each[:2])[2]
    return Group(best.score, chosen.kept, chosen.every)


def _alike(best: Group, other: Group) -> float:
    """Return the share of a list's records in which another group has a link."""
    records, others = best.holders(), other.holders()
    shared = len(records & others)
    if shared >= SAME * len(others):
        return shared / len(records)
    # A part of a hit may be after it, not in it.
    share = len(others) / len(records)
    return share if SAME <= share <= 1 / SAME and _takes_turns(best, other, SAME) else 0.0


def _naming_score(group: Group, hosts: set[str], searched: set[tuple[str, str]]) -> float:
    links = group.links
    urls, texts = {link.url for link in links}, {link.text for link in links}
    records = len(group.holders())
    lengths = [_said(link) or UNNAMED * (link.element.find(".//img") is not None) for link in links]
    if len(texts) == 1 < records and all(lengths) and texts != {""}:
        # "Read more" is not a title.
        lengths = [LABEL for _ in lengths]
    # "Save ... to favourites" is an action on a document.
    around = said_around(texts) if len(texts) > 2 else 0
    score = log(2 + min(max(0.0, sum(lengths) / len(links) - around), 120))
    is_action = around >= LEAST_AROUND
    score *= (ACTION if is_action else 1.0) * (REPEATED if group.repeated >= SAME else 1.0)
    score *= 0.2 + 0.8 * min(len(texts) / len(urls), 1.0)
    score *= min(len(urls) / records, records / len(links)) ** 2
    if not any(urlsplit(link.url).netloc in hosts for link in links):
        score *= 0.3
    if all(_FILE.search(urlsplit(link.url).path) for link in links):
        score *= 0.1 if is_action else 0.3  # "PDF (... pages)" is beside the title of its document
    return score * (0.15 if _leads_back(links, searched) else 1.0)


def _groups(
    pages: Sequence[ParsedAnswer],
    empty: Sequence[ParsedAnswer],
    searched: set[tuple[str, str]],
    *,
    menus: bool = False,
) -> list[Group]:
    """Return groups of links, the most likely hits first.

    Args:
        pages: As in `hit_links`; `empty` too.
        empty: Links on these pages belong to the site.
        searched: Paths and parameters that words were sent to.
        menus: Ignore these links only in places these pages have too: menus may list documents.
    """
    chrome = _chrome(pages, empty, searched)
    of_empty = _by_place(empty)
    own = {link.url for page in empty for link in page.links} if menus else set()
    by_place: dict[str, dict[ParsedAnswer, list[Link]]] = defaultdict(lambda: defaultdict(list))
    same = alternating(pages)
    for page in pages:
        for link in page.links:
            if not _heads_column(link.element):
                by_place[same.get(link.place, link.place)][page].append(link)
    groups = []
    changing = changing_places(empty)
    for place, every in by_place.items():
        dropped = chrome if place in of_empty else chrome - own
        is_own = place in of_empty and not _is_filled(of_empty[place], every)
        if menus and any(link.acts for links in every.values() for link in links):
            continue  # a menu with a login lists no documents
        for links in [every, *(_by_shape(every) or by_turn(every))]:
            group = _group(links, dropped, len(pages), searched, is_own=is_own)
            if group is not None:
                by_itself = BY_ITSELF if place in changing else 1.0
                groups.append(Group(group.score * by_itself, group.kept, group.every))
    return sorted(groups, key=lambda group: -group.score)


def _heads_column(element: Any) -> bool:
    """Return whether a link stands in a row of heads only, as links that sort a table do."""
    row = next((each for each in element.iterancestors() if each.tag in ("tr", "table")), ())
    return len(row) > 1 and all(cell.tag == "th" for cell in row)


def _by_place(empty: Sequence[ParsedAnswer]) -> dict[str, list[set[str]]]:
    """Return the places of links in answers to nonsense, and their URLs for each answer."""
    found: dict[str, list[set[str]]] = {}
    for at, page in enumerate(empty):
        for link in page.links:
            found.setdefault(link.place, [set() for _ in empty])[at].add(link.url)
    return found


def _is_filled(shown: Sequence[set[str]], every: Mapping[ParsedAnswer, list[Link]]) -> bool:
    """Return whether all nonsense gets the same links in a place, and words mostly get others.

    Some sites show new documents, or all documents, if they find nothing.
    """
    first, *others = shown
    urls = {link.url for links in every.values() for link in links}
    is_same = bool(others) and all(other == first for other in others)
    return is_same and 2 * len(urls - first) > len(urls)


def changing_places(empty: Sequence[ParsedAnswer]) -> set[str]:
    """Return places whose links differ between two answers to nonsense."""
    pairs = [(one, other) for one in empty for other in empty if one is not other]
    held = [{link.url for link in other.links} for _, other in pairs]
    return {
        link.place
        for (one, _), urls in zip(pairs, held, strict=True)
        for link in one.links
        if link.url not in urls
    }


def _group(
    every: dict[ParsedAnswer, list[Link]],
    dropped: set[str],
    pages: int,
    searched: set[tuple[str, str]],
    *,
    is_own: bool,
) -> Group | None:
    kept = {
        page: fresh
        for page, links in every.items()
        if (fresh := [link for link in links if link.url not in dropped])
    }
    if not _leads_back([link for each in kept.values() for link in each], searched):
        # Links that repeat the search may be beside hits, but are not hits.
        kept = {
            page: onward
            for page, links in kept.items()
            if (onward := [link for link in links if not _is_back(link.url, searched)])
        }
    found = Group(0.0, kept, every)
    distinct = {
        page: {link.text if found.by_rank else link.url for link in links}
        for page, links in kept.items()
    }
    # A page may have only one hit, but at least one page must have several.
    if not any(len(urls) >= 2 for urls in distinct.values()) or len(kept) * 2 < pages:
        return None
    score = _score(every, kept, distinct, pages) * log(2 + _length(found))
    links = [link for each in kept.values() for link in each]
    if _leads_back(links, searched) or _are_counted(links):
        score *= 0.15
    if is_own:
        score *= 0.3
    return Group(score, kept, every)


def _by_shape(every: dict[ParsedAnswer, list[Link]]) -> list[dict[ParsedAnswer, list[Link]]]:
    """Separate links of one place by the form of their URLs; [] if there is one or too many.

    They are separated with and without the first folder: documents may be in several folders, as
    in the repositories of one site.
    """
    found: dict[Shape, dict[ParsedAnswer, list[Link]]] = defaultdict(lambda: defaultdict(list))
    merged: dict[Shape, dict[ParsedAnswer, list[Link]]] = defaultdict(lambda: defaultdict(list))
    for page, links in every.items():
        for link in links:
            host, first, ending, names = shape = _shape(link.url)
            found[shape][page].append(link)
            merged[host, "*" if first else "", ending, names][page].append(link)
    several = [*merged.values()] if 1 < len(merged) < len(found) else []
    return [*found.values(), *several] if 1 < len(found) <= MOST_SHAPES else several


def _shape(url: str) -> Shape:
    parts = urlsplit(url)
    folders = [folder for folder in parts.path.split("/")[:-1] if folder]
    first = re.sub(r"\d+", "#", folders[0]) if folders else ""
    # The part after a dot in a name, such as "Blob.read", is not an extension.
    ending = _FILE.search(parts.path) or _PAGE.search(parts.path)
    names = tuple(sorted(parameters(url)))
    return parts.netloc, first, ending[0].lower() if ending else "", names


def asks_for_other(url: str, searched: set[tuple[str, str]]) -> bool:
    """Return whether a link searches for other words: related, earlier or common ones."""
    path, held = place_of(url), parameters(url)
    return any((path, name) in searched and v not in ("", "{Q}") for name, v in held.items())


def searched_by(pages: Sequence[ParsedAnswer]) -> set[tuple[str, str]]:
    """Return the paths and parameters that words were sent to."""
    return {
        (place_of(page.request.url), name)
        for page in pages
        for name, value in _sent(page).items()
        if value == page.words
    }


def _sent(page: ParsedAnswer) -> dict[str, str]:
    """Return the values that were sent, by field name."""
    charset = page.answer.charset
    body = f"?{page.request.body.decode('latin-1')}"
    return parameters(page.request.url, charset) | parameters(body, charset)


def _chrome(
    pages: Sequence[ParsedAnswer], empty: Sequence[ParsedAnswer], searched: set[tuple[str, str]]
) -> set[str]:
    """Return the links that belong to the site, not to a hit."""
    own = {link.url for page in empty for link in page.links}
    counts = Counter(url for page in pages for url in {link.url for link in page.links})
    frequent = {
        url
        for url, count in counts.items()
        if count > FREQUENT * len(pages) and _is_back(url, searched)
    }
    return own | frequent


def _score(
    every: dict[ParsedAnswer, list[Link]],
    kept: dict[ParsedAnswer, list[Link]],
    distinct: dict[ParsedAnswer, set[str]],
    pages: int,
) -> float:
    links = [link for each in kept.values() for link in each]
    a_page = sum(map(len, distinct.values())) / len(distinct)
    share = len(links) / sum(map(len, every.values()))
    different = len(set().union(*distinct.values())) / sum(map(len, distinct.values()))
    # Beyond a full page, more links are no further evidence.
    return min(a_page, 30) * share * len(kept) / pages * different


def _length(group: Group) -> float:
    """Return the mean length of the links' texts plus half of their records' other text."""
    around = {
        anchor: len(text(record))
        for records in group.records.values()
        for record, anchor in records.items()
    }
    own = {link.element: _said(link) for link in group.links}
    lengths = [said + max(around.get(link, 0) - said, 0) / 2 for link, said in own.items()]
    return min(sum(lengths) / len(lengths), 120)


def _said(link: Link) -> int:
    """Return the length of a link's text; a URL counts as 3."""
    return 3 if "://" in link.text else len(link.text)


def _leads_back(links: Sequence[Link], searched: set[tuple[str, str]]) -> bool:
    """Return whether most links repeat the search, such as filters and pages, or lead to others.

    A document's link may hold the query, to highlight its words, but rarely as the search does.
    """
    return sum(_is_back(link.url, searched) for link in links) > 0.5 * len(links)


def _are_counted(links: Sequence[Link]) -> bool:
    """Return whether a number in brackets ends most links, as for filters such as "2018 (24)"."""
    said = (f"{link.text} {link.element.tail or ''}".strip() for link in links)
    return sum(bool(_COUNTED.search(each)) for each in said) > SAME * len(links)


def _is_back(url: str, searched: set[tuple[str, str]]) -> bool:
    """Return whether a link is a search, for the same words or for others."""
    path, held = place_of(url), parameters(url)
    return any((path, name) in searched and value for name, value in held.items())
