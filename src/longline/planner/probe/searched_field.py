"""Find out which part of a document is searched: all of its text, or only its title.

Catalogues and wikis often search titles or a few fields, while a document's own page has much more
text. Then terms from that text bring nothing, and choosing by them is random. So answers are
compared with both: hits whose title lacks a query term show that texts are searched, which the
first page usually settles. If all hits have the terms in their titles, and documents with the terms
only in their texts are missing, then titles are searched, and the strategy starts again with
titles only. Queries that it repeats are answered from the journal.
"""

from collections import Counter
from collections.abc import Callable
from typing import Generic, Literal, TypeVar

import msgspec

from longline.events import AnyEvent, Concluded, DocumentReceived, PageReceived
from longline.model import Document, Finish, Page, Query, Request, Search
from longline.planner.observed import is_complete
from longline.planner.probe.capability_trials import PLAIN
from longline.pool import DROPPED_WORDS, Analyzer
from longline.ports import Policy

Part = Literal["text", "title"]
Inner = TypeVar("Inner", bound=Policy)

ENOUGH_HITS = 10
"""This many hits with the query terms only in their texts show that texts are searched."""

LEAST_HITS = 3
"""At least this many hits must have the terms in their titles before "title" is concluded."""

ENOUGH_AWAY = 8
"""This many documents with a query's terms only in their texts must be missing from answers."""

LEAST_QUERIES = 3
"""They must be missing from answers to at least this many queries."""

ODD = 0.05
"""Share of hits that may have the terms only in their texts although titles are searched: other
fields may be searched too, and a text may contain a word by chance."""

MOST = 2000
"""After this many documents, texts are taken to be searched: if they are hardly longer than titles,
this makes no difference."""

SHORT = 10
"""With neither total nor limit known, an answer with fewer rows than this is taken as complete."""


TOGETHER = 5
"""From this many documents on, lines that most of them share are taken to belong to the site."""


class SearchedField:
    """Learn from answers which part of a document is searched.

    Args:
        limit: The return limit k; None if unknown.
        part: The part, if known.

    Attributes:
        part: "text" or "title"; None while unknown.

    >>> scope = SearchedField(limit=100)
    >>> query, page = Query(("web",)), Page()
    >>> documents = [Document(str(n), title="deep", text="a web") for n in range(10)]
    >>> scope.see(query, page, set(), documents)
    >>> scope.part
    'text'
    """

    def __init__(self, limit: int | None, part: Part | None = None) -> None:
        self.part = part
        self._limit = limit
        self._analyzer = Analyzer(stop_words=frozenset())
        self._terms: dict[str, tuple[set[str], set[str]]] = {}  # of title and text, by key
        self._by_title = 0
        self._by_text = 0
        self._away = 0
        self._queries = 0
        self._asked: set[str] = set()
        self._shared: set[str] = set()

    def see(self, query: Query, page: Page, keys: set[str], documents: list[Document]) -> None:
        """Learn from a query's result page.

        Args:
            query: The query.
            page: Its latest page.
            keys: Keys of all its hits so far.
            documents: New documents that this page brought.
        """
        if self.part is not None:
            return
        self._asked.update(query.required)
        if page.next is None and self._is_whole(page, keys):
            self._count_away(query, keys)
        if len(documents) >= TOGETHER:
            self._shared |= _shared_lines(documents)
        for document in documents:
            title = set(self._analyzer.terms(document.title))
            lines = document.text.split("\n")
            own = "\n".join([line for line in lines if line not in self._shared] or lines)
            self._terms[document.key] = title, title.union(self._analyzer.terms(own))
        shown = {hit.key for hit in page.hits}.union(each.key for each in documents)
        for key in shown & self._terms.keys():
            self._count(query, *self._terms[key])
        self._judge()

    def telling(self) -> str | None:
        """Return the most informative word to test which part is searched, or None.

        Many texts contain it, and no known title does: if only titles are searched, hardly any
        document is returned. It is only needed while the query terms were in all hits' titles.

        >>> scope = SearchedField(limit=100)
        >>> found = [Document("a", title="deep web", text="in water"), Document("b", title="deep")]
        >>> scope.see(Query(("deep",)), Page(), set(), found)
        >>> scope.telling()
        'water'
        """
        hits = self._by_title + self._by_text
        if self.part is not None or not hits or self._by_text > ODD * hits:
            return None
        titles = set[str]().union(*(title for title, _ in self._terms.values()))
        told = titles | self._asked | DROPPED_WORDS
        words = Counter(word for _, text in self._terms.values() for word in text - told)
        plain = [(times, word) for word, times in words.items() if len(word) >= PLAIN]
        return max(plain, default=(0, None))[1]

    def _is_whole(self, page: Page, keys: set[str]) -> bool:
        if page.total is None and self._limit is None:
            return len(keys) < SHORT
        return is_complete(len(keys), len(keys), page.total, self._limit)

    def _count_away(self, query: Query, keys: set[str]) -> None:
        wanted, unwanted = set(query.required), set(query.excluded)
        if not wanted or query.any_of or query.filters:
            return
        fitting = (
            key
            for key, (title, text) in self._terms.items()
            if wanted <= text and not wanted <= title and text.isdisjoint(unwanted)
        )
        away = sum(key not in keys for key in fitting)
        self._away += away
        self._queries += away > 0

    def _count(self, query: Query, title: set[str], text: set[str]) -> None:
        wanted = set(query.required)
        self._by_title += bool(wanted) and wanted <= title
        self._by_text += wanted <= text and not wanted <= title

    def _judge(self) -> None:
        hits = self._by_title + self._by_text
        if self._by_text >= ENOUGH_HITS and self._by_text > ODD * hits:
            self.part = "text"
        elif self._by_text <= ODD * hits and hits >= LEAST_HITS and self._is_enough_away():
            self.part = "title"
        elif len(self._terms) > MOST:
            self.part = "text"
        if self.part is not None:
            self._terms.clear()

    def _is_enough_away(self) -> bool:
        return self._away >= ENOUGH_AWAY and self._queries >= LEAST_QUERIES


def _shared_lines(documents: list[Document]) -> set[str]:
    """Return lines that most documents share, such as menus and recommendations."""
    times = Counter(line for each in documents for line in set(each.text.split("\n")))
    return {line for line, many in times.items() if 2 * many > len(documents)}


class FieldAware(Generic[Inner]):
    """Show a policy only the searched part of documents, as soon as that part is known.

    Args:
        make: Returns a new policy.
        scope: Learns which part is searched; only this object may pass answers to it.

    Attributes:
        policy: The policy in use.
    """

    def __init__(self, make: Callable[[], Inner], scope: SearchedField) -> None:
        self._make = make
        self.policy = make()
        self._scope = scope
        self._told: dict[str, Document] = {}  # known to an earlier policy, and not yet to this one
        self._query: Query | None = None
        self._keys: set[str] = set()
        self._page: Page | None = None
        self._new: list[Document] = []
        self._came: set[str] = set()
        self._by_words = 0  # those of `_came` that a query with words found first

    @property
    def is_by_title(self) -> bool:
        """Whether only titles are searched, as far as known."""
        return self._scope.part == "title"

    def next(self) -> Search | Request | Finish:
        """Return the policy's next request; start it again if only titles are searched."""
        if self._scope.part is None and self._page is not None and self._query is not None:
            self._scope.see(self._query, self._page, self._keys, self._new)
            self._told.update((each.key, _titled(each)) for each in self._new)
            self._new = []
            if self._scope.part == "text":
                self._told.clear()
                self._came.clear()
            elif self.is_by_title:
                self.policy = self._make()
        self._page = None
        action = self.policy.next()
        if isinstance(action, Finish) and self.is_by_title:
            return self._of_titles(action)
        return action

    def opened(self, found: Concluded | None) -> Concluded | None:
        """Remove the upper bound of an estimate if words from titles led to the documents.

        Test searches use such words too, and miss titles that share no word with others.
        """
        if found is None or found.size is None or not self._is_open():
            return found
        size = msgspec.structs.replace(found.size, high=None)
        return msgspec.structs.replace(found, size=size)

    def _is_open(self) -> bool:
        return self.is_by_title and self._by_words > ODD * len(self._came)

    def _of_titles(self, end: Finish) -> Finish:
        """Return the end with a note that titles may have left documents out."""
        reason = f"{end.reason}; the site searches only titles"
        if not self._is_open():
            return Finish(reason, end.target_met)
        return Finish(f"{reason}: those that share no word with others may be missing", False)

    def tell(self, event: AnyEvent) -> None:
        """Pass an event to the policy; drop documents' texts if only titles are searched."""
        if isinstance(event, DocumentReceived) and self._scope.part != "text":
            self._tell_document(event)
            return
        self.policy.tell(event)
        if isinstance(event, PageReceived) and self._scope.part != "text":
            self._turn(event)

    def _turn(self, event: PageReceived) -> None:
        if event.query != self._query:
            self._query, self._keys = event.query, set()
        self._page = event.page
        self._keys.update(event.page.keys)
        for key in event.page.keys if self.is_by_title and not event.probe else ():
            if (document := self._told.pop(key, None)) is not None:
                self.policy.tell(DocumentReceived(document, requests=0))

    def _tell_document(self, event: DocumentReceived) -> None:
        document = event.document
        is_new = document.key not in self._came
        self._came.add(document.key)
        self._by_words += is_new and self._query is not None and bool(self._query.wanted)
        title = (event.hit.title if event.hit else "") or document.title
        shown = msgspec.structs.replace(document, title=title)
        if self.is_by_title:
            self.policy.tell(msgspec.structs.replace(event, document=_titled(shown)))
            return
        self._new.append(shown)
        self.policy.tell(event)


def _titled(document: Document) -> Document:
    return msgspec.structs.replace(document, text="")
