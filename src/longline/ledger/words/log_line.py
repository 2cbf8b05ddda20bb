"""The events of a harvest, one by one, in words and as values for a program."""

import msgspec

from longline.events import (
    AnyEvent,
    Concluded,
    DocumentFailed,
    DocumentGone,
    DocumentReceived,
    DocumentUnchecked,
    DocumentWithdrawn,
    FormReceived,
    LinkDropped,
    NonsenseAnswered,
    PageDisbelieved,
    PageFailed,
    PageReceived,
    QueryCut,
    RequestFailed,
    ResponseReceived,
    RobotsRead,
    SameDocument,
    SourceChecked,
    SourceFound,
    Stopped,
    Updated,
)
from longline.ledger.words.in_words import WAYS
from longline.text.numbers import counted

OF_PAGES = frozenset(
    each.__name__ for each in (PageReceived, PageFailed, DocumentReceived, DocumentFailed)
)
"""Events of one page, which takes one request unless it is repeated or moved."""


class Happened(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of a harvest's log.

    Attributes:
        number: Its position in the journal.
        time: When it was recorded, ISO 8601, UTC.
        event: Its kind; see `longline.events`.
        words: A description for people.
        requests: Requests that it cost.
        query, page: Of a search: the query, and the number of the result page.
        probe: The search was sent only to estimate the total.
        reported: Total results by the source's count; None if it gives none.
        received: Results on the page.
        new: Documents this page brought for the first time; None for a test search.
        key, url: Of a document.
        reason: Why something failed, or why the harvest stopped.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> last = list(longline.log(folder))[-1]
        >>> last.event, last.number > 0
        ('Stopped', True)
    """

    number: int
    time: str
    event: str
    words: str
    requests: int = 0
    query: str = ""
    page: int = 0
    probe: bool = False
    reported: int | None = None
    received: int | None = None
    new: int | None = None
    key: str = ""
    url: str = ""
    reason: str = ""

    def __str__(self) -> str:
        """Return it as text for people."""
        is_repeated = self.requests > 1 and self.event in OF_PAGES
        more = f" ({self.requests:,} requests)" if is_repeated else ""
        return f"{self.time[:19].replace('T', ' ')}  {self.words}{more}"


def happened(event: AnyEvent, number: int, time: str, new: int) -> Happened:
    """Return an event as a line of the log.

    Args:
        event: The event.
        number: Its position in the journal.
        time: When, ISO 8601, UTC.
        new: Documents that the harvest's own searches had not found before.

    >>> from longline.model import Hit, Page, Query, Total
    >>> event = PageReceived(Query(("deep", "web")), 2, Page((Hit("a"),), Total(21)))
    >>> happened(event, 7, "2026-11-24T06:48:02+00:00", 1).words
    "search 'deep web', page 2: 1 result of 21, 1 new"
    """
    query = getattr(event, "query", None)
    page = event.page if isinstance(event, PageReceived) else None
    is_test = getattr(event, "probe", False)
    document = event.document if isinstance(event, DocumentReceived) else event
    return Happened(
        number=number,
        time=time,
        event=type(event).__name__,
        words=in_a_line(event, new),
        requests=getattr(event, "requests", 0),
        query="" if query is None else str(query),
        page=getattr(event, "number", 0),
        probe=is_test,
        reported=page.total.documents if page and page.total else None,
        received=len(page.hits) if page else None,
        new=new if page and not is_test else None,
        key=getattr(document, "key", ""),
        url=getattr(document, "url", ""),
        reason=getattr(event, "reason", ""),
    )


def in_a_line(event: AnyEvent, new: int | None = None) -> str:
    """Describe an event in a line.

    Args:
        event: The event.
        new: Documents that the harvest's own searches had not found before; None if not known.
    """
    match event:
        case PageReceived():
            return _page(event, new)
        case PageFailed(_, _, reason):
            return f"{_search(event)} could not be loaded: {reason}"
        case PageDisbelieved():
            return f"{_search(event)} is doubtful; it is asked for again"
        case QueryCut(query, cut, _, received, reported):
            of = "" if reported is None else f" of {reported:,}"
            return f"search {str(query)!r} is cut ({cut}): {WAYS[cut]}; {received:,}{of} received"
        case Concluded():
            return _estimate(event)
        case Stopped(reason):
            return f"stopped, {event.ending}: {reason}"
        case _:
            return _document(event) or _other(event)


def _search(event: PageReceived | PageFailed | PageDisbelieved) -> str:
    kind = "test search" if getattr(event, "probe", False) else "search"
    return f"{kind} {str(event.query)!r}, page {event.number}"


def _page(event: PageReceived, new: int | None) -> str:
    page = event.page
    results, of = counted(len(page.hits), "result"), ""
    if page.total is not None:
        relation = "" if page.total.relation == "exact" else f"{page.total.relation} "
        of = f" of {relation}{page.total.documents:,}"
    fresh = "" if event.probe or new is None else f", {new:,} new"
    again = "" if event.requests else ", from the journal"
    return f"{_search(event)}: {results}{of}{fresh}{again}"


def _estimate(event: Concluded) -> str:
    size = event.size
    if size is None and not event.at_least:
        return "estimate: how many documents there are is not known"
    if size is None:
        return (
            f"estimate: at least {counted(event.at_least, 'document')}, by the source's own counts"
        )
    end = "more" if size.high is None else f"{size.high:,.0f}"
    about = counted(round(size.documents), "document")
    return f"estimate: about {about}, {size.low:,.0f} to {end} (95 % sure)"


def _document(event: AnyEvent) -> str:
    match event:
        case DocumentReceived(document):
            named = f" {document.title!r}" if document.title else ""
            return f"document{named} saved: {document.url or document.key}"
        case DocumentFailed(key, url, reason):
            how = "does not exist" if event.is_gone else "could not be read"
            return f"document {how}: {url or key}: {reason}"
        case DocumentWithdrawn(key, url, reason):
            return f"document taken back: {url or key}: {reason}"
        case DocumentGone(key, url, reason):
            return f"document gone since the harvest before: {url or key}: {reason}"
        case DocumentUnchecked(key):
            return f"document kept as it was, unchecked: {key}: {event.reason}"
        case SameDocument(key, kept):
            return f"document {key} is the same as {kept}"
        case _:
            return ""


def _other(event: AnyEvent) -> str:
    match event:
        case SourceFound(requests):
            return f"the source was learnt, for {counted(requests, 'request')}"
        case RobotsRead(origin, status):
            return f"robots.txt of {origin}: status {status}"
        case FormReceived(response):
            return f"search form: {response.url}"
        case NonsenseAnswered(keys):
            shown = f"{counted(len(keys), 'document')} all the same" if keys else "nothing"
            return f"a search for nonsense shows {shown}"
        case SourceChecked(answers):
            return f"check: the source {'still answers' if answers else 'answers no more'}"
        case ResponseReceived(request):
            return f"page: {request.url}"
        case LinkDropped(url, reason):
            return f"linked page is no further document: {url}: {reason}"
        case RequestFailed(request, reason):
            return f"page could not be loaded: {request.url}: {reason}"
        case Updated(counts):
            return f"update: {counts.new:,} new, {counts.changed:,} changed, {counts.gone:,} gone"
        case _:
            return type(event).__name__
