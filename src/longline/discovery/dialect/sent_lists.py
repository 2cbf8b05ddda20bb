"""Find the lists of a drawn page whose chosen values its script sends."""

from copy import deepcopy
from typing import Any

import msgspec

from longline.discovery.answer import text
from longline.discovery.reading import fields_in, slots_of
from longline.source.spec import Ask, FacetField


def lists_sent(page: Any, ask: Ask) -> dict[str, FacetField]:
    """Return the lists of a page as facets of the request that its script sends.

    A list belongs to the only place of the request that has its chosen value. One without an "any"
    value is required.

    Args:
        page: The page as drawn, as an element.
        ask: How the script queries.

    >>> from lxml.html import fromstring
    >>> page = fromstring("<p><input><select><option>2025<option>2024</select></p>")
    >>> asked = Ask(url="https://x.example/s", body='{"q": "{query}", "years": ["2025"]}')
    >>> found = lists_sent(page, asked)["years"]
    >>> found.parameter, found.values, found.required
    ('years', ['2025', '2024'], True)
    """
    found: dict[str, FacetField] = {}
    for select in page.iter("select"):
        options = select.xpath(".//option[@selected]") or select.xpath(".//option")
        chosen = options[0].get("value", text(options[0])).strip() if options else ""
        sent = [slot for slot, value in slots_of(ask).items() if chosen and value == chosen]
        names = [name for name in sent[0].names if not name.isdigit()] if len(sent) == 1 else []
        if not names or sent[0].where == "path":
            continue
        named = deepcopy(select)
        named.set("name", names[-1])
        for name, field in fields_in(named, "", alone=True).items():
            found[name] = msgspec.structs.replace(field, parameter=".".join(names))
    return found
