"""A client for sources that are implemented by a Python class."""

import asyncio
import inspect
import time
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from longline.errors import ChangedError, LonglineError, PageError, RefusedError, UnreachableError
from longline.model import Document, Hit, Page, Query, Request, Response
from longline.model.fields import as_fields
from longline.ports import Searchable

Kept = TypeVar("Kept", Hit, Document)


class ClassClient:
    """Search by calling the methods of an object.

    Implements `longline.ports.SourceClient`.

    Args:
        source: The object.
        on_send: Called before each call; an exception from it prevents the call.
        rate: The most calls per second; None for no pause.
        timeout: The most seconds that a coroutine may take; None for no limit.
    """

    def __init__(
        self,
        source: Searchable,
        *,
        on_send: Callable[[], object] = lambda: None,
        rate: float | None = None,
        timeout: float | None = None,
    ) -> None:
        self._source = source
        self._on_send = on_send
        self._pause = 0.0 if rate is None else 1 / rate
        self._timeout = timeout
        self._turn = asyncio.Lock()
        self._free_at = 0.0
        self._had_hits: Query | None = None
        self.is_proven = True

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        """Return result page `number` of a query, for one request.

        Raises:
            PageError: The class failed, or returned no page.
            UnreachableError: The source does not answer.
        """
        page = await self._call("search", Page, query, number)
        page = msgspec.structs.replace(page, hits=tuple(map(self._checked, page.hits)))
        self.is_proven = bool(page.hits)
        if page.hits and number == 1:
            self._had_hits = query
        return page, 1

    async def read(self, hit: Hit) -> tuple[Document, int]:
        """Return the document of a hit, for one request; raises as `search`.

        Raises:
            RefusedError: The class raised `LookupError` itself: there is no such document.
        """
        found = self._checked(await self._call("read", Document, hit))
        return msgspec.structs.replace(found, fields=hit.fields | found.fields), 1

    async def check(self, *, documents: bool = False) -> bool:
        """Send a query again that had hits; return False if none had any yet.

        Raises:
            ChangedError: It has none any more.
        """
        if self._had_hits is None:
            return False
        page, _ = await self.search(self._had_hits, 1, None)
        if not page.hits:
            raise ChangedError(
                f"{str(self._had_hits)!r} had results before, and {self._source.name} gives none",
                advice="run it again later to continue",
            )
        return True

    async def fetch(self, request: Request) -> Response:
        """Raise an error: this source has only result pages.

        Raises:
            RefusedError: Always.
        """
        raise RefusedError(f"{request.url} is no page of this source", advice="search it")

    async def close(self) -> None:
        """Call the source's `close`."""
        done = self._source.close()
        if inspect.isawaitable(done):
            await done

    def _checked(self, found: Kept) -> Kept:
        """Return a hit or a document with its fields in the form in which they are saved.

        Raises:
            PageError: A field has a reserved name.
        """
        try:
            return msgspec.structs.replace(found, fields=as_fields(found.fields))
        except (ValueError, AttributeError) as error:
            raise PageError(
                f"{type(self._source).__name__} gave {found.key!r} fields that cannot be: {error}",
                advice="repair the class",
            ) from error

    async def _call(self, name: str, kind: type[Any], *arguments: object) -> Any:
        """Call a method at its turn, and check the type of its result."""
        method = getattr(self._source, name)
        where = f"{type(self._source).__name__}.{name}"
        async with self._turn:
            await asyncio.sleep(max(0.0, self._free_at - time.monotonic()))
            self._on_send()
            self._free_at = time.monotonic() + self._pause
        try:
            async with asyncio.timeout(self._timeout):
                if inspect.iscoroutinefunction(method):
                    found = await method(*arguments)
                else:
                    found = await asyncio.to_thread(method, *arguments)
        except LonglineError:
            raise
        except OSError as error:  # includes timeouts
            problem = str(error) or f"nothing came for {self._timeout:g} s"
            raise UnreachableError(
                f"{where} has no answer: {problem}", advice="try later"
            ) from error
        except Exception as error:
            # A KeyError or an IndexError is more likely a bug in the class.
            if name == "read" and type(error) is LookupError:
                raise RefusedError(f"{where} has no such document: {error}", status=404) from error
            raise PageError(
                f"{where} failed: {type(error).__name__}: {error}", advice="repair the class"
            ) from error
        if not isinstance(found, kind):
            raise PageError(
                f"{where} gave {type(found).__name__}, not {kind.__name__}",
                advice=f"return a longline.extend.{kind.__name__}",
            )
        return found
