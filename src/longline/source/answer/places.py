"""Documents of which several stand on one page, each at a place that a fragment names."""

import re
from typing import Any

from lxml import etree  # type: ignore[import-untyped]

from longline.source.answer.answer import Answer

_HOLDERS = ("article", "section", "div", "li", "tr", "td", "table", "blockquote", "dd")
"""Elements that may hold a document; a heading, or an anchor, begins one."""

_NUMBER = re.compile(r"\d+")


def at_place(answer: Answer, name: str) -> Answer:
    """Take all text from a page except that of one place; return the page.

    A place is an element with this id or name. It ends with the element, if that holds text, or
    where the next place of its kind begins: another number, or the same tag. If there is no such
    element, nothing is taken.

    Args:
        answer: A page in HTML; it is changed.
        name: Name of the place: a fragment without "#".

    >>> from longline.model import Response
    >>> from longline.source import parse
    >>> body = b"<h1>News</h1><h2 id=n1>Sea</h2><p>Deep.</p><h2 id=n2>Land</h2><p>High.</p>"
    >>> page = Response(url="https://x.example/", status=200, body=body)
    >>> " ".join(at_place(parse(page, "html"), "n1").visible().split())
    'Sea Deep.'
    """
    root = answer.root.root
    own = place_in(root, name)
    if own is None:
        return answer
    is_whole = own.tag in _HOLDERS and bool("".join(own.itertext()).strip())
    is_inside = False
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if event == "start":
            begins = element is own
            is_inside = begins or (is_inside and not (not is_whole and _is_next(element, own)))
            element.text = element.text if is_inside else None
        else:
            is_inside = is_inside and not (is_whole and element is own)
            element.tail = element.tail if is_inside else None
    return answer


def place_in(root: Any, name: str) -> Any:
    """Return the element of a place: with this id or name, or else the only id with its number."""
    elements = [each for each in root.iter() if _names(each)] if name else []
    own = next((each for each in elements if name in _names(each)), None)
    number = _NUMBER.findall(name)[-1:]
    alike = [each for each in elements if number and number == _NUMBER.findall(each.get("id", ""))]
    return alike[0] if own is None and len(alike) == 1 else own


def _names(element: Any) -> tuple[str, ...]:
    if not isinstance(element.tag, str):
        return ()
    return tuple(filter(None, (element.get("id"), element.tag == "a" and element.get("name"))))


def _is_next(element: Any, own: Any) -> bool:
    """Return whether an element begins another place of the same kind."""
    kinds = {_NUMBER.sub("0", name) for name in _names(own)}
    named = {_NUMBER.sub("0", name) for name in _names(element)}
    has_number = any(_NUMBER.search(name) for name in _names(own))
    return bool(named & kinds) if has_number else bool(named) and element.tag == own.tag
