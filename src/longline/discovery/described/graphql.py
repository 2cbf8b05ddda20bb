"""Find a GraphQL endpoint, read its schema by introspection, and write a spec for it."""

import json
import re
from html import unescape
from itertools import islice
from typing import Any
from urllib.parse import urljoin, urlsplit

import msgspec

from longline.discovery.answer import as_data, kind_of
from longline.discovery.described.graphql_schema import INTROSPECTION, Listing, Schema
from longline.discovery.described.listed import Listed, NotDescribed, home_of, read_list, spec_of
from longline.discovery.fields import fields_of_answer
from longline.discovery.reading import data_hits_in
from longline.discovery.session import Asking, DiscoverySession
from longline.model import Page, Query, Request, Response
from longline.source import Source, Spec

HEADERS = (("Content-Type", "application/json"), ("Accept", "application/json"))
PATHS = ("/graphql", "/api/graphql", "/graphql/")
"""Usual paths of endpoints, for sites whose pages name none."""

SIZES = (100, 50, 20, 10)
"""Numbers of rows to request, in this order: many servers refuse more than their limit."""

WORDS = ("the", "a", "de", "of")
"""Words to query where a search shows nothing without words."""

LISTINGS_TRIED = 3
MARKS = re.compile(rb"graphiql|graphql[- ]?playground|apollo[\w -]*sandbox|altair|graphql", re.I)
_NAMED = re.compile(r"""["'(=]\s*([^\s"'()<>=]*graphql/?)["')?]""", re.IGNORECASE)

_AS_CODE = re.compile(r"(?:<code[^<>]*>|\bPOST)\s*(https?://[^\s<>]+)")
ADDRESSES = 2
"""Maximum number of a documentation's addresses that may be the endpoint."""

_EXAMPLE = re.compile(r"<(?:pre|code)\b.*?</(?:pre|code)>", re.DOTALL | re.IGNORECASE)
_VALUE = re.compile(r"""\b(\w+)"?\s*:\s*\\?"([^"\\\n]{1,100})\\?\"""")
"""Matches an argument with its value in a query, or in its variables."""

BY_HAND = (
    'write a source.toml: [ask] method = "POST", body = \'{"query": "...", "variables": '
    '{"q": "{query}"}}\' (docs/how-to/sources/graphql.md)'
)
"""Advice for the user where an endpoint does not describe itself."""


def endpoints_in(url: str, answer: Response | None, refused: str = "") -> list[str]:
    """Return addresses that may be endpoints, by an address and its answer; [] if there is no sign.

    Args:
        url: The address.
        answer: Its answer; None if it was refused.
        refused: What was said then.

    >>> endpoints_in("https://x.example/api/graphql", None)
    ['https://x.example/api/graphql']
    """
    said = f"{urlsplit(url).path} {refused}"
    found = [url.partition("?")[0]] if re.search(r"graphql|\bgql\b", said, re.I) else []
    if answer is not None and MARKS.search(answer.body):
        text = answer.body.decode("utf-8", "replace")
        for named in _NAMED.findall(text.replace("\\/", "/")):
            try:
                at = urljoin(url, named)
            except ValueError:
                continue
            if urlsplit(at).netloc == urlsplit(url).netloc:
                found.append(at)
        at_host = (
            at for at in _AS_CODE.findall(text) if urlsplit(at).netloc == urlsplit(url).netloc
        )
        found += islice(at_host, ADDRESSES)
        if (
            re.search(rb"graphiql|playground|sandbox", answer.body, re.I)
            or kind_of(answer) == "json"
        ):
            found.append(url.partition("?")[0])
    return list(dict.fromkeys(found))


def values_in(answer: Response | None) -> dict[str, str]:
    """Return the values of arguments in the examples of a documentation, by name.

    >>> body = b'<pre>{ posts(of: "7", first: 9) { id } }</pre>'
    >>> values_in(Response(url="https://x.example/", status=200, body=body))
    {'of': '7'}
    """
    text = "" if answer is None else answer.body.decode("utf-8", "replace")
    examples = " ".join(map(unescape, _EXAMPLE.findall(text)))
    return dict(reversed(_VALUE.findall(examples)))


def graphql_source(
    session: DiscoverySession, endpoints: list[str], home: Response | None = None
) -> Asking[Listed | None]:
    """Return how to query an endpoint; None if none of the addresses is one.

    Only queries are sent. By the rules of GraphQL, they change nothing.

    Args:
        session: The session.
        endpoints: Addresses that may be endpoints.
        home: The answer of the address given: its examples give values of required arguments.

    Raises:
        NotDescribed: An endpoint does not describe itself, or has nothing to list.
    """
    for endpoint in endpoints:
        answer = yield _sent(endpoint, {"query": "{ __typename }"})
        data = _data(answer)
        if (
            data is None
            or not isinstance(data.get("data"), dict)
            or "__typename" not in data["data"]
        ):
            continue
        endpoint = (
            endpoint if answer is None else answer.url
        )  # a redirect costs a request each time
        described = yield _sent(endpoint, {"query": INTROSPECTION})
        told = _data(described) or {}
        schema = told.get("data")
        if not isinstance(schema, dict) or not schema.get("__schema"):
            why = session.reason if described is None else _errors(told)
            raise NotDescribed(
                f"{endpoint} is a GraphQL endpoint, and refuses introspection: {why}", BY_HAND
            )
        listings = Schema(schema, values_in(home)).listings()
        found = yield from _best(session, endpoint, listings)
        if found is not None:
            return found
        raise NotDescribed(
            f"{endpoint} is a GraphQL endpoint, and no field of it lists objects without other "
            f"arguments: {session.reason or 'see its schema'}",
            BY_HAND,
        )
    return None


def _sent(endpoint: str, body: dict[str, Any]) -> Request:
    return Request(endpoint, "POST", HEADERS, json.dumps(body).encode())


def _data(answer: Response | None) -> dict[str, Any] | None:
    try:
        data = None if answer is None else json.loads(answer.body)
    except ValueError:
        return None
    return data if isinstance(data, dict) else None


def _errors(told: dict[str, Any]) -> str:
    said = [str(each.get("message")) for each in told.get("errors") or () if isinstance(each, dict)]
    return (said or [""])[0][:200] or "it answers without a schema"


def _best(
    session: DiscoverySession, endpoint: str, listings: list[Listing]
) -> Asking[Listed | None]:
    """Return the list with the most text, among fields of the highest rank; None if none works."""
    best: tuple[float, Listed] | None = None
    for listing in listings[:LISTINGS_TRIED]:
        if best is not None and listing.rank[:2] < listings[0].rank[:2]:
            break
        found = yield from _tried(session, endpoint, listing)
        if found is not None and (best is None or found[0] > best[0]):
            best = found
    if best is None:
        return None
    others = [each.name for each in listings if f"{each.name}(" not in best[1].spec.ask.body]
    return best[1]._replace(left_out=tuple(others))


def _tried(
    session: DiscoverySession, endpoint: str, listing: Listing
) -> Asking[tuple[float, Listed] | None]:
    """Request everything that a field lists; return its score and its list, or None."""
    for size in SIZES if listing.size else (0,):
        tables = _tables(session.url, endpoint, listing, size)
        spec = spec_of(tables)
        query = Query(())
        request = Source(spec).search_request(query)
        answer = yield request
        shown = as_data(request, answer)
        told = None if shown is None else _data(answer)
        if answer is None or shown is None or told is None or told.get("errors"):
            session.reason = _errors(told) if told else session.reason
            continue
        hits = data_hits_in(shown, listing.path)
        for word in WORDS if hits is None and listing.needs_words else ():
            tables["ask"] = _ask(tables["ask"], listing)
            query = Query((word,))
            request = Source(spec_of(tables)).search_request(query)
            answer = yield request
            shown = as_data(request, answer, word)
            hits = None if shown is None else data_hits_in(shown, listing.path)
            if hits is not None:
                break
        if hits is None or answer is None:
            session.reason = f"{listing.name} lists nothing that tells its objects apart"
            return None
        results = tables["results"]
        named = (("key", hits.key), ("link", hits.link), ("title", hits.title))
        results |= {name: f"jmes:{path}" for name, path in named if path}
        results["text"] = f"jmes:{hits.text or hits.title or hits.key}"
        page = Source(spec_of(tables)).page(query, 1, request, answer)
        if listing.counted_by == "page":
            zeroth = yield from _zeroth(tables, query, page)
            page, answer = zeroth or (page, answer)
        rows = len(page.hits)
        if listing.counted_by or page.next is not None or (page.exact_total or 0) > rows:
            tables["ask"]["page_size"] = rows  # a full page, up to the server's limit
        spec = spec_of(tables)
        if not query.required:
            spec = yield from _searched(listing, tables, page)
        spec = _with_fields(spec, page, answer)
        total = page.total.documents if page.total else rows
        length = sum(len(hit.text or "") for hit in page.hits) / max(len(page.hits), 1)
        how = "listed" if spec.ask.lists else "searched by words"
        how += "" if query.required or spec.ask.lists else ", and listed without"
        seen = (
            f"the GraphQL field {listing.name} of {endpoint}, as its schema describes it",
            f"objects of the type {listing.type}, {how}; {rows} in the first answer"
            + (f" of {total:,}" if page.total else ", which does not say how many there are"),
        )
        return total * min(length, 1000.0), Listed("GraphQL list", spec, seen)
    return None


def _zeroth(
    tables: dict[str, Any], query: Query, page: Page
) -> Asking[tuple[Page, Response] | None]:
    """Return page 0, and count pages from 0, if it has hits that page 1 lacks; else None."""
    ask = tables["ask"]
    tables["ask"] = ask | {"first_page": 0}
    request = Source(spec_of(tables)).search_request(query)
    answer = yield request
    zeroth = None if answer is None else read_list(tables, answer, request=request, query=query)
    if answer is None or zeroth is None or not set(zeroth.keys) - set(page.keys):
        tables["ask"] = ask
        return None
    return zeroth, answer


def _searched(listing: Listing, tables: dict[str, Any], page: Page) -> Asking[Spec]:
    """Return a spec that searches if words change the answer, else one that lists."""
    if page.exact_total is not None:
        tables["ask"]["lists"] = "all"
    if listing.search:
        searching = {**tables, "ask": {**_ask(tables["ask"], listing), "dialect": {"all": ""}}}
        spec = spec_of(searching)
        word = Query(("zqxjvkwq",))
        asked = Source(spec).search_request(word)
        answer = yield asked
        nothing = None if answer is None else read_list(spec, answer, request=asked, query=word)
        if nothing is not None and nothing.keys != page.keys:
            return spec
    return spec_of(tables)


def _ask(ask: dict[str, Any], listing: Listing) -> dict[str, Any]:
    """Return the [ask] table that sends words, made from the one that lists everything."""
    ask = {name: value for name, value in ask.items() if name != "lists"}
    ask["body"] = listing.body(words=True)
    if listing.by_cursor:
        ask["next_body"] = listing.body(words=True, later=True)
    return ask


def _tables(url: str, endpoint: str, listing: Listing, size: int) -> dict[str, Any]:
    ask: dict[str, Any] = {
        "url": endpoint,
        "method": "POST",
        "body": listing.body(words=False),
        "headers": dict(HEADERS),
        "lists": "part",
    }
    results = {"hit": f"jmes:{listing.path}", "key": "jmes:@"}
    if size:
        ask["page_size"] = size
    if listing.by_cursor:
        ask["next_body"] = listing.body(words=False, later=True)
        results["next"] = f"jmes:{listing.next}"
    if listing.total:
        results["total"] = f"jmes:{listing.within(listing.total)}"
        results["total_relation"] = "exact"
    return {"source": home_of(url, "json"), "ask": ask, "results": results}


def _with_fields(spec: Spec, page: Page, answer: Response) -> Spec:
    return msgspec.structs.replace(spec, fields=fields_of_answer(spec, page, answer))
