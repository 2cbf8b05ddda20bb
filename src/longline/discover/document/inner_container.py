"""The element of a documents' container that holds their text, and little else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urldefrag, urlsplit

from longline.discover.answer import Shown, is_element, node, parameters, text
from longline.discover.document.container import CONTAINERS, lines_in, names_of
from longline.discover.reading import changing_places
from longline.discover.session import Desk
from longline.discover.words import terms
from longline.model import Hit
from longline.source.select import read_select

LITTLE = 0.05
"""Share of a container's characters: what is no document's own has to be more, to be left out."""

KEPT = 0.6
"""An element holds this share of the words of its document's snippet."""

ABOUT = 10
"""What is said about a document is as dear as so much of what is no document's own."""

_SHORT = 100
"""Characters of a line that may be about a document, rather than its text."""

_NAMED = tuple(name for name in CONTAINERS if name not in ("pre", "dl", "table", "body"))
_DATED = re.compile(r"\d[/.:-]\d")
_MONTH = re.compile(
    r"\b(?:jan|feb|f[eé]v|mar|mär|apr|avr|may|mai|jun|juin|jul|juil|aug|ao[uû]|ago|sep|o[ck]t|nov"
    r"|de[cz]|d[eé]c|mon|tue|wed|thu|fri|sat|sun)\w*\b",
    re.IGNORECASE,
)


@dataclass
class _Part:
    """A container on one page.

    Attributes:
        lines: What it says.
        names: What names the document: its title, what its address calls it.
        about: Labels with links, and what differs only by its numbers.
        foreign: What is no document's own: what all pages say, dates, links, other hits.
    """

    hit: Hit
    shown: Shown
    element: Any
    lines: set[str]
    names: set[str] = field(default_factory=set)
    about: set[str] = field(default_factory=set)
    foreign: set[str] = field(default_factory=set)

    @property
    def own(self) -> set[str]:
        """What only its text says."""
        return self.lines - self.names - self.about - self.foreign

    def cost(self, held: set[str]) -> int:
        """Return what it costs to keep some of the lines, in characters."""
        return _length(held & self.foreign) + ABOUT * _length(self.lines & self.about - held)


def narrowed(desk: Desk, pages: Sequence[tuple[Hit, Shown]], selector: str) -> str:
    """Return a selector of what in a container holds every line of the documents' own text.

    It is the container's where that holds little else, or where no element in it has a name and
    holds all: titles, dates, links and hits of other documents are all that may be left out.
    """
    found = [_only(selector, shown) for _, shown in pages]
    if len(pages) < 2 or any(element is None for element in found):
        return selector
    parts = [
        _Part(hit, shown, element, set(lines_in(element)))
        for (hit, shown), element in zip(pages, found, strict=True)
    ]
    _tell_apart(desk, parts)
    if not all(part.own for part in parts):
        return selector
    little = LITTLE * sum(_length(part.lines) for part in parts)
    best, least = selector, sum(part.cost(part.lines) for part in parts) - little
    for name in _candidates(parts[0]):
        inner = [_inside(name, part) for part in parts]
        held = [set() if each is None else set(lines_in(each)) for each in inner]
        both = list(zip(parts, held, strict=True))
        cost = sum(part.cost(lines) for part, lines in both)
        if cost <= least and all(_holds(part, lines) for part, lines in both):
            # The next has to be better by as much: the wider loses less of other documents.
            best, least = name, cost - little
    return best


def _length(lines: Iterable[str]) -> int:
    return sum(map(len, lines))


def _tell_apart(desk: Desk, parts: list[_Part]) -> None:
    """Note what parts say beside their documents' text."""
    passing = changing_places(desk.empty)
    everywhere = {line for page in desk.empty for line in lines_in(page.root)}
    lines = [set(lines_in(part.shown.root)) for part in parts]
    shaped = [_shapes(part.shown, each) for part, each in zip(parts, lines, strict=True)]
    shapes = set.intersection(*(set(each.values()) for each in shaped))
    linked = [dict(_linked(part)) for part in parts]
    labels = set.intersection(*(set(each.values()) for each in linked))
    for part, labelled, shape in zip(parts, linked, shaped, strict=True):
        names = _names_it(part)
        part.names = {line for line in part.lines if names(labelled.get(line) or line)}
        short = {line for line in part.lines if len(line) <= _SHORT}
        alike = {line for line in short if shape.get(line) in shapes}
        others = {link.text for link in part.shown.links if link.place in passing}
        others |= everywhere | set.intersection(*lines) | _other_hits(desk, part)
        others |= {line for line, label in labelled.items() if not label}
        part.foreign = others.union(filter(_DATED.search, alike)) - part.names
        part.about = alike | {line for line in short if labelled.get(line) in labels}
        part.about -= part.foreign | part.names


def _names_it(part: _Part) -> Callable[[str], bool]:
    """Return a function that says whether a line names the document."""
    title = read_select("css:title").text(part.shown.answer.root)
    names = (part.hit.title, *_names_in(part.shown))
    return lambda line: line in names or line in title


def _names_in(shown: Shown) -> list[str]:
    """Return what in a page's address may be the document's name."""
    url = shown.response.url
    last = urlsplit(url).path.rstrip("/").rpartition("/")[2]
    return [name for name in (unquote(last), *parameters(url).values()) if len(name) > 2]


def _shapes(shown: Shown, lines: Iterable[str]) -> dict[str, str]:
    """Return lines without numbers, months, and the document's name in its address."""
    names = "|".join(map(re.escape, _names_in(shown)))
    name = re.compile(rf"(?<!\w)(?:{names or '(?!)'})(?!\w)")
    return {line: re.sub(r"\d+", "#", _MONTH.sub("#", name.sub("@", line))) for line in lines}


def _linked(part: _Part) -> Iterator[tuple[str, str]]:
    """Return each line with links elsewhere, and what letters it has beside them."""
    for anchor in part.element.iter("a"):
        if (anchor.get("href") or "#").startswith("#"):
            continue
        for element in (anchor, *list(anchor.iterancestors())[:3]):
            said = text(element)
            if said in part.lines:
                for each in element.iter("a"):
                    said = said.replace(text(each), " ", 1)
                yield text(element), said.strip(" ,;:/|>»·•")
                break


def _other_hits(desk: Desk, part: _Part) -> set[str]:
    """Return the lines of what looks like a hit of another document: its link, then the rest."""
    results = desk.results
    if results is None or desk.kind == "json" or not results.link:
        return set()
    found: set[str] = set()
    own = urldefrag(part.shown.response.url)[0]
    urls = {link.element: urldefrag(link.url)[0] for link in part.shown.links}
    for card in read_select(results.hit).all(node(part.element)):
        lines = lines_in(card.root)
        link = next((a for a in card.root.iter("a") if a in urls), None)
        is_first = link is not None and bool(lines) and lines[0] == text(link)
        if is_first and urls[link] != own and card.root is not part.element:
            found |= set(lines)
    return found


def _candidates(part: _Part) -> Iterable[str]:
    """List selectors of what may hold a part's own text: the usual, then from outside in."""
    names = [f"css:{name}" for name in _NAMED]
    element = part.element
    while element is not None:
        inner = filter(is_element, element)
        element = next((each for each in inner if part.own <= set(lines_in(each))), None)
        names += [] if element is None else names_of(element)
    return dict.fromkeys(names)


def _only(selector: str, shown: Shown) -> Any:
    """Return the one element that a selector finds; None where it is not one."""
    found = read_select(selector).all(shown.answer.root)
    return found[0].root if len(found) == 1 else None


def _inside(selector: str, part: _Part) -> Any:
    found = _only(selector, part.shown)
    return None if found is None or part.element not in found.iterancestors() else found


def _holds(part: _Part, lines: set[str]) -> bool:
    """Say whether lines have all of a document's own text, and what its snippet says."""
    if not part.own <= lines:
        return False
    said = " ".join(lines).casefold()
    words = set(terms(part.hit.snippet))
    if words:
        return sum(word in said for word in words) >= KEPT * len(words)
    return _length(part.own) >= _length(part.lines - lines - part.names)
