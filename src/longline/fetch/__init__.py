"""Fetch from the web: politely, within bounds, and never from a private address unasked."""

from longline.fetch._addresses import is_private_host
from longline.fetch._allowance import Allowance, allowing, spend
from longline.fetch._own import own_headers, own_secrets
from longline.fetch._pace import Hosts, sharing_hosts
from longline.fetch.browser import BrowserFetcher, has_browser
from longline.fetch.folder import FolderFetcher
from longline.fetch.manners import (
    MAX_WAIT_SECONDS,
    POLITE_RATE,
    TIMEOUT_SECONDS,
    USER_AGENT,
    Earlier,
    Hooks,
    Manners,
    Network,
    Wait,
)
from longline.fetch.veiled import VeiledFetcher
from longline.fetch.web import WebFetcher

__all__ = [
    "MAX_WAIT_SECONDS",
    "POLITE_RATE",
    "TIMEOUT_SECONDS",
    "USER_AGENT",
    "Allowance",
    "BrowserFetcher",
    "Earlier",
    "FolderFetcher",
    "Hooks",
    "Hosts",
    "Manners",
    "Network",
    "VeiledFetcher",
    "Wait",
    "WebFetcher",
    "allowing",
    "has_browser",
    "is_private_host",
    "own_headers",
    "own_secrets",
    "sharing_hosts",
    "spend",
]
