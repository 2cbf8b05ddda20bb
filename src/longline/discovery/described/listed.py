"""Specs of the lists that a site provides: search indexes, sitemaps, feeds, OAI-PMH."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

import msgspec

from longline.errors import LonglineError
from longline.model import Page, Query, Request, Response
from longline.source import Source, Spec, read_spec, write_spec, write_toml

Kind = Literal[
    "search index",
    "sitemap",
    "folder",
    "feed",
    "OAI-PMH",
    "JSON list",
    "GraphQL list",
    "ArcGIS layer",
    "page of links",
]

_FEED_LINK = (
    "xpath:(./link[@href][not(@rel) or @rel='alternate']/@href | ./link[not(@href)]"
    " | ./link[@href]/@href)[1]"
)


EVERYTHING = Query(())

FURTHER = 0.05
"""Another list with this share of the longest one's rows is one of documents, too."""

NAMED = 20
"""Maximum number of names in a sentence."""


class NotDescribed(Exception):
    """A source of a known kind says too little to be harvested; `advice` says what to do."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


class Listed(NamedTuple):
    """A list of its documents that a site provides.

    Attributes:
        kind: Kind of list.
        spec: How to read it.
        seen: Findings about it, for the user.
        left_out: The other lists of the site, which a harvest of this one leaves out.
        is_cut: It announces more rows than it shows, and no way to the others was found.
        named: Number of documents on the part that was read, if it may end there; else 0.
    """

    kind: Kind
    spec: Spec
    seen: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    is_cut: bool = False
    named: int = 0

    def said(self) -> str:
        """Return one line that says what the list is, and what it leaves out."""
        return "; ".join([self.seen[0], *self._omission()])

    def _omission(self) -> list[str]:
        others = listed_names(self.left_out)
        return [f"other {self.kind}s are left out: {others}"] if others else []

    def toml(self) -> str:
        """Return the spec as TOML, with the findings."""
        return write_spec(self.spec, notes={"source": "\n".join([*self.seen, *self._omission()])})


def listed_names(names: Sequence[str]) -> str:
    """Return names for a sentence: the first ones, and how many more there are.

    >>> listed_names([f"list {n}" for n in range(22)])[-20:]
    ', list 19 and 2 more'
    """
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def longest_of(read: Sequence[tuple[int, Listed]]) -> Listed:
    """Return the longest list, whose spec names the others that are no short list of terms.

    Args:
        read: Lists, each with its number of rows.
    """
    most, best = max(read, key=lambda pair: pair[0])
    own, *others = (
        Source(spec).search_request(EVERYTHING).url
        for spec in (best.spec, *(each.spec for rows, each in read if rows >= FURTHER * most))
    )
    # The same list may have been asked for with and without its length.
    places = {own.partition("?")[0]: own}
    for url in others:
        places.setdefault(url.partition("?")[0], url)
    further = [url for url in places.values() if url != own]
    home = msgspec.structs.replace(best.spec.source, left_out=further)
    return best._replace(spec=msgspec.structs.replace(best.spec, source=home))


def spec_of(tables: dict[str, Any]) -> Spec:
    """Return a checked spec.

    Raises:
        SpecError: It contradicts itself.
    """
    return read_spec(write_toml(tables, notes={}))


def read_list(
    spec: Spec | dict[str, Any],
    answer: Response,
    number: int = 1,
    request: Request | None = None,
    query: Query = EVERYTHING,
) -> Page | None:
    """Read a page of a list by its spec or its tables; return None if it is not one."""
    try:
        source = Source(spec_of(spec) if isinstance(spec, dict) else spec)
        return source.page(query, number, request or Request(answer.url), answer)
    except LonglineError:
        return None


def home_of(url: str, kind: str) -> dict[str, str]:
    """Return the table [source] of a site."""
    name = (urlsplit(url).hostname or "source").removeprefix("www.")
    return {"name": name, "url": url, "kind": kind}


def sitemap_tables(home: str, url: str) -> dict[str, Any]:
    """Return the spec of a sitemap, or of an index of sitemaps.

    Source: the sitemaps protocol 0.9.
    """
    return {
        "source": home_of(home, "xml"),
        "ask": {"url": url, "lists": "part"},
        "results": {
            "hit": "xpath://url[loc]",
            "link": "xpath:./loc",
            "files": "xpath://sitemap/loc",
        },
        "fields": {"changed": {"row": "xpath:./lastmod", "type": "date"}},
    }


def folder_tables(home: str, url: str) -> dict[str, Any]:
    """Return the spec of a web server's folder listing: its files, and its subfolders.

    Source: Apache's mod_autoindex, nginx' ngx_http_autoindex_module, Python's http.server.
    """
    inner = "not(contains(@href, '?') or contains(@href, ':') or starts-with(@href, '/')"
    inner += (
        " or starts-with(@href, '..') or @href = './' or @href = '' or starts-with(@href, '#'))"
    )
    last = "substring(@href, string-length(@href))"
    return {
        "source": home_of(home, "html"),
        "ask": {"url": url, "lists": "part"},
        "results": {
            "hit": f"xpath://a[@href and {inner} and {last} != '/']",
            "link": "xpath:./@href",
            "title": "xpath:.",
            "files": f"xpath://a[{inner} and {last} = '/']/@href",
        },
        "document": {"text": "css:body"},
    }


def feed_tables(home: str, url: str) -> dict[str, Any]:
    """Return the spec of a feed in RSS or Atom, with its further pages.

    Source: RFC 4287; RFC 5005, sections 3 and 4; RSS 2.0.
    """
    return {
        "source": home_of(home, "xml"),
        "ask": {"url": url, "lists": "part"},
        "results": {
            "hit": "xpath://*[self::entry or self::item][link]",
            "link": _FEED_LINK,
            "title": "xpath:./title",
            "snippet": "xpath:(./encoded | ./content | ./summary | ./description)[1]",
            "next": "xpath:(/*/link | /*/channel/link)[@rel='next' or @rel='prev-archive']/@href",
        },
        "fields": {
            "published": {
                "row": "xpath:(./published | ./pubDate | ./date | ./updated)[1]",
                "type": "date",
            }
        },
    }


def json_feed_tables(home: str, url: str) -> dict[str, Any]:
    """Return the spec of a JSON feed. Source: JSON Feed 1.1."""
    return {
        "source": home_of(home, "json"),
        "ask": {"url": url, "lists": "part"},
        "results": {
            "hit": "jmes:items[*]",
            "key": "jmes:id",
            "link": "jmes:url || external_url || id",
            "title": "jmes:title",
            "snippet": "jmes:content_html || content_text || summary",
            "next": "jmes:next_url",
        },
        "fields": {"published": {"row": "jmes:date_published", "type": "date"}},
    }


ADDRESS = "xpath:.//metadata//identifier[starts-with(normalize-space(), 'http')]"
"""Where a record has the address of its document."""

DUBLIN_CORE = "subject", "type"
"""Further elements of a record to keep as fields; the text of a record holds all of them."""


def oai_tables(home: str, base: str) -> dict[str, Any]:
    """Return the spec of an OAI-PMH repository: all records, in Dublin Core.

    Source: OAI-PMH 2.0, sections 3.5, 4.5.
    """
    verb = f"{base}?verb=ListRecords"
    return {
        "source": home_of(home, "xml"),
        "ask": {
            "url": f"{verb}&metadataPrefix=oai_dc",
            "next_url": f"{verb}&resumptionToken={{next}}",
            "lists": "all",
        },
        "results": {
            "hit": "xpath://record[not(header/@status='deleted')]",
            "link": ADDRESS,
            "key": "xpath:./header/identifier",
            "title": "xpath:(./metadata//title)[1]",
            "text": "xpath:./metadata",
            "language": "xpath:(./metadata//language)[1]",
            "next": "xpath://resumptionToken[normalize-space()]",
            "empty": "xpath://ListRecords",  # missing in errors, such as an expired token
            "total": "xpath://resumptionToken/@completeListSize",
            "total_relation": "about",  # may include deleted records, or not
            "deleted": "xpath://record[header/@status='deleted']",
        },
        "fields": {
            "address": {"row": ADDRESS, "type": "url"},
            "changed": {"row": "xpath:./header/datestamp", "type": "date"},
            "creator": {"row": "xpath:./metadata//creator", "many": True},
            "date": {"row": "xpath:(./metadata//date)[1]"},
            "set": {"row": "xpath:./header/setSpec", "many": True},
            **{name: {"row": f"xpath:./metadata//{name}", "many": True} for name in DUBLIN_CORE},
        },
    }


def index_tables(home: str, url: str, template: str) -> dict[str, Any]:
    """Return the spec of a search index in a single file."""
    return {
        "source": home_of(home, "json"),
        "ask": {"url": url, "lists": "all"},
        "results": {
            "hit": f"jmes:search_index(@, '{template}')[*]",
            "link": "jmes:url",
            "title": "jmes:title",
        },
    }


def pagefind_tables(home: str, url: str) -> dict[str, Any]:
    """Return the spec of Pagefind's index: a list of its parts, and a file for each page."""
    tables = index_tables(home, url, "{}")
    tables["results"] |= {
        "files": "jmes:map(&join('', ['pagefind.', hash, '.pf_meta']), values(languages))"
    }
    del tables["results"]["title"]
    tables["document"] = {"text": "jmes:content", "title": "jmes:meta.title"}
    tables["fields"] = {"address": {"page": "jmes:url", "type": "url"}}
    return tables
