"""Find documents of an API: at usual addresses, at those it describes, or in files it names."""

import re
from collections.abc import Iterator
from itertools import chain
from posixpath import splitext
from typing import Any, NamedTuple
from urllib.parse import quote, urljoin, urlsplit

import msgspec

from longline.discovery.answer import ParsedAnswer
from longline.discovery.document.own_page import (
    first_hits,
    is_of,
    own_host,
    own_request,
    searches_more,
)
from longline.discovery.document.own_text import is_whole, of_other_kinds, said, write_document
from longline.discovery.document.page import note_files
from longline.discovery.reading import DataHits, leaves_of, named, says_search
from longline.discovery.session import Asking, DiscoverySession, change_results
from longline.model import Hit, Request, Response
from longline.source import file_text, leads_to_file

LEAST_LEFT = 6
"""With this many requests left or fewer, documents without links are not looked for."""

DESCRIBED = 3
"""Maximum number of the document addresses described by the source to try."""

KEYS = 3
"""Maximum number of identifiers to try."""

FILES, DEPTH = 2, 4
"""Maximum number of files of a hit to try, and how many levels of a hit may hold them."""

_IDENTIFIER = re.compile(r"(?:id|key|code|number|nr|slug|ref|identifier)$", re.IGNORECASE)
_FILE = re.compile(
    r"(?:document|file|pdf|download|attachment)s?_?(?:ur[il]|link|href)?$", re.IGNORECASE
)
_PARAMETER = re.compile(r"\{([^{}]+)\}")
_WRITTEN = re.compile(r"(?<![\w/}.])/(?:[\w.~-]*/)*\{\w+\}(?:/[\w.~-]+)*")

REFUSED = (400, 401, 403)
"""Statuses that may mean that a parameter is missing."""


def holds_part(session: DiscoverySession) -> bool:
    """Return whether the list holds no more than a part of each text."""
    hits = session.data_hits
    assert hits is not None
    return not hits.text or not is_whole(session) or searches_more(said(hits))


def by_custom(session: DiscoverySession) -> Asking[bool]:
    """Request documents where APIs usually have them; return whether they are there.

    Described addresses are tried first, then /books/7, /books(7) or /book/7 for /books?q=sea, and
    /books/7.json for /books.json?q=sea.
    """
    hits, ask = session.data_hits, session.ask
    assert hits is not None
    assert ask is not None
    place = ask.url.partition("?")[0]
    held = [(dict(leaves_of(item)), hit) for item, hit in _items_and_hits(session)][:2]
    above, _, last = place.rpartition("/")
    is_above = bool(held) and str(held[0][0].get(hits.key, "")).startswith(last)
    is_above |= says_search(last)
    if not hits.key or len(held) < 2 or (ask.body and not is_above):
        return False
    # Books(7), as in OData; /books/search has its documents at /books/7
    base = above if is_above else place
    stem, ending = splitext(last)
    places = [f"{base.removesuffix(ending)}/{{link}}{ending}"] * bool(stem and ending)
    places += [f"{base}/{{link}}"] + [f"{base}({{link}})"] * (not is_above)
    places += [f"{base.removesuffix('s')}/{{link}}"] * base.endswith("s")
    ways = [Way(each, (key,)) for key in _keys(hits) for each in places if "{" not in place]
    if not session.described and session.left > LEAST_LEFT:
        session.described = yield from _written_on_front(session)
    described = yield from _described(session, hits.key, *held[0])
    for way in dict.fromkeys([*described, *ways]):
        values = [(way.value(leaves), hit) for leaves, hit in held]
        if session.left > LEAST_LEFT and (
            yield from by_template(session, way.path, way.template, values)
        ):
            return session.document is not None
    return False


def sent_to_all(session: DiscoverySession, hits: list[Hit]) -> str:
    """Return the parameters that every search sends, if the hits' links were refused without any.

    Such as a key or the name of the program that asks.
    """
    sent = constants(session)
    links = [urlsplit(hit.url) for hit in hits if hit.url]
    is_own = all(link.hostname == own_host(session) and not link.query for link in links)
    is_refused = session.status in REFUSED and bool(links) and is_own
    return f"?{sent}" if sent and is_refused else ""


def learn_files(session: DiscoverySession) -> Asking[None]:
    """Request files that hits name on the source's own host, and see whether they have texts.

    Plain text is preferred: a PDF has to be taken apart.
    """
    hits, host = session.data_hits, own_host(session)
    assert hits is not None
    held = [_files(item) for items in hits.items.values() for item in items]
    paths = [path for path in dict.fromkeys(chain(*held)) if all(path in each for each in held)]
    for path in sorted(paths, key=lambda path: not held[0][path].endswith(".txt"))[:FILES]:
        with session.trying("results") as keep:
            change_results(session, link=f"jmes:{path}", link_template="")
            urls = list(dict.fromkeys(hit.url for hit in first_hits(session, host=host)))[:2]
            files: dict[str, Response] = {}
            for url in urls if session.left > LEAST_LEFT else ():
                answer = yield own_request(session, url)
                if answer is not None and (text := file_text(answer).text):
                    files[text] = answer
            if len(files) < 2:
                continue
            keep()
        session.findings.pop("results.link_template", None)
        session.find("results.link", f"jmes:{path}", "sure", f"{urls[0]} and another have texts")
        if (part := session.findings.get("results.snippet")) is not None:
            # It is not all that is kept any more.
            session.findings[part.name] = msgspec.structs.replace(part, warning="")
        session.documents = []
        session.findings.pop("document.title", None)
        note_files(session, next(iter(files.values())))
        return


def _files(item: Any, path: str = "", depth: int = DEPTH) -> dict[str, str]:
    """Return the addresses of files in a hit, by path; of a list, those in its first item.

    >>> _files({"id": 7, "downloads": [{"name": "/d/7.pdf"}, {"name": "/d/8.pdf"}]})
    {'downloads[0].name': '/d/7.pdf'}
    >>> _files({"url": "/acts/7", "documentUrl": "/doc/7"})
    {'documentUrl': '/doc/7'}
    """
    if isinstance(item, str):
        is_address = item.startswith(("http://", "https://", "/")) and " " not in item
        is_file = _FILE.search(path) or leads_to_file(item, pictures=False, texts=True)
        return {path: item} if is_address and is_file else {}
    if isinstance(item, dict) and depth:
        inner = ((f"{path}.{named(name)}".lstrip("."), value) for name, value in item.items())
    else:
        inner = ((f"{path}[0]", value) for value in (item[:1] if isinstance(item, list) else ()))
    return {at: url for own, value in inner for at, url in _files(value, own, depth - 1).items()}


def _keys(hits: DataHits) -> list[str]:
    """Return the paths of values that may name a document: the key, and other identifiers."""
    others = [
        path
        for path, leaf in hits.leaves.items()
        if leaf.coverage == leaf.distinct == 1 and _IDENTIFIER.search(leaf.name)
    ]
    return list(dict.fromkeys([hits.key, *others]))[:KEYS]


class Way(NamedTuple):
    """Where a document is.

    Attributes:
        template: The address, with {link} for the name of the document.
        parts: Paths of the name's parts in the row, with the text between each two.
    """

    template: str
    parts: tuple[str, ...]

    @property
    def path(self) -> str:
        """JMESPath of the name of a document in its row."""
        if len(self.parts) == 1:
            return self.parts[0]
        written = [f"'{p}'" if n % 2 else f"to_string({p})" for n, p in enumerate(self.parts)]
        return f"join('', [{', '.join(written)}])"

    def value(self, leaves: dict[str, Any]) -> str:
        """Return the name of a row's document."""
        return "".join(p if n % 2 else str(leaves.get(p, "")) for n, p in enumerate(self.parts))


def _described(
    session: DiscoverySession, key: str, leaves: dict[str, Any], hit: Hit
) -> Asking[list[Way]]:
    """Return where the source says that documents are.

    Addresses with most parts come first, and of these the one with the longest answer.
    """
    known = [way for each in session.described if (way := _filled(each, key, leaves))]
    known.sort(key=lambda way: -len(way.parts))
    found: list[tuple[int, int, Way]] = []
    for way in known[:DESCRIBED]:
        if session.left > LEAST_LEFT:
            shown = yield from _at(session, way.template, way.value(leaves), hit)
            if shown is None and session.status in REFUSED and (sent := constants(session)):
                way = way._replace(template=f"{way.template}?{sent}")
                shown = yield from _at(session, way.template, way.value(leaves), hit)
            if shown is not None:
                found.append((len(way.parts), len(shown.response.body), way))
    return [way for *_, way in sorted(found, reverse=True)]


def _written_on_front(session: DiscoverySession) -> Asking[tuple[str, ...]]:
    """Return the addresses with placeholders that the host's front page names."""
    shown = yield from session.get(Request(urljoin(session.url, "/")))
    if shown is None or shown.is_data:
        return ()
    found = dict.fromkeys(_WRITTEN.findall(shown.answer.visible()))
    return tuple(urljoin(session.url, each) for each in found)


def constants(session: DiscoverySession) -> str:
    """Return the parameters that every search sends in its address, such as a key."""
    url = session.ask.url if session.ask is not None else ""
    return "&".join(p for p in urlsplit(url).query.split("&") if p and "{" not in p)


def _filled(described: str, key: str, leaves: dict[str, Any]) -> Way | None:
    """Return how a described address is filled from a row; None if the row lacks a part.

    >>> _filled("/acts/{year}/{position}/text", "id", {"id": 3, "year": 1999, "pos": 7})
    Way(template='/acts/{link}/text', parts=('year', '/', 'pos'))
    """
    begin, *pieces, end = _PARAMETER.split(described)
    pieces[::2] = [_named_so(name, leaves) for name in pieces[::2]] if len(pieces) > 1 else [key]
    return Way(f"{begin}{{link}}{end}", tuple(pieces)) if all(pieces[::2]) else None


def _named_so(name: str, leaves: dict[str, Any]) -> str:
    """Return the path of the value with a parameter's name, or a shorter form of it; "" if none.

    >>> _named_so("position", {"meta.pos": 7, "title": "Sea"})
    'meta.pos'
    """
    wanted = _plain(name)
    named = {path: _plain(path.rpartition(".")[2]) for path, value in leaves.items() if value != ""}
    same = [path for path, own in named.items() if own == wanted]
    part = [path for path, own in named.items() if len(own) > 2 and wanted.startswith(own)]
    return next(iter([*same, *part]), "")


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def _items_and_hits(session: DiscoverySession) -> Iterator[tuple[Any, Hit]]:
    """Yield the JSON items of hits in the answers, with the hits."""
    assert session.data_hits is not None
    for answer, items in session.data_hits.items.items():
        read = session.read(answer)
        yield from zip(items, read.hits if read else (), strict=False)


def by_template(
    session: DiscoverySession, path: str, template: str, values: list[tuple[str, Hit]]
) -> Asking[bool]:
    """Request documents plainly where their page gets them; return whether this works."""
    pages: list[tuple[Hit, ParsedAnswer]] = []
    for value, hit in values:
        shown = yield from _at(session, template, value, hit)
        if shown is None:
            return False
        pages.append((hit, shown))
    with session.trying("results") as keep:
        change_results(session, link=f"jmes:{path}", link_template=template)
        others = yield from of_other_kinds(session, pages)
        if not write_document(session, pages, others):
            return False
        keep()
    if session.document is not None:
        evidence = "asked plainly, two documents were there"
        assert session.results is not None
        key = session.results.key.removeprefix("jmes:")
        if f"to_string({key})" in path:
            # A part of the name may be the same in other documents.
            change_results(session, key="")
            session.findings.pop("results.key", None)
        session.find("results.link_template", template, "sure", evidence)
        session.find("results.link", f"jmes:{path}", "sure", evidence)
    return True


def _at(
    session: DiscoverySession, template: str, value: str, hit: Hit
) -> Asking[ParsedAnswer | None]:
    """Return a document by its name; None if the answer does not belong to the hit."""
    url = template.replace("{link}", quote(value, safe="/"))
    shown = yield from session.get(own_request(session, url))
    return shown if shown is not None and is_of(shown, hit) else None
