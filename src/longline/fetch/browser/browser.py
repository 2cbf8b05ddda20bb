"""Pages as a browser shows them; all their requests are sent by the one HTTP client."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from longline.errors import RefusedError, SourceError, StoppedShort, UnreachableError
from longline.fetch.browser.chromium import Chromium
from longline.fetch.browser.held import Held, Whole
from longline.fetch.browser.visit import Settling, Visit
from longline.fetch.web import WebFetcher
from longline.model import Browsing, Request, Response

if TYPE_CHECKING:
    from playwright.async_api import Page

HELD_BYTES = 50_000_000
"""Maximum bytes of scripts in the cache, since most pages of a site use the same ones."""

OF_SITES = ("http://", "https://")
"""How URLs of sites' pages start; the browser's own error pages start differently."""

ACCEPT = ("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
"""The Accept header of browsers for a page: some sites send the page only with it."""

SHELLS = 8
"""Maximum cached pages for URLs that differ only in their fragments."""


class BrowserFetcher:
    """Fetch through another fetcher, and show pages in a browser if the request wants it.

    The browser itself connects to nothing: the fetcher sends whatever a page requests, so that
    robots.txt, the guard against private addresses, the pace, budgets, retries, time-outs and the
    size limit apply to every request, and each is counted. Images, fonts, media, style sheets and
    tracking are not requested, and a page whose URL differs from an earlier one only in its
    fragment is not requested again. The system's Chromium starts with the first page that needs it.

    Args:
        web: Sends every request.
        held: Cache of what pages load, shared with other fetchers of the same visitor.
        pages: Maximum pages shown at the same time.
        quiet_seconds: A page has settled after this time without requests and changes.
        settle_seconds: Maximum wait for that after the last answer.
        deadline_seconds: Maximum time for one page.

    Example:
        ```python
        fetcher = BrowserFetcher(WebFetcher(np.random.default_rng(0)))
        page = await fetcher.fetch(Request("https://shop.example/", browser=Browsing()))
        ```
    """

    def __init__(
        self,
        web: WebFetcher,
        *,
        held: Held | None = None,
        pages: int = 2,
        quiet_seconds: float = 0.4,
        settle_seconds: float = 5.0,
        deadline_seconds: float = 120.0,
    ) -> None:
        self._web = web
        self._chromium = Chromium(web.user_agent)
        self._slots = asyncio.Semaphore(pages)
        self._quiet_seconds = quiet_seconds
        self._settle_seconds = settle_seconds
        self._deadline_seconds = deadline_seconds
        self._most_bytes = web.most_bytes
        self._held = held or Held()
        self._shells: dict[Request, Whole] = {}

    async def fetch(self, request: Request) -> Response:
        """Return the final answer; the body of a shown page is its markup once it has settled.

        An answer that is not HTML is returned unchanged.

        Raises:
            InputError: As `WebFetcher.fetch`; or the extra or a Chromium is missing.
            StoppedShort, UnreachableError, RefusedError: As `WebFetcher.fetch`.
        """
        if request.browser is None:
            return await self._web.fetch(request)
        async with self._slots:
            return await self._show(request, request.browser)

    async def close(self) -> None:
        """End the browser, and close connections."""
        await self._chromium.close()
        await self._web.close()

    async def _show(self, request: Request, browsing: Browsing) -> Response:
        address, mark, fragment = request.url.partition("#")
        named = {name.lower() for name, _ in request.headers}
        sent = request.headers if "accept" in named else (*request.headers, ACCEPT)
        plain = msgspec.structs.replace(request, url=address, headers=sent, browser=None)
        document, headers = await self._document(
            plain, has_fragment=bool(fragment), is_typed_into=bool(browsing.box)
        )
        if not _is_html(document):
            return document
        visit: Visit | None = None
        try:
            page = await self._chromium.page()
            visit = Visit(
                page,
                (document, headers),
                self._web,
                held=self._held,
                browsing=browsing,
                settling=Settling(self._quiet_seconds, self._settle_seconds),
            )
            settled = await self._settled(visit, page, document.url + mark + fragment)
            return msgspec.structs.replace(settled, headers=document.headers)
        except (SourceError, StoppedShort) as error:
            error.requests = visit.requests if visit else document.requests
            raise
        finally:
            self._let_go()

    async def _document(
        self, request: Request, *, has_fragment: bool, is_typed_into: bool
    ) -> Whole:
        """Return the answer for a page's URL, if possible from the cache.

        Pages that differ only in their fragments are fetched once; pages that differ in the typed
        words, once in a while.
        """
        held = self._shells.get(request) if has_fragment else None
        if held is None and is_typed_into:
            held = self._held.get(request)
        if held is not None:
            return held
        response, headers = await self._web.fetch_whole(request)
        self._held.keep(request, (response, headers))
        if has_fragment:
            self._shells[request] = (msgspec.structs.replace(response, requests=0), headers)
            while len(self._shells) > SHELLS:
                self._shells.pop(next(iter(self._shells)))
        return response, headers

    async def _settled(self, visit: Visit, page: Page, url: str) -> Response:
        from playwright.async_api import Error

        try:
            async with asyncio.timeout(self._deadline_seconds):
                shown, markup = await visit.show(url)
        except TimeoutError:
            still = "changing"
            if visit.asked_most:
                still = f"asking for {visit.asked_most}, as over a connection that stays open,"
            raise UnreachableError(
                f"{url} was still {still} after {self._deadline_seconds:g} s",
                advice="open the URL in a browser; it may never stop changing",
            ) from None
        except Error as error:
            raise RefusedError(
                f"the browser cannot show {url}: {error.message.splitlines()[0]}",
                advice="open the URL in a browser",
                url=url,
            ) from None
        finally:
            await page.close()
        if not shown.startswith(OF_SITES):
            raise UnreachableError(
                f"{url} led the browser to no page of a site, but to {shown[:80]}",
                advice="open the URL in a browser",
            )
        body = markup.encode("utf-8", "surrogatepass")
        if len(body) > self._most_bytes:
            raise RefusedError(
                f"{url} has grown to {len(body):,} bytes, more than the {self._most_bytes:,} "
                "bytes allowed",
                advice="if it is what you want, --max-body-bytes allows more",
                url=url,
                status=200,
            )
        return Response(
            url=shown,
            status=200,
            content_type="text/html; charset=utf-8",
            body=body,
            requests=visit.requests,
            sent=tuple(visit.sent),
        )

    def _let_go(self) -> None:
        """Remove the oldest scripts if the cache is too large."""
        kept = sum(len(response.body) for response, _ in self._held.scripts.values())
        while kept > HELD_BYTES:
            response, _ = self._held.scripts.pop(next(iter(self._held.scripts)))
            kept -= len(response.body)


def _is_html(response: Response) -> bool:
    kind = response.content_type.partition(";")[0].strip().lower()
    return kind in ("", "text/html", "application/xhtml+xml") and bool(response.body.strip())
