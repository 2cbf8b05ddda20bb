"""Write text for its reader: safe for terminals, shells and spreadsheets, and in plain words."""

import re
import shlex

_STEERING = re.compile(r"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'")  # noqa: RUF001
_KINDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "object": "a table",
    "array": "a list",
    "null": "nothing",
}
_KIND = rf"(?:{'|'.join(_KINDS)})"
_KINDS_OF_VALUE = re.compile(rf"`?\b({_KIND}(?: \| {_KIND})*)\b`?")


def clean(text: str) -> str:
    r"""Replace characters that control a terminal or the writing direction with visible ones.

    Line breaks and tabs stay. Escape becomes ␛, and so on; characters without such a sign become
    U+FFFD.

    >>> clean("a title\x1b[2J of\u202etxt.exe"), clean("two\nlines")
    ('a title␛[2J of�txt.exe', 'two\nlines')
    """
    if text.isprintable():  # most texts are, and this check is faster
        return text
    return _STEERING.sub(lambda found: _sign(ord(found[0])), text)


def _sign(code: int) -> str:
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"


def cell(text: str) -> str:
    r"""Return a CSV cell that no program takes for a formula.

    If it begins like a formula, or with an apostrophe, an apostrophe is added in front: to undo
    that, remove one wherever a cell begins with it. Characters are replaced as by `clean`.

    Source: the OWASP page on CSV injection, which lists how a formula may begin, also in signs of
    full width.

    >>> cell("=1+1"), cell("'tis"), cell("1+1"), cell("-5")
    ("'=1+1", "''tis", '1+1', "'-5")
    """
    return clean(f"'{text}" if text.startswith(_FORMULA) else text)


def quoted(path: object) -> str:
    """Return a path as a command in a message needs it: in quotes if a shell would split it.

    >>> quoted("site"), quoted("Town Catalogue")
    ('site', "'Town Catalogue'")
    """
    return shlex.quote(str(path))


def in_plain(message: str) -> str:
    """Replace type names in a msgspec message by plain words.

    >>> in_plain("Expected `int | null`, got `str`"), in_plain("Expected `str | array`, got `int`")
    ('Expected a whole number, got a text', 'Expected a text or a list, got a whole number')
    """
    return _KINDS_OF_VALUE.sub(_named, message)


def _named(found: re.Match[str]) -> str:
    names = found[1].split(" | ")
    return " or ".join(_KINDS[name] for name in names if name != "null" or len(names) == 1)
