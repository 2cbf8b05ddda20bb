"""The last steps: the document's own page, known items, the gate."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from longline.discover._compare import answer
from longline.discover._container import container
from longline.discover._desk import Asking, Desk, change_ask
from longline.discover._json import leaves_of
from longline.discover._narrow import narrowed
from longline.discover._pages import Pages, is_full
from longline.discover._selectors import ALL
from longline.discover._shown import Shown, text
from longline.discover.words import shares, terms
from longline.model import Browsing, Hit, Request
from longline.planner.seed_words import own_words
from longline.source.select import read_select
from longline.source.spec import DocumentPage

CONFIRMING = 4
"""Documents that come back by their own words, where few pages of hits were seen before."""

KNOWN_ITEMS = 6
_CUT = re.compile(r"(?:(?<!\w)\w++)?+\s*+(?:…|\.\.\.)\s*\w*|(?<!\w)\w++$")
"""Words at the ends of parts of a text, and at its end: they may be cut."""

WORDS_OF_A_TITLE = 5
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
    around, share = container(desk, [shown for _, shown in pages])
    selector = narrowed(desk, pages, around)
    title, why = heading(pages), "as in the list of hits"
    if selector != around and not title:
        # What is left out may be all that names the document.
        title, why = _page_title(pages), "says more than the list of hits"
    desk.document = DocumentPage(selector, title, browser=browser is not None)
    seen = f"on {len(pages)} documents' own pages"
    rest = "; less titles, dates, links, other hits, and what all say" if selector != around else ""
    warning = "" if selector != "css:body" else "the whole page is kept, navigation included"
    desk.find(
        "document.text",
        selector,
        "likely" if len(pages) == 2 else "guess",
        f"{share:.0%} of what is not the same {seen}{rest}",
        warning,
    )
    if title:
        desk.find("document.title", title, "likely", f"{why}, {seen}")


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


def heading(pages: list[tuple[Hit, Shown]]) -> str:
    """Return the heading that is the title of the hit; "" where none is.

    One that is that title and the same on every page, a site's name, say, is none.
    """
    titles = [hit.title for hit, _ in pages]
    headings = {f"css:{name}": _said(pages, f"css:{name}") for name in ("h1", "h2", "title")}
    for selector, said in headings.items():
        if all(titles) and said == titles:
            return selector
    for selector, said in headings.items():
        both = list(zip(said, titles, strict=True))
        if all(s and t and (s in t or t in s) for s, t in both) and not _adds_the_same(both):
            return selector
    return ""


def _said(pages: list[tuple[Hit, Shown]], selector: str) -> list[str]:
    select = read_select(selector)
    return [select.text(shown.answer.root) for _, shown in pages]


def _adds_the_same(both: list[tuple[str, str]]) -> bool:
    """Say whether every heading begins and ends as one does before and after the title in it."""
    around = [said.partition(title) for said, title in both if said != title and title in said]
    return len(both) > 1 and any(
        all(said.startswith(before) and said.endswith(after) for said, _ in both)
        for before, _, after in around
    )


def _page_title(pages: list[tuple[Hit, Shown]]) -> str:
    """Return the page's title where it names documents, and what the list calls them does not."""
    said = _said(pages, "css:title")
    is_said = any(hit.title in text(shown.root) for hit, shown in pages)
    return "css:title" if all(said) and len(set(said)) == len(said) and not is_said else ""


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
    words = own_words(texts)
    if not words:
        return
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
