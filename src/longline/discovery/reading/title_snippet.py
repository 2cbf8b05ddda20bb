"""Find the parts of a hit other than its link: title and snippet."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Any

from longline.discovery.answer import classes, compiles, is_element, node, step
from longline.source.select import read_select

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_LONGEST_TITLE = 160
_SHARE = 0.25
"""Minimum share of hits with a snippet."""

_ENOUGH = 5
"""A part of a hit counts if this many hits have it, or a fifth of them."""

_ASIDE = re.compile(r"(?:^css:|[ >])(?:small|time)\b[^ ]*$")
"""Elements that HTML has for remarks and dates, which name no document."""

SAYS_MORE = 1.3
"""A part that repeats the title and is this many times longer may be a snippet."""


@dataclass(frozen=True)
class Field:
    """A part of a hit that a selector finds.

    Attributes:
        texts: The texts, one for each hit; "" if a hit has none.
    """

    selector: str
    texts: tuple[str, ...]

    @property
    def coverage(self) -> float:
        """Share of the hits that have a text."""
        return sum(map(bool, self.texts)) / len(self.texts)

    @property
    def distinct(self) -> float:
        """Share of different texts among all texts."""
        held = list(filter(None, self.texts))
        return len(set(held)) / len(held) if held else 0.0

    @property
    def length(self) -> float:
        """Mean length of the texts, in characters."""
        held = list(filter(None, self.texts))
        return sum(map(len, held)) / len(held) if held else 0.0


def find_title(records: Sequence[Any], link: str) -> Field | None:
    """Find the title of a hit: its link's text, a heading or a column; None if there is none.

    Args:
        records: Hits with different links.
        link: Selector of their link, "" if they have none.
    """
    fields = _fields(records)
    headings = [f for f in fields if re.search(r"\bh[1-6]\b[^ ]*$", f.selector)]
    if link:
        linked = _read(records, link)
        inside = [f for f in headings if _is_inside(f, linked)]
        # A department may stand over the title, as a heading, too.
        most = max((f.distinct for f in inside), default=0.0)
        inside = [f for f in inside if f.distinct > 0.9 * most]
        if inside and linked.length > 1.3 * inside[0].length:
            return inside[0]
        if linked.length > _LONGEST_TITLE:
            within = [f for f in fields if _is_inside(f, linked) and _names(f)]
            if within:
                return within[0]
        if _is_words(linked) and linked.distinct > 0.8:
            return linked
    named = [f for f in (*headings, *fields) if _names(f)]
    if link and named and _may_repeat(linked):
        is_long = linked.length >= named[0].length
        # Rather than an author, of whom each hit has another.
        named = [linked] if is_long or _are_headings(records, link) else named
    if named:
        return named[0]
    if not link:
        return None
    # If links change with each search, one document has several of them.
    said = max(filter(_is_said, fields), key=lambda f: f.distinct, default=None)
    return linked if said is None or _is_said(linked) or _is_words(linked) else said


def find_snippet(
    records: Sequence[Any], title: Field | None, hits: Sequence[Any] = (), link: str = ""
) -> Field | None:
    """Find the longest part of a hit besides its title, or return None; only some hits may have it.

    Args:
        records: As in `find_title`.
        title: The title of a hit, or None if it has none.
        hits: All hits, including repeated documents: none of them is a part of another.
        link: As in `find_title`.
    """
    best: Field | None = None
    others = {*records, *hits, *_unlisted(records, link)}
    for found in _fields(records, siblings_but=others):
        if title and _is_of_title(records, found, title):
            continue
        if found.distinct > 0.6 and found.length >= 20 and found.coverage >= _SHARE:
            rank = found.length * min(1.0, found.coverage + 0.3)
            if best is None or rank > 1.05 * best.length * min(1.0, best.coverage + 0.3):
                best = found
    return best


def _repeats(texts: Sequence[str], titles: Sequence[str]) -> bool:
    """Return whether a part mostly contains the title, or is contained in it."""
    both = [(a, b) for a, b in zip(texts, titles, strict=True) if a and b]
    same = sum(b in a or a in b for a, b in both)
    return bool(both) and same > 0.6 * len(both)


def _is_of_title(records: Sequence[Any], found: Field, title: Field) -> bool:
    """Return whether a part repeats the title, rather than adding to it."""
    if found.selector != title.selector and not _repeats(found.texts, title.texts):
        return False
    return found.length < SAYS_MORE * title.length or not _is_apart(records, found, title)


def _is_apart(records: Sequence[Any], found: Field, title: Field) -> bool:
    """Return whether a part is beside the title, not around it or in it."""
    return not any(
        one in (other, *other.iterancestors()) or other in one.iterancestors()
        for record in records
        for one in _elements(record, found.selector)
        for other in _elements(record, title.selector)
    )


def _elements(record: Any, selector: str) -> list[Any]:
    """Return a list of the first element that a selector finds in a hit; [] if none."""
    found = read_select(selector).first(node(record))
    return [] if found is None or isinstance(found.root, str) else [found.root]


def _are_headings(records: Sequence[Any], selector: str) -> bool:
    """Return whether what a selector finds is in a heading, in most hits."""
    found = [each for record in records for each in _elements(record, selector)]
    inside = [each for each in found if next(each.iterancestors(*_HEADINGS), None) is not None]
    return 2 * len(inside) > len(records)


def _is_inside(inner: Field, outer: Field) -> bool:
    both = [(a, b) for a, b in zip(inner.texts, outer.texts, strict=True) if a]
    return bool(both) and sum(a in b for a, b in both) > 0.9 * len(both)


def _is_words(found: Field) -> bool:
    held = "".join(found.texts)
    words = sum(letter.isalpha() or letter in " -_.,:;'\u2019" for letter in held)
    urls = sum("://" in text for text in found.texts)
    is_url = urls > 0.5 * len(found.texts)
    return bool(held) and words > 0.75 * len(held) and found.coverage > 0.9 and not is_url


def _may_repeat(found: Field) -> bool:
    """Return whether the texts may be titles of which some hits have the same."""
    return found.distinct > 0.3 and _is_words(found)


def _names(found: Field) -> bool:
    return found.distinct > 0.8 and _is_said(found) and not _ASIDE.search(found.selector)


def _is_said(found: Field) -> bool:
    """Return whether nearly all hits have a part, and it is text as short as a title."""
    if sum("://" in text for text in found.texts) > 0.5 * len(found.texts):
        return False
    letters = sum(letter.isalpha() for letter in "".join(found.texts))
    is_text = letters > 0.5 * sum(map(len, found.texts))
    fits = 3 <= found.length <= _LONGEST_TITLE
    return found.coverage > 0.9 and fits and is_text


def _read(records: Sequence[Any], selector: str) -> Field:
    select = read_select(selector)
    return Field(selector, tuple(select.text(node(record)) for record in records))


def _fields(records: Sequence[Any], *, siblings_but: Set[Any] | None = None) -> list[Field]:
    """List the parts of hits by selector, in the order of the hit's elements.

    Args:
        records: The hits.
        siblings_but: If given, also list the siblings after hits, up to one of these.
    """
    counts: dict[str, int] = defaultdict(int)
    for record in records:
        for selector in set(_own_fields(record)):
            counts[selector] += 1
    least = max(2, min(_ENOUGH, 0.2 * len(records)))
    shared = [n for n, count in counts.items() if count >= least and compiles(f"css:{n}")]
    order: dict[str, int] = {}
    for record in records:
        for place, name in enumerate(_own_fields(record)):
            order.setdefault(name, place)
    found = [_read(records, f"css:{name}") for name in sorted(shared, key=lambda s: order[s])]
    if siblings_but is not None:
        found += _sibling_fields(records, siblings_but)
        tail = "xpath:text()[normalize-space()]"
        found.append(_read(records, tail))
    return found


def _own_fields(record: Any) -> list[str]:
    names = []
    for element in record.iter():
        if element is record or not is_element(element) or element.tag in ("script", "style"):
            continue
        has_text = any(map(str.strip, [element.text or "", *(e.tail or "" for e in element)]))
        if has_text or len(element.findall("p")) > 1:
            names += _names_of(element, record)
    return names


def _names_of(element: Any, record: Any) -> list[str]:
    names = [f"{element.tag}.{name}" for name in classes(element)]
    if element.tag in ("td", "th"):
        names.append(_cell(element, record))
    elif not names:
        alike = [e for e in record.iter(element.tag) if not classes(e)]
        above = element.getparent()
        if len(alike) == 1 or element.tag in _HEADINGS:
            names.append(element.tag)
        elif above is not None and above is not record and classes(above):
            names.append(f"{above.tag}.{classes(above)[0]} > {element.tag}")
        else:
            same = list(element.itersiblings(element.tag, preceding=True))
            name = f"{element.tag}:nth-of-type({len(same) + 1})"
            is_in_cell = above is not record and above.tag in ("td", "th")
            names.append(f"{_cell(above, record)} > {name}" if is_in_cell else name)
    return names


def _cell(element: Any, record: Any) -> str:
    """Return a selector of a table's cell, with its row if a hit has several rows."""
    cell = f"{element.tag}:nth-child({_place(element)})"
    row = element.getparent()
    has_rows = row is not record and len(list(row.getparent().iterchildren("tr"))) > 1
    return f"tr:nth-child({_place(row)}) > {cell}" if has_rows else cell


def _place(element: Any) -> int:
    return len([e for e in element.itersiblings(preceding=True) if is_element(e)]) + 1


def _unlisted(records: Sequence[Any], link: str) -> Iterator[Any]:
    """Yield the next sibling of a hit if it has a different link in the same place: another hit."""
    for record in records if link else ():
        sibling = next(record.itersiblings(record.tag), None)
        if sibling is None:
            continue
        own, other = (next(iter(_elements(e, link)), None) for e in (record, sibling))
        if own is None or other is None or own.get("href") == other.get("href"):
            continue
        if _steps(own, record) == _steps(other, sibling):
            yield sibling


def _steps(element: Any, record: Any) -> list[str]:
    """Return the steps from a hit down to an element in it."""
    path = [element, *element.iterancestors()]
    return [step(above) for above in path[: path.index(record)]] if record in path else []


def _sibling_fields(records: Sequence[Any], known: Set[Any]) -> list[Field]:
    """List the siblings after a hit and before the next one, such as dd after dt."""
    names: dict[str, int] = defaultdict(int)
    for record in records:
        for place, sibling in enumerate(record.itersiblings(), start=1):
            if sibling in known or place > 2:
                break
            if is_element(sibling):
                names[f"following-sibling::*[{place}][self::{sibling.tag}]"] += 1
    least = max(2, 0.5 * len(records))
    most = [f"xpath:{name}" for name, count in names.items() if count >= least]
    return [_read(records, name) for name in filter(compiles, most)]
