"""Fetch from the web: politely, within limits, and from private addresses only on request."""

from longline.fetch._allowance import Allowance, allowing, spend
from longline.fetch._own import own_headers, own_secrets
from longline.fetch._pace import Hosts, shared_hosts, sharing_hosts
from longline.fetch.browser import BrowserFetcher, Held, has_browser
from longline.fetch.folder import FolderFetcher
from longline.fetch.manners import POLITE_RATE, USER_AGENT, Earlier, Hooks, Manners, Network, Wait
from longline.fetch.veiled import VeiledFetcher
from longline.fetch.web import WebFetcher
from longline.text.addresses import is_private_host
