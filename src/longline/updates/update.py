"""Harvest a source again for what is new, changed and gone since the previous harvest.

An update is a separate harvest, in a folder inside that of the previous one. It does not read a
document again if its row looks as before, unless the site's sitemap or feed reports a change.
Documents that no search shows any more are requested by their own URL, or by the search that showed
them. Documents that the source calls gone are gone; those that could not be requested are kept
unchanged, and listed. When all is done, the update replaces the previous harvest, which is kept.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from longline.engine import Engine, ReusingClient
from longline.errors import InputError, SourceError, option
from longline.estimate import Catch, dated
from longline.events import (
    DocumentGone,
    DocumentReceived,
    DocumentUnchecked,
    PageReceived,
    SameDocument,
    UpdateCounts,
    Updated,
)
from longline.harvester import (
    HarvestRun,
    Limits,
    Listeners,
    Running,
    Standing,
    begin_beside,
    check_harvest,
    field_names,
    held,
    is_harvest,
    limits_of_update,
    settings_of,
    spec_of_folder,
)
from longline.ledger import Ledger
from longline.model import Document, Hit, Query, Search
from longline.outcomes import Ending
from longline.planner.again import AskAgain, InTurn, NewestFirst, worth_asking
from longline.ports import Policy, Searchable, SourceClient
from longline.source import canonical, newest_first, without_parts
from longline.store import TableStore
from longline.updates.changes import beside, kind_of, shared_fields
from longline.updates.dates import ChangedSince, read_dates
from longline.updates.earlier import Earlier
from longline.updates.history import UNDER_WAY, follow, take_over
from longline.updates.kept import WhyKept, is_unreadable
from longline.updates.moved import NewByText

MOST_GONE = 0.2
"""If a larger share of the previous harvest's documents seems to be gone, none counts as gone: the
source has probably lost a part of its index, or renamed its documents."""

LEAST_GONE = 20
"""Up to this many documents may be gone, whatever their share."""

ONLY_NEW = "only new documents were asked for"

MOST_PAGES = 100
"""Maximum number of pages of a query that is read to its end to see if a document is gone."""

TOO_MANY = (
    "too many seem to be gone at once, as in an outage; update again later, or with --accept-gone "
    "if they are gone"
)
SHORTENED = (
    "most texts that changed are less than half as long, so the source may show only a part; "
    "update again later, or with --accept-gone if they are so now"
)
LEAST_SHORTENED = 3
"""With fewer texts than this that are less than half as long as before, these are changes."""


class UpdateOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How an update looks for what is new.

    Attributes:
        only_new: Only read the list of the newest documents, until known ones appear; the source
            must have such a list (`ask.newest` in its spec).
        anew: Choose all searches again. Otherwise a source without exact totals gets the cheapest
            searches that showed its documents before: about half the requests.
        reread: Share of documents that are read again although their rows look as before, to
            measure what is missed.
        accept_gone: Accept that documents are gone, however many, and that most changed texts are
            less than half as long.
        finish: End an interrupted update as it is; what it did not request stays as it was.
    """

    only_new: bool = False
    anew: bool = False
    reread: float = 0.02
    accept_gone: bool = False
    finish: bool = False


class UpdateRun:
    """Update a harvest; if interrupted, the next run continues.

    Args:
        folder: The harvest's folder.
        limits: The limits of this run.
        options: How it looks for what is new.
        source: The object that answers, if a program passes one.

    Raises:
        FolderError: There is no harvest in the folder.
        InputError: An option is invalid, or only new documents are wanted from a source that does
            not list them first.
    """

    def __init__(
        self,
        folder: Path,
        limits: Limits,
        options: UpdateOptions = UpdateOptions(),
        source: Searchable | None = None,
    ) -> None:
        check_harvest(folder)
        if not 0 <= options.reread <= 1:
            raise InputError(
                f"{option('reread')} is {options.reread}, which is not a share",
                advice="give a number from 0 to 1, like .02",
            )
        self.folder = folder
        self._limits = limits
        self._options = options
        self._source = source

    async def run(self, listeners: Listeners = Listeners()) -> Path:
        """Harvest, compare, and replace the previous harvest by the update.

        Returns:
            The folder; or, if a budget, a person or the source interrupted the update, the folder
            of the update in progress: then the previous harvest is unchanged.

        Raises:
            As `HarvestRun.run`.
        """
        with held(self.folder):
            begin_beside(self.folder, self.folder / UNDER_WAY)
            with closing(Earlier(self.folder)) as earlier:
                again = _Again(self.folder, self._limits, self._options, earlier, self._source)
                try:
                    await again.run(listeners)
                except SourceError as error:
                    if error.ending.outcome == "failed":  # it was answered before
                        error.ending = Ending("changed")
                    raise
            if not again.is_done:
                return again.folder
            take_over(self.folder)
        return self.folder


class _Again(HarvestRun):
    """The harvest that an update runs."""

    def __init__(
        self,
        folder: Path,
        limits: Limits,
        options: UpdateOptions,
        earlier: Earlier,
        source: Searchable | None,
    ) -> None:
        spec = spec_of_folder(folder)
        if options.only_new:
            spec = newest_first(spec)
            limits = msgspec.structs.replace(limits, estimate=False)
        begun = folder / UNDER_WAY
        follow(begun, spec)
        limits = limits_of_update(folder, begun, limits)
        super().__init__(begun, spec, settings_of(folder, None), limits, source=source)
        self._files_in = folder  # shared by all its harvests, named by hash
        self._steered_in = folder
        self._earlier = earlier
        self._how = options
        self._reads_all = False
        self._changed = ChangedSince([], 0)
        self.is_done = False

    _is_update = True

    _reads_few = True

    def _named(self) -> Standing:
        return msgspec.structs.replace(super()._named(), kept=len(self._earlier.keys))

    def _wrapped(self, client: SourceClient) -> SourceClient:
        async def prepare() -> int:
            if not self._has_pages or self._source is not None or self._how.only_new:
                return 0
            dated, requests = await read_dates(self.spec.source.url, client.fetch)
            self._changed = ChangedSince(dated, self._earlier.ended_at)
            return requests

        return ReusingClient(client, self._known, prepare, lambda key: key in self._earlier)

    def _known(self, hit: Hit) -> Document | None:
        """Return a document as it was, or None if its row differs or it must be read again."""
        is_known = hit.key in self._earlier and self._earlier.rows.are_same(hit)
        is_wanted = self._reads_all or self._changed.has(hit.url) or self._is_drawn(hit.key)
        if is_wanted or not is_known:
            return None
        return self._earlier.document(hit.key)

    def _is_drawn(self, key: str) -> bool:
        """Return whether a document is read again although its row looks as before."""
        # Different documents in each update, but the same ones when it continues.
        drawn = f"{self.settings.seed}:{self._earlier.ended_at}:{key}"
        digest = hashlib.blake2b(drawn.encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big") < self._how.reread * 2**64

    def _planner(self, size: int | None) -> Policy:
        was_complete = self._earlier.was_complete
        if self._how.only_new:
            return NewestFirst(frozenset(self._earlier.keys), was_complete=was_complete)
        if self._how.anew or self._earlier.has_totals or not self.spec.ask.takes_words:
            planner = super()._planner(size)
        else:
            queries = worth_asking(self._earlier.shown, set(self._earlier.keys), self._rng())
            planner = AskAgain(queries, was_complete=was_complete)
        return planner if self._has_pages else InTurn(planner, self._ask_for_unseen)

    def _ask_for_unseen(self) -> AskAgain:
        """Return a policy for the smallest searches that showed the unseen documents before."""
        found_by = map(self._earlier.smallest_answer, self._unseen())
        return AskAgain(list(dict.fromkeys(query for query in found_by if query is not None)))

    @property
    def _has_pages(self) -> bool:
        """Whether documents can be requested one by one."""
        if self.settings.listing_only or self._earlier.lists_texts:
            return False
        return self._source is not None or self.spec.document is not None

    def _unseen(self) -> list[str]:
        return [key for key in self._earlier.keys if key not in self._ledger.held]

    def _check_is_allowed(self) -> None:
        if not (self._how.finish and is_harvest(self.folder)):  # else nothing is requested
            super()._check_is_allowed()

    def _has_to_end(self, ledger: Ledger) -> bool:
        return self._how.finish and ledger.requests > 0

    async def _afterwards(self, running: Running, store: TableStore, ledger: Ledger) -> None:
        """Request documents that no search showed, and enter a comparison with the old harvest."""
        engine = running.engine
        if ledger.stopped.ending.is_done and self._has_pages and not self._how.only_new:
            self._reads_all = True
            ignores = self.spec.results.key_ignores
            self._seen.moved_to = {
                without_parts(canonical(document.url), ignores): document.key
                for document, before in beside(store.documents(), self._earlier.store)
                if before is None and document.url
            }
            failed = ledger.failures.documents
            unseen = (self._earlier.document(key) for key in self._unseen() if key not in failed)
            await engine.retry([], [_as_hit(document) for document in unseen])
            # Some sites show a page without the document instead of a 404.
            keys = [key for key in self._unseen() if is_unreadable(failed.get(key))]
            for query in dict.fromkeys(map(self._earlier.smallest_answer, keys)):
                if query is not None and ledger.stopped.ending.is_done:
                    await _read_whole(query, engine, store)
        if not (ledger.stopped.ending.is_done or self._how.finish):
            return
        stopped, compared = ledger.stopped, list(self._compared(store, ledger))
        missed = () if self._how.only_new else (DocumentGone, DocumentUnchecked, SameDocument)
        for first in (each for each in compared if isinstance(each, missed)):
            engine.enter(first)
        stopped = running.judged_again(stopped)
        for event in (each for each in compared if not isinstance(each, missed)):
            engine.enter(event)
        engine.enter(stopped)
        self.is_done = True

    def _compared(
        self, store: TableStore, ledger: Ledger
    ) -> Iterator[DocumentReceived | DocumentGone | DocumentUnchecked | SameDocument | Updated]:
        """Yield the fate of unseen documents, and finally the counts."""
        shown, reread = self._shown(store)
        counts: Counter[str] = Counter()
        shortened: list[str] = []
        new = NewByText()
        fields = shared_fields(self._earlier.field_names, field_names(store))
        for document, before in beside(store.documents(), self._earlier.store):
            kind = "new" if before is None else kind_of(before, document, self.settings, fields)
            counts[kind] += 1
            if before is None:
                new.see(document)
            counts["reread_changed"] += kind == "changed" and document.key in reread
            if before is not None and 2 * len(document.text) < len(before.text):
                shortened.append(document.key)
        why = WhyKept(self._earlier, ledger, shown.keys, has_pages=self._has_pages)
        names_all = self.spec.ask.lists == "all"
        reasons = {
            key: ONLY_NEW if self._how.only_new else why.of(key, names_all=names_all)
            for key in self._unseen()
        }
        for key in [key for key, reason in reasons.items() if why.may_have_moved(key, reason)]:
            kept = new.take(self._earlier.document(key))
            if kept is not None and not self.settings.listing_only:  # rows prove no move
                del reasons[key]
                counts.update(moved=1, new=-1)
                yield SameDocument(key, kept)
        gone = [key for key, reason in reasons.items() if not reason]
        if self._are_too_many(len(gone)):
            reasons |= dict.fromkeys(gone, TOO_MANY)
        is_usual = len(shortened) < LEAST_SHORTENED or 2 * len(shortened) <= counts["changed"]
        if not (is_usual or self._how.accept_gone):
            reasons |= dict.fromkeys(shortened, SHORTENED)
            counts["changed"] -= len(shortened)
        for key, reason in reasons.items():
            document = self._earlier.document(key)
            if reason:
                yield DocumentReceived(document, requests=0)
                yield DocumentUnchecked(key, document.url, reason)
            else:
                yield DocumentGone(key, document.url, "the source does not have it any more")
        unchecked = sum(map(bool, reasons.values()))
        result = UpdateCounts(
            since=datetime.fromtimestamp(self._earlier.ended_at, UTC).isoformat(timespec="seconds"),
            new=counts["new"],
            changed=counts["changed"],
            unchanged=counts["unchanged"],
            moved=counts["moved"],
            gone=len(reasons) - unchecked,
            unchecked=unchecked,
            reread=len(reread),
            reread_changed=counts["reread_changed"],
        )
        size = None if self._how.only_new else dated([*self._earlier.catches, shown])
        yield Updated(counts=result, size=size)

    def _shown(self, store: TableStore) -> tuple[Catch, set[str]]:
        """Return the documents this harvest's searches showed, and the keys of the re-read ones.

        The latter are documents whose rows look as before.
        """
        hits = (
            h for each in store.events() if isinstance(each, PageReceived) for h in each.page.hits
        )
        earlier, keys, reread = self._earlier, set[str](), set[str]()
        for hit in hits:
            keys.add(hit.key)
            if self._has_pages and hit.key in earlier and self._is_drawn(hit.key):
                reread.update({hit.key} if earlier.rows.are_same(hit) else ())
        return Catch(store.span()[1], keys), reread

    def _are_too_many(self, gone: int) -> bool:
        is_few = gone <= max(LEAST_GONE, MOST_GONE * len(self._earlier))
        return not (self._how.accept_gone or is_few)


async def _read_whole(query: Query, engine: Engine, store: TableStore) -> None:
    """Request the pages of a query that were not requested yet."""
    for number in range(1, MOST_PAGES + 1):
        if store.page(query, number) is None:
            await engine.retry([Search(query, number)], [])
        received = store.page(query, number)
        if received is None or received.page.next is None:
            return


def _as_hit(document: Document) -> Hit:
    """Return a row for a document; it has the data that its page does not give."""
    return Hit(document.key, document.url, document.title, fields=document.fields)
