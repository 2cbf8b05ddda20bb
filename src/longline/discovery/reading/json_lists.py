"""Find lists of objects or rows in JSON, and what stands around them, by JMESPath."""

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import urljoin, urlsplit

import jmespath  # type: ignore[import-untyped]

from longline.discovery.answer import ParsedAnswer
from longline.discovery.reading.json_tree import (
    Leaf,
    is_address,
    is_mostly_plain,
    last_name,
    leaves_of,
    named,
)
from longline.source.answer import is_page

_Answer = TypeVar("_Answer", bound=Hashable)

DEEPEST = 8
"""How many levels of an answer are searched for lists. Source: OData 2 has seven above its rows."""

SHORT = 5
"""A list with at most this many items may contain the list of hits instead of being it."""

MOST_BEFORE_ROWS = 2
"""How many items may precede the first row: the total, the columns."""

LEAST_ALIKE, FIELDS = 10, 2
"""Minimum number of objects under any names that are rows if they have so many fields in common."""

MOST_LISTS, MOST_OF_LIST, SHORT_ROW = 30, 5, 300
"""Limits of a list that only names lists: rows, fields of a row, and characters of a row."""

_IDENTIFIER = re.compile(r"(?=.*\d)[\w./:-]{1,40}")
_ADDRESS = re.compile(r"url|href|link|uri|path|endpoint", re.I)
_PLACE = re.compile(r"[^\s{}]+")
_NUMBERS = re.compile(r"[0-9a-fA-F-]{8,}|\d+")
_LEFT_OUT = re.compile(r"\{[/?&][^{}]*\}")


def lists_in(data: Any, path: str = "", depth: int = DEEPEST) -> Iterator[tuple[str, list[Any]]]:
    """Yield all lists of objects or of rows, each with the path that selects its items.

    Lists inside the items are parts of them and are not yielded; lists of links are not either, nor
    what JSON:API includes beside its data.

    >>> list(lists_in({"data": {"hits": [{"id": 1}], "took": 3}}))
    [('data.hits[*]', [{'id': 1}])]
    >>> list(lists_in([[2], ["deep", 1], ["web", 7]]))
    [('[1:]', [['deep', 1], ['web', 7]])]
    """
    if isinstance(data, list):
        yield from _lists_in_list(data, path, depth)
        return
    if not isinstance(data, dict) or not depth:
        return
    rows, telling = _named_rows(data)
    if path and rows:
        yield f"{path}.*{telling}", rows
        return
    is_json_api = isinstance(data.get("data"), list)
    for name, value in data.items():
        if is_json_api and name == "included":
            continue
        yield from lists_in(value, f"{path}.{named(name)}" if path else named(name), depth - 1)


def identifiers_in(
    data: Any, path: str = "", depth: int = DEEPEST
) -> Iterator[tuple[str, list[Any]]]:
    """Yield the lists of numbers, or of names with digits, by the path that selects their items.

    >>> list(identifiers_in({"total": 2, "found": {"ids": [436532, 1014]}, "tags": ["a", "b"]}))
    [('found.ids[*]', [436532, 1014])]
    """
    if isinstance(data, dict) and depth:
        for name, value in data.items():
            inner = f"{path}.{named(name)}" if path else named(name)
            yield from identifiers_in(value, inner, depth - 1)
    elif isinstance(data, list) and data and all(map(_is_identifier, data)):
        yield f"{path}[*]", data


def _is_identifier(item: Any) -> bool:
    is_name = isinstance(item, str) and _IDENTIFIER.fullmatch(item) is not None
    return is_name or (isinstance(item, int) and not isinstance(item, bool))


def _named_rows(data: dict[str, Any]) -> tuple[list[dict[str, Any]], str]:
    """Return objects under names of their own, and a filter that excludes their siblings.

    Their names contain numbers, or they are many, have the same fields, and have no siblings.

    >>> _named_rows({"D1-08609a58": {"id": 1, "by": "A"}, "D2-0a2f83b5": {"id": 2}, "facets": {}})
    ([{'id': 1, 'by': 'A'}, {'id': 2}], ' | [?id]')
    """
    alike = [value for value in data.values() if isinstance(value, dict)]
    if len(alike) == len(data) >= LEAST_ALIKE and len(set.intersection(*map(set, alike))) >= FIELDS:
        return alike, ""
    numbered = {k: v for k, v in data.items() if isinstance(v, dict) and re.search(r"\d", k)}
    rows, names = list(numbered.values()), {_NUMBERS.sub("", name) for name in numbered}
    if len(rows) < 2 or 2 * len(rows) < len(data) or len(names) > 1:
        return [], ""
    if all(map(str.isdigit, data)):
        return rows if len(rows) == len(data) else [], ""
    beside = [v for v in data.values() if v not in rows]
    shared = [name for name in rows[0] if all(name in row for row in rows)]
    own = [name for name in shared if not any(isinstance(v, dict) and name in v for v in beside)]
    return (rows, f" | [?{named(own[0])}]") if own else ([], "")


def _lists_in_list(data: list[Any], path: str, depth: int) -> Iterator[tuple[str, list[Any]]]:
    objects = [item for item in data if isinstance(item, dict)]
    if objects and all({"rel", "href"} <= item.keys() for item in objects):
        return  # links to other answers
    if objects and len(objects) == len(data):
        yield f"{path}[*]", data
        # An answer to several searches at once is a list of answers.
        few = data[:SHORT] if depth and len(data) <= SHORT else []
        inner = [
            each
            for place, item in enumerate(few)
            for each in lists_in(item, f"{path}[{place}]", depth - 1)
        ]
        if len(data) == 1 or any(len(items) > len(data) for _, items in inner):
            yield from inner
        return
    begin = first_row(data)
    if begin is not None:
        yield f"{path}[{begin}:]" if begin else f"{path}[*]", data[begin:]
    elif len(data) <= SHORT and depth:
        for place, item in enumerate(data):
            yield from lists_in(item, f"{path}[{place}]", depth - 1)


def lists_of_groups(
    path: str, groups: Mapping[_Answer, list[Any]]
) -> Iterator[tuple[str, dict[_Answer, list[Any]]]]:
    """Yield the lists that most groups hold, each merged over the groups of an answer.

    >>> groups = {1: [{"of": [{"id": 1}, {"id": 2}]}, {"of": [{"id": 3}]}]}
    >>> list(lists_of_groups("found[*]", groups))
    [('found[].of[]', {1: [{'id': 1}, {'id': 2}, {'id': 3}]})]
    """
    held = {answer: [dict(lists_in(group)) for group in groups[answer]] for answer in groups}
    times = Counter(inner for lists in held.values() for each in lists for inner in each)
    for inner, often in times.most_common():
        if 2 * often > sum(map(len, held.values())):
            merged = {
                answer: [hit for each in lists for hit in each.get(inner, ())]
                for answer, lists in held.items()
            }
            yield f"{path}.{inner}".replace("[*]", "[]"), merged


def lists_of_nothing(
    empty: Sequence[ParsedAnswer], found: Mapping[str, Mapping[ParsedAnswer, list[Any]]]
) -> set[str]:
    """Return lists that nonsense also has, except those it fills with one fixed list."""
    shown: dict[str, list[list[str]]] = {}
    for answer in empty:
        for path, items in lists_in(answer.data):
            shown.setdefault(path, []).append(list(map(str, items)))
    for path, (first, *others) in list(shown.items()):
        lists = found.get(path, {}).values()
        hits = {str(item) for items in lists for item in items}
        is_fill = bool(others) and all(other == first for other in others)
        are_few = all(2 * len(items) <= len(first) for items in lists)
        if is_fill and (are_few or 2 * len(hits.difference(first)) > len(hits)):
            del shown[path]
    return set(shown)


def first_row(data: list[Any]) -> int | None:
    """Return the index of a list's first row, after any description; None if it has no rows.

    Rows are lists of one length with plain values, or lists of these, in the same columns.

    >>> first_row([[26], [["id", "Int"], ["title", "Text"]], [3, "Deep web"], [8, "Deep sea"]])
    2
    """
    kinds = [_columns(item) for item in data]
    if not kinds or kinds[-1] is None:
        return None
    begin = len(kinds) - 1
    while begin and kinds[begin - 1] == kinds[-1]:
        begin -= 1
    return begin if begin <= MOST_BEFORE_ROWS else None


def _columns(item: Any) -> tuple[type | None, ...] | None:
    """Return the types of a row's cells that are lists or objects; None if it is not a row."""
    if not isinstance(item, list) or len(item) < 2:
        return None
    kinds = tuple(type(cell) if isinstance(cell, (list, dict)) else None for cell in item)
    inner = [value for cell in item if isinstance(cell, list) for value in cell]
    is_plain = not any(isinstance(value, (dict, list)) for value in inner)
    return kinds if is_plain and None in kinds and is_mostly_plain(item) else None


def labels_of(data: Any, path: str, width: int) -> list[str]:
    """Return the names of the columns of an answer's rows, found above or beside them; [] if none.

    >>> labels_of({"columns": ["id", "title"], "rows": [[1, "Deep web"]]}, "rows[*]", 2)
    ['id', 'title']
    """
    holder, _, begin = path.rpartition("[")
    rows = jmespath.search(holder, data) if holder else data
    above = rows[: int(begin.rstrip(":]"))] if begin[:1].isdigit() else []
    beside: list[Any] = []
    if holder and not holder.endswith("]"):
        outer = holder.rpartition(".")[0]
        around = jmespath.search(outer, data) if outer else data
        beside = [value for value in around.values() if value is not rows]
    for said in [*reversed(above), *beside]:
        names = [_label(each) for each in said] if isinstance(said, list) else []
        if len(names) == width and all(names):
            return names
    return []


def _label(said: Any) -> str:
    if isinstance(said, dict):
        said = next((said[name] for name in ("name", "label", "title", "id") if name in said), "")
    elif isinstance(said, list):
        said = said[0] if said else ""
    return said if isinstance(said, str) else ""


def numbers_before(data: Any, path: str) -> Iterator[tuple[str, int]]:
    """Yield the integers in the lists around and before the rows, by path.

    >>> list(numbers_before([[0, 0.1], [[26], [3, "Deep web"]]], "[1][1:]"))
    [('[0][0]', 0), ('[1][0][0]', 26)]
    """
    holder, _, begin = path.rpartition("[")
    most = int(begin.rstrip(":]")) if begin[:1].isdigit() else 0

    def within(value: Any, at: str) -> Iterator[tuple[str, int]]:
        if isinstance(value, int) and not isinstance(value, bool):
            yield at, value
        elif isinstance(value, list) and (at == holder or len(value) <= SHORT):
            for place, item in enumerate(value[:most] if at == holder else value):
                yield from within(item, f"{at}[{place}]")

    if isinstance(data, list):
        yield from within(data, "")


def longest_list(data: Any) -> list[Any]:
    """Return the longest list of objects; [] if there is none. Groups count by their objects.

    >>> longest_list({"found": [{"of": [{"id": 1}]}, {"of": [{"id": 2}, {"id": 3}]}]})
    [{'id': 1}, {'id': 2}, {'id': 3}]
    """
    path, longest = max(lists_in(data), key=lambda found: len(found[1]), default=("", []))
    own = {tuple(leaves_of(item)) for item in longest}
    if len(own) > 1 or len(longest) < 2:
        return longest
    return next((lists[0] for _, lists in lists_of_groups(path, {0: longest})), longest)


def strings_in(data: Any) -> tuple[str, list[str]] | None:
    """Return the longest list of strings with its path, or None if there is none.

    >>> strings_in(["se", ["sea", "seal"], ["", ""]])
    ('[1][*]', ['sea', 'seal'])
    """
    if longest_list(data) and not isinstance(data, list):
        return None
    lists: list[tuple[str, list[str]]] = []
    at = {"": data} if isinstance(data, list) else dict(data) if isinstance(data, dict) else {}
    for name, value in at.items():
        path = named(name) if name else ""
        if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
            lists.append((f"{path}[*]", value))
        elif isinstance(value, list) and not path:
            inner = ((f"[{place}][*]", each) for place, each in enumerate(value[:2]))
            lists += [
                (place, each)
                for place, each in inner
                if isinstance(each, list) and each and all(isinstance(one, str) for one in each)
            ]
    return max(lists, key=lambda found: len(found[1]), default=None)


def addresses_in(data: Any, url: str) -> list[str]:
    """Return the URLs of the same site that an answer names, without optional parts.

    If a list in it only names lists, their URLs are included.

    >>> addresses_in({"rows": "/rows{/id}", "by": "https://other.example/"}, "https://x.example/")
    ['https://x.example/rows']
    >>> addresses_in({"value": [{"name": "Maps", "url": "maps"}]}, "https://x.example/odata/")
    ['https://x.example/odata/maps']
    """
    said = (_LEFT_OUT.sub("", str(value)) for _, value in leaves_of(data))
    named = [value for value in said if is_address(value)]
    named += directory_in(data)
    whole = dict.fromkeys(urljoin(url, value) for value in named)
    return [each for each in whole if urlsplit(each)[:2] == urlsplit(url)[:2]]


def directory_in(data: Any) -> list[str]:
    """Return the URLs in an answer's longest list if that only names lists; otherwise [].

    Each row is a name or two and a unique URL.

    Source: OData 4.01, JSON format, section 5 (the service document).
    """
    rows = [dict(leaves_of(row)) for row in longest_list(data)]
    said = [{last_name(path): value for path, value in row.items()} for row in rows]
    names = [name for name in (said[0] if said else ()) if _ADDRESS.fullmatch(name)]
    held = [str(row.get(name, "")) for row in said for name in names[:1]]
    is_short = all(len(row) <= MOST_OF_LIST and len(str(row)) < SHORT_ROW for row in said)
    is_own = len(rows) <= MOST_LISTS and len(set(held)) == len(rows)
    return held if is_short and is_own and all(map(_PLACE.fullmatch, held)) else []


def numbers_outside(data: Any, path: str) -> dict[str, int]:
    """Return the integers of an answer outside its lists, by path.

    A number with a relation beside it, such as {"value": 9, "relation": "gte"}, has the path of
    its object.
    """
    found: dict[str, int] = {}
    said = dict(leaves_of(data))
    for place, value in said.items():
        number = _whole_number(value)
        if number is None:
            continue
        above = place.rpartition(".")[0]
        beside = f"{above}.relation" if above else "relation"
        is_worth = last_name(place) == "value" and beside in said
        found[above if is_worth and above else place] = number
    found.update(numbers_before(data, path))
    if path.startswith("[0]") or (path.partition("[0]")[1] and isinstance(data, dict)):
        # In an answer to several searches at once, use the numbers beside the hits.
        before = path.rpartition("[0]")[0] + "[0]"
        for place, value in leaves_of(jmespath.search(before, data), depth=3):
            number = _whole_number(value)
            if number is not None:
                found[f"{before}.{place}"] = number
    return found


def _whole_number(value: Leaf) -> int | None:
    if isinstance(value, int):
        return None if isinstance(value, bool) else value
    return int(value) if isinstance(value, str) and re.fullmatch(r"\d{1,12}", value) else None


def drop_names(found: dict[str, dict[Any, list[Any]]]) -> None:
    """Remove column names from the rows if the first row is the same in all answers.

    Args:
        found: Lists by path, and by the answer that holds them.
    """
    for path in [path for path in found if path.endswith("[*]")]:
        firsts = [items[0] for items in found[path].values()]
        is_named = len(firsts) > 1 and all(isinstance(row, list) for row in firsts)
        if is_named and all(row == firsts[0] for row in firsts) and all(map(_is_name, firsts[0])):
            lists = {answer: items[1:] for answer, items in found.pop(path).items()}
            found[f"{path.removesuffix('[*]')}[1:]"] = lists


def _is_name(cell: Any) -> bool:
    return isinstance(cell, str) and bool(re.fullmatch(r"[@\w][\w.: -]{0,40}", cell))


def is_xml_data(shown: ParsedAnswer) -> bool:
    """Return whether data came as XML, in which one element and a list of one are the same."""
    return shown.response.body.lstrip()[:1] == b"<" and not is_page(shown.answer)
