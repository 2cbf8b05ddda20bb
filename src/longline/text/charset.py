"""Detect the charset of a response as browsers do.

Source: the HTML Standard (WHATWG), "determining the character encoding"; labels by the Encoding
Standard.
"""

import codecs
import json
import re
from typing import Literal

import webencodings
from w3lib.encoding import resolve_encoding, to_unicode

from longline.text.media_type import parameter

_SCANNED_BYTES = 1024
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
)
_XML_STARTS = ((b"<\0?\0x\0", "utf-16-le"), (b"\0<\0?\0x", "utf-16-be"))
_XML = re.compile(r"<\?xml[^>]*?encoding\s*=\s*(?:\"([^\">]*)\"|'([^'>]*)')")

_WS = r"\t\n\f\r "
_ATTRIBUTE = (
    rf"[{_WS}/]*+([^>{_WS}/][^=>{_WS}/]*+)"
    rf"(?:[{_WS}]*+=[{_WS}]*+(?:\"([^\"]*)\"|'([^']*)'|([^{_WS}>\"'][^{_WS}>]*+|(?=>)))|(?![{_WS}]*=))"
)
_TOKEN = re.compile(
    r"<!--(?:.*?-->|>|.*)"
    rf"|<(?P<tag>/?[a-zA-Z][^{_WS}>/]*+)(?P<said>(?:{_ATTRIBUTE})*+)[{_WS}/]*+(?P<end>>)?"
    r"|<[!/?][^>]*+>?",
    re.DOTALL,
)
_EACH_ATTRIBUTE = re.compile(_ATTRIBUTE)
_IN_CONTENT = re.compile(
    rf"charset[{_WS}]*=[{_WS}]*(?:\"([^\"]*)\"|'([^']*)'|([^{_WS};\"'][^{_WS};]*))", re.IGNORECASE
)
# fmt: off
_OF_HEADS = frozenset({
    "html", "head", "base", "link", "meta", "noscript", "object", "script", "style", "template",
    "title",
})
# fmt: on


def read_text(
    body: bytes, content_type: str = "", kind: Literal["html", "xml", "json"] = "html"
) -> tuple[str, str]:
    r"""Decode a response.

    A byte order mark has priority over the header, and the header over the page's own declaration.
    Without any, the text is UTF-8. What is said to be UTF-8, or nothing, is read as cp1252 if most
    non-ASCII characters are invalid UTF-8: the letters of such a text would be lost.

    Args:
        body: The body as received.
        content_type: The header's value.
        kind: JSON has no declaration of its own, but may be in UTF-16 or UTF-32.

    Returns:
        The name of Python's codec, and the text; invalid bytes become U+FFFD.

    >>> read_text(b"<meta charset=latin1>\xfc")
    ('cp1252', '<meta charset=latin1>ü')
    """
    for bom, charset in _BOMS:
        if body.startswith(bom) and (kind != "json" or not body.startswith(codecs.BOM_UTF32_LE)):
            return charset, body[len(bom) :].decode(charset, "replace")
    charset = codec_of(parameter(content_type, "charset")) or _own_word(body, kind)
    if charset in ("", "utf-8"):
        charset = _guess(body)
    return charset, to_unicode(body, charset)


def codec_of(label: str) -> str:
    """Return Python's codec for a charset's label, or "" if the web has no such charset.

    >>> codec_of("Latin1"), codec_of("x-sjis"), codec_of("hex")
    ('cp1252', 'cp932', '')
    """
    found = webencodings.lookup(label)
    if found is None:
        return ""
    # Browsers decode some old charsets to nothing, for security; here their text is needed.
    return resolve_encoding(found.codec_info.name) or resolve_encoding(label) or "cp1252"


def _own_word(body: bytes, kind: str) -> str:
    if kind == "json":
        detected = json.detect_encoding(body)
        return "" if detected.startswith("utf-8") else detected
    for start, charset in _XML_STARTS:
        if body.startswith(start):
            return charset
    # A page in UTF-16 could not be parsed so far: if it declares UTF-16, that is wrong.
    said = _of_meta(body.decode("latin-1")) if kind == "html" else ""
    said = said or _of_xml(body[:_SCANNED_BYTES].decode("latin-1"))
    return unmarked(said)


def unmarked(charset: str) -> str:
    """Return the charset to use without a byte order mark: UTF-8 for UTF-16."""
    return "utf-8" if charset.startswith("utf-16") else charset


def _of_xml(start: str) -> str:
    found = _XML.match(start)
    return codec_of(found[1] or found[2] or "") if found else ""


def _of_meta(page: str) -> str:
    """Return the charset that a meta element declares, in the first bytes or in the head."""
    for found in _TOKEN.finditer(page):
        name = (found["tag"] or "").lower()
        is_late = found.start() >= _SCANNED_BYTES and name.lstrip("/") not in _OF_HEADS
        if name and (is_late or not found["end"]):
            return ""
        if name == "meta" and (charset := _of_one_meta(found["said"])):
            return charset
    return ""


def _of_one_meta(attributes: str) -> str:
    said: dict[str, str] = {}
    for name, *values in _EACH_ATTRIBUTE.findall(attributes):
        said.setdefault(name.lower(), "".join(values))
    if "charset" in said:
        return codec_of(said["charset"])
    inner = _IN_CONTENT.search(said.get("content", ""))
    if inner is None or said.get("http-equiv", "").lower() != "content-type":
        return ""
    return codec_of("".join(filter(None, inner.groups())))


def _guess(body: bytes) -> str:
    text = body.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    whole = len(text) - len(text.encode("ascii", "ignore")) - broken
    return "cp1252" if broken > whole else "utf-8"
