"""What the engine needs from a policy, and from the world."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from longline.events import AnyEvent, PageReceived, ResponseReceived
from longline.model import Document, Finish, Hit, Page, Query, Request, Response, Search


class Policy(Protocol):
    """Choose what comes next: sans I/O, without a clock, deterministic for a seed.

    The engine calls `next` once, carries out the action, calls `tell` for each thing
    that came of it, in order, and goes on until `next` returns a `Finish`.
    Resuming is replay: a fresh policy is told what the journal already holds.
    """

    def next(self) -> Search | Request | Finish:
        """Say what is wanted next: a result page, or any page at all."""

    def tell(self, event: AnyEvent) -> None:
        """Be told what came."""


class Fetcher(Protocol):
    """Send one HTTP request, politely."""

    async def fetch(self, request: Request) -> Response:
        """Return the final answer, after redirects and retries.

        Raises:
            InputError: A private address, or robots.txt disallows it.
            BudgetSpent: One more request would exceed the budget.
            UnreachableError: No answer, although retried.
            RefusedError: A final status of 400 or more, an answer too large, a redirect loop.
        """

    async def close(self) -> None:
        """Let go of connections."""


class SourceClient(Protocol):
    """Carry out a policy's wishes on one source: a web site, or a corpus in memory."""

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        """Return result page `number` of a query, and how many HTTP requests it cost.

        Args:
            query: What to ask for.
            number: Of the page, from 1.
            request: The `next` of page `number - 1`; None for page 1.

        Raises:
            As `Fetcher.fetch`; PageError when the answer cannot be read.
        """

    async def read(self, hit: Hit) -> tuple[Document, int]:
        """Return the document behind a hit, and how many HTTP requests it cost."""

    @property
    def is_proven(self) -> bool:
        """Whether the newest answers show by themselves that the source still answers."""

    async def check(self, *, documents: bool = False) -> bool:
        """Make sure that what was right before still is; False where nothing is known to be.

        Args:
            documents: Read a document again, rather than ask a query.

        Raises:
            SourceError: The source does not answer, or no longer as it did.
        """

    async def fetch(self, request: Request) -> Response:
        """Return the answer to a request as it is, as `Fetcher.fetch`."""

    async def close(self) -> None:
        """Let go of connections."""


class Store(Protocol):
    """Keep the journal and the documents. Whatever returned from `record` is kept for good."""

    def record(self, *events: AnyEvent) -> None:
        """Append events to the journal in one transaction; documents are kept by key.

        Raises:
            StorageError: The disk is full, or the store cannot be written.
        """

    def page(self, query: Query, number: int) -> PageReceived | None:
        """Return what the journal holds for a result page, the newest, or None.

        None too where it was disbelieved since.
        """

    def response(self, request: Request) -> ResponseReceived | None:
        """Return what the journal holds in answer to a request, the newest, or None."""

    def held(self, keys: Iterable[str]) -> dict[str, Document]:
        """Return those of some documents that are held, by key."""

    def documents(self) -> Iterator[Document]:
        """Every held document, in the order of arrival; withdrawn ones are not."""

    def events(self) -> Iterator[AnyEvent]:
        """The whole journal, in order."""

    def settings(self) -> dict[str, str]:
        """What `set_setting` kept."""

    def set_setting(self, name: str, value: str) -> None:
        """Keep a small fact about the harvest, e.g. its strategy."""

    def close(self) -> None:
        """Flush and let go."""
