"""Learn a list that an API gives without a search: its rows, its pages, and its total."""

import re
from typing import Any
from urllib.parse import quote

import jmespath  # type: ignore[import-untyped]
import msgspec

from longline.discovery.answer import ParsedAnswer, as_data, parameters
from longline.discovery.answer_pages import COMMON_LIMITS
from longline.discovery.described.date_ranges import divide_by_dates
from longline.discovery.described.listed import Listed, home_of, longest_of, read_list, spec_of
from longline.discovery.described.openapi import describes_interface
from longline.discovery.described.operations import Operation, is_odata, operation_at
from longline.discovery.described.texts import look_at_texts
from longline.discovery.document import learn_data_document
from longline.discovery.fields import fields_of_answer
from longline.discovery.next_words import (
    POSITIONS,
    is_page_name,
    is_position_name,
    is_size_name,
    positions_like,
)
from longline.discovery.paging import outside, token_ways
from longline.discovery.reading import (
    DataHits,
    data_hits_in,
    leaves_of,
    lists_in,
    numbers_before,
    numbers_outside,
    sent_names,
)
from longline.discovery.session import Asking, DiscoverySession
from longline.errors import LonglineError
from longline.model import Page, Query, Request, Response
from longline.source import Source, Spec
from longline.source.spec import Ask, next_of_links

TRIED = 4
UNKNOWN = 2
"""Maximum number of other names with the value 0 or 1 to try as the position."""

EACH = 8
"""With fewer requests left than this, no further list is tried."""

TABLES = 8
"""A list with more rows than this is not one that names other lists."""

ROWS_AT = ("rows", "records", "items", "documents")
"""What follows a table's name in the address of its rows."""

_NAME = re.compile(r"(?:^|[._])(?:id|name|key|code|slug)$", re.IGNORECASE)
_TABLE = re.compile(r"[A-Za-z][\w.-]*")
"""Matches the name of a list; a number is not one."""

USUAL_SIZES = (*(10, 12, 15, 16, 20, 24, 25, 30, 36, 40, 48, 50, 60), *COMMON_LIMITS)
"""With one of these numbers of rows, a list may have further pages that it does not announce."""

_NEXT = re.compile(r"next", re.IGNORECASE)  # paths where answers may link to their next page

_TOTAL = re.compile(
    r"(?:^|\.)\W?(?:@?(?:odata|hydra)[.:])?(?:total\w*|count|hits|num_?found|number_?matched|total_?(?:count|items|elements|hits))\W?$",
    re.IGNORECASE,
)
_OF_PAGE = re.compile(r"(?:^|\.)(?:count|hits)$", re.IGNORECASE)
"""Matches names that may count an answer's own rows."""

_TOTAL_HEADERS = (
    *("x-total-count", "x-total", "x-wp-total", "total-count", "x-pagination-total-count"),
)


def listed_by(session: DiscoverySession, operations: list[Operation]) -> Asking[Listed | None]:
    """Return how to read the longest list of some operations; None if none lists rows.

    Args:
        session: Sends and counts requests.
        operations: The operations, the likeliest first.
    """
    without = [o for o in operations if not (o.is_posted or (o.words and o.words.is_wanted))]
    read: list[tuple[int, Listed]] = []
    tables: list[Operation] = []
    with_rows = 0
    for outer in without[:TRIED]:
        if read and session.left < EACH:
            break
        inner = yield from _inside(outer)
        tables += inner
        for operation in [outer, *inner]:
            found = yield from _tried(session, operation)
            read += [] if found is None else [found]
            with_rows += found is not None and operation in inner
    if not read:
        return None
    best = longest_of(read)
    others = [each.url for each in (*without, *tables) if each.url not in best.spec.ask.url]
    if with_rows > 1:
        ask = msgspec.structs.replace(best.spec.ask, lists="part")
        best = best._replace(spec=msgspec.structs.replace(best.spec, ask=ask))
    return best._replace(left_out=tuple(dict.fromkeys(others)))


def _inside(outer: Operation) -> Asking[list[Operation]]:
    """Return the lists that a short list names, as an API of a database names its tables.

    Their rows are looked for at the usual paths.
    """
    request = Request(outer.begins)
    shown = as_data(request, (yield request))
    names = [] if shown is None else _names_in(shown)
    above = outer.url.rstrip("/")
    for part in ROWS_AT if names else ():
        inner = [f"{above}/{quote(name, safe='')}/{part}" for name in names]
        first = Request(inner[0])
        rows = as_data(first, (yield first))
        if rows is not None and _longest(rows)[1] is not None:
            return [operation_at(each, outer.where) for each in inner]
    return []


def _names_in(shown: ParsedAnswer) -> list[str]:
    """Return the names in a short list's rows; [] if rows have no names, or the list is long.

    Numbers are left out: they name documents.
    """
    lists = (
        [shown.data] if isinstance(shown.data, list) else [rows for _, rows in lists_in(shown.data)]
    )
    rows = next(filter(None, lists), [])
    if not 0 < len(rows) <= TABLES:
        return []
    held = [{"name": row} if isinstance(row, str) else dict(leaves_of(row)) for row in rows]
    named = (name for name in held[0] if _NAME.search(name))
    columns = ([str(row.get(name, "")) for row in held] for name in named)
    return next((c for c in columns if all(map(_TABLE.fullmatch, c)) and len({*c}) == len(c)), [])


def _tried(session: DiscoverySession, given: Operation) -> Asking[tuple[int, Listed] | None]:
    for operation in (given, *given.without_size()):
        template, counted = operation.listing()
        request = Request(operation.begins)
        if (answer := (yield request)) is not None:
            break
    shown = as_data(request, answer)
    if answer is None or shown is None or describes_interface(shown.data):
        return None
    path, hits = _longest(shown)
    if hits is None:
        return None
    rows = len(hits.items[shown])
    if (sized := operation.sized_by(rows)) is not None:
        longer = yield from _tried(session, sized)
        if longer is not None and longer[0] > rows:
            return longer
    tables = _tables(session.url, template, path, hits)
    by_number = dict(tables)
    is_led_on = _is_led_on(tables, shown, operation.begins)
    if counted:
        first = operation.first_place
        if first is None:
            first = yield from _first_page(template, path, shown)
        place = {"page_size": rows, f"first_{counted}": first}
        by_number |= {"ask": by_number["ask"] | place}
        # The next link may be missing one page too early: prefer described parameters that work.
        if not is_led_on or (yield from _shared(by_number, answer)) == 0:
            tables = by_number
    total = _add_total(tables, shown, path, rows)
    page = _read(tables, answer)
    if page is not None and page.next is None and not counted:
        yield from _try_tokens(tables, shown, answer)
        page = _read(tables, answer)
    if page is not None and page.next is None and total != rows and rows in USUAL_SIZES:
        yield from _try_positions(tables, shown, answer, rows)
        page = _read(tables, answer)
    if page is None:
        return None
    is_cut = page.next is None and (total or 0) > rows
    if is_cut or (page.next is None and rows in USUAL_SIZES):
        yield from divide_by_dates(tables, shown, path, rows)
        is_cut = is_cut and "facets" not in tables
    if page.next is not None:
        second = yield from _second(tables, page)
        if second is None and not counted:
            # A next link that fails still names the parameter for the position.
            tables["results"] = {n: at for n, at in tables["results"].items() if n != "next"}
            yield from _try_positions(tables, shown, answer, rows, page.next.url)
            page = _read(tables, answer) or page
            second = None if page.next is None else (yield from _second(tables, page))
        if second is None or set(second.keys) & set(page.keys):
            return None
    spec = yield from _with_texts(session, spec_of(tables), shown, hits, operation.documents)
    page = Source(spec).page(Query(()), 1, request, answer)
    spec = msgspec.structs.replace(spec, fields=fields_of_answer(spec, page, answer, hits.labels))
    said = f" of {total:,}" if total else ", which does not say how many there are"
    said += "; no way to the others was found" if is_cut else ""
    seen = (
        f"a list that {operation.where} has: {template}",
        f"no words are sent; {rows:,} rows in the first answer{said}",
    )
    listed = Listed("JSON list", spec, seen, is_cut=is_cut)
    return rows if is_cut else total or rows, listed


def _with_texts(
    session: DiscoverySession,
    spec: Spec,
    shown: ParsedAnswer,
    hits: DataHits,
    told: tuple[str, ...],
) -> Asking[Spec]:
    """Return a spec that takes texts from linked pages, from documents' own addresses, or the list.

    Args:
        session: Sends and counts requests.
        spec: Spec of the list.
        shown: Its first page.
        hits: The hits on that page.
        told: Address templates of single documents that the source describes.
    """
    session.begin(spec.ask, "json")
    session.results, session.document, session.described = spec.results, None, told
    session.probes, session.data_hits = [shown], hits
    page, is_whole = session.read(shown), False
    if page is not None and page.hits[0].url:
        texts = yield from look_at_texts(session, list(page.hits))
        if texts.page is not None and not texts.is_whole:
            results = msgspec.structs.replace(spec.results, snippet="")
            return msgspec.structs.replace(spec, document=texts.page, results=results)
        is_whole = texts.is_whole
    if not is_whole:
        yield from learn_data_document(session)
        if session.spec is not None and session.document is not None:
            return session.spec
    text = spec.results.snippet or f"jmes:{hits.title or hits.key or hits.link}"
    results = msgspec.structs.replace(spec.results, text=text, snippet="")
    return msgspec.structs.replace(spec, results=results)


def _longest(shown: ParsedAnswer) -> tuple[str, DataHits | None]:
    lists = sorted(lists_in(shown.data), key=lambda pair: -len(pair[1]))
    for path, _ in lists[:TRIED]:
        hits = data_hits_in(shown, path)
        if hits is not None:
            return path, hits
    return "", None


def _tables(url: str, template: str, path: str, hits: DataHits) -> dict[str, Any]:
    named = (("key", hits.key), ("link", hits.link), ("title", hits.title), ("snippet", hits.text))
    results = {"hit": f"jmes:{path}"} | {name: f"jmes:{at}" for name, at in named if at}
    return {
        "source": home_of(url, "json"),
        "ask": {"url": template, "lists": "part"},
        "results": results,
    }


def _is_led_on(tables: dict[str, Any], shown: ParsedAnswer, begins: str) -> bool:
    """Write down where an answer or its header links to the next page; return whether it does."""
    led = (
        f"jmes:{path}"
        for path, said in outside(shown)
        if _NEXT.search(path) and isinstance(said, str) and said.startswith(("http", "/", "?"))
    )
    found = next(led, "")
    if not found and next_of_links(shown.response.header("link")):
        found = "header:Link"
    if not found and "/" in shown.response.header("next-page"):
        found = "header:Next-Page"
    if found:
        tables["results"] = tables["results"] | {"next": found}
        tables["ask"] = tables["ask"] | {"url": begins}
    return bool(found)


def _first_page(template: str, path: str, shown: ParsedAnswer) -> Asking[int]:
    """Return the number of the first page, 1 or 0; 1 if both return the same rows."""
    rows = jmespath.compile(path).search
    for number in (1, 0):
        request = Request(template.replace("{page}", str(number)))
        other = as_data(request, (yield request))
        if other is not None and rows(other.data) == rows(shown.data):
            return number
    return 1


def _try_positions(
    tables: dict[str, Any],
    shown: ParsedAnswer,
    answer: Response,
    rows: int,
    led: str = "",
) -> Asking[None]:
    """Find out which parameter counts the pages, or rows, of a list that may be cut.

    The order: names in a link to the second page, then names in the answer (each also with a "$"),
    then other names there whose value is 0 or 1, and then the usual names.
    """
    plain = tables["ask"]
    mark = "&" if "?" in plain["url"] else "?"
    numbers = [(p, held) for p, held in outside(shown) if type(held) is int and held in (0, 1)]
    at = {name: held for path, held in numbers for name in sent_names(path)}
    sent = parameters(led).items()
    own = [(name, value != str(rows)) for name, value in sent if value in ("2", str(rows))]
    own += [(name, is_page_name(name)) for name in at if is_position_name(name)]
    own = [(f"{dollar}{name}", is_page) for name, is_page in own for dollar in ("", "$")]
    own += [(name, bool(held)) for name, held in at.items() if not is_position_name(name)][:UNKNOWN]
    if is_odata(shown.data):
        own.insert(0, ("$skip", False))
    for size in filter(is_size_name, parameters(plain["url"])):
        own += positions_like(size)
    for name, is_page in dict.fromkeys([*own, *POSITIONS]):
        place = "page" if is_page else "offset"
        url = f"{plain['url']}{mark}{name}={{{place}}}"
        first = at.get(name, 1) if is_page else 0
        tables["ask"] = plain | {"url": url, "page_size": rows, f"first_{place}": first}
        shared = yield from _shared(tables, answer)
        if shared == 1 and not is_page:
            # One row is returned again if rows are counted from 1.
            tables["ask"] |= {f"first_{place}": 1}
            shared = yield from _shared(tables, answer)
        if shared == 0:
            return
    tables["ask"] = plain


def _try_tokens(tables: dict[str, Any], shown: ParsedAnswer, answer: Response) -> Asking[None]:
    """Send values of the answer that may be next-page tokens; keep the first that works."""
    plain, results = tables["ask"], tables["results"]
    for way in token_ways(Ask(url=plain["url"]), dict(outside(shown))):
        tables["ask"] = plain | {"next_url": way.ask.url}
        tables["results"] = results | {"next": way.next}
        if (yield from _shared(tables, answer)) == 0:
            return
    tables |= {"ask": plain, "results": results}


def _add_total(tables: dict[str, Any], shown: ParsedAnswer, path: str, rows: int) -> int | None:
    """Write down and return the total; a list that has one can be proved complete."""
    for name in _TOTAL_HEADERS:
        if shown.response.header(name).isdigit():
            tables["results"] |= {"total": f"header:{name}", "total_relation": "exact"}
            tables["ask"]["lists"] = "all"
            return int(shown.response.header(name))
    before = dict(numbers_before(shown.data, path))
    for place, number in numbers_outside(shown.data, path).items():
        is_named = _TOTAL.search(place) and "page" not in place.lower().split(".")[-1]
        least = rows if is_named and not _OF_PAGE.search(place) else rows + 1
        if (is_named or place in before) and number >= least:
            tables["results"] |= {"total": f"jmes:{place}", "total_relation": "exact"}
            tables["ask"]["lists"] = "all"
            return number
    return None


def _read(tables: dict[str, Any], answer: Response) -> Page | None:
    """Read the first page; return None if it fails or has no rows."""
    try:
        source = Source(spec_of(tables))
        page = source.page(Query(()), 1, source.search_request(Query(())), answer)
    except LonglineError:
        return None
    return page if page.hits else None


def _second(tables: dict[str, Any], page: Page) -> Asking[Page | None]:
    """Return the page that a page links to; None if it cannot be read."""
    answer = None if page.next is None else (yield page.next)
    return None if answer is None else read_list(tables, answer, 2, page.next)


def _shared(tables: dict[str, Any], answer: Response) -> Asking[int | None]:
    """Return how many rows the first two pages share; None if the second page has no rows."""
    page = _read(tables, answer)
    second = None if page is None else (yield from _second(tables, page))
    if page is None or second is None or not second.hits:
        return None
    return len({*second.keys} & {*page.keys})
