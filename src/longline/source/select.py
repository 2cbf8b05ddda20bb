"""Selectors: how a spec points to parts of a page.

`css:li.hit > a`, `xpath://li[@class="hit"]` or `jmes:results[*]`; without a prefix CSS for a page
of kind html or xml, JMESPath for kind json. `ld:description` is a JMESPath into each object of a
page's JSON-LD. JMESPath has five more functions: `jmes:wikitext(content)` is the readable text of
MediaWiki's markup; `jmes:in_order(index)` is the text of an inverted index (words with their
positions); `jmes:rich_text(body)` is the text of a tree of nodes (`source.rich_text`);
`jmes:search_index(@, '{}')` returns the pages of a search index, each with `url`, `title` and
`text` (`source.search_index`); `jmes:slug(reference, '-')` is a text as written in URLs: lowercase
letters without accents and digits, separated by `-`.
"""

import html
import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Literal, get_args

import cssselect
import jmespath  # type: ignore[import-untyped]
import msgspec
import parsel
from jmespath import functions
from lxml import etree  # type: ignore[import-untyped]

from longline.errors import SpecError
from longline.source.rich_text import rich_text
from longline.source.search_index import index_pages
from longline.text import stems


def readable(wikitext: str) -> str:
    """Return the readable text of wikitext, without markup; of a template only its values.

    Text that the wiki's server makes from templates is missing, and so is mathematics.

    >>> readable("'''Ada''' wrote [[Note G|a note]]. {{by|Menabrea}} [[File:A.jpg|thumb|At home]]")
    'Ada wrote a note. Menabrea At home'
    """
    import mwparserfromhell  # it is seldom needed

    code = mwparserfromhell.parse(wikitext)
    for link in code.filter_wikilinks(recursive=False):
        if link.text is not None:
            link.text = str(link.text).rpartition("|")[2]  # before it: a picture's size and place
    return str(code.strip_code(keep_template_params=True))


Kind = Literal["html", "json", "xml"]
Language = Literal["css", "xpath", "jmes", "ld"]
LANGUAGES: tuple[str, ...] = get_args(Language)

# fmt: off
_INLINE = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "bold", "cite", "code", "del", "dfn", "em",
    "font", "i", "img", "ins", "italic", "kbd", "label", "mark", "q", "s", "samp", "small", "span",
    "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
})
# fmt: on
UNSEEN = frozenset(["script", "style", "noscript", "template"])
_BLOCK = ("br", "div", "h[1-6]", "li", "ol", "p", "td", "tr", "ul")
_TAG = re.compile(rf"</?(?:{'|'.join((*_INLINE, *_BLOCK))})(?:\s[^<>]*)?/?>")
_XML = re.compile(r"\s*<(?:\?xml\b|[A-Za-z][\w.-]*:[A-Za-z])")
"""The start of an XML document, as a field of JSON may contain it."""
_JATS = re.compile("(</?)jats:")
"""Prefix of journals' abstracts, whose elements mostly have HTML's names."""
_NUMERIC = re.compile(r"&#(?:\d+|[xX][\da-fA-F]+);")
_STEP = re.compile(r'(?:([A-Za-z_]\w*)|"([^"\\]+)")(\[\*\])?')
_PLAIN = re.compile(rf"{_STEP.pattern}(?:\.{_STEP.pattern})*", re.ASCII)
_FAILURES = (ValueError, TypeError, OverflowError, RecursionError, re.error)
"""Errors that selectors raise: XPath and JMESPath functions are Python functions."""


def in_order(index: dict[str, list[int]]) -> str:
    """Return the text of an inverted index.

    >>> in_order({"web": [1, 3], "deep": [0, 2]})
    'deep web deep web'
    """
    return " ".join(word for _, word in sorted((at, w) for w in index for at in index[w]))


_HREF = re.compile(
    r"""<a\s(?:[^<>]*\s)?href\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))""", re.IGNORECASE
)


def slug(text: str, between: str) -> str:
    """Return a text as written in URLs: lowercase letters and digits, joined by a separator.

    >>> slug("IP/20/123", "_"), slug("L'été: notes", "-")
    ('ip_20_123', 'l-ete-notes')
    """
    return re.sub(r"[\W_]+", between, stems.fold(text).lower()).strip(between)


def link_in(text: str) -> str:
    """Return the address of the first link in a piece of HTML, or "" if there is none.

    >>> link_in("No. 7: <a class=title href='/doc/7?a=1&amp;b=2'>The deep web</a>")
    '/doc/7?a=1&b=2'
    """
    found = _HREF.search(text)
    return html.unescape(next(filter(None, found.groups()), "")) if found else ""


class _Functions(functions.Functions):  # type: ignore[misc]
    @functions.signature({"types": ["string", "null"]})  # type: ignore[untyped-decorator]
    def _func_wikitext(self, text: str | None) -> str | None:
        return None if text is None else readable(text)

    @functions.signature({"types": ["string", "null"]})  # type: ignore[untyped-decorator]
    def _func_link_in(self, text: str | None) -> str | None:
        return None if text is None else link_in(text)

    @functions.signature({"types": ["object", "null"]})  # type: ignore[untyped-decorator]
    def _func_in_order(self, index: dict[str, list[int]] | None) -> str | None:
        return None if index is None else in_order(index)

    @functions.signature(  # type: ignore[untyped-decorator]
        {"types": ["object", "array", "null"]}
    )
    def _func_rich_text(self, tree: Any) -> str | None:
        return None if tree is None else rich_text(tree)

    @functions.signature(  # type: ignore[untyped-decorator]
        {"types": ["string", "null"]}, {"types": ["string"]}
    )
    def _func_slug(self, text: str | None, between: str) -> str | None:
        return None if text is None else slug(text, between)

    @functions.signature(  # type: ignore[untyped-decorator]
        {"types": ["object", "array"]}, {"types": ["string"]}
    )
    def _func_search_index(self, data: Any, template: str) -> list[dict[str, str]]:
        return index_pages(data, template)


_SCRIPTS = "//script[translate(@type, 'ADLNOPSJI', 'adlnopsji')='application/ld+json']/text()"

_JMES = jmespath.Options(custom_functions=_Functions())


class Select(msgspec.Struct, frozen=True):
    """A compiled selector, with the language it is written in."""

    language: Language
    expression: str

    def all(self, node: parsel.Selector) -> list[parsel.Selector]:
        """Return what it selects below `node`, in document order; [] if nothing.

        >>> page = parsel.Selector("<p>deep <b>web</b><p>surface")
        >>> [text_of(found) for found in read_select("css:p").all(page)]
        ['deep web', 'surface']
        """
        if self.language == "css":
            return list(node.css(self.expression))
        if self.language == "xpath":
            return _xpath(node, self.expression)
        if self.language == "ld":
            return [found for each in linked_data(node) for found in _jmes(each, self.expression)]
        if self.expression == "@" and isinstance(node.root, str):
            return [node]  # parsel would read the text as JSON
        return _jmes(node, self.expression)

    def first(self, node: parsel.Selector) -> parsel.Selector | None:
        """Return the first node it selects below `node`, or None."""
        return next(iter(self.all(node)), None)

    def text(self, node: parsel.Selector) -> str:
        """Return the text of the first selected node that has any, in one line; "" if none has."""
        return next((text for found in self.all(node) if (text := text_of(found))), "")

    def texts(self, node: parsel.Selector) -> str:
        """Return the text of all selected nodes, one line for each block of the page."""
        return "\n".join(text for found in self.all(node) if (text := lines_of(found)))


@lru_cache(maxsize=1024)
def read_select(text: str, kind: Kind = "html") -> Select:
    """Read a selector and check that it compiles.

    Args:
        text: "css:...", "xpath:...", "jmes:..." or "ld:..."; without a prefix, the kind's own
            language.
        kind: Kind of the page; json allows only jmes, xml only css and xpath, html these and ld.

    Raises:
        SpecError: It is empty, does not compile, or does not fit the kind.

    >>> read_select("jmes:results[*].title", "json")
    Select(language='jmes', expression='results[*].title')
    >>> read_select("a[rel=next]").language
    'css'
    """
    language, colon, expression = text.partition(":")
    if not colon or language not in LANGUAGES:
        language, expression = ("jmes" if kind == "json" else "css"), text
    if not expression.strip():
        raise SpecError(f"an empty selector {text!r}", advice="write one, or leave the key out")
    if (language == "jmes") != (kind == "json"):
        fitting = "jmes:" if kind == "json" else "css: or xpath:"
        raise SpecError(
            f"the selector {text!r} cannot read {kind}", advice=f"write it as {fitting}"
        )
    try:
        _compile(language, expression)
    except (*_FAILURES, cssselect.SelectorError) as error:
        reason = " ".join(str(error).split())
        raise SpecError(
            f"the selector {text!r} does not compile: {reason}", advice="correct it"
        ) from None
    return Select(language, expression)  # type: ignore[arg-type]  # checked against LANGUAGES


def _compile(language: str, expression: str) -> None:
    if language in ("jmes", "ld"):
        jmespath.compile(expression)
        return
    # An unknown function or variable raises only when an XPath runs.
    nothing = parsel.Selector("<html/>", type="html")
    if language == "css":
        nothing.css(expression)
    else:
        nothing.xpath(expression)


def _jmes(node: parsel.Selector, expression: str) -> list[parsel.Selector]:
    steps = _steps(expression)
    if steps and node.type == "json" and isinstance(node.root, dict):
        found = _along(node.root, steps)
        values = found if isinstance(found, list) else [found]
        return [_value(value) for value in values if value is not None]
    try:
        return [one for one in node.jmespath(expression, options=_JMES) if one.root is not None]
    except (ValueError, OverflowError):
        # `length(results)` of a page without `results` is a type error: nothing is selected.
        return []


@lru_cache(maxsize=1024)
def _steps(expression: str) -> tuple[tuple[str, bool], ...]:
    """Return the names of a plain path, and whether each names a list; () for another expression.

    Most paths are plain: to follow the names takes a quarter of the time of JMESPath.

    >>> _steps('by[*]."@id"'), _steps("length(by)")
    ((('by', True), ('@id', False)), ())
    """
    if not _PLAIN.fullmatch(expression):
        return ()
    found = _STEP.findall(expression)
    return tuple((name or quoted, bool(is_list)) for name, quoted, is_list in found)


def _along(value: Any, steps: Sequence[tuple[str, bool]]) -> Any:
    """Return the value at the end of a path, or None."""
    for place, (name, is_list) in enumerate(steps, start=1):
        value = value.get(name) if isinstance(value, dict) else None
        if is_list and isinstance(value, list):
            rest = steps[place:]
            ends = (_along(each, rest) if rest else each for each in value)
            return [each for each in ends if each is not None]
        if value is None or is_list:
            return None
    return value


def _value(value: Any) -> parsel.Selector:
    return parsel.Selector(root=value, type="text" if isinstance(value, str) else "json")


def _xpath(node: parsel.Selector, expression: str) -> list[parsel.Selector]:
    try:
        return list(node.xpath(expression))
    except _FAILURES as error:
        # XPath evaluates a variable or function only if the path before it matches.
        raise SpecError(f"the selector 'xpath:{expression}' does not run: {error}") from None


def linked_data(root: parsel.Selector) -> Iterator[parsel.Selector]:
    """Yield each object of a page's JSON-LD; skip invalid JSON.

    >>> page = parsel.Selector('<script type="application/ld+json">{"name": "Sea"}</script>')
    >>> [each.jmespath("name").get() for each in linked_data(page)]
    ['Sea']
    """
    for script in root.xpath(_SCRIPTS).getall():
        for item in _objects(script):
            yield parsel.Selector(root=item, type="json")


@lru_cache(maxsize=16)
def _objects(script: str) -> tuple[Any, ...]:
    try:
        value = json.loads(script)
    except (ValueError, RecursionError):
        return ()
    items = value if isinstance(value, list) else [value]
    objects = [item for item in items if isinstance(item, dict)]
    graphs = [item["@graph"] for item in objects if isinstance(item.get("@graph"), list)]
    plain = [item for item in objects if "@graph" not in item]
    return (*plain, *(item for graph in graphs for item in graph if isinstance(item, dict)))


def fold(text: str) -> str:
    r"""Put text on one line, with single spaces.

    >>> fold("  deep\n\t web ")
    'deep web'
    """
    return " ".join(text.split())


def text_of(found: parsel.Selector) -> str:
    """Return the visible text of a selected node, in one line."""
    return fold(_text(found))


def lines_of(found: parsel.Selector) -> str:
    r"""Return the visible text of a selected node, one line for each block, without empty lines.

    Text in <pre> keeps its lines.

    >>> lines_of(parsel.Selector("<p>deep <b>w</b>eb<script>x()</script><p>surface"))
    'deep web\nsurface'
    >>> lines_of(parsel.Selector("<pre>deep\n\nweb</pre>"))
    'deep\nweb'
    """
    return "\n".join(line for line in map(fold, _text(found).split("\n")) if line)


def _text(found: parsel.Selector) -> str:
    text = _raw_text(found.root)
    # Feeds escape HTML into the text of an XML element.
    return _without_markup(text) if found.type == "xml" else text


def _raw_text(value: Any) -> str:
    if isinstance(value, etree._Element):
        return "".join(_pieces(value))
    if isinstance(value, str):
        return _without_markup(value)
    if isinstance(value, list):
        return "\n".join(_raw_text(part) for part in value)
    if isinstance(value, dict):
        return "\n".join(_raw_text(part) for part in value.values())
    return "" if value is None or isinstance(value, bool) else str(value)


def _without_markup(text: str) -> str:
    if not text.isascii():
        # JSON can contain half of a surrogate pair, which no file and no database accepts.
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if "<" in text:
        text = _JATS.sub(r"\1", text)
        # JSON answers mark the matched words with tags; "a < b" in a text is not a tag.
        if _TAG.search(text) or _XML.match(text):
            return "".join(_pieces(parsel.Selector(text, type="html").root))
    # "&lt;" may be plain text, too; a numeric reference is almost always an escape.
    return html.unescape(text) if _NUMERIC.search(text) else text


def _pieces(element: Any) -> list[str]:
    # Events instead of recursion: pages can be nested very deep.
    pieces: list[str] = []
    hidden = laid_out = 0
    for event, node in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        tag = node.tag if isinstance(node.tag, str) else ""
        said = node.tail if node is not element else None
        if event == "start":
            hidden += tag in UNSEEN
            laid_out += tag == "pre"
            said = node.text
        elif event == "end":
            hidden -= tag in UNSEEN
            laid_out -= tag == "pre"
        if event in ("start", "end"):
            pieces.append("" if tag in _INLINE else "\n")
        if not hidden and said:
            pieces.append(said if laid_out else said.replace("\n", " "))
    return pieces
