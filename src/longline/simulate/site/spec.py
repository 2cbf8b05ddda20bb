"""Source specs for a simulated site, as TOML: for its pages, and for its JSON API."""

from typing import Any

import tomli_w

from longline.model import Facet
from longline.simulate.search import Box

Keys = dict[str, Any]


def html_spec(box: Box, name: str, base: str) -> str:
    """Return the spec for the site's pages, by its search form.

    Args:
        box: The search box behind the site.
        name: The site's name.
        base: The site's URL, with a slash at the end.
    """
    results: Keys = {
        "hit": "css:ol.results > li",
        "link": "css:h2 > a",
        "key": "css:.key",
        "title": "css:h2 > a",
        "snippet": "css:.snippet",
        "next": "css:a[rel=next]",
        "empty": "css:p.none",
    }
    if box.counts != "none":
        results |= {"total": "css:p.total", "total_pattern": "of (?:about )?([0-9,]+)"}
    form = {"page": f"{base}search", "selector": "css:form[role=search]", "field": "q"}
    return tomli_w.dumps(
        {
            "source": {"name": name, "url": base, "kind": "html"},
            "ask": _ask(box, {"form": form}),
            "results": results | _relation(box),
            "document": {"text": "css:article", "title": "css:h1"},
            **_facets(box),
        }
    )


def api_spec(box: Box, name: str, base: str) -> str:
    """Return the spec for the site's JSON API; arguments as for `html_spec`."""
    results: Keys = {
        "hit": "jmes:hits[*]",
        "link": "jmes:api_url",
        "key": "jmes:id",
        "title": "jmes:title",
        "snippet": "jmes:snippet",
        "next": "jmes:next",
    }
    if box.counts != "none":
        results["total"] = "jmes:total"
    return tomli_w.dumps(
        {
            "source": {"name": name, "url": base, "kind": "json"},
            "ask": _ask(box, {"url": f"{base}api/search?q={{query}}&page={{page}}"}),
            "results": results | _relation(box),
            "document": {"text": "jmes:text", "title": "jmes:title"},
            **_facets(box),
        }
    )


def _ask(box: Box, how: Keys) -> Keys:
    ask: Keys = how | {"page_size": box.page_size}
    if box.limit is not None:
        ask["limit"] = box.limit
    if box.ranking == "meaning":
        ask["ranking"] = "meaning"
    dialect: Keys = {"not": "NOT {term}", "or": " OR "} if box.boolean else {}
    dialect |= {"all": ""} if box.lists_all else {}
    return ask | ({"dialect": dialect} if dialect else {})


def _facets(box: Box) -> Keys:
    return {"facets": {facet.name: _facet(facet) for facet in box.facets}} if box.facets else {}


def _facet(facet: Facet) -> Keys:
    keys: Keys = {"parameter": facet.name, "kind": facet.kind}
    if facet.kind in ("list", "prefix"):
        return keys | {"values": facet.values}
    return keys | {"parameter_to": f"{facet.name}_to", "low": facet.low, "high": facet.high}


def _relation(box: Box) -> Keys:
    relations: dict[str, Keys] = {
        "exact": {"total_relation": "exact"},
        "approximate": {"total_relation": "about"},
        "shown": {"total_relation": "exact"},
        "none": {},
    }
    return relations[box.counts]
