"""The request for the page after a result page, and whether it says which query it goes on with."""

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
    """Say whether a request holds its query, so that nothing asked in between can change it.

    It does where the template fills it in, where the field that takes the words is filled, and
    where the words are a part of its path. Other fields may hold a word by chance: "go=next".

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
    """Say whether the template of later pages has a place for the query."""
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
"""How an answer may say that nothing follows."""

_MARKER = "76543210123456789"


def fill(
    spec: Spec, query: Query, *, page: int, offset: int | str, next_: str | None = None
) -> Request:
    """Fill the template for one page of a query; the first is the one that no cursor leads to."""
    ask = spec.ask
    if next_ is not None:
        ask = ask.later
    values = {
        "query": query_text(query, spec.ask),
        "page": str(page),
        "offset": str(offset),
        "size": str(ask.page_size or ""),
        "next": ask.first_next if next_ is None else next_,
    }
    filters = filter_values(spec, query)
    request = fill_template(placed(ask, spec, filters), values)
    request = with_filters(request, filters, ask.charset)
    return shown(spec, request)


def shown(spec: Spec, request: Request) -> Request:
    """Have a browser show what is asked for, where the spec wants that."""
    return msgspec.structs.replace(request, browser=Browsing()) if spec.ask.browser else request


def next_request(
    spec: Spec, asked: Asked, request: Request, answer: Answer, hits: int, total: Total | None
) -> Request | None:
    """Say how to ask for the page after one with hits; None at the end.

    What leads to the page itself is the end, unless the source's session knows where it is.
    """
    query, number = asked
    if spec.results.more and not _says_more(spec, answer):
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
    """Say whether a page ends its answer, although it has a cursor."""
    full = spec.ask.page_size or 0
    # Many sources lead on from their last page too. A short page after full ones that make up the
    # total is the last; where pages are smaller than was asked for, the sum is another.
    is_all = total is not None and total.documents == (number - 1) * full + hits
    return is_all and hits < full


def _says_more(spec: Spec, answer: Answer) -> bool:
    """Say whether a page says that another one follows."""
    found = read_select(spec.results.more, spec.source.kind).first(answer.root)
    return found is not None and str(found.root).strip().lower() not in _NO


def _token(spec: Spec, answer: Answer) -> str:
    """Return what fills {next}; "" where nothing does."""
    if header_name(spec.results.next):
        return _header(spec.results.next, answer)
    return href(read_select(spec.results.next, spec.source.kind).first(answer.root))


def _clicked(spec: Spec, answer: Answer) -> Request | None:
    """Return where the page, or its header, leads on to; None where it does not."""
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
    # More rows than a full page holds are pinned ones: they do not move the offset. Rows that are
    # kept back have places, and do.
    full = ask.page_size or hits
    rows = min(hits, full) if ask.short_ends else full
    offset = _offset(spec, query, number, request) + rows
    if "{offset}" in ask.templates:
        shown = offset - ask.first_offset
    else:
        shown = (number - 1) * full + rows
        if total and shown > total.documents:
            # More than there is cannot have been shown: the source's pages are smaller than
            # it was asked for.
            shown = number * rows
    if ask.limit is not None and shown >= ask.limit:
        return None
    # A total below the rows on this very page is no total.
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
    """Read the offset out of the request: pages need not all be of one size."""
    ask = spec.ask
    is_later = None if number == 1 else ""
    page = ask.first_page + number - 1
    asked = _whole(fill(spec, query, page=page, offset=_MARKER, next_=is_later))
    pattern = re.escape(asked).replace(_MARKER, r"(\d+)", 1).replace(_MARKER, r"\d+")
    found = re.fullmatch(pattern, _whole(request)) if _MARKER in asked else None
    if found:
        return int(found[1])
    return ask.first_offset + (number - 1) * (ask.page_size or 0)


def _whole(request: Request) -> str:
    return f"{request.method} {request.url}\n{request.body.decode('latin-1')}"
