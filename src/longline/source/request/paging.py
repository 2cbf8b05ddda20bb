"""Return the request for the next page, and whether a request names its query."""

import re
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from longline.model import Asked, Browsing, Query, Request, Total
from longline.source.answer import Answer, follow, get, href
from longline.source.request.ask import fill_template, own_headers, with_headers
from longline.source.request.dialect import query_text
from longline.source.request.facets import filter_values, placed, with_filters
from longline.source.select import read_select
from longline.source.spec import Ask, Spec, header_name, next_of_links
from longline.text.url import with_ampersands


def names_query(spec: Spec, query: Query, request: Request) -> bool:
    """Return whether a request contains its query, so that queries in between cannot change it.

    It does if the template fills it in, if the field that takes the words is filled, or if the
    words are a part of its path. Other fields may contain a word by chance: "go=next".

    >>> from longline.source.spec import Home, Results
    >>> home, ask = Home("x", "https://x.example/"), Ask(url="https://x.example/find?q={query}")
    >>> spec, query = Spec(home, ask, Results("li")), Query(("next",))
    >>> names_query(spec, query, Request("https://x.example/find?q=next&page=2"))
    True
    >>> names_query(spec, query, Request("https://x.example/find?go=next"))
    False
    """
    ask = spec.ask
    if spec.counts_pages or request.browser is not None or _fills_in(ask) or not ask.takes_words:
        return True
    typed = query_text(query, ask).casefold()
    body = request.body.decode("latin-1")
    sent = _pairs(urlsplit(request.url).query, ask) + _pairs(body, ask)
    taking = _fields(ask)
    if any(name in taking and (value.strip() or not typed) for name, value in sent):
        return True
    segments = [unquote(part).casefold() for part in urlsplit(request.url).path.split("/")]
    return "{query}" in urlsplit(ask.url).path and typed in segments


def _fills_in(ask: Ask) -> bool:
    """Return whether the template of later pages has a place for the query."""
    return ask.has_cursor and "{query}" in ask.later.url + ask.later.body


def _fields(ask: Ask) -> set[str]:
    """Return the names of the fields that take the words."""
    if ask.form is not None:
        return {ask.form.field}
    written = _pairs(urlsplit(ask.url).query, ask) + _pairs(ask.body, ask)
    return {name for name, value in written if "{query}" in value}


def _pairs(fields: str, ask: Ask) -> list[tuple[str, str]]:
    fields = with_ampersands(fields)
    return parse_qsl(fields, keep_blank_values=True, encoding=ask.charset, errors="replace")


_REL_NEXT = read_select("css:a[rel~=next], link[rel~=next]")
_NO = ("", "0", "false", "no", "none", "null")
"""Values by which an answer says that no page follows."""

_MARKER = "76543210123456789"
_ANY = "98765432101234567"


def fill(
    spec: Spec, query: Query, *, page: int, offset: int | str, next_: str | None = None
) -> Request:
    """Fill the template for one page of a query; for the first page, `next_` is None."""
    ask = spec.ask
    if next_ is not None:
        ask = ask.later
    values = {
        "query": query_text(query, spec.ask),
        "page": str(page),
        "offset": str(offset),
        "last": _after(offset, (ask.page_size or 0) - 1),
        "end": _after(offset, ask.page_size or 0),
        "size": str(ask.page_size or ""),
        "next": ask.first_next if next_ is None else next_,
    }
    filters = filter_values(spec, query)
    request = fill_template(placed(ask, spec, filters), values)
    request = with_filters(request, filters, ask.charset)
    return shown(spec, request)


def _after(offset: int | str, rows: int) -> str:
    return str(offset + rows) if isinstance(offset, int) else _ANY


def shown(spec: Spec, request: Request) -> Request:
    """Have a browser load the request if the spec wants that."""
    return msgspec.structs.replace(request, browser=Browsing()) if spec.ask.browser else request


def next_request(
    spec: Spec, asked: Asked, request: Request, answer: Answer, hits: int, total: Total | None
) -> Request | None:
    """Return the request for the page after one with hits, or None at the end.

    A request for the same page is the end, unless the source's session knows the position.
    """
    query, number = asked
    if spec.ask.paging == "none" or (spec.results.more and not _says_more(spec, answer)):
        return None
    if spec.counts_pages:
        return _by_arithmetic(spec, query, number, request, hits, total)
    if spec.ask.has_cursor:
        token = "" if _is_last(spec, number, hits, total) else _token(spec, answer)
        page, offset = spec.ask.first_page + number, _offset(spec, query, number, request) + hits
        following = fill(spec, query, page=page, offset=offset, next_=token) if token else None
    elif following := _clicked(spec, answer):
        following = shown(spec, with_headers(following, own_headers(spec, following.url)))
    if following is None or _whole(following) != _whole(request):
        return following
    paging = spec.ask.paging or ("query" if names_query(spec, query, request) else "session")
    return following if paging == "session" and number > 1 else None


def _is_last(spec: Spec, number: int, hits: int, total: Total | None) -> bool:
    """Return whether a page is the last, although it has a cursor."""
    full = spec.ask.page_size or 0
    # Many sources link on from their last page, too. A short page after full ones that add up to
    # the total is the last; if pages are smaller than requested, the sum differs.
    is_all = total is not None and total.documents == (number - 1) * full + hits
    return is_all and hits < full


def _says_more(spec: Spec, answer: Answer) -> bool:
    """Return whether a page says that another one follows."""
    found = read_select(spec.results.more, spec.source.kind).first(answer.root)
    return found is not None and str(found.root).strip().lower() not in _NO


def _token(spec: Spec, answer: Answer) -> str:
    """Return the value for {next}, or "" if there is none."""
    if header_name(spec.results.next):
        return _header(spec.results.next, answer)
    return href(read_select(spec.results.next, spec.source.kind).first(answer.root))


def _clicked(spec: Spec, answer: Answer) -> Request | None:
    """Return the next request by the page's link or header, or None."""
    selector = spec.results.next
    if header_name(selector):
        return get(_header(selector, answer), answer)
    if selector:
        found = read_select(selector, spec.source.kind).first(answer.root)
        return follow(found, answer) if found else None
    found = None if spec.source.kind == "json" else _REL_NEXT.first(answer.root)
    return follow(found, answer) if found else get(_header("header:Link", answer), answer)


def _header(selector: str, answer: Answer) -> str:
    value = answer.header(header_name(selector)).strip()
    return next_of_links(value) if header_name(selector).lower() == "link" else value


def _by_arithmetic(
    spec: Spec, query: Query, number: int, request: Request, hits: int, total: Total | None
) -> Request | None:
    ask = spec.ask
    # Rows beyond a full page are pinned ones: they do not move the offset. Rows that are held back
    # have positions, and do.
    full = ask.page_size or hits
    rows = min(hits, full) if ask.short_ends else full
    offset = _offset(spec, query, number, request) + rows
    if "{offset}" in ask.templates:
        shown = offset - ask.first_offset
    else:
        shown = (number - 1) * full + rows
        if total and shown > total.documents:
            # More than the total cannot have been shown: the source's pages are smaller than
            # requested.
            shown = number * rows
    if ask.limit is not None and shown >= ask.limit:
        return None
    # A total below the rows on this very page is wrong.
    if spec.results.more:
        is_end = False
    elif total and total.relation == "exact" and total.documents >= hits:
        is_end = shown >= total.documents
    else:
        is_end = ask.short_ends and hits < full
    if is_end:
        return None
    return fill(spec, query, page=ask.first_page + number, offset=offset, next_="")


def _offset(spec: Spec, query: Query, number: int, request: Request) -> int:
    """Read the offset from the request, since pages may differ in size."""
    ask = spec.ask
    is_later = None if number == 1 else ""
    page = ask.first_page + number - 1
    asked = _whole(fill(spec, query, page=page, offset=_MARKER, next_=is_later))
    pattern = re.escape(asked).replace(_MARKER, r"(\d+)", 1).replace(_MARKER, r"\d+")
    pattern = pattern.replace(_ANY, r"\d+")
    found = re.fullmatch(pattern, _whole(request)) if _MARKER in asked else None
    if found:
        return int(found[1])
    return ask.first_offset + (number - 1) * (ask.page_size or 0)


def _whole(request: Request) -> str:
    return f"{request.method} {request.url}\n{request.body.decode('latin-1')}"
