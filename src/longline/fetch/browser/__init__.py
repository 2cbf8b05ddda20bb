"""Show pages in a browser, for sources that only a script can use."""

from longline.fetch.browser.browser import BrowserFetcher
from longline.fetch.browser.chromium import has_browser
