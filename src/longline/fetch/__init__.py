"""Fetch from the web: politely, within bounds, and never from a private address unasked."""

from longline.fetch._addresses import is_private_host
from longline.fetch.folder import FolderFetcher
from longline.fetch.web import USER_AGENT, WebFetcher

__all__ = ["USER_AGENT", "FolderFetcher", "WebFetcher", "is_private_host"]
