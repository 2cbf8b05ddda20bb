"""What of a document the search looks at: all of its text, or its title alone.

Catalogues and wikis often search titles, or a few fields, while a document's own page has much
more text. Terms of that text then bring nothing, and whoever chooses by them chooses at random. So
answers are held against both: hits whose title lacks a term that was asked for show that texts are
searched, which the first page mostly settles. Where hits have the terms in their titles, and
documents stay away that hold them in their texts alone, titles are searched, and the strategy
begins anew as though titles were all there is. What it asks for again comes from the journal.
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
"""So many hits that hold the terms asked for in their texts alone say that others do."""

LEAST_HITS = 3
"""So many hits have to hold them in their titles for titles to be what is searched."""

ENOUGH_AWAY = 8
"""So many documents have to stay away that hold a query's terms in their texts alone."""

LEAST_QUERIES = 3
"""Of so many queries at least."""

ODD = 0.05
"""Share of the hits that may hold terms in their texts alone where titles are searched: other
fields may be searched too, and a text may have a word by chance."""

MOST = 2000
"""Documents after which nothing more is looked for: where texts are hardly longer than titles it
makes no difference."""

SHORT = 10
"""An answer of fewer rows was not cut, where neither total nor limit is known."""


TOGETHER = 5
"""So many documents show lines that are the site's and no document's: most of them have these."""


class SearchedField:
    """Learn from answers which part of a document is searched.

    Args:
        limit: The return limit k; None where it is not known.
        part: What is known of it.

    Attributes:
        part: "text" or "title"; None while that is not known.

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
        """Take note of a query's page.

        Args:
            query: That was asked.
            page: Its last one so far.
            keys: Of all its hits so far.
            documents: That this page brought and that were not held before.
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
        """Return the word to ask for that tells most of which part is searched; None: none would.

        It is one that the texts of many documents hold, and no title that is known: if titles
        are searched, hardly a document comes. Only asked for while all hits had theirs in titles.

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
    """Return the lines of most documents, such as menus and what is recommended beside each."""
    times = Counter(line for each in documents for line in set(each.text.split("\n")))
    return {line for line, many in times.items() if 2 * many > len(documents)}


class FieldAware(Generic[Inner]):
    """Let a policy know of documents what the source searches of them, as soon as that shows.

    Args:
        make: Returns the policy, at its beginning.
        scope: Learns it; nothing else may show it answers.

    Attributes:
        policy: The one that is at work now.
    """

    def __init__(self, make: Callable[[], Inner], scope: SearchedField) -> None:
        self._make = make
        self.policy = make()
        self._scope = scope
        self._told: dict[str, Document] = {}  # to a policy before, and not yet to this one
        self._query: Query | None = None
        self._keys: set[str] = set()
        self._page: Page | None = None
        self._new: list[Document] = []
        self._came: set[str] = set()
        self._by_words = 0  # of these, documents that words brought first, and no list of all

    @property
    def is_by_title(self) -> bool:
        """Whether titles alone are searched, as far as that is known."""
        return self._scope.part == "title"

    def next(self) -> Search | Request | Finish:
        """Say what the policy wants; begin anew where it knew too much of documents."""
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
        """Take the upper bound off an estimate where words of titles led to the documents.

        Test searches are made of such words, too: they find no title that shares none with others.
        """
        if found is None or found.size is None or not self._is_open():
            return found
        size = msgspec.structs.replace(found.size, high=None)
        return msgspec.structs.replace(found, size=size)

    def _is_open(self) -> bool:
        return self.is_by_title and self._by_words > ODD * len(self._came)

    def _of_titles(self, end: Finish) -> Finish:
        """Return an end that says what titles leave open: no word leads to some."""
        reason = f"{end.reason}; the site searches only titles"
        if not self._is_open():
            return Finish(reason, end.target_met)
        return Finish(f"{reason}: those that share no word with others may be missing", False)

    def tell(self, event: AnyEvent) -> None:
        """Be told what came."""
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
