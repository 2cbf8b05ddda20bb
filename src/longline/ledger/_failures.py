"""Track failed and distrusted results, and what to request again."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from longline.events import (
    AnyEvent,
    DocumentFailed,
    DocumentGone,
    DocumentReceived,
    DocumentUnchecked,
    DocumentWithdrawn,
    PageDisbelieved,
    PageFailed,
    PageReceived,
    SameDocument,
    SourceChecked,
    Stopped,
)
from longline.model import Asked, Search


class Failures:
    """Tracks what is missing, from every event of a harvest.

    Attributes:
        documents: Documents that failed, by key, with the last failure.
        pages: Result pages that failed.
        to_ask_again: Result pages received while the source was silent.
        unproven: Pages without hits since the source last answered correctly; a run that stopped
            there may have met a silent source.
        partial: Result pages that say themselves that they are incomplete, and whether each is of a
            test search.
        withheld: How many results each page said to hide, and whether it is of a test search.
        left: How many documents an update found to be gone since the harvest before.
        unchecked: How many of that harvest's documents an update could not check, by the reason.
    """

    def __init__(self) -> None:
        self.documents: dict[str, DocumentFailed] = {}
        self.pages: dict[Asked, PageFailed] = {}
        self.to_ask_again: set[Asked] = set()
        self.unproven: list[Asked] = []
        self.partial: dict[Asked, bool] = {}
        self.withheld: dict[Asked, tuple[int, bool]] = {}
        self.left = 0
        self.unchecked: Counter[str] = Counter()

    def tell(self, event: AnyEvent) -> None:
        """Record an event."""
        match event:
            case PageReceived(query, number, page):
                self.pages.pop((query, number), None)
                self.to_ask_again.discard((query, number))
                if page.hits:
                    self.unproven.clear()
                elif event.requests:
                    self.unproven.append((query, number))
                self.partial.pop((query, number), None)
                if page.partial:
                    self.partial[query, number] = event.probe
                self.withheld.pop((query, number), None)
                if page.withheld:
                    self.withheld[query, number] = page.withheld, event.probe
            case SourceChecked(answers=True):
                self.unproven.clear()
            case Stopped(doubted=doubted):
                if event.outcome and event.ending.is_done:
                    self.unproven.clear()
                if event.outcome == "complete":
                    self.partial.clear()
                if not doubted:  # earlier doubtful pages were repeated, or are not needed
                    self.to_ask_again.clear()
            case PageFailed(query, number) if event.is_missed:
                self.pages[query, number] = event
            case PageDisbelieved(query, number):
                self.to_ask_again.add((query, number))
                self.partial.pop((query, number), None)
            case DocumentReceived(document):
                self.documents.pop(document.key, None)
            case DocumentFailed(key):
                self.documents[key] = event
            case DocumentWithdrawn(key, url, reason, placeholder):
                self.documents[key] = DocumentFailed(key, url, reason, placeholder=placeholder)
            case SameDocument(key):
                self.documents.pop(key, None)
            case DocumentGone(key):
                self.documents.pop(key, None)
                self.left += 1
            case DocumentUnchecked(_, _, reason):
                self.unchecked[reason] += 1

    def searches(self) -> dict[Asked, Search]:
        """Return the searches of failed result pages, without those of probes, by page."""
        pages = self.pages.items()
        return {asked: Search(*asked) for asked, failed in pages if not failed.probe}

    @property
    def gone(self) -> int:
        """Documents that the source lists, but says do not exist."""
        return sum(event.is_gone for event in self.documents.values())

    @property
    def unread(self) -> int:
        """Documents that may come if tried again: neither gone, forbidden, nor files."""
        return sum(
            not (event.is_gone or event.forbidden or event.media_type)
            for event in self.documents.values()
        )

    def placeholders(self) -> dict[str, int]:
        """Return how many documents each placeholder page replaced, by its title, most first."""
        named = Counter(each.placeholder for each in self.documents.values() if each.placeholder)
        return dict(named.most_common())

    def files(self) -> dict[str, int]:
        """Return how many documents are files that were not kept, by media type."""
        return dict(Counter(each.media_type for each in self.documents.values() if each.media_type))

    def skipped(self) -> Iterator[dict[str, Any]]:
        """Yield every document and result page that failed, with the reason."""
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
        """Return the certificate's values about failures."""
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
