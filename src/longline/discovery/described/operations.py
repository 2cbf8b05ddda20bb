"""Ways to query that a site describes for programs: addresses and their parameters."""

import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple
from urllib.parse import quote, unquote_plus

from longline.discovery.answer import literal, parameters
from longline.discovery.described.defaults import is_moment, wider_value
from longline.discovery.reading import is_query_name
from longline.source.spec import Ask

ROWS = 100
"""How many rows are requested at once, where no maximum is known."""

_SIZE = re.compile(
    r"(?:limit|per_?page|page_?size|size|count|rows|first|take|top|\$top|max_?(?:results|records|items)"
    r"|num_?(?:results|rows)|items_?per_?page|page\[(?:size|limit)\]|n)$",
    re.IGNORECASE,
)
_OFFSET = re.compile(
    r"(?:offset|skip|\$skip|start(?:_?index)?|from|page\[offset\])$", re.IGNORECASE
)
_PAGE = re.compile(r"(?:page|page_?(?:number|no|num|index)|p|pg|page\[number\])$", re.IGNORECASE)
_WORDS = re.compile(
    r"(?:\$?\w*search\w*|searchTerms|q|query\w*|text|terms?|keywords?|phrase|\S*full_?text\S*|freetext"
    r"|words?|needle|contains|match|find|filter\[(?:q|search|text|query)\]"
    r"|mots?[_-]?cl[eé]s?|fritekst|freitext|volltext|such(?:e|text|begriff|w[oö]rte?r?)|stichw[oö]rte?r?"
    r"|zoek(?:term|tekst|woord)?|trefwoord(?:en)?|palabras?_?(?:claves?)?|texto|parol[ae]_?(?:chiave)?"
    r"|termos?|buscar?|pesquisa|ricerca|hakusanat?|s[öø]k(?:e?ord|text)?|szukaj|fraza|s[lł]owa)$",
    re.IGNORECASE,
)
_SAYS_WORDS = re.compile(
    r"search (?:term|text|words|query|string)|text search|full.?text|key ?words?|mots?[- ]cl[eé]"
    r"|such(?:begriff|wort)|volltext|fritekst|palabras? clave|parol[ae] chiave|trefwoord|sökord"
    r"|søkeord|hakusana",
    re.IGNORECASE,
)
_SAYS = {
    "page": re.compile(r"page (?:number|index)|number of the page|which page", re.IGNORECASE),
    "offset": re.compile(
        r"start\w* (?:from|at|with)|offset|\bskip|first (?:result|record|row|hit|item)",
        re.IGNORECASE,
    ),
    "size": re.compile(
        r"(?:number|amount|count) of (?:\w+ )?(?:results|records|rows|hits|items|documents|entries)"
        r"|(?:results|records|rows|hits|items|documents|entries) (?:per|on a) page|page size",
        re.IGNORECASE,
    ),
}
"""What descriptions of numbers say of their role."""

_IN_FIELD = re.compile(r"([A-Za-z][\w.-]*[_:]|(?:[a-z]+,)+)[^\W\d_]{2,}")
"""Matches a word behind the name of the field that it is looked for in."""

_SAYS_SEARCH = re.compile(r"search|find|query|suche|recherche|buscar", re.IGNORECASE)


ALL = ("all", "*", "*:*", "%")
"""Values that request everything, in place of words."""

PATH_WORDS = "{query}"
"""Placeholder in an address where the words are part of its path."""


class Parameter(NamedTuple):
    """A parameter in the address of an operation.

    Attributes:
        value: Value to send: a default, or the first that is allowed; "" if none is known.
        most: Maximum value; None if not known.
        least: Minimum value; None if not known.
        is_text: Whether it takes text.
        said: Its description.
        field: What stands before the words, as "title:" does in "title:sea".
    """

    name: str
    value: str = ""
    is_needed: bool = False
    most: int | None = None
    least: int | None = None
    is_text: bool = True
    said: str = ""
    field: str = ""

    @property
    def takes_words(self) -> bool:
        """Whether it takes the words of a search, by its name or its description."""
        if not self.is_text or self.role:
            return False
        name = self.name.rstrip("0123456789")
        is_named = bool(_WORDS.match(name)) or is_query_name(name)
        return is_named or bool(_SAYS_WORDS.search(self.said))

    @property
    def wider(self) -> str:
        """The value that leaves nothing out, where its default does; else ""."""
        return "" if self.role or self.takes_words else wider_value(self.name, self.said)

    @property
    def is_wanted(self) -> bool:
        """Whether it needs words: its known value, such as `search=all`, may request everything."""
        return self.is_needed and self.value not in ALL

    @property
    def role(self) -> str:
        """Its role: "size", "offset", "page", or "" for anything else."""
        if self.is_text and self.value and not self.value.lstrip("-").isdigit():
            return ""
        if self.is_text and is_moment(self.said):
            return ""
        roles = (("size", _SIZE), ("offset", _OFFSET), ("page", _PAGE))
        named = (role for role, name in roles if name.match(self.name.lstrip("_")))
        told = (role for role, said in _SAYS.items() if not self.is_text and said.search(self.said))
        return next(named, next(told, ""))


class Operation(NamedTuple):
    """An address that answers with a list.

    Attributes:
        url: Address without parameters; with PATH_WORDS if the words are part of the path.
        parameters: Its parameters.
        said: Its names and summary.
        where: What describes it, for the user.
        documents: Addresses of single documents beside it, with names in braces.
        beside: What other examples of the address send as well, such as the names of fields.
        is_posted: Whether its parameters are sent by POST, as an object in JSON.
        posted: How its example posts words, as a whole; None if there is none.
        settings: Parameters whose defaults leave something out, with values that do not.
        headers: Headers that its example sends, with their values.
    """

    url: str
    parameters: tuple[Parameter, ...]
    said: str
    where: str
    documents: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    is_posted: bool = False
    posted: Ask | None = None
    settings: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def words(self) -> Parameter | None:
        """The parameter that takes words; None if there is none."""
        if PATH_WORDS in self.url:
            return Parameter("", is_needed=True)
        return next((each for each in self.parameters if each.takes_words), None)

    @property
    def is_usable(self) -> bool:
        """Whether a value is known for everything that is required."""
        known = {each.name for each in self.parameters if each.role or each.value}
        words = self.words
        known |= {words.name} if words else set()
        return all(not each.is_needed or each.name in known for each in self.parameters)

    @property
    def rank(self) -> tuple[int, int]:
        """Sort key: a search first, then paging."""
        is_search = 2 * bool(self.words) + bool(_SAYS_SEARCH.search(self.said)) - self.is_posted
        return is_search, sum(bool(each.role) for each in self.parameters)

    def of(self, role: str) -> Parameter | None:
        """Return the parameter with a role ("size", "offset", "page"); None if there is none."""
        return next((each for each in self.parameters if each.role == role), None)

    @property
    def size(self) -> int | None:
        """How many rows to request at once; None if no parameter sets that."""
        size = self._own_size()
        return None if size is None else min(size.most or ROWS, 1000)

    def by_field(self) -> list["Operation"]:
        """Return the same with words in the field of its example; [] if that names none.

        >>> [one] = operation_at("https://x.example/s?term0=text_sea&n=5", "a page").by_field()
        >>> one.ask().url
        'https://x.example/s?term0=text_{query}&n=5'
        >>> [one] = operation_at("https://x.example/s?query=any,contains,sea", "a page").by_field()
        >>> one.ask().url
        'https://x.example/s?query=any%2Ccontains%2C{query}'
        """
        words = self.words
        named = None if words is None else _IN_FIELD.fullmatch(words.value)
        if named is None:
            return []
        asked = (p._replace(field=named[1]) if p is words else p for p in self.parameters)
        return [self._replace(parameters=tuple(asked))]

    def with_places(self, others: Iterable["Operation"]) -> "Operation":
        """Return the same with the sizes and places of pages that other examples send.

        >>> one = operation_at("https://x.example/a?q=sea", "a page")
        >>> one.with_places([operation_at("https://x.example/a?q=land&limit=50", "a page")]).size
        50
        """
        sent = {each.role for each in self.parameters}
        told = {p.role: p for other in others for p in other.parameters if p.role}
        more = tuple(each for role, each in told.items() if role not in sent)
        return self._replace(parameters=self.parameters + more)

    def sized_by(self, rows: int) -> "Operation | None":
        """Return the same with the parameter known that asks for so many rows; None if none does.

        >>> one = operation_at("https://x.example/a?dept=7&pick=50", "").sized_by(50)
        >>> one.begins
        'https://x.example/a?pick=100&dept=7'
        """
        numbers = [each for each in self.parameters if not (each.is_text or each.role)]
        for each in numbers:
            if each.value == str(rows) and each.most is None:
                asked = each._replace(value="", said="number of rows")
                others = (p for p in self.parameters if p is not each)
                return self._replace(parameters=(asked, *others))
        return None

    def without_size(self) -> list["Operation"]:
        """Return the same without a page size, which may be more than is allowed; [] if none.

        >>> [plain] = Operation("https://x.example/a", (Parameter("limit"),), "", "").without_size()
        >>> plain.begins
        'https://x.example/a'
        """
        others = tuple(each for each in self.parameters if each.role != "size")
        return [self._replace(parameters=others)] if len(others) < len(self.parameters) else []

    def ask(self) -> Ask | None:
        """Return how to query words, at the first page; None if that is not possible."""
        if self.posted is not None:
            return self.posted
        words = self.words
        if words is None or not self.is_usable:
            return None
        values = {words.name: f"{quote(words.field)}{{query}}"} if words.name else {}
        if not self.is_posted:
            return Ask(url=self._address(values, place=True), headers=dict(self.headers))
        numbers = {each.name for each in self.parameters if not each.is_text}
        sent = {
            name: int(value) if name in numbers and value.isdigit() else value
            for name, value in self._sent(values, place=True).items()
        }
        body = json.dumps(sent, ensure_ascii=False)
        return Ask(url=literal(self.url), method="POST", body=body)

    @property
    def begins(self) -> str:
        """Address of the first page without words and without a position."""
        return self._address({}, place=False)

    @property
    def first_place(self) -> int | None:
        """Number or offset of the first page; None if not known."""
        at = self.of("offset") or self.of("page")
        if at is None or not (at.role == "offset" or self._tells_first(at)):
            return None
        return int(self.first(at))

    def listing(self) -> tuple[str, str]:
        """Return the address template of pages without words, and the placeholder in it."""
        offset, page = self.of("offset"), self.of("page")
        counted = "offset" if offset else "page" if page else ""
        at = offset or page
        values = {at.name: f"{{{counted}}}"} if at else {}
        return self._address(values, place=False), counted

    def _sent(self, values: dict[str, str], *, place: bool) -> dict[str, str]:
        """Return what is sent, by name: given values, a page size, needed ones, the first place."""
        sent = dict(values)
        size = self._own_size()
        for each in self.parameters:
            if each.name in sent:
                continue
            if each.role == "size":
                # Too many rows may be refused; how many are allowed is learnt where words are sent.
                is_own = each is size and (each.most is not None or not place)
                sent |= {each.name: str(self.size)} if is_own or each.is_needed else {}
            elif place and self._tells_first(each):
                sent[each.name] = self.first(each)
            elif each.is_needed and each.value:
                sent[each.name] = each.value
        return sent

    def _own_size(self) -> Parameter | None:
        """Return the parameter for the page size: of two, the one named after how pages count."""
        sizes = [each for each in self.parameters if each.role == "size"]
        by_page = self.of("offset") is None
        named = (each for each in sizes if ("page" in each.name.lower()) == by_page)
        return next(named, sizes[0] if sizes else None)

    def _address(self, values: dict[str, str], *, place: bool) -> str:
        sent = self._sent(values, place=place)
        pairs = (f"{quote(name, safe='[]$')}={_quoted(value)}" for name, value in sent.items())
        address = literal(self.url).replace(literal(PATH_WORDS), PATH_WORDS)
        mark = "&" if "?" in address else "?"
        return address + (mark + "&".join(pairs) if sent else "")

    def _tells_first(self, parameter: Parameter) -> bool:
        """Return whether the number of the first page or row is known: it may be 0 or 1."""
        is_said = bool(parameter.value) or parameter.least is not None
        is_page = parameter.role == "page" and self.of("offset") is None
        return is_said and (is_page or parameter.role == "offset")

    @staticmethod
    def first(parameter: Parameter) -> str:
        """Return the number or offset of the first page."""
        if parameter.value.isdigit():
            return parameter.value
        if parameter.least is not None:
            return str(parameter.least)
        return "1" if parameter.role == "page" else "0"


def operation_at(url: str, example_on: str = "") -> Operation:
    """Return the operation of an address given by the user, or as an example, with its parameters.

    An example on a page of its site requests no more rows than its address does.

    >>> operation_at("https://x.example/rows?kind=a&page=1").listing()
    ('https://x.example/rows?page={page}&kind=a', 'page')
    """
    path = url.partition("#")[0].partition("?")[0]
    parameters_ = tuple(
        Parameter(
            name,
            value,
            is_needed=True,
            most=int(value) if example_on and value.isdigit() else None,
            is_text=not value.isdigit(),
        )
        for name, value in parameters(url).items()
    )
    where = f"an example on {example_on}" if example_on else "the address given"
    return Operation(path, parameters_, "", where)


def sent_beside(one: str, other: str) -> str:
    """Return what another example of an address sends, and the first one does not.

    >>> sent_beside("https://x.example/a?q=sea", "https://x.example/a?q=land&f=id&f=text")
    'f=id&f=text'
    """
    names, sent = {*parameters(one)}, other.partition("?")[2].split("&")
    named = ((unquote_plus(each.partition("=")[0]), each) for each in sent)
    return "&".join(each for name, each in named if name not in names)


def is_odata(data: Any) -> bool:
    """Return whether an answer is from an OData service.

    Source: OData 4.01, JSON format, section 4.6.1.
    """
    return isinstance(data, dict) and "@odata.context" in data


def counted_by_odata(url: str) -> str:
    """Return the OData URL of a list with its length. Source: OData 4.01, protocol, 11.2.6.5."""
    return url if "$count=" in url else f"{url}{'&' if '?' in url else '?'}$count=true"


def _quoted(value: str) -> str:
    return value if "{" in value else quote(value)


def ranked(operations: Iterable[Operation]) -> list[Operation]:
    """Return the operations that can be queried, the likeliest first."""
    return sorted(
        (each for each in operations if each.is_usable), key=lambda each: each.rank, reverse=True
    )
