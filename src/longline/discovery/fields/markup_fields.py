"""Fields of rows in HTML and XML: labelled values that most rows have."""

from collections.abc import Iterable, Sequence
from typing import Any

from longline.discovery.answer import is_element, text
from longline.discovery.fields.labels import Piece, by_class, pieces
from longline.discovery.fields.places import Places, Seen, see
from longline.source.spec import FieldPlace


def markup_fields(
    rows: Sequence[Any],
    keys: Sequence[str],
    *,
    shown: Sequence[Sequence[str]],
    is_xml: bool = False,
) -> dict[str, FieldPlace]:
    """Return the fields of rows of a result page.

    Args:
        rows: One element for each row.
        keys: Keys of their documents; () if unknown.
        shown: For each row, the texts that are already kept, such as its title.
        is_xml: Whether the elements' tags are their names.
    """
    seen: dict[str, Seen] = {}
    for number, row in enumerate(rows):
        known = {each for each in shown[number] if each} if shown else set()
        for name, selector, values in _pieces(row, is_xml=is_xml):
            said = tuple(value for value in values if value)
            if said and known.issuperset(said):
                continue
            see(seen, number, name, selector, said)
    places = Places("row", "xml" if is_xml else "html")
    places.take(seen, len(rows), keys)
    return places.found


def _pieces(row: Any, *, is_xml: bool) -> Iterable[Piece]:
    if is_xml:
        return _by_tag(row)
    return [*pieces(row, is_column=row.tag == "tr"), *by_class(row)]


def _by_tag(row: Any) -> Iterable[Piece]:
    """Yield the elements of an XML record that contain only text, by tag."""
    found: dict[str, list[str]] = {}
    for element in row.iterdescendants():
        if is_element(element) and not len(element):
            found.setdefault(element.tag, []).append(text(element))
    for tag, values in found.items():
        yield tag, f"xpath:.//{tag}", tuple(values)
