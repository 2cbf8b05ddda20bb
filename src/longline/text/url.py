"""Parse URLs as browsers do: one parser for links, forms, redirects and the guard.

Source: the URL Standard (WHATWG), by the library ada.
"""

import codecs
import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import parse_qsl, quote_from_bytes, urlsplit

from ada_url import URL

_LONE = re.compile("[\ud800-\udfff]")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_SEMICOLON = re.compile(r";(?=[^;&=]+=)")
_LINE_END = re.compile(r"\r\n?|\n")
_CALL = re.compile(
    rb"\s*(?:/\*\*/\s*)?(?:typeof\s[^&]{1,99}&&\s*)?([A-Za-z_$][\w$.]{0,99})\(\s*[\[{]"
)
_ACTION = re.compile(
    r"[/=](?:(?:log|sign)[-_]?(?:out|off)|abmelden|d[eé]connexion|delete|remove|destroy|unsubscribe)"
    r"(?:\.[a-z]{2,5})?/?(?:[?&]|$)",
    re.IGNORECASE,
)
_KEPT_IN_QUERY = "!$%&()*+,-./:;=?@[\\]^_`{|}~"


def is_url(source: str) -> bool:
    """Return whether a source is given by its URL."""
    return source.startswith(("http://", "https://"))


def is_action(url: str) -> bool:
    """Return whether a URL reads like one that logs out or deletes something.

    >>> is_action("https://x.example/logout"), is_action("https://x.example/?do=delete&id=1")
    (True, True)
    >>> is_action("https://x.example/docs/logout-page")
    False
    """
    return bool(_ACTION.search(url.partition("#")[0]))


def with_ampersands(query: str) -> str:
    """Return a query with ampersands instead of semicolons between parameters.

    >>> with_ampersands("q=tides;page=2&size=10"), with_ampersands("rank=7;2")
    ('q=tides&page=2&size=10', 'rank=7;2')
    """
    return _SEMICOLON.sub("&", query)


def resolve(link: str, base: str = "", charset: str = "utf-8") -> str:
    r"""Return a link as the absolute URL that a browser would request.

    Args:
        link: The link as written; odd spellings are normalised: `\` for `/`, `..`, capitals in the
            host, a default port, tabs, letters of any alphabet.
        base: The absolute URL that it is relative to; "" if it must be absolute itself.
        charset: Encodes the query; letters outside it are written as numeric entities.

    Raises:
        ValueError: It is no http or https URL.

    >>> resolve(r"\\Shop.Example:443/a/../b c?q=ü", "https://x.example/", "latin-1")
    'https://shop.example/b%20c?q=%FC'
    >>> resolve("http://0x7f.1/")
    'http://127.0.0.1/'
    """
    # Half of a surrogate pair is no letter.
    written = _encode_query(_LONE.sub("\ufffd", link), charset)
    url = URL(written, base=base) if base else URL(written)
    if url.protocol not in ("http:", "https:"):
        raise ValueError(f"{link!r} is no http or https URL")
    return str(url.href)


def write_fields(fields: Iterable[tuple[str, str]], charset: str = "utf-8") -> str:
    r"""Return a form's fields as a browser sends them: as application/x-www-form-urlencoded.

    Args:
        fields: Names and values; all line ends become CR and LF.
        charset: Letters outside it are written as numeric entities.

    >>> write_fields([("q", "Gr\xfc\xdfe ~*"), ("a", "1\n2\u0259")], "cp1252")
    'q=Gr%FC%DFe+%7E*&a=1%0D%0A2%26%23601%3B'
    """
    return "&".join(f"{_field(name, charset)}={_field(value, charset)}" for name, value in fields)


def _field(text: str, charset: str) -> str:
    whole = _LINE_END.sub("\r\n", _LONE.sub("\ufffd", text))
    quoted = quote_from_bytes(whole.encode(charset, "xmlcharrefreplace"), safe="* ")
    return quoted.replace("~", "%7E").replace(" ", "+")


def is_utf_8(charset: str) -> bool:
    """Return whether a charset that Python knows is UTF-8, in any spelling."""
    return codecs.lookup(charset).name == "utf-8"


def _encode_query(link: str, charset: str) -> str:
    if link.isascii() or is_utf_8(charset):
        return link
    address, hash_, fragment = link.partition("#")
    path, mark, query = address.partition("?")
    encoded = _BEYOND_ASCII.sub(lambda found: _percent(found[0], charset), query)
    return path + mark + encoded + hash_ + fragment


def _percent(text: str, charset: str) -> str:
    return quote_from_bytes(text.encode(charset, _ENTITY), safe=_KEPT_IN_QUERY)


def _entity(error: UnicodeError) -> tuple[bytes, int]:
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(f"%26%23{ord(letter)}%3B" for letter in lacking).encode(), error.end


_ENTITY = "longline.entity"
codecs.register_error(_ENTITY, _entity)


Form = tuple[str, int, str, tuple[str, ...]]
"""What URLs of one template have in common: their host, the number of their path segments, the
ending of the last one, and the names of their parameters."""


class Places(NamedTuple):
    """A URL in two parts.

    Attributes:
        form: What it has in common with other URLs of its template.
        values: What stands at each place: the segments, and the parameters' values. The part of the
            last segment up to a colon is a place of its own, as in "Talk:Tides".
    """

    form: Form
    values: tuple[str, ...]


def places_of(url: str) -> Places:
    """Return a URL's form, and the values at its places.

    >>> places_of("https://x.example/doc/7.html?lang=en")
    Places(form=('x.example', 3, '.html', ('lang',)), values=('', 'doc', '7.html', 'en'))
    """
    parts = urlsplit(url)
    *folders, last = parts.path.split("/")
    space, colon, name = last.rpartition(":")
    path = [*folders, *([space + colon] if colon else []), name]
    ending = last[last.rfind(".") :].lower() if "." in last else ""
    fields = sorted(parse_qsl(parts.query, keep_blank_values=True))
    form: Form = (parts.netloc, len(path), ending, tuple(field for field, _ in fields))
    return Places(form, (*path, *(value for _, value in fields)))


def is_called_back(body: bytes, url: str) -> bool:
    """Return whether a response is JSONP: data in a call of a function that its URL names.

    >>> is_called_back(b'show({"total": 7})', "https://x.example/find?q=deep&callback=show")
    True
    >>> is_called_back(b'show({"total": 7})', "https://x.example/show.js")
    False
    """
    found = _CALL.match(body)
    if found is None:
        return False
    name = found[1].decode()
    return any(value == name for _, value in parse_qsl(urlsplit(url).query))
