"""Show pages in a browser, for sources that work only with scripts."""

from longline.fetch.browser.browser import BrowserFetcher
from longline.fetch.browser.chromium import has_browser
from longline.fetch.browser.held import Held
