"""Find what can be listed and searched by a GraphQL schema, and write the queries for it."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

INTROSPECTION = (
    "query Described { __schema { queryType { name } types { kind name fields { name"
    " args { name defaultValue type { ...T } } type { ...T } }"
    " inputFields { name defaultValue type { ...T } } } } }"
    " fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name"
    " ofType { kind name } } } } }"
)
"""Source: GraphQL, October 2021, section 4.2."""

_SEARCH = re.compile(
    r"(?:search\w*|\w*search|query|q|text|terms?|keywords?|phrase|full_?text|contains|like|match)$",
    re.I,
)
_INPUT = re.compile(r"(?:filters?|where|search\w*|query|input|params|criteria|options|by)$", re.I)
_IN_INPUT = re.compile(r"(?:\w*search\w*|query|q|text|terms?|keywords?|full_?text|contains)$", re.I)
_SIZE = re.compile(r"(?:first|limit|take|size|count|per_?page|page_?size|rows|hits|num)$", re.I)
_AFTER = re.compile(r"(?:after|cursor|start_?cursor|next_?(?:cursor|token)?|page_?token)$", re.I)
_OFFSET = re.compile(r"(?:offset|skip|start|from)$", re.I)
_PAGE = re.compile(r"(?:page|page_?(?:number|no|index))$", re.I)
_TOTAL = re.compile(r"(?:total\w*|count|num_?(?:found|results)|hits_?count)$", re.I)
_NEXT = re.compile(r"(?:end_?cursor|next_?(?:cursor|token|page_?token)|cursor)$", re.I)
_MORE = re.compile(r"has_?(?:next\w*|more)$", re.I)
_ROWS = ("edges", "nodes", "items", "results", "data", "docs", "documents", "hits", "records")
_WORDY = re.compile(
    r"title|name|text|body|content|html|markdown|value|abstract|summary|descri", re.I
)
_NO_DATA = re.compile(r"password|secret|token|email|cursor", re.I)
_TEXTS = ("String", "ID")
_WHOLE = ("Int", "BigInt", "Long")

MOST_SCALARS = 25
MOST_NESTED = 4

Names = tuple[str, ...]


class TypeRef(NamedTuple):
    """The type of a field or an argument: as written in GraphQL, and the type inside."""

    written: str
    kind: str
    name: str
    is_list: bool
    is_needed: bool


@dataclass(frozen=True, kw_only=True)
class Listing:
    """A field of the schema that lists objects of one type.

    Attributes:
        name: Name of the field.
        type: Type of the objects.
        rows: Names that lead from the field to its objects, such as ("edges", "node").
        search: The argument that takes words, then the field inside it if it is an object.
        needs_words: Whether the argument for words is required.
        size, after, offset, page: The arguments for paging, in the same form; () if there is none.
        total: Names that lead to the total.
        cursor: Names that lead to the cursor of the next page.
        more: Names that lead to whether there is a next page.
        types: How each argument's type is written.
        fixed: Further arguments that are required, with the values that examples give, as JSON.
        selection: The fields to request of each object.
        words: How many of these fields hold texts.
    """

    name: str
    type: str
    rows: Names
    search: Names = ()
    needs_words: bool = False
    size: Names = ()
    after: Names = ()
    offset: Names = ()
    page: Names = ()
    total: Names = ()
    cursor: Names = ()
    more: Names = ()
    types: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[Names, str] = field(default_factory=dict)
    selection: str = ""
    words: int = 0

    @property
    def by_cursor(self) -> bool:
        """Whether pages are requested by a cursor."""
        return bool(self.after and self.cursor)

    @property
    def counted_by(self) -> str:
        """The placeholder that counts pages: "offset", "page", or "" if pages are not counted."""
        if self.by_cursor:
            return ""
        return "offset" if self.offset else "page" if self.page else ""

    @property
    def rank(self) -> tuple[bool, bool, bool, int]:
        """Sort key: a search first, then paging, a total, and the number of text fields."""
        is_paged = self.by_cursor or bool(self.counted_by)
        return bool(self.search), is_paged, bool(self.total), self.words

    def within(self, names: Names) -> str:
        """Return the JMESPath of a value inside the field."""
        return ".".join(["data", self.name, *names])

    @property
    def path(self) -> str:
        """JMESPath of the objects in an answer."""
        if self.rows and self.rows[-1] == "node":
            return f"{self.within(self.rows[:-1])}[*].node"
        return f"{self.within(self.rows)}[*]"

    @property
    def next(self) -> str:
        """JMESPath of the next page's cursor; it gives null if there is no next page."""
        if not self.more:
            return self.within(self.cursor)
        return f"{self.within(self.more)} && {self.within(self.cursor)} || `null`"

    def body(self, *, words: bool, later: bool = False) -> str:
        """Return the template of a request's body.

        Args:
            words: Send {query}; otherwise the argument is left out, or "" if it is required.
            later: Send {next}, for the pages after the first.
        """
        values: dict[Names, str] = {**self.fixed}
        if self.search and (words or self.needs_words):
            values[self.search] = '"{query}"' if words else '""'
        if self.size:
            values[self.size] = "{size}"
        if self.by_cursor and later:
            values[self.after] = '"{next}"'
        elif self.counted_by:
            values[getattr(self, self.counted_by)] = f"{{{self.counted_by}}}"
        names = list(dict.fromkeys(outer for outer, *_ in values))
        return f'{{"query": {json.dumps(self._query(names))}, "variables": {_sent(values)}}}'

    def _query(self, names: list[str]) -> str:
        declared = ", ".join(f"${name}: {self.types[name]}" for name in names)
        given = ", ".join(f"{name}: ${name}" for name in names)
        beside = [self.total, *((self.cursor, self.more) if self.by_cursor else ())]
        wanted = _selected([*filter(None, beside), (*self.rows, self.selection)])
        head, call = ("query Listed", self.name)
        if names:
            head, call = f"{head}({declared})", f"{call}({given})"
        return f"{head} {{ {call} {{ {wanted} }} }}"


def _sent(values: Mapping[Names, str]) -> str:
    """Write values as JSON, each in the object that its names lead to.

    >>> _sent({("by", "text"): '"sea"', ("by", "take"): "7", ("sort",): '"new"'})
    '{"by": {"text": "sea", "take": 7}, "sort": "new"}'
    """
    written = []
    for outer in dict.fromkeys(names[0] for names in values):
        inner = {names[1:]: value for names, value in values.items() if names[0] == outer}
        written.append(f"{json.dumps(outer)}: {inner.get(()) or _sent(inner)}")
    return f"{{{', '.join(written)}}}"


def _selected(paths: list[Names]) -> str:
    """Write the fields to request, each object once.

    >>> _selected([("total",), ("page", "end"), ("page", "more"), ("edges", "node", "id title")])
    'total page { end more } edges { node { id title } }'
    """
    written = []
    for first in dict.fromkeys(path[0] for path in paths):
        inner = [path[1:] for path in paths if path[0] == first and path[1:]]
        written.append(f"{first} {{ {_selected(inner)} }}" if inner else first)
    return " ".join(written)


class Schema:
    """A schema, as introspection returns it.

    Args:
        data: The value of "data" in the answer.
        examples: Values of arguments that examples in the documentation give, by name.

    >>> Schema({"__schema": {"queryType": {"name": "Query"}, "types": []}}).listings()
    []
    """

    def __init__(self, data: Mapping[str, Any], examples: Mapping[str, str] = {}) -> None:
        self._examples = examples
        schema = data.get("__schema") or {}
        self._root = (schema.get("queryType") or {}).get("name") or "Query"
        self._types = {each.get("name"): each for each in schema.get("types") or ()}

    def listings(self) -> list[Listing]:
        """Return the fields that list objects, those most likely to list all documents first."""
        found = [listing for each in self._fields(self._root) for listing in self._listed(each)]
        return sorted(found, key=lambda each: each.rank, reverse=True)

    def _fields(self, name: str) -> list[dict[str, Any]]:
        return (self._types.get(name) or {}).get("fields") or []

    def _inputs(self, name: str) -> list[dict[str, Any]]:
        return (self._types.get(name) or {}).get("inputFields") or []

    def _listed(self, asked: Mapping[str, Any]) -> Iterator[Listing]:
        """Yield how a field of the root lists objects: one way at most."""
        given = type_ref(asked["type"])
        rows, inner = self._rows(given)
        arguments = {each["name"]: each for each in asked.get("args") or ()}
        if inner is None:
            return
        search = self._place(arguments, _SEARCH, _TEXTS, _IN_INPUT)
        paging = {
            "size": self._place(arguments, _SIZE, _WHOLE),
            "after": self._place(arguments, _AFTER, _TEXTS),
            "offset": self._place(arguments, _OFFSET, _WHOLE),
            "page": self._place(arguments, _PAGE, _WHOLE),
        }
        used = {names[0] for names in (search, *paging.values()) if names}
        needed = {n for n, each in arguments.items() if n not in used and _is_needed(each)}
        if needed - self._examples.keys():
            return  # it requires an unknown argument
        fixed: dict[Names, str] = {
            (name,): json.dumps(self._examples[name]) for name in sorted(needed)
        }
        if len(search) > 1:
            given_in = type_ref(arguments[search[0]]["type"]).name
            others = (f for f in self._inputs(given_in) if f["name"] != search[1])
            fixed |= {
                (search[0], f["name"]): json.dumps(self._examples[f["name"]])
                for f in others
                if _is_needed(f)
            }
        selection, words = self._selection(inner)
        if not selection:
            return
        holder = () if given.is_list else self._fields(given.name)
        types = {name: type_ref(each["type"]).written for name, each in arguments.items()}
        yield Listing(
            name=asked["name"],
            type=inner,
            rows=rows,
            search=search,
            needs_words=bool(search) and _is_needed(arguments[search[0]]),
            **paging,
            total=self._leaf(holder, _TOTAL, _WHOLE),
            cursor=self._leaf(holder, _NEXT, _TEXTS),
            more=self._leaf(holder, _MORE, ("Boolean",)),
            types=types,
            fixed=fixed,
            selection=selection,
            words=words,
        )

    def _rows(self, given: TypeRef) -> tuple[Names, str | None]:
        """Return the names that lead to a list of objects, and their type, or None as the type."""
        if given.is_list:
            return (), given.name if given.kind == "OBJECT" else None
        lists = {}
        for each in self._fields(given.name) if given.kind == "OBJECT" else ():
            inner = type_ref(each["type"])
            if inner.is_list and inner.kind == "OBJECT" and not _needs_any(each):
                lists[each["name"]] = inner.name
        # An object with several lists is not a result page; one with one list and a total is.
        name = next((name for name in _ROWS if name in lists), "")
        if not name and len(lists) == 1 and self._leaf(self._fields(given.name), _TOTAL, _WHOLE):
            name = next(iter(lists))
        if name != "edges":
            return (name,), lists.get(name)
        node = next((f for f in self._fields(lists[name]) if f["name"] == "node"), None)
        held = None if node is None else type_ref(node["type"])
        return ("edges", "node"), held.name if held and held.kind == "OBJECT" else None

    def _place(
        self,
        arguments: Mapping[str, Any],
        name: re.Pattern[str],
        types: Names,
        within: re.Pattern[str] | None = None,
    ) -> Names:
        """Return an argument, or its path in an input object that needs no other; () if none.

        Args:
            arguments: The arguments of a field, by name.
            name: Matches its name.
            types: Its types.
            within: Matches its name in an input object, if that may be another.
        """
        if argument := _one(arguments, name, types):
            return (argument,)
        for outer, each in arguments.items():
            given = type_ref(each["type"])
            if given.kind != "INPUT_OBJECT" or given.is_list or not _INPUT.match(outer):
                continue
            fields = {f["name"]: f for f in self._inputs(given.name)}
            inner = _one(fields, within or name, types)
            others = (f for f in fields.values() if f["name"] not in (inner, *self._examples))
            if inner and not any(map(_is_needed, others)):
                return outer, inner
        return ()

    def _leaf(self, fields: Any, name: re.Pattern[str], types: Names) -> Names:
        """Return the names that lead to a value beside the rows, or in an object; () if none."""
        for each in fields:
            given = type_ref(each["type"])
            if name.match(each["name"]) and given.name in types and not given.is_list:
                return (each["name"],)
        for each in fields:
            given = type_ref(each["type"])
            if (
                given.kind == "OBJECT"
                and not given.is_list
                and re.search("page|info|meta", each["name"], re.I)
            ):
                found = self._leaf(self._fields(given.name), name, types)
                if found:
                    return (each["name"], *found)
        return ()

    def _selection(self, name: str) -> tuple[str, int]:
        """Return the fields to request of an object, and how many of them are texts."""
        is_simple: Callable[[Any], bool] = lambda f: type_ref(f["type"]).kind in ("SCALAR", "ENUM")  # noqa: E731
        fields = [
            f for f in self._fields(name) if not _needs_any(f) and not _NO_DATA.search(f["name"])
        ]
        simple = [f["name"] for f in fields if is_simple(f)][:MOST_SCALARS]
        words = sum(bool(_WORDY.search(each)) for each in simple)
        nested = []
        for each in fields:
            given = type_ref(each["type"])
            if given.kind != "OBJECT" or given.is_list:
                continue
            inner = [
                f["name"]
                for f in self._fields(given.name)
                if is_simple(f) and _WORDY.search(f["name"]) and not _needs_any(f)
            ]
            nested += [_selected([(each["name"], " ".join(inner))])] if inner else []
        return " ".join([*simple, *nested[:MOST_NESTED]]), words


def type_ref(given: Mapping[str, Any]) -> TypeRef:
    """Return the type inside its wrappers.

    >>> type_ref({"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "Int"}})
    TypeRef(written='Int!', kind='SCALAR', name='Int', is_list=False, is_needed=True)
    """
    inner = given.get("ofType")
    if inner is None:
        name = str(given.get("name"))
        return TypeRef(name, str(given.get("kind")), name, False, False)
    found = type_ref(inner)
    if given["kind"] == "NON_NULL":
        return found._replace(written=f"{found.written}!", is_needed=True)
    return found._replace(written=f"[{found.written}]", is_list=True, is_needed=False)


def _is_needed(argument: Mapping[str, Any]) -> bool:
    return type_ref(argument["type"]).is_needed and argument.get("defaultValue") is None


def _needs_any(asked: Mapping[str, Any]) -> bool:
    return any(map(_is_needed, asked.get("args") or ()))


def _one(arguments: Mapping[str, Any], name: re.Pattern[str], types: Names) -> str:
    """Return the first argument with a matching name and type, or "" if there is none."""
    for each in arguments.values():
        given = type_ref(each["type"])
        if name.match(each["name"]) and given.name in types and not given.is_list:
            return str(each["name"])
    return ""
