"""The details of one harvest, for the parts of lists that are shown."""

import threading
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from longline.errors import FolderError
from longline.events import DocumentReceived
from longline.harvester import Reading, journal_file
from longline.ledger import ChartRow, Ledger, in_a_line, in_words, truncations
from longline.logs import level_of
from longline.model import Document, Query
from longline.reports import Course
from longline.reports.charts import coverage_over_repeats, documents_over_requests
from longline.store import Answer, Entry
from longline.text.numbers import percent

LOG_LINES = 200

MOST_TITLE = 120
"""Letters of a text that stand for a missing title."""

Order = Callable[[tuple[Query, Any]], Any]

ORDERS: dict[str, Order] = {
    "query": lambda pair: str(pair[0]),
    "reported": lambda pair: -1 if pair[1].reported is None else pair[1].reported,
    "received": lambda pair: pair[1].rows,
    "new": lambda pair: pair[1].new,
    "repeats": lambda pair: pair[1].rows - pair[1].new,
    "total_unique": lambda pair: pair[1].total_unique,
    "result_pages": lambda pair: pair[1].pages,
    "cuts": lambda pair: len(pair[1].cuts),
}
"""Sort keys for the record chart, besides the order of the searches."""


class Wanted(NamedTuple):
    """Which part of a list is shown.

    Attributes:
        first: Position of the first row, from 0.
        size: Number of rows.
        by: Column to sort by; "" for the original order.
        descending: The greatest first.
        words: Only rows that contain this text.
    """

    first: int = 0
    size: int = 25
    by: str = ""
    descending: bool = False
    words: str = ""


class Part(NamedTuple):
    """A part of a list, and the number of rows in all."""

    rows: list[dict[str, Any]]
    total: int


class LogLine(NamedTuple):
    """A line of the log."""

    number: int
    recorded_at: float
    level: int
    words: str


class Detail:
    """The ledger of a harvest, kept in memory while it is viewed; called in threads.

    Args:
        folder: The harvest's folder.

    Raises:
        FolderError: There is no harvest in it, or it is damaged.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.course = Course()
        self._turn = threading.Lock()
        self._file = journal_file(folder).stat().st_ino
        self._reading = Reading(folder, self._observe)
        self._drawn: tuple[int, tuple[str, str]] = -1, ("", "")
        self._listed: tuple[tuple[int, Wanted], list[Query]] | None = None
        self._found: tuple[tuple[int, str], list[str]] | None = None

    def _observe(self, entry: Entry, ledger: Ledger) -> None:
        self.course.tell(entry.event, entry.recorded_at, ledger)

    @property
    def version(self) -> int:
        """A number that grows when new entries were read."""
        return self._reading.last

    def is_of_this_file(self) -> bool:
        """Return whether the open store is still the folder's own."""
        try:
            return journal_file(self.folder).stat().st_ino == self._file
        except OSError:
            return False

    def catch_up(self) -> int:
        """Read new entries; return how many there were."""
        with self._turn:
            return self._reading.catch_up()

    def close(self) -> None:
        """Close the store."""
        with self._turn:
            self._reading.close()

    def curves(self) -> tuple[str, str]:
        """Return the two live charts as SVG, each "" if there is no data yet."""
        with self._turn:
            if self._drawn[0] != self.version:
                points = self.course.points()
                curve = documents_over_requests(points, "live", (720.0, 340.0))
                self._drawn = self.version, (curve, coverage_over_repeats(points, "rates"))
            return self._drawn[1]

    def chart(self, wanted: Wanted) -> Part:
        """Return a part of the record chart."""
        with self._turn:
            queries = self._order(wanted)
            rows = self._reading.ledger.chart(queries[wanted.first : wanted.first + wanted.size])
        shown = [_row(wanted.first + place, row) for place, row in enumerate(rows)]
        return Part(shown, len(queries))

    def _order(self, wanted: Wanted) -> list[Query]:
        """Return the queries in the wanted order; cached until there are new entries."""
        asked = self.version, wanted._replace(first=0, size=0)
        if self._listed is None or self._listed[0] != asked:
            ledgers = self._reading.ledger.query_ledgers
            pairs = list(ledgers.items())
            if wanted.words:
                letters = wanted.words.casefold()
                pairs = [pair for pair in pairs if letters in str(pair[0]).casefold()]
            if wanted.by in ORDERS:
                pairs.sort(key=ORDERS[wanted.by], reverse=wanted.descending)
            elif wanted.descending:
                pairs.reverse()
            self._listed = asked, [query for query, _ in pairs]
        return self._listed[1]

    def cuts(self, wanted: Wanted) -> Part:
        """Return a part of the cut searches, the largest cuts first."""
        with self._turn:
            ledger = self._reading.ledger
            inferred = ledger.inferred_limit()
            found = [
                {
                    "query": str(query),
                    "cut": cut.cut,
                    "reported": cut.reported,
                    "received": cut.received,
                    "page": sums.cuts[cut.cut].number if cut.cut in sums.cuts else 1,
                }
                for query, sums in ledger.query_ledgers.items()
                for cut in truncations(query, sums, inferred)
            ]
        found.sort(key=lambda row: int(str(row["received"])) - int(str(row["reported"] or 0)))
        return _part(found, wanted)

    def missed(self, wanted: Wanted) -> Part:
        """Return a part of the failed documents and pages, with reasons."""
        with self._turn:
            failures = self._reading.ledger.failures
            pages = [
                {
                    "what": f"{query}, page {number}",
                    "reason": event.reason,
                    "kind": "page",
                }
                for (query, number), event in failures.pages.items()
            ]
            doubted = [
                {
                    "what": f"{query}, page {number}",
                    "reason": "empty or incomplete, as others at the time; the next run asks again",
                    "kind": "doubtful page",
                }
                for query, number in sorted(failures.to_ask_again)
            ]
            documents = [
                {
                    "what": key,
                    "url": event.url,
                    "reason": event.reason,
                    "kind": "gone"
                    if event.is_gone
                    else "forbidden"
                    if event.forbidden
                    else "document",
                }
                for key, event in failures.documents.items()
            ]
        return _part([*pages, *doubted, *documents], wanted)

    def discrepancies(self, wanted: Wanted) -> Part:
        """Return a part of the inconsistent answers."""
        with self._turn:
            concluded = self._reading.ledger.concluded
            found = concluded.discrepancies if concluded else ()
            rows = [
                {"query": str(o.query), "kind": o.kind, "reported": o.reported, "found": o.found}
                for o in found
            ]
        return _part(rows, wanted)

    def documents(self, wanted: Wanted) -> Part:
        """Return a part of the documents, in the order of arrival."""
        with self._turn:
            store = self._reading.store
            found = self._with_words(wanted.words) if wanted.words else None
            keys: Iterable[str] = store.keys() if found is None else found
            total = store.count() if found is None else len(found)
            shown = list(islice(keys, wanted.first, wanted.first + wanted.size))
            held = store.held(shown)
        rows = [_document_row(wanted.first + n, held[key]) for n, key in enumerate(shown)]
        return Part(rows, total)

    def _with_words(self, words: str) -> list[str]:
        """Return the keys of documents that contain a text; cached until there are new entries."""
        asked = self.version, words.casefold()
        if self._found is None or self._found[0] != asked:
            self._found = (
                asked,
                [
                    document.key
                    for document in self._reading.store.documents()
                    if any(
                        asked[1] in part.casefold()
                        for part in (document.title, document.url, document.key, document.text)
                    )
                ],
            )
        return self._found[1]

    def document(self, key: str) -> Document | None:
        """Return a document, or None if it is no longer held."""
        with self._turn:
            return self._reading.store.document(key)

    def answers(self, query: str, page: int | None = None) -> list[Answer]:
        """Return the stored answers of a search, the newest last.

        Args:
            query: As written in the record chart.
            page: Only this page; None for all.

        Raises:
            FolderError: There was no such search.
        """
        with self._turn:
            ledger = self._reading.ledger
            asked = next((each for each in ledger.query_ledgers if str(each) == query), None)
            if asked is None:
                raise FolderError(f"the harvest never searched for {query!r}")
            last = ledger.query_ledgers[asked].pages + 1
            pages = range(1, last + 1) if page is None else (page,)
            return [kept for number in pages for kept in self._reading.store.answers(asked, number)]

    def log(self) -> list[LogLine]:
        """Return the newest log lines, the newest first."""
        with self._turn:
            entries = list(self._reading.store.entries(max(0, self.version - LOG_LINES)))
        lines = [
            LogLine(entry.number, entry.recorded_at, level_of(entry.event), in_a_line(entry.event))
            for entry in entries
            if not (isinstance(entry.event, DocumentReceived) and not entry.event.requests)
        ]
        return lines[::-1]

    def in_words(self) -> str:
        """Return the summary of the certificate as of now."""
        with self._turn:
            return in_words(self._reading.certificate())


def _document_row(place: int, document: Document) -> dict[str, Any]:
    return {
        "key": place,
        "document": document.key,
        "title": document.title or document.text[:MOST_TITLE] or "(no title)",
        "url": document.url or document.key,
        "letters": len(document.text),
    }


def _part(rows: list[dict[str, Any]], wanted: Wanted) -> Part:
    letters = wanted.words.casefold()
    if letters:
        rows = [row for row in rows if any(letters in str(v).casefold() for v in row.values())]
    end = wanted.first + wanted.size
    numbered = [
        row | {"key": wanted.first + place} for place, row in enumerate(rows[wanted.first : end])
    ]
    return Part(numbered, len(rows))


def _row(place: int, row: ChartRow) -> dict[str, Any]:
    plain = msgspec.structs.asdict(row)
    rate, share = row.overlapping_rate, row.hit_rate
    return plain | {
        "key": place,
        "cuts": " ".join(row.cuts),
        "overlapping_rate": "" if rate is None else f"{rate - 1:.2f}",
        "hit_rate": percent(share, ""),
        "query_overlapping_rate": None,
    }
