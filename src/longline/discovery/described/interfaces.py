"""Find how an API describes itself: its description, and the templates at its root."""

import json
import re
import shlex
from collections import defaultdict
from contextlib import suppress
from itertools import pairwise
from urllib.parse import urldefrag, urljoin, urlsplit

import parsel

from longline.discovery.answer import as_data, kind_of
from longline.discovery.described.defaults import documented
from longline.discovery.described.openapi import (
    PLACES,
    configured_in,
    configuring_scripts,
    descriptions_in,
    is_swagger_ui,
    operations_in,
    read_description,
)
from longline.discovery.described.operations import (
    Operation,
    Parameter,
    counted_by_odata,
    is_odata,
    operation_at,
    ranked,
    sent_beside,
)
from longline.discovery.described.uri_templates import operation_of, templates_in, texts_in
from longline.discovery.reading import ask_of, leaves_of, longest_list
from longline.discovery.routes import html_of
from longline.discovery.session import Asking
from longline.discovery.words import terms
from longline.model import Request, Response
from longline.source.spec import Ask

FEW = 2
"""A list at the root of an API with more rows than this is one of documents. At an address with
parameters, any list is."""

FEWER = 2
"""How many usual places are tried where a page does not mention an API, or where a script draws the
page, which shows the requests anyhow."""

INNER = 2
"""Maximum number of addresses at a root that are named a search and are read for templates."""


_OF_PROGRAMS = re.compile(
    rb"\b(?:apis?|json|xml|rest|swagger|openapi|endpoints?|web ?services?|interface)\b",
    re.IGNORECASE,
)
"""Matches words by which a page mentions an API."""

FEW_LINKS = 6
"""On a page without a form and with no more links than this, one of them may lead to a list."""

_TEMPLATE = re.compile(r"(?:https?:/)?/[^\s\"'<>{}]+\{[\w-]+\}[^\s\"'<>]*")
_BY_ID = re.compile(r"^(?:https?:/)?/[^\s?{}]+\{\w*id\}$", re.IGNORECASE)
"""Matches the template of a document's address."""

_OF_ONE = re.compile(r"((?:https?:/)?/[^\s\"'<>?{}\[\]]+)/\d{2,}(?![\w/.])")
"""Matches the address of one document, given as an example, without its number."""

_EXAMPLE = re.compile(r"(?:https?:/)?/[^\s\"'<>]+\?[^\s\"'<>]+")
_BODIES = ("-d", "--data", "--data-raw", "--json")
"""Options of curl that send a body."""

_HEADER = re.compile(r"""(?:-H|--header)[ =]*(["'])([\w-]+):\s*([^"']+)\1""")
"""Matches a header in an example for curl."""

_STANDS_IN = re.compile(r"[<{$\[]|\byour\b|your_|xxx|\.\.\.|…", re.IGNORECASE)
"""Matches what stands in an example for a key that everyone has to get."""

_EDITOR = re.compile(rb"<textarea[^>]+name=[\"']?query\b", re.IGNORECASE)
_SERVICE = b"sparql-service-description#"

BY_SELECT = "write a source.toml with a SELECT in [ask] url (docs/how-to/sources/sparql.md)"
"""What to do about a SPARQL endpoint."""


def operations_of(url: str, home: Response | None) -> Asking[list[Operation]]:
    """Return the operations that an API describes, the likeliest first; [] if there are none.

    Args:
        url: Address given by the user.
        home: Its answer; None if it was refused.
    """
    if home is None:
        return (yield from usual_operations(url, home))
    own = read_description(home)
    if own is not None:
        return ranked(operations_in(own, home.url))
    found = _templates(home) or (yield from _inner_templates(home))
    described = yield from _described_at(descriptions_in(home))
    if not described and is_swagger_ui(home):
        described = yield from _described_at((yield from _shown_by_swagger_ui(home)))
    return ranked([*found, *described])


def _shown_by_swagger_ui(home: Response) -> Asking[list[str]]:
    """Return the addresses of the descriptions that a page of Swagger UI shows."""
    found = configured_in(home, home.url)
    for place in configuring_scripts(home):
        script = yield Request(place)
        found += [] if script is None else configured_in(script, home.url)
    for place in [each for each in found if "config" in each]:
        config = yield Request(place)
        found += [] if config is None else configured_in(config, home.url)
    return list(dict.fromkeys(found))


def usual_operations(url: str, home: Response | None) -> Asking[list[Operation]]:
    """Return operations from the usual places, for an API that names no description.

    Args:
        url: Address given by the user.
        home: Its answer, or None; a page with a form is not an API.
    """
    if not _is_interface(home):
        return []
    places = PLACES[:FEWER] if home is not None and _is_for_people(home) else PLACES
    usual = [urljoin(url, place) for place in places]
    if urlsplit(url).path.strip("/"):
        usual.insert(0, urljoin(url if url.endswith("/") else f"{url}/", "openapi.json"))
        front = yield Request(urljoin(url, "/"))  # often links to the API's documentation
        usual = [*(descriptions_in(front) if front is not None else []), *usual]
    return ranked((yield from _described_at(usual)))


def _is_for_people(home: Response) -> bool:
    """Return whether a page is drawn by a script, or does not mention an API."""
    is_told = _OF_PROGRAMS.search(home.body) and b"<script" not in home.body
    return kind_of(home) == "html" and not is_told


def examples_in(home: Response) -> list[Operation]:
    """Return the addresses that a page without a form, or a root, gives as examples of a search.

    They are in links, in code or values of JSON, and contain words. On a page with hardly any
    links, addresses without words may be lists.

    >>> page = b"<p>Ask for <code>GET /api/maps?q=river&limit=5</code>.</p>"
    >>> [found] = examples_in(Response(url="https://x.example/", status=200, body=page))
    >>> found.ask().url
    'https://x.example/api/maps?q={query}&limit=5'
    >>> page = b"<pre>curl -H 'Key: 7' 'https://x.example/api?q=sea'</pre>"
    >>> examples_in(Response(url="https://x.example/", status=200, body=page))[0].headers
    (('Key', '7'),)
    """
    if not _is_interface(home):
        return []
    root = html_of(home)
    found: dict[str, Operation] = {}
    written: list[tuple[str, str]] = [(named, "") for named in root.xpath("//a/@href").getall()]
    codes = (
        _values_in(home) or root.xpath("//*[self::code or self::pre]").xpath("string()").getall()
    )
    for code in codes:
        written += [(named, code) for named in _EXAMPLE.findall(code)]
    for named, code in written:
        with suppress(ValueError):
            url = urldefrag(urljoin(home.url, named)).url
            if urlsplit(url).netloc == urlsplit(home.url).netloc and url != home.url:
                sent = operation_at(url, home.url)._replace(headers=_headers_in(code))
                found.setdefault(url, sent)
    names = " ".join([*found, *(named for named, _ in written), *codes])
    templates = [f"{urljoin(home.url, each)}/{{id}}" for each in _OF_ONE.findall(names)]
    templates += [urljoin(home.url, each) for each in _values_in(home) if _BY_ID.search(each)]
    templates += [template for each in found.values() if (template := _of_one(each))]
    documents = tuple(dict.fromkeys(templates))
    told = [Parameter(name, said=said) for name, said in documented(root)]
    settings = tuple({each.name: each.wider for each in told if each.wider}.items())
    alike = defaultdict[str, dict[frozenset[str], str]](dict)  # one example for each set of names
    for url, each in found.items():
        alike[each.url].setdefault(frozenset(p.name for p in each.parameters), url)
    found = {
        url: each.with_places([found[other] for other in alike[each.url].values()])._replace(
            documents=documents,
            settings=settings,
            beside=tuple(filter(None, (sent_beside(url, o) for o in alike[each.url].values()))),
        )
        for url, each in found.items()
    }
    worded = [each for each in found.values() if each.words and each.words.value]
    is_told = _OF_PROGRAMS.search(home.body)
    asking = [each for each in found.values() if each.parameters and is_told]
    return worded or asking or (list(found.values()) if len(found) <= FEW_LINKS else [])


def posted_in(home: Response) -> list[Operation]:
    r"""Return the searches that a page gives as examples for curl that post JSON.

    >>> page = b"<pre>curl https://x.example/s -d '{\"query\": \"sea\", \"size\": 9}'</pre>"
    >>> [found] = posted_in(Response(url="https://x.example/docs", status=200, body=page))
    >>> found.ask().body
    '{"query": "{query}", "size": 9}'
    """
    if kind_of(home) != "html" or not _is_interface(home):
        return []
    codes = html_of(home).xpath("//*[self::code or self::pre]").xpath("string()").getall()
    found = []
    for code in codes:
        with suppress(ValueError):  # quotes that do not end
            asked = _posted(code) if "curl" in code else None
            if asked is not None and urlsplit(asked.url).netloc == urlsplit(home.url).netloc:
                said = f"an example on {home.url}"
                found.append(Operation(asked.url, (), "", said, is_posted=True, posted=asked))
    return found


def _posted(code: str) -> Ask | None:
    """Return how a command for curl posts a search in JSON; None if it does not."""
    words = shlex.split(code.replace("\\\n", " "))
    url = next((word for word in words if word.startswith("http")), "")
    bodies = (word for option, word in pairwise(words) if option in _BODIES)
    body = next(bodies, "")
    data = json.loads(body) if body.lstrip().startswith("{") else {}
    told = (data[name] for name in data if Parameter(name).takes_words)
    sought = next((value for value in told if isinstance(value, str)), "")
    request = Request(url, method="POST", body=body.encode(), headers=_headers_in(code))
    return ask_of(request, sought) if url and sought else None


def _headers_in(code: str) -> tuple[tuple[str, str], ...]:
    """Return the headers that examples for curl send, with their values, but no stand-ins for keys.

    >>> _headers_in("-H 'Accept: text/xml' -H 'Key: YOUR_KEY'")
    (('Accept', 'text/xml'),)
    """
    sent = ((name, value) for _, name, value in _HEADER.findall(code))
    return tuple({pair: None for pair in sent if not _STANDS_IN.search(pair[1])})


def _of_one(example: Operation) -> str:
    """Return the address of documents by an example that sends one identifier alone; else "".

    >>> _of_one(operation_at("https://x.example/text?div=t17560225-34", "a page"))
    'https://x.example/text?div={id}'
    >>> _of_one(operation_at("https://x.example/get?message_id=1405", "a page"))
    'https://x.example/get?message_id={id}'
    """
    [one, *others] = example.parameters or [Parameter("")]
    is_named = one.is_text or one.name.lower().endswith("id")
    if others or one.takes_words or not (is_named and re.search(r"\d", one.value)):
        return ""
    return f"{example.url}?{one.name}={{id}}"


def templates_written(home: Response) -> list[Operation]:
    """Return the operations that a page writes as templates in code, the likeliest first.

    >>> page = b"<p><code>GET /api/maps/{search_query}</code>, <code>GET /api/map/{id}</code>"
    >>> [found] = templates_written(Response(url="https://x.example/docs", status=200, body=page))
    >>> found.ask().url, found.documents
    ('https://x.example/api/maps/{query}', ('https://x.example/api/map/{id}',))
    """
    if kind_of(home) != "html":
        return []
    code = _code_in(html_of(home))
    written = dict.fromkeys(_TEMPLATE.findall(code))
    found = {template: operation_of(template, home.url, template) for template in written}
    documents = tuple(urljoin(home.url, t) for t, each in found.items() if each is None)
    asked = [each for each in found.values() if each and each.ask()]
    headers = _headers_in(code)
    return ranked([each._replace(documents=documents, headers=headers) for each in asked])


def _code_in(root: parsel.Selector) -> str:
    """Return the text in a page's code elements."""
    return " ".join(root.xpath("//*[self::code or self::pre]//text()").getall())


def with_words(example: Operation, answer: Response) -> Operation | None:
    """Return an example with its parameter for words, found by the answer if its name is unclear.

    Words that were queried are in most rows of the answer, or are all that was sent. A list of
    OData is asked for its length. None if the answer is a page, or is needed and cannot be read.
    """
    if kind_of(answer) == "html":
        return None
    if example.words:
        return example
    data = _data(answer)
    if data is None:
        return None
    if is_odata(data):
        return operation_at(counted_by_odata(example.begins), answer.url)
    rows = [str(row).lower() for row in longest_list(data)]

    def is_held(value: str) -> bool:
        return any(2 * sum(word in row for row in rows) > len(rows) for word in terms(value))

    is_alone = len(example.parameters) == 1
    told = (
        each._replace(said="search terms")
        if is_held(each.value) or (is_alone and terms(each.value))
        else each
        for each in example.parameters
    )
    return example._replace(parameters=tuple(told))


def _described_at(places: list[str]) -> Asking[list[Operation]]:
    """Return the operations of the first description found.

    If the address of a data file returns a page, every address does: the loop then stops.
    """
    for place in places:
        answer = yield Request(place)
        if answer is None:
            continue
        description = read_description(answer)
        if description is not None:
            return list(operations_in(description, answer.url))
        if place.endswith((".json", ".yaml")) and kind_of(answer) == "html":
            break
    return []


def _is_interface(home: Response | None) -> bool:
    """Return whether an address has no page with a form, and lists nothing itself."""
    if home is None:
        return True
    if kind_of(home) == "html":
        return not any(mark in home.body for mark in (b"<form", b"<input", b"<textarea"))
    few = 0 if urlsplit(home.url).query else FEW
    data = _data(home) if kind_of(home) == "json" else None
    return data is not None and len(longest_list(data)) <= few


def _data(answer: Response) -> object:
    """Return the data of an answer; None if it cannot be read."""
    shown = as_data(Request(answer.url), answer)
    return None if shown is None else shown.data


def _values_in(home: Response) -> list[str]:
    """Return the texts in a root's JSON; [] for a page."""
    if kind_of(home) != "json":
        return []
    return [text for _, text in texts_in(_data(home))]


def _templates(home: Response) -> list[Operation]:
    return list(templates_in(_data(home), home.url)) if kind_of(home) == "json" else []


def _inner_templates(home: Response) -> Asking[list[Operation]]:
    """Read the addresses of a root that are named a search: in Spring, they list templates."""
    if kind_of(home) != "json":
        return []
    found: list[Operation] = []
    for url in _called_search(home)[:INNER]:
        answer = yield Request(url)
        found += [] if answer is None else _templates(answer)
    return found


def _called_search(home: Response) -> list[str]:
    host = urlsplit(home.url).netloc
    named = [
        urljoin(home.url, value)
        for name, value in leaves_of(_data(home), depth=4)
        if isinstance(value, str) and "search" in name.lower() and value.startswith(("http", "/"))
    ]
    return [url for url in dict.fromkeys(named) if urlsplit(url).netloc == host]


def is_sparql(answer: Response) -> bool:
    """Return whether an address answers with a query editor, or with a service description.

    Source: SPARQL 1.1 Protocol; SPARQL 1.1 Service Description, section 2.

    >>> form = b"<title>SPARQL</title><form><textarea name=query>SELECT</textarea></form>"
    >>> is_sparql(Response(url="https://x.example/sparql", status=200, body=form))
    True
    """
    is_editor = _EDITOR.search(answer.body) is not None and b"sparql" in answer.body.lower()
    return is_editor or _SERVICE in answer.body
