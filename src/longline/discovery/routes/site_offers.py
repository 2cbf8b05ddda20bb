"""Read what a site offers in addition to its search: links, sitemaps, OAI-PMH, feeds."""

import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from urllib.parse import unquote, urljoin, urlsplit

import parsel

from longline.errors import PageError
from longline.model import Hit, Response
from longline.source import index_pages, parse, unpacked, whole_references
from longline.text.charset import read_text

_DUMP = re.compile(
    r"\.(?:zip|7z|tgz|tar(?:\.\w+)?|zim|parquet|warc(?:\.gz)?|mrc"
    r"|(?:jsonl?|ndjson|csv|tsv|sql|xml|rdf|nt|ttl)\.(?:gz|bz2|xz|zst)|jsonl|ndjson|sql)$",
    re.IGNORECASE,
)
_NAMED_SO = re.compile(r"\b(?:dumps?|bulk|whole|complete|all|data\s?sets?)\b", re.IGNORECASE)
_URL = re.compile(r"https?://[^\s\"'<>]+")
_SITEMAP = re.compile(r"^[^\S\n]*sitemap\s*+:\s*+(\S+)", re.IGNORECASE | re.MULTILINE)
_FEED_TYPES = ("application/rss+xml", "application/atom+xml", "application/feed+json")


class Likeness:
    """Distinguish URLs of documents from others, by known hits.

    >>> likeness = Likeness([Hit("7", "https://x.example/doc/7"), Hit("8", "https://x.example/doc/8")])
    >>> likeness.counted(["https://x.example/doc/7", "https://x.example/doc/9", "https://x.example/"])
    (2, 1)
    """

    def __init__(self, hits: Sequence[Hit]) -> None:
        self._urls = {hit.url for hit in hits if hit.url}
        self._keys = {hit.key for hit in hits}

    def __len__(self) -> int:
        return len(self._keys)

    def counted(self, urls: Iterable[str]) -> tuple[int, int]:
        """Return how many URLs look like documents', and how many are those of known hits."""
        addresses = list(dict.fromkeys(urls))
        known = [url for url in addresses if url in self._urls or _last(url) in self._keys]
        pattern = _pattern(known or sorted(self._urls))
        if pattern is None:
            return 0, 0
        return sum(pattern.fullmatch(_plain(url)) is not None for url in addresses), len(known)


def _last(url: str) -> str:
    """Return the last part of a URL: of its path, or the last parameter's value."""
    parts = urlsplit(url)
    return unquote((parts.query.rpartition("=")[2] or parts.path.rstrip("/")).rpartition("/")[2])


def _plain(url: str) -> str:
    """Return a URL without scheme, host, and parameters' values."""
    parts = urlsplit(url)
    return parts.path + re.sub(r"=[^&]*", "=", f"?{parts.query}" if parts.query else "")


def _pattern(urls: Sequence[str]) -> re.Pattern[str] | None:
    """Return a pattern of the common parts of URLs, or None if there are none."""
    if not urls:
        return None
    paths = [_plain(url).split("/") for url in urls]
    lengths = {len(path) for path in paths}
    parts: list[str] = []
    for segments in zip_longest(*paths):
        if None in segments:
            break
        is_fixed = len(set(segments)) == 1 and len(urls) > 1
        is_last = len(parts) + 1 == len(paths[0])
        # A single URL determines its folder, but its last segment may vary.
        if is_fixed or (len(urls) == 1 and not is_last):
            parts.append(re.escape(segments[0]))
        else:
            parts.append("[^/]+")
    return re.compile("/".join(parts) + ("(?:/.*)?" if len(lengths) > 1 else ""))


def sitemap_lines(robots: str) -> list[str]:
    r"""Return the sitemaps that a robots.txt names.

    >>> sitemap_lines("User-agent: *\nSitemap: https://x.example/map.xml")
    ['https://x.example/map.xml']
    """
    return list(dict.fromkeys(_SITEMAP.findall(robots)))


def sitemap_urls(answer: Response) -> tuple[bool, list[str]]:
    """Read a sitemap: whether it is an index of others, and its URLs; [] if it is not a sitemap."""
    body = unpacked(answer.body)
    if b"<urlset" not in body and b"<sitemapindex" not in body:
        return False, []
    root = read_xml(body)
    locations = "//*[local-name()='{}']/*[local-name()='loc']/text()"
    files = [text.strip() for text in root.xpath(locations.format("sitemap")).getall()]
    urls = [text.strip() for text in root.xpath(locations.format("url")).getall()]
    return (True, files) if files else (False, urls)


def pages_of_index(answer: Response) -> list[dict[str, str]]:
    """Return the pages in the index of a site's own search; [] if it is not an index."""
    try:
        data = parse(answer, "json").root.root
    except PageError:
        return []
    return index_pages(data)


def text_of_page(answer: Response) -> str:
    """Return a page as text."""
    return read_text(answer.body, answer.content_type)[1]


def dumps_in(home: Response | None, robots: str) -> list[str]:
    """Return dump files named by a page, or by a robots.txt, that may hold all documents."""
    found = [url for url in _URL.findall(robots) if _is_dump(url)]
    for link in [] if home is None else html_of(home).xpath("//a[@href]"):
        href, text = link.attrib["href"], link.xpath("string()").get("")
        if _is_dump(href) and _NAMED_SO.search(f"{text} {unquote(href)}"):
            found.append(urljoin(home.url if home else "", href))
    return list(dict.fromkeys(found))


def _is_dump(url: str) -> bool:
    try:
        return _DUMP.search(urlsplit(url).path) is not None
    except ValueError:
        return False


def feeds_in(home: Response | None) -> list[str]:
    """Return the feeds that a page declares as alternates."""
    if home is None:
        return []
    links = html_of(home).xpath("//link[contains(concat(' ', @rel, ' '), ' alternate ')][@href]")
    hrefs = [link.attrib["href"] for link in links if link.attrib.get("type") in _FEED_TYPES]
    return list(dict.fromkeys(urljoin(home.url, href) for href in hrefs))


def oai_bases_in(home: Response | None) -> list[str]:
    """Return up to two OAI-PMH base URLs that a page links, by verb or by path."""
    if home is None:
        return []
    hrefs = html_of(home).xpath("//a/@href | //link/@href").getall()
    named = [
        href.partition("?")[0]
        for href in hrefs
        if "verb=" in href or re.search(r"/oai(?:2|-pmh|/request)?/?$", href.partition("?")[0])
    ]
    return list(dict.fromkeys(urljoin(home.url, href) for href in named))[:2]


def oai_list(answer: Response) -> tuple[int, int | None, bool]:
    """Read a ListIdentifiers answer: its rows, the announced list size, and whether it continues.

    Source: OAI-PMH 2.0, section 3.5 (resumptionToken, completeListSize).
    """
    root = read_xml(answer.body)
    rows = len(root.xpath("//*[local-name()='header'][not(@status='deleted')]"))
    token = root.xpath("//*[local-name()='resumptionToken']")
    size = token.attrib.get("completeListSize", "") if token else ""
    goes_on = bool(token.xpath("string()").get("").strip()) if token else False
    return rows, int(size) if size.isdigit() else None, goes_on


def read_feed(answer: Response) -> tuple[list[str], bool]:
    """Return the URLs of a feed's entries, and whether it has further pages."""
    root = read_xml(answer.body)
    entries = root.xpath("//*[local-name()='entry' or local-name()='item']")
    urls = [
        urljoin(answer.url, entry.xpath(_ENTRY_LINK).get("").strip() or answer.url)
        for entry in entries
    ]
    following = root.xpath("/*/*[local-name()='link'][@rel='next']|/*/*/*[@rel='next']")
    return urls, bool(following)


_ENTRY_LINK = "(./*[local-name()='link']/@href | ./*[local-name()='link']/text())[1]"


def html_of(answer: Response) -> parsel.Selector:
    """Return the HTML of a page in any encoding."""
    text = read_text(answer.body, answer.content_type)[1]
    return parsel.Selector(text=text or "<html></html>", type="html")


def read_xml(body: bytes) -> parsel.Selector:
    """Read XML in any encoding; other content gives an empty document."""
    text = whole_references(read_text(body, kind="xml")[1])
    return parsel.Selector(text=text or "<nothing/>", type="xml", huge_tree=True)
