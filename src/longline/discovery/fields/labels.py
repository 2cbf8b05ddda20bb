"""Labelled pieces of markup, each with its name, a selector for it, and its values."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from longline.discovery.answer import classes, compiles, is_element, text
from longline.source.select import UNSEEN, fold

Piece = tuple[str, str, tuple[str, ...]]
"""Name, selector and values."""

LONGEST_LABEL = 40
LONGEST_VALUE = 2_000
LONGEST_NAMED = 300
"""Maximum length in characters of a value that only a class names."""

_CELL = "following-sibling::td[1]"
_NEXT = "following-sibling::node()[normalize-space()][1]"
_INLINE = (
    "span",
    "em",
    "i",
    "b",
    "strong",
    "small",
    "cite",
    "time",
    "div",
    "p",
    "a",
    "li",
    "td",
    "dd",
)
_LAYOUT = re.compile(
    r"^(?:row|col|container|wrapper|content|inner|outer|left|right|top|bottom|main|box|block|item"
    r"|list|link|btn|button|icon|media|card|text|field|label|value|sr-only|hidden|clear|more"
    r"|title|heading|headline|snippet|summary|excerpt|hit|result|entry|record|nav|menu|thumb\w*"
    r"|image|img|description|abstract|teaser|odd|even|highlight|match|dotted|sep\w*|h\d?)$"
    r"|^(?:col|text|font|bg|p|m|d|w|h|fa|glyphicon|wp|css|ng|v|js|is|has)-",
    re.I,
)


def pieces(root: Any, is_column: bool = False) -> Iterator[Piece]:
    """Yield the labelled pieces in an element: by property, term, column, label or time.

    Args:
        root: A row of a result page, or a page.
        is_column: Whether it is a table row, whose cells are named by the table's head.
    """
    yield from _by_property(root)
    yield from by_term(root)
    if is_column:
        yield from _by_column(root)
    yield from _by_label(root)
    yield from _by_time(root)


def _by_property(root: Any) -> Iterator[Piece]:
    """Microdata: `itemprop`, with the value in `content`, `datetime`, or the text."""
    found: dict[str, list[Any]] = {}
    for element in root.xpath(".//*[@itemprop]"):
        for name in (element.get("itemprop") or "").split():
            found.setdefault(name, []).append(element)
    for name, elements in found.items():
        if any(each.get("itemscope") is not None and _holds_others(each) for each in elements):
            continue
        selector = f'css:[itemprop~="{name}"]'
        for attribute in ("content", "datetime"):
            if all(each.get(attribute) for each in elements):
                yield name, f"{selector}::attr({attribute})", _attributes(elements, attribute)
                break
        else:
            yield name, selector, tuple(map(text, elements))


def _holds_others(element: Any) -> bool:
    return bool(element.xpath(".//*[@itemprop]"))


def _attributes(elements: list[Any], name: str) -> tuple[str, ...]:
    return tuple(fold(each.get(name) or "") for each in elements)


def by_term(root: Any) -> Iterator[Piece]:
    """Terms with their descriptions: dt and dd, th and td."""
    for tag, beside in (("dt", "following-sibling::*[1][self::dd]"), ("th", _CELL)):
        for term in root.xpath(f".//{tag}"):
            label = text(term)
            said = [text(value) for value in term.xpath(beside)[:1]]
            if said and _is_label(label) and len(said[0]) <= LONGEST_VALUE:
                where = f"xpath:.//{tag}[normalize-space()={_quoted(label)}]/{beside}"
                yield label, where, (said[0],)


def _by_column(row: Any) -> Iterator[Piece]:
    """Cells of a table row, if the table's head names them."""
    table = next((above for above in row.iterancestors("table")), None)
    head = (
        next(iter(table.xpath("(.//tr[th and not(td)])[1]")), None) if table is not None else None
    )
    cells = row.xpath("./td")
    names = [] if head is None else [text(each) for each in head.xpath("./th")]
    if len(names) != len(cells):
        return
    for number, (name, cell) in enumerate(zip(names, cells, strict=True), start=1):
        if _is_label(name):
            yield name, f"xpath:./td[{number}]", (text(cell),)


def _by_label(root: Any) -> Iterator[Piece]:
    """A word with a colon in bold or in a span, and the value after it."""
    for element in root.xpath(".//b|.//strong|.//span|.//label|.//em"):
        label = text(element)
        if not label.endswith(":") or not _is_label(label):
            continue
        said = [fold(e if isinstance(e, str) else text(e)) for e in element.xpath(_NEXT)[:1]]
        if said and said[0] and not said[0].endswith(":") and len(said[0]) <= LONGEST_NAMED:
            where = f"xpath:.//{element.tag}[normalize-space()={_quoted(label)}]/{_NEXT}"
            yield label, where, (said[0],)


def _by_time(root: Any) -> Iterator[Piece]:
    found = root.xpath(".//time[@datetime]")
    unnamed = [each for each in found if not classes(each)]
    if unnamed and len(unnamed) == len(found):
        yield "date", "css:time::attr(datetime)", _attributes(found[:1], "datetime")


def by_class(root: Any, is_fitting: Callable[[str], bool] | None = None) -> Iterator[Piece]:
    """Yield short pieces that are named by a class.

    Args:
        root: A row of a result page, or a page.
        is_fitting: Accepts a class as a name; None accepts all except layout classes.
    """
    fits = is_fitting or (lambda name: not _LAYOUT.search(name))
    found: dict[tuple[str, str], list[Any]] = {}
    for element in root.iterdescendants():
        if not is_element(element) or element.tag not in _INLINE or element.tag in UNSEEN:
            continue
        for name in classes(element):
            if len(name) > 1 and fits(name):
                found.setdefault((element.tag, name), []).append(element)
                break
    for (tag, name), elements in found.items():
        if any(_has_named(each, fits) for each in elements):
            continue
        selector = f"css:{tag}.{name}"
        if tag == "time" and all(each.get("datetime") for each in elements):
            yield name, f"{selector}::attr(datetime)", _attributes(elements, "datetime")
        elif all(len(text(each)) <= LONGEST_NAMED for each in elements) and compiles(selector):
            yield name, selector, tuple(map(text, elements))


def _has_named(element: Any, fits: Callable[[str], bool]) -> bool:
    """Return whether an element contains other named pieces: then it is a container."""
    inner = [each for each in element.iterdescendants() if is_element(each)]
    return any(len(name) > 1 and fits(name) for each in inner for name in classes(each))


def _is_label(label: str) -> bool:
    return 1 < len(label) <= LONGEST_LABEL and bool(re.search(r"[^\W\d_]", label))


def _quoted(label: str) -> str:
    r"""Return a text as an XPath string.

    >>> _quoted("Author's")
    '"Author\'s"'
    """
    if '"' not in label:
        return f'"{label}"'
    parts = ", '\"', ".join(f'"{part}"' for part in label.split('"'))
    return f"concat({parts})"
