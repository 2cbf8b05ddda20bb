"""Find the value of a JSON answer that shows whether another page follows."""

import re
from collections.abc import Iterator

from longline.discovery.answer import ParsedAnswer
from longline.discovery.answer_pages import PagingState
from longline.discovery.paging.json_ways import outside
from longline.discovery.reading import last_name
from longline.discovery.session import change_results
from longline.text.numbers import counted

_MORE = re.compile(r"(?:(?:is_?)?(?:has_?)?(?:more|next)|exceeded)\w*", re.IGNORECASE)
_LAST = re.compile(r"(?:is_?)?(?:last|end|final)(?:_?page)?|done|finished", re.IGNORECASE)


def learn_more(pages: PagingState) -> None:
    """Find a value that is yes on every page with a next one, and no on a page without.

    Sends no requests. It is not needed if there is a total, or a link that is null at the end.
    """
    session = pages.session
    assert session.ask is not None
    assert session.results is not None
    is_asked_on = pages.position is not None or session.ask.has_cursor
    if not (pages.later and is_asked_on) or session.results.total:
        return
    followed = [pages.first, *pages.later[:-1]]
    came = [*session.probes, *session.asked.values(), *pages.later]
    others = [page for page in dict.fromkeys(came) if page not in followed and session.keys(page)]
    plain = session.results.more
    for selector in _selectors(pages.first):
        change_results(session, more=selector)
        ended = [page for page in others if not _goes_on(pages, page)]
        if ended and all(_goes_on(pages, page) for page in followed):
            went_on = counted(len(followed), "page")
            seen = f"yes on {went_on} that others followed, no on {len(ended)}"
            session.find("results.more", selector, "likely", seen)
            return
    change_results(session, more=plain)


def says_more(page: ParsedAnswer) -> bool | None:
    """Return whether an answer says that another page follows, or None if it does not say.

    If every answer says so, also complete ones, this is no evidence: compare several answers.
    """
    said = [bool(value) for path, value in outside(page) if _MORE.fullmatch(last_name(path))]
    return any(said) if said else None


def _selectors(page: ParsedAnswer) -> Iterator[str]:
    """Yield selectors of values that may show it, by name; `last` is negated."""
    for path, value in outside(page):
        name = last_name(path)
        if value and _MORE.fullmatch(name):
            yield f"jmes:{path}"
        elif value is False and _LAST.fullmatch(name):
            yield f"jmes:!{path}"


def _goes_on(pages: PagingState, page: ParsedAnswer) -> bool:
    read = pages.session.read(page)
    return read is not None and read.next is not None
