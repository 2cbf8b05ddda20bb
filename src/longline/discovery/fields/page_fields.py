"""Fields of documents' own pages: linked data, meta tags, microdata, terms and named pieces."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from longline.discovery.answer import ParsedAnswer
from longline.discovery.fields.data_fields import Row, data_fields
from longline.discovery.fields.labels import Piece, by_class, pieces
from longline.discovery.fields.places import Places, Seen, see
from longline.source.select import fold, linked_data
from longline.source.spec import FieldPlace

_OF_LIBRARIES = re.compile(
    r"^(?:dc|dcterms|citation|bepress|eprints|prism)[._-]|^article:(?:published|modified|author|section"
    r"|tag)|^(?:author|date|keywords|publisher|creator|subject|pubdate|news_keywords)$",
    re.I,
)
_OF_THE_SITE = re.compile(
    r"^(?:viewport|robots|generator|referrer|theme-color|format-detection|google\S*|bingbot|csrf\S*|msapplication\S*"
    r"|apple-\S*|application-name|mobile-\S*|twitter:\S*|og:\S*|fb:\S*|al:\S*|content-type|charset"
    r"|description|title|verify\S*|.*verification.*|msvalidate.*|color-scheme|rating)$",
    re.I,
)
_NAMED = re.compile(
    r"author|byline|creator|contributor|date|publish|posted|updated|time|year|subject|keyword|tags?$|category"
    r"|categories|isbn|issn|doi|price|place|location|language|type$|format|edition|pages|shelf|call-?num"
    r"|signature|signatur|series|volume|issue|license|licence|rights|source$|status|number$|court|judge",
    re.I,
)
_LESS = re.compile(r"@|^(?:mainEntityOfPage|publisher\.logo|image|logo|potentialAction|isPartOf)\b")


def page_fields(
    pages: Sequence[ParsedAnswer], *, known: Collection[str], shown: Sequence[Sequence[str]]
) -> dict[str, FieldPlace]:
    """Return the fields of documents' pages.

    Args:
        pages: Pages of different documents.
        known: Names of fields that rows already have; they are left out.
        shown: For each page, the texts that are already kept, such as its title.
    """
    places = Places("page", "html")
    titles = [set(filter(None, each)) for each in shown]
    places.found |= _of_linked_data(pages, titles)
    for find in (_meta, pieces, _named):
        places.take(_seen(pages, find, titles), len(pages))
    taken = {name.casefold() for name in known}
    return {name: place for name, place in places.found.items() if name.casefold() not in taken}


def _seen(pages: Sequence[ParsedAnswer], find: Any, titles: Sequence[set[str]]) -> dict[str, Seen]:
    """Return the named pieces of all pages, without those that only repeat kept texts."""
    seen: dict[str, Seen] = {}
    for number, page in enumerate(pages):
        found: Iterable[Piece] = find(page.root)
        for name, selector, values in found:
            said = tuple(value for value in values if value)
            if not said or titles[number].issuperset(said):
                continue
            see(seen, number, name, selector, said)
    return seen


def _of_linked_data(
    pages: Sequence[ParsedAnswer], titles: Sequence[set[str]]
) -> dict[str, FieldPlace]:
    """Return the fields of each page's largest JSON-LD object."""
    rows: list[Row] = []
    for page in pages:
        items = [each.root for each in linked_data(page.answer.root)]
        if items:
            rows.append(Row("", max(items, key=lambda item: len(item))))
    if len(rows) < len(pages):
        return {}
    same = {
        path
        for path in data_fields(rows, where="page")
        if all(
            str(row.item.get(path, "")) in title for row, title in zip(rows, titles, strict=True)
        )
    }
    found = data_fields(rows, taken=same, where="page")
    return {
        name: FieldPlace(
            "", place.page.replace("jmes:", "ld:", 1), place.type, place.many, place.order
        )
        for name, place in found.items()
        if not _LESS.search(name)
    }


def _meta(root: Any) -> Iterator[Piece]:
    found: dict[tuple[str, str], list[str]] = {}
    for element in root.xpath("//meta[@name or @property][@content]"):
        attribute = "name" if element.get("name") else "property"
        name = element.get(attribute).strip()
        if (
            name
            and '"' not in name
            and not _OF_THE_SITE.search(name)
            and _OF_LIBRARIES.search(name)
        ):
            found.setdefault((attribute, name), []).append(fold(element.get("content")))
    for (attribute, name), values in found.items():
        yield name, f'css:meta[{attribute}="{name}"]::attr(content)', tuple(values)


def _named(root: Any) -> Iterator[Piece]:
    return by_class(root, lambda name: bool(_NAMED.search(name)))
