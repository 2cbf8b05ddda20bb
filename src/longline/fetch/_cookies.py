"""Cookies, by RFC 6265. Bytes are kept as received: their charset is unknown.

The standard library's jar fails 49 of the 222 tests of the RFC's authors: it also follows the older
RFC 2965. There is no list of public suffixes here: a cookie for a suffix such as `co.uk` is sent to
other hosts under it, if the source links to one that is requested.
"""

import ipaddress
import re
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import msgspec

_DELIMITERS = re.compile(r"[\x09\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+")
_TIME = re.compile(r"(\d{1,2}):(\d{1,2}):(\d{1,2})(?!\d)")
_DAY = re.compile(r"(\d{1,2})(?!\d)")
_YEAR = re.compile(r"(\d{2,4})(?!\d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SPACE = " \t"
_MOST_BYTES = 4096
_MOST_OF_A_DOMAIN = 50
_LONGEST = timedelta(days=400)


class _Cookie(msgspec.Struct, frozen=True):
    name: str
    value: str
    domain: str
    is_for_host: bool
    path: str
    is_secure: bool
    ends: datetime | None


class Jar:
    """The cookies of one harvest; kept in memory only."""

    def __init__(self) -> None:
        # In the order of their first arrival, in which they are sent.
        self._kept: dict[tuple[str, str, str], _Cookie] = {}

    def keep(self, header: bytes, url: str, now: datetime) -> None:
        """Add the cookie of one Set-Cookie header; ignore invalid ones and ones for other hosts.

        Args:
            header: Its value, as received.
            url: URL of the response.
            now: With a time zone.
        """
        cookie = _read(header.decode("latin-1"), url, now)
        if cookie is None:
            return
        key = (cookie.domain, cookie.path, cookie.name)
        if cookie.ends is not None and cookie.ends <= now:
            self._kept.pop(key, None)
            return
        self._kept[key] = cookie
        of_domain = [each for each in self._kept if each[0] == cookie.domain]
        if len(of_domain) > _MOST_OF_A_DOMAIN:
            del self._kept[of_domain[0]]

    def header(self, url: str, now: datetime) -> bytes:
        """Return the value of the Cookie header for a request, or b"" if none is sent.

        >>> jar, now = Jar(), datetime(2026, 1, 1, tzinfo=UTC)
        >>> jar.keep(b"a=1; Path=/in; Max-Age=60", "https://x.example/in/1", now)
        >>> jar.header("https://x.example/in/2", now), jar.header("https://x.example/", now)
        (b'a=1', b'')
        """
        fitting = [each for each in self._kept.values() if _is_sent(each, url, now)]
        fitting.sort(key=lambda cookie: -len(cookie.path))
        return "; ".join(f"{each.name}={each.value}" for each in fitting).encode("latin-1")

    @property
    def has_any(self) -> bool:
        """Whether the jar contains cookies."""
        return bool(self._kept)

    def names(self) -> set[bytes]:
        """Return the names of all cookies."""
        return {cookie.name.encode("latin-1") for cookie in self._kept.values()}


def _is_sent(cookie: _Cookie, url: str, now: datetime) -> bool:
    parts = urlsplit(url)
    host = parts.hostname or ""
    is_host = host == cookie.domain
    is_below = not cookie.is_for_host and _is_below(host, cookie.domain)
    is_live = cookie.ends is None or cookie.ends > now
    is_safe = parts.scheme == "https" or not cookie.is_secure
    return (is_host or is_below) and is_live and is_safe and _is_in(parts.path, cookie.path)


def _is_below(host: str, domain: str) -> bool:
    """Return whether a host is a subdomain of a domain (5.1.3)."""
    return host.endswith(f".{domain}") and not _is_address(host)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _is_in(path: str, folder: str) -> bool:
    """Return whether a request's path is within a cookie's path (5.1.4)."""
    path = path or "/"
    return path == folder or (
        path.startswith(folder) and (folder.endswith("/") or path[len(folder)] == "/")
    )


def _read(header: str, url: str, now: datetime) -> _Cookie | None:
    """Read a Set-Cookie header (5.2) received from a URL (5.3); None if it is invalid."""
    pair, *parts = header.split(";")
    name, is_pair, value = (part.strip(_SPACE) for part in pair.partition("="))
    said = _attributes(parts)
    host, domain = urlsplit(url).hostname or "", said.get("domain", "")
    is_other = bool(domain) and domain != host and not ("." in domain and _is_below(host, domain))
    if not is_pair or not name or len(name + value) > _MOST_BYTES or is_other:
        return None
    return _Cookie(
        name=name,
        value=value,
        domain=domain or host,
        is_for_host=not domain,
        path=said.get("path") or _folder(urlsplit(url).path),
        is_secure="secure" in said,
        ends=_end(said, now),
    )


def _attributes(parts: list[str]) -> dict[str, str]:
    """Return a cookie's valid attributes; the last one if a name is repeated."""
    said: dict[str, str] = {}
    for part in parts:
        name, _, value = (each.strip(_SPACE) for each in part.partition("="))
        name = name.lower()
        if name == "path":
            said[name] = value if value.startswith("/") else ""
        elif name == "domain" and value:
            said[name] = value.removeprefix(".").lower()
        elif name == "max-age" and re.fullmatch(r"-?\d+", value):
            said[name] = value[:10]
        elif name == "expires" and read_date(value):
            said[name] = value
        elif name == "secure":
            said[name] = ""
    return said


def _end(said: dict[str, str], now: datetime) -> datetime | None:
    if "max-age" in said:
        seconds = int(said["max-age"])
        return now + min(timedelta(seconds=seconds), _LONGEST) if seconds > 0 else now
    return read_date(said["expires"]) if "expires" in said else None


def _folder(path: str) -> str:
    """Return the default path for a cookie without one (5.1.4)."""
    return path[: path.rfind("/")] or "/"


def read_date(text: str) -> datetime | None:
    """Read a cookie's date in any usual format (5.1.1), or None if it is not a date.

    >>> read_date("Thursday, 01-Jan-70 00:00:00 GMT"), read_date("tomorrow")
    (datetime.datetime(1970, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), None)
    """
    time: list[int] = []
    day = month = year = 0
    for token in _DELIMITERS.split(text):
        if not time and (found := _TIME.match(token)):
            time = [int(each) for each in found.groups()]
        elif not day and (found := _DAY.match(token)):
            day = int(found[1])
        elif not month and token[:3].lower() in _MONTHS:
            month = 1 + _MONTHS.index(token[:3].lower())
        elif not year and (found := _YEAR.match(token)):
            year = int(found[1])
            year += 2000 if year < 70 else 1900 if year < 100 else 0
    try:
        hour, minute, second = time
        return datetime(year, month, day, hour, minute, second, tzinfo=UTC) if year > 1600 else None
    except ValueError:
        return None
