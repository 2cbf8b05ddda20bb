"""The user's own headers, cookies and contact, sent only to the source."""

import re
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self
from urllib.parse import unquote, urlsplit

import httpx2
import msgspec

from longline.errors import InputError, option
from longline.fetch._cookies import Jar
from longline.secrets import NAME, Secret

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_NOT_OURS = frozenset(
    {
        "host",
        "content-length",
        "transfer-encoding",
        "connection",
        "accept-encoding",
        "te",
        "upgrade",
    }
)
"""Headers that control how a request is sent."""

_PUBLIC = frozenset(
    {"accept", "accept-language", "user-agent", "referer", "cache-control", "pragma", "dnt", "from"}
    | {"content-type", "origin", "x-requested-with"}
)
"""Headers whose value is not secret and may be written anywhere."""

_SECRET = re.compile(NAME, re.IGNORECASE)
_FIELDS = 7
_HTTP_ONLY = "#HttpOnly_"


class OwnOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The user's own additions to requests.

    Attributes:
        user_agent: Its first word is the name for rules in robots.txt.
        headers: The user's own, such as a key; sent only to `origins`, like contact and cookies.
        cookies: Path of a cookie file in Netscape's format; each cookie is sent where it belongs.
        proxy: URL of an HTTP proxy for all requests; "" for none.
        contact: Contact of the user, for the user agent.
        origins: URLs of the source itself; set by the code that queries a source.
    """

    user_agent: str
    headers: dict[str, str] = {}
    cookies: str = ""
    proxy: str = ""
    contact: str = ""
    origins: tuple[str, ...] = ()

    def kept(self) -> Self:
        """Return the options that may be stored: without the user's own values."""
        own = ("headers", "cookies", "proxy", "contact", "origins")
        defaults: dict[str, Any] = {
            field.name: {} if field.name == "headers" else field.default
            for field in msgspec.structs.fields(self)
            if field.name in own
        }
        return msgspec.structs.replace(self, **defaults)

    def of(self, *urls: str) -> Self:
        """Return these options for a source with these URLs."""
        return msgspec.structs.replace(self, origins=tuple(filter(None, urls)))


class Cookie(msgspec.Struct, frozen=True):
    """A cookie from a file in Netscape's format."""

    domain: str
    is_for_all: bool
    path: str
    is_secure: bool
    ends: int
    name: str
    value: str

    def keep_in(self, jar: Jar, now: datetime) -> None:
        """Put it into a jar, as if its site had set it."""
        host = self.domain.lstrip(".")
        scheme = "https" if self.is_secure else "http"
        parts = [f"{self.name}={self.value}", f"Path={self.path}"]
        parts += [f"Domain={host}"] if self.is_for_all else []
        parts += ["Secure"] if self.is_secure else []
        parts += [f"Max-Age={self.ends - int(now.timestamp())}"] if self.ends else []
        jar.keep("; ".join(parts).encode("latin-1", "replace"), f"{scheme}://{host}/", now)


class Own:
    """Add a user's own headers, cookies and contact to requests, only for the source's own origins.

    Args:
        manners: The options; without `origins` nothing is added.

    Raises:
        InputError: A header is invalid, or the cookie file cannot be read.
    """

    def __init__(self, manners: OwnOptions) -> None:
        self._plain = manners.user_agent
        self._origins = set(_origins(manners.origins))
        self._headers = dict(manners.headers)
        if manners.contact:
            self._headers = {"User-Agent": with_contact(manners)} | self._headers
        self._jar, now = Jar(), datetime.now(UTC)
        for cookie in cookies_in(manners.cookies) if manners.cookies else ():
            cookie.keep_in(self._jar, now)
        named = {name for name in self._headers if name.lower() == "cookie"}
        pairs = [pair for name in named for pair in self._headers.pop(name).split(";")]
        for pair in pairs:
            for scheme, host, port in self._origins:
                written = f"{pair.strip()}; Path=/".encode("latin-1", "replace")
                self._jar.keep(written, f"{scheme}://{host}:{port}/", now)

    @property
    def has_cookies(self) -> bool:
        """Whether the user gave cookies."""
        return self._jar.has_any

    def cookies(self, request: httpx2.Request, set_by_source: bytes) -> bytes:
        """Return the Cookie header for a request: cookies set by the source come first and win."""
        if _origin(request.url) not in self._origins:
            return set_by_source
        theirs = [pair for pair in set_by_source.split(b"; ") if pair]
        known = {pair.partition(b"=")[0] for pair in theirs}
        ours = self._jar.header(str(request.url), datetime.now(UTC)).split(b"; ")
        return b"; ".join([*theirs, *(p for p in ours if p and p.partition(b"=")[0] not in known)])

    def dress(self, request: httpx2.Request) -> None:
        """Add the headers for a request's origin, and remove those not for it."""
        is_own = _origin(request.url) in self._origins
        for name, value in self._headers.items():
            if is_own:
                request.headers[name] = value
            elif request.headers.get(name) == value:
                del request.headers[name]
        if "user-agent" not in request.headers:
            request.headers["User-Agent"] = self._plain


def _origins(urls: Iterable[str]) -> Iterator[tuple[str, str, int]]:
    for url in urls:
        with suppress(httpx2.InvalidURL, ValueError):  # the request itself reports it
            yield _origin(httpx2.URL(url))


def _origin(url: httpx2.URL) -> tuple[str, str, int]:
    return url.scheme, url.host, url.port or {"http": 80, "https": 443}.get(url.scheme, 0)


def with_contact(manners: OwnOptions) -> str:
    """Return the user agent with the user's contact."""
    agent, contact = manners.user_agent, manners.contact
    return f"{agent[:-1]}; contact: {contact})" if agent.endswith(")") else f"{agent} ({contact})"


def check_own(manners: OwnOptions) -> None:
    """Check that the user's own values can be sent.

    Raises:
        InputError: A header, a cookie file, a proxy or a contact is invalid.
    """
    for name, value in manners.headers.items():
        if not _NAME.fullmatch(name) or name.lower() in _NOT_OURS or not _is_plain(value):
            raise InputError(
                f"the header {name!r} cannot be sent: its name or value is none",
                advice=f"write e.g. {option('header')} 'X-Api-Key: ...'",
            )
    if manners.contact and not _is_plain(manners.contact):
        raise InputError(
            "the contact has signs that a header cannot hold", advice="give an address"
        )
    if manners.cookies:
        list(cookies_in(manners.cookies))
    if manners.proxy:
        parts = urlsplit(manners.proxy)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(
                f"{option('proxy')} is no address of an HTTP proxy",
                advice="write http://host:port; SOCKS is not supported",
            )


def _is_plain(value: str) -> bool:
    return value.isascii() and value.isprintable()


def cookies_in(path: str) -> Iterator[Cookie]:
    """Yield the cookies of a file in Netscape's format, as browsers and curl write it.

    Raises:
        InputError: It cannot be read, a line does not have seven fields, or it has no cookies.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"cannot read cookies from {path}: {getattr(error, 'strerror', '') or 'no UTF-8'}",
            advice="name a cookies.txt in Netscape's form",
        ) from None
    found = 0
    for number, line in enumerate(lines, start=1):
        line = line.removeprefix(_HTTP_ONLY)
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != _FIELDS or not fields[4].split(".")[0].isdigit() or not fields[5]:
            raise InputError(
                f"{path}, line {number}: no cookie of {_FIELDS} fields with tabs between",
                advice="export the cookies in Netscape's form (cookies.txt)",
            )
        domain, for_all, where, secure, ends, name, value = fields
        is_for_all, is_secure = for_all.upper() == "TRUE", secure.upper() == "TRUE"
        found += 1
        until = int(ends.split(".")[0])
        if until and until < time.time():
            continue
        yield Cookie(domain, is_for_all, where or "/", is_secure, until, name, value)
    if not found:
        raise InputError(f"{path} holds no cookie", advice="name a cookies.txt in Netscape's form")


def own_headers(manners: OwnOptions) -> list[str]:
    """Return the names of headers that contain the user's own values."""
    found = list(manners.headers)
    found += ["Cookie"] if manners.cookies else []
    return found + (["User-Agent"] if manners.contact else [])


def own_secrets(manners: OwnOptions) -> list[Secret]:
    """Return the secrets among the user's own values, so that they are never stored.

    A value that could be a plain word, as in the cookie `theme=dark`, is not searched in texts,
    unless its name says that it is a key.
    """
    found: list[tuple[str, str]] = []
    for name, value in manners.headers.items():
        if name.lower() == "cookie":
            pairs = (pair.strip().partition("=") for pair in value.split(";"))
            found += [(f"cookie-{cookie}", own) for cookie, _, own in pairs]
        elif name.lower() not in _PUBLIC:
            found += [(name, value), (name, value.rpartition(" ")[2])]
    if manners.cookies:
        found += [(f"cookie-{each.name}", each.value) for each in cookies_in(manners.cookies)]
    if password := urlsplit(manners.proxy).password:
        found.append(("proxy", unquote(password)))
    by_value = {value: name for name, value in reversed(found) if value}
    return [
        Secret(f"{name}-{place}", value, is_told=_SECRET.fullmatch(name) is not None)
        for place, (value, name) in enumerate(reversed(by_value.items()), start=1)
    ]
