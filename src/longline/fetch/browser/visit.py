"""One page in a browser: answer its requests, wait until its scripts have settled, type."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from longline.errors import InputError, RefusedError, RobotsError, SourceError, StoppedShort
from longline.fetch.browser.chromium import locator_of
from longline.fetch.browser.held import Held, Whole
from longline.fetch.web import WebFetcher
from longline.model import Browsing, Exchange, Request
from longline.text.url import is_called_back

if TYPE_CHECKING:
    from playwright.async_api import Page, Route
    from playwright.async_api import Request as Wanted

STEP_SECONDS = 0.05
CLICK_MS = 3000
READ_TRIES = 3

OFTEN = 5
"""This many requests for one URL mean that the page polls it."""


_DATA = frozenset({"xhr", "fetch"})
_TRACKING = re.compile(
    r"(?:^|[./])(?:google-analytics|googletagmanager|googlesyndication|doubleclick|facebook"
    r"|hotjar|clarity\.ms|segment\.(?:io|com)|mixpanel|matomo|piwik|newrelic|nr-data|sentry"
    r"|plausible|amplitude|fullstory|scorecardresearch|quantserve|criteo|adservice)\b",
    re.IGNORECASE,
)
_STAY = "aborted"
"""With this error Chromium stays on the current page if the next one cannot be loaded."""

_INDEX = re.compile(r"/[^/?]*(?:search|lunr|fuse)[^/?]*$", re.IGNORECASE)
"""Scripts that may contain a search index, by their names."""

_NOT_FORWARDED = frozenset(
    {"user-agent", "accept-encoding", "connection", "host", "content-length", "cookie"}
)
_NOT_ANSWERED = frozenset(
    {"content-encoding", "content-length", "transfer-encoding", "connection", "location"}
)
_CHANGES = """
window.__changedAt = performance.now();
{
  const seen = new MutationObserver(() => { window.__changedAt = performance.now(); });
  const all = {subtree: true, childList: true, characterData: true, attributes: true};
  seen.observe(document, all);
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (given) {
    const root = attach.call(this, given);
    seen.observe(root, all);
    return root;
  };
  // What a page asks for is told to the fetcher late where the machine is busy.
  window.__asking = 0;
  const ended = () => { window.__asking -= 1; window.__changedAt = performance.now(); };
  const ask = window.fetch;
  window.fetch = function (...given) {
    window.__asking += 1;
    const answer = ask.apply(this, given);
    answer.then(ended, ended);
    return answer;
  };
  const send = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function (...given) {
    window.__asking += 1;
    this.addEventListener('loadend', ended, {once: true});
    return send.apply(this, given);
  };
}
"""
_STILL = (
    "document.readyState !== 'loading' && !window.__asking"
    " && performance.now() - window.__changedAt"
)
_WRITE_BOXES = """() => {
  for (const box of document.querySelectorAll('input'))
    if (['text', 'search'].includes(box.type) && box.value) box.setAttribute('value', box.value);
}"""
_WITH_SHADOWS = """() => {
  let found = false;
  const inert = document.implementation.createHTMLDocument();
  const flat = node => {
    const copy = inert.importNode(node, false);
    if (node.localName === 'input' && ['text', 'search'].includes(node.type) && node.value)
      copy.setAttribute('value', node.value);
    found ||= Boolean(node.shadowRoot);
    for (const child of [...(node.shadowRoot?.childNodes || []), ...node.childNodes])
      copy.append(flat(child));
    return copy;
  };
  const markup = flat(document.documentElement).outerHTML;
  return found ? '<!doctype html>' + markup : '';
}"""
"""Returns the page including its components' shadow trees; "" if there are none."""


class Settling(NamedTuple):
    """When a page has settled.

    Attributes:
        quiet_seconds: After this time without requests and changes.
        most_seconds: Maximum wait for that after the last answer.
    """

    quiet_seconds: float
    most_seconds: float


class Visit:
    """Show one page, and answer its requests through a fetcher.

    Images, fonts, media, style sheets, other frames and tracking are not loaded.

    Args:
        page: A new page, used for nothing else.
        document: The answer for the page's own URL, with its headers.
        web: Fetches what the page requests; it also gets the cookies the browser would send.
        held: Cache of scripts, and of data requested when pages open; this visit adds its own.
        browsing: What to do on the page.
        settling: When the page has settled.

    Attributes:
        requests: HTTP requests that it cost.
        sent: In order, the data that the page requested, scripts of a search, and pages it led to;
            also refused requests: words by POST, connections that stay open.
    """

    def __init__(
        self,
        page: Page,
        document: Whole,
        web: WebFetcher,
        *,
        held: Held,
        browsing: Browsing,
        settling: Settling,
    ) -> None:
        self._page = page
        self._documents: dict[str, Whole] = {document[0].url: document}
        self._web = web
        self._held = held
        self._browsing = browsing
        self._settling = settling
        self._open = 0
        self._busy_at = time.monotonic()
        self._is_in_use = False
        self._at_opening = 0
        self._stopped: StoppedShort | None = None
        self.requests = document[0].requests
        self.sent: list[Exchange] = []

    @property
    def asked_most(self) -> str:
        """The URL that the page polls, without its query; "" for none."""
        asked = Counter(each.request.url.partition("?")[0] for each in self.sent)
        url, times = max(asked.items(), key=lambda pair: pair[1], default=("", 0))
        return url if times >= OFTEN else ""

    async def show(self, url: str) -> tuple[str, str]:
        """Return the page's URL and markup, when its scripts have settled.

        Raises:
            StoppedShort: As the fetcher.
        """
        await self._page.add_init_script(_CHANGES)
        await self._page.route("**/*", self._answer)
        self._page.on("popup", lambda popup: popup.close())
        self._page.on("websocket", lambda socket: self._refuse(Request(socket.url)))
        await self._page.goto(url, wait_until="commit")
        await self._settle()
        if self._browsing.opener and not await self._has(self._browsing.box):
            await self._click(self._browsing.opener)
        if self._browsing.box:
            await self._type()
        for _ in range(self._browsing.further):
            await self._go_on()
        return await self._markup()

    async def _markup(self) -> tuple[str, str]:
        from playwright.async_api import Error

        for left in reversed(range(READ_TRIES)):
            try:
                await self._page.evaluate(_WRITE_BOXES)
                whole = await self._page.evaluate(_WITH_SHADOWS)
                return self._page.url, whole or await self._page.content()
            except Error:
                # It is just loading another page.
                if not left:
                    raise
                await self._settle()
        raise AssertionError("the last try returns or raises")

    # Typing.

    async def _type(self) -> None:
        browsing = self._browsing
        self._is_in_use = True
        self.sent[:] = [exchange for exchange in self.sent if exchange.response is None]
        box = self._page.locator(locator_of(browsing.box)).first
        if not await self._has(browsing.box):
            raise RefusedError(
                f"{self._page.url} has no box {browsing.box!r}",
                advice="correct the selector of the box",
                url=self._page.url,
            )
        before = (self._page.url, await self._text())
        await box.fill(browsing.words, timeout=CLICK_MS, force=True)
        await box.press("Enter", timeout=CLICK_MS)
        await self._settle()
        if browsing.button and not self.sent and before == (self._page.url, await self._text()):
            await self._click(browsing.button)

    async def _has(self, selector: str) -> bool:
        found = selector and await self._page.locator(locator_of(selector)).count()
        return bool(found)

    async def _go_on(self) -> None:
        self._is_in_use = True
        if self._browsing.more:
            await self._click(self._browsing.more)
            return
        await self._page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
        await self._settle()

    async def _click(self, selector: str) -> None:
        from playwright.async_api import Error

        button = self._page.locator(locator_of(selector)).first
        if await button.count():
            # Without its style sheet, an overlay may cover a button.
            with suppress(Error):
                await button.dispatch_event("click", timeout=CLICK_MS)
            await self._settle()

    async def _text(self) -> str:
        return await self._page.evaluate("document.body ? document.body.textContent : ''") or ""

    # Settling.

    async def _settle(self) -> None:
        from playwright.async_api import Error

        began = time.monotonic()
        self._busy_at = began
        while True:
            await asyncio.sleep(STEP_SECONDS)
            if self._stopped is not None:
                raise self._stopped
            now = time.monotonic()
            if self._open or now - self._busy_at < self._settling.quiet_seconds:
                continue
            if now - max(began, self._busy_at) > self._settling.most_seconds:
                return
            # During navigation to another page there is no document for a moment.
            with suppress(Error):
                still = await self._page.evaluate(_STILL)
                is_still = still is not False and still >= 1000 * self._settling.quiet_seconds
                if is_still and not self._open:
                    return

    # Answering.

    async def _answer(self, route: Route) -> None:
        from playwright.async_api import Error

        self._open += 1
        try:
            # A page that has moved on accepts no answer any more.
            with suppress(Error):
                await self._answer_to(route, route.request)
        except StoppedShort as error:
            self._stopped = error
        finally:
            self._open -= 1
            self._busy_at = time.monotonic()

    async def _answer_to(self, route: Route, wanted: Wanted) -> None:
        kind = wanted.resource_type
        is_page = kind == "document" and wanted.frame == self._page.main_frame
        if kind == "stylesheet":
            # Scripts may wait for a style sheet; an empty one is enough.
            await route.fulfill(status=200, content_type="text/css", body="")
        elif kind == "eventsource":
            self._refuse(_request(wanted))
            await route.abort("blockedbyclient")
        elif not (is_page or kind in _DATA or kind == "script") or _TRACKING.search(wanted.url):
            await route.abort("blockedbyclient")
        elif self._is_in_use and wanted.method != "GET" and not self._browsing.post:
            self._refuse(_request(wanted))
            await route.abort(_STAY if is_page else "blockedbyclient")
        elif is_page:
            await self._lead_on(route, wanted)
        else:
            await self._fulfil(route, wanted, await self._fetch(wanted))

    def _refuse(self, request: Request) -> None:
        self.sent.append(Exchange(request, None))

    async def _lead_on(self, route: Route, wanted: Wanted) -> None:
        """Answer with a page; if its URL was redirected, redirect the browser."""
        url = wanted.url.partition("#")[0]
        held = self._documents.pop(url, None)
        if held is None:
            held = await self._fetch(wanted)
            if held is not None and held[0].url != url:
                self._documents[held[0].url] = held
                target = msgspec.json.encode(held[0].url).decode().replace("<", "\\u003c")
                led = f"<script>location.replace({target})</script>"
                await route.fulfill(status=200, content_type="text/html", body=led)
                return
        await self._fulfil(route, wanted, held)

    async def _fetch(self, wanted: Wanted) -> Whole | None:
        """Return an answer, or None if there is none, or it is not allowed."""
        request = _request(wanted)
        if wanted.resource_type == "script" and wanted.url in self._held.scripts:
            self._keep(wanted, self._held.scripts[wanted.url])
            return self._held.scripts[wanted.url]
        is_opening = (
            wanted.resource_type in _DATA and wanted.method == "GET" and not self._is_in_use
        )
        if is_opening:
            may_be_old = self._browsing.box or self._held.is_flooded
            again = self._held.get(request) if may_be_old else None
            if again is not None:
                self._keep(wanted, again)
                return again
            self._at_opening += 1
            if not self._held.allows(self._at_opening):
                return None
        self._web.keep_cookies(wanted.headers.get("cookie", ""), wanted.url)
        try:
            whole = await self._web.fetch_whole(request)
        except RobotsError as error:
            self.sent.append(Exchange(request, None, error.message))
            return None
        except (SourceError, InputError) as error:
            self.requests += getattr(error, "requests", 0)
            return None
        self.requests += whole[0].requests
        if wanted.resource_type == "script":
            self._held.scripts[wanted.url] = whole
        if is_opening:
            self._held.keep(request, whole)
        self._keep(wanted, whole)
        return whole

    def _keep(self, wanted: Wanted, whole: Whole) -> None:
        is_data = wanted.resource_type != "script" or is_called_back(whole[0].body, wanted.url)
        if is_data or _INDEX.search(wanted.url):
            self.sent.append(Exchange(_request(wanted), whole[0]))

    async def _fulfil(self, route: Route, wanted: Wanted, whole: Whole | None) -> None:
        if whole is None:
            await route.abort(_STAY if wanted.resource_type == "document" else "failed")
            return
        response, headers = whole
        passed = {n: v for n, v in headers.items() if n.lower() not in _NOT_ANSWERED}
        await route.fulfill(status=response.status, headers=passed, body=response.body)


def _request(wanted: Wanted) -> Request:
    headers = tuple(
        (name, value)
        for name, value in wanted.headers.items()
        if name not in _NOT_FORWARDED and not name.startswith(("sec-", ":"))
    )
    return Request(wanted.url, wanted.method, headers, wanted.post_data_buffer or b"")
