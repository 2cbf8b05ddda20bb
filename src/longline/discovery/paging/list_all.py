"""Find a query that lists all documents, such as an empty one.

Pages of such a list return every document once, without choosing queries. The list is trusted if
its total is at least as high as any word's; without totals, if it has all hits of other queries.
The harvest then checks whether words return more. Some sources list everything if they find
nothing: then nonsense is the query for everything.
"""

from longline.discovery.answer import ParsedAnswer
from longline.discovery.answer_pages import PagingState
from longline.discovery.session import FOR_NOTHING, Asking, DiscoverySession, change_dialect
from longline.model import Query
from longline.text.numbers import counted

MARK = "."
"""A mark in most texts: a source that finds it also finds `*` as a mark."""


def learn_everything(session: DiscoverySession, pages: PagingState) -> Asking[None]:
    """Find the query for everything."""
    ask = session.ask
    if ask is None or ask.browser or ask.dialect.all is not None:
        return
    for query in FOR_NOTHING:
        if session.left < 1:
            return
        typed = " ".join(query.required)
        whole = yield from session.ask_for(query)
        seen = _what_it_lists(session, pages, whole)
        if seen and typed and session.left:
            marked = session.keys((yield from session.ask_for(Query((MARK,)))))
            seen = "" if marked and marked != session.keys(whole) else seen
        if seen:
            what = f"a search for {typed!r}" if typed else "a search without words"
            change_dialect(session, all=typed)
            session.find("ask.dialect.all", typed, "likely", f"{what} {seen}")
            return
    for whole in session.empty[:1]:
        seen = _what_it_lists(session, pages, whole)
        if seen:
            change_dialect(session, all=whole.words)
            session.find("ask.dialect.all", whole.words, "likely", f"a made-up word {seen}")


def _what_it_lists(
    session: DiscoverySession, pages: PagingState, whole: ParsedAnswer | None
) -> str:
    """Describe what an answer to an empty query lists; "" if that is not everything."""
    assert session.ask is not None
    read, keys = session.read(whole), set(session.keys(whole))
    nothing = [set(session.keys(page)) for page in session.empty]
    is_shown = all(each == keys for each in nothing)
    is_odd = not is_shown if whole in session.empty else keys in nothing
    if read is None or not keys or is_odd:
        return ""
    answers = [*session.asked.values(), *session.probes]
    seen = set().union(*map(session.keys, answers))
    totals = [page.total for page in map(session.read, answers) if page and page.total]
    most = max([len(seen), *(total.documents for total in totals)])
    goes_on = read.next is not None
    if read.total is not None:
        is_more = read.total.documents >= most and (goes_on or read.total.documents == len(keys))
        hits = counted(read.total.documents, "hit")
        return f"has {hits}, as many as any word or more" if is_more else ""
    if totals and not goes_on:
        return ""
    if goes_on and session.ask.limit is None and len(keys) >= (pages.size or 1):
        return f"has {counted(len(keys), 'hit')} on its first page, and more after it"
    is_whole = not goes_on and len(keys) != session.ask.limit and seen <= keys
    found = f"has {counted(len(keys), 'hit')}, all {len(seen)} that words brought among them"
    return found if is_whole else ""
