"""The last steps: the document's own page, known items, the gate."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from longline.discover._compare import answer
from longline.discover._desk import Asking, Desk, change_ask
from longline.discover._groups import changing_places
from longline.discover._json import leaves_of
from longline.discover._pages import Pages, is_full
from longline.discover._selectors import ALL
from longline.discover._shown import Shown, classes, compiles, is_element, text
from longline.discover.words import shares, terms
from longline.model import Browsing, Hit, Request
from longline.planner.seed_words import SEED_WORDS
from longline.source.select import read_select
from longline.source.spec import DocumentPage

CONTAINERS = (
    *("article", "main", "[role=main]", "#content", "#main", "#main-content", "#mw-content-text"),
    *("#bodyContent", ".entry-content", ".post-content", ".article", ".content", ".document"),
    *("#container", "pre", "dl", "table", "body"),
)
CONFIRMING = 4
"""Documents that come back by their own words, where few pages of hits were seen before."""

KNOWN_ITEMS = 6
WORDS_KEPT = 12
ENGLISH = 0.1
"""Share of hits with a common English word, above which such words do to begin with."""

_CUT = re.compile(r"\w*\s*(?:…|\.\.\.)\s*\w*|\w+$")
"""Words at the ends of parts of a text, and at its end: they may be cut."""

WORDS_OF_A_TITLE = 5
OWN_SHARE = 0.75
"""An element that no custom names is a document's if it holds this share of what is its own."""

ALL_OWN = 0.95
"""The same of one that has no name, and is known by its place alone."""

BOXES = ("div", "section", "article", "main", "table", "tbody", "tr", "td", "center", "font")
"""What a whole text may stand in."""

KNOWN = 0.6
"""A document's page has this share of the words that its hit has."""


def learn_document(desk: Desk) -> Asking[None]:
    """Read two documents' own pages, in a browser where they need one, and find their text.

    Hits without a link are all there is of their documents.
    """
    if desk.results is not None and not desk.results.link:
        return
    hits = _own_hits(desk)
    pages: list[tuple[Hit, Shown]] = []
    browser: Browsing | None = None
    for hit in hits[:2]:
        shown = yield from desk.get(Request(hit.url, browser=browser))
        if desk.may_browse and browser is None and (shown is None or not is_of(shown, hit)):
            again = yield from desk.get(Request(hit.url, browser=Browsing()))
            if again is not None and is_of(again, hit):
                shown, browser = again, Browsing()
        if shown is not None and not shown.is_data:
            pages.append((hit, shown))
    if not pages:
        why = f" ({desk.reason})" if hits else ", as the hits lead to other hosts or nowhere"
        desk.find(
            "document.text",
            "",
            "unknown",
            f"no document's own page could be read{why}",
            "only titles and snippets would be kept",
        )
        return
    selector, share = container(desk, [shown for _, shown in pages])
    title = heading(pages)
    desk.document = DocumentPage(selector, title, browser=browser is not None)
    seen = f"on {len(pages)} documents' own pages"
    warning = "" if selector != "css:body" else "the whole page is kept, navigation included"
    desk.find(
        "document.text",
        selector,
        "likely" if len(pages) == 2 else "guess",
        f"{share:.0%} of what is not the same {seen}",
        warning,
    )
    if title:
        desk.find("document.title", title, "likely", f"as in the list of hits, {seen}")


def is_of(shown: Shown, hit: Hit) -> bool:
    """Say whether a page holds the words of its hit: a shell for scripts does not."""
    words = set(terms(f"{hit.title} {hit.snippet}"))
    if shown.is_data:
        said = " ".join(str(value) for _, value in leaves_of(shown.data, depth=5)).lower()
    else:
        said = text(shown.root).lower()
    return bool(words) and sum(word in said for word in words) >= KNOWN * len(words)


def _own_hits(desk: Desk) -> list[Hit]:
    host = urlsplit(desk.probes[0].response.url).hostname if desk.probes else ""
    found: list[Hit] = []
    for probe in desk.probes:
        read = desk.read(probe)
        own = [h for h in (read.hits if read else ()) if urlsplit(h.url).hostname == host]
        found += own[:1]
    unique = {hit.key: hit for hit in found}
    return list(unique.values())


def container(desk: Desk, pages: list[Shown]) -> tuple[str, float]:
    """Return the first usual container that holds most of what only one page says."""
    lines = [set(_lines(page.root)) for page in pages]
    common = set.intersection(*lines) if len(lines) > 1 else set()
    common |= {line for page in (*desk.empty, *desk.probes[:1]) for line in _lines(page.root)}
    # What changes from page to page, whatever is asked, is no document's own either.
    passing = changing_places(desk.empty)
    common |= {link.text for page in pages for link in page.links if link.place in passing}
    own = [sum(len(line) for line in each - common) or 1 for each in lines]
    for name in CONTAINERS:
        select = read_select(f"css:{name}")
        found = [select.all(page.answer.root) for page in pages]
        if any(len(each) != 1 for each in found):
            continue
        held = [_share(each[0].root, common, n) for each, n in zip(found, own, strict=True)]
        # A page without such a container may have one of its own making.
        if name != "body" and min(held) >= 0.6:
            return f"css:{name}", min(held)
    return _own_container(pages, common, own)


def _own_container(pages: list[Shown], common: set[str], own: Sequence[int]) -> tuple[str, float]:
    """Return the innermost named element that holds most of what only its page has."""
    best, share = "css:body", 1.0
    element = next((each.root for each in pages[0].answer.root.css("body")), None)
    while element is not None:
        inner = (each for each in element.iterchildren() if is_element(each))
        element = next((e for e in inner if _share(e, common, own[0]) >= OWN_SHARE), None)
        names = [] if element is None else [(name, OWN_SHARE) for name in _names(element)]
        if element is not None and element.tag in BOXES:
            names.append((_way_to(element), ALL_OWN))
        for name, least in names:
            found = [read_select(name).all(page.answer.root) for page in pages]
            if all(len(each) == 1 for each in found):
                shares_ = [_share(e[0].root, common, n) for e, n in zip(found, own, strict=True)]
                if min(shares_) >= least:
                    best, share = name, min(shares_)
                    break
    return best, share


def _share(element: Any, common: set[str], own: int) -> float:
    """Return what share of the characters that only its page has an element holds."""
    return sum(len(line) for line in set(_lines(element)) - common) / own


def _names(element: Any) -> list[str]:
    own_id = element.get("id") or ""
    names = [f"#{own_id}"] if re.fullmatch(r"[A-Za-z_][A-Za-z_-]*", own_id) else []
    names += [f"{element.tag}.{each}" for each in classes(element)]
    return list(filter(compiles, (f"css:{name}" for name in names)))


def _way_to(element: Any) -> str:
    """Return a selector of an element by its place alone, from the body down."""
    steps = []
    while element is not None and element.tag != "body":
        before = sum(1 for _ in element.itersiblings(element.tag, preceding=True))
        steps.append(f"{element.tag}:nth-of-type({before + 1})")
        element = element.getparent()
    return f"css:{' > '.join(['body', *reversed(steps)])}"


def _lines(element: object) -> list[str]:
    from longline.discover._shown import node
    from longline.source.select import lines_of

    return lines_of(node(element)).split("\n")


def heading(pages: list[tuple[Hit, Shown]]) -> str:
    """Return the heading that is the title of the hit; "" where none is."""
    for name in ("h1", "h2", "title"):
        select = read_select(f"css:{name}")
        said = [select.text(shown.answer.root) for _, shown in pages]
        titles = [hit.title for hit, _ in pages]
        if all(s and t and (s in t or t in s) for s, t in zip(said, titles, strict=True)):
            return f"css:{name}"
    return ""


# Known items.


def check_known_items(desk: Desk, pages: Pages) -> Asking[None]:
    """Ask for hits by the rarest words of their titles and snippets: do they come back?"""
    found = hidden = 0
    missed: list[str] = []
    ways: list[Callable[[Desk, str], str]] = [_rarest, _title_words, _rarest_of_text]
    for key in _spread(desk):
        if found + len(missed) >= KNOWN_ITEMS or hidden >= KNOWN_ITEMS or desk.left <= 0:
            break
        if not _rarest(desk, key):
            continue
        is_back, is_cut = yield from _comes_back(desk, pages, key, ways)
        if is_back:
            found += 1
        elif is_cut and pages.limit is not None:
            # The return limit may hide it: that says nothing of how the source is asked.
            hidden += 1
        else:
            missed.append(key)
    total = found + len(missed)
    evidence = f"{found} of {total} known documents came back when asked by their rarest words"
    evidence += f"; {hidden} more may be behind the return limit" if hidden else ""
    if total < 3:
        desk.find("known_items", f"{found}/{total}", "unknown", evidence)
    elif len(missed) > max(1, total // 6):
        lost = ", ".join(missed[:3])
        desk.find("known_items", f"{found}/{total}", "guess", evidence, f"not found again: {lost}")
    else:
        desk.find("known_items", f"{found}/{total}", "sure", evidence)
        _confirm_hits(desk, found, evidence)


def _comes_back(
    desk: Desk, pages: Pages, key: str, ways: list[Callable[[Desk, str], str]]
) -> Asking[tuple[bool, bool]]:
    """Say whether a hit comes back in one of some ways, and whether an answer was cut.

    Not all that is shown may be searched: the way that brings one back is tried first then.
    """
    asked: set[str] = set()
    is_cut = False
    left = [*ways]
    while left:
        # Words that are not rare enough need more of them; what is not searched needs others.
        way = left.pop(0 if is_cut or not asked else -1)
        words = way(desk, key)
        if not words or words in asked or desk.left <= 0:
            continue
        asked.add(words)
        got = yield from answer(desk, pages, words)
        if got is not None and key in got.keys:
            ways.sort(key=lambda each: each is not way)
            return True, is_cut
        is_cut |= got is not None and not got.whole
    return False, is_cut


def _confirm_hits(desk: Desk, found: int, evidence: str) -> None:
    """Drop the doubt that few pages of hits were seen, once many documents came by their words."""
    hit, records = desk.findings.get("results.hit"), desk.records
    if hit is None or not hit.warning or records is None or found < CONFIRMING:
        return
    if records.f1 >= ALL:
        desk.find("results.hit", hit.value, "likely", f"{hit.evidence}; {evidence}")


def learn_words(desk: Desk) -> None:
    """Write down words to begin a harvest with, where English ones would hardly do."""
    texts = [set(terms(said)) for said in desk.texts.values()]
    if not texts or sum(not each.isdisjoint(SEED_WORDS) for each in texts) > ENGLISH * len(texts):
        return
    counts = Counter(word for each in texts for word in each)
    words = sorted(counts, key=lambda word: (-counts[word], word))[:WORDS_KEPT]
    change_ask(desk, words=words)
    desk.find("ask.words", ", ".join(words), "likely", f"hits hold them, of {len(texts)} seen")


def _spread(desk: Desk) -> list[str]:
    """Return keys of hits, those of different answers in turn."""
    lists = [
        [key for key in desk.keys(page) if len(terms(desk.texts.get(key, ""))) >= 2]
        for page in desk.probes
    ]
    turns = [each[place] for place in (1, 3, 0, 2) for each in lists if place < len(each)]
    return list(dict.fromkeys(turns))


def _title_words(desk: Desk, key: str) -> str:
    assert desk.ask is not None
    if desk.ask.dialect.max_terms == 1:
        return " ".join(desk.texts[key].split()[:WORDS_OF_A_TITLE])
    words = list(dict.fromkeys(terms(desk.texts[key], shortest=4)))
    most = min(WORDS_OF_A_TITLE, desk.ask.dialect.max_terms or WORDS_OF_A_TITLE)
    return desk.ask.dialect.and_.join(words[:most])


def _rarest(desk: Desk, key: str) -> str:
    return _rarest_in(desk, desk.texts[key])


def _rarest_of_text(desk: Desk, key: str) -> str:
    """Return the rarest words of a hit beside its title."""
    hits = [hit for page in map(desk.read, desk.probes) if page for hit in page.hits]
    title = next((hit.title for hit in hits if hit.key == key), "")
    return _rarest_in(desk, desk.texts[key].removeprefix(title))


def _rarest_in(desk: Desk, said: str) -> str:
    held = shares(desk.texts.values())
    assert desk.ask is not None
    said = _CUT.sub(" ", said)
    words = sorted(set(terms(said, shortest=4)), key=lambda w: (held[w], -len(w), w))
    most = min(2, desk.ask.dialect.max_terms or 2)
    return desk.ask.dialect.and_.join(words[:most]) if words else ""


def needs_review(desk: Desk) -> list[str]:
    """Return why a person has to look at the spec before a harvest; [] where none has to."""
    reasons = []
    for name in ("results.hit", "known_items", "results.next", "last_page", "order"):
        finding = desk.findings.get(name)
        if finding is not None and finding.warning:
            reasons.append(f"{name}: {finding.evidence}; {finding.warning}")
    if "known_items" not in desk.findings:
        reasons.append("known_items: no document was asked for again")
    return reasons


__all__ = ["check_known_items", "is_full", "learn_document", "needs_review", "text"]
