"""A plain crawler: Scrapy follows every link from the front page and the sitemap.

python -m bench.suite.crawler URL REQUESTS FILE
"""

import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response, TextResponse


class Links(scrapy.Spider):
    """Keep every page that is not a search page, and follow its links."""

    name = "links"

    def parse(self, response: Response, **_: Any) -> Iterator[Any]:
        """Keep a page and follow its links."""
        if not isinstance(response, TextResponse):
            return
        if response.url.endswith("/sitemap.xml"):
            for address in response.xpath("//*[local-name()='loc']/text()").getall():
                yield scrapy.Request(address)
            return
        fields = {f"cell {n}": cell for n, cell in enumerate(response.css("dd::text").getall())}
        title = response.css("h1::text").get("")
        text = " ".join(response.css("main ::text").getall())
        yield {"url": response.url, "title": title, "text": text, **fields}
        yield from response.follow_all(css="a[href]")


def main() -> None:
    """Crawl, and write one row per page."""
    url, budget, out = sys.argv[1:]
    settings = {
        "CLOSESPIDER_PAGECOUNT": int(budget),
        "FEEDS": {out: {"format": "jsonlines", "overwrite": True}},
        "LOG_LEVEL": "ERROR",
        "ROBOTSTXT_OBEY": True,
        "TELNETCONSOLE_ENABLED": False,
        "DOWNLOAD_DELAY": 0,
    }
    process = CrawlerProcess(settings)
    Links.start_urls = [url, urljoin(url, "/sitemap.xml")]
    process.crawl(Links)
    process.start()


if __name__ == "__main__":
    main()
