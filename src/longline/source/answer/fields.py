"""The fields of a document: from its row on a result page, and from its own page."""

from collections.abc import Iterator, Mapping
from typing import Literal

import parsel
from lxml import etree  # type: ignore[import-untyped]

from longline.model.fields import Field, Fields, FieldType, Scalar, read_value
from longline.source.answer.answer import Answer
from longline.source.answer.links import absolute, href
from longline.source.select import Kind, read_select, text_of
from longline.source.spec import FieldPlace, Spec


def declared(spec: Spec, *, rows_only: bool = False) -> dict[str, Field]:
    """Return the fields a spec names, with their types; on request, those that a row may hold."""
    return {
        name: Field(place.type, bool(place.many))
        for name, place in spec.fields.items()
        if place.row or not rows_only
    }


def row_fields(spec: Spec, node: parsel.Selector, answer: Answer) -> Fields:
    """Return the fields that a row of a result page holds."""
    return _read(spec.fields, "row", node, answer, spec.source.kind)


def page_fields(spec: Spec, answer: Answer, kind: Kind) -> Fields:
    """Return the fields that a document's own page holds."""
    return _read(spec.fields, "page", answer.root, answer, kind)


def _read(
    places: Mapping[str, FieldPlace],
    where: Literal["row", "page"],
    node: parsel.Selector,
    answer: Answer,
    kind: Kind,
) -> Fields:
    found: Fields = {}
    for name, place in places.items():
        if selector := getattr(place, where):
            values = tuple(_values(selector, place, node, answer, kind))
            if values:
                found[name] = _kept(values, many=place.many)
    return found


def _kept(values: tuple[Scalar, ...], *, many: bool | None) -> Scalar | tuple[Scalar, ...]:
    if many:
        return values
    different = tuple(dict.fromkeys(values))
    return values[0] if many is False or len(different) == 1 else different


def _values(
    selector: str, place: FieldPlace, node: parsel.Selector, answer: Answer, kind: Kind
) -> Iterator[Scalar]:
    for each in _selected(selector, node, kind):
        value = read_value(_raw(each, place.type, answer), place.type, place.order)
        if value is not None:
            yield value


def _selected(selector: str, node: parsel.Selector, kind: Kind) -> Iterator[parsel.Selector]:
    """Yield what a selector finds; members of a JSON list one by one."""
    for each in read_select(selector, kind).all(node):
        if each.type != "json" or not isinstance(each.root, list):
            yield each
            continue
        for member in each.root:
            if member is not None:
                yield parsel.Selector(root=member, type="json")


def _raw(found: parsel.Selector, wanted: FieldType, answer: Answer) -> object:
    """Return the raw value of a found node, before it is converted to its type."""
    value = found.root
    if isinstance(value, bool | int | float):
        return value
    if wanted == "url":
        return _address(href(found) or text_of(found), answer)
    if wanted == "date" and isinstance(value, etree._Element):
        return found.xpath("(descendant-or-self::*/@datetime)[1]").get() or text_of(found)
    return text_of(found)


def _address(link: str, answer: Answer) -> str:
    try:
        return absolute(link, answer.base, answer.charset) if link else ""
    except ValueError:
        return link
