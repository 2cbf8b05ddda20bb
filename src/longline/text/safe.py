"""Text from a source that steers no terminal, and that no spreadsheet takes for a formula."""

import re

_STEERING = re.compile(r"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'")  # noqa: RUF001


def clean(text: str) -> str:
    r"""Replace what steers a terminal or turns the direction of writing by a sign that is seen.

    Line breaks and tabs stay. Escape becomes ␛, and so on; what has no such sign becomes U+FFFD.

    >>> clean("a title\x1b[2J of\u202etxt.exe"), clean("two\nlines")
    ('a title␛[2J of�txt.exe', 'two\nlines')
    """
    if text.isprintable():  # most are, and this is told sooner
        return text
    return _STEERING.sub(lambda found: _sign(ord(found[0])), text)


def _sign(code: int) -> str:
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"


def cell(text: str) -> str:
    r"""Write a cell of a CSV so that no program takes it for a formula.

    One that begins as a formula may, or with an apostrophe, gets an apostrophe in front: to undo
    that, take one away wherever a cell begins with it. Signs are replaced as by `clean`.

    Source: the OWASP page on CSV injection, which lists how a formula may begin, also in signs of
    full width.

    >>> cell("=1+1"), cell("'tis"), cell("1+1"), cell("-5")
    ("'=1+1", "''tis", '1+1', "'-5")
    """
    return clean(f"'{text}" if text.startswith(_FORMULA) else text)
