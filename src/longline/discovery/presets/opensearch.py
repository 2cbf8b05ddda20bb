"""Read OpenSearch descriptions, in which a site describes its own search."""

import re
from typing import Any

import parsel

from longline.errors import SpecError
from longline.model import Response
from longline.source import Spec, read_spec, whole_references, write_toml
from longline.text.charset import read_text

FEEDS = ("application/atom+xml", "application/rss+xml")
"""Types of answers that can be read on any site, the better one first."""

_TERMS = {
    "searchTerms": "query",
    "count": "size",
    "startIndex": "offset",
    "startPage": "page",
    "inputEncoding": "",
    "outputEncoding": "",
    "language": "",
}
_NAME = re.compile(r"\{([\w:]+)(\??)\}")
_QUERY = re.compile(r"\?(?!\})")
"""Matches the question mark before the parameters, but not that of an optional name."""

_ENTRY = "*[local-name()='entry' or local-name()='item']"
_SUMMARY = "./*[local-name()='summary' or local-name()='description']"
_WHOLE = "./*[local-name()='content' or local-name()='encoded']"
_RESULTS = {
    "hit": f"xpath://{_ENTRY}",
    # A picture or the feed's own record of the entry is not what readers open.
    "link": "xpath:./*[local-name()='link'][@href]"
    "[not(starts-with(@type, 'image/') or @rel='self')][1]/@href"
    " | ./*[local-name()='link'][not(@href)][1]",
    "title": "xpath:./*[local-name()='title']",
    "snippet": f"xpath:({_SUMMARY} | {_WHOLE})[1]",
    "text": f"xpath:({_WHOLE})[1]",
    "total": "xpath://*[local-name()='totalResults']",
}

ROOT_WITHIN = 5000
"""How many bytes of an answer are searched for its root, which comments may precede."""

DESCRIBED = (
    "//*[local-name()='link'][@rel='search'][@type='application/opensearchdescription+xml']/@href"
)
"""XPath of a page's or a feed's link to its site's description."""


def described(response: Response, *, has_pages: bool = False) -> Spec | None:
    """Read an OpenSearch description, or return None if it offers no feed.

    Args:
        response: The description.
        has_pages: Whether it stands on a page of the site. Then a feed that has only the first
            results is left out, where the site's own search is named beside it.

    Source: OpenSearch 1.1 draft 6, sections "URL template syntax" and "response elements".

    >>> body = b'''<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
    ... <ShortName>Shop</ShortName>
    ... <Url type="application/rss+xml" template="https://shop.example/?q={searchTerms}&amp;p={startPage?}"/>
    ... </OpenSearchDescription>'''
    >>> described(Response(url="https://shop.example/d.xml", status=200, body=body)).ask.url
    'https://shop.example/?q={query}&p={page}'
    """
    root = _root(response)
    urls = {
        url.attrib.get("type", "").partition(";")[0].strip(): url
        for url in root.xpath("//*[local-name()='Url']")
    }
    url = next((urls[kind] for kind in FEEDS if kind in urls), None)
    if url is None:
        return None
    template = _template(url.attrib.get("template", ""))
    goes_on = "{page}" in template or "{offset}" in template
    if has_pages and "text/html" in urls and not goes_on:
        return None
    name = root.xpath("string(//*[local-name()='ShortName'])").get("").strip() or "opensearch"
    ask: dict[str, Any] = {"url": template} | _firsts(url)
    tables = {
        "source": {"name": name, "url": response.url, "kind": "xml"},
        "ask": ask,
        "results": _RESULTS,
    }
    try:
        return read_spec(write_toml(tables, notes={}), where=response.url)
    except SpecError:
        return None


def is_description(response: Response) -> bool:
    """Return whether an answer is an OpenSearch description itself.

    >>> body = b"<OpenSearchDescription><ShortName>Shop</ShortName></OpenSearchDescription>"
    >>> is_description(Response(url="https://shop.example/osd", status=200, body=body))
    True
    """
    if b"OpenSearchDescription" not in response.body[:ROOT_WITHIN]:
        return False
    return bool(_root(response).xpath("/*[local-name()='OpenSearchDescription']"))


def _root(response: Response) -> parsel.Selector:
    text = whole_references(read_text(response.body, response.content_type, "xml")[1])
    return parsel.Selector(text=text, type="xml")


def _template(template: str) -> str:
    """Write a template with longline's names, without parameters that would have no value."""
    before, *sent = _QUERY.split(template, maxsplit=1)
    kept = [part for part in "&".join(sent).split("&") if not _is_left_out(part)]
    return _named("?".join([before, *(["&".join(kept)] if sent else [])]))


def _is_left_out(part: str) -> bool:
    """Return whether a parameter has only optional names that longline never fills in."""
    names = _NAME.findall(part.partition("=")[2])
    return bool(names) and all(optional and not _ours(name) for name, optional in names)


def _named(template: str) -> str:
    return _NAME.sub(lambda found: f"{{{_ours(found[1])}}}" if _ours(found[1]) else "", template)


def _ours(name: str) -> str:
    ours = _TERMS.get(name, "")
    return "" if ours == "size" else ours


def _firsts(url: parsel.Selector) -> dict[str, int]:
    """Return the numbers of the first hit and page: 1 unless the description says otherwise."""
    offset, page = url.attrib.get("indexOffset", "1"), url.attrib.get("pageOffset", "1")
    return {
        "first_offset": int(offset) if offset.isdigit() else 1,
        "first_page": int(page) if page.isdigit() else 1,
    }
