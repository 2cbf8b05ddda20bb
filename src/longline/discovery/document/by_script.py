"""Find documents that a click on a hit opens by a script, as onclick="show(7)" does."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urljoin

from longline.discovery.answer import ParsedAnswer, literal
from longline.discovery.document.own_page import first_hits, is_of, own_request
from longline.discovery.session import Asking, DiscoverySession, change_results

_CALL = re.compile(r"(\w+)\(\s*(['\"]?)([\w./-]+)\2\s*[,)]")
_LEADS = re.compile(
    r"(?:\blocation(?:\.href)?\s*=\s*|\blocation\.(?:assign|replace)\(|\bopen\()(['\"])([^'\"]+)\1"
)
"""Matches a complete address that a click leads to."""

_BUILT = re.compile(
    r"(?P<q>['\"])(?P<before>[^'\"<>\s]*[/=])(?P=q)\s*\+\s*\w+(?:\s*\+\s*(['\"])(?P<after>[^'\"<>\s]*)\3)?"
)
"""Matches an address that a script inserts a value into: '/doc/' + id + '.html'."""

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
    """Find the addresses that a result page's scripts open for hits without a link."""
    if session.results is None or session.results.link:
        return
    pages = [page for page in session.probes if session.keys(page)]
    clicks = [_click(hit) for page in pages for hit in session.elements(page)]
    first = next(iter(clicks), None)
    if first is None or len({each and each.selector for each in clicks}) > 1:
        return
    if len({each.value for each in clicks if each}) < 2:
        return
    before = session.results
    built = dict.fromkeys(_templates(pages[0], first.function)) if first.function else [""]
    for template in list(built)[:TEMPLATES_TRIED]:
        change_results(session, link=first.selector, link_template=template, key="", text="")
        hits = first_hits(session)[:2]
        opened = []
        for hit in hits:
            shown = yield from session.get(own_request(session, hit.url))
            opened.append(shown is not None and is_of(shown, hit))
        if len(opened) > 1 and all(opened):
            for name in ("results.key", "results.text"):
                session.findings.pop(name, None)
            script = (
                f"script that a click calls, {first.function}," if template else "click's script"
            )
            seen = f"the {script} leads there; two hits were there"
            session.find("results.link", first.selector, "sure", seen)
            if template:
                session.find("results.link_template", template, "sure", seen)
            return
    session.results = before


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
