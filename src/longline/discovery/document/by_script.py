"""Find documents that a click on a hit opens by a script, as onclick="show(7)" does."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urljoin

from longline.discovery.answer import ParsedAnswer, literal
from longline.discovery.document.own_page import first_hits, is_of, own_request
from longline.discovery.reading import element_selector, with_place, with_place_inside
from longline.discovery.session import Asking, DiscoverySession, change_results
from longline.model import Browsing

_CALL = re.compile(r"(\w+)\(\s*(['\"]?)([\w./-]+)\2\s*[,)]")
_LEADS = re.compile(
    r"(?:\blocation(?:\.href)?\s*=\s*|\blocation\.(?:assign|replace)\(|\bopen\()(['\"])([^'\"]+)\1"
)
"""Matches a complete address that a click leads to."""

_BUILT = re.compile(
    r"(?P<q>['\"])(?P<before>[^'\"<>\s]*[/=])(?P=q)\s*\+\s*\w+(?:\s*\+\s*(['\"])(?P<after>[^'\"<>\s]*)\3)?"
)
"""Matches an address that a script inserts a value into: '/doc/' + id + '.html'."""

_VALUE = re.compile(r"[^\s<>\"'(){};]{1,160}")
"""Matches the value of an attribute that may name a document."""

_BODY = 1000
"""Number of letters after a function's name in which its address is looked for."""

TEMPLATES_TRIED = 2


class _Click(NamedTuple):
    """The script that opens a hit: its attribute, and the text before and after the value.

    `function` is the function called with the value, or "" if the value is an address.
    """

    attribute: str
    before: str
    value: str
    quotes: str
    function: str = ""

    @property
    def selector(self) -> str:
        """XPath of the value in a hit."""
        mark = '"' if self.quotes == "'" else "'"
        call = f"{mark}{self.before}{mark}"
        held = f"string((descendant-or-self::*/@{self.attribute}[contains(., {call})])[1])"
        after = f"substring-after({held}, {call})"
        if self.quotes:
            return f"xpath:substring-before({after}, {mark}{self.quotes}{mark})"
        return f"xpath:normalize-space(substring-before(translate({after}, ',', ')'), ')'))"


def learn_opened(session: DiscoverySession) -> Asking[None]:
    """Find the addresses that scripts open for hits without a link."""
    if session.results is None or session.results.link:
        return
    pages = [page for page in session.probes if session.keys(page)]
    if not pages or (yield from _by_call(session, pages)) or not session.may_browse:
        return
    yield from _by_press(session, pages[0])


def _by_call(session: DiscoverySession, pages: list[ParsedAnswer]) -> Asking[bool]:
    """Read the address that a click's script builds; return whether two hits are there."""
    clicks = [_click(hit) for page in pages for hit in session.elements(page)]
    first = next(iter(clicks), None)
    if first is None or len({each and each.selector for each in clicks}) > 1:
        return False
    if len({each.value for each in clicks if each}) < 2:
        return False
    built = dict.fromkeys(_templates(pages[0], first.function)) if first.function else [""]
    call = f"script that a click calls, {first.function}," if first.function else "click's script"
    for template in list(built)[:TEMPLATES_TRIED]:
        if (yield from _try_link(session, first.selector, template, f"the {call} leads there")):
            return True
    return False


def _by_press(session: DiscoverySession, page: ParsedAnswer) -> Asking[bool]:
    """Press a hit in a browser, and see where it leads; return whether two hits are there."""
    hits = session.elements(page)
    button = _pressed(hits[0]) if hits else None
    if button is None or page.request.method != "GET" or page.request.browser is not None:
        return False
    browsing = Browsing(more=element_selector(page, button), further=1)
    shown = yield from session.get(own_request(session, page.response.url, browsing))
    led = "" if shown is None else shown.response.url
    first, *others = map(_values, hits)
    for selector, value in first.items() if led != page.response.url else ():
        template = with_place(led, value) or with_place_inside(led, value)
        if template and all(other.get(selector, value) != value for other in others):
            return (yield from _try_link(session, selector, template, f"a press leads to {led}"))
    return False


def _try_link(session: DiscoverySession, selector: str, template: str, why: str) -> Asking[bool]:
    """Write down where hits lead; return whether the pages of two hits are there."""
    with session.trying("results") as keep:
        change_results(session, link=selector, link_template=template, key="", text="")
        opened = []
        for hit in first_hits(session)[:2]:
            shown = yield from session.get(own_request(session, hit.url))
            opened.append(shown is not None and is_of(shown, hit))
        if len(opened) < 2 or not all(opened):
            return False
        keep()
    for name in ("results.key", "results.text"):
        session.findings.pop(name, None)
    seen = f"{why}; two hits were there"
    session.find("results.link", selector, "sure", seen)
    if template:
        session.find("results.link_template", template, "sure", seen)
    return True


def _pressed(hit: Any) -> Any:
    """Return the element of a hit that opens it by a script; None if there is none."""
    for element in hit.iter("*"):
        href = (element.get("href") or "").strip().lower()
        is_bare = element.tag == "a" and (href in ("", "#") or href.startswith("javascript:"))
        if element.get("onclick") or is_bare:
            return element
    return None


def _values(hit: Any) -> dict[str, str]:
    """Return values in a hit's attributes that may name it, by selector, the longest first."""
    found: dict[str, str] = {}
    for element in hit.iter("*"):
        for name, value in element.attrib.items():
            if not _VALUE.fullmatch(value) or not name.isascii():
                continue
            found.setdefault(f"xpath:string((descendant-or-self::{element.tag}/@{name})[1])", value)
    return dict(sorted(found.items(), key=lambda pair: -len(pair[1])))


def _click(hit: Any) -> _Click | None:
    for element in hit.iter("*"):
        for attribute in ("onclick", "href"):
            said = element.get(attribute) or ""
            is_script = attribute == "onclick" or said.strip().lower().startswith("javascript:")
            if is_script and (leads := _LEADS.search(said)):
                before = leads[0].removesuffix(leads[2] + leads[1])
                return _Click(attribute, before, leads[2], leads[1])
            if is_script and (called := _CALL.search(said)):
                before = f"{called[1]}({called[2]}"
                return _Click(attribute, before, called[3], called[2], called[1])
    return None


def _templates(page: ParsedAnswer, function: str) -> Iterator[str]:
    """Yield the addresses that a function in a page's own scripts builds."""
    for script in page.root.iter("script"):
        said = script.text or ""
        at = re.search(rf"\b{re.escape(function)}\b", said)
        for built in _BUILT.finditer(said[at.end() : at.end() + _BODY] if at else ""):
            address = urljoin(page.answer.base, built["before"])
            yield f"{literal(address)}{{link}}{literal(built['after'] or '')}"
