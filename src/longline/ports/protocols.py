"""Interfaces the engine needs from a policy, and from the world."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from longline.events import AnyEvent, PageReceived, ResponseReceived
from longline.model import Document, Finish, Hit, Page, Query, Request, Response, Search


class Policy(Protocol):
    """Chooses what comes next: without I/O or a clock, deterministic for a seed.

    The engine calls `next` once, executes the action, calls `tell` for each result, in order, and
    repeats this until `next` returns a `Finish`. To resume, the journal is replayed: a new policy
    receives its events.
    """

    def next(self) -> Search | Request | Finish:
        """Return what is wanted next: a result page, or any page at all."""

    def tell(self, event: AnyEvent) -> None:
        """Receive an event."""


class Fetcher(Protocol):
    """Sends one HTTP request, politely."""

    async def fetch(self, request: Request) -> Response:
        """Return the final answer, after redirects and retries.

        Raises:
            InputError: A private address, or robots.txt disallows it.
            BudgetSpent: One more request would exceed the budget.
            UnreachableError: No answer after all retries.
            RefusedError: A final status of 400 or more, an answer too large, a redirect loop.
        """

    async def close(self) -> None:
        """Close connections."""


class SourceClient(Protocol):
    """Executes a policy's actions on one source: a web site, or a corpus in memory."""

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        """Return result page `number` of a query, and how many HTTP requests it cost.

        Args:
            query: The query.
            number: Number of the page, from 1.
            request: The `next` of page `number - 1`; None for page 1.

        Raises:
            As `Fetcher.fetch`; PageError if the answer cannot be read.
        """

    async def read(self, hit: Hit) -> tuple[Document, int]:
        """Return the document of a hit, and how many HTTP requests it cost."""

    @property
    def is_proven(self) -> bool:
        """Whether the newest answers alone prove that the source still answers."""

    async def check(self, *, documents: bool = False) -> bool:
        """Check that an earlier correct answer is still correct; return False if none is known.

        Args:
            documents: Read a document again, instead of repeating a query.

        Raises:
            SourceError: The source does not answer, or differently from before.
        """

    async def fetch(self, request: Request) -> Response:
        """Return the raw answer to a request, as `Fetcher.fetch`."""

    async def close(self) -> None:
        """Close connections."""


class Store(Protocol):
    """Stores the journal and the documents. Once `record` returns, its events are safe."""

    def record(self, *events: AnyEvent) -> None:
        """Append events to the journal in one transaction; documents are stored by key.

        Raises:
            StorageError: The disk is full, or the store cannot be written.
        """

    def page(self, query: Query, number: int) -> PageReceived | None:
        """Return the newest event of a result page, or None if none, or if it is distrusted."""

    def response(self, request: Request) -> ResponseReceived | None:
        """Return the newest answer to a request in the journal, or None."""

    def held(self, keys: Iterable[str]) -> dict[str, Document]:
        """Return which of some documents are held, by key."""

    def documents(self) -> Iterator[Document]:
        """Return every held document, in the order of arrival, without withdrawn ones."""

    def events(self) -> Iterator[AnyEvent]:
        """Return the complete journal, in order."""

    def settings(self) -> dict[str, str]:
        """Return the settings that `set_setting` stored."""

    def set_setting(self, name: str, value: str) -> None:
        """Store a small fact about the harvest, e.g. its strategy."""

    def close(self) -> None:
        """Flush and close."""
