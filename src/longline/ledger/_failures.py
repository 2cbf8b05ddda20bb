"""What did not come, what is not believed, and what may come when it is asked for again."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from longline.events import (
    AnyEvent,
    DocumentFailed,
    DocumentReceived,
    DocumentWithdrawn,
    PageDisbelieved,
    PageFailed,
    PageReceived,
    SameDocument,
    SourceChecked,
    Stopped,
)
from longline.model import Asked


class Failures:
    """Told every event of a harvest, knows what of it is missing.

    Attributes:
        documents: That did not come, by key, with what came last.
        pages: Result pages that did not come.
        to_ask_again: Result pages that came while the source was silent.
        unproven: Pages without hits since the source was last seen to answer; a run that was
            stopped there may have met a source that had gone silent.
    """

    def __init__(self) -> None:
        self.documents: dict[str, DocumentFailed] = {}
        self.pages: dict[Asked, PageFailed] = {}
        self.to_ask_again: set[Asked] = set()
        self.unproven: list[Asked] = []

    def tell(self, event: AnyEvent) -> None:
        """Take note of an event."""
        match event:
            case PageReceived(query, number, page):
                self.pages.pop((query, number), None)
                self.to_ask_again.discard((query, number))
                if page.hits:
                    self.unproven.clear()
                elif event.requests:
                    self.unproven.append((query, number))
            case SourceChecked(answers=True):
                self.unproven.clear()
            case Stopped(doubted=doubted):
                if event.outcome and event.ending.is_done:
                    self.unproven.clear()
                if not doubted:  # what was disbelieved before was asked again, or not wanted
                    self.to_ask_again.clear()
            case PageFailed(query, number):
                self.pages[query, number] = event
            case PageDisbelieved(query, number):
                self.to_ask_again.add((query, number))
            case DocumentReceived(document):
                self.documents.pop(document.key, None)
            case DocumentFailed(key):
                self.documents[key] = event
            case DocumentWithdrawn(key, url, reason, placeholder):
                self.documents[key] = DocumentFailed(key, url, reason, placeholder=placeholder)
            case SameDocument(key):
                self.documents.pop(key, None)

    @property
    def gone(self) -> int:
        """Documents that the source lists, and says are not there."""
        return sum(event.is_gone for event in self.documents.values())

    def placeholders(self) -> dict[str, int]:
        """Return pages that came for many documents, by title, with how many, most first."""
        named = Counter(each.placeholder for each in self.documents.values() if each.placeholder)
        return dict(named.most_common())

    def files(self) -> dict[str, int]:
        """Return the media types of documents that are files and are not kept, with how many."""
        return dict(Counter(each.media_type for each in self.documents.values() if each.media_type))

    def skipped(self) -> Iterator[dict[str, Any]]:
        """Yield every document and result page that did not come, with its reason."""
        for key, failed in self.documents.items():
            yield {
                "document": key,
                "url": failed.url,
                "reason": failed.reason,
                "status": failed.status,
                "gone": failed.is_gone,
            }
        for (query, number), lost in self.pages.items():
            yield {"search": str(query), "page": number, "reason": lost.reason}
        for query, number in self.to_ask_again:
            yield {"search": str(query), "page": number, "reason": "empty while every search was"}

    def summed_up(self) -> dict[str, Any]:
        """Return what the certificate says of it."""
        failed = self.documents
        return {
            "documents_failed": len(failed),
            "documents_gone": self.gone,
            "failed_documents": tuple(f"{key}: {event.reason}" for key, event in failed.items()),
            "placeholders": self.placeholders(),
            "files_left": self.files(),
            "disbelieved_pages": len(self.to_ask_again),
            "robots_forbidden": tuple(key for key, event in failed.items() if event.forbidden),
        }
