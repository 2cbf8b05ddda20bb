"""Compare the texts on documents' own pages with those in the listing."""

import re
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise
from math import inf
from typing import Any

from longline.discovery.answer import ParsedAnswer
from longline.discovery.document.container import find_container, how_sure
from longline.discovery.document.data_texts import leaves_of_document
from longline.discovery.document.own_page import (
    LOOKS_AT_MORE,
    of_other_folders,
    own_request,
    searches_more,
)
from longline.discovery.document.page import heading
from longline.discovery.reading import DataHits, is_xml_data, leaves_of, listed_leaves, title_path
from longline.discovery.session import Asking, DiscoverySession, change_results
from longline.discovery.words import terms
from longline.model import Hit
from longline.source.select import Kind, read_select
from longline.source.spec import DocumentPage
from longline.text.numbers import counted

PROSE = 20
"""Minimum number of different word pairs in a further text of a document."""

HALF = 0.5
"""If two texts share at most this part of the smaller one's word pairs, they differ."""

_WORD = re.compile(r"\w+")
_TAG = re.compile(r"<[^<>]*>")
_MORE = re.compile(r"(?:is_?|has_?)?(?:more|truncated|incomplete)(?:_?text)?", re.IGNORECASE)

ALL_SAID = 0.95
"""If a row has this share of the values of a document's own data, that is not requested."""

HELD = 0.8
"""If the listing has this share of a document's text, the document is not requested."""


def write_document(
    session: DiscoverySession,
    pages: list[tuple[Hit, ParsedAnswer]],
    others: Sequence[ParsedAnswer] = (),
    *,
    in_browser: bool = False,
) -> bool:
    """Write down where the text is on documents' pages; return whether it was found.

    If the listing holds as much text, only that is written down.

    Args:
        session: The session.
        pages: Documents with their own pages.
        others: Records of other kinds in JSON, whose texts may have other names.
        in_browser: Whether a browser is needed to show them.
    """
    if all(shown.is_data for _, shown in pages):
        page = _data_page(pages, others)
        if page is None:
            return False
        if row := _in_rows(session, pages, page.text.removeprefix("jmes:")):
            _take_row(session, row)
            return True
        length = _length(pages, page.text)
        share = 1.0
    else:
        if any(shown.is_data for _, shown in pages):
            return False
        selector, share = find_container(session, [shown for _, shown in pages])
        select = read_select(selector)
        said = {select.text(shown.answer.root) for _, shown in pages}
        if len(said) < len(pages):
            return False  # the same page for both, such as the list itself
        page = DocumentPage(selector, heading(pages), browser=in_browser)
        length = _length(pages, selector)
    listed = sum(len(hit.snippet) for hit, _ in pages) / len(pages)
    if is_whole(session) and listed >= HELD * length:
        from_listing(session)
        return True
    session.document, session.documents = page, pages
    if page.title and not any(hit.title for hit, _ in pages):
        session.findings.pop("results.title", None)
    own = counted(len(pages), "document's own page", "documents' own pages")
    seen = f"{share:.0%} of what differs on {own}"
    seen += f"; {length:,.0f} characters, the listing has {listed:,.0f}"
    sure, warning = how_sure(page.text, [shown for _, shown in pages])
    session.find("document.text", page.text, sure, seen, warning)
    return True


def _in_rows(session: DiscoverySession, pages: list[tuple[Hit, ParsedAnswer]], path: str) -> str:
    """Return where rows hold the text of documents; "" if documents' own data say more."""
    assert session.data_hits is not None
    items: dict[str, Any] = {}
    for answer, held in session.data_hits.items.items():
        read = session.read(answer)
        items |= {hit.key: item for hit, item in zip(read.hits if read else (), held, strict=False)}
    if not all(hit.key in items for hit, _ in pages):
        return ""
    both = [
        (dict(leaves_of(items[hit.key])), dict(leaves_of_document(shown.data)))
        for hit, shown in pages
    ]
    for row, own in both:
        values, said = set(map(str, row.values())), list(map(str, own.values()))
        if sum(each in values for each in said) < ALL_SAID * len(said):
            return ""
    return next(
        (each for each in both[0][0] if all(row.get(each) == own.get(path) for row, own in both)),
        "",
    )


def _take_row(session: DiscoverySession, path: str) -> None:
    change_results(session, text=f"jmes:{path}", snippet="")
    session.findings.pop("results.snippet", None)
    seen = "the longest text of a hit; documents' own data say no more than its row"
    session.find("results.text", f"jmes:{path}", "likely", seen)


def of_other_kinds(
    session: DiscoverySession, pages: list[tuple[Hit, ParsedAnswer]]
) -> Asking[list[ParsedAnswer]]:
    """Read records in other folders than these: their texts may have other names."""
    found: list[ParsedAnswer] = []
    if pages and all(shown.is_data for _, shown in pages):
        for hit in of_other_folders(session, [hit for hit, _ in pages]):
            shown = yield from session.get(own_request(session, hit.url))
            if shown is not None and shown.is_data:
                found.append(shown)
    return found


def shows_all(page: tuple[Hit, ParsedAnswer]) -> bool:
    """Return whether a document's page shows the text that the listing holds."""
    hit, shown = page
    held = set(terms(hit.snippet))
    return len(held & set(terms(shown.answer.visible()))) >= HELD * len(held) > 0


def _data_page(
    pages: list[tuple[Hit, ParsedAnswer]], others: Sequence[ParsedAnswer] = ()
) -> DocumentPage | None:
    """Return where the longest text and the title are in documents' own JSON.

    None if there is no text, or none but the title of the hit.
    """
    held = [dict(leaves_of_document(shown.data)) for _, shown in pages]
    every = [*held, *(dict(leaves_of_document(shown.data)) for shown in others)]
    titles = [hit.title for hit, _ in pages]
    same = [path for path in sorted(held[0]) if [each.get(path) for each in held] == titles]
    if not any(titles):  # hits may be identifiers alone
        same = list(filter(None, [title_path(held)]))
    longest = _longest(held, every, same)
    if not longest:
        return None
    parts = _prose(every, longest)
    if not all(any(map(each.get, parts)) for each in held):
        return None
    title = f"jmes:{same[0]}" if same else ""
    if any(is_xml_data(shown) for _, shown in pages):
        longest, parts = _wrapped(longest), list(map(_wrapped, parts))
    text = longest if len(parts) == 1 else f"[{', '.join(parts)}]"
    goes_on = next((path for path in sorted(held[0]) if _says_more(held, path)), "")
    return DocumentPage(
        f"jmes:[{text}, {goes_on} && '…' || ''][]" if goes_on else f"jmes:{text}", title
    )


def _wrapped(path: str) -> str:
    """Return a path that finds one part as well as several: XML has no list of a single one.

    >>> _wrapped("note.comments.comment[*].html"), _wrapped("note.text")
    ('[note.comments.comment][].html', 'note.text')
    """
    before, several, after = path.partition("[*]")
    return f"[{before}][]{after}" if several else path


def _longest(held: list[dict[str, Any]], every: list[dict[str, Any]], but: Sequence[str]) -> str:
    """Return the path of the longest text that all have, or else of any; "" if there is none.

    Args:
        held: The values of documents, by path.
        every: The same, with those of other kinds.
        but: Paths that are left out, such as that of the title.
    """
    shared = set.intersection(*map(set, held))
    for records, paths in (held, shared), (every, {path for each in every for path in each}):
        lengths: dict[str, int] = {}
        for path in paths.difference(but):
            values = [each[path] for each in records if path in each]
            is_text = all(isinstance(value, str) and " " in value for value in values)
            if is_text and (len(values) < 2 or len(set(values)) > 1):
                lengths[path] = sum(map(len, values))
        if lengths:
            return max(sorted(lengths), key=lambda path: lengths[path])
    return ""


def _says_more(held: list[dict[str, Any]], path: str) -> bool:
    """Return whether a value tells of each document if more of its text follows, and of one yes."""
    values = [each.get(path) for each in held]
    is_named = _MORE.fullmatch(path.rpartition(".")[2])
    return bool(is_named) and all(isinstance(each, bool) for each in values) and any(values)


def _prose(held: list[dict[str, Any]], longest: str) -> list[str]:
    """Return the paths of documents' longest text, and of further texts with other words.

    Texts that are the same in each document, or another form or the beginning of one, are left out.
    """
    found = []
    for path in dict.fromkeys(path for each in held for path in each):
        said = [_pairs(each.get(path)) for each in held]
        texts = [_pairs(each.get(longest)) for each in held]
        is_prose = max(map(len, said)) >= PROSE and any(one != said[0] for one in said[1:])
        is_other = all(_shared(one, other) <= HALF for one, other in zip(said, texts, strict=True))
        found += [path] if path == longest or (is_prose and is_other) else []
    return found


def _pairs(value: Any) -> set[tuple[str, str]]:
    """Return the pairs of neighbouring words in a text, which is no address."""
    is_text = isinstance(value, str) and not value.startswith(("http://", "https://"))
    words = _WORD.findall(_TAG.sub(" ", value).lower()) if is_text else []
    return set(pairwise(words))


def _shared(one: Set[object], other: Set[object]) -> float:
    """Return the share of the smaller of two sets that is in both."""
    return len(one & other) / max(1, min(len(one), len(other)))


def _length(pages: list[tuple[Hit, ParsedAnswer]], selector: str) -> float:
    kind: Kind = "json" if selector.startswith("jmes:") else "html"
    select = read_select(selector, kind)
    return sum(len(select.texts(shown.answer.root)) for _, shown in pages) / len(pages)


def mean_text(session: DiscoverySession) -> float:
    """Return the mean length of the texts in documents' own JSON, in letters; infinite in pages."""
    page, pages = session.document, session.documents
    if page is None or not all(shown.is_data for _, shown in pages):
        return inf
    return _length(pages, page.text)


def is_whole(session: DiscoverySession) -> bool:
    """Return whether the longest text of hits looks complete."""
    assert session.data_hits is not None
    leaf = session.data_hits.leaves.get(session.data_hits.text)
    return leaf is not None and not leaf.is_part


def from_listing(session: DiscoverySession) -> None:
    """Use the listing's longest text as the documents' text."""
    assert session.data_hits is not None
    hits = session.data_hits
    path = hits.text or hits.title or hits.key or hits.link
    more = not session.is_by_meaning and searches_more(said(hits))
    is_part = more or (bool(hits.text) and not is_whole(session))
    name, other = ("snippet", "text") if is_part else ("text", "snippet")
    change_results(session, **{name: f"jmes:{path}", other: ""})
    session.findings.pop(f"results.{other}", None)
    leaf = hits.leaves[path]
    seen = f"the longest text of a hit, {leaf.length:,.0f} characters in the mean"
    warning = "" if hits.text and not is_part else "only a part of each document would be kept"
    if more:
        seen += f"; {LOOKS_AT_MORE}"
    session.find(f"results.{name}", f"jmes:{path}", "likely", seen, warning)


def said(hits: DataHits) -> Iterator[tuple[str, str]]:
    """Yield the query words and all values of a hit, for each hit."""
    for answer, items in hits.items.items():
        for item in items:
            held = (*leaves_of(item), *listed_leaves(item))
            yield answer.words, " ".join(str(value) for _, value in held)
