"""Read the values in an object or a row of JSON, by JMESPath, and those of many rows."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from longline.discovery.next_words import is_position_name
from longline.source.rich_text import is_rich_text, rich_text
from longline.source.select import in_order, link_in

DEPTH = 5
"""How many levels of a hit are read."""

_KEYS = ("Key", "key", "name", "Name", "field", "label", "rel", "relation", "tag", "code")
_VALUES = ("Value", "value", "Val", "val", "content", "href", "url")
"""Names used in lists of names and values, or in lists of links and their URLs."""

_INNER = ("_value", "@value", "value", "#text", "text", "content", "$")
"""Names under which the text of an object with a language stands."""

_END = re.compile(r"(.+?)(?:\[\*\])?\.([\w@]+|\"[^\"]+\")")

_LANGUAGE = re.compile(r"[a-z]{2}(?:[-_][A-Za-z]{2,4})?")
_EITHER = re.compile(r" \|\| ([^|\s]+)$")
JOINED = " | [join(' ', @)]"
"""At the end of the path to all values of a list in a list of names and values, as one text."""

_PAIR = re.compile(
    r"\[\?\w+=='([^']+)'\]\.\w+"
    rf"(?:\[\](?:\.\w+{re.escape(JOINED)}| \| \[\?\w+=='([^']+)'\]\.\w+))?(?: \| \[0\])?$"
)
_PLAIN = re.compile(r"[A-Za-z_]\w*")

_TAGS = re.compile(r"<[^<>]*>")
_PART = re.compile(r"snippet|excerpt|highlight|teaser|extract|preview|short", re.I)
_MARKS = re.compile(r"</?(?:em|mark|b|strong|span|hl)\b", re.I)

CUT_TO = 12
"""Texts at most this many characters shorter than the longest count as truncated, if many are."""

MARKED = 0.2
"""If a larger share of the texts ends in dots or has marked words, they are taken for excerpts."""

Leaf = str | int | float | bool | None


def named(name: str) -> str:
    """Return a name in JMESPath syntax.

    >>> named("title"), named("@id")
    ('title', '"@id"')
    """
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return name if _PLAIN.fullmatch(name) else f'"{escaped}"'


def is_mostly_plain(item: list[Any]) -> bool:
    """Return whether less than half of a list are objects: a list of objects is not a row."""
    return 2 * sum(isinstance(cell, dict) for cell in item) < len(item)


def leaves_of(item: Any, path: str = "", depth: int = DEPTH) -> Iterator[tuple[str, Leaf]]:
    """Yield the values in an object or a row, by path; lists of plain values as one text.

    >>> dict(leaves_of({"id": 7, "_source": {"title": "A", "by": ["B", "C"]}}))
    {'id': 7, '_source.title': 'A', '_source.by': 'B C'}
    >>> dict(leaves_of([7, "A", {"name": "B"}])), dict(leaves_of([{"id": 7}, {"id": 8}]))
    ({'[0]': 7, '[1]': 'A', '[2].name': 'B'}, {})
    >>> list(leaves_of({"cells": [{"Key": "Id", "Value": 7}, {"Key": "By", "Value": "A"}]}))
    [("cells[?Key=='Id'].Value | [0]", 7), ("cells[?Key=='By'].Value | [0]", 'A')]
    >>> dict(leaves_of({"abstract": {"web": [1, 3], "deep": [0, 2]}}))
    {'in_order(abstract)': 'deep web deep web'}
    >>> dict(leaves_of(7))
    {'@': 7}
    >>> dict(leaves_of({"row": "<a href='/doc/7'>A</a>"}))
    {'row': "<a href='/doc/7'>A</a>", 'link_in(row)': '/doc/7'}
    """
    if path and isinstance(item, dict) and _is_inverted(item):
        yield f"in_order({path})", in_order(item)
    elif path and is_rich_text(item):
        yield f"rich_text({path})", rich_text(item)
    elif isinstance(item, dict):
        for name, value in item.items() if depth else ():
            inner = f"{path}.{named(name)}" if path else named(name)
            yield from leaves_of(value, inner, depth - 1)
    elif isinstance(item, list) and not path:
        for place, cell in enumerate(item if is_mostly_plain(item) else ()):
            yield from leaves_of(cell, f"[{place}]", depth - 1)
    elif isinstance(item, list):
        if item and all(isinstance(value, (str, int, float)) for value in item):
            yield path, " ".join(map(str, item))
        for pair, values in pairs_in(item).items():
            yield f"{path}{pair} | [0]", values[0]
    else:
        yield path or "@", item
        if path and isinstance(item, str) and (link := link_in(item)):
            yield f"link_in({path})", link


def _is_inverted(item: dict[str, Any]) -> bool:
    """Return whether an object maps words to their positions in a text, each position once."""
    held = list(item.values())
    if not held or not all(isinstance(each, list) for each in held):
        return False
    places = [place for each in held for place in each]
    return len(places) > 1 and set(map(repr, places)) == set(map(str, range(len(places))))


def leaves_of_answer(data: Any) -> Iterator[tuple[str, Leaf]]:
    """Yield the values of an answer outside its lists; for a list of one object, its values.

    >>> dict(leaves_of_answer([{"id": 7}])), dict(leaves_of_answer({"total": 7}))
    ({'[0].id': 7}, {'total': 7})
    """
    is_one = isinstance(data, list) and len(data) == 1 and isinstance(data[0], dict)
    return leaves_of(data[0], "[0]") if is_one else leaves_of(data)


def pairs_in(items: list[Any]) -> dict[str, list[Leaf]]:
    """Return the values of a list of names and values, by path; {} if it is a different list.

    A value may be such a list itself, as in MARC; then its values count, one by one and together.

    >>> pairs_in([{"name": "by", "value": "A"}, {"name": "by", "value": "B"}])
    {"[?name=='by'].value": ['A', 'B']}
    >>> parts = [{"code": "a", "it": "Sea"}, {"code": "b", "it": "1"}]
    >>> list(pairs_in([{"tag": "245", "part": parts}]).items())[:2]
    [("[?tag=='245'].part[].it | [join(' ', @)]", ['Sea 1']), \
("[?tag=='245'].part[] | [?code=='a'].it", ['Sea'])]
    """
    said: dict[str, list[Leaf]] = {}
    if not items or not all(isinstance(item, dict) for item in items):
        return said
    key, value = (next((n for n in names if n in items[0]), "") for names in (_KEYS, _VALUES))
    # In XML, the value is named like its element, and the only other field is the name.
    beside = [name for name in items[0] if name != key]
    inner = [name for name in beside if isinstance(items[0][name], dict | list)]
    value = value or next((names[0] for names in (beside, inner) if len(names) == 1), "")
    for item in items if key and value else ():
        name, held = item.get(key), item.get(value)
        if not isinstance(name, str) or set("'\\") & set(name):
            return {}
        place = f"[?{key}=='{name}'].{value}"
        if not isinstance(held, dict | list):
            said.setdefault(place, []).append(held)
            continue
        parts = pairs_in(held if isinstance(held, list) else [held])
        if not parts:
            return {}
        last = next(iter(parts)).rpartition("].")[2]
        whole = " ".join(str(each) for values in parts.values() for each in values)
        said.setdefault(f"{place}[].{last}{JOINED}", []).append(whole)
        for part, values in parts.items():
            said.setdefault(f"{place}[] | {part}", []).extend(values)
    return said


def last_name(path: str) -> str:
    """Return the last name of a path.

    >>> last_name('a.b."@id"'), last_name("cells[?Key=='By'].Value | [0]")
    ('@id', 'By')
    >>> last_name("field[?tag=='245'].part[] | [?code=='a'].it | [0]")
    '245a'
    >>> last_name("a.title[*].value || a.title")
    'title'
    """
    if pair := _PAIR.search(path):
        return "".join(filter(None, pair.groups()))
    path = either[1] if (either := _EITHER.search(path)) else path
    return path.rpartition(".")[2].strip('"').replace("[*]", "").replace("[0]", "")


def sent_names(path: str) -> list[str]:
    """Return names to send a value of an answer under: its own, and that in its place.

    >>> sent_names("meta.pagination.page"), sent_names("found.page")
    (['page', 'pagination[page]'], ['page'])
    """
    above, name = map(last_name, (path.rpartition(".")[0], path))
    return [name, f"{above}[{name}]"] if is_position_name(above) else [name]


def is_address(value: object) -> bool:
    """Return whether a JSON value is a URL, and not a URL template.

    >>> is_address("/rows"), is_address("//x.example/7"), is_address("rows{/id}")
    (True, True, False)
    """
    return (
        isinstance(value, str) and bool(re.match(r"(https?:)?//\w|/\w", value)) and "{" not in value
    )


def joined_languages(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows, by path, with one value for those that stand in a different language in others.

    The path takes the most frequent language, and any other where a row lacks it.

    >>> joined_languages([{"name.en": "Water"}, {"name.en": "Sea"}, {"name.de": "Wasser"}])[2]
    {'name.en || values(name || `{}`)[0]': 'Wasser'}
    >>> joined_languages([{"name.en": "Water", "name.de": "Wasser"}])
    [{'name.en': 'Water', 'name.de': 'Wasser'}]
    """
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        for path in row:
            outer = path.rpartition(".")[0]
            if outer and _LANGUAGE.fullmatch(last_name(path)):
                counts.setdefault(outer, Counter())[path] += 1
    for outer, paths in counts.items():
        (most, often), *others = paths.most_common()
        held = sum(any(path in row for path in paths) for row in rows)
        if not others or held == often:
            continue
        named = f"{most} || values({outer} || `{{}}`)[0]"
        rows = [_joined(row, [most, *(path for path, _ in others)], named) for row in rows]
    return list(rows)


def listed_leaves(item: Any, path: str = "", depth: int = DEPTH) -> Iterator[tuple[str, str]]:
    """Yield the texts in lists of objects, by path; those of one list as one text.

    >>> dict(listed_leaves({"titles": [{"lang": "en", "title": "Sea"}], "by": [{"name": "A"}]}))
    {'titles[*].lang': 'en', 'titles[*].title': 'Sea', 'by[*].name': 'A'}
    """
    if isinstance(item, dict):
        for name, value in item.items() if depth else ():
            inner = f"{path}.{named(name)}" if path else named(name)
            yield from listed_leaves(value, inner, depth - 1)
    elif path and isinstance(item, list) and all(isinstance(each, dict) for each in item):
        for name in dict.fromkeys(chain.from_iterable(item)):
            said = [each[name] for each in item if isinstance(each.get(name), str)]
            if said:
                yield f"{path}[*].{named(name)}", " ".join(said)


def joined_shapes(
    rows: Sequence[dict[str, Any]], listed: Sequence[dict[str, str]]
) -> list[dict[str, Any]]:
    """Return rows, by path, with one value for those that are a text here and an object there.

    Args:
        rows: The values of each row.
        listed: Its texts in lists of objects.

    >>> rows = [{"title": "Sea"}, {"title.value": "Lake"}, {}]
    >>> joined_shapes(rows, [{}, {}, {"title[*].value": "Bay"}])[2]
    {'title.value || title[*].value || title': 'Bay'}
    >>> joined_shapes([{"title.title": "Sea"}, {}], [{}, {"title[*].title": "Sea See"}])[1]
    {'title.title || title[*].title': 'Sea See'}
    """
    every = [row | more for row, more in zip(rows, listed, strict=True)]
    known = set[str]().union(*every)
    for end in dict.fromkeys(
        found.groups() for found in map(_END.fullmatch, sorted(known)) if found
    ):
        outer, name = end
        # In XML, the text of an element with attributes is named like the element.
        plain = [outer] if name.strip('"') in (*_INNER, last_name(outer)) else []
        paths = [p for p in (f"{outer}.{name}", f"{outer}[*].{name}", *plain) if p in known]
        if len(paths) > 1:
            said = [{path: row[path] for path in paths if path in row} for row in every]
            pairs = zip(rows, said, strict=True)
            rows = [_joined(row | own, paths, " || ".join(paths)) for row, own in pairs]
    return list(rows)


def _joined(row: dict[str, Any], paths: Sequence[str], name: str) -> dict[str, Any]:
    found = [row[path] for path in paths if path in row]
    rest = {path: value for path, value in row.items() if path not in paths}
    return rest | ({name: found[0]} if found else {})


@dataclass(frozen=True)
class Leaves:
    """The values of one path in every hit: one for each, None if it has none.

    Attributes:
        label: The name of the column, for a row's cell; "" if unknown.
    """

    path: str
    values: tuple[Leaf, ...]
    label: str = ""

    @property
    def name(self) -> str:
        """The column's name, or the last name of the path."""
        return self.label or last_name(self.path)

    @property
    def said(self) -> str:
        """All names of the path and the column."""
        return f"{self.path} {self.label}"

    @cached_property
    def texts(self) -> list[str]:
        """The values as text, without empty ones."""
        return [str(value) for value in self.values if value not in (None, "")]

    @property
    def coverage(self) -> float:
        """Share of the hits that have a value."""
        return len(self.texts) / len(self.values)

    @property
    def distinct(self) -> float:
        """Share of different values among all values."""
        return len(set(self.texts)) / len(self.texts) if self.texts else 0.0

    @cached_property
    def length(self) -> float:
        """Mean length of the texts without tags, in characters."""
        total = sum(len(_TAGS.sub("", text)) for text in self.texts)
        return total / len(self.texts) if self.texts else 0.0

    @property
    def is_words(self) -> bool:
        """Whether the values are mostly letters and spaces, and not URLs."""
        texts = [_TAGS.sub(" ", text) for text in self.texts]
        said = "".join(texts)
        words = sum(map(str.isalpha, said)) + sum(map(str.isspace, said))
        urls = sum("://" in text or text.startswith("/") for text in texts)
        is_text = any(isinstance(value, str) for value in self.values)
        return is_text and words > 0.6 * len(said) and urls <= 0.3 * len(self.texts)

    @property
    def is_part(self) -> bool:
        """Whether the texts are excerpts: by name, by marked words, or truncated to one length."""
        if _PART.search(self.said):
            return True
        marked = sum(
            text.rstrip().endswith(("…", "...")) or bool(_MARKS.search(text)) for text in self.texts
        )
        longest = max(map(len, self.texts), default=0)
        cut = sum(len(text) > longest - CUT_TO for text in self.texts)
        is_cut = len(self.texts) >= 8 and longest > 60 and cut > 0.3 * len(self.texts)
        return marked > MARKED * len(self.texts) or is_cut
