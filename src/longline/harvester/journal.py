"""Information from a harvest's journal, for the next run and for reports."""

import csv
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import msgspec

from longline.errors import FolderError
from longline.events import (
    AnyEvent,
    DocumentReceived,
    FormReceived,
    NonsenseAnswered,
    PageDisbelieved,
    PageReceived,
    RobotsRead,
    SourceChecked,
)
from longline.fetch import Wait
from longline.harvester.folder import kept, open_store, write
from longline.harvester.settings import Limits, Settings
from longline.ledger import (
    LEFT_OUT,
    LINKED,
    BudgetLine,
    Certificate,
    Facts,
    Ledger,
    Namesakes,
    Texts,
    certificate_of,
)
from longline.model import Hit, Response, Search
from longline.model.fields import Column, Field, columns_of
from longline.ports import Store
from longline.source import Spec
from longline.source.trust import ENOUGH_DOCUMENTS, Seen
from longline.store import TableStore

PACE_SECONDS = 60.0
"""The pace of a harvest is the average over this many seconds."""


class Contents(NamedTuple):
    """Other contents of a harvest's documents besides their texts.

    Attributes:
        columns: Their fields, with types, those that the spec names first.
        attachments: Number of files that belong to them.
        attachment_bytes: Of all these.
        attachments_unread: How many files have no text, or were not kept, by reason.
    """

    columns: dict[str, Column]
    attachments: int
    attachment_bytes: int
    attachments_unread: dict[str, int]


def contents_of(store: TableStore) -> Contents:
    """Return the documents' fields, how many documents have each, and the number of files.

    The types are those that the spec gave to the newest run.
    """
    declared = kept(store, "fields", dict[str, Field]) or {}
    files = [msgspec.structs.replace(each, text="") for each in store.attachments()]
    kept_files = [each for each in files if each.name]
    different = dict.fromkeys(files)  # a file that many pages link to is one file
    unread = Counter(each.unread.partition(": ")[0] for each in different if each.unread)
    return Contents(
        columns_of(declared, store.fields()),
        len(kept_files),
        sum(each.size for each in kept_files),
        dict(unread.most_common()),
    )


def contents_of_folder(folder: Path) -> Contents:
    """Return the same for the harvest in a folder; it may be running.

    Raises:
        FolderError: There is no harvest in the folder.
    """
    with closing(open_store(folder)) as store:
        return contents_of(store)


def write_skipped(folder: Path, ledger: Ledger) -> None:
    """Write `skipped.jsonl`: what failed, and why; an empty file if nothing did.

    Addresses of the site's other searches are written as a list of sources, and so are those of
    pages like documents that no search showed; where there are none, there is no such file.
    """
    lines = (msgspec.json.encode(each) + b"\n" for each in ledger.failures.skipped())
    write(folder / "skipped.jsonl", b"".join(lines))
    for name, urls in (LEFT_OUT, ledger.left_out), (LINKED, ledger.linked.not_held()):
        if urls:
            rows = StringIO()
            csv.writer(rows).writerows([["url"], *([url] for url in urls)])
            write(folder / name, rows.getvalue().encode())
        else:
            (folder / name).unlink(missing_ok=True)


def certify(spec: Spec, store: TableStore, ledger: Ledger) -> Certificate:
    """Make the certificate of a harvest from its ledger and its store."""
    begun_at, ended_at = (
        datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
        for seconds in store.span()
    )
    settings = kept(store, "settings", Settings)
    if settings is None:
        raise FolderError(
            "the harvest's settings are missing: its harvest.db is damaged",
            advice="put back an earlier copy, or choose another folder",
        )
    limits = kept(store, "limits", Limits) or Limits()
    contents = contents_of(store)
    facts = Facts(
        source=spec.source.url,
        strategy=settings.strategy,
        seed=settings.seed,
        size_source=store.settings().get("size_source", "given by the user"),
        begun_at=begun_at,
        ended_at=ended_at,
        budget=_budget_lines(limits, store, ledger),
        robots_obeyed=limits.robots,
        target_coverage=limits.target_coverage,
        fields=contents.columns,
        attachments=contents.attachments,
        attachment_bytes=contents.attachment_bytes,
        attachments_unread=contents.attachments_unread,
        pace=_pace(store),
    )
    return certificate_of(ledger, facts)


def _pace(store: TableStore) -> float | None:
    """Return the requests per second in the last minute of the last run, or None."""
    begun, ended = store.span()
    seconds = min(PACE_SECONDS, ended - max(begun, kept(store, "run_at", float) or begun))
    return store.requests_since(ended - seconds) / seconds if seconds > 0 else None


def _budget_lines(limits: Limits, store: TableStore, ledger: Ledger) -> dict[str, BudgetLine]:
    """Return the limits of the last run, and what is used of them."""
    used = {
        "requests": ledger.requests,
        "queries": ledger.queries_and_probes,
        "documents": ledger.documents,
        "bytes": ledger.body_bytes,
        "seconds": kept(store, "seconds", float),
        "requests_per_day": requests_today(store) if limits.max_requests_per_day else None,
    }
    allowed = {"seconds": limits.max_time} | {
        name: getattr(limits, f"max_{name}") for name in used if name != "seconds"
    }
    return {
        name: BudgetLine(most, used[name]) for name, most in allowed.items() if most is not None
    }


def last_limits(folder: Path) -> Limits:
    """Return the limits of a harvest's last run.

    Raises:
        FolderError: There is no harvest in the folder, or it is damaged.
    """
    with closing(open_store(folder)) as store:
        return kept(store, "limits", Limits) or Limits()


def requests_today(store: TableStore) -> int:
    """Return the number of requests since midnight, UTC."""
    midnight = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return store.requests_since(midnight.timestamp())


def waits_of(store: Store) -> dict[str, Wait]:
    """Return the waits that hosts demanded in earlier runs, by host, even if they are over."""
    return kept(store, "waits", dict[str, Wait]) or {}


def keep_wait(store: Store, wait: Wait) -> None:
    """Store a host's demanded wait, so that the next run obeys it too."""
    waits = waits_of(store) | {wait.host: wait}
    store.set_setting("waits", msgspec.json.encode(waits).decode())


def _texts_wanted(spec: Spec, settings: Settings | None) -> Texts:
    if settings is not None and settings.listing_only:
        return "shown"
    if spec.shows_parts:
        return "beginnings"
    return "own pages" if spec.has_own_pages else "whole"


def new_ledger(spec: Spec, store: Store) -> Ledger:
    """Return the ledger of a harvest before its first event."""
    settings = kept(store, "settings", Settings)
    ledger = Ledger(
        size=kept(store, "size", int),
        limit=spec.ask.limit,
        page_size=spec.ask.page_size if spec.ask.short_ends else None,
        counts_pages=spec.counts_pages,
        by_meaning=spec.ask.ranking == "meaning",
        texts=_texts_wanted(spec, settings),
    )
    ledger.left_out = tuple(spec.source.left_out)
    ledger.namesakes = Namesakes() if spec.titles_are_keys else None
    return ledger


class Site:
    """Knowledge from earlier runs about a site, from every event in order.

    Args:
        relearned_at: Number of events before the site was learnt again: their form and their
            stand-ins are not valid any more.

    Attributes:
        form: The page with the search form; None if there is none.
        robots: robots.txt by origin.
        seen: The look of its correct answers.
    """

    def __init__(self, relearned_at: int = 0) -> None:
        self.form: Response | None = None
        self.robots: dict[str, RobotsRead] = {}
        self.seen = Seen()
        self._skip = relearned_at
        self._hits: dict[str, Hit] = {}
        self._texts: dict[int, DocumentReceived] = {}
        self._left = 5 * ENOUGH_DOCUMENTS

    def tell(self, event: AnyEvent) -> None:
        """Record an event."""
        self._skip, is_its_own = max(self._skip - 1, 0), self._skip == 0
        match event:
            case FormReceived(response) if is_its_own:
                self.form = response
            case NonsenseAnswered(keys) if is_its_own:
                self.seen.learn_nonsense(keys)
            case RobotsRead(origin):
                self.robots[origin] = event
            case PageReceived():
                self._see_page(event, is_its_own=is_its_own)
            case PageDisbelieved(query, number):
                self.seen.silence.disbelieve(query, number)
            case SourceChecked(answers=True):
                self.seen.silence.confirm()
            case DocumentReceived(document, requests) if requests and document.key in self._hits:
                self._see_document(event)

    def _see_page(self, event: PageReceived, *, is_its_own: bool) -> None:
        query, number, page = event.query, event.number, event.page
        self._hits |= {hit.key: hit for hit in page.hits}
        self.seen.passing.settled(page)
        if not query.required:
            self.seen.see_listed(page.keys)
        if number == 1 and is_its_own:
            self.seen.stand_ins.suspects(query, page)
        if page.hits and number == 1:
            self.seen.see_hits(query, page.keys)
        if event.requests:
            self.seen.silence.suspects(query, number, page)

    def _see_document(self, event: DocumentReceived) -> None:
        document = event.document
        if self._left:
            self.seen.watch.know(self._hits[document.key], document)
            self._left -= 1
        # Only a document with the same text as another can be a placeholder.
        same = self._texts.setdefault(hash(document.text), event)
        for each in (same, event) if same is not event else ():
            hit = self._hits[each.document.key]
            self.seen.placeholders.see(hit, each.document, each.document.url)


class Replayed(NamedTuple):
    """Results of earlier runs of a harvest: the ledger, and knowledge about the site."""

    ledger: Ledger
    site: Site


def replay(spec: Spec, store: Store) -> Replayed:
    """Read the journal once, and return its ledger and its site.

    Pages without hits are distrusted if the run was stopped before they were checked, and so are
    those that say that they are incomplete.
    """
    ledger, site = new_ledger(spec, store), Site(kept(store, "relearned_at", int) or 0)
    for event in store.events():
        ledger.tell(event)
        site.tell(event)
    again = [
        PageDisbelieved(*asked)
        for asked in dict.fromkeys([*ledger.failures.unproven, *ledger.failures.partial])
    ]
    for taken_back in again:
        ledger.tell(taken_back)
        site.tell(taken_back)
    if again:
        store.record(*again)
    site.seen.silence.confirm()  # the others were checked, or are distrusted
    return Replayed(ledger, site)


class ToRetry(NamedTuple):
    """Failed pages and documents: the arguments of `Engine.retry`."""

    searches: list[Search]
    hits: list[Hit]


def to_retry(store: Store, ledger: Ledger) -> ToRetry:
    """Return the failures of a harvest that may be retried."""
    failures = ledger.failures
    wanted = {key for key, event in failures.documents.items() if not event.forbidden}
    hits: dict[str, Hit] = {}
    for event in store.events():
        if isinstance(event, PageReceived):
            hits |= {hit.key: hit for hit in event.page.hits if hit.key in wanted}
    return ToRetry([Search(*asked) for asked in failures.pages], list(hits.values()))
