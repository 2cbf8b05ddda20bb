"""Whether a request for a later page says which query it goes on with."""

from __future__ import annotations

from urllib.parse import parse_qsl, unquote, urlsplit

from longline.model import Query, Request
from longline.source.request.dialect import query_text
from longline.source.spec import Ask, Spec
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
    later = (ask.next_url or ask.url) + (ask.next_body or ask.body)
    return ask.has_cursor and "{query}" in later


def _fields(ask: Ask) -> set[str]:
    """Return the names of the fields that take the words."""
    if ask.form is not None:
        return {ask.form.field}
    written = _pairs(urlsplit(ask.url).query, ask) + _pairs(ask.body, ask)
    return {name for name, value in written if "{query}" in value}


def _pairs(fields: str, ask: Ask) -> list[tuple[str, str]]:
    fields = with_ampersands(fields)
    return parse_qsl(fields, keep_blank_values=True, encoding=ask.charset, errors="replace")
