"""The system's Chromium: find it, and start it without network access of its own."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING

import msgspec

from longline.errors import InputError

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page, Playwright

VARIABLE = "LONGLINE_CHROMIUM"
"""Environment variable with the program, if it has another name or is not on the PATH."""

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Requests that the fetcher does not answer end at a proxy that does not exist: a web socket, a
    # redirect, a DNS prefetch.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)


def find_chromium() -> str | None:
    """Return the path of the system's Chromium or Chrome, or None if there is none.

    The environment variable LONGLINE_CHROMIUM takes precedence.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return shutil.which(named)
    return next(filter(None, map(shutil.which, NAMES)), None)


def has_browser() -> bool:
    """Return whether pages can be shown in a browser: the extra and a Chromium are installed."""
    return find_spec("playwright") is not None and find_chromium() is not None


def chromium() -> str:
    """Return the path of the system's Chromium.

    Raises:
        InputError: The extra or the program is missing.
    """
    if find_spec("playwright") is None:
        raise InputError(
            "a page needs a browser, and the library that drives it is not installed",
            advice="pip install 'longline[browser]'",
        )
    path = find_chromium()
    if path is None:
        named = os.environ.get(VARIABLE)
        what = f"{VARIABLE} names {named!r}, which is no program" if named else "there is none"
        raise InputError(
            f"a page needs a browser, and {what}; looked for {', '.join(NAMES)} on the PATH",
            advice=f"install chromium, or name the program in {VARIABLE}",
        )
    return path


class Chromium:
    """One headless Chromium with a temporary profile, started with the first page.

    Args:
        user_agent: The user agent sent.
    """

    def __init__(self, user_agent: str) -> None:
        self._user_agent = user_agent
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._context: BrowserContext | None = None

    async def page(self) -> Page:
        """Return a new page.

        Raises:
            InputError: The extra or the program is missing, or the program does not start.
        """
        if self._context is None or not (self._browser and self._browser.is_connected()):
            await self.close()
            self._context = await self._start()
        return await self._context.new_page()

    async def _start(self) -> BrowserContext:
        path = chromium()
        from playwright.async_api import Error, async_playwright

        self._playwright = await async_playwright().start()
        try:
            self._browser = await self._playwright.chromium.launch(
                executable_path=path,
                headless=True,
                # Chromium refuses to run as root with its sandbox.
                chromium_sandbox=not _is_root(),
                args=list(FLAGS),
            )
        except Error as error:
            await self.close()
            reason = error.message.splitlines()[0]
            raise InputError(
                f"{path} does not start: {reason}",
                advice=f"check that it runs, or name another one in {VARIABLE}",
            ) from None
        return await self._browser.new_context(
            user_agent=self._user_agent, service_workers="block", accept_downloads=False
        )

    async def close(self) -> None:
        """End the browser; a later page starts it again."""
        browser, playwright = self._browser, self._playwright
        self._context = self._browser = self._playwright = None
        if playwright is None:
            return
        from playwright.async_api import Error

        with suppress(Error):
            if browser is not None:
                await browser.close()
        await playwright.stop()


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def locator_of(selector: str) -> str:
    """Return a selector in the syntax of the browser driver.

    >>> [locator_of(each) for each in ("css:#q", "xpath://input", "input", "text:Deep")]
    ['css=#q', 'xpath=//input', 'css=input', 'text="Deep"']
    """
    language, colon, expression = selector.partition(":")
    if colon and language == "text":
        return f"text={msgspec.json.encode(expression).decode()}"
    known = colon and language in ("css", "xpath")
    return f"{language}={expression}" if known else f"css={selector}"
