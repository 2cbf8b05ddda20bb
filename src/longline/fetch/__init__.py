"""Fetch from the web: politely, within bounds, and never from a private address unasked."""

from longline.fetch._addresses import is_private_host
from longline.fetch._chromium import has_browser
from longline.fetch._pace import POLITE_RATE, Wait
from longline.fetch.browser import BrowserFetcher
from longline.fetch.folder import FolderFetcher
from longline.fetch.veiled import VeiledFetcher
from longline.fetch.web import MAX_WAIT_SECONDS, TIMEOUT_SECONDS, USER_AGENT, WebFetcher

__all__ = [
    "MAX_WAIT_SECONDS",
    "POLITE_RATE",
    "TIMEOUT_SECONDS",
    "USER_AGENT",
    "BrowserFetcher",
    "FolderFetcher",
    "VeiledFetcher",
    "Wait",
    "WebFetcher",
    "has_browser",
    "is_private_host",
]
