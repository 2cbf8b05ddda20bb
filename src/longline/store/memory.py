"""A store in memory, lost when the process ends: for comparisons and tests."""

from collections.abc import Iterable, Iterator

import msgspec

from longline.events import (
    AnyEvent,
    DocumentReceived,
    DocumentWithdrawn,
    PageDisbelieved,
    PageReceived,
    ResponseReceived,
    SameDocument,
)
from longline.model import Document, Query, Request


class MemoryStore:
    """Store everything in memory, with the same interface as a store on disk.

    >>> store = MemoryStore()
    >>> store.record(DocumentReceived(Document("a", text="deep web")))
    >>> store.document("a").text
    'deep web'
    """

    def __init__(self) -> None:
        self._journal: list[AnyEvent] = []
        self._pages: dict[tuple[Query, int], PageReceived] = {}
        self._responses: dict[Request, ResponseReceived] = {}
        self._documents: dict[str, Document] = {}
        self._settings: dict[str, str] = {}

    def record(self, *events: AnyEvent) -> None:
        """Append events to the journal; documents are stored by key."""
        self._journal.extend(events)
        for event in events:
            match event:
                case PageReceived(query, number):
                    self._pages[query, number] = event
                case PageDisbelieved(query, number):
                    self._pages.pop((query, number), None)
                case DocumentWithdrawn(key):
                    self._documents.pop(key, None)
                case SameDocument(key, kept):
                    one = self._documents.pop(key, None)
                    if one is not None and kept not in self._documents:
                        self._documents[kept] = msgspec.structs.replace(one, key=kept)
                case ResponseReceived(request):
                    self._responses[request] = event
                case DocumentReceived(document):
                    self._documents[document.key] = document

    def page(self, query: Query, number: int) -> PageReceived | None:
        """Return a result page's newest event, or None if there is none or it is distrusted."""
        return self._pages.get((query, number))

    def response(self, request: Request) -> ResponseReceived | None:
        """Return the newest answer to a request in the journal, or None."""
        return self._responses.get(request)

    def document(self, key: str) -> Document | None:
        """Return a held document, or None."""
        return self._documents.get(key)

    def held(self, keys: Iterable[str]) -> dict[str, Document]:
        """Return which of some documents are held, by key."""
        return {key: self._documents[key] for key in keys if key in self._documents}

    def documents(self) -> Iterator[Document]:
        """Return every held document, in the order of arrival."""
        return iter(list(self._documents.values()))

    def events(self) -> Iterator[AnyEvent]:
        """Return the complete journal, in order."""
        return iter(list(self._journal))

    def settings(self) -> dict[str, str]:
        """Return the settings that `set_setting` stored."""
        return dict(self._settings)

    def set_setting(self, name: str, value: str) -> None:
        """Store a small fact about the harvest, e.g. its strategy."""
        self._settings[name] = value

    def close(self) -> None:
        """Do nothing: there are no resources to close."""
