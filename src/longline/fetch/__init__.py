"""Fetch from the web: politely, within bounds, and never from a private address unasked."""

from longline.fetch._addresses import is_private_host
from longline.fetch._chromium import has_browser
from longline.fetch.browser import BrowserFetcher
from longline.fetch.folder import FolderFetcher
from longline.fetch.web import USER_AGENT, WebFetcher

__all__ = [
    "USER_AGENT",
    "BrowserFetcher",
    "FolderFetcher",
    "WebFetcher",
    "has_browser",
    "is_private_host",
]
