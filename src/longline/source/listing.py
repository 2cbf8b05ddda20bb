"""A result page: its hits, its total, and what it means if there is no hit."""

from contextlib import suppress
from typing import Any
from urllib.parse import quote, urldefrag, urlsplit

import parsel
from lxml import etree  # type: ignore[import-untyped]

from longline.errors import PageError, option
from longline.model import Hit, Page, Query, Request, Total
from longline.outcomes import WALL_ADVICE
from longline.source.answer import (
    Answer,
    absolute,
    address_in,
    canonical,
    href,
    is_page,
    is_view,
    language_of,
    may_say_most,
    no_data,
    parts_of,
    read_document,
    row_fields,
    said_most,
    total_of,
    without_parts,
)
from longline.source.check import MARK_PREFIX, STATUS_PREFIX
from longline.source.request import own_headers, with_headers
from longline.source.select import fold, read_select, text_of
from longline.source.spec import Spec, header_name
from longline.source.trust import ending_of, sign, withheld_in
from longline.text.refusals import may_withhold, too_many, wants_longer, withheld

FEW_ROWS = 0.25
"""Up to this share of a page's rows may lead nowhere; the total shows that they are missing."""

SHORT_ANSWER = 2_000
"""Letters of an answer in JSON that may only say why it has no results."""

_GUARD = "//input[@type='password']|//*[contains(concat(@class, @id, @src), 'captcha')]"

_EACH = "[*]"

MOST_NESTED = 500
"""Maximum nesting of hits in hits: each is searched with all it contains, which takes seconds."""

LONGEST_ERROR = 200
"""Maximum number of letters of an error of the source in a message."""

ERRORS = (
    "(/*/error[@code != 'noRecordsMatch']"
    " | /*/diagnostics/diagnostic[not(contains(uri, '/1/61'))])[1]"
)
"""Errors of OAI-PMH and SRU; two of them only say that there is no record, or no further one."""


def _look() -> str:
    """Return what to do about a page without hits that is not an empty one."""
    return (
        "open the URL in a browser; if the site looks different now, `longline discover --relearn "
        f"DIR` learns it again; if it shows you another page, give your {option('cookies')}"
    )


def _depth(root: Any, nodes: list[parsel.Selector]) -> int:
    """Return the maximum nesting depth of some nodes in one another."""
    chosen = {node.root for node in nodes}
    inside = deepest = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if element in chosen:
            inside += 1 if event == "start" else -1
            deepest = max(deepest, inside)
    return deepest


def _value(found: parsel.Selector) -> Any:
    return found.root if found.type == "json" else text_of(found)


class Listing:
    """A parsed answer, read as a result page of a source."""

    def __init__(self, spec: Spec, answer: Answer) -> None:
        self._spec = spec
        self._results = spec.results
        self._kind = spec.source.kind
        self._answer = answer

    def hits(self) -> tuple[Hit, ...]:
        """Read the hits, in the page's order.

        A row that has no link, such as a notice or a record that is closed, is left out.

        Raises:
            PageError: Many hits have no key or no link though the spec requires it, or hits are
                nested too deep.
        """
        nodes = self._all("hit", self._answer.root)
        if len(nodes) > MOST_NESTED and self._kind != "json":
            self._refuse_nested(nodes)
        nodes = nodes or self._alone()
        if not nodes and self._kind == "json" and is_page(self._answer) and not self._has_none():
            raise no_data(self._answer.text, self._answer.url)
        hits: list[Hit] = []
        failed: list[PageError] = []
        for place, node in enumerate(nodes, start=1):
            try:
                hits.append(self._hit(node, place))
            except PageError as error:
                failed.append(error)
        if len(failed) > FEW_ROWS * len(nodes):
            raise failed[0]
        return tuple(hits)

    def _alone(self) -> list[parsel.Selector]:
        """Return the single hit of JSON made from XML: an object where several hits form a list."""
        results, place = self._results, self._list_place()
        if self._kind != "json" or not place or not results.hit.endswith(_EACH):
            return []
        found = read_select(place, "json").all(self._answer.root)
        told = read_select(results.key or results.link, "json")
        return [each for each in found if isinstance(each.root, dict) and told.text(each)]

    def _list_place(self) -> str:
        return self._results.hit.removeprefix("jmes:").removesuffix(_EACH)

    def _has_none(self) -> bool:
        """Return whether data says that there are no hits, by an empty list in their place."""
        place = self._list_place()
        kind = read_select(f"type({place})", "json") if place else None
        return kind is not None and kind.text(self._answer.root) == "array"

    def _refuse_nested(self, nodes: list[parsel.Selector]) -> None:
        if _depth(self._answer.root.root, nodes) > MOST_NESTED:
            raise PageError(
                f"more than {MOST_NESTED} hits on {self._answer.url} stand in one another: it "
                "closes none of them",
                advice="narrow results.hit to what holds one hit alone, or ask for smaller pages",
            )

    def deleted(self) -> int:
        """Return how many rows name documents that were deleted."""
        return len(self._all("deleted", self._answer.root))

    def files(self, number: int) -> tuple[Request, ...]:
        """Return requests for the other files of a list, as its file number `number` names them.

        The first file also leads to those that the spec names.
        """
        named = self._spec.ask.also if number == 1 else []
        links = [*named, *filter(None, map(href, self._all("files", self._answer.root)))]
        found = []
        for link in dict.fromkeys(links):
            with suppress(ValueError):
                url = absolute(link, self._answer.base, self._answer.charset)
                found.append(with_headers(Request(url), own_headers(self._spec, url)))
        return tuple(found)

    def most(self) -> int:
        """Return how many results a page for people says any search shows; 0 if it does not say."""
        if self._kind != "html" or not may_say_most(self._answer.text):
            return 0
        said = self._answer.visible()
        return said_most(said) if may_say_most(said) else 0

    def withheld(self) -> int:
        """Return how many results the page says it hides from this reader; 0 if it does not say."""
        if self._kind == "json":
            return withheld_in(self._answer.root.root)
        if self._kind != "html" or not may_withhold(self._answer.text.lower()):
            return 0
        return withheld(self._answer.visible())

    def total(self) -> Total | None:
        """Read how many documents the page announces, or None if it does not say."""
        pattern, relation = self._results.total_pattern, self._results.total_relation
        if name := header_name(self._results.total):
            return total_of(self._answer.header(name), pattern=pattern, relation=relation)
        for found in self._all("total", self._answer.root):
            total = total_of(_value(found), pattern=pattern, relation=relation)
            if total is not None:
                return total
        return None

    def empty_page(self, query: Query, number: int, request: Request, total: Total | None) -> Page:
        """Decide what a page without hits means.

        1. It says that too many documents match to be shown: they count as cut off.
        2. It has the mark of "nothing was found", or wants longer words: an empty page.
        3. It is the document itself, since a query with one hit was redirected to it.
        4. It is a login, a captcha, an error or an empty page for a script: PageError.
        5. It is a later page: empty, for the ledger to judge; except for a list with a mark.
        6. It announces documents, or lacks the mark the spec names: PageError.
        7. Otherwise nothing was found.
        """
        answer, results = self._answer, self._results
        if number > 1 and total is not None and not total.documents:
            total = None  # the first page says how many match; beyond a limit some say none
        if number == 1 and self._shows_too_many():
            return Page(total=Total(max(total.documents if total else 0, 1), "at least"))
        if results.empty and self._is_marked():
            return Page(total=Total(0) if number == 1 else total)
        if number == 1 and self._kind == "html" and wants_longer(query.wanted, answer.visible()):
            return Page(total=Total(0))
        if number == 1 and (hit := self.document_itself(query, request)):
            return Page((hit,), Total(1))
        self._refuse_strangers(query, total)
        if number > 1 and not (self._spec.ask.lists and results.empty):
            return Page(total=total)
        if total and total.documents:
            raise PageError(
                f"{answer.url} says {total.documents} documents, but the selector "
                f"results.hit {results.hit!r} finds none of them",
                advice=f"{_look()}; or correct results.hit (or results.total)",
            )
        if error := self._error():
            what = f"{answer.url} answers with an error: {error}"
            raise PageError(what, advice="see what it means, and run it again")
        if results.empty and total is None:
            raise PageError(
                f"{answer.url} has neither a hit ({results.hit!r}) nor the mark of an empty page "
                f"({results.empty!r})",
                advice=f"{_look()}; or correct results.hit or results.empty",
            )
        return Page(total=total)

    def _shows_too_many(self) -> bool:
        if self._kind == "json":
            return len(self._answer.text) < SHORT_ANSWER and too_many(self._answer.text)
        # Help texts speak of too many results, too, also where nothing was found.
        is_empty = self._results.empty.startswith(MARK_PREFIX) and self._is_marked()
        return not is_empty and too_many(self._answer.visible())

    def _error(self) -> str:
        """Return the error that an XML answer consists of, as OAI-PMH and SRU have it, or ""."""
        if self._kind != "xml":
            return ""
        found = self._answer.root.xpath(ERRORS)
        said = [*found.xpath("@code").getall(), *found.xpath(".//text()").getall()]
        return ": ".join(filter(None, map(fold, said)))[:LONGEST_ERROR]

    def _all(self, name: str, node: parsel.Selector) -> list[parsel.Selector]:
        selector = getattr(self._results, name)
        return read_select(selector, self._kind).all(node) if selector else []

    def _text(self, name: str, node: parsel.Selector) -> str:
        selector = getattr(self._results, name)
        return read_select(selector, self._kind).text(node) if selector else ""

    def _hit(self, node: parsel.Selector, place: int) -> Hit:
        url, same = self._link(node, place) if self._results.link else ("", "")
        key = self._text("key", node) if self._results.key else same
        if not key:
            raise self._missing("key", place)
        text = None
        if self._results.text:
            text = read_select(self._results.text, self._kind).texts(node)
            # A text missing here may still be on the document's own page.
            text = text or (None if self._spec.document else "")
        title, snippet = self._text("title", node), self._text("snippet", node)
        language = language_of(self._text("language", node))
        fields = row_fields(self._spec, node, self._answer)
        return Hit(key, url, title, snippet, text, language, fields)

    def _link(self, node: parsel.Selector, place: int) -> tuple[str, str]:
        """Return the URL to request a hit's document by, and its key."""
        link = next(filter(None, map(href, self._all("link", node))), "")
        # A record of a list may have no page of its own, or an address that is not one.
        is_record = bool(self._results.key and self._spec.ask.lists)
        if not link and is_record:
            return "", ""
        if not link:
            raise self._missing("link", place)
        if self._results.link_template:
            link = self._results.link_template.replace(
                "{link}", quote(link, safe="/", errors="replace")
            )
        try:
            url = absolute(link, self._answer.base, self._answer.charset)
            name = self._results.link_parameter
            if name and (carried := parts_of(url).get(name)):
                url = link = absolute(address_in(carried) or carried, url, self._answer.charset)
            named = link.partition("#")[2] if self._results.places else ""
            mark = f"#{named}" if named and not is_view(named) else ""
            if self._results.key:
                return url + mark, ""
            key = without_parts(canonical(link, self._answer.base), self._results.key_ignores)
            return url + mark, key + mark
        except ValueError as error:
            if is_record:
                return "", ""
            raise PageError(
                f"hit {place} on {self._answer.url} links to nowhere: {error}",
                advice="narrow results.hit or results.link, or use results.link_template",
            ) from None

    def _missing(self, name: str, place: int) -> PageError:
        selector = getattr(self._results, name)
        return PageError(
            f"hit {place} on {self._answer.url} has no {name} ({selector!r} finds nothing in it)",
            advice=f"correct results.{name}, or narrow results.hit to real hits",
        )

    def _is_marked(self) -> bool:
        mark = self._results.empty
        if mark.startswith(STATUS_PREFIX):
            return False
        if not mark.startswith(MARK_PREFIX):
            return any(
                found.root not in (False, "") for found in self._all("empty", self._answer.root)
            )
        words = fold(mark.removeprefix(MARK_PREFIX)).casefold()
        page = self._answer.text if self._kind == "json" else self._answer.visible()
        return words in fold(page).casefold()

    def document_itself(self, query: Query, request: Request) -> Hit | None:
        """Return the document that a query with one hit was redirected to, or None.

        Raises:
            PageError: The spec does not say how to read its key.
        """
        page, answer = self._spec.document, self._answer
        if page is None or self._kind == "json" or page.kind == "json":
            return None
        if urlsplit(answer.url)[1:3] == urlsplit(request.url)[1:3] or self._is_guarded(query):
            return None
        if self._is_wall(query):
            return None
        text, title = read_document(page, answer)
        # A site's error page can have text too, but not with the query's words.
        if not any(term.casefold()[:5] in text.casefold() for term in query.wanted):
            return None
        url = urldefrag(answer.url).url
        key = without_parts(canonical(url), self._results.key_ignores)
        if self._results.key:
            key = read_select(page.key, page.kind).text(answer.root) if page.key else ""
        if not key:
            raise PageError(
                f"one hit led straight to its document {url}, where its key is not known",
                advice="say in document.key where the document's page holds what results.key does",
            )
        return Hit(key, url, title or ("" if page.title else answer.title()))

    def _refuse_strangers(self, query: Query, total: Total | None) -> None:
        answer = self._answer
        what, is_wall = "", False
        if self._kind == "json":
            what = "" if total else self._strange_json()
        elif not total and self._is_guarded(query):
            what, is_wall = f"a login or captcha page titled {answer.title()!r}", True
        elif not total and self._is_wall(query):
            what, is_wall = f"a page titled {answer.title()!r}", True
        elif not total and not answer.visible():
            what = "a page without any text, perhaps filled in by a script,"
        if what:
            ending = ending_of(answer.title(), answer.text) if is_wall else PageError.ending
            error = PageError(
                f"{what} came from {answer.url} instead of results",
                advice=WALL_ADVICE.get(
                    ending.cause, "open the URL in a browser; if it shows hits, correct the spec"
                ),
            )
            error.ending = ending
            raise error

    def _strange_json(self) -> str:
        root = self._answer.root.root
        error = root.get("error") or root.get("errors") if isinstance(root, dict) else None
        if error:
            return f"an error ({fold(str(error))[:200]})"
        expression = read_select(self._results.hit, "json").expression
        kind = read_select(f"jmes:type({expression})", "json")
        kinds = [found.root for found in kind.all(self._answer.root)]
        return f"JSON without {self._results.hit!r}" if kinds == ["null"] else ""

    def _is_guarded(self, query: Query) -> bool:
        # Many sites have a login box on every page: only a page that does not show the query, as a
        # result page does in its search box, is a login page.
        seen = self._answer.visible().casefold()
        shows_query = any(term.casefold() in seen for term in query.wanted)
        return not shows_query and bool(self._answer.root.xpath(_GUARD))

    def _is_wall(self, query: Query) -> bool:
        says = sign(self._answer.title()).casefold()
        return bool(says) and not any(term.casefold() in says for term in query.wanted)
