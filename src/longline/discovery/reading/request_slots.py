"""The slots of a request that hold a value: in its URL, a form's body, or a JSON body."""

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import quote, quote_plus, unquote, unquote_plus

import msgspec

from longline.discovery.answer import literal
from longline.model import Request
from longline.source.spec import Ask

_BARE = re.compile(r"(?<=[:,\[])(\s*)\{(page|offset|last|end|size|next)\}")
_DUMPED = re.compile(r'"\\u0000\{(\w+)\}"')
_PLACEHOLDER = re.compile(r"\{(?:query|page|offset|last|end|size|next)\}")
_PLACES = re.compile(rf"({_PLACEHOLDER.pattern})")
_ENCODED = re.compile(r"[\w.,;:=/~%+*'()!@$-]*")  # settings between commas stay so
_OWN = re.compile(
    r"^(?:accept-language|cache-control|dnt|if-.*|origin|pragma|priority|referer"
    r"|upgrade-insecure-requests)$",
    re.IGNORECASE,
)
"""Matches headers that a browser sends itself; the others were set by the page's script."""

_PASSING = re.compile(r"authorization|csrf|xsrf|token|session|request-?id|trace|nonce", re.I)


class Slot(NamedTuple):
    """A place that holds a value: "url", "path", "form" or "json", and the names that lead to it.

    In a path, the segment before a number is its name. Slots in a parameter's JSON have several.
    """

    where: str
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        """The last name."""
        return self.names[-1]


def slots_of(ask: Ask) -> dict[Slot, str]:
    """Return the values that a way to query sends in addition to the query, by slot.

    >>> slots_of(Ask(url="https://x.example/s?q={query}&page=1"))
    {Slot(where='url', names=('page',)): '1'}
    """
    before, query, _ = _split(ask.url)
    segments = before.split("/")
    named = itertools.pairwise(segments)
    found = {Slot("path", (name,)): value for name, value in named if value.isdigit()}
    found |= _held("url", query)
    if _is_json(ask.body):
        for names, value in _scalars(_load(ask.body)):
            found[Slot("json", names)] = str(value)
    elif ask.body:
        found |= _held("form", ask.body)
    return {slot: value for slot, value in found.items() if not _PLACEHOLDER.search(value)}


def _held(where: str, query: str) -> dict[Slot, str]:
    """Return the values of parameters; for one that holds JSON, the values in it."""
    found: dict[Slot, str] = {}
    for name, value in _pairs(query):
        inner = [(names, str(each)) for names, each in _scalars(_load_json(value))]
        found |= {Slot(where, (name, *names)): each for names, each in inner}
        if not inner:
            found[Slot(where, (name,))] = value
    return found


def empty_slots(ask: Ask) -> list[Slot]:
    """Return the slots in JSON that are null.

    >>> empty_slots(Ask(url="https://x.example/s", body='{"q": "{query}", "at": null}'))
    [Slot(where='json', names=('at',))]
    """
    found = [Slot("json", names) for names in _nulls(ask.body)]
    form = "" if _is_json(ask.body) else ask.body
    for where, query in (("url", _split(ask.url)[1]), ("form", form)):
        for name, value in _pairs(query):
            found += [Slot(where, (name, *names)) for names in _nulls(value)]
    return found


def put_next(ask: Ask, slot: Slot, token: object) -> Ask:
    """Return a way to query with the answer's token in a slot, which is empty on page 1.

    If the slot is empty in JSON, as in {"at": null}, page 1 is requested that way.

    >>> asked = Ask(url="https://x.example/s", method="POST", body='{"q": "{query}", "at": null}')
    >>> later = put_next(asked, Slot("json", ("at",)), 20)
    >>> later.body, later.next_body
    ('{"q": "{query}", "at": null}', '{"q": "{query}", "at": {next}}')
    """
    later = put(ask, slot, "\0{next}" if _is_in_json(slot) and type(token) is int else "{next}")
    if not _is_in_json(slot):
        return later
    next_url = later.url if later.url != ask.url else ""
    next_body = later.body if later.body != ask.body else ""
    return msgspec.structs.replace(ask, next_url=next_url, next_body=next_body)


def _is_in_json(slot: Slot) -> bool:
    return slot.where == "json" or len(slot.names) > 1


def put(ask: Ask, slot: Slot, value: str) -> Ask:
    """Return a way to query with another value or placeholder in a slot, which may be new.

    Requests for later pages change in the same way.

    >>> put(Ask(url="https://x.example/s?q={query}"), Slot("url", ("page",)), "{page}").url
    'https://x.example/s?q={query}&page={page}'
    >>> asked = Ask(url="https://x.example/s", method="POST", body='{"q": "{query}", "from": 0}')
    >>> put(asked, Slot("json", ("from",)), "{offset}").body
    '{"q": "{query}", "from": {offset}}'
    """
    if slot.where in ("url", "path"):
        later = _put_url(ask.next_url, slot, value) if ask.next_url else ""
        return msgspec.structs.replace(ask, url=_put_url(ask.url, slot, value), next_url=later)
    later = _put_body(ask.next_body, slot, value) if ask.next_body else ""
    return msgspec.structs.replace(ask, body=_put_body(ask.body, slot, value), next_body=later)


def _put_url(url: str, slot: Slot, value: str) -> str:
    if slot.where == "url":
        before, query, after = _split(url)
        return before + "?" + _with(query, slot, value) + after
    segments = url.split("/")
    segments[segments.index(slot.name, 3) + 1] = value
    return "/".join(segments)


def _put_body(body: str, slot: Slot, value: str) -> str:
    return _with(body, slot, value) if slot.where == "form" else _put_json(body, slot.names, value)


def _put_json(text: str, names: tuple[str, ...], value: str) -> str:
    tree = _load(text)
    holder, last = _place_in(tree, names)
    held = holder[last] if isinstance(holder, list) else holder.get(last)
    holder[last] = value if isinstance(held, str) and held[:1] != "\0" else _bare(value)
    return _dump(tree)


def new_slot(ask: Ask, name: str) -> Slot:
    """Return the slot for a new parameter: where the query is sent."""
    if "{query}" in ask.url or not ask.body:
        return _beside("url", _split(ask.url)[1], name)
    if not _is_json(ask.body):
        return _beside("form", ask.body, name)
    beside = next((n for n, v in _scalars(_load(ask.body)) if "{query}" in str(v)), ("",))
    return Slot("json", (*beside[:-1], name))


def _beside(where: str, query: str, name: str) -> Slot:
    """Return a new parameter's slot: if a parameter's JSON holds the query, it is in that JSON."""
    for outer, value in _pairs(query):
        for names, held in _scalars(_load_json(value)):
            if "{query}" in str(held):
                return Slot(where, (outer, *names[:-1], name))
    return Slot(where, (name,))


def ask_of(request: Request, words: str, *, passing: bool = False) -> Ask | None:
    """Turn a request sent for some words into a way to query, or return None if it lacks them.

    With `passing`, headers that may expire, such as a token, are kept.

    >>> ask_of(Request("https://x.example/api?q=deep&n=20"), "deep").url
    'https://x.example/api?q={query}&n=20'
    """
    headers = {
        name: value
        for name, value in request.headers
        if not _OWN.match(name) and (passing or not _PASSING.search(name)) and value != "*/*"
    }
    url, sent = literal(request.url), request.body.decode("utf-8", "replace")
    found = _url_with_place(url, words)
    body = _json_with_place(sent, words) if _is_json(sent) else _query_with_place(sent, words)
    if found.partition("?")[2] != url.partition("?")[2]:
        body = sent
    elif "{query}" in body:  # a path may be called like the words by chance
        found = url
    if "{query}" not in found + body:
        return None
    method: Any = "POST" if request.method == "POST" else "GET"
    return Ask(url=found, method=method, body=body if method == "POST" else "", headers=headers)


def with_place(url: str, value: str) -> str:
    """Return a URL with {link} where complete segments or a parameter equal a value, or "".

    >>> with_place("https://x.example/#/doc/7?from=list", "7")
    'https://x.example/#/doc/{link}?from=list'
    >>> with_place("https://x.example/api/record/7/b12.json", "/7/b12")
    'https://x.example/api/record{link}.json'
    """
    plain = literal(url)
    for written in dict.fromkeys([quote(value, safe="/"), quote(value, safe=""), value]):
        if written not in plain:
            continue
        found_at = rf"(?:(?<=[/=])|(?=/)){re.escape(written)}(?=(?:\.[a-z]+)?(?:[/?&#]|$))"
        found = [at for at in re.finditer(found_at, plain) if at.start() > len("https://")]
        if found:
            at = found[-1]
            return f"{plain[: at.start()]}{{link}}{plain[at.end() :]}"
    return ""


def with_place_inside(url: str, value: str) -> str:
    """Return a URL with {link} where a value is part of a parameter or a segment, or "".

    >>> with_place_inside("https://x.example/rows?id=eq.57", "57")
    'https://x.example/rows?id=eq.{link}'
    """
    before, query, after = _split(literal(url))
    place = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)")
    parts = query.split("&")
    for n, part in reversed(list(enumerate(parts))):
        held = _value(part)
        if place.search(held):
            pieces = place.sub("{link}", held).split("{link}")
            written = "{link}".join(map(quote_plus, pieces))
            parts[n] = f"{part.partition('=')[0]}={written}"
            return f"{before}?{'&'.join(parts)}{after}"
    segments = before.split("/")
    for n, segment in reversed(list(enumerate(segments[3:], 3))):
        if place.search(segment):
            segments[n] = place.sub("{link}", segment, count=1)
            return "/".join(segments) + (f"?{query}" if query else "") + after
    return ""


def _url_with_place(url: str, words: str) -> str:
    before, query, after = _split(url)
    found = _query_with_place(query, words)
    if found != query:
        return f"{before}?{found}{after}"
    segments = before.split("/")
    for n in range(len(segments) - 1, 2, -1):  # words in the path: /search/deep, or /search/q:deep
        name, colon, value = segments[n].rpartition(":")
        if _same(unquote(value), words):
            segments[n] = f"{name}{colon}{{query}}"
            return "/".join(segments) + (f"?{query}" if query else "") + after
    if after.startswith("#") and _same(unquote(after[1:].strip("!/")), words):
        return url[: len(url) - len(after)] + after[: len(after) - len(quote(words))] + "{query}"
    return url


def _query_with_place(query: str, words: str) -> str:
    parts = query.split("&")
    exact = [n for n, part in enumerate(parts) if _same(_value(part), words)]
    holding = [n for n, part in enumerate(parts) if _has(_value(part), words)]
    for place in (exact or holding)[:1]:
        name, _, raw = parts[place].partition("=")
        kept = _replaced(raw, quote_plus(words)) if _ENCODED.fullmatch(raw) else raw
        value = kept if kept != raw else _encoded(_replaced(_value(parts[place]), words))
        parts[place] = f"{name}={value}"
    return "&".join(parts)


def _json_with_place(body: str, words: str) -> str:
    tree = _load(body)
    scalars = list(_scalars(tree))
    exact = [names for names, value in scalars if _same(str(value), words)]
    holding = [names for names, value in scalars if isinstance(value, str) and _has(value, words)]
    for names in exact or holding:
        holder, last = _place_in(tree, names)
        holder[last] = _replaced(str(holder[last]), words)
    return body if tree is None else _dump(tree)


def _place_in(tree: Any, names: tuple[str, ...]) -> tuple[Any, Any]:
    """Return the object or list that holds a value, and its name or number there."""
    *outer, last = names
    for name in outer:
        tree = tree[int(name) if isinstance(tree, list) else name]
    return tree, int(last) if isinstance(tree, list) else last


def _encoded(value: str) -> str:
    """Return a parameter's value encoded for a URL, with its placeholders unchanged."""
    return "".join(
        piece if _PLACEHOLDER.fullmatch(piece) else quote_plus(piece)
        for piece in _PLACES.split(value)
    )


def _value(part: str) -> str:
    return unquote_plus(part.partition("=")[2])


def _same(value: str, words: str) -> bool:
    return value.strip().casefold() == words.casefold()


def _has(value: str, words: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(words)}(?!\w)", value, re.IGNORECASE))


def _replaced(value: str, words: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(words)}(?!\w)", "{query}", value, flags=re.IGNORECASE)


def _split(url: str) -> tuple[str, str, str]:
    """Split a URL into the part before its query, the query, and the rest."""
    address, mark, view = url.partition("#")
    if "?" in view:
        before, _, query = view.partition("?")
        return f"{address}#{before}", query, ""
    before, _, query = address.partition("?")
    return before, query, mark + view


def _pairs(query: str) -> list[tuple[str, str]]:
    parts = [part.partition("=") for part in query.split("&") if part]
    return [(unquote_plus(name), unquote_plus(value)) for name, _, value in parts]


def _with(query: str, slot: Slot, value: str) -> str:
    outer, *inner = slot.names
    parts = [part for part in query.split("&") if part]
    places = [n for n, part in enumerate(parts) if unquote_plus(part.partition("=")[0]) == outer]
    if inner and places:
        value = _encoded(_put_json(_value(parts[places[0]]), tuple(inner), value))
    written = f"{quote_plus(outer)}={value}"
    if not places:
        return "&".join([*parts, written])
    parts[places[0]] = written
    return "&".join(parts)


def _is_json(body: str) -> bool:
    return body.lstrip()[:1] in ("{", "[")


def _load_json(value: str) -> Any:
    return _load(value) if _is_json(value) and not _PLACEHOLDER.match(value) else None


class _Lines(list[Any]):
    """A body of several lines, each of them JSON."""


def _load(body: str) -> Any:
    written = _BARE.sub(r'\1"\\u0000{\2}"', body)
    try:
        return json.loads(written)
    except ValueError:
        lines = [line for line in written.splitlines() if line.strip()]
    except RecursionError:
        return None
    try:
        return _Lines(map(json.loads, lines)) if len(lines) > 1 else None
    except (ValueError, RecursionError):
        return None


def _dump(tree: Any) -> str:
    if isinstance(tree, _Lines):
        return "".join(f"{_dump(line)}\n" for line in tree)
    return _DUMPED.sub(r"{\1}", json.dumps(tree, ensure_ascii=False))


def _bare(value: str) -> Any:
    if _PLACEHOLDER.fullmatch(value) and value != "{next}":
        return f"\0{value}"
    return int(value) if re.fullmatch(r"-?\d+", value) else value


def _nulls(value: str) -> Iterator[tuple[str, ...]]:
    return (names for names, held in _leaves(_load_json(value)) if names and held is None)


def _scalars(tree: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    for names, value in _leaves(tree):
        if names and not isinstance(value, bool) and value is not None:
            yield names, value


def _leaves(tree: Any, names: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(tree, dict):
        for name, value in tree.items():
            yield from _leaves(value, (*names, name))
    elif isinstance(tree, list):
        for place, value in enumerate(tree):
            yield from _leaves(value, (*names, str(place)))
    else:
        yield names, tree
