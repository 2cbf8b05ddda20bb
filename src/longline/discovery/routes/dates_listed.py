"""Read from a sitemap or a feed when documents changed. No I/O."""

from collections.abc import Generator
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from longline.discovery.routes.site_offers import feeds_in, read_xml, sitemap_urls
from longline.model import Request, Response
from longline.model.fields import read_value
from longline.source import canonical

MOST_FILES = 50
"""How many files of a sitemap index are read at most."""

_ENTRIES = "//*[local-name()='url' or local-name()='entry' or local-name()='item']"
_ADDRESS = (
    "*[local-name()='loc']/text() | *[local-name()='link']/@href | *[local-name()='link']/text()"
)
_DATE = (
    "*[local-name()='lastmod' or local-name()='updated' or local-name()='modified']/text()"
    " | *[local-name()='pubDate' or local-name()='published' or local-name()='date']/text()"
)


class Dated(NamedTuple):
    """A URL, and when its content changed: ISO 8601, a day or a time in UTC."""

    url: str
    changed: str


def dates_in(answer: Response) -> list[Dated]:
    """Read a sitemap or a feed (RSS, Atom); entries without a date are left out.

    >>> dates_in(Response(url="https://x.example/map.xml", status=200, body=b"<urlset><url>"
    ...     b"<loc>/a</loc><lastmod>2026-03-01</lastmod></url><url><loc>/b</loc></url></urlset>"))
    [Dated(url='https://x.example/a', changed='2026-03-01')]
    """
    found = []
    for entry in read_xml(answer.body).xpath(_ENTRIES):
        address, said = entry.xpath(_ADDRESS).get("").strip(), entry.xpath(_DATE).get("")
        changed = read_value(said, "date")
        if not (address and isinstance(changed, str) and changed[:4].isdigit()):
            continue
        try:
            found.append(Dated(canonical(urljoin(answer.url, address)), changed))
        except ValueError:
            continue
    return found


def listed_dates(home: str) -> Generator[Request, Response | None, list[Dated]]:
    """Request the sitemap of a site, and its first feed if the sitemap has no dates.

    Args:
        home: A URL of the site.

    Yields:
        Requests; each is sent its response, or None if there is none.

    Returns:
        URLs with their dates; [] if there are none.
    """
    parts = urlsplit(home)
    files, found = [f"{parts.scheme}://{parts.netloc}/sitemap.xml"], list[Dated]()
    for place in range(MOST_FILES):
        if place >= len(files):
            break
        answer = yield Request(files[place])
        if answer is None:
            continue
        is_index, urls = sitemap_urls(answer)
        if is_index:
            files = list(dict.fromkeys([*files, *(urljoin(answer.url, url) for url in urls)]))
        else:
            found += dates_in(answer)
    if found:
        return found
    front = yield Request(home)
    for feed in feeds_in(front)[:1]:
        answer = yield Request(feed)
        found += dates_in(answer) if answer is not None else []
    return found
