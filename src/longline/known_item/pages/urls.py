"""Which URLs are pages of a site, which of them are one page, and which are traps."""

import re
from collections import Counter
from collections.abc import Iterable
from urllib.parse import parse_qsl, unquote, urljoin, urlsplit

from w3lib.url import canonicalize_url, safe_url_string

MOST_CHARACTERS = 1000
MOST_SEGMENTS = 16
MOST_PARAMETERS = 5
"""URLs beyond these limits are made by programs: combined facets, a session."""

MOST_CHAINED = 10
"""A chain of URLs of one shape may have this many new ones: the next month, and the next. Result
lists are such chains too, so the limit is not lower."""

SPOKEN_SEGMENTS = 5
"""The number of URL segments to use: a site's common ones say nothing, but do no harm."""

_NO_PAGE = re.compile(
    r"\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|rtf|epub|csv|tsv|json|xml|rss|atom|ics|vcf|txt|bib"
    r"|jpe?g|png|gif|svg|webp|bmp|tiff?|ico|eps|ps|mp[34]|m4[av]|avi|mov|wmv|webm|og[gv]|wav|flv"
    r"|swf|ram?|zip|gz|tgz|bz2|xz|7z|rar|tar|jar|war|exe|msi|dmg|deb|rpm|iso|apk|css|js|woff2?)$",
    re.IGNORECASE,
)
_DEFAULT = re.compile(r"(?<=/)(?:index|default)\.(?:x?html?|shtml|php\d?|aspx?|jsp|cgi)$", re.I)
_SESSION_PATH = re.compile(r";(?:jsessionid|sid|phpsessid)=[^/;?]*|/\([SFXA]\([^)/]*\)\)", re.I)
_CAMPAIGN = re.compile(r"(?:utm_\w+|gclid|fbclid|msclkid|mc_[ce]id|_ga)=.*", re.IGNORECASE)
_SESSION = re.compile(
    # "sid" is also a story or a section; a session is long and looks random.
    r"(?:phpsessid|jsessionid|aspsessionid\w*|sid|session_?id|sess|zenid|osc?csid|cftoken)"
    r"=[\w%-]{16,}",
    re.IGNORECASE,
)
_SCRIPTED = re.compile(
    r"""['"]([^'"\s]+\.(?:x?html?|php|aspx?|jsp|cgi)(?:\?[^'"\s]*)?)['"]""", re.I
)
_NOISE = frozenset({"index", "default", "html", "htm", "xhtml", "shtml", "php", "asp", "aspx"})


class Site:
    """The pages of one site, each with one key.

    URLs that differ only in parts that do not identify a page share a key: http and https, "www.",
    index.html, a fragment, the order of parameters, a session, a campaign. A key is itself a URL;
    `url` returns the one to request, as it was first written.

    Args:
        start: Absolute URL of the first page. Its host is the site, with and without "www.";
            `admit` adds the host to which it redirects.

    >>> site = Site("http://www.ship.example/")
    >>> site.key("log/index.html?utm_source=x#day", "https://ship.example/old/")
    'http://www.ship.example/old/log/'
    >>> site.key("https://port.example/"), site.key("chart.pdf"), site.key("mailto:a@ship.example")
    (None, None, None)
    """

    def __init__(self, start: str) -> None:
        parts = urlsplit(start)
        self.start = start
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._hosts = {_bare(parts.netloc)}
        self._urls: dict[str, str] = {}
        self._keys: dict[str, str | None] = {}
        self._urls[self._named(start)] = start

    def admit(self, url: str) -> None:
        """Add a URL's host to the site."""
        self._hosts.add(_bare(urlsplit(url).netloc))

    def is_on(self, url: str) -> bool:
        """Return whether an absolute URL belongs to the site."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return False
        return parts.scheme in ("http", "https", "file") and _bare(parts.netloc) in self._hosts

    def key(self, link: str, base: str = "") -> str | None:
        """Return the key of the page that a link leads to; None if it is no page of the site.

        Args:
            link: As written: an `href`, or a script that opens a URL.
            base: The URL that it is relative to; by default the start page.
        """
        try:
            written = urljoin(base or self.start, _opened(link.strip())).partition("#")[0]
        except ValueError:
            return None
        if written not in self._keys:
            self._keys[written] = self._key(written)
        return self._keys[written]

    def _key(self, written: str) -> str | None:
        url = _cleaned(written)
        if url is None or not self.is_on(url) or _NO_PAGE.search(urlsplit(url).path):
            return None
        key = self._named(url)
        self._urls.setdefault(key, url)
        return key

    def url(self, key: str) -> str:
        """Return the URL with which a page is requested."""
        return self._urls.get(key, key)

    def _named(self, url: str) -> str:
        parts = urlsplit(canonicalize_url(url))
        origin = f"{parts.scheme}://{parts.netloc}"
        if _bare(parts.netloc) == _bare(urlsplit(self._origin).netloc):
            origin = self._origin
        path = _DEFAULT.sub("", parts.path or "/")
        return f"{origin}{path}" + (f"?{parts.query}" if parts.query else "")


def _opened(link: str) -> str:
    """Return the URL that a link's script opens; a link without a script is returned as it is."""
    if link[:11].lower() != "javascript:":
        return link
    opened = _SCRIPTED.search(link[:MOST_CHARACTERS])
    return opened[1] if opened else link


def _cleaned(written: str) -> str | None:
    """Return an absolute URL without parts that do not identify a page; None if it is invalid."""
    if len(written) > MOST_CHARACTERS:
        return None
    try:
        parts = urlsplit(safe_url_string(written))
        parts.port  # noqa: B018 - a port out of range raises only here
    except ValueError:
        return None
    path = _SESSION_PATH.sub("", parts.path) or "/"
    # Paths that climb above the root stay at the root.
    while path.startswith("/../"):
        path = path[3:]
    return parts._replace(path=path, query=_kept(parts.query), fragment="").geturl()


def _bare(host: str) -> str:
    host = host.lower().rpartition("@")[2]
    for port in (":80", ":443"):
        host = host.removesuffix(port)
    return host.removeprefix("www.")


def _kept(query: str) -> str:
    """Remove parameters that do not identify a page; keep the others unchanged."""
    if not query:
        return ""
    parts = query.split("&")
    kept = [each for each in parts if not (_CAMPAIGN.fullmatch(each) or _SESSION.fullmatch(each))]
    return "&".join(kept)


def spoken(url: str) -> tuple[str, str]:
    """Return the words of a URL: its last part with its parameters' values, and its folders.

    >>> spoken("https://city.example/services/schools/SchoolYear_2024.html?topic=sport")
    ('SchoolYear 2024 sport', 'services schools')
    """
    parts = urlsplit(url)
    segments = [unquote(each) for each in parts.path.split("/") if each]
    values = [value for _, value in parse_qsl(parts.query)]
    last = " ".join([*segments[-1:], *values])
    return _plain(last), _plain(" ".join(segments[-SPOKEN_SEGMENTS:-1]))


def _plain(text: str) -> str:
    words = (word for word in re.split(r"[\W_]+", text) if word and word.lower() not in _NOISE)
    return " ".join(words)


class Traps:
    """Detect URLs that lead to endless others: calendars, sessions, combined facets.

    >>> traps = Traps()
    >>> day = "https://ship.example/log?day={}"
    >>> [traps.is_trap(day.format(n + 1), found_on=day.format(n)) for n in (1, 2, 12)]
    [False, False, False]
    >>> any(traps.is_trap(day.format(n + 1), found_on=day.format(n)) for n in range(2, 30))
    True
    """

    def __init__(self) -> None:
        self._chained: dict[str, int] = {}

    def is_trap(self, url: str, found_on: str) -> bool:
        """Return whether a URL, seen for the first time on the page `found_on`, is a trap."""
        parts = urlsplit(url)
        segments = [segment for segment in parts.path.split("/") if segment]
        parameters = parts.query.count("&") + 1
        if len(segments) > MOST_SEGMENTS or parameters > MOST_PARAMETERS or _repeats(segments):
            return True
        return self._chain(url, found_on) > MOST_CHAINED

    def _chain(self, url: str, found_on: str) -> int:
        """Return how many pages of the same shape lead to a URL in a chain."""
        if url not in self._chained:
            same = _shape(url) == _shape(found_on) and url != found_on
            self._chained[url] = self._chained.get(found_on, 0) + 1 if same else 0
        return self._chained[url]


def _shape(url: str) -> str:
    """Return a URL with its numbers and its parameters' values replaced."""
    parts = urlsplit(url)
    names = ",".join(sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)}))
    return f"{re.sub(r'[0-9]+', '#', parts.path)}?{names}"


def _repeats(segments: Iterable[str]) -> bool:
    """Return whether a folder is repeated many times, as broken relative links cause."""
    return any(count > 3 for count in Counter(segments).values())
