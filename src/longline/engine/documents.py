"""Read the documents of a result page, several at a time, and each only once."""

import asyncio
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

import msgspec

from longline.engine.asker import spending
from longline.engine.files import BesideTexts, Files, files_of, left_out, told_by_file
from longline.engine.patience import Patience
from longline.engine.settings import MOST_FAILURES, Callbacks, RunLimits
from longline.errors import (
    AddressError,
    FileError,
    NoTextError,
    PageError,
    PlaceholderError,
    PrivateAddressError,
    RefusedError,
    RobotsError,
    SourceError,
    StoppedShort,
    StrangerError,
    UnreachableError,
)
from longline.events import (
    DocumentFailed,
    DocumentReceived,
    DocumentWithdrawn,
    LinkDropped,
    RequestFailed,
)
from longline.ledger import Ledger
from longline.model import Document, Hit, Request
from longline.ports import SourceClient, Store

Unanswered = (UnreachableError, RefusedError, PageError)
"""Failures of one request that a harvest survives, unless there are many in a row."""

Forbidden = (RobotsError, PrivateAddressError, AddressError)
"""Errors that exclude a single page, while the harvest continues."""

PASSING = {403, 408, 425, 429}
"""Statuses below 500 that may be temporary."""

AT_ONCE = 10
"""So many linked pages are read before they are judged."""

LEAST_DOCUMENTS = 0.5
"""Minimum share of documents among these; otherwise no more are read."""

DEPTH = 3
"""Links are followed from saved pages, from the pages these link to, and so on, so many times: a
calendar may link to a next page without end."""

Outcome = DocumentReceived | DocumentFailed


class Documents:
    """Get documents from the store, from their listing, or from their own pages.

    Args:
        enter: Adds new events to the ledger and the journal, as one.
        limits: The limits of the run.
        callbacks: Used to identify languages, to wait before a request, and to save files.

    Attributes:
        skipped: Hits of documents that failed and are worth a retry at the end.
    """

    def __init__(
        self,
        client: SourceClient,
        store: Store,
        ledger: Ledger,
        enter: Callable[..., object],
        limits: RunLimits,
        callbacks: Callbacks,
    ) -> None:
        self._client = client
        self._store = store
        self._ledger = ledger
        self._enter = enter
        self._limits = limits
        self._identify = callbacks.identify
        self._may_ask = callbacks.may_ask
        self._new_links = callbacks.new_links
        self._files = None if callbacks.keep is None else Files(client, callbacks.keep)
        self._beside = BesideTexts()
        self._slots = asyncio.Semaphore(limits.concurrency)
        self._patience = Patience(
            client,
            documents=True,
            most=MOST_FAILURES,
            outlast=callbacks.outlast,
            holds_any=lambda: ledger.documents > 0,
        )
        self.skipped: dict[str, Hit] = {}
        self._ended_by: SourceError | StoppedShort | None = None
        self._earlier = set(ledger.failures.documents)  # documents that failed in earlier runs
        self._has_read = ledger.document_pages > ledger.texts.other_layouts

    async def get(
        self, hits: Iterable[Hit], *, again: bool = False
    ) -> list[Outcome | BaseException]:
        """Return the result for each hit, in order: its document, its failure, or a final error.

        Args:
            hits: Hits of different documents.
            again: Whether to request documents that failed before.
        """
        self._ended_by = None
        hits = [self._as_kept(hit) for hit in hits]
        held = self._store.held(hit.key for hit in hits if hit.key in self._ledger.held)
        known = [self._known(hit, held.get(hit.key), again=again) for hit in hits]
        asked = (
            self._asked(hit, held.get(hit.key))
            for hit, found in zip(hits, known, strict=True)
            if found is None
        )
        listed = {
            found.document.key: found
            for found in known
            if isinstance(found, DocumentReceived) and found.document.key not in self._ledger.held
        }
        if listed:
            self._enter(*listed.values())
        came = iter(await asyncio.gather(*asked, return_exceptions=True))
        return [next(came) if found is None else found for found in known]

    def _as_kept(self, hit: Hit) -> Hit:
        kept = self._ledger.kept_as(hit.key)
        return hit if kept == hit.key else msgspec.structs.replace(hit, key=kept)

    def _known(self, hit: Hit, held: Document | None, *, again: bool) -> Outcome | None:
        """Return what is held, has failed, or is listed; None if it must be requested."""
        if held is not None:
            return None if self._lacks_files(held) else DocumentReceived(held, requests=0)
        failed = self._ledger.failures.documents.get(hit.key)
        is_file = failed is not None and failed.media_type != ""
        if failed is not None and not again and not (is_file and self._files):
            self._put_off(hit, failed)
            return failed
        if self._is_listed(hit) and not self._names_files(hit):
            return DocumentReceived(self._noted(_listed(hit)), requests=0)
        return None

    def _lacks_files(self, held: Document) -> bool:
        """Return whether a document names files and was read in a run that kept none."""
        if self._files is None or self._limits.listing_only:
            return False
        return self._files.are_lacking(held)

    async def follow_links(self) -> None:
        """Get the documents that saved pages link to, and that no search showed.

        They are the pages with addresses like those of documents, if they have a text of their own.
        It ends when fewer than half of some pages are documents, and after links of linked pages.

        Raises:
            StoppedShort, SourceError: As `get`.
        """
        tried = set[str]()
        for _ in range(DEPTH):
            pages = [url for url in self._ledger.linked.not_held() if url not in tried]
            for start in range(step := -(-len(pages) // AT_ONCE) or 1):
                some = pages[start::step]
                most = self._limits.max_documents
                if most is not None and self._ledger.documents + len(some) > most:
                    return
                tried.update(some)
                before = self._ledger.linked.saved
                came = await asyncio.gather(*map(self._linked, some), return_exceptions=True)
                for error in came:
                    if error is not None:
                        raise error
                if self._ledger.linked.saved - before < LEAST_DOCUMENTS * len(some):
                    return

    async def _linked(self, url: str) -> None:
        """Get a linked page, and keep it if it is a document with a text of its own."""
        hit = Hit(url, url)
        async with self._slots:
            await self._may_ask(hit)
            try:
                document, requests, lacking = await self._got(hit, None)
                if lacking is not None:
                    raise lacking
            except (*Forbidden, *Unanswered) as error:
                self._enter(LinkDropped(url, str(error), getattr(error, "requests", 0)))
                return
        if not document.text or self._ledger.texts.has(document.text):
            what = "it has the text of a saved document" if document.text else "it has no text"
            self._enter(LinkDropped(url, what, requests))
            return
        links = self._new_links()
        document = self._noted(document)
        self._enter(DocumentReceived(document, requests, links=links, is_linked=True))

    async def _asked(self, hit: Hit, held: Document | None) -> Outcome:
        async with self._slots:
            if self._ended_by is not None:
                raise self._ended_by  # waiting documents are not requested any more
            try:
                await self._may_ask(hit)
                return await self._read(hit, held)
            except (SourceError, StoppedShort) as error:
                self._ended_by = error
                raise

    def _is_listed(self, hit: Hit) -> bool:
        """Return whether the listing is all that is needed of a document."""
        return hit.text is not None or self._limits.listing_only

    def _names_files(self, hit: Hit) -> bool:
        is_wanted = self._files is not None and not self._limits.listing_only
        return is_wanted and any(files_of(_listed(hit)))

    async def _got(
        self, hit: Hit, held: Document | None
    ) -> tuple[Document, int, NoTextError | None]:
        """Return a document with its files, and the number of HTTP requests for both.

        The third is an error if its page has another layout than the spec expects.
        """
        if held is not None and self._files is not None:
            return *await self._files.linked(held, is_read=True), None
        is_listed, lacking = self._is_listed(hit), None
        try:
            document, requests = (_listed(hit), 0) if is_listed else await self._client.read(hit)
            document = self._beside.own(document)
        except NoTextError as error:
            if error.document is None or not self._has_read:
                raise
            document, requests, lacking = error.document, error.requests, error
        except FileError as error:
            if self._files is None:
                told = await asyncio.to_thread(told_by_file, error.hit, error.response)
                if told is None:
                    raise
                return told, error.requests, None
            document = await self._files.document(error.hit, error.response)
            requests = error.requests
        if self._files is not None and not self._limits.listing_only:
            with spending(requests):
                document, more = await self._files.linked(document, is_read=requests > 0)
            return document, requests + more, lacking
        return left_out(document), requests, lacking

    async def _read(self, hit: Hit, held: Document | None) -> Outcome:
        try:
            document, requests, lacking = await self._got(hit, held)
        except Forbidden as error:
            event = DocumentFailed(hit.key, hit.url, str(error), forbidden=True, passing=False)
            self._enter(event)
            return event
        except StoppedShort as error:
            if error.requests and held is not None:
                self._enter(DocumentReceived(held, error.requests))
            elif error.requests:
                self._enter(RequestFailed(Request(hit.url), str(error), error.requests))
            raise
        except Unanswered as error:
            return await self._fail(hit, error)
        received = DocumentReceived(
            self._noted(document),
            requests,
            links=self._new_links(),
            other_layout=lacking is not None,
        )
        self._enter(received)
        if lacking is None:
            self._has_read = self._has_read or requests > 0
            self._patience.succeed()
        else:
            await self._patience.bear(lacking)
        return received

    async def _fail(self, hit: Hit, error: SourceError) -> DocumentFailed:
        page = error.page if isinstance(error, PlaceholderError) else ""
        failed = DocumentFailed(
            hit.key,
            hit.url,
            str(error),
            error.requests,
            status=error.status if isinstance(error, RefusedError) else None,
            placeholder=page,
            passing=_is_passing(error),
            media_type=error.media_type if isinstance(error, FileError) else "",
        )
        self._enter(failed)
        if isinstance(error, PlaceholderError):
            self._withdraw(error)
        else:
            self._earlier.discard(hit.key)
            self._put_off(hit, failed)
        if isinstance(error, FileError):  # the source answered correctly
            self._patience.succeed()
        elif not _is_elsewhere(hit, error):
            await self._patience.bear(error)
        return failed

    def _withdraw(self, error: PlaceholderError) -> None:
        """Remove the documents that were wrongly read from the same placeholder page."""
        held = self._store.held(error.earlier)
        for key in error.earlier:
            if key in held:
                self._enter(DocumentWithdrawn(key, held[key].url, error.message, error.page))

    def _put_off(self, hit: Hit, failed: DocumentFailed) -> None:
        is_worth_it = failed.passing or (hit.key in self._earlier and not failed.is_gone)
        if is_worth_it or (self._limits.retries_all and not failed.forbidden):
            self.skipped[hit.key] = hit

    def _noted(self, document: Document) -> Document:
        """Return a document with its language, if that can be identified."""
        language = document.language or self._identify(document.text)
        return msgspec.structs.replace(document, language=language)


def _listed(hit: Hit) -> Document:
    """Return the document as shown by its listing."""
    text = hit.snippet if hit.text is None else hit.text
    return Document(hit.key, hit.url, hit.title, text, hit.language, hit.fields)


def _is_elsewhere(hit: Hit, error: SourceError) -> bool:
    """Return whether another host does not answer, to which a document's address redirects."""
    host = error.host if isinstance(error, UnreachableError) else ""
    return host not in ("", urlsplit(hit.url).hostname)


def _is_passing(error: SourceError) -> bool:
    """Return whether a retry may succeed."""
    if isinstance(error, RefusedError):
        return error.status is None or error.status >= 500 or error.status in PASSING
    if isinstance(error, NoTextError):  # once a page has its text where the spec expects it
        return error.document is not None
    return isinstance(error, UnreachableError | StrangerError)
